package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/setup"
	"github.com/lspine/lspine/internal/workspace"
)

// What a server found in a file is said as far as there is something: errors, other findings.
func TestFoundInAFile(t *testing.T) {
	for _, c := range []struct {
		errs, others int
		want         string
	}{
		{0, 0, "nothing is wrong with it"},
		{0, 2, "no error, lesser findings: 2"},
		{3, 0, "errors: 3"},
		{1, 1, "errors: 1, lesser findings: 1"},
	} {
		if got := foundIn(c.errs, c.others); got != c.want {
			t.Errorf("%d errors and %d others: %q, want %q", c.errs, c.others, got, c.want)
		}
	}
}

// configured returns an examination of a workspace whose user wrote this configuration, in which
// no program is found.
func configured(t *testing.T, text string) *run {
	t.Helper()
	home, root := t.TempDir(), t.TempDir()
	lsptest.WriteFile(t, filepath.Join(home, "lspine", "config.jsonc"), text)
	cfg, problems := config.Load(config.Options{Root: root, Environ: []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	w, err := workspace.Open(workspace.Options{Root: root, LookPath: func(string) (string, error) { return "", exec.ErrNotFound }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(context.Background()) })
	collector := diagnostics.New(diagnostics.Options{})
	t.Cleanup(collector.Close)
	return &run{Doctor: New(Options{Workspace: w, Collector: collector, Names: w.Names(""), Config: cfg, Setup: setup.New(w, collector, w.Names(""))})}
}

// about returns a server to be looked at.
func about(d registry.Definition) (p subject) {
	p.Definition = d
	return p
}

// Of a server that is switched off the setting that did it is named, and opened next.
func TestWhoSwitchedAServerOff(t *testing.T) {
	for text, message := range map[string]string{
		`{"lsp": false}`: "disabled with all others ",
		`{"lsp": {"servers": {"gopls": {"enabled": false}}}}`: "disabled ",
		`{"lsp": {"autoDetect": false}}`:                      "disabled: lsp.autoDetect is false ",
	} {
		v := configured(t, text)
		key := map[string]string{"disabled with all others ": "lsp", "disabled ": "lsp.servers.gopls.enabled"}[message]
		if key == "" {
			key = "lsp.autoDetect"
		}
		source := v.opts.Config.Source(key)
		want := result.Symptom{Level: result.LevelNote, Step: "configuration", Message: message + "(" + source.String() + ")", Next: openEditor(source.File, source.Line)}
		if key == "lsp.autoDetect" {
			want.Message += ", and no configuration names it"
		}
		if diff := cmp.Diff(want, v.disabled(about(registry.Definition{ID: "gopls"}))); diff != "" || source.File == "" {
			t.Errorf("%s (%s): %s", text, source, diff)
		}
	}
}

// That a server is not there is a problem, and of one that nobody misses a note.
func TestMissingServers(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	v := configured(t, "{}")
	for optional, level := range map[bool]string{false: result.LevelProblem, true: result.LevelNote} {
		p := about(registry.Definition{ID: "toy", Optional: optional, Install: []string{"get toy", "fetch toy"}})
		p.Searched = []roots.Search{{Obstacle: "toy not found in PATH"}, {Obstacle: "/x/toy may not be executed"}}
		want := result.Symptom{
			Level: level, Step: "binary", Message: "toy not found in PATH, /x/toy may not be executed", Next: "get toy",
			Details: []string{"looked in " + dir, "or: fetch toy"},
		}
		got, _ := v.binary(p)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("optional: %t: %s", optional, diff)
		}
	}
}

// A program is named with its path and with the package that it is of.
func TestProgramAndItsVersion(t *testing.T) {
	dir := lsptest.Workspace(t, `
-- node_modules/toy/package.json --
{"name": "toy", "version": "1.2.3"}
-- node_modules/toy/toy --
#!/bin/sh
`)
	packed, loose := filepath.Join(dir, "node_modules", "toy", "toy"), filepath.Join(dir, "loose")
	lsptest.WriteFile(t, loose, "#!/bin/sh\n")
	v := configured(t, "{}")
	for path, want := range map[string]struct{ message, version string }{packed: {packed + " (toy 1.2.3)", "1.2.3"}, loose: {loose, ""}} {
		p := about(registry.Definition{ID: "toy"})
		p.Searched = []roots.Search{{Obstacle: "another is not there"}, {Path: path}}
		got, version := v.binary(p)
		if diff := cmp.Diff(result.Symptom{Level: result.LevelOK, Step: "binary", Message: want.message}, got); diff != "" || version != want.version {
			t.Errorf("version %q: %s", version, diff)
		}
	}
}

// What a project's file says about what runs is told as such, with the file and the line; else the
// setting is named. It is a problem where there is no such server without it.
func TestUntrustedSettings(t *testing.T) {
	v := configured(t, "{}")
	for field, runs := range map[string]bool{"command": true, "connect": true, "env": false} {
		for id, level := range map[string]string{"gopls": result.LevelNote, "toy": result.LevelProblem} {
			u := config.Untrusted{File: "/p/.lspine.jsonc", Line: 3, ID: id, Field: field, Value: `["x"]`}
			want := u.String()
			if runs {
				want = "/p/.lspine.jsonc:3: " + id + ` is untrusted: a project's file cannot say what runs, and this one says ["x"]`
			}
			if got := v.untrusted(u); got.Message != want || got.Level != level || got.Step != "configuration" {
				t.Errorf("%s of %s: %+v", field, id, got)
			}
		}
	}
}

// Where nobody answers at an address, the configuration of the address is next; what a server
// refuses is for its user to try by hand.
func TestFailuresOfStarts(t *testing.T) {
	v := configured(t, `{"lsp": {"servers": {"gopls": {"connect": "localhost:9"}}}}`)
	address := v.opts.Config.Source("lsp.servers.gopls.connect")
	p := about(registry.Definition{ID: "gopls", Connect: "localhost:9"})
	want := result.Symptom{Level: result.LevelProblem, Step: "start", Message: "nobody is there", Next: openEditor(address.File, address.Line)}
	if diff := cmp.Diff(want, v.failed(p, errors.New("nobody is there"), 0)); diff != "" || address.File == "" {
		t.Error(diff)
	}
	refused := &jsonrpc.ResponseError{Code: -32603, Message: "no licence"}
	want.Message, want.Next = "it refused: "+refused.Error(), v.byHand(p)
	if diff := cmp.Diff(want, v.failed(p, refused, 0)); diff != "" {
		t.Error(diff)
	}
}

// A server that did not start has failed in its own way: it took too long, spoke no LSP, or answered what makes
// no sense; and what it wrote stands below.
func TestWaysToFail(t *testing.T) {
	v := configured(t, "{}")
	v.timeout = 3 * time.Second
	const took = 1234 * time.Millisecond
	var mistyped *json.UnmarshalTypeError
	if err := json.Unmarshal([]byte("7"), new(string)); !errors.As(err, &mistyped) {
		t.Fatal(err)
	}
	var syntax *json.SyntaxError
	if err := json.Unmarshal([]byte("{"), new(string)); !errors.As(err, &syntax) {
		t.Fatal(err)
	}
	frame := &jsonrpc.FrameError{}
	p := about(registry.Definition{ID: "toy", Install: []string{"go version"}})
	p.probe = filepath.Join(v.opts.Workspace.Root(), "main.toy")
	p.Binary, p.Args, p.Root = "toy", []string{"--state", registry.StateFolder + "/x", "a b"}, v.opts.Workspace.Root()
	again, anew := "lspine doctor main.toy --timeout 12s", v.anew(p)
	for name, c := range map[string]struct {
		err                 error
		step, message, next string
		details             []string
	}{
		"no start":     {context.DeadlineExceeded, "start", "time-out: it did not start within 1.2s", again, nil},
		"no answer":    {&lsp.ServerError{Phase: "initialize", Err: context.DeadlineExceeded, Stderr: "one\ntwo"}, "initialize", "time-out: no answer to initialize within 1.2s; it was ended", again, []string{"one", "two"}},
		"no frame":     {&lsp.ServerError{Phase: "run", Err: frame}, "start", "it does not speak LSP: " + frame.Error(), anew, nil},
		"another type": {mistyped, "start", "its answer makes no sense: a number where another value belongs", anew, nil},
		"no JSON":      {syntax, "start", "its answer makes no sense: " + syntax.Error(), anew, nil},
		"anything":     {errors.New("it broke"), "start", "it broke", v.byHand(p), nil},
	} {
		want := result.Symptom{Level: result.LevelProblem, Step: c.step, Message: c.message, Next: c.next, TookMS: 1234, Details: c.details}
		if diff := cmp.Diff(want, v.failed(p, c.err, took), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if line := v.byHand(p); strings.Contains(line, registry.StateFolder) || !strings.Contains(line, "lspine-toy") || !strings.HasSuffix(line, setup.Quoted("a b")) {
		t.Errorf("by hand it is started with %s", line)
	}
}

// How it is known that the diagnostics of a server are complete is told by its way, and that of single files
// where it has one; what no test of ours runs is told as such.
func TestWhatCompletenessRestsOn(t *testing.T) {
	untested := []string{"no test of ours runs this server"}
	for name, c := range map[string]struct {
		diagnostics registry.Diagnostics
		tested      registry.Tested
		want        string
		details     []string
	}{
		"declared": {registry.Diagnostics{}, registry.CI, "by what the server declares (pull, versioned or settled)", nil},
		"untested": {registry.Diagnostics{Strategies: []registry.Strategy{registry.Versioned}}, "", completeness[registry.Versioned], untested},
		"files": {
			registry.Diagnostics{Strategies: []registry.Strategy{registry.Progress}, FileStrategies: []registry.Strategy{registry.Pull}},
			registry.CI,
			completeness[registry.Pull] + "; with the files that use it: " + completeness[registry.Progress], nil,
		},
		"disk": {
			registry.Diagnostics{Strategies: []registry.Strategy{registry.Settled}, Disk: &registry.DiskCheck{Method: "toy/check"}},
			registry.CI,
			completeness[registry.Settled] + "; toy/check for what is on disk", nil,
		},
	} {
		want := result.Symptom{Level: result.LevelOK, Step: "answers", Message: c.want, Details: c.details}
		if diff := cmp.Diff(want, strategiesOf(about(registry.Definition{Diagnostics: c.diagnostics, Tested: c.tested}))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A server that somebody else runs is named by its address, and who configured that; one that is missing and
// that nobody knows how to get is listed elsewhere; and that no folder is searched is said.
func TestProgramsOfOthersAndOfNobody(t *testing.T) {
	t.Setenv("PATH", "")
	v := configured(t, `{"lsp": {"servers": {"gopls": {"connect": "localhost:9"}}}}`)
	source := v.opts.Config.Source("lsp.servers.gopls.connect")
	elsewhere, version := v.binary(about(registry.Definition{ID: "gopls", Connect: "localhost:9"}))
	want := result.Symptom{Level: result.LevelOK, Step: "binary", Message: "somebody else runs it at localhost:9 (" + source.String() + ")"}
	if diff := cmp.Diff(want, elsewhere); diff != "" || version != "" {
		t.Errorf("version %q: %s", version, diff)
	}
	missing := about(registry.Definition{ID: "toy"})
	missing.Searched = []roots.Search{{Obstacle: "toy not found in PATH"}}
	want = result.Symptom{
		Level: result.LevelProblem, Step: "binary", Message: "toy not found in PATH", Next: "lspine servers",
		Details: []string{"PATH names no folder", "nothing is known of how to install it"},
	}
	got, _ := v.binary(missing)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Of a server that does not start, as nobody may be asked and the user does not name it, the setting
// that says so is named; of one that the user names, its own.
func TestServersThatNobodyNamed(t *testing.T) {
	v := configured(t, `{"lsp": {"policyMode": "non-interactive", "servers": {"gopls": {"enabled": false}}}}`)
	mode, own := v.opts.Config.Source("lsp.policyMode"), v.opts.Config.Source("lsp.servers.gopls.enabled")
	for id, want := range map[string]result.Symptom{
		"clangd": {
			Message: "not started: lsp.policyMode is non-interactive (" + mode.String() + "), and your own configuration does not name it",
			Next:    openEditor(mode.File, mode.Line),
		},
		"gopls": {Message: "disabled (" + own.String() + ")", Next: openEditor(own.File, own.Line)},
	} {
		want.Level, want.Step = result.LevelNote, "configuration"
		if diff := cmp.Diff(want, v.disabled(about(registry.Definition{ID: id}))); diff != "" || mode.File == "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
}

// The status of a server has what its definition says, as far as that says anything: its first
// language, its first strategy.
func TestWhatTheStatusHasOfADefinition(t *testing.T) {
	v := configured(t, "{}")
	v.opts.Config.Servers = registry.Table{
		{
			ID: "toy", Languages: []registry.Language{{ID: "toy"}, {ID: "play"}},
			Diagnostics: registry.Diagnostics{Strategies: []registry.Strategy{registry.Versioned, registry.Settled}},
		},
		{ID: "bare", Connect: "localhost:9"},
	}
	for id, want := range map[string]result.Server{
		"toy":  {ID: "toy", Language: "toy", Strategy: "versioned", State: "stopped"},
		"bare": {ID: "bare", Binary: "localhost:9", State: "stopped"},
		"gone": {ID: "gone", State: "stopped"},
	} {
		want.Source = v.opts.Config.SourceOfServer(id)
		if diff := cmp.Diff(want, v.server(workspace.Status{ID: id, State: roots.Stopped})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}
