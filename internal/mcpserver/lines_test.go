package mcpserver

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A line of the greatest length that a client may send is a message; one byte more, and it is answered
// and skipped, whatever comes after it.
func TestLongestLine(t *testing.T) {
	message := func(length int) string {
		const head, tail = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"`, "\"}}\n"
		return head + strings.Repeat("x", length-len(head)-len(tail)) + tail
	}
	for length, passes := range map[int]bool{maxLine: true, maxLine + 1: false} {
		var refused []byte
		f := newLineFilter(io.NopCloser(strings.NewReader(message(length)+message(200))), func(answer []byte) { refused = append(refused, answer...) })
		read, err := io.ReadAll(f)
		want := 200
		if passes {
			want += length
		}
		if err != nil || len(read) != want || (len(refused) == 0) != passes {
			t.Errorf("%d: %d bytes were passed on, want %d; refused: %q, %v", length, len(read), want, refused, err)
		}
	}
}

// Messages and batches of them are passed on, each on its line; every other line is answered with what
// is wrong with it, and with its id if it has one. A last line needs no end.
func TestLinesThatAreNoMessages(t *testing.T) {
	const (
		ping    = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
		notJSON = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the line is not JSON"}}`
	)
	invalid := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32600,"message":"the line is no JSON-RPC 2.0 message"}}`
	}
	for line, want := range map[string]struct{ passed, refused string }{
		ping:                             {passed: ping},
		"  " + ping + " \r":              {passed: ping},
		"[" + ping + "]":                 {passed: "[" + ping + "]"},
		"[" + ping + "," + ping + "]":    {passed: "[" + ping + "," + ping + "]"},
		"[" + ping + `,7]`:               {refused: invalid("null")},
		"[]":                             {refused: invalid("null")},
		"":                               {},
		"  ":                             {},
		"hello":                          {refused: notJSON},
		"{":                              {refused: notJSON},
		`"text"`:                         {refused: invalid("null")},
		"7":                              {refused: invalid("null")},
		`{"id":"a","method":"ping"}`:     {refused: invalid(`"a"`)},
		`{"id":5}`:                       {refused: invalid("5")},
		`{"method":"ping"}`:              {refused: invalid("null")},
		`{"id":[5],"method":"ping"}`:     {refused: invalid("null")},
		`{"id":{"a":5},"method":"ping"}`: {refused: invalid("null")},
	} {
		var refused strings.Builder
		passed := func(text string) string {
			refused.Reset()
			read, err := io.ReadAll(newLineFilter(io.NopCloser(strings.NewReader(text)), func(answer []byte) { refused.Write(answer) }))
			if err != nil {
				t.Errorf("%q: %v", line, err)
			}
			return string(read)
		}
		ended := func(text string) string {
			if text == "" {
				return ""
			}
			return text + "\n"
		}
		for text, after := range map[string]string{line: "", line + "\n" + ping + "\n": ping + "\n"} {
			if diff := cmp.Diff([]string{ended(want.passed) + after, ended(want.refused)}, []string{passed(text), refused.String()}); diff != "" {
				t.Errorf("%q (-want +got):\n%s", text, diff)
			}
		}
	}
}
