package setup

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// A server that may not run what a checkout brings judges a file in part, and trust is the way out of that; with it, notes on answers
// say so, too. Where the workspace is trusted, or the server does without nothing, there is no such handicap.
func TestHandicapOfTrust(t *testing.T) {
	const (
		archive  = "-- rust/a.rs --\n-- web/svelte.config.js --\n-- web/src/a.svelte --\n-- plain/a.svelte --\n-- java/pom.xml --\n-- java/src/A.java --\n-- a.ts --\n-- a.go --\n"
		builds   = "without cargo check, build scripts and procedural macros, as this checkout is not trusted"
		config   = "without svelte.config.js and its preprocessors, as this checkout is not trusted"
		projects = "without the projects of Maven and Gradle, as this checkout is not trusted"
	)
	lacks := func(sure, what string) diagnostics.Handicap {
		return diagnostics.Handicap{
			Lack: diagnostics.Lack{Missing: "judged " + what, Next: "lspine trust"}, Reason: "judged " + what, Untrusted: true, Doubtful: true,
			Sure: sure,
		}
	}
	for _, trusted := range []bool{false, true} {
		w, err := workspace.Open(workspace.Options{
			Root: lsptest.Workspace(t, archive), Trusted: trusted, LookPath: func(program string) (string, error) { return lsptest.Rooted("/bin/" + program), nil },
			Servers: servers(t, "rust-analyzer", "svelte", "jdtls", "typescript-language-server", "gopls"),
		})
		if err != nil {
			t.Fatal(err)
		}
		collector := diagnostics.New(diagnostics.Options{})
		s := New(w, collector, w.Names(""))
		for _, c := range []struct {
			server, file, without string
		}{
			{"rust-analyzer", "rust/a.rs", builds},
			{"svelte", "web/src/a.svelte", config},
			{"svelte", "plain/a.svelte", ""},
			{"jdtls", "java/src/A.java", projects},
			{"jdtls", "A.java", ""},
			{"typescript-language-server", "a.ts", ""},
			{"gopls", "a.go", ""},
		} {
			d, path := server(t, c.server), filepath.Join(w.Root(), filepath.FromSlash(c.file))
			var want diagnostics.Handicap
			note := ""
			if c.without != "" && !trusted {
				want = lacks(d.Executes.Restraint.Sure, c.without)
				note = "asked " + c.without + " (to fix it: lspine trust)"
			}
			if diff := cmp.Diff(want, s.Of(d, roots.Key{ID: d.ID, Root: w.Root()}).Handicap(path)); diff != "" {
				t.Errorf("trusted %t, %s of %s (-want +got):\n%s", trusted, c.server, c.file, diff)
			}
			candidate := &roots.Candidate{Definition: *d, Root: w.Root()}
			for method, want := range map[string]string{symbols.Definition: note, "textDocument/references": note, "workspace/symbol": note, "textDocument/documentSymbol": ""} {
				if got := s.Note(candidate, path, method); got != want && (want != "" || strings.Contains(got, "lspine trust")) {
					t.Errorf("trusted %t, %s of %s by %s: %q, want %q", trusted, method, c.file, c.server, got, want)
				}
			}
		}
		collector.Close()
		if err := w.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// servers are these of the built-in table.
func servers(t *testing.T, ids ...string) (table registry.Table) {
	t.Helper()
	for _, id := range ids {
		table = append(table, *server(t, id))
	}
	return table
}
