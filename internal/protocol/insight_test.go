package protocol

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// decoded fails the test unless a decoder gave what is wanted without an error.
func decoded[T any](t *testing.T, name string, want, got T, wantSkipped, skipped int, err error) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" || skipped != wantSkipped || err != nil {
		t.Errorf("%s: %d skipped, want %d; %v\n%s", name, skipped, wantSkipped, err, d)
	}
}

// refused fails the test if a decoder takes one of the texts for an answer.
func refused[T any](t *testing.T, decode func(json.RawMessage) (T, int, error), texts ...string) {
	t.Helper()
	for _, text := range texts {
		if got, _, err := decode(json.RawMessage(text)); err == nil {
			t.Errorf("%s is an answer: %+v", text, got)
		}
	}
}

// A hover has three forms, and becomes text; its range may be there or not.
func TestHover(t *testing.T) {
	for raw, want := range map[string]string{
		``:                     "",
		`null`:                 "",
		`{}`:                   "",
		`{"contents":null}`:    "",
		`{"contents":[]}`:      "",
		`{"contents":7}`:       "",
		`{"contents":"plain"}`: "plain",
		`{"contents":{"kind":"markdown","value":"**b**"},"range":null}`:            "**b**",
		`{"contents":{"language":"go","value":"func f()"},"range":7}`:              "```go\nfunc f()\n```",
		`{"contents":["a",{"language":"go","value":"x"},"",{"value":"b"},null,7]}`: "a\n\n```go\nx\n```\n\nb",
	} {
		if got, err := DecodeHover(json.RawMessage(raw)); got.Text != want || got.Range != nil || err != nil {
			t.Errorf("%s is %q at %v, %v; want %q", raw, got.Text, got.Range, err, want)
		}
	}
	got, err := DecodeHover(json.RawMessage(`{"contents":"x",` + plainRange + `}`))
	decoded(t, "a range", Hover{"x", new(at(1, 2, 1, 5))}, got, 0, 0, err)
	for _, raw := range []string{`7`, `[]`, `"text"`} {
		if got, err := DecodeHover(json.RawMessage(raw)); err == nil {
			t.Errorf("%s is the hover %+v", raw, got)
		}
	}
}

// A signature help keeps its active ones through bad neighbours, in both forms
// of labels and of documentation, and never points outside.
func TestSignatureHelp(t *testing.T) {
	one := func(active int, parameters ...Parameter) *SignatureHelp {
		return &SignatureHelp{Signatures: []Signature{{Label: "f(é, 😀x)", Active: active, Parameters: parameters}}}
	}
	const label = `"label":"f(é, 😀x)"`
	e, x := Parameter{Label: "é"}, Parameter{Label: "😀x"}
	for _, c := range []struct {
		name, json string
		want       *SignatureHelp
		skipped    int
	}{
		{"null", `null`, nil, 0},
		{"nothing", ``, nil, 0},
		{"no signature", `{"signatures":[]}`, nil, 0},
		{"null signatures", `{"signatures":null,"activeSignature":null,"activeParameter":null}`, nil, 0},
		{"no parameters", `{"signatures":[{` + label + `}],"activeParameter":0}`, one(-1), 0},
		{"labels as text", `{"signatures":[{` + label + `,"parameters":[{"label":"é"},{"label":"😀x"}]}],"activeParameter":1}`, one(1, e, x), 0},
		{"labels as offsets", `{"signatures":[{` + label + `,"parameters":[{"label":[2,3]},{"label":[5,8]}]}],"activeParameter":1}`, one(1, e, x), 0},
		{"a label as all of the signature", `{"signatures":[{` + label + `,"parameters":[{"label":[0,9]},{"label":[9,9]}]}]}`, one(0, Parameter{Label: "f(é, 😀x)"}, Parameter{}), 1},
		{"the parameter not given", `{"signatures":[{` + label + `,"parameters":[{"label":"é"}]}]}`, one(0, e), 0},
		{"no parameter", `{"signatures":[{` + label + `,"parameters":[{"label":"é"}]}],"activeParameter":null}`, one(-1, e), 0},
		{"a parameter outside", `{"signatures":[{` + label + `,"parameters":[{"label":"é"}]}],"activeParameter":1}`, one(-1, e), 0},
		{"a parameter below", `{"signatures":[{` + label + `,"parameters":[{"label":"é"}]}],"activeParameter":-2}`, one(-1, e), 0},
		{"the signature's own parameter", `{"signatures":[{` + label + `,"parameters":[{"label":"é"},{"label":"😀x"}],"activeParameter":1}],"activeParameter":0}`, one(1, e, x), 0},
		{
			"bad parameters", `{"signatures":[{` + label + `,"parameters":[7,{"label":[2,99]},{"label":[3,2]},{"label":[-1,2]},{"label":["a","b"]},{"label":[1]},{},{"label":"é"}],"activeParameter":7}]}`,
			one(7, Parameter{}, Parameter{}, Parameter{}, Parameter{}, Parameter{}, Parameter{}, Parameter{}, e), 7,
		},
		{"odd parameters", `{"signatures":[{` + label + `,"parameters":{}}]}`, one(-1), 1},
		{
			"documentation", `{"signatures":[{"label":"f","documentation":"plain","parameters":[{"label":"é","documentation":{"kind":"markdown","value":"*m*"}}]},{"label":"g","documentation":null}],"activeSignature":0}`,
			&SignatureHelp{Signatures: []Signature{
				{Label: "f", Documentation: "plain", Parameters: []Parameter{{"é", "*m*"}}}, {Label: "g", Active: -1},
			}}, 0,
		},
		{
			"the active one among bad ones", `{"signatures":[null,{"label":"f"},{"label":7},{"label":"g"}],"activeSignature":3}`,
			&SignatureHelp{Signatures: []Signature{{Label: "f", Active: -1}, {Label: "g", Active: -1}}, Active: 1}, 2,
		},
		{"a signature outside", `{"signatures":[{` + label + `}],"activeSignature":4}`, one(-1), 0},
		{"a bad active one", `{"signatures":[{"label":""},{` + label + `}],"activeSignature":0}`, one(-1), 1},
		{"only bad ones", `{"signatures":[{"label":""}]}`, nil, 1},
	} {
		got, skipped, err := DecodeSignatureHelp(json.RawMessage(c.json))
		decoded(t, c.name, c.want, got, c.skipped, skipped, err)
	}
	refused(t, DecodeSignatureHelp, `7`, `[]`, `{"signatures":{}}`)
}

