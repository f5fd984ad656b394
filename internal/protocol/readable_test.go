package protocol

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A snippet becomes what stands there if nobody fills it in.
func TestSnippetsBecomePlain(t *testing.T) {
	for snippet, want := range map[string]string{
		`plain`: `plain`, `div$1`: `div`, `<a href="$1">$2</a>$0`: `<a href=""></a>`, `for (${1:i} = 0)`: `for (i = 0)`,
		`${1:outer(${2:inner})}!`: `outer(inner)!`, `${1|left,right|}: ${2};`: `left: ;`, `${1|a\,b,c|}`: `a,b`, `{${1|a,b|}}`: `{a}`, `{${1/(.*)//}}`: `{}`,
		`\$5 and \} and \\`: `$5 and } and \`, `$TM_FILENAME-${TM_LINE:none}`: `-none`, `${1/(.*)/$1/}x`: `x`,
		`cost: $ and $`: `cost: $ and $`, `${`: `${`, `${1:open`: `open`, `color: ${1:#fff};$0`: `color: #fff;`, "": "",
	} {
		if got := plainSnippet(snippet); got != want {
			t.Errorf("%s: got %q, want %q", snippet, got, want)
		}
	}
}

// Only what a server says is a snippet is read as one.
func TestCompletionsOfSnippets(t *testing.T) {
	list, skipped, err := DecodeCompletions(json.RawMessage(`{"itemDefaults":{"insertTextFormat":2},"items":[
		{"label":"a","insertTextFormat":2,"insertText":"a($1)"},
		{"label":"b","insertTextFormat":1,"insertText":"b($1)"},
		{"label":"c","insertTextFormat":2,"textEdit":{"newText":"<c>$1</c>"}},
		{"label":"d","insertText":"d($1)"}]}`))
	var got []string
	for _, item := range list.Items {
		got = append(got, item.InsertText)
	}
	if diff := cmp.Diff([]string{"a()", "b($1)", "<c></c>", "d()"}, got); diff != "" || skipped > 0 || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}

// Entities of HTML are characters to a reader; pictures are what they are called.
func TestWordsWithoutHTML(t *testing.T) {
	d, _, err := DecodeDiagnostics(json.RawMessage(`[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},
		"message":"expected List&lt;String&gt; &amp; not &quot;x&quot;, &unknown; a && b"}]`))
	if err != nil || len(d) != 1 || d[0].Message != `expected List<String> & not "x", &unknown; a && b` {
		t.Errorf("%+v, %v", d, err)
	}
	for raw, want := range map[string]string{
		`{"contents":{"kind":"markdown","value":"**a**&nbsp;&nbsp;b &lt;T&gt;"}}`:                                    "**a**  b <T>",
		`{"contents":"before ![logo](data:image/png;base64,iVBORw0KGgo=) after"}`:                                    "before logo after",
		`{"contents":["x",{"language":"css","value":"a"}, "<img alt='y' src=\"data:image/svg+xml;utf8,<svg/>\"/>"]}`: "x\n\n```css\na\n```",
		`{"contents":"![kept](https://example.com/a.png)"}`:                                                          "![kept](https://example.com/a.png)",
	} {
		hover, err := DecodeHover(json.RawMessage(raw))
		if err != nil || hover.Text != want {
			t.Errorf("%s: %q, %v; want %q", raw, hover.Text, err, want)
		}
	}
}

// An edit that changes nothing is none: what the action does is its command.
func TestActionsWithEmptyEdits(t *testing.T) {
	for edit, empty := range map[string]bool{
		`{}`: true, `{"changes":{}}`: true, `{"documentChanges":[]}`: true, `{"changes":{},"documentChanges":[]}`: true, `{"changes":{"file:///a":[]}}`: true,
		`{"documentChanges":[{"textDocument":{"uri":"file:///a","version":1},"edits":[]}]}`: true,
		`{"changes":{"file:///a":[{"range":{},"newText":"x"}]}}`:                            false, `{"documentChanges":[{"kind":"create","uri":"file:///a"}]}`: false,
		`{"documentChanges":[{"textDocument":{"uri":"file:///a"},"edits":[{"newText":"x"}]}]}`: false, `"odd"`: false,
	} {
		action, ok := DecodeCodeAction(json.RawMessage(`{"title":"a","edit":` + edit + `,"command":{"title":"c","command":"c"}}`))
		if !ok || (action.Edit == nil) != empty || action.Command == nil {
			t.Errorf("%s: %+v", edit, action)
		}
	}
}
