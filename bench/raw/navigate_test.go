package raw_test

import (
	"path"
	"strings"
	"testing"

	"github.com/lspine/lspine/bench/raw"
	"github.com/lspine/lspine/bench/rawtest"
)

// Every server says where a name comes from and where it is used; gopls answers
// the rest as well.
func TestEveryServerNavigates(t *testing.T) {
	for id, p := range projects() {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			root := written(t, p)
			c, err := raw.Start(t.Context(), rawtest.Need(t, id), root)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { closed(t, c) })
			if err := c.Show(p.file); err != nil {
				t.Fatal(err)
			}
			line, character := useIn(t, p.good)
			file := root + "/" + p.file
			defined, err := c.Definition(t.Context(), file, line, character)
			if err != nil || defined.Count != 1 || defined.Bytes == 0 || !strings.HasPrefix(strings.ToLower(path.Base(defined.First)), "a.") {
				t.Errorf("definition: %+v, %v", defined, err)
			}
			used, err := c.References(t.Context(), file, line, character, false)
			if err != nil || used.Count == 0 || used.Files == 0 {
				t.Errorf("references: %+v, %v", used, err)
			}
			if lines, err := used.Lines(); err != nil || len(lines) != used.Count || !strings.Contains(strings.ToLower(lines[0]), "add") {
				t.Errorf("lines: %q, %v", lines, err)
			}
			if id == "gopls" {
				theRest(t, c, root, file, line, character)
			}
		})
	}
}

// useIn finds the last use of add in a text.
func useIn(t *testing.T, text string) (line, character int) {
	t.Helper()
	before := text[:max(strings.LastIndex(text, "add("), strings.LastIndex(text, "Add("))]
	return strings.Count(before, "\n"), len(before) - strings.LastIndexByte(before, '\n') - 1
}

func theRest(t *testing.T, c *raw.Client, root, file string, line, character int) {
	t.Helper()
	for name, ask := range map[string]func() (raw.Answer, error){
		"hover":             func() (raw.Answer, error) { return c.Hover(t.Context(), file, line, character) },
		"document symbols":  func() (raw.Answer, error) { return c.DocumentSymbols(t.Context(), root+"/a.go") },
		"workspace symbols": func() (raw.Answer, error) { return c.WorkspaceSymbols(t.Context(), "Add") },
		"incoming calls":    func() (raw.Answer, error) { return c.IncomingCalls(t.Context(), file, line, character) },
	} {
		if answer, err := ask(); err != nil || answer.Count != 1 || answer.Bytes == 0 {
			t.Errorf("%s: %+v, %v", name, answer, err)
		}
	}
}
