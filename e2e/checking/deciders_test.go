package checking

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

// What breaks a file may be no source: the file by which its project is loaded, or one that it embeds. However the check is
// asked for, by the name of the file, for everything, or for what changed, the error is new, or it is said that this is
// not known; it is never an older one, because the text of the file itself is as it was.
func TestErrorsByFilesThatDecide(t *testing.T) {
	const crates = "-- Cargo.toml --\n[workspace]\nresolver = \"2\"\nmembers = [\"base\", \"app\"]\n-- .gitignore --\ntarget\nCargo.lock\n" +
		"-- base/Cargo.toml --\n[package]\nname = \"base\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[features]\ndefault = [\"std\"]\nstd = []\n-- base/src/lib.rs --\n#[cfg(not(feature = \"std\"))]\ncompile_error!(\"std needed\");\n\npub fn one() -> i32 {\n    1\n}\n" +
		"-- app/Cargo.toml --\n[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\nbase = { path = \"../base\" }\n-- app/src/main.rs --\nfn main() {\n    println!(\"{}\", base::one());\n}\n"
	const module = "-- go.mod --\nmodule m\n\ngo 1.23\n-- lib/lib.go --\npackage lib\n\nconst One = 1\n-- cmd/main.go --\npackage main\n\nimport (\n\t_ \"embed\"\n\n\t\"m/lib\"\n)\n\n//go:embed data.txt\nvar data string\n\nfunc main() {\n\tfor range lib.One {\n\t\tprintln(data)\n\t}\n}\n-- cmd/data.txt --\nhi\n"
	text := func(text string) *string { return &text }
	for _, c := range []struct {
		name, server, files string
		changed             string
		to                  *string // nil takes it away
		broken              string
	}{
		{"the language's version", "gopls", module, "go.mod", text("module m\n\ngo 1.21\n"), "cmd/main.go"},
		{"an embedded file", "gopls", module, "cmd/data.txt", nil, "cmd/main.go"},
		{"the module's name", "gopls", module, "go.mod", text("module n\n\ngo 1.23\n"), "cmd/main.go"},
		{"a feature", "rust-analyzer", crates, "base/Cargo.toml", text("[package]\nname = \"base\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[features]\ndefault = []\nstd = []\n"), "base/src/lib.rs"},
		{"a dependency", "rust-analyzer", crates, "app/Cargo.toml", text("[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"), "app/src/main.rs"},
	} {
		t.Run(c.server+", "+c.name, func(t *testing.T) {
			t.Parallel()
			s := enginetest.OpenReal(t, c.files, c.server)
			s.Git("init", "-q")
			s.Git("add", ".")
			s.Git("commit", "-qm", "one")
			if c.to == nil {
				s.Remove(c.changed)
			} else {
				s.Write(c.changed, *c.to)
			}
			for _, asked := range [][]string{{c.broken}, {"."}, nil, {c.broken}} {
				for _, counted := range []bool{true, false} {
					r := s.Check(api.CheckRequest{Files: asked, Baseline: api.BaselineHead, CountOlder: counted, TimeoutMS: 180_000, WaitLimitMS: 180_000})
					var news []string
					for _, f := range slices.Concat(r.Files, r.Others) {
						for _, d := range f.Diagnostics {
							if d.New && d.Severity == "error" && f.Path == c.broken {
								news = append(news, fmt.Sprint(d.Line))
							}
						}
					}
					says := "it is new"
					if len(news) == 0 {
						says = "it is not new"
						if r.Incomplete && len(r.Unknown) > 0 {
							says = "that is not known"
						}
					}
					want := "it is new"
					if c.name == "the language's version" {
						want = "that is not known" // gopls reads it from disk alone
					}
					if diff := cmp.Diff(want, says); diff != "" {
						t.Errorf("%v, counting older errors %t: %s, %v (-want +got):\n%s", asked, counted, r.Verdict, r.Unknown, diff)
					}
				}
			}
		})
	}
}

// A new program that no build includes, beside another one, is judged as what it is: until it existed there was neither.
func TestNewProgramBesideAnother(t *testing.T) {
	const program = "//go:build ignore\n\npackage main\n\nfunc main() {%s}\n"
	for _, committed := range []bool{true, false} {
		s := enginetest.OpenReal(t, "-- go.mod --\nmodule m\n\ngo 1.23\n-- tools/one.go --\n"+fmt.Sprintf(program, ""), "gopls")
		s.Git("init", "-q")
		if s.Git("add", "go.mod"); committed {
			s.Git("add", ".")
		}
		s.Git("commit", "-qm", "one")
		s.Write("tools/two.go", fmt.Sprintf(program, " var n int = \"t\"; _ = n "))
		for range 2 {
			r := s.Check(api.CheckRequest{Files: []string{"tools/two.go"}, Baseline: api.BaselineHead, TimeoutMS: 180_000, WaitLimitMS: 180_000})
			if r.Verdict != "new_errors" || len(r.Files[0].Diagnostics) != 1 {
				t.Errorf("the other one is committed %t: %s, %+v", committed, r.Verdict, r.Files)
			}
		}
	}
}
