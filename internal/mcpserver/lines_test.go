package mcpserver

import (
	"io"
	"strings"
	"testing"
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
