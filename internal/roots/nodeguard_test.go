package roots

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// guardedServer is a program for Node.js that tries to load modules in every way, and tells what became of each try: what the module is,
// or the code of the error.
const guardedServer = `
-- server/node_modules/plugin/index.js --
module.exports = 'plugin'
-- server/own.cjs --
module.exports = 'own'
-- server/own.mjs --
export default 'own'
-- server/own.json --
"own data"
-- server/requires.cjs --
const say = process.send ? (text) => process.send(text) : (text) => require('node:worker_threads').parentPort.postMessage(text)
try { say(require(process.argv[2])) } catch (error) { say(error.code) }
-- server/main.cjs --
const { createRequire } = require('node:module')
const { fork } = require('node:child_process')
const { Worker } = require('node:worker_threads')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const there = (...names) => path.join(process.argv[2], ...names)
const here = (...names) => path.join(__dirname, ...names)
const url = (file) => pathToFileURL(file).href
const imported = async (file, options) => (await import(file, options)).default
const inWorker = (file, options) => new Promise((resolve, reject) => {
  new Worker(file, options).on('message', resolve).on('error', reject).on('exit', () => resolve('nothing'))
})
const inProcess = (file, args, options) => new Promise((resolve, reject) => {
  fork(file, args, { stdio: 'ignore', ...options }).on('message', resolve).on('error', reject).on('exit', () => resolve('nothing'))
})
const tries = {
  'own: require': () => require('./own.cjs'),
  'own: a package': () => require('plugin'),
  'own: import': () => imported(url(here('own.mjs'))),
  'own: data': () => require('./own.json'),
  'own: in a worker': () => inWorker(here('requires.cjs'), { argv: [here('own.cjs')] }),
  'own: in a process': () => inProcess(here('requires.cjs'), [here('own.cjs')]),
  'own: a name that begins alike': () => require(process.argv[2] + '2/trap.cjs'),
  'data: require': () => require(there('data.json')),
  'data: import': () => imported(url(there('data.json')), { with: { type: 'json' } }),
  'trap: require': () => require(there('trap.cjs')),
  'trap: require without an ending': () => require(there('alone')),
  'trap: a folder': () => require(there('node_modules', 'plugin')),
  'trap: a package': () => createRequire(there('a.js'))('plugin'),
  'trap: where a package is': () => createRequire(there('a.js')).resolve('plugin'),
  'trap: a package by folders': () => require(require.resolve('plugin', { paths: [there()] })),
  'trap: import': () => imported(url(there('trap.mjs'))),
  'trap: import of another kind': () => imported(url(there('trap.cjs'))),
  'trap: import with a query': () => imported(url(there('trap.mjs')) + '?a#b'),
  'trap: import from data': () => imported('data:text/javascript,import x from ' + encodeURIComponent(JSON.stringify(url(there('trap.mjs')))) + ';export default x'),
  'trap: a binary': () => require(there('trap.node')),
  'trap: a binary of another name': () => process.dlopen({ exports: {} }, there('trap.bin')),
  'trap: a folder whose name begins with dots': () => require(there('..x', 'trap.cjs')),
  'trap: a way around': () => require(there('node_modules', '..', 'trap.cjs')),
  'trap: a link from outside': () => require('./link.cjs'),
  'trap: import by a link': () => imported(url(here('link.cjs'))),
  'trap: a linked package': () => require('linked'),
  'trap: a worker': () => inWorker(there('says.cjs')),
  'trap: in a worker': () => inWorker(here('requires.cjs'), { argv: [there('trap.cjs')] }),
  'trap: in a worker with options of its own': () => inWorker(here('requires.cjs'), { argv: [there('trap.cjs')], execArgv: ['--no-warnings'] }),
  'trap: in a worker with an environment of its own': () => inWorker(here('requires.cjs'), { argv: [there('trap.cjs')], env: {} }),
  'own: in a worker that shares the environment': () => inWorker(here('requires.cjs'), { argv: [here('own.cjs')], env: require('node:worker_threads').SHARE_ENV }),
  'trap: in a process with an environment of its own': () => inProcess(here('requires.cjs'), [there('trap.cjs')], { env: { PATH: process.env.PATH } }),
  'trap: a process': () => inProcess(there('says.cjs')),
  'trap: in a process': () => inProcess(here('requires.cjs'), [there('trap.cjs')]),
  'trap: in a process that keeps links': () => inProcess(here('requires.cjs'), [here('link.cjs')], { execArgv: ['--preserve-symlinks'] })
}
const main = async () => {
  const got = {}
  await Promise.all(Object.keys(tries).map(async (name) => {
    try { got[name] = String(await tries[name]()) } catch (error) { got[name] = error.code || String(error) }
  }))
  console.log(JSON.stringify(got))
}
main()
-- check out é%20#2/trap.cjs --
module.exports = 'own'
-- check out é%20#/trap.cjs --
module.exports = 'loaded'
-- check out é%20#/alone.js --
module.exports = 'loaded'
-- check out é%20#/..x/trap.cjs --
module.exports = 'loaded'
-- check out é%20#/trap.mjs --
export default 'loaded'
-- check out é%20#/trap.node --
-- check out é%20#/trap.bin --
-- check out é%20#/data.json --
"data"
-- check out é%20#/says.cjs --
if (process.send) process.send('loaded'); else require('node:worker_threads').parentPort.postMessage('loaded')
-- check out é%20#/node_modules/plugin/index.js --
module.exports = 'loaded'
-- check out é%20#/.git/HEAD --
-- check out é%20#/package/a.x --
`

