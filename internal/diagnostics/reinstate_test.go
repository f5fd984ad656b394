package diagnostics

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// answering is a server that only answers: each word of a text that begins with "bad" is an error.
// asked are the texts that it was asked about, files with the errors that it says of others on the way.
func answering(c *Collector) (f *fake, asked *[]string) {
	f, asked = newFake(c, only(registry.Pull)), new([]string)
	f.def.Diagnostics.AnnouncePull, f.identifiers = true, []string{""}
	f.pull = func(_ context.Context, path, _, _ string) (protocol.Report, error) {
		_, text, _ := f.Document(path)
		*asked = append(*asked, path+": "+string(text))
		var wrong []string
		for word := range strings.FieldsSeq(string(text)) {
			if strings.HasPrefix(word, "bad") {
				wrong = append(wrong, word)
			}
		}
		return protocol.Report{Items: errorsOf(wrong...)}, nil
	}
	return f, asked
}

// show shows a server a text of a file and has it judged, then the one from before again.
func (f *fake) showBetween(t *testing.T, c *Collector, before File, text string) (then *Moment) {
	t.Helper()
	then = c.Now()
	check(t, c, f.file(before.Path, text))
	if _, err := f.Sync(before.Path, before.Content); err != nil {
		t.Fatal(err)
	}
	return then
}

// What a server that only answers had said of a file is known again after it was shown another text for
// a while, without a question, and is what later findings are compared with. It is no answer: who asks
// about the file has the server asked.
func TestReinstated(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f, asked := answering(c)
		before := f.file("/w/a", "bad1")
		check(t, c, before)
		then := f.showBetween(t, c, before, "bad1 bad2")
		if left := c.Reinstate(then, []File{before}); len(left) > 0 {
			t.Errorf("left to be asked about: %v", left)
		}
		if diff := cmp.Diff([]string{"/w/a: bad1", "/w/a: bad1 bad2"}, *asked); diff != "" {
			t.Error(diff)
		}
		if known := c.Known(nil); len(known) != 1 || messages(known[0].Diagnostics) != "bad1" || !c.Knows(nil, before, false) {
			t.Errorf("known is %+v", known)
		}
		answer, _ := check(t, c, before)
		expect(t, said(answer), "fresh 3: bad1")
		if diff := cmp.Diff([]string{"/w/a: bad1"}, (*asked)[2:]); diff != "" {
			t.Error(diff)
		}

		then = f.showBetween(t, c, before, "bad2")
		c.Reinstate(then, []File{before})
		_, report := check(t, c, f.file("/w/a", "bad2"))
		expect(t, messages(report.New)+"; fixed "+messages(report.Fixed), "bad2; fixed bad1")
	})
}

// Files are asked about again if servers may have said something of the other text that is not taken back,
// or if it is not known what they said of the former one. Nothing is changed in what is known then.
func TestNotReinstated(t *testing.T) {
	type story struct {
		f      *fake
		before *File
		then   **Moment
		c      *Collector
	}
	for name, tt := range map[string]struct {
		prepare, meanwhile func(s story)
		reinstated         bool
	}{
		"nothing happened": {reinstated: true},
		"it also pushes":   {prepare: func(s story) { s.f.def.Diagnostics.Strategies = []registry.Strategy{registry.Pull, registry.Versioned} }},
		"it is another one for many files": {prepare: func(s story) {
			s.f.def.Diagnostics.FileStrategies = []registry.Strategy{registry.Pull}
		}},
		"it was not told that it is asked": {prepare: func(s story) { s.f.def.Diagnostics.AnnouncePull = false }},
		"it pushes about closed files":     {prepare: func(s story) { s.f.def.Diagnostics.ClosedFiles = registry.ClosedPushes }},
		"it notes errors of others":        {prepare: func(s story) { s.f.def.Quirks = []registry.Quirk{registry.ConfirmErrors} }},
		"it answers for other files": {prepare: func(s story) {
			pull := s.f.pull
			s.f.pull = func(ctx context.Context, path, identifier, previous string) (protocol.Report, error) {
				r, err := pull(ctx, path, identifier, previous)
				r.Related = map[protocol.DocumentURI]protocol.Report{protocol.URIFromPath(here("/w/other")): {Items: errorsOf("of another")}}
				return r, err
			}
		}},
		"another file changed": {meanwhile: func(s story) {
			for _, text := range []string{"one", "two"} {
				_, _ = s.f.Sync("/w/b", []byte(text))
			}
		}},
		"another text is wanted": {meanwhile: func(s story) { s.before.Content = []byte("bad3") }},
		"the file has no server": {meanwhile: func(s story) { s.before.Sources = nil }},
		"nothing was known":      {meanwhile: func(s story) { *s.then = New(Options{}).Now() }},
		"the server is a new one": {meanwhile: func(s story) {
			s.f.out.Ended(nil)
			s.f.out = s.c.Observe(s.f.key)
		}},
		"the server has ended": {meanwhile: func(s story) { s.f.out.Ended(nil) }},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, c *Collector) {
				f, _ := answering(c)
				before := f.file("/w/a", "bad1")
				var then *Moment
				s := story{f, &before, &then, c}
				if tt.prepare != nil {
					tt.prepare(s)
				}
				check(t, c, before)
				then = f.showBetween(t, c, before, "bad2")
				if tt.meanwhile != nil {
					tt.meanwhile(s)
				}
				known := c.Known(nil)
				left := c.Reinstate(then, []File{before})
				if reinstated := len(left) == 0; reinstated != tt.reinstated {
					t.Fatalf("reinstated: %v, want %v", reinstated, tt.reinstated)
				}
				if !tt.reinstated {
					if diff := cmp.Diff(known, c.Known(nil), cmp.AllowUnexported(Answer{}, prior{})); diff != "" {
						t.Errorf("what is known changed:\n%s", diff)
					}
				}
			})
		})
	}
}
