package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// A setup is a workspace in which something is broken, and what the doctor must
// say of it.
type setup struct {
	name, archive string
	script        lsptest.Script
	// needs are real servers; alone leaves nothing in PATH but the folder bin of
	// the workspace.
	needs []string
	alone bool
	args  []string
	code  int
	// cause and next must be said, next as a command.
	cause, next []string
}

const toyFiles = "-- a.toy --\nfine\n"

// brief is how long servers that hang are waited for, ample what is suggested instead. A process may take
// seconds until it has started; but after 5 s without a word of a file, a server counts as done with it, and
// the doctor keeps an eighth of its time for the end.
const brief, ample = "5s", "20s"

var inNoCrate = setup{
	name: "a file in no crate", needs: []string{"rust-analyzer"}, args: []string{"src/orphan.rs"}, code: 1,
	archive: "-- Cargo.toml --\n[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n-- src/main.rs --\nfn main() {}\n-- src/orphan.rs --\nfn f() {}\n",
	cause:   []string{"src/orphan.rs: no answer: the file is in no crate"}, next: []string{"${EDITOR:-vi} ROOT/Cargo.toml"},
}

var brokenSetups = []setup{
	{
		name: "no binary", archive: "-- go.mod --\nmodule m\n-- main.go --\npackage main\n", alone: true, args: []string{"main.go"}, code: 1,
		cause: []string{"gopls not found in PATH", "looked in ROOT/bin"}, next: []string{"lspine install gopls"},
	},
	{
		name: "wrong version", alone: true, args: []string{"a.ts"}, code: 1,
		archive: "-- tsconfig.json --\n{}\n-- a.ts --\nexport {}\n-- bin/package.json --\n{\"name\": \"typescript\", \"version\": \"5.9.3\"}\n-- bin/tsc --\n#!/bin/sh\n-- bin/tsc.exe --\n",
		cause:   []string{"ROOT/bin/tsc is typescript 5.9.3, and version 7 or later is needed"}, next: []string{"lspine install typescript"},
	},
	{
		name: "no tsconfig.json", archive: "-- package.json --\n{}\n-- src/a.ts --\nexport const a: number = 1\n", needs: []string{"typescript"}, args: []string{"src/a.ts"},
		cause: []string{"no tsconfig.json or jsconfig.json in or above src", "are guessed", "src/a.ts: a complete answer"}, next: []string{"npx --package typescript tsc --init"},
	},
	{
		name: "no go.mod", archive: "-- cmd/main.go --\npackage main\n\nfunc main() {}\n", needs: []string{"gopls"}, args: []string{"cmd/main.go"}, code: 1,
		cause: []string{"no go.work or go.mod in or above cmd", "loads no package", "no server judges it"}, next: []string{"go mod init example.com/"},
	},
	{
		name: "a syntax error in the configuration", archive: toyFiles + "-- .lspine.jsonc --\n{\"lsp\": {\n\"maxRestarts\": 1,,\n}}\n", args: []string{"a.toy"}, code: 1,
		cause: []string{"ROOT/.lspine.jsonc:2:", "not JSON", "a.toy: a complete answer"}, next: []string{"${EDITOR:-vi} +2 ROOT/.lspine.jsonc"},
	},
	{
		name: "a server that exits at once", archive: toyFiles, args: []string{"a.toy"}, code: 1,
		script: lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Stderr("no licence\nfor today"), lsptest.Crash(3))}},
		cause:  []string{"initialize", "exited with code 3", "| no licence", "| for today"}, next: []string{"BINARY"},
	},
	{
		name: "a server that hangs in initialize", archive: toyFiles, args: []string{"a.toy", "--timeout", brief}, code: 1,
		script: lsptest.Script{IgnoreTerm: true, IgnoreEOF: true, Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Stderr("asking the net"), lsptest.Hang())}},
		cause:  []string{"initialize", "time-out: no answer to initialize within", "| asking the net"}, next: []string{"lspine doctor a.toy --timeout " + ample},
	},
	{
		name: "a server that answers nonsense", archive: toyFiles, args: []string{"a.toy"}, code: 1,
		script: lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Reply(`"hello"`))}},
		cause:  []string{"initialize", "its answer makes no sense: a string"}, next: []string{"${EDITOR:-vi} +2 CONFIG"},
	},
	{
		name: "an untrusted binary", archive: "-- a.mine --\n-- .lspine.jsonc --\n{\"lsp\": {\"servers\": {\n\"mine\": {\"command\": \"./evil\", \"extensions\": [\".mine\"]}}}}\n", args: []string{"a.mine"}, code: 1,
		cause: []string{"ROOT/.lspine.jsonc:2: mine is untrusted", `"./evil"`, `{"lsp": {"servers": {"mine": {"command": "./evil"}}}}`, "no server knows"}, next: []string{"lspine trust"},
	},
	{
		name: "an unsupported file", archive: "-- a.nobodyknows --\n", args: []string{"a.nobodyknows"}, code: 1,
		cause: []string{"no server knows this kind of file", `"extensions": [".nobodyknows"]`}, next: []string{"lspine servers"},
	},
	// And some more.
	{
		name: "a server that writes no LSP", archive: toyFiles, args: []string{"a.toy"}, code: 1,
		script: lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.ContentLength("many"))}},
		cause:  []string{"it does not speak LSP"}, next: []string{"${EDITOR:-vi} +2 CONFIG"},
	},
	{
		name: "a server that refuses", archive: toyFiles, args: []string{"a.toy"}, code: 1,
		script: lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.ReplyError(-32603, "no memory", ""))}},
		cause:  []string{"it refused: ", "no memory"}, next: []string{"BINARY"},
	},
	{
		name: "a server that never diagnoses", archive: toyFiles, args: []string{"--timeout", brief}, code: 1,
		script: lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/didOpen", lsptest.Hang())}},
		cause:  []string{"a.toy: time-out: no diagnostics"}, next: []string{"lspine doctor a.toy --timeout " + ample},
	},
	{
		name: "a server that dies of the file", archive: toyFiles, args: []string{"a.toy"}, code: 1,
		script: lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/didOpen", lsptest.Stderr("boom"), lsptest.Crash(5))}},
		cause:  []string{"a.toy: no answer: ", "exited with code 5", "| boom"}, next: []string{"BINARY"},
	},
	{
		name: "a disabled server", archive: toyFiles + "-- .lspine.jsonc --\n{\"lsp\": {\"servers\": {\n\"toy\": {\"enabled\": false}}}}\n", args: []string{"a.toy"}, code: 1,
		cause: []string{"disabled (ROOT/.lspine.jsonc:2)", "no server judges it"}, next: []string{"${EDITOR:-vi} +2 ROOT/.lspine.jsonc"},
	},
	{
		name: "all switched off", archive: toyFiles + "-- .lspine.jsonc --\n{\n\"lsp\": false}\n", code: 1,
		cause: []string{"LSP is switched off (ROOT/.lspine.jsonc:2)"}, next: []string{"${EDITOR:-vi} +2 ROOT/.lspine.jsonc"},
	},
	{
		name: "an ignored file", archive: toyFiles + "-- .lspine.jsonc --\n{\"lsp\": {\n\"ignore\": [\"*.toy\"]}}\n", args: []string{"a.toy"}, code: 1,
		cause: []string{"the ignore list names it"}, next: []string{"${EDITOR:-vi} +2 ROOT/.lspine.jsonc"},
	},
}

