package checking

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/result"
)

// A configurer is a project in which a file that is no source decides what a source means.
type configurer struct {
	server, archive string
	// name is the file, good and broken are its texts; user is the file that is wrong with broken.
	name, good, broken, user string
}

const (
	scriptConfig = `{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", "resolveJsonModule": true, "noEmit": true, "types": []%s}}` + "\n"
	twoModules   = "-- app/go.mod --\nmodule example.com/app\n\ngo 1.22\n-- app/main.go --\npackage main\n\nimport \"example.com/lib\"\n\nfunc main() { lib.Do() }\n-- app/z.go --\npackage main\n\nvar Z = 1\n" +
		"-- lib/go.mod --\nmodule example.com/lib\n\ngo 1.22\n-- lib/lib.go --\npackage lib\n\nfunc Do() {}\n"
)

func configurers() map[string]configurer {
	script := func(extra string) string { return fmt.Sprintf(scriptConfig, extra) }
	all := map[string]configurer{
		"go.mod": {
			"gopls", "-- p/p.go --\npackage p\n\nconst P = 1\n-- u/u.go --\npackage u\n\nimport \"ex.com/t/p\"\n\nvar U = p.P\n-- u/z.go --\npackage u\n\nvar Z = 1\n",
			"go.mod", "module ex.com/t\n\ngo 1.22\n", "module ex.com/v\n\ngo 1.22\n", "u/u.go",
		},
		"go.work": {"gopls", twoModules, "go.work", "go 1.22\n\nuse (\n\t./app\n\t./lib\n)\n", "go 1.22\n\nuse ./app\n", "app/main.go"},
		"Cargo.toml": {
			"rust-analyzer", "-- src/main.rs --\nfn main() { lib::act(); }\n-- lib/Cargo.toml --\n[package]\nname = \"lib\"\nversion = \"0.1.0\"\nedition = \"2021\"\n-- lib/src/lib.rs --\npub fn act() {}\n",
			"Cargo.toml", "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\nlib = { path = \"lib\" }\n", "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/main.rs",
		},
		"pyrightconfig.json": {
			"pyright", "-- a.py --\nfrom lib import x\n\nn: int = x\n-- other/lib.py --\nx: int = 1\n-- z.py --\nz = 1\n",
			"pyrightconfig.json", `{"extraPaths": ["other"]}` + "\n", "{}\n", "a.py",
		},
		"pyproject.toml": {
			"pyright", "-- a.py --\nfrom lib import x\n\nn: int = x\n-- other/lib.py --\nx: int = 1\n-- z.py --\nz = 1\n",
			"pyproject.toml", "[tool.pyright]\nextraPaths = [\"other\"]\n", "[tool.pyright]\n", "a.py",
		},
		"compile_flags.txt": {
			"clangd", "-- a.c --\n#include \"lib.h\"\n\nint main(void) { return act(); }\n-- include/lib.h --\nint act(void);\n-- z.c --\nint z;\n",
			"compile_flags.txt", "-Iinclude\n", "-Wall\n", "a.c",
		},
	}
	for server, of := range map[string]string{"typescript": "TypeScript 7", "typescript-language-server": "tsserver"} {
		all["tsconfig.json of "+of] = configurer{
			server, "-- src/a.ts --\nimport { one } from \"core\";\n\nexport const two = one;\n-- src/core.ts --\nexport const one = 1;\n-- src/z.ts --\nexport const z = 1;\n",
			"tsconfig.json", script(`, "paths": {"core": ["./src/core"]}`), script(""), "src/a.ts",
		}
		all["package.json of "+of] = configurer{
			server, "-- tsconfig.json --\n" + script("") + "-- src/a.ts --\nimport { one } from \"me/core\";\n\nexport const two = one;\n-- src/core.ts --\nexport const one = 1;\n-- src/z.ts --\nexport const z = 1;\n",
			"package.json", `{"name": "me", "exports": {"./core": "./src/core.ts"}}` + "\n", `{"name": "me", "exports": {}}` + "\n", "src/a.ts",
		}
		all["JSON imported by "+of] = configurer{
			server, "-- tsconfig.json --\n" + script("") + "-- src/a.ts --\nimport d from \"./data.json\";\n\nexport const n: number = d.count;\n-- src/z.ts --\nexport const z = 1;\n",
			"src/data.json", `{"count": 1}` + "\n", `{"count": "x"}` + "\n", "src/a.ts",
		}
		all["JSON that a module of "+of+" passes on"] = configurer{
			server, "-- tsconfig.json --\n" + script("") + "-- src/pass.ts --\nimport d from \"./data.json\";\n\nexport const count = d.count;\n-- src/a.ts --\nimport { count } from \"./pass\";\n\nexport const n: number = count;\n-- src/z.ts --\nexport const z = 1;\n",
			"src/data.json", `{"count": 1}` + "\n", `{"count": "x"}` + "\n", "src/a.ts",
		}
	}
	return all
}

