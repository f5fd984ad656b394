package replay

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ofVersions is a conversation in which a uses b, and is opened again after b has changed.
const ofVersions = `
-> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"file:///there","rootPath":"/there"}}
<- {"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}
-> {"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///there/b","version":1,"text":"b"}}}
-> {"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///there/a","version":1,"text":"a"}}}
-> {"jsonrpc":"2.0","id":2,"method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"file:///there/a"}}}
<- {"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///there/a","diagnostics":[],"version":1}}
<- {"jsonrpc":"2.0","id":2,"result":[]}
-> {"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///there/b","version":2},"contentChanges":[{"text":"B"}]}}
-> {"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":"file:///there/a"}}}
-> {"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///there/a","version":2,"text":"a"}}}
-> {"jsonrpc":"2.0","id":3,"method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"file:///there/a"}}}
<- {"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///there/a","diagnostics":["B is wrong"],"version":2}}
<- {"jsonrpc":"2.0","id":3,"result":[]}
`

// Diagnostics of a version are said of the version that the client has, once all texts are those that the server judged, and
// never of one with which they have nothing to do.
func TestVersions(t *testing.T) {
	open := func(name string, version int, text string) string {
		return fmt.Sprintf(`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///here/%s","version":%d,"text":%q}}}`, name, version, text)
	}
	change := func(name string, version int, text string) string {
		return fmt.Sprintf(`{"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///here/%s","version":%d},"contentChanges":[{"text":%q}]}}`,
			name, version, text)
	}
	const (
		closeA  = `{"method":"textDocument/didClose","params":{"textDocument":{"uri":"file:///here/a"}}}`
		ask     = `{"id":9,"method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"file:///here/a"}}}`
		answer  = `{"jsonrpc":"2.0","id":9,"result":[]}`
		refusal = `{"jsonrpc":"2.0","id":9,"error":{"code":-32803,"message":"the trace has no answer to this textDocument/documentSymbol"}}`
	)
	says := func(version int, diagnostics string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"diagnostics":[%s],"uri":"file:///here/a","version":%d}}`,
			diagnostics, version)
	}
	// What names the version of the trace is as it is there.
	asThere := func(version int, diagnostics string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///here/a","diagnostics":[%s],"version":%d}}`,
			diagnostics, version)
	}
	const wrong = `"B is wrong"`
	tests := map[string]struct{ says, hears []string }{
		"the same versions": {
			[]string{open("b", 1, "b"), open("a", 1, "a"), ask, change("b", 2, "B"), closeA, open("a", 2, "a"), ask},
			[]string{asThere(1, ""), answer, asThere(2, wrong), answer},
		},
		"opened once more": {
			[]string{open("a", 1, "a"), open("b", 1, "b"), closeA, open("a", 2, "a"), ask, change("b", 2, "B"), closeA, open("a", 3, "a"), ask},
			[]string{says(0, ""), says(2, ""), answer, says(3, wrong), answer},
		},
		"other versions": {
			[]string{open("b", 5, "b"), open("a", 7, "a"), ask, change("b", 6, "B"), closeA, open("a", 8, "a"), ask, ask},
			[]string{says(7, ""), answer, says(8, wrong), answer, answer},
		},
		"the last texts only": {
			[]string{open("b", 1, "B"), open("a", 1, "a"), ask},
			[]string{says(0, ""), says(1, wrong), answer},
		},
		"a text that nobody judged": {
			[]string{open("b", 1, "b"), open("a", 1, "a"), ask, change("b", 2, "other"), closeA, open("a", 2, "a"), ask},
			[]string{asThere(1, ""), answer, refusal},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			answers, _ := play(t, replayOf(t, ofVersions), slices.Insert(test.says, 0, initialize)...)
			if diff := cmp.Diff(slices.Insert(test.hears, 0, initial), answers); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