// Of every broken set-up the doctor says what is wrong and what to type next, ends
// though the server hangs, and leaves nothing running.
func TestDoctorOnBrokenSetups(t *testing.T) {
	before := len(lsptest.Descendants(t))
	t.Run("setup", func(t *testing.T) {
		for _, c := range brokenSetups {
			t.Run(c.name, func(t *testing.T) {
				if !c.alone { // which changes PATH
					t.Parallel()
				}
				c.diagnose(t)
			})
		}
	})
	if left := lsptest.Descendants(t); len(left) > before {
		t.Errorf("left behind: %v", left)
	}
}

// A file that belongs to no crate is told from one that is right. Its server takes long to load, so
// others are tested meanwhile.
func TestDoctorOfAFileInNoCrate(t *testing.T) {
	t.Parallel()
	inNoCrate.diagnose(t)
}

// diagnose calls the doctor and compares what it says.
func (c *setup) diagnose(t *testing.T) {
	t.Helper()
	for _, id := range c.needs {
		lsptest.Require(t, id)
	}
	s := newShop(t, c.archive, c.script)
	s.trusted()
	if c.alone {
		bin := filepath.Join(s.root, "bin")
		t.Setenv("PATH", bin)
		makeExecutable(t, bin)
	}
	got := s.run(append([]string{"doctor"}, c.args...)...)
	s.expect(c.name, got, c.code, got.stdout)
	for _, cause := range c.cause {
		if !strings.Contains(got.stdout, cause) {
			t.Errorf("does not say %q:\n%s", cause, got.stdout)
		}
	}
	self, _ := os.Executable()
	for _, next := range c.next {
		if fspath.Here.Drives {
			next = inEditor.ReplaceAllString(next, "notepad")
		}
		if want := "next: " + strings.ReplaceAll(next, "BINARY", self); !strings.Contains(got.stdout, want) {
			t.Errorf("does not say %q:\n%s", want, got.stdout)
		}
	}
}

