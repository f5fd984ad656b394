package checking

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/result"
)

// A part of a project in one language: a file that is changed, and one whose use of it the change breaks.
type mixedPart struct {
	server           string
	file, was, is    string
	user, uses, says string
	more             string // other files, as an archive
}

var mixedParts = map[string]mixedPart{
	"Go": {
		"gopls", "go/a.go", "package p\n\nfunc F(a int) int { return a }\n", "package p\n\nfunc F(a string) int { return len(a) }\n",
		"go/b.go", "package p\n\nvar X = F(1)\n", "cannot use 1", "-- go/go.mod --\nmodule example.com/p\n\ngo 1.24\n",
	},
	"TypeScript": {
		"typescript-language-server", "web/a.ts", "export function f(a: number) { return a }\n", "export function f(a: string) { return a }\n",
		"web/b.ts", "import { f } from \"./a\"\n\nf(1)\n", "Argument of type 'number'", "-- web/tsconfig.json --\n{\"compilerOptions\": {\"strict\": true}}\n",
	},
	"Python": {
		"pyright", "py/a.py", "def f(a: int) -> int:\n    return a\n", "def f(a: str) -> str:\n    return a\n",
		"py/b.py", "from a import f\n\nf(1)\n", "Argument of type \"Literal[1]\"", "",
	},
	"Rust": {
		"rust-analyzer", "rust/src/lib.rs", "#![no_std]\npub mod b;\npub fn f(a: i32) -> i32 { a }\n", "#![no_std]\npub mod b;\npub fn f(a: u8) -> u8 { a }\n",
		"rust/src/b.rs", "pub fn g(n: i32) -> i32 { crate::f(n) }\n", "mismatched types", "-- rust/Cargo.toml --\n[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
	},
	"Java": {
		"jdtls", "java/src/A.java", "class A {\n  static int f(int a) { return a; }\n}\n", "class A {\n  static int f(String a) { return a.length(); }\n}\n",
		"java/src/B.java", "class B {\n  int x = A.f(1);\n}\n", "The method f(String)", "",
	},
	"C++": {
		"clangd", "cpp/a.h", "#pragma once\nint f(int a);\n", "#pragma once\nint f(const char *a);\n",
		"cpp/b.cpp", "#include \"a.h\"\n\nint x = f(1);\n", "No matching function", "",
	},
}

// A change that touches several languages is judged as in each of them alone: what a server says does not depend on the files that
// only others read. It was "not known" what had been wrong before, in every repository in which files of two languages had changed.
func TestChangesInSeveralLanguages(t *testing.T) {
	for name, languages := range map[string][]string{
		"a web application": {"TypeScript", "Python"},
		"services":          {"Go", "TypeScript", "Java"},
		"bindings":          {"Rust", "Python", "TypeScript"},
		"native":            {"C++", "TypeScript"},
	} {
		t.Run(name, func(t *testing.T) {
			archive := "-- .gitignore --\ntarget\nbin\n-- README.md --\nold\n"
			var servers []string
			for _, l := range languages {
				p := mixedParts[l]
				servers = append(servers, p.server)
				archive += p.more + "-- " + p.file + " --\n" + p.was + "-- " + p.user + " --\n" + p.uses
			}
			s := enginetest.OpenReal(t, archive, servers...)
			s.Git("init", "-q")
			s.Git("add", "-A")
			s.Git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old")
			s.Write("README.md", "new\n")
			all := map[string][]string{"": {result.NewErrors}}
			for _, l := range languages {
				p := mixedParts[l]
				s.Write(p.file, p.is)
				all[p.user] = []string{p.says}
			}
			check := func(files ...string) map[string][]string {
				t.Helper()
				answer, err := api.Check.Do(t.Context(), s.Engine, api.CheckRequest{Files: files, Baseline: api.BaselineHead, TimeoutMS: 240_000})
				if err != nil {
					t.Fatal(err)
				}
				found := map[string][]string{"": append([]string{answer.Verdict}, answer.Unknown...)}
				for _, f := range slices.Concat(answer.Files, answer.Others) {
					for _, d := range f.Diagnostics {
						says := d.Message
						if want := mixedParts[languageOfFolder(f.Path)].says; strings.HasPrefix(says, want) {
							says = want
						}
						if !d.New {
							says += " (older)"
						}
						if !slices.Contains(found[f.Path], says) { // rust-analyzer and cargo say the same
							found[f.Path] = append(found[f.Path], says)
						}
					}
				}
				return found
			}
			for range 2 {
				if diff := cmp.Diff(all, check()); diff != "" {
					t.Errorf("all that changed (-want +got):\n%s", diff)
				}
			}
			for _, l := range languages {
				p := mixedParts[l]
				if diff := cmp.Diff(map[string][]string{"": {result.NewErrors}, p.user: {p.says}}, check(p.file)); diff != "" {
					t.Errorf("%s alone (-want +got):\n%s", p.file, diff)
				}
			}
		})
	}
}

// languageOfFolder returns the part that has the folder of a file.
func languageOfFolder(file string) string {
	folder, _, _ := strings.Cut(file, "/")
	for name, p := range mixedParts {
		if first, _, _ := strings.Cut(path.Clean(p.file), "/"); first == folder {
			return name
		}
	}
	return ""
}
