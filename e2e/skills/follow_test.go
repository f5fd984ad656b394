package skills

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/skills"
)

const goProject = `
-- go.mod --
module example.com/m

go 1.24
-- store/store.go --
package store

// Store keeps values.
type Store interface {
	// Get returns a value.
	Get(key string) (string, bool)
}

// Memory is a Store in memory.
type Memory struct{ values map[string]string }

// Get returns a value.
func (m *Memory) Get(key string) (string, bool) {
	v, ok := m.values[key]
	return v, ok
}

// Load returns the value of a key, or another.
func Load(s Store, key, fallback string) string {
	if v, ok := s.Get(key); ok {
		return v
	}
	return fallback
}

func unused() int { return 1 }
-- store/store_test.go --
package store

import "testing"

func TestLoad(t *testing.T) {
	if Load(&Memory{}, "a", "b") != "b" {
		t.Error("not b")
	}
}
-- main.go --
package main

import (
	"fmt"

	"example.com/m/store"
)

func main() { fmt.Println(run()) }

func run() string {
	name := "name"
	found := store.Load(&store.Memory{}, name, "nobody")
	return found
}
`

const tsProject = `
-- package.json --
{"name":"t","version":"1.0.0"}
-- tsconfig.json --
{"compilerOptions":{"strict":true,"target":"ES2020","module":"commonjs","noEmit":true},"include":["*.ts"]}
-- lib.ts --
/** Adds two numbers. */
export function add(a: number, b: number): number {
  return a + b;
}
-- main.ts --
import { add } from './lib';

export const total: number = add(1, 2);
`

// A story is a skill followed on a project.
type story struct {
	skill string
	// server is gopls with goProject unless it is said.
	server, project string
	// before are files that somebody changes or makes after the commit.
	before map[string]string
	// known is what stands for the arguments of the skill, and for what its answers tell.
	known map[string]string
	// says are what the answers of the calls hold, parts between bars, in order.
	says []string
	// after is what files hold then; what begins with ! is not there.
	after map[string]string
	// broken says that the project does not compile then.
	broken bool
}

const loadEdit = "func Load(s Store, key, fallback string)"

