package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsptest"
)

// All backends of a server are closed, also after one that fails, whose error is told; one that was not opened is not.
func TestBackendsAreClosed(t *testing.T) {
	failed := errors.New("it hangs")
	for name, c := range map[string]struct {
		errs map[string]error
		want error
	}{"none": {nil, nil}, "all": {map[string]error{"/a": nil, "/b": nil}, nil}, "one fails": {map[string]error{"/a": nil, "/b": failed, "/c": nil}, failed}} {
		closed := make(chan string, 3)
		s := &engines{open: map[string]*opened{"/unopened": {}}}
		for root, err := range c.errs {
			s.open[root] = &opened{backend: &backend{close: func(ctx context.Context) error {
				if _, limited := ctx.Deadline(); !limited || ctx.Err() != nil {
					t.Errorf("%s: it is not given time to end", name)
				}
				closed <- root
				return err
			}}}
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.close(ended); !errors.Is(err, c.want) || len(closed) != len(c.errs) {
			t.Errorf("%s: %v, closed %d", name, err, len(closed))
		}
	}
	own := errors.New("its own")
	err := errEnding(t.Context(), &backend{close: func(context.Context) error { return failed }}, own)
	if !errors.Is(err, own) || !errors.Is(err, failed) {
		t.Errorf("%v", err)
	}
}

// asker is a caller that tells who its calls are from.
type asker struct{ from *[]string }

func (a asker) Call(ctx context.Context, _ string, _, _ any) error {
	*a.from = append(*a.from, api.CallOf(ctx).Client)
	return nil
}

// Calls say which front they are from, unless they are from somebody already; the person at a terminal is asked by the
// command line alone.
func TestWhoCallsAreFrom(t *testing.T) {
	for _, c := range []struct {
		name     string
		in, errs bool
		want     string
		asks     bool
	}{{"mcp", true, true, "mcp", false}, {"hook", true, true, "hook", false}, {"rename", true, true, "cli", true}, {"rename", false, true, "cli", false}, {"rename", true, false, "cli", false}} {
		var from []string
		p := purpose{name: c.name}
		caller := p.asking(&Streams{InTerminal: c.in, ErrTerminal: c.errs}, asker{&from})
		if _, asks := caller.(api.Asking); asks != c.asks {
			t.Errorf("%+v: it asks: %t", c, asks)
		}
		err := errors.Join(caller.Call(t.Context(), "x", struct{}{}, nil), caller.Call(api.Call{Client: "mcp/other"}.In(t.Context()), "x", struct{}{}, nil))
		if diff := cmp.Diff([]string{c.want, "mcp/other"}, from); diff != "" || err != nil {
			t.Errorf("%+v: %v (-want +got):\n%s", c, err, diff)
		}
	}
}

// A configuration is explained with each file, value, server and problem, in words and as data; what is built in is
// counted, and what is set for a server stands below it.
func TestTextOfAnExplanation(t *testing.T) {
	x := explanation{
		Files:    []explainedFile{{"user", "/u", true}, {"project", "/p", false}},
		Settings: []explainedValue{{"lsp.maxRestarts", json.RawMessage("3"), "/u:2"}},
		Servers: []explainedServer{
			{ID: "plain", Source: string(config.LayerBuiltin)},
			{ID: "off", Source: "/u:4", Disabled: true},
			{ID: "mine", Source: "/u:5", Given: []explainedValue{{"command", json.RawMessage(`"x"`), "/u:6"}}},
		},
		Problems: []explainedProblem{{"it is odd", ""}, {"it is wrong", "mend it"}}, Untrusted: []string{"what it wants"}, builtin: 7,
	}
	const want = "Files:\n  user     /u\n  project  /p  (not there)\n\nSettings:\n  lsp.maxRestarts  3  /u:2\n\nServers:\n  off        disabled  /u:4\n  mine                 /u:5\n    command  \"x\"       /u:6\n" +
		"  7 built in, as they are: lspine servers lists them\n\nproblem: it is odd\n\nproblem: it is wrong\n  mend it\n\nnot applied: what it wants\n"
	var b bytes.Buffer
	err := x.text(&b)
	if diff := cmp.Diff(want, b.String()); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// A backend is opened at the first call and stays; after a failure the next call tries again, as the configuration may
// have been corrected. The settings are those of the root, or of the checkout around the current folder, and nothing is
// said about them.
func TestBackendsAreOpenedOnce(t *testing.T) {
	s := newShop(t, "-- a.toy --\nfine\n-- other/toy.root --\n-- other/.lspine.jsonc --\n{\"lsp\":{\"navigationTools\":false,\"odd\":1}}\n", lsptest.Script{})
	good := read(t, s.configFile)
	lsptest.WriteFile(t, s.configFile, "{,}\n")
	var said bytes.Buffer
	worked := 0
	all := &engines{
		flags: &global{configFile: s.configFile}, streams: &Streams{Dir: s.root, Environ: []string{"LSPINE_DAEMON=never"}, Err: &said},
		working: func() { worked++ }, open: make(map[string]*opened),
	}
	usage := (*usageError)(nil)
	if e, err := all.Engine(t.Context(), s.root); e != nil || !errors.As(err, &usage) || !strings.Contains(usage.message, s.configFile) {
		t.Errorf("with a broken configuration: %v, %v", e, err)
	}
	if _, err := all.settings(s.root); !errors.As(err, &usage) {
		t.Errorf("settings of a broken configuration: %v", err)
	}
	lsptest.WriteFile(t, s.configFile, good)
	other := filepath.Join(s.root, "other")
	for root, want := range map[string]bool{"": true, s.root: true, other: false} {
		if got, err := all.settings(root); err != nil || !got.Enabled || got.NavigationTools != want {
			t.Errorf("settings of %q: %v, %v", root, got.NavigationTools, err)
		}
	}
	if said.Len() > 0 {
		t.Errorf("said is %q", said.String())
	}
	all.flags.root = filepath.Join(s.root, "gone")
	if _, err := all.settings(""); !errors.As(err, &usage) || !strings.HasPrefix(usage.message, "--root: ") {
		t.Errorf("settings of a root that is not there: %v", err)
	}
	first, err1 := all.Engine(t.Context(), s.root)
	again, err2 := all.Engine(t.Context(), s.root)
	another, err3 := all.Engine(t.Context(), other)
	if err := errors.Join(err1, err2, err3); err != nil || first != again || first == another || worked != 2 {
		t.Errorf("%v; the same again: %t; another root: %t; opened are %d", err, first == again, first != another, worked)
	}
	all.flags.servers = []string{"nope"}
	if e, err := all.Engine(t.Context(), filepath.Dir(s.root)); e != nil || err == nil {
		t.Errorf("with an unknown server: %v, %v", e, err)
	}
	if err := all.close(t.Context()); err != nil {
		t.Error(err)
	}
}
