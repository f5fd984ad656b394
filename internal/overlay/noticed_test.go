package overlay

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// What servers said is known until they are told of a change on disk; what they said of a file,
// until the file is gone.
func TestWhatIsKnownAfterALookAtTheDisk(t *testing.T) {
	got := make(map[string]bool)
	for name, found := range map[string]func(lib, other string) workspace.Swept{
		"nothing":           func(_, _ string) workspace.Swept { return workspace.Swept{} },
		"nobody was told":   func(lib, _ string) workspace.Swept { return workspace.Swept{Changed: []string{lib}} },
		"servers were told": func(_, other string) workspace.Swept { return workspace.Swept{Changed: []string{other}, Told: true} },
		"it is gone":        func(lib, _ string) workspace.Swept { return workspace.Swept{Deleted: []string{lib}} },
		"another is gone":   func(_, other string) workspace.Swept { return workspace.Swept{Deleted: []string{other}} },
	} {
		t.Run(name, func(t *testing.T) {
			collector := diagnostics.New(diagnostics.Options{})
			defer collector.Close()
			w, err := workspace.Open(workspace.Options{
				Root: lsptest.Workspace(t, lsptest.Project), Servers: registry.Table{lsptest.Script{}.Definition(t)},
				Observe: func(key workspace.Key) lsp.Observer { return collector.Observe(diagnostics.Key(key)) },
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = w.Close(context.Background()) })
			texts := New(Options{Workspace: w, Collector: collector, Settings: &config.Settings{}})
			defer texts.Close()
			lib, other := filepath.Join(w.Root(), "lib.toy"), filepath.Join(w.Root(), "main.toy")
			c := w.Candidates(lib)[0]
			file := diagnostics.File{Path: lib, Content: []byte("def helper\n"), Sources: []diagnostics.Source{{
				Key: diagnostics.Key(c.Key()), Obtain: func(ctx context.Context) (diagnostics.Server, error) { return w.Server(ctx, c) },
			}}}
			if _, err := collector.Check(t.Context(), diagnostics.Request{Files: []diagnostics.File{file}}); err != nil || !collector.Knows(file, false) {
				t.Fatalf("it is not known at first: %v", err)
			}
			texts.Noticed(found(lib, other))
			got[name] = collector.Knows(file, false)
		})
	}
	want := map[string]bool{"nothing": true, "nobody was told": true, "servers were told": false, "it is gone": false, "another is gone": true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
