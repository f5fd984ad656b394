package checking

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/setup"
	"github.com/lspine/lspine/internal/workspace"
)

func TestMain(m *testing.M) {
	lsptest.Main(m, func() { lsp.Supervise(os.Args) }, lsptest.SideBySide(4))
}

// A shop is a checker over files.
type shop struct {
	*Checker
	t    *testing.T
	root string
}

// openToy opens a checker over files of the toy language.
func openToy(t *testing.T, script lsptest.Script, archive string) *shop {
	t.Helper()
	return open(t, archive, registry.Table{script.Definition(t)})
}

// openReal opens a checker over files that a real server serves.
func openReal(t *testing.T, archive, id string) *shop {
	t.Helper()
	lsptest.Require(t, id)
	d, _ := registry.Builtin().Get(id)
	return open(t, archive, registry.Table{d})
}

func open(t *testing.T, archive string, servers registry.Table) *shop {
	t.Helper()
	return openAt(t, lsptest.Workspace(t, archive), servers)
}

// openAt opens a checker over the files of a folder.
func openAt(t *testing.T, root string, servers registry.Table) *shop {
	t.Helper()
	cfg, problems := config.Load(config.Options{Root: root, Environ: []string{"LSPINE_TRUST=always"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	cfg.Servers, cfg.Settings.RequestTimeout = servers, 2*time.Minute
	settings := &cfg.Settings
	var texts *overlay.Texts
	collector := diagnostics.New(diagnostics.Options{Timeout: settings.DiagnosticTimeout, FirstTouch: settings.FirstTouchTimeout, Patience: settings.RequestTimeout})
	w, err := workspace.Open(workspace.Options{
		Root: root, Servers: servers, MaxRestarts: settings.MaxRestarts, MaxFileBytes: settings.MaxFileBytes, StateFolder: t.TempDir(),
		Observe: func(key roots.Key) lsp.Observer { return collector.Observe(diagnostics.Key(key)) },
		Held:    func(path string) bool { return texts.Holds(path) },
	})
	if err != nil {
		t.Fatal(err)
	}
	tree, err := edit.NewTree(int64(settings.MaxFileBytes), root)
	if err != nil {
		t.Fatal(err)
	}
	texts = overlay.New(overlay.Options{Workspace: w, Collector: collector, Settings: settings})
	t.Cleanup(func() {
		texts.Close()
		collector.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = w.Close(ctx)
	})
	names := w.Names("")
	lacks := setup.New(w, collector, names)
	finder := dependants.New(dependants.Options{Workspace: w, Collector: collector, Overlay: texts, Config: cfg})
	ch := New(Options{Workspace: w, Collector: collector, Overlay: texts, Config: cfg, Finder: finder, Journal: t.TempDir()})
	return &shop{ch.For(Caller{Names: names, Lacks: lacks, View: texts.View(names, lacks), Files: tree}), t, root}
}

// check runs a check with a deadline that only a broken machine reaches.
func (s *shop) check(files ...string) result.Check {
	s.t.Helper()
	answer, err := s.Check(s.t.Context(), api.CheckRequest{Files: files, TimeoutMS: 60_000})
	if err != nil {
		s.t.Fatal(err)
	}
	return answer
}

// While servers are shown the text from before a change, a look at the disk that began earlier does
// not show them the present one.
func TestFormerTextIsHeld(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{Mode: lsptest.Pull, Rules: []lsptest.Rule{lsptest.OnNth("textDocument/diagnostic", 1, lsptest.Hang())}}, lsptest.Project)
	lsptest.Git(t, s.root, "init", "-q")
	lsptest.Git(t, s.root, "add", ".")
	lsptest.Git(t, s.root, "commit", "-qm", "one")
	path := filepath.Join(s.root, "main.toy")
	lsptest.WriteFile(t, path, "use nothing\n")
	ctx, leave := context.WithCancel(t.Context())
	checked := make(chan error, 1)
	go func() { // ends when the check is left
		_, err := s.Check(ctx, api.CheckRequest{Files: []string{"main.toy"}, Baseline: "head", TimeoutMS: 60_000})
		checked <- err
	}()
	shown := func() (text string) {
		for _, server := range s.workspace.Running() {
			_, document, _ := server.Document(path)
			text = string(document)
		}
		return text
	}
	lsptest.Eventually(t, time.Minute, func() bool { return shown() == "use helper\n" }, "the former text is shown")
	if _, err := s.workspace.Sweep(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if got := shown(); got != "use helper\n" {
		t.Errorf("after a look at the disk it is %q", got)
	}
	leave()
	if err := <-checked; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if s.overlay.Holds(path) {
		t.Error("it is held still")
	}
}
