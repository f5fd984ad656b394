package checking

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

// A script finds another one, or data, in a way that only configurations say, or uses what somebody declares for everybody. What a change of that breaks in
// it is new, although no text of it names the file; what was committed broken is older.
func TestWaysByWhichScriptsAreConcerned(t *testing.T) {
	const (
		config   = "-- tsconfig.json --\n{\"include\": [\"src\"], \"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"resolveJsonModule\": true, \"module\": \"esnext\", \"moduleResolution\": \"bundler\", \"types\": []%s}}\n"
		user     = "export const k: number = d.n;\nexport const old: string = 3;\n"
		broken   = "src/b.ts: Type 'string' is not assignable to type 'number'."
		byFolder = ", \"rootDirs\": [\"src\", \"gen\"]"
		bySuffix = ", \"moduleSuffixes\": [\".ios\", \"\"]"
		byWord   = ", \"customConditions\": [\"dev\"]"
		data     = "-- src/d.json --\n{\"n\": 1}\n"
	)
	imports := func(name, one, other string) string {
		return "-- package.json --\n{\"name\": \"me\", \"imports\": {\"#d\": {\"dev\": \"" + one + "\", \"default\": \"" + other + "\"}}, " +
			"\"exports\": {\"./d\": {\"dev\": \"" + one + "\", \"default\": \"" + other + "\"}}}\n-- src/b.ts --\nimport d from \"" + name + "\";\n" + user
	}
	type way struct{ options, files, changed string }
	ways := map[string]way{
		"a global type":                    {"", data + "-- src/g.d.ts --\ndeclare type D = typeof import(\"./d.json\");\n-- src/b.ts --\ndeclare const d: D;\n" + user, "src/d.json"},
		"a global":                         {"", data + "-- src/g.ts --\nimport x from \"./d.json\";\ndeclare global { const d: typeof x }\n-- src/b.ts --\n" + user, "src/d.json"},
		"a module that another file makes": {"", data + "-- src/m.ts --\nexport interface M { a: 1 }\n-- src/g.ts --\nimport x from \"./d.json\";\ndeclare module \"./m\" { interface M { d: typeof x } }\n-- src/b.ts --\nimport type { M } from \"./m\";\ndeclare const m: M;\nconst d = m.d;\n" + user, "src/d.json"},
		"the main file of a folder":        {"", "-- src/p/package.json --\n{\"main\": \"d.json\"}\n-- src/p/d.json --\n{\"n\": 1}\n-- src/b.ts --\nimport d from \"./p\";\n" + user, "src/p/d.json"},
	}
	for kind, ending := range map[string]string{"data": ".json", "a script": ".ts"} {
		name, was := "d.json", "{\"n\": 1}\n"
		if ending == ".ts" {
			name, was = "d", "const d = { n: 1 };\nexport default d;\n"
		}
		ways[kind+" by a condition"] = way{byWord, imports("#d", "./x/d"+ending, "./x/e"+ending) + "-- x/d" + ending + " --\n" + was + "-- x/e" + ending + " --\n" + was, "x/d" + ending}
		ways[kind+" of a package by a condition"] = way{byWord, imports("me/d", "./x/d"+ending, "./x/e"+ending) + "-- x/d" + ending + " --\n" + was + "-- x/e" + ending + " --\n" + was, "x/d" + ending}
		ways[kind+" in another folder"] = way{byFolder, "-- gen/d" + ending + " --\n" + was + "-- src/b.ts --\nimport d from \"./" + name + "\";\n" + user, "gen/d" + ending}
		ways[kind+" with a suffix"] = way{bySuffix, "-- src/d.ios" + ending + " --\n" + was + "-- src/b.ts --\nimport d from \"./" + name + "\";\n" + user, "src/d.ios" + ending}
	}
	for name, w := range ways {
		for _, server := range []string{"typescript", "typescript-language-server"} {
			t.Run(name+"/"+server, func(t *testing.T) {
				s := enginetest.OpenReal(t, fmt.Sprintf(config, w.options)+w.files, server)
				s.Git("init", "-q")
				s.Git("add", "-A")
				s.Git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old")
				change := func() {
					if strings.HasSuffix(w.changed, ".ts") {
						s.Write(w.changed, "const d = { n: \"x\" };\nexport default d;\n")
					} else {
						s.Write(w.changed, "{\"n\": \"x\"}\n")
					}
				}
				for _, once := range []bool{true, false, false} { // cold, and after the committed state was judged
					change()
					asked := s
					if once {
						asked = s.Reopen(func(o *enginetest.Options) { o.Once = true })
					}
					for _, about := range [][]string{nil, {"."}, {"src/b.ts"}} {
						if diff := cmp.Diff([]string{broken}, newIn(t, asked, about, nil)); diff != "" {
							t.Errorf("in a process of its own: %v, about %q (-want +got):\n%s", once, about, diff)
						}
					}
					s.Git("reset", "-q", "--hard")
					s.Git("clean", "-qfd")
					if diff := cmp.Diff([]string(nil), newIn(t, s, []string{"."}, nil)); diff != "" {
						t.Errorf("as it was (-want +got):\n%s", diff)
					}
				}
			})
		}
	}
}

