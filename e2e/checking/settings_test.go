package checking

import (
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/enginetest"
)

// A comment in a file that sets up a project, or what this asks for, makes nothing unknown, nor the errors that were committed new; what changes beside it is judged
// as ever.
func TestSettingsThatSayTheSame(t *testing.T) {
	const (
		goFiles = "-- go.mod --\nmodule m\n\ngo 1.24\n-- p/a.go --\npackage p\n\nfunc F(a int) int { return a }\n" +
			"-- q/b.go --\npackage q\n\nimport \"m/p\"\n\nvar X = p.F(1)\n\nvar Old int = \"committed\"\n"
		tsFiles = "-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"types\": []}}\n-- a.ts --\nexport function f(a: number) { return a }\n" +
			"-- b.ts --\nimport { f } from \"./a\";\nf(1);\nexport const old: number = \"committed\";\n"
		pyFiles = "-- pyproject.toml --\n[tool.pyright]\nstrict = []\n-- a.py --\ndef f(a: int) -> int:\n    return a\n" +
			"-- b.py --\nfrom a import f\n\nf(1)\nold: int = \"committed\"\n"
		rustFiles = "-- .gitignore --\ntarget\nCargo.lock\n-- Cargo.toml --\n[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n" +
			"-- src/lib.rs --\n#![no_std]\npub mod b;\npub mod c;\npub fn f(a: i32) -> i32 { a }\n" +
			"-- src/b.rs --\npub fn g(n: i32) -> i32 { crate::f(n) }\n-- src/c.rs --\npub fn h() -> i32 { \"committed\" }\n"
	)
	for name, c := range map[string]struct {
		server, files string
		settings      string
		text          string // in which the comment is
		changed, to   string
		want          string // the beginning of what that breaks
		user          string
	}{
		"Go": {
			"gopls", goFiles, "go.mod", "// m is a module.\nmodule m\n\ngo 1.24\n",
			"p/a.go", "package p\n\nfunc F(a string) int { return len(a) }\n", "q/b.go: cannot use 1 (untyped int constant) as string value in argument to p.F", "q/b.go",
		},
		"TypeScript": {
			"typescript-language-server", tsFiles, "tsconfig.json", "{\n  // strict as it gets\n  \"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"types\": []}\n}\n",
			"a.ts", "export function f(a: string) { return a }\n", "b.ts: Argument of type 'number' is not assignable to parameter of type 'string'.", "b.ts",
		},
		"Python": {
			"pyright", pyFiles, "pyproject.toml", "# settings\n[tool.pyright]\nstrict = []\n",
			"a.py", "def f(a: str) -> str:\n    return a\n", "b.py: Argument of type", "b.py",
		},
		"a dependency of Python": {
			"pyright", pyFiles, "pyproject.toml", "[project]\nname = \"p\"\nversion = \"1\"\ndependencies = [\"requests\"]\n\n[tool.pyright]\nstrict = []\n\n[tool.black]\n",
			"a.py", "def f(a: str) -> str:\n    return a\n", "b.py: Argument of type", "b.py",
		},
		"Rust": {
			"rust-analyzer", rustFiles, "Cargo.toml", "# p is a crate.\n[package]\nname = \"p\"\nversion = \"0.2.0\"\nedition = \"2021\"\n",
			"src/lib.rs", "#![no_std]\npub mod b;\npub mod c;\npub fn f(a: u8) -> u8 { a }\n", "src/b.rs: mismatched types", "src/b.rs",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := enginetest.OpenReal(t, c.files, c.server)
			s.Git("init", "-q")
			s.Git("add", "-A")
			s.Git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old")
			expectNew(t, s, map[string]string{c.settings: c.text}, nil, c.user)
			expectNew(t, s, map[string]string{c.settings: c.text, c.changed: c.to}, []string{c.want}, c.user)
		})
	}
}

// Settings change together with a file that they decide about: what is wrong with it by the new ones is never called older, because nobody
// knows what was wrong with its former text by the old ones.
func TestSettingsThatChangeWithWhatTheyDecide(t *testing.T) {
	const loose = "{\"compilerOptions\": {\"strict\": false, \"noEmit\": true, \"types\": []}}\n"
	strict := strings.ReplaceAll(loose, "false", "true")
	for name, c := range map[string]struct {
		server, files  string
		settings, said string
		file, text     string
		want           string
	}{
		"tsconfig.json":   {"typescript", "-- tsconfig.json --\n" + loose, "tsconfig.json", strict, "a.ts", "export function f(a) { return a }\n", "a.ts: Parameter 'a' implicitly has an 'any' type."},
		"what it extends": {"typescript-language-server", "-- tsconfig.json --\n{\"extends\": \"./common.json\"}\n-- common.json --\n" + loose, "common.json", strict, "a.ts", "export function f(a) { return a }\n", "a.ts: Parameter 'a' implicitly has an 'any' type."},
		"pyproject.toml":  {"pyright", "-- pyproject.toml --\n[tool.pyright]\ntypeCheckingMode = \"basic\"\n", "pyproject.toml", "[tool.pyright]\ntypeCheckingMode = \"strict\"\n", "a.py", "def f(a):\n    return a\n", "a.py: "},
		"go.mod":          {"gopls", "-- go.mod --\nmodule m\n\ngo 1.22\n", "go.mod", "module m\n\ngo 1.20\n", "a.go", "package m\n\nfunc f() {\n\tfor range 3 {\n\t}\n}\n", "a.go: cannot range over 3"},
	} {
		t.Run(name, func(t *testing.T) {
			s := enginetest.OpenReal(t, c.files+"-- "+c.file+" --\n"+c.text, c.server)
			s.Git("init", "-q")
			s.Git("add", "-A")
			s.Git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old")
			s.Write(c.settings, c.said)
			s.Write(c.file, c.text+"\n")
			for _, about := range [][]string{{c.file}, nil, {"."}} {
				found := newIn(t, s, about, nil)
				if len(found) == 0 || !strings.HasPrefix(found[0], c.want) {
					t.Errorf("about %q, new: %q", about, found)
				}
			}
		})
	}
}
