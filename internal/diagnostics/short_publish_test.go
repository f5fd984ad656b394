package diagnostics

import (
	"cmp"
	"context"
	"testing"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A publish that lacks what the server's answer had is not believed, unless the server was told
// something since or took the answer back: what was wrong stays known, so its end is reported.
func TestPublishThatFallsShort(t *testing.T) {
	path := here("/w/a")
	for name, tt := range map[string]struct {
		before  func(f *fake) // what happens before the publish
		publish []string
		want    string // what is known after it, and fixed by the next text unless fixed is not ""
		fixed   string
	}{
		"it has fewer":                     {nil, []string{"one"}, "one, two", ""},
		"it has none":                      {nil, nil, "one, two", ""},
		"it has as many":                   {nil, []string{"one", "other"}, "one, other", ""},
		"another file changed":             {(*fake).disturb, []string{"one"}, "one", "one, two"},
		"another file was closed":          {func(f *fake) { _, _ = f.CloseDocument(here("/w/b")) }, []string{"one"}, "one, two", ""},
		"the answer was taken back before": {func(f *fake) { f.out.Refreshed() }, []string{"one"}, "one", ""},
	} {
		for how, server := range map[string]func(*Collector, func(string) []protocol.Diagnostic) *fake{"pull": pulls, "command": commands} {
			t.Run(how+", "+name, func(t *testing.T) {
				inBubble(t, func(t *testing.T, c *Collector) {
					wrong := []string{"one", "two"}
					f := server(c, func(string) []protocol.Diagnostic { return errorsOf(wrong...) })
					a, _ := check(t, c, f.file(path, "x"))
					expect(t, said(a), "fresh 1: one, two")
					if tt.before != nil {
						tt.before(f)
					}
					f.push(path, 1, tt.publish...)
					var known []Diagnostic
					for _, r := range c.Known(nil) {
						known = append(known, r.Diagnostics...)
					}
					expect(t, messages(known), tt.want)
					wrong = nil
					a, report := check(t, c, f.file(path, "y"))
					expect(t, said(a), "fresh 2: ")
					expect(t, messages(report.Fixed), cmp.Or(tt.fixed, tt.want))
				})
			})
		}
	}
}

// commands is a server that answers a diagnosis command.
func commands(c *Collector, report func(path string) []protocol.Diagnostic) *fake {
	d := only(registry.DiagnosisCommand)
	d.Commands[0].Result = registry.ResultTSServer
	f := newFake(c, d)
	f.command = func(_ context.Context, path string) ([]protocol.Diagnostic, error) { return report(path), nil }
	return f
}

// A publish that falls short makes the next check of the unchanged file ask again, once: the server
// may be right.
func TestAskedAgainAfterAShortPublish(t *testing.T) {
	path := here("/w/a")
	inBubble(t, func(t *testing.T, c *Collector) {
		asked, wrong := 0, []string{"one", "two"}
		f := pulls(c, func(string) []protocol.Diagnostic { asked++; return errorsOf(wrong...) })
		expectAsked := func(want string, times int) {
			t.Helper()
			a, _ := check(t, c, f.file(path, "x"))
			expect(t, said(a), want)
			if asked != times {
				t.Errorf("asked %d times, want %d", asked, times)
			}
		}
		expectAsked("fresh 1: one, two", 1)
		expectAsked("fresh 1: one, two", 1)
		f.push(path, 1, "one")
		f.push(path, 1)
		expectAsked("fresh 1: one, two", 2)
		expectAsked("fresh 1: one, two", 2)
		wrong = nil
		f.push(path, 1)
		expectAsked("fresh 1: ", 3)
	})
}
