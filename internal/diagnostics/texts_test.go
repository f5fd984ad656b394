package diagnostics

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// However many files are checked, the texts that are kept of them are bounded: those
// judged last stay. A file whose text was dropped is one that nothing is known of, so
// that what is wrong with it is not taken for new or for mended; its answer is the same.
func TestKeptTextsAreBounded(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		c.opts.MaxTexts = 1000
		f := newFake(c, only(registry.Pull))
		f.identifiers = []string{""}
		f.pull = func(context.Context, string, string, string) (protocol.Report, error) {
			return protocol.Report{Items: errorsOf("wrong")}, nil
		}
		text := strings.Repeat("x", 300)
		file := func(i int) File { return f.file(fmt.Sprintf("/w/%d", i), text) }
		for i := range 10 {
			a, _ := check(t, c, file(i))
			expect(t, said(a), "fresh 1: wrong")
			check(t, c, file(i)) // the same file once more is no further text
		}
		for i := range 10 {
			if kept, want := c.stream(f.key).files[file(i).Path].last.known, i >= 7; kept != want {
				t.Errorf("%d: text kept %t", i, kept)
			}
		}
		a, r := check(t, c, file(0))
		expect(t, said(a), "fresh 1: wrong")
		if r.Verdict == Clean || len(r.Fixed) > 0 {
			t.Errorf("%s, fixed %v", r.Verdict, r.Fixed)
		}
		c.Forget(file(0).Path, file(8).Path)
		s := c.stream(f.key)
		if s.texts.size != len(text) || len(s.texts.paths) != 1 {
			t.Errorf("%d bytes of %q", s.texts.size, s.texts.paths)
		}
	})
}

// A text that is too long by itself is kept all the same, until another one is judged.
func TestOneTextIsAlwaysKept(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		c.opts.MaxTexts = 10
		f := newFake(c, only(registry.Pull))
		f.identifiers = []string{""}
		f.pull = func(context.Context, string, string, string) (protocol.Report, error) { return protocol.Report{}, nil }
		kept := func(path string) bool {
			return c.stream(f.key).files[path].last.known
		}
		check(t, c, f.file("/w/long", strings.Repeat("x", 99)))
		if !kept("/w/long") {
			t.Error("the only text is dropped")
		}
		check(t, c, f.file("/w/short", "x"))
		if kept("/w/long") || !kept("/w/short") {
			t.Errorf("after another one it is kept: %t, the other: %t", kept("/w/long"), kept("/w/short"))
		}
	})
}
