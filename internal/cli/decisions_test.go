package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// What a check found decides its exit code: a file that was refused before anything else, then what is new, in the
// files and in others, then what is not known.
func TestExitOfACheck(t *testing.T) {
	of := func(isNew bool) []result.File {
		return []result.File{{Path: "clean.toy"}, {Path: "a.toy", Diagnostics: []result.Diagnostic{{Message: "old"}, {Message: "wrong", New: isNew}, {Message: "older"}}}}
	}
	for name, c := range map[string]struct {
		check          result.Check
		refused, older bool
		want           error
	}{
		"clean":                {result.Check{Verdict: result.Clean}, false, true, nil},
		"old":                  {result.Check{Files: of(false), Others: of(false)}, false, false, nil},
		"old, which counts":    {result.Check{Files: of(false)}, false, true, exit(exitDiagnostics)},
		"old elsewhere":        {result.Check{Others: of(false)}, false, true, nil},
		"new":                  {result.Check{Files: of(true)}, false, false, exit(exitDiagnostics)},
		"new elsewhere":        {result.Check{Files: of(false), Others: of(true)}, false, false, exit(exitDiagnostics)},
		"not compared":         {result.Check{Others: []result.File{{Baseline: "none", Diagnostics: []result.Diagnostic{{New: true}}}}}, false, true, nil},
		"new, and not listed":  {result.Check{Verdict: result.NewErrors}, false, false, exit(exitDiagnostics)},
		"new and not known":    {result.Check{Files: of(true), Incomplete: true}, false, false, exit(exitDiagnostics)},
		"not known":            {result.Check{Files: of(false), Incomplete: true}, false, false, exit(exitUnavailable)},
		"no server":            {result.Check{Verdict: result.LSPUnavailable}, false, true, exit(exitUnavailable)},
		"refused":              {result.Check{}, true, true, exit(exitUsage)},
		"refused and new":      {result.Check{Files: of(true)}, true, true, exit(exitUsage)},
		"late, of another one": {result.Check{Late: of(true)}, false, true, nil},
	} {
		if got := outcome(&c.check, c.refused, c.older); !errors.Is(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A check asks for what its flags say; without a deadline it takes that of the configuration, if there is one, and
// waits for servers that work.
func TestRequestOfACheck(t *testing.T) {
	root := t.TempDir()
	configured := filepath.Join(root, "config.jsonc")
	lsptest.WriteFile(t, configured, `{"lsp": {"firstTouchTimeout": 7000}}`)
	load := func(file string) *config.Config {
		cfg, _ := config.Load(config.Options{Root: root, UserFile: file, Environ: []string{"LSPINE_TRUST=always"}})
		return cfg
	}
	plain, own := load(""), load(configured)
	const hour = 3_600_000
	for name, c := range map[string]struct {
		flags    checkFlags
		cfg      *config.Config
		terminal bool
		want     api.CheckRequest
	}{
		"plain":       {checkFlags{}, plain, false, api.CheckRequest{Baseline: "head", CountOlder: true, TimeoutMS: 60_000, MaxBytes: -1, WaitLimitMS: hour}},
		"configured":  {checkFlags{scope: "file", severities: []string{"hint"}}, own, false, api.CheckRequest{Baseline: "head", CountOlder: true, Scope: "file", Severities: []string{"hint"}, TimeoutMS: 7_000, MaxBytes: -1, WaitLimitMS: hour}},
		"a deadline":  {checkFlags{timeout: 3 * time.Second, chosen: map[string]*bool{"json": new(true)}}, own, false, api.CheckRequest{Baseline: "head", CountOlder: true, TimeoutMS: 3_000, MaxBytes: -1, SourceLines: true}},
		"a short one": {checkFlags{timeout: time.Microsecond}, own, true, api.CheckRequest{Baseline: "head", CountOlder: true, TimeoutMS: 1, MaxBytes: -1, SourceLines: true}},
		"since":       {checkFlags{since: "main"}, plain, false, api.CheckRequest{Baseline: api.BaselineHead, Revision: "main", TimeoutMS: 60_000, MaxBytes: -1, WaitLimitMS: hour}},
	} {
		c.want.Files = []string{"/a"}
		got := c.flags.request(c.cfg, []string{"/a"}, &Streams{OutTerminal: c.terminal})
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A path is shown relative to the current folder if it is below that, else as a whole.
func TestShownPaths(t *testing.T) {
	root := lsptest.Workspace(t, "-- sub/a.toy --\n-- b.toy --\n")
	sub := filepath.Join(root, "sub")
	for _, c := range []struct{ dir, path, want string }{
		{root, "sub/a.toy", "sub/a.toy"},
		{sub, "sub/a.toy", "a.toy"},
		{sub, "b.toy", filepath.Join(root, "b.toy")},
		{root, filepath.Join(sub, "a.toy"), "sub/a.toy"},
		{filepath.Join(root, "gone"), "b.toy", filepath.Join(root, "b.toy")},
	} {
		if got := shortPath(c.dir, root, c.path); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.path, c.dir, got, c.want)
		}
	}
}

// Whatever ends a command has its exit code and is said once, with a hint and without control characters: what no
// server could answer is not what cannot be asked.
func TestExitCodes(t *testing.T) {
	of := func(kind result.Kind) error {
		return &result.Error{Kind: kind, Message: "no\x1b[2J", Hint: "do\x1bthis"}
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		err  error
		code int
		says bool
	}{
		"nothing":          {t.Context(), nil, exitClean, false},
		"nothing at last":  {canceled, nil, exitClean, false},
		"an exit":          {t.Context(), fmt.Errorf("with %w", exit(7)), 7, false},
		"unavailable":      {t.Context(), of(result.Unavailable), exitUnavailable, true},
		"unsupported":      {t.Context(), of(result.Unsupported), exitUnavailable, true},
		"not ready":        {t.Context(), of(result.NotReady), exitUnavailable, true},
		"timeout":          {t.Context(), of(result.Timeout), exitUnavailable, true},
		"crashed":          {t.Context(), of(result.Crashed), exitUnavailable, true},
		"not found":        {t.Context(), of(result.NotFound), exitUsage, true},
		"a wrong argument": {t.Context(), of(result.Argument), exitUsage, true},
	} {
		var stderr bytes.Buffer
		code := exitCode(c.ctx, c.err, &stderr)
		if code != c.code || c.says != (stderr.Len() > 0) {
			t.Errorf("%s: %d %q, want %d", name, code, stderr.String(), c.code)
		}
		if c.says && bytes.ContainsRune(stderr.Bytes(), '\x1b') {
			t.Errorf("%s: %q", name, stderr.String())
		}
	}
	var stderr bytes.Buffer
	if code := exitCode(canceled, exit(1), &stderr); code != exitInterrupted || stderr.String() != "lspine: interrupted\n" {
		t.Errorf("canceled: %d %q", code, stderr.String())
	}
	for want, c := range map[string][2]string{"lspine: a\n  b\n": {"a", "b"}, "lspine: a\n": {"a", ""}, "  b\n": {"", "b"}, "": {"", ""}} {
		stderr.Reset()
		if say(&stderr, c[0], c[1]); stderr.String() != want {
			t.Errorf("%q, want %q", stderr.String(), want)
		}
	}
}

// A daemon is used where the configuration leaves it to lspine, and in continuous integration only by what stays.
func TestWhoUsesADaemon(t *testing.T) {
	auto := config.Settings{Enabled: true, Daemon: config.DaemonAuto}
	for name, c := range map[string]struct {
		settings config.Settings
		ci       string
		stays    bool
		want     bool
	}{
		"a command":       {auto, "", false, true},
		"in CI":           {auto, "CI=true", false, false},
		"in CI, for long": {auto, "CI=1", true, true},
		"CI is false":     {auto, "CI=false", false, true},
		"CI is 0":         {auto, "CI=0", false, true},
		"never":           {config.Settings{Enabled: true, Daemon: config.DaemonNever}, "", true, false},
		"disabled":        {config.Settings{Daemon: config.DaemonAuto}, "", true, false},
	} {
		if got := usesDaemon(&Streams{Environ: []string{c.ci}}, &config.Config{Settings: c.settings}, c.stays); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// A daemon is started with the flags of the command, whose paths it reads from another folder.
func TestCommandOfADaemon(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		of   global
		want []string
	}{
		{global{}, []string{"daemon", "run", "--root", "/r"}},
		{
			global{configFile: "c.jsonc", servers: []string{"a", "b"}, opta: true, evidence: "e.jsonl"},
			[]string{"daemon", "run", "--root", "/r", "--config", at("c.jsonc"), "--server", "a", "--server", "b", "--opta", "--evidence", at("e.jsonl")},
		},
		{global{configFile: at("d"), evidence: at("f")}, []string{"daemon", "run", "--root", "/r", "--config", at("d"), "--evidence", at("f")}},
		{global{evidence: "off"}, []string{"daemon", "run", "--root", "/r", "--evidence", "off"}},
	} {
		if diff := cmp.Diff(c.want, c.of.daemonCommand(&Streams{Dir: dir}, "/r")); diff != "" {
			t.Error(diff)
		}
	}
}

// The root of a command is that of its flag, else of the host, else the checkout around the folder it runs in; a root
// that is none is refused by the name of where it comes from.
func TestRootOfACommand(t *testing.T) {
	root := lsptest.Workspace(t, "-- repo/.git/HEAD --\n-- repo/sub/a.toy --\n")
	repo, sub := filepath.Join(root, "repo"), filepath.Join(root, "repo", "sub")
	boot := func(dir string) string {
		text, _ := json.Marshal(map[string]string{"workspaceRoot": dir})
		return "LSP_BOOTSTRAP=" + string(text)
	}
	gone := filepath.Join(sub, "gone")
	for name, c := range map[string]struct {
		flag, environ string
		want, fails   string
	}{
		"around":       {"", "", repo, ""},
		"flag":         {".", boot(root), sub, ""},
		"whole flag":   {root, "", root, ""},
		"host":         {"", boot(root), root, ""},
		"no folder":    {"a.toy", "", "", "--root: " + filepath.Join(sub, "a.toy") + " is not a folder|name the folder that holds it"},
		"host is none": {"", boot(filepath.Join(sub, "a.toy")), "", "LSP_BOOTSTRAP.workspaceRoot: " + filepath.Join(sub, "a.toy") + " is not a folder|name the folder that holds it"},
	} {
		g := global{root: c.flag}
		got, err := g.resolveRoot(&Streams{Dir: sub, Environ: []string{c.environ}})
		fails := ""
		if usage := (*usageError)(nil); errors.As(err, &usage) {
			fails = usage.message + "|" + usage.hint
		}
		if diff := cmp.Diff([]string{c.want, c.fails}, []string{got, fails}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	usage := (*usageError)(nil)
	if _, err := (&global{root: gone}).resolveRoot(&Streams{Dir: sub}); !errors.As(err, &usage) || usage.hint != "name an existing folder" {
		t.Errorf("a folder that is not there: %v", err)
	}
	if _, err := (&global{}).resolveRoot(&Streams{Dir: sub, Environ: []string{"LSP_BOOTSTRAP={"}}); !errors.As(err, &usage) || usage.hint != `for example {"workspaceRoot":"/home/you/project"}` {
		t.Errorf("a host that says nothing: %v", err)
	}
}

// What a project wanted to run is told once for each value of its own file, and once for each file of another agent.
func TestWordsAboutWhatIsNotTrusted(t *testing.T) {
	own := config.Untrusted{File: "/p/.lspine.jsonc", Line: 3, ID: "toy", Field: "command", Value: "x"}
	imported := config.Untrusted{File: "/p/.lsp.json", Line: 5, ID: "toy", Field: "command", Value: "x", Imported: true}
	another := imported
	another.Line = 9
	want := []string{own.String(), "/p/.lsp.json wants to run servers of its own, which are not used: lspine trust shows and allows it"}
	if diff := cmp.Diff(want, untrusted([]config.Untrusted{own, imported, another, own})); diff != "" {
		t.Error(diff)
	}
}
