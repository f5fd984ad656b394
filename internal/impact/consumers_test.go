package impact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/symbols"
)

// telling is a server that reads off the line in which a name stands what it means: "ours" is a use of
// f, which is declared in line 3 of lib.go; of "lost" it does not know.
type telling struct {
	*code
	root string // has lib.go and other.go
}

func (s telling) Open(context.Context, string, string) (symbols.Server, error) { return s, nil }
func (s telling) Text(path string) ([]byte, error)                             { return os.ReadFile(path) }

func (s telling) Locations(_ context.Context, _, path string, at protocol.Position) ([]protocol.Location, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, line := "lib.go", uint32(3)
	switch said := string(bytes.Split(text, []byte("\n"))[at.Line]); {
	case strings.Contains(said, "lost"):
		return nil, errors.New("broken")
	case strings.Contains(said, "near"):
		line = 4
	case !strings.Contains(said, "ours"):
		file = "other.go"
	}
	start := protocol.Position{Line: line, Character: 7}
	return []protocol.Location{{URI: protocol.URIFromPath(filepath.Join(s.root, file)), Range: protocol.Range{Start: start, End: start}}}, nil
}

// In a folder beside the workspace those places use a symbol where its name stands as a word, in a file of
// its language, and means the symbol; what was not searched, and what is not known, is told.
func TestUsesInAConsumer(t *testing.T) {
	huge := strings.Repeat(" ", maxConsumerBytes-len("f // ours"))
	type answer struct {
		Uses, Notes []string
		Err         string
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  answer
	}{
		"nobody uses it":          {map[string]string{"a.go": "ff // ours\n"}, answer{}},
		"words of the name":       {map[string]string{"a.go": "ff f_ f1 äf\nf,f // ours\n"}, answer{Uses: []string{"a.go 1:0", "a.go 1:2"}}},
		"the end of a file":       {map[string]string{"a.go": "// ours: é😀 f"}, answer{Uses: []string{"a.go 0:13"}}},
		"what means others":       {map[string]string{"a.go": "f // near\nf // ours\nf // another\n"}, answer{Uses: []string{"a.go 1:0"}}},
		"another language":        {map[string]string{"a.txt": "f // ours", "sub/b.go": "f // ours"}, answer{Uses: []string{"sub/b.go 0:0"}}},
		"folders of tools":        {map[string]string{".git/a.go": "f // ours", "node_modules/a.go": "f // ours"}, answer{}},
		"as large as may be":      {map[string]string{"a.go": "f // ours" + huge}, answer{Uses: []string{"a.go 0:0"}}},
		"larger":                  {map[string]string{"a.go": "f // ours " + huge}, answer{}},
		"some are not known":      {map[string]string{"a.go": "f // ours\nf // lost\nf, f // lost\n"}, answer{Uses: []string{"a.go 0:0"}, Notes: []string{"/: what 3 occurrences of f mean is not known: broken"}}},
		"none is known":           {map[string]string{"a.go": "f // lost\n"}, answer{Err: "broken"}},
		"as many as may be":       {map[string]string{"a.go": strings.Repeat("f\n", maxOccurrences), "b.go": "f // ours"}, answer{Uses: []string{"b.go 0:0"}}},
		"more than are asked for": {map[string]string{"a.go": strings.Repeat("f\n", maxOccurrences+1), "b.go": "f // ours"}, answer{Notes: []string{"/ is too large: the search ended at /b.go"}}},
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), ".consumer")
			for file, text := range c.files {
				lsptest.WriteFile(t, filepath.Join(root, filepath.FromSlash(file)), text)
			}
			consumer := Consumer{Root: root, Speaks: func(path string) bool { return filepath.Ext(path) == ".go" }}
			library := t.TempDir()
			for _, file := range []string{"lib.go", "other.go"} {
				lsptest.WriteFile(t, filepath.Join(library, file), "")
			}
			declaration := symbols.Place{Path: filepath.Join(library, "lib.go"), Range: protocol.Range{Start: protocol.Position{Line: 3, Character: 5}}}
			uses, notes, err := consumer.Uses(t.Context(), symbols.New(telling{&code{}, library}), "f", declaration)
			var got answer
			shown := func(text string) string {
				return strings.ReplaceAll(strings.ReplaceAll(text, root+string(filepath.Separator), "/"), root, "/")
			}
			for _, u := range uses {
				got.Uses = append(got.Uses, fmt.Sprintf("%s %d:%d", strings.TrimPrefix(filepath.ToSlash(shown(u.Path)), "/"), u.Range.Start.Line, u.Range.Start.Character))
				if length := u.Range.End.Character - u.Range.Start.Character; length != 1 {
					t.Errorf("a use of f has %d characters", length)
				}
			}
			for _, n := range notes {
				got.Notes = append(got.Notes, shown(n))
			}
			if err != nil {
				got.Err = err.Error()
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A search in a consumer ends with the time for it, and says so.
func TestSearchOfAConsumerEnds(t *testing.T) {
	root := t.TempDir()
	lsptest.WriteFile(t, filepath.Join(root, "a.go"), "f // ours")
	over, cancel := context.WithCancel(t.Context())
	cancel()
	consumer := Consumer{Root: root, Speaks: func(string) bool { return true }}
	if uses, _, err := consumer.Uses(over, symbols.New(telling{&code{}, root}), "f", symbols.Place{}); !errors.Is(err, context.Canceled) || len(uses) > 0 {
		t.Errorf("%v, %v", uses, err)
	}
}
