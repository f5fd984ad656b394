// Package untrusted shows that nothing of a checkout runs that is not trusted: each checkout here has whatever could run
// write a mark.
package untrusted

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/lspine/lspine/internal/cli"
	"github.com/lspine/lspine/internal/lsptest"
)

func TestMain(m *testing.M) {
	lsptest.NoDaemon()
	testscript.Main(m, map[string]func(){
		"lspine": func() { os.Exit(cli.Main(os.Args)) },
	})
}

// A checkout of somebody who wants code to run. In its files MARK stands for a command of a shell that writes a mark, NODE for a
// statement of JavaScript that does, and RUST for an expression of Rust.
type checkout struct {
	name    string
	servers []string
	archive string
	// file is the one that is asked about, programs are scripts.
	file     string
	programs []string
	// says is in what a check says before it is trusted; "" where it runs nothing anyway, and the answer is whole.
	says string
	// marks are those that a trusted checkout leaves after a check, which shows that the traps work.
	marks []string
}

var checkouts = []checkout{
	{
		name: "rust", servers: []string{"rust-analyzer"}, file: "src/lib.rs",
		programs: []string{"wrapper.sh", "rustc.sh", "linker.sh", "password.sh"},
		says:     "without cargo check, build scripts and procedural macros, as this checkout is not trusted",
		marks:    []string{"rustc", "wrapper", "linker"},
		archive: `
-- Cargo.toml --
[package]
name = "shop"
version = "0.1.0"
edition = "2021"
build = "build.rs"

[dependencies]
macros = { path = "macros" }
-- build.rs --
fn main() { RUST(build); }
-- src/lib.rs --
macros::run!();
pub fn price() -> u32 { 1 }
-- macros/Cargo.toml --
[package]
name = "macros"
version = "0.1.0"
edition = "2021"

[lib]
proc-macro = true
-- macros/src/lib.rs --
use proc_macro::TokenStream;
#[proc_macro]
pub fn run(_: TokenStream) -> TokenStream { RUST(macro); TokenStream::new() }
-- .cargo/config.toml --
[build]
rustc-wrapper = "./wrapper.sh"
rustc = "./rustc.sh"
rustflags = ["-Clinker=./linker.sh"]

[registries.own]
index = "sparse+http://127.0.0.1:1/"
credential-provider = ["./password.sh"]
-- wrapper.sh --
MARK(wrapper)
exec "$@"
-- rustc.sh --
MARK(rustc)
exec rustc "$@"
-- linker.sh --
MARK(linker)
exec cc "$@"
-- password.sh --
MARK(password)
`,
	},
	{
		name: "eslint", servers: []string{"typescript-language-server", "eslint"}, file: "a.js",
		says:  "it runs the project's ESLint, its configuration and its plug-ins",
		marks: []string{"library"},
		archive: `
-- package.json --
{"name": "shop", "version": "1.0.0"}
-- eslint.config.js --
NODE(configuration)
module.exports = []
-- a.js --
export const price = 1
-- node_modules/eslint/package.json --
{"name": "eslint", "version": "9.0.0", "main": "index.js"}
-- node_modules/eslint/index.js --
NODE(library)
`,
	},
	{
		name: "typescript", servers: []string{"typescript-language-server"}, file: "a.ts", marks: []string{"library"},
		archive: `
-- package.json --
{"name": "shop", "version": "1.0.0", "devDependencies": {"typescript": "5.9.3"}}
-- tsconfig.json --
{"compilerOptions": {"plugins": [{"name": "plugin"}], "noEmit": true}, "include": ["*.ts"]}
-- a.ts --
export const price = 1
-- node_modules/plugin/package.json --
{"name": "plugin", "version": "1.0.0", "main": "index.js"}
-- node_modules/plugin/index.js --
NODE(plugin)
module.exports = () => ({ create: (info) => info.languageService })
-- node_modules/typescript/package.json --
{"name": "typescript", "version": "5.9.3", "main": "lib/typescript.js"}
-- node_modules/typescript/lib/typescript.js --
NODE(typescript)
-- node_modules/typescript/lib/tsserver.js --
NODE(library)
`,
	},
	{
		name: "python", servers: []string{"pyright"}, file: "a.py", programs: []string{".venv/bin/python"}, marks: []string{"interpreter"},
		archive: `
-- pyproject.toml --
[project]
name = "shop"
version = "1.0.0"
-- setup.py --
raise SystemExit
-- json.py --
import subprocess
subprocess.run(["sh", "-c", """MARK(module)"""])
-- a.py --
price: int = 1
-- .venv/pyvenv.cfg --
home = /usr/bin
-- .venv/bin/python --
MARK(interpreter)
exec python3 "$@"
-- .venv/lib/python3.11/site-packages/sitecustomize.py --
import subprocess
subprocess.run(["sh", "-c", """MARK(customize)"""])
`,
	},
	{
		name: "gradle", servers: []string{"jdtls"}, file: "src/main/java/shop/Price.java", programs: []string{"gradlew"},
		says: "without the projects of Maven and Gradle, as this checkout is not trusted",
		archive: `
-- settings.gradle --
["sh", "-c", '''MARK(settings)'''].execute().waitFor()
-- build.gradle --
["sh", "-c", '''MARK(build)'''].execute().waitFor()
plugins { id 'java' }
-- gradlew --
MARK(wrapper)
-- gradle/wrapper/gradle-wrapper.properties --
distributionUrl=http\://127.0.0.1:1/gradle-9.0.0-bin.zip
-- src/main/java/shop/Price.java --
package shop;

class Price {
    int value = 1;
}
`,
	},
	{
		name: "maven", servers: []string{"jdtls"}, file: "src/main/java/shop/Price.java", programs: []string{"mvnw"},
		says: "without the projects of Maven and Gradle, as this checkout is not trusted",
		archive: `
-- pom.xml --
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>shop</groupId>
  <artifactId>shop</artifactId>
  <version>1</version>
</project>
-- mvnw --
MARK(wrapper)
-- src/main/java/shop/Price.java --
package shop;

class Price {
    int value = 1;
}
`,
	},
	{
		name: "go", servers: []string{"gopls"}, file: "a.go", programs: []string{"node_modules/.bin/gopls", "node_modules/.bin/go", "node_modules/.bin/git"},
		archive: `
-- go.mod --
module shop

go 1.24
-- a.go --
//go:generate sh -c "MARK(generate)"
package shop

const Price = 1
-- node_modules/.bin/gopls --
MARK(gopls)
-- node_modules/.bin/go --
MARK(go)
-- node_modules/.bin/git --
MARK(git)
`,
	},
	{
		name: "c", servers: []string{"clangd"}, file: "a.c", programs: []string{"cc.sh"},
		says: "what keeps it from that could be undone by compile_commands.json",
		archive: `
-- .clangd --
CompileFlags:
  Compiler: ./cc.sh
-- compile_commands.json --
[{"directory": ".", "file": "a.c", "command": "./cc.sh -fplugin=./plugin.so -Xclang -load -Xclang ./plugin.so -c a.c"}]
-- cc.sh --
MARK(compiler)
exec cc "$@"
-- a.c --
int price = 1;
`,
	},
	{
		name: "c with a configuration that writes", servers: []string{"clangd"}, file: "a.c", marks: []string{"log"},
		says: "without .clangd, as this checkout is not trusted",
		archive: `
-- .clangd --
CompileFlags:
  Add: [-Xclang, -diagnostic-log-file, -Xclang, FILE(log)]
-- a.c --
#error a line of the checkout
`,
	},
	{
		name: "svelte", servers: []string{"svelte"}, file: "A.svelte",
		says:  "without svelte.config.js and its preprocessors, as this checkout is not trusted",
		marks: []string{"configuration"},
		archive: `
-- package.json --
{"name": "shop", "version": "1.0.0"}
-- svelte.config.js --
NODE(configuration)
module.exports = {}
-- A.svelte --
<script>
  export let price = 1
</script>
<p>{price}</p>
`,
	},
	{
		name: "vue", servers: []string{"vue"}, file: "A.vue",
		says: "it runs the project's TypeScript, and plug-ins of vueCompilerOptions in tsconfig.json",
		archive: `
-- package.json --
{"name": "shop", "version": "1.0.0"}
-- tsconfig.json --
{"compilerOptions": {"noEmit": true}, "include": ["*.vue"], "vueCompilerOptions": {"plugins": ["./plugin.js"]}}
-- plugin.js --
NODE(plugin)
module.exports = () => ({ version: 2.2 })
-- A.vue --
<script setup lang="ts">
const price: number = 1
</script>
<template>{{ price }}</template>
`,
	},
	{
		name: "stylelint", servers: []string{"stylelint"}, file: "a.css", marks: []string{"configuration"},
		says: "it runs the project's Stylelint, its configuration and its plug-ins",
		archive: `
-- package.json --
{"name": "shop", "version": "1.0.0"}
-- stylelint.config.js --
NODE(configuration)
module.exports = { rules: {} }
-- a.css --
a { color: red }
`,
	},
	{
		name: "tailwind", servers: []string{"tailwindcss"}, file: "a.css", marks: []string{"configuration"},
		says: "it runs tailwind.config.js and the project's Tailwind CSS",
		archive: `
-- package.json --
{"name": "shop", "version": "1.0.0"}
-- tailwind.config.js --
NODE(configuration)
module.exports = { content: ["*.html"] }
-- a.css --
@tailwind base;
`,
	},
}

