package diagnostics

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lspine/lspine/internal/protocol"
)

// A collection that is given up while its server still starts may get the server after a later
// one. It shows its older text then only if nobody asked about a later one.
func TestGivenUpWhileTheServerStarts(t *testing.T) {
	for name, tt := range map[string]struct {
		asked  bool   // about a later text, which is there first
		recall string // the file whose text is recalled
		text   string // that the server is left with
	}{
		"a later text was asked about":    {true, "", "fine\n"},
		"nobody asked since":              {false, "", "bad\n"},
		"the text is recalled":            {false, "/w/a", ""},
		"that of another one is":          {false, "/w/b", "bad\n"},
		"it is recalled, and asked again": {true, "/w/a", "fine\n"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, c *Collector) {
				f := pulls(c, nil)
				f.pull = func(_ context.Context, path, _, _ string) (protocol.Report, error) {
					<-time.After(5 * time.Second)
					_, text, _ := f.Document(path)
					if strings.HasPrefix(string(text), "bad") {
						return protocol.Report{Items: errorsOf("bad")}, nil
					}
					return protocol.Report{}, nil
				}
				ask := func(text string, starts, timeout time.Duration) Answer {
					file := f.file("/w/a", text)
					file.Sources[0].Obtain = func(context.Context) (Server, error) {
						<-time.After(starts)
						return f, nil
					}
					report, err := c.Check(t.Context(), Request{Files: []File{file}, Timeout: timeout, FirstTouch: timeout})
					if err != nil {
						t.Fatal(err)
					}
					return report.Files[0].Answers[0]
				}
				a := ask("bad\n", 10*time.Second, time.Second)
				expect(t, said(a)+" ("+a.Reason+")", "indexing 0:  (still starting)")
				c.Recall(tt.recall)
				if tt.asked {
					expect(t, said(ask("fine\n", 6*time.Second, time.Minute)), "fresh 1: ")
				}
				<-time.After(time.Minute)
				_, text, _ := f.Document("/w/a")
				expect(t, string(text), tt.text)
			})
		})
	}
}

// A collection that still provokes a server with its text when its deadline has passed leaves the
// server alone once a later text was shown, or the document was closed.
func TestGivenUpWhileItProvokes(t *testing.T) {
	for _, closed := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			c := New(Options{Timeout: time.Second, FirstTouch: time.Second, Patience: time.Minute})
			defer c.Close()
			lag := 5 * time.Second
			q := newQuiet(c, func() time.Duration { return lag })
			a, _ := check(t, c, q.file("/w/a", "good\n"))
			expect(t, string(a.Freshness), string(Timeout))
			lag = 10 * time.Millisecond
			if closed {
				_, _ = q.CloseDocument("/w/a")
			} else {
				check(t, c, q.file("/w/a", "bad\n"))
			}
			for range 100 {
				<-time.After(300 * time.Millisecond)
				if _, text, _ := q.Document("/w/a"); strings.HasPrefix(string(text), "good") {
					t.Fatalf("closed: %t; it was shown %q again", closed, text)
				}
			}
			if closed {
				return
			}
			a, _ = check(t, c, q.file("/w/a", "bad\n"))
			version, text, _ := q.Document("/w/a")
			expect(t, said(a)+" of "+string(text), fmt.Sprintf("fresh %d: bad of bad\n", version))
		})
	}
}
