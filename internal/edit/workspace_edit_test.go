package edit

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
)

// Servers send edits in many shapes; each is made as it is meant, in its order.
func TestWorkspaceEdits(t *testing.T) {
	for _, c := range []struct {
		name, json string
		want       map[string]string
	}{
		{
			"changes", `{"changes":{"ROOT/a":[{"range":{"start":{"line":0,"character":2},"end":{"line":0,"character":5}},"newText":"TWO"},{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"newText":"1"}],"ROOT/b":[]}}`,
			map[string]string{"a": "1 TWO\r\n", "b": "😀b\n"},
		},
		{
			"documentChanges win", `{"changes":{"ROOT/a":[]},"documentChanges":[{"textDocument":{"uri":"ROOT/b","version":null},"edits":[{"range":{"start":{"line":0,"character":2},"end":{"line":0,"character":3}},"newText":"B","annotationId":"x"}]}]}`,
			map[string]string{"b": "😀B\n"},
		},
		{
			"the same document in two parts", `{"documentChanges":[{"textDocument":{"uri":"ROOT/a","version":3},"edits":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"newText":"longer"}]},
			{"textDocument":{"uri":"ROOT/b","version":1},"edits":[]},
			{"textDocument":{"uri":"ROOT/%61","version":3},"edits":[{"range":{"start":{"line":0,"character":2},"end":{"line":0,"character":5}},"newText":"2"},{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"newText":"longer"}]}]}`,
			map[string]string{"a": "longer 2\r\n"},
		},
		{
			"rename, then edit", `{"documentChanges":[{"kind":"rename","oldUri":"ROOT/a","newUri":"ROOT/dir/c"},{"textDocument":{"uri":"ROOT/dir/c"},"edits":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"newText":"1"}]}]}`,
			map[string]string{"a": "none", "dir/c": "1 two\r\n"},
		},
		{
			"create, then fill", `{"documentChanges":[{"kind":"create","uri":"ROOT/n","options":{"overwrite":false,"ignoreIfExists":true}},{"textDocument":{"uri":"ROOT/n","version":null},"edits":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":"x\n"}]},{"kind":"delete","uri":"ROOT/gone","options":{"ignoreIfNotExists":true}},{"kind":"delete","uri":"ROOT/b"}]}`,
			map[string]string{"n": "x\n", "b": "none"},
		},
		{
			"all of it, to a line far past the end", `{"changes":{"ROOT/a":[{"range":{"start":{"line":0,"character":0},"end":{"line":9007199254740991,"character":0}},"newText":"new\n"}]}}`,
			map[string]string{"a": "new\r\n"},
		},
		{
			"snippets", `{"documentChanges":[{"textDocument":{"uri":"ROOT/a"},"edits":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"snippet":{"kind":"snippet","value":"${1:name}($0) "}},{"range":{"start":{"line":0,"character":2},"end":{"line":0,"character":5}},"newText":"$0\\$x","insertTextFormat":2}]}]}`,
			map[string]string{"a": "name() 1 $x\r\n"},
		},
		{"null", `null`, map[string]string{"b": "😀b\n"}},
	} {
		root := put(t, map[string]string{"a": "1 two\r\n", "b": "😀b\n"})
		text := strings.ReplaceAll(c.json, "ROOT", string(protocol.URIFromPath(root)))
		w, err := DecodeWorkspaceEdit(json.RawMessage(text))
		p := planIn(t, root)
		if err == nil {
			err = p.Workspace(w, protocol.Ours)
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for path, want := range c.want {
			if got := p.textAt(t, path); got != want {
				t.Errorf("%s: %s is %q, want %q", c.name, path, got, want)
			}
		}
	}
}

// What is decoded has all that a caller may ask about.
func TestDecodedWorkspaceEdit(t *testing.T) {
	w, err := DecodeWorkspaceEdit(json.RawMessage(`{"changeAnnotations":{"x":{"label":"Rename","needsConfirmation":true,"description":"in comments"}},"documentChanges":[
		{"textDocument":{"uri":"file:///a","version":7},"edits":[{"range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}},"newText":"t","annotationId":"x"}]},
		{"kind":"rename","oldUri":"file:///a","newUri":"file:///b","options":{"overwrite":true,"ignoreIfExists":true},"annotationId":"x"},
		{"kind":"delete","uri":"file:///c","options":{"recursive":true,"ignoreIfNotExists":true}}],"more":1}`))
	seven := int64(7)
	want := WorkspaceEdit{
		Annotations: map[string]Annotation{"x": {"Rename", "in comments", true}},
		Operations: []Operation{
			{Kind: EditText, URI: "file:///a", Version: &seven, Edits: []AnnotatedEdit{{TextEdit{place(1, 2, 3, 4), "t"}, "x"}}},
			{Kind: RenameFile, URI: "file:///a", To: "file:///b", Existing: Existing{true, true}, Annotation: "x"},
			{Kind: DeleteFile, URI: "file:///c", Missing: Missing{true, true}},
		},
	}
	if d := cmp.Diff(want, w); d != "" || err != nil {
		t.Error(err, d)
	}
}

// Half of an edit is worse than none: what cannot be understood or made is
// refused whole.
func TestWorkspaceEditsRefused(t *testing.T) {
	good := `{"textDocument":{"uri":"ROOT/a"},"edits":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"newText":"x"}]}`
	for _, c := range []struct{ name, json, says string }{
		{"no JSON", `{`, "workspace edit"},
		{"no range", `{"changes":{"ROOT/a":[{"newText":"x"}]}}`, "edit 0 has no range"},
		{"no text", `{"changes":{"ROOT/a":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}}}]}}`, "edit 0 has no text"},
		{"negative", `{"changes":{"ROOT/a":[{"range":{"start":{"line":-1,"character":0},"end":{"line":0,"character":0}},"newText":""}]}}`, "no positions"},
		{"an unknown kind", `{"documentChanges":[` + good + `,{"kind":"copy"}]}`, `documentChanges[1]: neither`},
		{"no URI", `{"documentChanges":[{"kind":"create"}]}`, "without a URI"},
		{"not a file", `{"documentChanges":[` + good + `,{"kind":"create","uri":"untitled:x"}]}`, "operation 2 (create)"},
		{"outside", `{"documentChanges":[` + good + `,{"kind":"create","uri":"` + string(protocol.URIFromPath(lsptest.Rooted("/nowhere/x"))) + `"}]}`, "is outside"},
		{"past the end", `{"documentChanges":[` + good + `,{"textDocument":{"uri":"ROOT/b"},"edits":[{"range":{"start":{"line":9,"character":0},"end":{"line":9,"character":0}},"newText":"x"}]}]}`, "there are 2 lines"},
		{"overlaps", `{"documentChanges":[` + good + `,` + strings.Replace(good, `"x"`, `"y"`, 1) + `]}`, "overlap"},
	} {
		root := put(t, map[string]string{"a": "a\n", "b": "b\n"})
		text := strings.ReplaceAll(c.json, "ROOT", string(protocol.URIFromPath(root)))
		w, err := DecodeWorkspaceEdit(json.RawMessage(text))
		p := planIn(t, root)
		if err == nil {
			err = p.Workspace(w, protocol.Ours)
		}
		if err == nil || !strings.Contains(err.Error(), c.says) || len(p.files) > 0 {
			t.Errorf("%s: %v, %v", c.name, err, p.files)
		}
	}
}

// A snippet is what stands in the editor if the user types nothing.
func TestPlainSnippets(t *testing.T) {
	for snippet, want := range map[string]string{
		"plain": "plain", "f($1)$0": "f()", "${1:a ${2:b} c}": "a b c", "${1|one,two|}!": "one!", `${1|a\,b,c|}`: "a,b", `\$1 \} \\`: `$1 } \`,
		"$TM_FILENAME.x": ".x", "${TM_X:def}": "def", "${TM_X/(.*)/${1:/upcase}/}y": "y", "$1x": "x", "a $ b": "a $ b", "${}": "${}", "${1": "", "${1:open": "open", "{a}": "{a}", "$": "$",
		`a\`: `a\`, `a\x`: `a\x`, "${1|one,two": "one", "${1|one|x": "onex", `${1|a\`: `a\`, "$_a b": " b", "$a": "", "$z": "", "$A": "", "$Z": "", "$0": "", "$9": "", "$a9-": "-", "$12x": "x",
		"$@": "$@", "$[": "$[", "$/": "$/", "${1x}y": "y", "${1:a}}": "a}", "a}b": "a}b",
		strings.Repeat("${1:", deepest) + "x" + strings.Repeat("}", deepest):     "x",
		strings.Repeat("${1:", deepest+1) + "x" + strings.Repeat("}", deepest+1): "${1:x}",
	} {
		if got := plainSnippet(snippet); got != want {
			t.Errorf("%q is %q, want %q", snippet, got, want)
		}
	}
}

// Whatever a server sends, decoding and making it does not panic, and what is
// refused changes nothing.
func FuzzWorkspaceEdit(f *testing.F) {
	root := put(f, map[string]string{"a": "1 two\r\n", "dir/b": "😀b"})
	uri := string(protocol.URIFromPath(root))
	for _, seed := range []string{
		`null`, `{}`, `{"changes":{"ROOT/a":[{"range":{"start":{"line":0,"character":0},"end":{"line":1e99,"character":0.5}},"newText":"x"}]}}`,
		`{"documentChanges":[{"kind":"rename","oldUri":"ROOT/dir","newUri":"ROOT/c"},{"textDocument":{"uri":"ROOT/c/b","version":"x"},"edits":[{"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":2}},"snippet":{"value":"${1|a,b|}${x/y/"}}]},{"kind":"delete","uri":"ROOT/a"}]}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w, err := DecodeWorkspaceEdit(json.RawMessage(strings.ReplaceAll(text, "ROOT", filepath.ToSlash(uri))))
		if err != nil {
			return
		}
		p := planIn(t, root)
		if err := p.Workspace(w, protocol.Ours); err != nil && len(p.files)+len(p.dirs) > 0 {
			t.Errorf("refused with %v, but the plan has %v", err, p.files)
		}
		_ = p.Diff(nil)
	})
}