func makeExecutable(t *testing.T, dir string) {
	t.Helper()
	entries, _ := os.ReadDir(dir) // there may be none
	for _, e := range entries {
		if err := os.Chmod(filepath.Join(dir, e.Name()), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// A healthy workspace is said to be so, with every step, and as JSON.
//
// Requirement: AGENT-7.
func TestDoctorOnHealthyWorkspace(t *testing.T) {
	t.Parallel()
	s := newShop(t, "-- a.toy --\nERROR bad\nERROR worse\n-- sub/b.toy --\nfine\n", lsptest.Script{})
	got := s.run("doctor")
	s.expect("healthy", got, 0, got.stdout)
	for _, want := range []string{
		"workspace ROOT: ok\nlanguages: toy\n\ntoy (2 files): ok\n", "binary ", "root           . (toy.root)", "start ", "initialize     it answers as ",
		"probe          sub/b.toy: a complete answer: nothing is wrong with it", "operations ",
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("does not say %q:\n%s", want, got.stdout)
		}
	}
	got = s.run("doctor", "a.toy", "--json")
	s.expect("as JSON", got, 0, got.stdout)
	var doctor result.Doctor
	decoder := json.NewDecoder(strings.NewReader(got.stdout))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&doctor); err != nil || decoder.More() {
		t.Fatalf("not one JSON value: %v\n%s", err, got.stdout)
	}
	if len(doctor.Servers) != 1 || doctor.Level != "ok" {
		t.Fatalf("%+v", doctor)
	}
	p := doctor.Servers[0]
	if p.ID != "toy" || p.Probe != "a.toy" || p.Freshness != "fresh" || p.Errors != 2 || p.Marker != "toy.root" || len(p.Operations) == 0 || len(p.Symptoms) < 6 {
		t.Errorf("%+v", p)
	}
}

// What the doctor cannot be asked ends with exit code 2, as everywhere.
func TestDoctorUsage(t *testing.T) {
	s := newShop(t, "-- main.toy --\n-- sub/b.toy --\n", lsptest.Script{})
	s.expect("a missing file", s.run("doctor", "mian.toy"), exitUsage, "", "mian.toy", "no such file", "did you mean")
	s.expect("a folder", s.run("doctor", "sub"), exitUsage, "", "sub is a folder", "name a file")
	s.expect("two files", s.run("doctor", "main.toy", "sub/b.toy"), exitUsage, "", "at most 1 arg")
	s.expect("outside", s.run("doctor", "../x.toy"), exitUsage, "", "outside the workspace", "--root")
	s.expect("no time", s.run("doctor", "--timeout", "-1s"), exitUsage, "", "--timeout", "30s")
}

// inEditor is how an editor is started in a POSIX shell.
var inEditor = regexp.MustCompile(`\$\{EDITOR:-vi\}(?: \+\d+)?`)
