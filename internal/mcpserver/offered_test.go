package mcpserver

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/extension"
	"github.com/lspine/lspine/internal/result"
)

// Which tools of extensions are offered follows the lists of the options, whose other names stay for the built-in
// tools; what takes no extensions has none.
func TestExtensionsThatAreTaken(t *testing.T) {
	set := extension.Set{"go": {Tools: []extension.Tool{{Name: "count"}, {Name: "move"}}}, "toy": {Tools: []extension.Tool{{Name: "count"}}}}
	type taken struct {
		Offered, Tools, Without, Known []string
		Alone                          bool
	}
	all := []string{"go_count", "go_move", "toy_count"}
	for name, c := range map[string]struct {
		opts Options
		want taken
	}{
		"all":             {Options{Extensions: set}, taken{Offered: all, Known: all}},
		"default":         {Options{Extensions: set, Profile: "default"}, taken{Offered: all, Known: all}},
		"full":            {Options{Extensions: set, Profile: "full"}, taken{Offered: all, Known: all}},
		"another profile": {Options{Extensions: set, Profile: "opta"}, taken{}},
		"disabled":        {Options{Extensions: set, Disabled: true}, taken{}},
		"none":            {Options{Tools: []string{"check"}}, taken{Tools: []string{"check"}}},
		"no navigation":   {Options{Extensions: set, NoNavigation: true}, taken{Known: all}},
		"named":           {Options{Extensions: set, Tools: []string{"check", "go_move"}}, taken{Offered: []string{"go_move"}, Tools: []string{"check"}, Known: all}},
		"named alone":     {Options{Extensions: set, Tools: []string{"go_move"}}, taken{Offered: []string{"go_move"}, Known: all, Alone: true}},
		"left out":        {Options{Extensions: set, Without: []string{"go_count", "check"}}, taken{Offered: []string{"go_move", "toy_count"}, Without: []string{"check"}, Known: all}},
	} {
		var got taken
		for name, tool := range c.opts.takeExtensions() {
			if !strings.HasSuffix(name, "_"+tool.Name) {
				t.Errorf("%s is %s", name, tool.Name)
			}
			got.Offered = append(got.Offered, name)
		}
		for name := range c.opts.ofExtensions {
			got.Known = append(got.Known, name)
		}
		slices.Sort(got.Offered)
		slices.Sort(got.Known)
		got.Alone = c.opts.theirsAlone
		got.Tools = append(got.Tools, c.opts.Tools...)
		got.Without = append(got.Without, c.opts.Without...)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A subscription is found by its own address, with or without a file, and for a file of its language by the address
// of a built-in one.
func TestSubscriptionOfAnAddress(t *testing.T) {
	s := &Server{opts: Options{Extensions: extension.Set{"go": {Subscriptions: []extension.Subscription{{Name: "notes"}, {Name: "diagnostics"}}}}}}
	type found struct{ Name, File string }
	for uri, want := range map[string]found{
		"lspine://go/notes":             {"notes", ""},
		"lspine://go/notes/sub/a.go":    {"notes", "sub/a.go"},
		"lspine://go/notesmore":         {},
		"lspine://toy/notes":            {},
		"lsp-diagnostics:///sub/a.go":   {"diagnostics", "sub/a.go"},
		"lsp-diagnostics:///sub/a.toy":  {"", "sub/a.toy"},
		"lsp-hover:///sub/a.go":         {"", "sub/a.go"},
		"lspine://go/diagnostics":       {"diagnostics", ""},
		"lspine://go/diagnostics/b.toy": {"diagnostics", "b.toy"},
	} {
		var got found
		of, file := s.followed(uri)
		if got.File = file; of != nil {
			got.Name = of.Name
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", uri, diff)
		}
	}
}

// Who leaves one subscription, or all, is told nothing more of them; one that nobody has any more ends.
func TestFollowersLeave(t *testing.T) {
	one, two := &mcp.ServerSession{}, &mcp.ServerSession{}
	type left struct {
		Sessions map[string]int
		Ended    []string
	}
	for name, c := range map[string]struct {
		uri  string
		want left
	}{
		"one":   {"a", left{map[string]int{"b": 2}, []string{"a"}}},
		"both":  {"b", left{map[string]int{"a": 1, "b": 1}, nil}},
		"all":   {"", left{map[string]int{"b": 1}, []string{"a"}}},
		"other": {"c", left{map[string]int{"a": 1, "b": 2}, nil}},
	} {
		got := left{Sessions: make(map[string]int)}
		s := &Server{followers: map[string]*follower{
			"a": {cancel: func() { got.Ended = append(got.Ended, "a") }, sessions: map[*mcp.ServerSession]bool{one: true}},
			"b": {cancel: func() { got.Ended = append(got.Ended, "b") }, sessions: map[*mcp.ServerSession]bool{one: true, two: true}},
		}}
		s.leaveLocked(one, c.uri)
		for uri, f := range s.followers {
			got.Sessions[uri] = len(f.sessions)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Watches and feeds end with their last session, and others go on.
//
// Requirement: AGENT-35.
func TestWatchesAndFeedsEndWithTheirSessions(t *testing.T) {
	one, two := &mcp.ServerSession{}, &mcp.ServerSession{}
	var ended []string
	end := func(name string) context.CancelFunc { return func() { ended = append(ended, name) } }
	of := func(sessions ...*mcp.ServerSession) map[*mcp.ServerSession]map[string]string {
		all := make(map[*mcp.ServerSession]map[string]string)
		for _, ss := range sessions {
			all[ss] = map[string]string{"u": "a.toy", "v": "b.toy"}
		}
		return all
	}
	s := &Server{
		watches: map[string]*watch{"/one": {cancel: end("watch one"), uris: of(one)}, "/both": {cancel: end("watch both"), uris: of(one, two)}},
		feeds: map[string]*feed{
			"/one": {end("feed one"), map[*mcp.ServerSession]bool{one: true}}, "/both": {end("feed both"), map[*mcp.ServerSession]bool{one: true, two: true}},
		},
	}
	type left struct{ Watches, Feeds map[string]int }
	look := func() left {
		l := left{make(map[string]int), make(map[string]int)}
		for root, w := range s.watches {
			for _, uris := range w.uris {
				l.Watches[root] += len(uris)
			}
		}
		for root, f := range s.feeds {
			l.Feeds[root] = len(f.sessions)
		}
		return l
	}
	unsubscribe := func(uri string) {
		if err := s.unsubscribe(t.Context(), &mcp.UnsubscribeRequest{Session: one, Params: &mcp.UnsubscribeParams{URI: uri}}); err != nil {
			t.Fatal(err)
		}
	}
	unsubscribe("u")
	if diff := cmp.Diff(left{map[string]int{"/one": 1, "/both": 3}, map[string]int{"/one": 1, "/both": 2}}, look()); diff != "" || len(ended) > 0 {
		t.Errorf("ended %q (-want +got):\n%s", ended, diff)
	}
	unsubscribe("v")
	if diff := cmp.Diff(left{map[string]int{"/both": 2}, map[string]int{"/one": 1, "/both": 2}}, look()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s.leaveFeedsLocked(one)
	s.dropLocked(two)
	if diff := cmp.Diff(left{map[string]int{}, map[string]int{"/both": 1}}, look()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"watch one", "feed one", "watch both"}, ended); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What a subscriber has read changes with any diagnostic, but not with whether that is new; a file without any is
// like one that nobody knows.
func TestDiagnosticsToCompare(t *testing.T) {
	wrong := result.Diagnostic{Severity: "error", Line: 3, Message: "wrong", New: true}
	old := wrong
	old.New = false
	given := &result.Check{Files: []result.File{{Path: "a.toy", Diagnostics: []result.Diagnostic{wrong}}, {Path: "b.toy", Diagnostics: []result.Diagnostic{old, old}}, {Path: "c.toy"}}}
	got := prints(given)
	same := prints(&result.Check{Files: []result.File{{Path: "a.toy", Diagnostics: []result.Diagnostic{old}}}})
	if len(got) != 2 || got["a.toy"] != same["a.toy"] || got["a.toy"] == "" || got["b.toy"] == got["a.toy"] {
		t.Errorf("%q, %q", got, same)
	}
	if diff := cmp.Diff([]result.Diagnostic{wrong}, given.Files[0].Diagnostics); diff != "" {
		t.Errorf("the answer itself changed: %s", diff)
	}
}

// A tool of an extension is listed with its arguments, and with what its class does to files.
func TestExtensionsAreListed(t *testing.T) {
	type listed struct {
		Name, Title, Description, Input string
		Reads, Destroys, Open           bool
	}
	const none = `{"type":"object","properties":{}}`
	for name, c := range map[string]struct {
		of   extension.Tool
		want listed
	}{
		"read":    {extension.Tool{Title: "Count", Description: "counts", Class: api.Read}, listed{"go_x", "Count", "counts", none, true, false, false}},
		"edit":    {extension.Tool{Class: api.Edit, Input: json.RawMessage(`{"type":"object"}`)}, listed{"go_x", "", "", `{"type":"object"}`, false, true, false}},
		"execute": {extension.Tool{Class: api.Execute}, listed{"go_x", "", "", none, false, true, false}},
		"admin":   {extension.Tool{Class: api.Admin}, listed{"go_x", "", "", none, false, false, false}},
	} {
		l := listedExtension("go_x", &c.of)
		got := listed{l.Name, l.Annotations.Title, l.Description, string(l.InputSchema.(json.RawMessage)), l.Annotations.ReadOnlyHint, *l.Annotations.DestructiveHint, *l.Annotations.OpenWorldHint}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Types of arguments are named with their article; an argument that must be given is listed as such.
func TestTypesOfArguments(t *testing.T) {
	for kind, want := range map[string]string{"integer": "an integer", "array": "an array", "object": "an object", "string": "a string", "boolean": "a boolean", "number": "a number", "": "a "} {
		if got := (&tool{}).typeOf(&parameter{name: "x", kind: kind}); got != want {
			t.Errorf("%s: %q", kind, got)
		}
	}
	needed := listing("x", "y", "z")
	if diff := cmp.Diff([]bool{true, false, false}, []bool{needed[0].required, needed[1].required, needed[2].required}); diff != "" || len(needed) != 3 || needed[0].name != "x" || needed[2].name != "z" || len(listing("")) != 0 {
		t.Errorf("%+v", needed)
	}
}