// Completions come as a list or bare, and leave with their unions resolved.
//
// Requirement: AGENT-45.
func TestCompletions(t *testing.T) {
	full := CompletionItem{
		Label: "Println", Kind: 3, Detail: "func(a ...any)", Documentation: "prints", InsertText: "Println()",
		SortText: "0", FilterText: "println", Deprecated: true,
	}
	bare := CompletionItem{Label: "x", InsertText: "x", SortText: "x", FilterText: "x"}
	with := func(change func(*CompletionItem)) CompletionList {
		item := bare
		change(&item)
		return CompletionList{Items: []CompletionItem{item}}
	}
	for _, c := range []struct {
		name, json string
		want       CompletionList
		skipped    int
	}{
		{"null", `null`, CompletionList{}, 0},
		{"nothing", ``, CompletionList{}, 0},
		{"none", `[]`, CompletionList{}, 0},
		{"an empty list", `{"isIncomplete":true,"items":[]}`, CompletionList{Incomplete: true}, 0},
		{"null items", `{"isIncomplete":null,"items":null}`, CompletionList{}, 0},
		{"bare", `[{"label":"x"}]`, CompletionList{Items: []CompletionItem{bare}}, 0},
		{
			"everything", ` {"isIncomplete":false,"itemDefaults":null,"items":[{"label":"Println","kind":3,"detail":"func(a ...any)",
				"documentation":{"kind":"markdown","value":"prints"},"textEdit":{` + plainRange + `,"newText":"Println()"},
				"insertText":"no","sortText":"0","filterText":"println","tags":[9,1]}]}`,
			CompletionList{Items: []CompletionItem{full}},
			0,
		},
		{"insert and replace", `[{"label":"x","textEdit":{"newText":"y","insert":{},"replace":{}}}]`, with(func(i *CompletionItem) { i.InsertText = "y" }), 0},
		{"an edit to nothing", `[{"label":"x","textEdit":{"newText":""},"insertText":"y"}]`, with(func(i *CompletionItem) { i.InsertText = "" }), 0},
		{"insert text", `[{"label":"x","textEdit":null,"insertText":"y"}]`, with(func(i *CompletionItem) { i.InsertText = "y" }), 0},
		{"documentation as text", `[{"label":"x","documentation":"d"}]`, with(func(i *CompletionItem) { i.Documentation = "d" }), 0},
		{"deprecated by a tag", `[{"label":"x","tags":[2,1]}]`, with(func(i *CompletionItem) { i.Deprecated = true }), 0},
		{"other tags", `[{"label":"x","tags":[2,null,"1"]}]`, with(func(*CompletionItem) {}), 0},
		{"deprecated", `[{"label":"x","deprecated":true,"tags":null}]`, with(func(i *CompletionItem) { i.Deprecated = true }), 0},
		{"nulls", `[{"label":"x","kind":null,"detail":null,"documentation":null,"textEdit":null,"insertText":null,"sortText":null,"filterText":null,"deprecated":null,"tags":null}]`, with(func(*CompletionItem) {}), 0},
		{"odd members", `[{"label":"x","kind":"function","detail":7,"documentation":7,"textEdit":7,"insertText":7,"sortText":{},"filterText":[],"deprecated":"yes","tags":{}}]`, with(func(*CompletionItem) {}), 0},
		{"an unknown kind", `[{"label":"x","kind":99}]`, with(func(i *CompletionItem) { i.Kind = 99 }), 0},
		{"bad items", `{"items":[null,7,{},{"label":""},{"label":7},{"label":"x"}]}`, CompletionList{Items: []CompletionItem{bare}}, 5},
	} {
		got, skipped, err := DecodeCompletions(json.RawMessage(c.json))
		decoded(t, c.name, c.want, got, c.skipped, skipped, err)
	}
	refused(t, DecodeCompletions, `7`, `"x"`, `{"items":{}}`, `{`)
}