// A file is gone, and scripts find another one in its place: servers cannot be shown that they did not. It is never said that the errors which this made are
// older: they are new, or it is not known.
func TestFilesFoundInPlaceOfThoseThatAreGone(t *testing.T) {
	const (
		config = "-- tsconfig.json --\n{\"include\": [\"src\"], \"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"resolveJsonModule\": true, \"module\": \"esnext\", \"moduleResolution\": \"bundler\", \"types\": []%s}}\n"
		script = "const d = { n: %s };\nexport default d;\n"
		data   = "{\"n\": %s}\n"
		byPath = ", \"paths\": {\"@d/*\": [\"./one/*\", \"./two/*\"]}"
		user   = "export const k: number = d.n;\nexport const old: string = 3;\n"
	)
	type place struct{ options, gone, other, text, name string }
	for name, p := range map[string]place{
		"a script by paths":  {byPath, "one/d.ts", "two/d.ts", script, "@d/d"},
		"data by paths":      {byPath, "one/d.json", "two/d.json", data, "@d/d.json"},
		"a script by suffix": {", \"moduleSuffixes\": [\".ios\", \"\"]", "src/d.ios.ts", "src/d.ts", script, "./d"},
		"a script by folder": {", \"rootDirs\": [\"src\", \"gen\"]", "src/d.ts", "gen/d.ts", script, "./d"},
	} {
		for _, server := range []string{"typescript", "typescript-language-server"} {
			t.Run(name+"/"+server, func(t *testing.T) {
				files := fmt.Sprintf(config, p.options) + "-- " + p.gone + " --\n" + fmt.Sprintf(p.text, "1") + "-- " + p.other + " --\n" + fmt.Sprintf(p.text, "\"x\"")
				s := enginetest.OpenReal(t, files+"-- src/b.ts --\nimport d from \""+p.name+"\";\n"+user+"-- src/c.ts --\nimport { old } from \"./b\";\nexport const c: number = old;\n", server)
				s.Git("init", "-q")
				s.Git("add", "-A")
				s.Git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old")
				look := func(way string, s *enginetest.Shop) {
					t.Helper()
					for _, about := range [][]string{nil, {"."}, {"src/b.ts"}} {
						answer := s.Check(api.CheckRequest{Files: about, Baseline: api.BaselineHead, TimeoutMS: 100_000})
						found := foundBy(&answer)
						isNew := slices.Contains(found, "src/b.ts: Type 'string' is not assignable to type 'number'. new")
						isUnknown := strings.Contains(strings.Join(answer.Unknown, "; "), "src/b.ts")
						if !isNew && !isUnknown {
							t.Errorf("%s, about %q: %s, not known %q, %q", way, about, answer.Verdict, answer.Unknown, found)
						}
					}
				}
				s.Git("rm", "-q", p.gone)
				look("cold", s.Reopen(func(o *enginetest.Options) { o.Once = true }))
				s.Git("reset", "-q", "--hard")
				s.Check(api.CheckRequest{Files: []string{"."}, TimeoutMS: 100_000})
				s.Git("rm", "-q", p.gone)
				look("warm", s)
			})
		}
	}
}
