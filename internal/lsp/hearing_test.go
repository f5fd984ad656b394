package lsp

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// What a server showed holds until it begins to load: by a title that says so, or that is known to mean it.
func TestLoadingForgetsMessages(t *testing.T) {
	s := &Server{def: registry.Definition{Loading: []string{"Index"}}}
	for _, c := range []struct {
		kind, title string
		kept        bool
	}{
		{"begin", "Loading packages", false},
		{"begin", "it reLOADs", false},
		{"begin", "Setting up workspace", false},
		{"begin", "Indexing", false},
		{"begin", "Re-Index", true},
		{"begin", "index", true},
		{"begin", "Saving", true},
		{"begin", "", true},
		{"report", "Loading", true},
		{"end", "Indexing", true},
	} {
		s.words.messages = []string{"no sdk"}
		s.began(protocol.ProgressEvent{Kind: c.kind, Title: c.title})
		if got := len(s.Complaints()) == 1; got != c.kept {
			t.Errorf("%s %q: kept %t", c.kind, c.title, got)
		}
	}
}

// The log's last error that says something is kept for servers that may say that they are unable; words that announce
// more are none.
func TestLastErrorOfTheLog(t *testing.T) {
	s := &Server{def: registry.Definition{Unable: []registry.Unable{{Method: "x"}}}}
	for _, c := range []struct {
		kind          int
		message, want string
	}{{1, " it  broke \n  at line 3", "it broke"}, {1, "it happened:", "it broke"}, {2, "careful", "it broke"}, {0, "what", "it broke"}, {1, "again", "again"}, {1, "", ""}} {
		if s.loggedError(c.kind, c.message); s.words.logged != c.want {
			t.Errorf("%d %q: %q, want %q", c.kind, c.message, s.words.logged, c.want)
		}
	}
	able := &Server{}
	if able.loggedError(1, "it broke"); able.words.logged != "" {
		t.Errorf("it is kept for nobody: %q", able.words.logged)
	}
}

// What a server shows as an error or a warning is kept once, the last three, on one line each.
func TestMessagesThatAreShown(t *testing.T) {
	s := &Server{}
	var got [][]string
	for _, params := range []string{`{"type":0,"message":"none"}`, `{"type":1,"message":"a\n b"}`, `{"type":2,"message":"b"}`, `{"type":3,"message":"told"}`, `{"type":1,"message":" "}`, `{"type":1,"message":"c"}`, `{"type":1,"message":"b"}`, `{"type":1,"message":"d"}`} {
		s.showed(json.RawMessage(params))
		got = append(got, s.Complaints())
	}
	want := [][]string{nil, {"a b"}, {"a b", "b"}, {"a b", "b"}, {"a b", "b"}, {"a b", "b", "c"}, {"a b", "c", "b"}, {"c", "b", "d"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s.showed(json.RawMessage(`7`))
	for health, unwell := range map[string]string{"warning": "no sdk", "error": "no sdk", "ok": "", "": "", "other": ""} {
		s.words.health(map[string]json.RawMessage{"health": json.RawMessage(fmt.Sprintf("%q", health)), "message": json.RawMessage(`"no\n sdk"`)})
		if got := s.Unwell(); got != unwell || len(s.Complaints()) != 3+min(1, len(unwell)) {
			t.Errorf("%q: %q, %q", health, got, s.Complaints())
		}
	}
	if s.dropped != 1 {
		t.Errorf("%d were counted", s.dropped)
	}
}
