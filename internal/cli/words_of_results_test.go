package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/result"
)

// For people, places are lines that editors can follow, what was cut is got by flags, and names have their brackets.
func TestTextForPeople(t *testing.T) {
	places := &result.Places{Symbol: "Load", What: "reference", Total: 3, FileCount: 2, Files: []result.PlaceFile{
		{Path: "a.go", Count: 2, Places: []result.Place{{Line: 1, Column: 2, Text: "Load()"}, {Line: 3, Column: 4}}},
		{Path: "b/b.go", Count: 1, Places: []result.Place{{Line: 5, Column: 6, Text: "x.Load()"}}},
	}}
	outline := &result.Symbols{Path: "a.go", Total: 2, Symbols: []result.Symbol{{Name: "A", Kind: "function", Line: 1}}}
	outline.Cut = "all but 1 of 2 symbols; raise max_bytes to get them"
	for _, c := range []struct {
		of   result.Result
		want string
	}{
		{places, "a.go:1:2: Load()\na.go:3:4\nb/b.go:5:6: x.Load()\nLoad: 3 references in 2 files"},
		{&result.Places{Symbol: "Load", What: "reference"}, "Load: no reference"},
		{outline, "a.go: 2 symbols\n1 function A\ncut: all but 1 of 2 symbols; raise --max-bytes to get them"},
		{&result.Context{Items: []result.ContextItem{{Text: "a\nb"}, {Text: "c"}}, Bytes: 4}, "a\nb\n\nc\nitems: 2, 4 bytes"},
	} {
		if diff := cmp.Diff(c.want, textOf(c.of)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