// Node.js loads no module that lies in a checkout that is not trusted, whatever a server asks it for: as a file, as a package,
// by a link, in another thread or process. It loads what lies elsewhere, and data.
func TestNodeLoadsNothingOfACheckout(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		lsptest.Skip(t, "Node.js is not installed")
	}
	lsptest.NeedLinks(t)
	dir := lsptest.Workspace(t, guardedServer)
	checkout := filepath.Join(dir, "check out é%20#")
	symlink(t, filepath.Join(checkout, "trap.cjs"), filepath.Join(dir, "server", "link.cjs"))
	symlink(t, filepath.Join(checkout, "node_modules", "plugin"), filepath.Join(dir, "server", "node_modules", "linked"))
	run := func(args []string, trusted bool) (out, said string, err error) {
		t.Helper()
		environ := append(slices.Clone(os.Environ()), "NODE_OPTIONS=--no-warnings")
		f := open(t, "", Options{Root: filepath.Join(checkout, "package"), Trusted: trusted, StateFolder: filepath.Join(dir, `a "state`), Environ: environ})
		guarded, err := f.guarded(nil)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(node, args...)
		var stdout, stderr strings.Builder
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = checkout, slices.Concat(f.env, guarded), &stdout, &stderr
		err = cmd.Run()
		return stdout.String(), stderr.String(), err
	}
	for _, trusted := range []bool{false, true} {
		out, said, err := run([]string{filepath.Join(dir, "server", "main.cjs"), checkout}, trusted)
		got := make(map[string]string)
		if failed := json.Unmarshal([]byte(out), &got); err != nil || failed != nil || said != "" {
			t.Fatalf("%v, %v: %s%s", err, failed, out, said)
		}
		want := make(map[string]string)
		for name := range got {
			kind, way, _ := strings.Cut(name, ": ")
			switch {
			case name == "own: data":
				want[name] = "own data"
			case name == "own: a package":
				want[name] = "plugin"
			case kind == "own", kind == "data":
				want[name] = kind
			case strings.HasPrefix(way, "a binary"):
				want[name] = map[bool]string{true: "ERR_DLOPEN_FAILED", false: refusedWith(way)}[trusted]
			case trusted && way == "where a package is":
				want[name] = filepath.Join(checkout, "node_modules", "plugin", "index.js")
			case trusted:
				want[name] = "loaded"
			default:
				want[name] = refusedWith(way)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(got) < 30 {
			t.Errorf("trusted %t: %d tries (-want +got):\n%s", trusted, len(got), diff)
		}
	}
	for _, program := range []string{"says.cjs", "trap.mjs"} {
		_, said, err := run([]string{filepath.Join(checkout, program)}, false)
		if want := fmt.Sprintf("%s lies in a checkout that is not trusted", filepath.Join(checkout, program)); err == nil || !strings.Contains(said, want) {
			t.Errorf("%s as a program: %v\n%s", program, err, said)
		}
	}
}

// refusedWith is what a refused try ends with.
func refusedWith(way string) string {
	switch {
	case way == "a binary of another name":
		return "ERR_DLOPEN_FAILED"
	case way == "a process":
		return "nothing"
	case way == "import", way == "import with a query", way == "import from data", way == "import of another kind", way == "import by a link":
		return "ERR_MODULE_NOT_FOUND"
	}
	return "MODULE_NOT_FOUND"
}