var stories = map[string]story{
	"verify": {
		before: map[string]string{"main.go": "package main\n\nimport \"example.com/m/store\"\n\nfunc main() { store.Lood() }\n"},
		says:   []string{"main.go:5:21: error: undefined: store.Lood|1 new error", "1 new error", "main (function)"}, broken: true,
	},
	"safe-edit": {
		known: map[string]string{"symbol": "store/store.go Load", "file": "store/store.go", "old_text": loadEdit, "new_text": "func Load(s Store, key string, fallback string)"},
		says:  []string{"2 references in 2 files", "func Load(", "Preview, nothing is written|no new errors", "Edit applied to store/store.go|no new errors"},
		after: map[string]string{"store/store.go": "key string, fallback string"},
	},
	"safe-edit refused": {
		known: map[string]string{"symbol": "store/store.go Load", "file": "store/store.go", "old_text": loadEdit, "new_text": "func Load(s Store, key string, fallback int)"},
		says:  []string{"2 references", "func Load(", "3 new errors|main.go|store/store_test.go", "Not applied, because it is not clean"},
		after: map[string]string{"store/store.go": loadEdit},
	},
	"safe-edit in TypeScript": {
		server: "typescript", project: tsProject,
		known: map[string]string{"symbol": "lib.ts add", "file": "lib.ts", "old_text": "add(a: number, b: number)", "new_text": "add(a: number, b: string)"},
		says:  []string{"2 references", "function add", "new error", "Not applied, because it is not clean"},
		after: map[string]string{"lib.ts": "b: number"},
	},
	"simulate": {
		known: map[string]string{"label": "twice", "file": "store/store.go", "old_text": "return 1", "new_text": "return 2"},
		says:  []string{"created s1", "1 edit of store/store.go|nothing is written", "no new errors|confidence high", "Committed s1: 1 files written", "s1 is gone"},
		after: map[string]string{"store/store.go": "return 2"},
	},
	"impact": {
		known: map[string]string{"symbol": "store/store.go Load"},
		says:  []string{"main.go:13 run|tested by|tests to run: store/store_test.go", "main.go:13 found := store.Load(", "main.go:11:6 run|main.go:9:6 main"},
	},
	"rename": {
		known: map[string]string{"symbol": "store/store.go Load", "new_name": "Read"},
		says:  []string{"2 references in 2 files", "Preview, nothing is written|+++ b/store/store_test.go|no new errors", "Renamed Load to Read: 4 places in 3 files|no new errors", "no errors (3 files checked)"},
		after: map[string]string{"store/store.go": "func Read(", "main.go": "store.Read(", "store/store_test.go": "if Read("},
	},
	"rename in TypeScript": {
		server: "typescript", project: tsProject, known: map[string]string{"symbol": "lib.ts add", "new_name": "sum"},
		says:  []string{"2 references", "Preview, nothing is written|+++ b/main.ts", "Renamed add to sum", "no errors (2 files checked)"},
		after: map[string]string{"lib.ts": "function sum(", "main.ts": "import { sum }"},
	},
	"refactor": {
		known: map[string]string{"symbol": "store/store.go Load", "file": "store/store.go", "old_text": loadEdit, "new_text": "func Load(s Store, key string, fallback string)"},
		says: []string{
			"nothing to check", "tests to run: store/store_test.go", "func Load(", "created s1", "1 edit of store/store.go", "no new errors|confidence high",
			"Committed s1", "s1 is gone", "no errors",
		},
		after: map[string]string{"store/store.go": "key string, fallback string"},
	},
	"inspect": {
		known: map[string]string{"symbol": "main.go:13 Load"},
		says:  []string{"defined at store/store.go:19:6|Load returns the value of a key", "return fallback"},
	},
	"inspect in TypeScript": {
		server: "typescript", project: tsProject, known: map[string]string{"symbol": "main.ts:3 add"},
		says: []string{"defined at lib.ts:2|Adds two numbers", "return a + b"},
	},
	"explore": {
		known: map[string]string{"query": "Load", "file": "store/store.go", "symbol": "store/store.go:19:6"},
		says:  []string{"store/store.go:19:6 function Load", "interface Store", "Load returns the value of a key", "2 references"},
	},
	"implement": {
		known: map[string]string{"symbol": "store/store.go Store", "file": "store/store.go", "old_text": "func unused() int { return 1 }", "new_text": "var _ Store = (*Memory)(nil)"},
		says:  []string{"Get(key string)", "store/store.go:10:6", "no new errors", "Edit applied", "no errors"},
		after: map[string]string{"store/store.go": "var _ Store = (*Memory)(nil)"},
	},
	"edit-symbol": {
		known: map[string]string{"symbol": "store/store.go unused", "code": "// used returns two.\nfunc used() int { return 2 }"},
		says:  []string{"func unused() int", "Preview, nothing is written|no new errors", "no new errors"},
		after: map[string]string{"store/store.go": "// used returns two.\nfunc used() int { return 2 }\n"},
	},
	"edit-export": {
		known: map[string]string{"symbol": "store/store.go Load", "file": "store/store.go", "old_text": loadEdit, "new_text": "func Load(s Store, key string, fallback int)"},
		says:  []string{"main.go:13 run", "found := store.Load(", "3 new errors", "Not applied", "nothing to check"},
		after: map[string]string{"store/store.go": loadEdit},
	},
	"dead-code": {
		known: map[string]string{"file": "store/store.go", "symbol": "store/store.go unused"},
		says:  []string{"function unused", "unused (function) risk none", "unused: no reference", "Preview, nothing is written|no new errors", "Deleted unused|no new errors", "no errors"},
		after: map[string]string{"store/store.go": "!unused"},
	},
	"docs": {
		known: map[string]string{"symbol": "main.go:9 Println"},
		says:  []string{"Println formats using the default formats", "func Println(a ...any)", "main.go:9"},
	},
	"format-code": {
		before: map[string]string{"main.go": "package main\n\nimport (\n\t\"os\"\n\t\"fmt\"\n)\n\nfunc main() { fmt.Println(1) }\n"},
		known:  map[string]string{"file": "main.go"},
		says:   []string{"Organize Imports", "main.go", "no errors"},
		after:  map[string]string{"main.go": "!\"os\""},
	},
	"local-symbols": {
		known: map[string]string{"file": "main.go", "symbol": "main.go:13 found"},
		says:  []string{"function run", "run (function)", "return found", "found at main.go:13:2|var found string"},
	},
	"test-correlation": {
		known: map[string]string{"file": "store/store.go", "symbol": "store/store.go Load"},
		says:  []string{"tested by|TestLoad|tests to run: store/store_test.go", "TestLoad"},
	},
	"understand": {
		known: map[string]string{"symbol": "main.go run"},
		says:  []string{"run (function)", "store.Load(&store.Memory{}", "store/store.go:19:6 Load", "main.go:9:6 main", "main.go:9"},
	},
	"extract-function": {
		known: map[string]string{"symbol": "main.go run", "file": "main.go", "start_line": "12", "start_column": "2", "end_line": "13", "end_column": "54", "new_name": "look"},
		says:  []string{"main.go:11-15 run", "Extract function", `Applied "Extract function" in main.go|no new errors`, "Renamed newFunction to look", "no errors"},
		after: map[string]string{"main.go": "func look() string {"},
	},
	"fix-all": {
		before: map[string]string{"main.go": "package main\n\nimport \"os\"\n\nfunc main() {\n\tx := 1\n}\n"},
		known:  map[string]string{"file": "main.go", "line": "4"},
		says:   []string{`main.go:3:8: error: "os" imported and not used`, "Organize Imports", "Applied", "Remove variable x", "no new errors", "no errors"},
		after:  map[string]string{"main.go": "!x"},
	},
	"generate": {
		before: map[string]string{"main.go": "package main\n\nfunc main() { made(1) }\n"},
		known:  map[string]string{"file": "main.go", "line": "3", "symbol": "main.go made"},
		says:   []string{"Create function", "made", "func made(", "no errors"},
		after:  map[string]string{"main.go": "func made("},
	},
	"architecture": {
		known: map[string]string{"file": "store/store.go", "symbol": "main.go main"},
		says:  []string{"gopls", "interface Store", "main.go:13 run", "main.go:11:6 run", "main"},
	},
	"cross-repo": {
		known: map[string]string{"symbol": "store/store.go Load", "use": "main.go:5 Load", "file": "main.go"},
		says:  []string{"2 references in 2 files", "Load: |main.go|store.Load(nil", "no errors"},
	},
	"onboard": {
		known: map[string]string{"file": "main.go"},
		says:  []string{"gopls", "no errors (1 file checked)", "function run"},
	},
}

