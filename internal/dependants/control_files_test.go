package dependants

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/setup"
)

// In the place of a file that is deleted its server is asked about one beside it, else about
// one that is open, else about the one with the shortest path.
func TestControlFilesOfADeletion(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		more, open, want string
	}{
		"one beside":       {"-- sub/beside.toy --\n", "far/away/open.toy", "sub/beside.toy"},
		"one that is open": {"-- sub/notes.txt --\n", "far/away/open.toy", "far/away/open.toy"},
		"any":              {"", "", "a.toy"},
	} {
		d := lsptest.Script{}.Definition(t)
		d.Diagnostics.ClosedFiles = registry.ClosedPushes
		w := openProject(t, d, "-- toy.root --\n-- sub/gone.toy --\n-- a.toy --\n-- far/away/open.toy --\n"+c.more)
		root := w.Root()
		cfg, problems := config.Load(config.Options{Root: root, Environ: []string{}})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		cfg.Servers = registry.Table{d}
		collector := diagnostics.New(diagnostics.Options{})
		t.Cleanup(collector.Close)
		texts := overlay.New(overlay.Options{Workspace: w, Collector: collector, Settings: &cfg.Settings})
		t.Cleanup(texts.Close)
		names := w.Names("")
		if c.open != "" {
			path := filepath.Join(root, filepath.FromSlash(c.open))
			server, err := w.Server(t.Context(), w.Candidates(path)[0])
			if err != nil {
				t.Fatal(err)
			}
			if _, err := server.Sync(path, nil); err != nil {
				t.Fatal(err)
			}
		}
		finder := New(Options{Workspace: w, Collector: collector, Overlay: texts, Config: cfg}).For(names, setup.New(w, collector, names), "")
		changes := Changes{edit.Change{Path: filepath.Join(root, "sub", "gone.toy"), Deleted: true}}
		files, later := finder.Made(changes, w.Detection(), nil).ControlFiles(t.Context(), nil)
		var got []string
		for _, f := range append(files, later...) {
			got = append(got, names.Relative(f.Path))
		}
		if diff := cmp.Diff([]string{c.want}, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