// What a change of a file breaks that is no source, but decides what sources mean, is said by a check of what
// changed and of the file by its name, in a process that knows nothing from before and in one that does, and by
// an edit; so is that the way back mends it.
func TestWhatIsNoSourceBreaks(t *testing.T) {
	for name, c := range configurers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := enginetest.OpenReal(t, c.archive+"-- "+c.name+" --\n"+c.good, c.server)
			s.Git("init", "-q")
			s.Git("add", ".")
			s.Git("commit", "-qm", "one")
			got := make(map[string]string)
			tells := func(way, verdict string, lists ...[]result.File) {
				said := verdict
				for _, files := range lists {
					for _, f := range files {
						if f.Path == c.user && (enginetest.HasNew(f) || f.Standing > 0) {
							said += ", broken"
						}
						if f.Path == c.user && len(f.Fixed) > 0 {
							said += ", mended"
						}
					}
				}
				got[way] = said
			}
			check := func(s *enginetest.Shop, way string, files ...string) {
				answer := s.Check(api.CheckRequest{Files: files, TimeoutMS: 100_000})
				tells(way, answer.Verdict, answer.Files, answer.Others)
			}
			edit := func(way, text string) {
				done := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{enginetest.Writing(c.name, text)}, Writing: api.Writing{Limits: api.Limits{TimeoutMS: 100_000}}})
				tells(way, done.Verdict, done.Files, done.Others)
			}
			s.Write(c.name, c.broken)
			check(s.Reopen(func(*enginetest.Options) {}), "at first sight")
			check(s.Reopen(func(*enginetest.Options) {}), "at first sight, by name", c.name)
			s.Write(c.name, c.good)
			check(s, "before", c.user)
			edit("an edit", c.broken)
			edit("an edit back", c.good)
			s.Write(c.name, c.broken)
			check(s, "by others")
			s.Write(c.name, c.good)
			check(s, "by others, back")
			s.Write(c.name, c.broken)
			check(s, "by others, by name", c.name)
			want := map[string]string{
				"at first sight": "new_errors, broken", "at first sight, by name": "new_errors, broken", "before": "clean",
				"an edit": "new_errors, broken", "an edit back": "clean, mended",
				"by others": "new_errors, broken", "by others, back": "clean, mended", "by others, by name": "new_errors, broken",
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The files that say what Go modules are are judged by what gopls publishes for them, as it answers no pull about them:
// correct ones are clean, alone and with the whole workspace, and what is wrong with one is said, until it is mended.
func TestGoModulesAreJudged(t *testing.T) {
	s := enginetest.OpenReal(t, twoModules+"-- go.work --\ngo 1.22\n\nuse (\n\t./app\n\t./lib\n)\n", "gopls")
	got := make(map[string]string)
	check := func(step string, names ...string) {
		answer := s.Check(api.CheckRequest{Files: names, TimeoutMS: 100_000})
		for _, f := range answer.Files {
			for _, d := range f.Diagnostics {
				answer.Verdict += fmt.Sprintf(", %s:%d: %s", f.Path, d.Line, d.Message)
			}
		}
		got[step] = answer.Verdict
	}
	check("one file", "app/go.mod")
	check("the list", "go.work")
	check("all", "./...")
	for _, name := range []string{"app/go.mod", "go.work"} {
		whole := s.Read(name)
		s.Write(name, whole+"requir x\n")
		check(name+" is broken", name)
		s.Write(name, whole)
		check(name+" is mended", name)
	}
	check("at last", "./...")
	want := map[string]string{
		"one file": "clean", "the list": "clean", "all": "clean", "at last": "clean",
		"app/go.mod is broken": "new_errors, app/go.mod:4: unknown directive: requir", "app/go.mod is mended": "clean",
		"go.work is broken": "new_errors, go.work:7: unknown directive: requir", "go.work is mended": "clean",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