// Each skill, followed call by call, tells and does what it is for, and leaves a project that compiles.
//
// Requirement: AGENT-28.
func TestSkillsAreFollowed(t *testing.T) {
	for _, skill := range skills.All() {
		if _, told := stories[skill.Name]; !told {
			t.Errorf("there is no story of %s", skill.Name)
		}
	}
	for name, s := range stories {
		t.Run(name, func(t *testing.T) {
			s.skill, _, _ = strings.Cut(name, " ")
			s.follow(t)
		})
	}
}

func (s *story) follow(t *testing.T) {
	server, project := s.server, s.project
	if server == "" {
		server, project = "gopls", goProject
	}
	lsptest.Require(t, server)
	root := checkout(t, project)
	for name, text := range s.before {
		lsptest.WriteFile(t, filepath.Join(root, name), text)
	}
	consumer := lsptest.Workspace(t, "-- go.mod --\nmodule example.com/app\n\ngo 1.24\n\nrequire example.com/m v0.0.0\n\nreplace example.com/m => "+filepath.ToSlash(root)+
		"\n-- main.go --\npackage main\n\nimport \"example.com/m/store\"\n\nfunc main() { println(store.Load(nil, \"a\", \"b\")) }\n")
	f := &follower{t: t, session: connect(t, root, "--server", server, "--allow-root", consumer), known: map[string]string{"consumer": filepath.ToSlash(consumer)}}
	maps.Copy(f.known, s.known)
	steps := f.steps(s.skill)
	if len(steps) != len(s.says) {
		t.Fatalf("it has %d calls, told are %d", len(steps), len(s.says))
	}
	for i, c := range steps {
		text := f.make(c)
		for part := range strings.SplitSeq(s.says[i], "|") {
			if !strings.Contains(text, part) {
				t.Errorf("%d. %s %s does not say %q:\n%s", i+1, c.Tool, c.Arguments, part, text)
			}
		}
	}
	for name, want := range s.after {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		without, not := strings.CutPrefix(want, "!")
		if strings.Contains(string(text), without) == not {
			t.Errorf("%s: want %q\n%s", name, want, text)
		}
	}
	if !s.broken && server == "gopls" {
		run(t, root, "go", "vet", "./...")
	}
}

// checkout makes a project and commits it.
func checkout(t *testing.T, project string) string {
	t.Helper()
	root := lsptest.Workspace(t, project)
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "x"}} {
		run(t, root, "git", args...)
	}
	return root
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}
