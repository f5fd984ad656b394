package checking

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/result"
)

// Files of two languages change together. That one may read the other in some project, by cgo, by a build script, in a template, makes
// nothing unknown in a project in which it does not.
func TestChangesBesideLanguagesThatMayBeRead(t *testing.T) {
	const (
		goWas = "-- go.mod --\nmodule m\n\ngo 1.24\n-- p/a.go --\npackage p\n\nfunc F(a int) int { return a }\n" +
			"-- q/b.go --\npackage q\n\nimport \"m/p\"\n\nvar X = p.F(1)\n\nvar Old int = \"committed\"\n"
		goIs   = "package p\n\nfunc F(a string) int { return len(a) }\n"
		header = "#pragma once\nint f(int a);\n"
		cppWas = "-- cpp/a.h --\n" + header + "-- cpp/b.cpp --\n#include \"a.h\"\n\nint x = f(1);\n"
		cppIs  = "#pragma once\nint f(const char *a);\n"
		newCPP = "cpp/b.cpp: No matching function for call to 'f'"
		newGo  = "q/b.go: cannot use 1 (untyped int constant) as string value in argument to p.F"
		oldGo  = "1 not new"
		cgo    = "-- native/c.go --\npackage native\n\n// #include \"c.h\"\nimport \"C\"\n\nfunc G() int { return int(C.g(1)) }\n\nvar Old int = \"committed\"\n" +
			"-- native/c.h --\n#include \"inner/deep.h\"\n-- native/inner/deep.h --\nstatic int g(int a) { return a; }\n-- user/u.go --\npackage user\n\nimport \"m/native\"\n\nvar U string = native.G()\n"
		embeds = "-- page/page.go --\npackage page\n\nimport \"embed\"\n\n//go:embed style.css\nvar style string\n\n//go:embed all/*.css\nvar all embed.FS\n\nvar Old int = \"committed\"\n" +
			"-- page/style.css --\na {}\n-- page/all/a.css --\na {}\n-- page/all/b.css --\nb {}\n"
		webWas = "-- web/tsconfig.json --\n{\"compilerOptions\": {\"strict\": true}}\n-- web/a.ts --\nexport function f(a: number) { return a }\n" +
			"-- web/b.ts --\nimport { f } from \"./a\"\n\nf(1)\nexport const z: number = \"committed\"\n-- web/index.html --\n<p>a</p>\n-- web/style.css --\na { color: red }\n"
		webIs    = "export function f(a: string) { return a }\n"
		newTS    = "web/b.ts: Argument of type 'number' is not assignable to parameter of type 'string'."
		rust     = "-- .gitignore --\ntarget\nCargo.lock\n-- Cargo.toml --\n[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n-- src/lib.rs --\n#![no_std]\npub mod b;\npub mod c;\npub fn f(a: i32) -> i32 { a }\n"
		rustUser = "-- src/b.rs --\npub fn g(n: i32) -> i32 { crate::f(n) }\n-- src/c.rs --\npub fn front(page: u8) -> i32 { page }\n"
		doubtful = "whether the errors of other files are new, as it is not known what was wrong in them before: "
		rustIs   = "#![no_std]\npub mod b;\npub mod c;\npub fn f(a: u8) -> u8 { a }\n"
	)
	for name, c := range map[string]struct {
		servers []string
		files   string
		changed map[string]string // "" removes a file
		want    []string
	}{
		"Go and C++": {[]string{"gopls", "clangd"}, goWas + cppWas, map[string]string{"p/a.go": goIs, "cpp/a.h": cppIs}, []string{newCPP, newGo, oldGo}},
		"a header is deleted": {
			[]string{"gopls", "clangd"},
			goWas + cppWas,
			map[string]string{"p/a.go": goIs, "cpp/a.h": ""},
			[]string{"cpp/b.cpp: 'a.h' file not found", "cpp/b.cpp: Use of undeclared identifier 'f'", newGo, oldGo},
		},
		"no Go package reads the C": {[]string{"gopls", "clangd"}, goWas + cppWas + cgo, map[string]string{"p/a.go": goIs, "cpp/a.h": cppIs}, []string{newCPP, newGo, "3 not new"}},
		"C that a Go package reads": {
			[]string{"gopls", "clangd"},
			goWas + cgo,
			map[string]string{"p/a.go": goIs, "native/inner/deep.h": "static int g(const char *a) { return *a; }\n"},
			[]string{
				"native/c.go: cannot use \"committed\" (untyped string constant) as int value in variable declaration (nothing to compare with)",
				"native/c.go: cannot use 1 (untyped int constant) as *_Ctype_char value in argument to C.g (nothing to compare with)",
				newGo,
			},
		},
		"C alone that a Go package reads": {
			[]string{"gopls", "clangd"},
			goWas + cgo,
			map[string]string{"native/inner/deep.h": "static int g(const char *a, int b) { return *a; }\n"},
			[]string{
				"native/c.go: cannot use \"committed\" (untyped string constant) as int value in variable declaration (nothing to compare with)",
				"native/c.go: not enough arguments in call to C.g (nothing to compare with)",
			},
		},
		"a file that Go embeds is deleted": {
			[]string{"gopls"}, goWas + embeds, map[string]string{"p/a.go": goIs, "page/style.css": ""}, []string{"page/page.go: pattern style.css: no matching files found", newGo, "2 not new"},
		},
		"one of the files that Go embeds is deleted": {
			[]string{"gopls"}, goWas + embeds, map[string]string{"p/a.go": goIs, "page/all/b.css": ""}, []string{newGo, "2 not new"},
		},
		"the last of the files that Go embeds is deleted": {
			[]string{"gopls"}, goWas + embeds, map[string]string{"p/a.go": goIs, "page/all/b.css": "", "page/all/a.css": ""}, []string{"page/page.go: pattern all/*.css: no matching files found", newGo, "2 not new"},
		},
		"a file that Go embeds is created": {
			[]string{"gopls"}, goWas + strings.ReplaceAll(embeds, "-- page/style.css --\na {}\n", ""), map[string]string{"p/a.go": goIs, "page/style.css": "a {}\n"}, []string{newGo, "2 not new"},
		},
		"scripts, styles and pages": {
			[]string{"typescript-language-server"},
			webWas,
			map[string]string{"web/a.ts": webIs, "web/index.html": "<p>b</p>\n", "web/style.css": "a { color: blue }\n"},
			[]string{newTS, "1 not new"},
		},
		"Rust and scripts": {
			[]string{"rust-analyzer", "typescript-language-server"},
			rust + rustUser + "-- web/page.js --\nexport function front() { return 1 }\n",
			map[string]string{"src/lib.rs": rustIs, "web/page.js": "export function front(page) { return page }\n"},
			[]string{"src/b.rs: mismatched types (nothing to compare with)", doubtful + "src/c.rs"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := enginetest.OpenReal(t, c.files, c.servers...)
			s.Git("init", "-q")
			s.Git("add", "-A")
			s.Git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old")
			for file, text := range c.changed {
				if text == "" {
					s.Remove(file)
				} else {
					s.Write(file, text)
				}
			}
			for range 2 {
				answer, err := api.Check.Do(t.Context(), s.Engine, api.CheckRequest{Baseline: api.BaselineHead, TimeoutMS: 240_000, CountOlder: true})
				if err != nil {
					t.Fatal(err)
				}
				found := foundIn(&answer)
				if strings.HasPrefix(name, "C ") { // of which other Go files nothing is known depends on when gopls says something of them
					found = slices.DeleteFunc(found, func(says string) bool { return !strings.Contains(says, ".go: ") || strings.HasPrefix(says, "whether") })
				}
				if diff := cmp.Diff(c.want, found); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
		})
	}
}

// foundIn returns what is new, how many older errors there are, and what is not known.
func foundIn(answer *result.Check) (found []string) {
	older := answer.OlderElsewhere
	for _, f := range slices.Concat(answer.Files, answer.Others) {
		for _, d := range f.Diagnostics {
			says, _, _ := strings.Cut(f.Path+": "+d.Message, "\n")
			if !d.New {
				older++
			} else if f.Baseline == string(diagnostics.None) {
				says += " (nothing to compare with)"
			}
			if d.New && !slices.Contains(found, says) { // rust-analyzer and cargo say the same
				found = append(found, says)
			}
		}
	}
	slices.Sort(found)
	if older > 0 {
		found = append(found, fmt.Sprint(older, " not new"))
	}
	return append(found, answer.Unknown...)
}