// A highlight without a known kind is one of text.
func TestHighlights(t *testing.T) {
	got, skipped, err := DecodeHighlights(json.RawMessage(`[{` + plainRange + `,"kind":2},{` + plainRange + `,"kind":3},{` + plainRange + `,"kind":1},
		{` + plainRange + `},{` + plainRange + `,"kind":null},{` + plainRange + `,"kind":0},{` + plainRange + `,"kind":4},{` + plainRange + `,"kind":"read"},
		null,7,{},{"range":null},{"range":7}]`))
	var want []Highlight
	for _, kind := range []HighlightKind{HighlightRead, HighlightWrite, 1, 1, 1, 1, 1, 1} {
		want = append(want, Highlight{at(1, 2, 1, 5), kind})
	}
	decoded(t, "a list", want, got, 5, skipped, err)
	got, skipped, err = DecodeHighlights(json.RawMessage(`null`))
	decoded(t, "null", nil, got, 0, skipped, err)
	refused(t, DecodeHighlights, `7`, `{}`)
}

// The label of a hint is text or parts, its tooltip text or markup.
func TestInlayHints(t *testing.T) {
	const place = `"position":{"line":1,"character":2}`
	at := Position{1, 2}
	for _, c := range []struct {
		name, json string
		want       []InlayHint
		skipped    int
	}{
		{"null", `null`, nil, 0},
		{"text", `[{` + place + `,"label":": int","kind":1,"paddingLeft":true,"tooltip":"t"}]`, []InlayHint{{Position: at, Label: ": int", Kind: 1, PaddingLeft: true, Tooltip: "t"}}, 0},
		{
			"parts", `[{` + place + `,"label":[{"value":"a"},null,7,{"value":":","tooltip":"x","location":{}},{"value":7}],"kind":2,"paddingRight":true,"tooltip":{"kind":"markdown","value":"*t*"}}]`,
			[]InlayHint{{Position: at, Label: "a:", Kind: 2, PaddingRight: true, Tooltip: "*t*"}},
			0,
		},
		{"nulls", `[{` + place + `,"label":"x","kind":null,"paddingLeft":null,"paddingRight":null,"tooltip":null,"textEdits":null}]`, []InlayHint{{Position: at, Label: "x"}}, 0},
		{"odd numbers", `[{"position":{"line":-1,"character":1e99},"label":"x","kind":"type"}]`, []InlayHint{{Position: Position{0, 1<<31 - 1}, Label: "x"}}, 0},
		{"bad ones", `[null,7,{},{` + place + `},{` + place + `,"label":""},{` + place + `,"label":[]},{"position":null,"label":"x"},{` + place + `,"label":"x"}]`, []InlayHint{{Position: at, Label: "x"}}, 7},
	} {
		got, skipped, err := DecodeInlayHints(json.RawMessage(c.json))
		decoded(t, c.name, c.want, got, c.skipped, skipped, err)
	}
	refused(t, DecodeInlayHints, `7`, `{}`)
}

// Folding ranges are whole lines, the last not before the first.
func TestFoldingRanges(t *testing.T) {
	got, skipped, err := DecodeFoldingRanges(json.RawMessage(`[{"startLine":1,"startCharacter":4,"endLine":3,"endCharacter":null,"kind":"imports","collapsedText":"..."},
		{"startLine":5,"endLine":2,"kind":null,"collapsedText":null},{"startLine":-5,"endLine":1e99,"kind":7},
		null,7,{},{"startLine":1},{"startLine":null,"endLine":1}]`))
	decoded(t, "a list", []FoldingRange{{1, 3, "imports", "..."}, {5, 5, "", ""}, {0, 1<<31 - 1, "", ""}}, got, 5, skipped, err)
	got, skipped, err = DecodeFoldingRanges(json.RawMessage(`null`))
	decoded(t, "null", nil, got, 0, skipped, err)
	refused(t, DecodeFoldingRanges, `7`, `{}`)
}
