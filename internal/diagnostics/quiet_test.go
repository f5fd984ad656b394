package diagnostics

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/protocol"
)

// What a server says of a file that it is known not to judge counts for nothing, and neither
// does its silence; what it could not say stays what it was.
func TestHush(t *testing.T) {
	items := []protocol.Diagnostic{{Message: "m"}}
	refused := &jsonrpc.ResponseError{Message: "no package"}
	crashed := errors.New("crashed")
	const why = "it is built elsewhere"
	for _, c := range []struct {
		name      string
		a         Answer
		why       string
		freshness Freshness
		reason    string
		items     int
		quiet     bool
	}{
		{"no reason", Answer{Freshness: Fresh, Items: items}, "", Fresh, "", 1, false},
		{"an answer", Answer{Freshness: Fresh, Items: items}, why, Partial, why, 0, true},
		{"a part of one", Answer{Freshness: Partial, Items: items, Reason: "not loaded"}, why, Partial, why, 0, true},
		{"a refusal", Answer{Freshness: Unavailable, Err: refused, Reason: "x"}, why, Partial, why, 0, true},
		{"another failure", Answer{Freshness: Unavailable, Err: crashed, Reason: "x"}, why, Unavailable, "x", 0, false},
		{"a time-out", Answer{Freshness: Timeout, Reason: "late"}, why, Timeout, "late", 0, false},
	} {
		c.a.hush(c.why)
		got := []any{c.a.Freshness, c.a.Reason, len(c.a.Items), c.a.quiet}
		if diff := cmp.Diff([]any{c.freshness, c.reason, c.items, c.quiet}, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// Behind a new error of a certain kind a server does not see what is wrong with others; one
// that was there before hid that before, too.
func TestShadow(t *testing.T) {
	hides := map[string]string{"package": "it is elsewhere"}
	with := func(codes ...string) (items []protocol.Diagnostic) {
		for _, code := range codes {
			items = append(items, protocol.Diagnostic{Code: code})
		}
		return items
	}
	for _, c := range []struct {
		name  string
		a     Answer
		want  Freshness
		done  bool
		hides map[string]string
	}{
		{"new", Answer{Freshness: Fresh, Items: with("other", "package")}, Partial, true, hides},
		{"old", Answer{Freshness: Fresh, Items: with("package"), prior: prior{items: with("package")}}, Fresh, false, hides},
		{"another", Answer{Freshness: Fresh, Items: with("other")}, Fresh, false, hides},
		{"a server that hides nothing", Answer{Freshness: Fresh, Items: with("package")}, Fresh, false, nil},
		{"no answer", Answer{Freshness: Timeout, Items: with("package")}, Timeout, false, hides},
	} {
		c.a.shadow(c.hides)
		if c.a.Freshness != c.want || c.a.done != c.done || c.done && c.a.Reason != "it is elsewhere" {
			t.Errorf("%s: %s %q, done %v", c.name, c.a.Freshness, c.a.Reason, c.a.done)
		}
	}
}
