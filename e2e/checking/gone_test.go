package checking

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/result"
)

// said is what a check says: its verdict, in which files something is new, and what is not known.
type said struct {
	Verdict      string
	New, Unknown []string
}

func saidBy(s *enginetest.Shop, answer *result.Check) said {
	is := said{Verdict: answer.Verdict}
	for _, f := range append(answer.Files, answer.Others...) {
		if enginetest.HasNew(f) {
			is.New = append(is.New, f.Path)
		}
	}
	for _, unknown := range answer.Unknown {
		is.Unknown = append(is.Unknown, strings.ReplaceAll(unknown, s.Root(), "ROOT"))
	}
	return is
}

// A file that sets up a project is gone. What that breaks is said, and where no server says it that is said, cold and in a process that judged the
// project before; it is never clean.
func TestSettingsThatAreGone(t *testing.T) {
	const (
		goFiles  = "-- p/a.go --\npackage p\n\nfunc F() int { return 1 }\n-- q/b.go --\npackage q\n\nimport \"m/p\"\n\nvar x = p.F()\n"
		scripts  = "-- src/a.ts --\nexport const a = 1;\n-- src/b.ts --\nimport { a } from \"./a\";\nexport const b: number = a;\n"
		strict   = "{\"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"types\": []}}\n"
		lost     = "what is wrong with tsconfig.json, which extends %s: that is gone, and servers judge files without it"
		noModule = "what deleting go.mod did to its project, of which no server judges p/a.go: gopls: no go.work or go.mod in or above the file's folder, up to the workspace root ROOT"
	)
	unknown := func(of string) said { return said{Verdict: "unknown", Unknown: []string{of}} }
	type gone struct {
		server, files, deleted string
		want                   said
	}
	all := map[string]gone{
		"go.mod": {"gopls", "-- go.mod --\nmodule m\n\ngo 1.24\n" + goFiles, "go.mod", unknown(noModule)},
		"go.mod of a module that is used": {
			"gopls", "-- go.mod --\nmodule m\n\ngo 1.24\n\nrequire n v0.0.0\n\nreplace n => ./n\n-- n/go.mod --\nmodule n\n\ngo 1.24\n-- n/n.go --\npackage n\n\nconst N = 1\n" +
				"-- q/b.go --\npackage q\n\nimport \"n\"\n\nvar x = n.N\n",
			"n/go.mod",
			said{Verdict: "new_errors", New: []string{"q/b.go"}},
		},
		"pyproject.toml that says nothing to the server": {
			"pyright", "-- pyproject.toml --\n[tool.black]\nline-length = 100\n-- a.py --\na: int = 1\n", "pyproject.toml", said{Verdict: "clean"},
		},
	}
	all["a base of pyright"] = gone{
		"pyright", "-- pyrightconfig.json --\n{\"extends\": \"base.json\"}\n-- base.json --\n{\"strict\": []}\n-- a.py --\na: int = 1\n", "base.json",
		unknown("what is wrong with pyrightconfig.json, which extends base.json: that is gone, and servers judge files without it"),
	}
	for _, server := range []string{"typescript", "typescript-language-server"} {
		base := func(name string) string {
			return "-- tsconfig.json --\n{\"extends\": \"" + name + "\", \"include\": [\"src\"]}\n" + scripts
		}
		all["a base, with "+server] = gone{server, base("./base.json") + "-- base.json --\n" + strict, "base.json", unknown(fmt.Sprintf(lost, "base.json"))}
		all["a base without its ending, with "+server] = gone{server, base("./cfg/base") + "-- cfg/base.json --\n" + strict, "cfg/base.json", unknown(fmt.Sprintf(lost, "cfg/base.json"))}
		all["a base of a package, with "+server] = gone{
			server, base("@x/cfg/base.json") + "-- cfg/package.json --\n{\"name\": \"@x/cfg\"}\n-- cfg/base.json --\n" + strict, "cfg/base.json", unknown(fmt.Sprintf(lost, "cfg/base.json")),
		}
		all["no base, with "+server] = gone{server, "-- tsconfig.json --\n" + strict + scripts + "-- base.json --\n" + strict, "base.json", said{Verdict: "clean"}}
	}
	for name, c := range all {
		t.Run(name, func(t *testing.T) {
			s := enginetest.OpenReal(t, c.files, c.server)
			s.Git("init", "-q")
			s.Git("add", "-A")
			s.Git("commit", "-qm", "one")
			look := func(way string, s *enginetest.Shop, names ...string) {
				answer := s.Check(api.CheckRequest{Files: names, Baseline: api.BaselineHead, TimeoutMS: 100_000})
				if diff := cmp.Diff(c.want, saidBy(s, &answer)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", way, diff)
				}
			}
			path := filepath.Join(s.Root(), filepath.FromSlash(c.deleted))
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			look("cold", s.Reopen(func(*enginetest.Options) {}))
			s.Git("checkout", "-q", ".")
			warm := s.Reopen(func(*enginetest.Options) {})
			if answer := warm.Check(api.CheckRequest{Files: []string{"."}, TimeoutMS: 100_000}); answer.Verdict != "clean" {
				t.Errorf("before: %s", answer.Verdict)
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			look("warm", warm)
			if c.want.Verdict != "clean" { // nobody judges that file
				look("by its name", warm, c.deleted)
			}
			s.Git("checkout", "-q", ".")
			if answer := warm.Check(api.CheckRequest{Files: []string{"."}, TimeoutMS: 100_000}); answer.Verdict != "clean" {
				t.Errorf("it is back: %s", answer.Verdict)
			}
		})
	}
}

// A fragment or a header is gone that a source includes, in a project of which the server is told no commands: that it is missing comes of the
// deletion, and not of that, in a process that judged the source before and in one that did not; also if the source changed as well, and if it is asked about alone.
func TestIncludedFilesThatAreGone(t *testing.T) {
	for _, name := range []string{"x.inc", "part/x.h"} {
		for _, also := range []string{"", "\nint more;\n"} {
			t.Run(name+" "+also, func(t *testing.T) {
				source := "#include \"" + name + "\"\n\nint table[] = {one, two};\n"
				s := enginetest.OpenReal(t, "-- a.cpp --\n"+source+"-- b.cpp --\nint b;\n-- "+name+" --\nenum {one, two};\n", "clangd")
				s.Git("init", "-q")
				s.Git("add", "-A")
				s.Git("commit", "-qm", "one")
				remove := func() {
					if err := os.Remove(filepath.Join(s.Root(), filepath.FromSlash(name))); err != nil {
						t.Fatal(err)
					}
					s.Write("a.cpp", source+also)
				}
				look := func(way string, s *enginetest.Shop) {
					for _, about := range [][]string{nil, {"a.cpp"}, {name}, {"."}} {
						answer := s.Check(api.CheckRequest{Files: about, Baseline: api.BaselineHead, CountOlder: true, TimeoutMS: 100_000})
						if diff := cmp.Diff(said{Verdict: "new_errors", New: []string{"a.cpp"}}, saidBy(s, &answer)); diff != "" {
							t.Errorf("%s, about %q (-want +got):\n%s", way, about, diff)
						}
					}
				}
				remove()
				look("cold", s.Reopen(func(*enginetest.Options) {}))
				s.Git("checkout", "-q", ".")
				if answer := s.Check(api.CheckRequest{Files: []string{"."}, TimeoutMS: 100_000}); answer.Verdict != "clean" {
					t.Errorf("before: %s", answer.Verdict)
				}
				remove()
				look("warm", s)
			})
		}
	}
}

// Data is gone that a script imports. Who imports it misses it, and that is new; the errors that were committed there, and those of files that have nothing to do
// with it, are older, in a process that judged them before and in one that did not, alone and together; and all is as it was once it is back.
func TestImportedDataThatIsGone(t *testing.T) {
	const files = "-- tsconfig.json --\n" +
		"{\"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"types\": [], \"resolveJsonModule\": true, \"module\": \"esnext\", \"moduleResolution\": \"bundler\"}}\n" +
		"-- src/d.json --\n{\"count\": 1}\n-- src/a.ts --\nimport d from \"./d.json\";\nexport const n: number = d.count;\nexport const old: string = 3;\n" +
		"-- src/b.ts --\nimport { n } from \"./a\";\nexport const older: string = n;\n-- src/u.ts --\nexport const other: string = 4;\n"
	for _, server := range []string{"typescript", "typescript-language-server"} {
		t.Run(server, func(t *testing.T) {
			s := enginetest.OpenReal(t, files, server)
			s.Git("init", "-q")
			s.Git("add", "-A")
			s.Git("commit", "-qm", "one")
			remove := func() {
				if err := os.Remove(filepath.Join(s.Root(), "src", "d.json")); err != nil {
					t.Fatal(err)
				}
			}
			all := []string{
				"src/a.ts: Cannot find module './d.json' or its corresponding type declarations. new",
				"src/a.ts: Type 'number' is not assignable to type 'string'. not new",
				"src/b.ts: Type 'number' is not assignable to type 'string'. not new",
				"src/u.ts: Type 'number' is not assignable to type 'string'. not new",
			}
			look := func(way string, s *enginetest.Shop, want []string, about ...string) {
				t.Helper()
				answer := s.Check(api.CheckRequest{Files: about, Baseline: api.BaselineHead, CountOlder: true, AllErrors: len(about) == 0, TimeoutMS: 100_000})
				found := foundBy(&answer)
				if diff := cmp.Diff(want, found); diff != "" || answer.Incomplete || len(answer.Unknown) > 0 {
					t.Errorf("%s, about %q: not known %q (-want +got):\n%s", way, about, answer.Unknown, diff)
				}
			}
			remove()
			for _, about := range [][]string{{"."}, {"src/a.ts", "src/b.ts", "src/u.ts"}} {
				look("cold", s.Reopen(func(*enginetest.Options) {}), all, about...)
			}
			look("cold", s.Reopen(func(*enginetest.Options) {}), all[3:], "src/u.ts")
			s.Git("checkout", "-q", ".")
			look("before", s, all[1:], ".")
			remove()
			look("warm", s, all)
			look("warm", s, all, ".")
			s.Git("checkout", "-q", ".")
			look("back", s, all[1:], ".")
		})
	}
}

// foundBy lists what a check found, and says of each finding whether it is new.
func foundBy(answer *result.Check) (found []string) {
	for _, f := range append(answer.Files, answer.Others...) {
		for _, d := range f.Diagnostics {
			state := map[bool]string{true: "new", false: "not new"}[d.New]
			found = append(found, f.Path+": "+d.Message+" "+state)
		}
	}
	slices.Sort(found)
	return found
}
