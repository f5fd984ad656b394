package replay

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/trace"
)

// recorded is a conversation: -> was sent to the server, <- came from it. The double arrows are another one.
const recorded = `
-> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"file:///there","rootPath":"/there","processId":7}}
<- {"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}
-> {"jsonrpc":"2.0","method":"initialized","params":{}}
<- {"jsonrpc":"2.0","id":1,"method":"workspace/configuration","params":{"items":[]}}
-> {"jsonrpc":"2.0","id":1,"result":[]}
-> {"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///there/a","version":3,"text":"été 1"}}}
<- {"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///there/a","diagnostics":[]}}
-> {"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///there/a"},"position":{"line":1}}}
-> {"jsonrpc":"2.0","id":3,"method":"textDocument/definition","params":{"textDocument":{"uri":"file:///there/a"}}}
<- {"jsonrpc":"2.0","id":3,"result":[{"uri":"file:///there/b"}]}
<- {"jsonrpc":"2.0","method":"$/progress","params":{"token":1}}
<- {"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"no"}}
=> {"jsonrpc":"2.0","id":9,"method":"textDocument/references","params":{}}
<= {"jsonrpc":"2.0","id":9,"result":[]}
`

func replayOf(t *testing.T, conversation string) *Replay {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(conversation)) {
		way, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		l := trace.Line{Server: "toy", Root: "/there", Connection: 1}
		if way[0] == '=' || way[1] == '=' {
			l.Connection = 2
		}
		if way[1] == '>' {
			l.Sent = json.RawMessage(text)
		} else {
			l.Received = json.RawMessage(text)
		}
		wire, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(wire, '\n'))
	}
	r, err := Read(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// play sends messages and returns what comes back, a message a line.
func play(t *testing.T, r *Replay, messages ...string) (answers []string, unanswered []string) {
	t.Helper()
	var in, out strings.Builder
	for _, m := range messages {
		in.WriteString("Content-Length: " + itoa(len(m)) + "\r\n\r\n" + m)
	}
	unanswered, err := r.Serve("toy", strings.NewReader(in.String()), &out)
	if err != nil {
		t.Fatal(err)
	}
	for frame := range strings.SplitSeq(out.String(), "Content-Length: ") {
		if _, body, found := strings.Cut(frame, "\r\n\r\n"); found {
			answers = append(answers, body)
		}
	}
	return answers, unanswered
}

func itoa(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

const (
	initialize = `{"jsonrpc":"2.0","id":"x","method":"initialize","params":{"rootUri":"file:///here","rootPath":"/here","processId":99}}`
	didOpen    = `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"version":1,"text":"été 1","uri":"file:///here/a"}}}`
	didChange  = `{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"version":2,"uri":"file:///here/a"},"contentChanges":[{"range":{"start":{"line":0,"character":4},"end":{"line":0,"character":5}},"text":"2"}]}}`
	changeBack = `{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"version":3,"uri":"file:///here/a"},"contentChanges":[{"text":"été 1"}]}}`
	hover      = `{"jsonrpc":"2.0","id":21,"method":"textDocument/hover","params":{"position":{"line":1},"textDocument":{"uri":"file:///here/a"}}}`
	definition = `{"jsonrpc":"2.0","id":22,"method":"textDocument/definition","params":{"textDocument":{"uri":"file:///here/a"}}}`
	initial    = `{"jsonrpc":"2.0","id":"x","result":{"capabilities":{}}}`
	configure  = `{"jsonrpc":"2.0","id":1,"method":"workspace/configuration","params":{"items":[]}}`
	published  = `{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///here/a","diagnostics":[]}}`
	progressed = `{"jsonrpc":"2.0","method":"$/progress","params":{"token":1}}`
	failed     = `{"jsonrpc":"2.0","id":21,"error":{"code":-32603,"message":"no"}}`
	refused    = `{"jsonrpc":"2.0","id":22,"error":{"code":-32803,"message":"the trace has no answer to this textDocument/definition"}}`
	defined    = `{"jsonrpc":"2.0","id":22,"result":[{"uri":"file:///here/b"}]}`
)

// What a client hears depends on what it says: each answer comes after all that the server said before it, in the order of
// the trace, with the client's own ids and in its own folder.
func TestReplay(t *testing.T) {
	tests := map[string]struct {
		says, hears []string
		unanswered  []string
	}{
		"the same questions": {
			[]string{initialize, `{"jsonrpc":"2.0","method":"initialized","params":{}}`, didOpen, hover, definition},
			[]string{initial, configure, published, progressed, failed, defined},
			nil,
		},
		"in another order": {
			[]string{initialize, didOpen, definition, hover},
			[]string{initial, configure, published, defined, progressed, failed},
			nil,
		},
		"one is not put, and one again": {
			[]string{initialize, didOpen, definition, definition},
			[]string{initial, configure, published, defined, progressed, defined},
			nil,
		},
		"one that was never put": {
			[]string{initialize, `{"jsonrpc":"2.0","id":5,"method":"textDocument/hover","params":{"position":{"line":2}}}`},
			[]string{initial, `{"jsonrpc":"2.0","id":5,"error":{"code":-32803,"message":"the trace has no answer to this textDocument/hover"}}`},
			[]string{"textDocument/hover"},
		},
		"about another text": {
			[]string{initialize, didOpen, didChange, definition},
			[]string{initial, configure, published, refused},
			[]string{"textDocument/definition"},
		},
		"about the same text, in another way": {
			[]string{initialize, didOpen, didChange, changeBack, definition},
			[]string{initial, configure, published, defined, progressed},
			nil,
		},
		"that was put in another conversation": {
			[]string{initialize, `{"jsonrpc":"2.0","id":8,"method":"textDocument/references","params":{}}`},
			[]string{initial, `{"jsonrpc":"2.0","id":8,"result":[]}`},
			nil,
		},
		"the end": {
			[]string{initialize, `{"jsonrpc":"2.0","id":6,"method":"shutdown"}`, `{"jsonrpc":"2.0","method":"exit"}`, definition},
			[]string{initial, `{"jsonrpc":"2.0","id":6,"result":null}`},
			nil,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			answers, unanswered := play(t, replayOf(t, recorded), test.says...)
			if diff := cmp.Diff(test.hears, answers); diff != "" {
				t.Errorf("answers (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.unanswered, unanswered); diff != "" {
				t.Errorf("unanswered (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReplayOfNothing(t *testing.T) {
	r := replayOf(t, recorded)
	if diff := cmp.Diff([]string{"toy"}, r.Servers()); diff != "" {
		t.Error(diff)
	}
	frame := "Content-Length: " + itoa(len(initialize)) + "\r\n\r\n" + initialize
	if _, err := r.Serve("gopls", strings.NewReader(frame), io.Discard); err == nil || !strings.Contains(err.Error(), "nothing of gopls") {
		t.Errorf("%v", err)
	}
	if _, err := Read(strings.NewReader("{}\nno trace\n")); err == nil || !strings.Contains(err.Error(), "line 2 of the trace") {
		t.Errorf("%v", err)
	}
}

// The last line of a trace may have been cut at any place. Any other is whole, or an error.
func TestReadCut(t *testing.T) {
	const first, last = `{"server":"a","connection":1,"sent":{}}` + "\n", `{"server":"b","connection":2,"sent":{}}`
	for n := range len(last) + 1 {
		r, err := Read(strings.NewReader(first + last[:n]))
		if err != nil {
			t.Errorf("%q is cut: %v", last[:n], err)
			continue
		}
		want := []string{"a"}
		if n == len(last) {
			want = append(want, "b")
		}
		if diff := cmp.Diff(want, r.Servers()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", last[:n], diff)
		}
	}
	for _, wrong := range []string{last[:9] + "\n", last[:9] + "\n" + first, last[:9] + first} {
		if _, err := Read(strings.NewReader(first + wrong)); err == nil || !strings.Contains(err.Error(), "line 2 of the trace") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}