// A visitor works in the checkout of somebody else, and trusts nobody so far.
type visitor struct {
	t       *testing.T
	root    string
	marks   string
	environ []string
}

func visit(t *testing.T, c *checkout) *visitor {
	t.Helper()
	lsptest.NeedShell(t)
	for _, id := range c.servers {
		lsptest.Require(t, id)
	}
	v := &visitor{t: t, marks: t.TempDir()}
	text := c.archive
	for _, form := range []struct{ before, as, after string }{
		{"MARK(", "touch " + v.marks + "/", ""},
		{"NODE(", `require("fs").writeFileSync("` + v.marks + `/`, `", "x")`},
		{"FILE(", v.marks + "/", ""},
		{"RUST(", `std::fs::write("` + v.marks + `/`, `", "x").unwrap()`},
	} {
		for {
			before, rest, found := strings.Cut(text, form.before)
			if !found {
				break
			}
			name, after, _ := strings.Cut(rest, ")")
			text = before + form.as + name + form.after + after
		}
	}
	v.root = lsptest.Workspace(t, text)
	for _, program := range c.programs {
		path := filepath.Join(v.root, filepath.FromSlash(program))
		script, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append([]byte("#!/bin/sh\n"), script...), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	lsptest.Git(t, v.root, "init", "-q")
	lsptest.Git(t, v.root, "add", "-A", "-f")
	lsptest.Git(t, v.root, "commit", "-qm", "base")
	own := t.TempDir()
	run := filepath.Join(own, "run")
	if err := os.Mkdir(run, 0o700); err != nil {
		t.Fatal(err)
	}
	v.environ = append(os.Environ(),
		"XDG_CONFIG_HOME="+own, "XDG_CACHE_HOME="+filepath.Join(own, "cache"), "XDG_STATE_HOME="+own, "LSPINE_TRUST=", "LSPINE_TRUSTED_ROOTS=",
		"LSPINE_DAEMON=auto", "XDG_RUNTIME_DIR="+run,
		"PATH="+filepath.Join(v.root, "node_modules", ".bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Cleanup(func() { v.run("", "daemon", "stop", "--all") })
	return v
}

// run runs a command as a person with a folder of the checkout first on PATH, and returns all that it prints.
func (v *visitor) run(stdin string, args ...string) string {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(v.t.Context()), 5*time.Minute)
	defer cancel()
	program, err := exec.LookPath("lspine")
	if err != nil {
		v.t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = v.root, v.environ, strings.NewReader(stdin)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		v.t.Fatal(args, err)
	}
	return out.String()
}

// left returns the marks that are there, in the order of their names.
func (v *visitor) left() (marks []string) {
	v.t.Helper()
	entries, err := os.ReadDir(v.marks)
	if err != nil {
		v.t.Fatal(err)
	}
	for _, e := range entries {
		marks = append(marks, e.Name())
	}
	return marks
}

// TestNothingRuns asks all that an agent and a person ask in a checkout that nobody trusts: no trap goes off, and the check says
// what it lacks. After lspine trust, the traps go off, and the check says nothing of the kind.
func TestNothingRuns(t *testing.T) {
	if runtime.GOOS == "windows" {
		lsptest.Skip(t, "the traps are scripts of a shell")
	}
	for _, c := range slices.Concat(checkouts, undone) {
		t.Run(c.name, func(t *testing.T) {
			v := visit(t, &c)
			call := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"check","arguments":{"files":["` + c.file + `"]}}}
`
			patch := "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+x\n"
			first := v.run("", "check", c.file)
			if !strings.Contains(first, c.says) || c.says == "" && strings.Contains(first, "trusted") {
				t.Errorf("check says\n%s\nwant %q", first, c.says)
			}
			for _, args := range [][]string{
				{"check", "."},
				{"symbols", c.file},
				{"hook", "--host", "text", c.file},
				{"doctor"},
				{"status"},
				{"format", c.file, "--dry-run"},
				{"context", c.file},
				{"install", "--dry-run", "gopls"},
				{"init", "--agent", "codex", "--scope", "project", "--dry-run"},
				{"servers"},
			} {
				v.run("", args...)
				if diff := cmp.Diff([]string(nil), v.left()); diff != "" {
					t.Fatalf("lspine %s ran something of the checkout:\n%s", strings.Join(args, " "), diff)
				}
			}
			v.run(call, "mcp")
			v.run(patch, "simulate", "-")
			if diff := cmp.Diff([]string(nil), v.left()); diff != "" {
				t.Fatalf("mcp or simulate ran something of the checkout:\n%s", diff)
			}
			if len(c.marks) == 0 {
				return
			}
			v.run("", "trust", "--yes")
			if again := v.run("", "check", c.file); strings.Contains(again, "not trusted") {
				t.Errorf("trusted, check says\n%s", again)
			}
			left := v.left()
			for _, mark := range c.marks {
				if !strings.Contains(" "+strings.Join(left, " ")+" ", " "+mark+" ") {
					t.Errorf("trusted, the trap %s does not go off: %v", mark, left)
				}
			}
			for _, mark := range left {
				if err := os.Remove(filepath.Join(v.marks, mark)); err != nil {
					t.Fatal(err)
				}
			}
			v.run("", "--untrusted", "check", c.file)
			if diff := cmp.Diff([]string(nil), v.left()); diff != "" {
				t.Errorf("--untrusted ran something of the checkout:\n%s", diff)
			}
		})
	}
}
