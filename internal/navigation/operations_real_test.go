package navigation_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

const shapes = `
-- go.mod --
module m

go 1.24
-- shape.go --
package m

// A Shape has an area.
type Shape interface {
	Area() int
}

// Square is a Shape.
type Square struct{ side int }

func (s Square) Area() int {
	return s.side * s.side
}

func total(list ...Shape) (sum int) {
	for _, s := range list {
		sum += s.Area()
	}
	return sum
}
-- use.go --
package m

var all = total(Square{1})

func later() {
	go total()
	total()
}
-- use_test.go --
package m

import "testing"

func TestTotal(t *testing.T) {
	if total() != 0 {
		t.Error("not 0")
	}
}
`

// What each operation answers about a small project, whole and as callers get it: places are counted from 1
// and named from their folder.
//
// Requirement: AGENT-8, AGENT-11.
func TestAnswersOfOperations(t *testing.T) {
	s := enginetest.OpenReal(t, shapes, "gopls")
	explored := func(place string) any {
		answer := enginetest.Do(t, s, api.Explore, api.ExploreRequest{Selector: api.Selector{At: place}})
		if !strings.Contains(answer.Hover, answer.Symbol) {
			t.Errorf("of %s it is said %q", answer.Symbol, answer.Hover)
		}
		answer.Hover = "" // other in each version of the server
		return answer
	}
	at := func(place string) api.Selector { return api.Selector{At: place} }
	for _, c := range []struct {
		name string
		got  any
		want string
	}{
		{
			"definition", enginetest.Do(t, s, api.Definition, api.DefinitionRequest{Selector: at("use.go:3 total")}),
			`{"symbol":"total","what":"definition","total":1,"file_count":1,"files":[{"path":"shape.go","count":1,"places":[{"line":15,"column":6,"end_line":15,"end_column":11,"text":"func total(list ...Shape) (sum int) {"}]}]}`,
		},
		{
			"its source", enginetest.Do(t, s, api.Definition, api.DefinitionRequest{Selector: at("use.go:3 Square"), WithSource: true}),
			`{"symbol":"Square","what":"definition","total":1,"file_count":1,"files":[{"path":"shape.go","count":1,"places":[{"line":9,"column":6,"end_line":9,"end_column":12,"source":{"symbol":"Square","kind":"struct","path":"shape.go","line":8,"end_line":9,"code":"// Square is a Shape.\ntype Square struct{ side int }"}}]}]}`,
		},
		{
			"a kind of definition", enginetest.Do(t, s, api.Definition, api.DefinitionRequest{Selector: at("use.go:3 Square"), Kind: "type_definition"}),
			`{"symbol":"Square","what":"type definition","total":1,"file_count":1,"files":[{"path":"shape.go","count":1,"places":[{"line":9,"column":6,"end_line":9,"end_column":12,"text":"type Square struct{ side int }"}]}]}`,
		},
		{
			"type definition", enginetest.Do(t, s, api.TypeDefinition, api.DefinitionRequest{Selector: at("shape.go:16 list")}),
			`{"symbol":"list","what":"type definition","total":1,"file_count":1,"files":[{"path":"shape.go","count":1,"places":[{"line":4,"column":6,"end_line":4,"end_column":11,"text":"type Shape interface {"}]}]}`,
		},
		{
			"implementation", enginetest.Do(t, s, api.Implementation, api.DefinitionRequest{Selector: at("shape.go:4 Shape")}),
			`{"symbol":"Shape","what":"implementation","total":1,"file_count":1,"files":[{"path":"shape.go","count":1,"places":[{"line":9,"column":6,"end_line":9,"end_column":12,"text":"type Square struct{ side int }"}]}]}`,
		},
		{
			"highlights", enginetest.Do(t, s, api.Highlights, api.HighlightsRequest{Selector: at("shape.go:17 sum")}),
			`{"symbol":"sum","what":"use","total":3,"file_count":1,"files":[{"path":"shape.go","count":3,"places":[{"line":15,"column":28,"text":"func total(list ...Shape) (sum int) {","kind":"text"},{"line":17,"column":3,"text":"sum += s.Area()","kind":"write"},{"line":19,"column":9,"text":"return sum","kind":"read"}]}]}`,
		},
		{
			"folding", enginetest.Do(t, s, api.Folding, api.FileRequest{File: "use.go"}),
			`{"path":"use.go","total":1,"folds":[{"line":5,"end_line":7}]}`,
		},
		{
			"source", enginetest.Do(t, s, api.Source, api.SourceRequest{Selector: at("shape.go Square.Area")}),
			`{"symbol":"Square.Area","kind":"method","path":"shape.go","line":11,"end_line":13,"code":"func (s Square) Area() int {\n\treturn s.side * s.side\n}"}`,
		},
		{
			"source with context", enginetest.Do(t, s, api.Source, api.SourceRequest{Selector: at("use.go all"), ContextLines: 3}),
			`{"symbol":"all","kind":"variable","path":"use.go","line":1,"end_line":6,"code":"package m\n\nvar all = total(Square{1})\n\nfunc later() {\n\tgo total()"}`,
		},
		{
			"source of no declaration", enginetest.Do(t, s, api.Source, api.SourceRequest{Selector: at("use.go:1 m")}),
			`{"notes":["nothing is declared around m: this is its line alone"],"path":"use.go","line":1,"end_line":1,"code":"package m"}`,
		},
		{
			"callers", enginetest.Do(t, s, api.Hierarchy, api.HierarchyRequest{Selector: at("shape.go total"), CrossConcurrent: true}),
			`{"completeness":"complete","symbol":"total","direction":"callers","total":3,"nodes":[{"name":"init","kind":"variable","path":"use.go","line":3,"column":5,"sites":["3:11"]},{"name":"later","kind":"function","path":"use.go","line":5,"column":6,"sites":["6:5","7:2"],"concurrent":"goroutine"},{"name":"TestTotal","kind":"function","path":"use_test.go","line":5,"column":6,"sites":["6:5"],"test":true}]}`,
		},
		{
			"callees", enginetest.Do(t, s, api.Hierarchy, api.HierarchyRequest{Selector: at("use.go later"), Direction: "callees", Depth: 2}),
			`{"symbol":"later","direction":"callees","total":1,"nodes":[{"name":"total","kind":"function","path":"shape.go","line":15,"column":6,"sites":["6:5","7:2"],"nodes":[{"name":"Area","kind":"function","path":"shape.go","line":5,"column":2,"sites":["17:12"]}]}]}`,
		},
		{
			"search", enginetest.Do(t, s, api.FindSymbol, api.SymbolsRequest{Query: "total", Hover: true}),
			`{"next":"source at shape.go:15:6","query":"total","total":2,"symbols":[{"name":"total","kind":"function","detail":"'''go\nfunc total(list ...Shape) (sum int)\n'''","path":"shape.go","line":15,"column":6,"container":"m"},{"name":"TestTotal","kind":"function","detail":"'''go\nfunc TestTotal(t *testing.T)\n'''","path":"use_test.go","line":5,"column":6,"container":"m"}]}`,
		},
		{
			"outline", enginetest.Do(t, s, api.Symbols, api.SymbolsRequest{File: "shape.go", Format: "flat", Limit: 3, Offset: 1}),
			`{"path":"shape.go","total":6,"offset":1,"symbols":[{"name":"Shape.Area","kind":"method","detail":"func() int","line":5,"column":2,"end_line":5},{"name":"Square","kind":"struct","detail":"struct{...}","line":9,"column":6,"end_line":9},{"name":"Square.side","kind":"field","detail":"int","line":9,"column":21,"end_line":9}]}`,
		},
		{
			"a page of a tree", enginetest.Do(t, s, api.Symbols, api.SymbolsRequest{File: "shape.go", Limit: 1, Offset: 1, Depth: 1}),
			`{"path":"shape.go","total":6,"offset":1,"symbols":[{"name":"Square","kind":"struct","detail":"struct{...}","line":9,"column":6,"end_line":9}]}`,
		},
		{
			"of a kind", enginetest.Do(t, s, api.Outline, api.SymbolsRequest{File: "shape.go", Kind: "method", Format: "flat"}),
			`{"path":"shape.go","total":6,"symbols":[{"name":"Shape.Area","kind":"method","detail":"func() int","line":5,"column":2,"end_line":5},{"name":"Square.Area","kind":"method","detail":"func() int","line":11,"column":17,"end_line":13}]}`,
		},
		{
			"completions", enginetest.Do(t, s, api.Completions, api.PlaceRequest{Selector: at("use.go:7:5")}),
			`{"at":"use.go:7:5","total":1,"items":[{"label":"total","kind":"function","detail":"func(list ...Shape) (sum int)","insert":"total()"}],"incomplete":true}`,
		},
		{
			"inlay hints", enginetest.Do(t, s, api.InlayHints, api.AreaRequest{Area: api.Area{File: "use.go"}}),
			`{"path":"use.go","total":3,"hints":[{"line":3,"column":8,"label":"int","kind":"type"},{"line":3,"column":17,"label":"list...:","kind":"parameter"},{"line":3,"column":24,"label":"side:","kind":"parameter"}]}`,
		},
		{
			"signature help", enginetest.Do(t, s, api.SignatureHelp, api.PlaceRequest{Selector: at("use.go:6:11")}),
			`{"notes":["column 11 is beside total; took use.go:6:5"],"at":"use.go:6:5","signatures":[{"label":"total(list ...Shape) (sum int)","parameters":["list ...Shape"],"active_parameter":"list ...Shape"}],"active":0}`,
		},
		{
			"explore", explored("shape.go total"),
			`{"completeness":"complete","symbol":"total","kind":"function","at":"shape.go:15:6","signature":"func(list ...Shape) (sum int)","definition":"shape.go:15:6","source":{"symbol":"total","kind":"function","path":"shape.go","line":15,"end_line":20,"code":"func total(list ...Shape) (sum int) {\n\tfor _, s := range list {\n\t\tsum += s.Area()\n\t}\n\treturn sum\n}"},"callers":{"symbol":"total","direction":"callers","total":3,"nodes":[{"name":"init","kind":"variable","path":"use.go","line":3,"column":5,"sites":["3:11"]},{"name":"later","kind":"function","path":"use.go","line":5,"column":6,"sites":["6:5","7:2"]},{"name":"TestTotal","kind":"function","path":"use_test.go","line":5,"column":6,"sites":["6:5"],"test":true}]},"references":{"symbol":"total","what":"reference","total":4,"file_count":2,"files":[{"path":"use.go","count":3,"places":[{"line":3,"column":11,"text":"var all = total(Square{1})"},{"line":6,"column":5,"text":"go total()"},{"line":7,"column":2,"text":"total()"}]},{"path":"use_test.go","count":1,"places":[{"line":6,"column":5,"text":"if total() != 0 {"}]}]},"tests":1,"test_files":["use_test.go"]}`,
		},
		{
			"explore a type", explored("use.go:3 Square"),
			`{"completeness":"complete","symbol":"Square","kind":"struct","at":"use.go:3:17","signature":"struct{...}","definition":"shape.go:9:6","source":{"symbol":"Square","kind":"struct","path":"shape.go","line":8,"end_line":9,"code":"// Square is a Shape.\ntype Square struct{ side int }"},"references":{"symbol":"Square","what":"reference","total":2,"file_count":2,"files":[{"path":"shape.go","count":1,"places":[{"line":11,"column":9,"text":"func (s Square) Area() int {"}]},{"path":"use.go","count":1,"places":[{"line":3,"column":17,"text":"var all = total(Square{1})"}]}]}}`,
		},
	} {
		raw, err := json.Marshal(c.got)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.ReplaceAll(string(raw), "`", "'")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
