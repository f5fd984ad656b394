package projects

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/e2e/judge"
)

// compile holds what was said of a set-up that is right against what the compilers of the
// project say of the same three texts: the right one, the broken one and the edited one.
func (p *project) compile(t *testing.T, s *site, a answers) {
	t.Helper()
	s.tellCompilers()
	ask := func(file, before, after string) (found judge.Findings, counted bool) {
		path := filepath.Join(s.root, file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s.write(file, strings.Replace(string(text), before, after, 1))
		found, counted = make(judge.Findings), true
		for _, server := range p.compilers {
			j := judge.For(t, server)
			maps.Copy(found, j.Ask(t, s.root))
			counted = counted && j.Counts
		}
		s.write(file, string(text))
		return found, counted
	}
	main, err := os.ReadFile(filepath.Join(s.root, p.main[0]))
	if err != nil {
		t.Fatal(err)
	}
	right, _ := ask(p.main[0], "", "")
	for _, file := range p.main {
		if right.Count(file) > 0 && !p.unresolved {
			t.Errorf("%s is said to be right, and its compiler finds %v", file, right[file])
		}
	}
	for what, x := range map[string]struct {
		file, before, after string
		said                []string
	}{
		"with an error": {p.main[0], string(main), string(main) + p.wrong, a.Broken.Errors},
		"edit":          {p.edit, p.before, p.after, a.Edit.Errors},
	} {
		found, counted := ask(x.file, x.before, x.after)
		want, got := found.Beyond(right), make(map[string]int)
		for _, message := range x.said {
			file, _, _ := strings.Cut(message, ":")
			got[file]++
		}
		if !counted {
			for _, counts := range []map[string]int{want, got} {
				for file := range counts {
					counts[file] = 1
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			t.Errorf("%s: the compiler, and what was said, differ in\n%s%v", what, diff, slices.Sorted(maps.Keys(found)))
		}
	}
}

// tellCompilers tells them what LSPine found out by itself.
func (s *site) tellCompilers() {
	s.Helper()
	if isThere(filepath.Join(s.root, ".venv")) {
		s.write("pyrightconfig.json", `{"venvPath": ".", "venv": ".venv"}`)
	}
	if text, err := os.ReadFile(filepath.Join(s.root, "build", "compile_commands.json")); err == nil {
		s.write("compile_commands.json", string(text))
	}
}
