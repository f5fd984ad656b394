package assembly

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// Asked again the items are the same, in the same order, however the answers of the server come in.
// With -cost it is measured what that takes, and what the requests that it consists of take by
// themselves, as many at a time: definitions, hovers, outlines, signatures and inlay hints.
func TestAssemblingAgain(t *testing.T) {
	rounds := 3
	if *cost {
		rounds = 51
	}
	for _, p := range projects {
		t.Run(p.name, func(t *testing.T) {
			s := plant(t, p.name, p.take, p.add, p.server)
			f := functions(t, s, p.files[0], 1)[0]
			req := api.AssembleRequest{Ranges: []api.Range{{File: f.file, StartLine: api.OneBased(f.first), EndLine: api.OneBased(f.last)}}}
			first := enginetest.Do(t, s, api.Assemble, req) // everything is loaded
			all := req
			all.BudgetBytes = 1 << 20
			asked := questions(t, s, s.Workspace().Running()[0], f, enginetest.Do(t, s, api.Assemble, all))
			var assembled, raw []time.Duration
			for range rounds {
				began := time.Now()
				again := enginetest.Do(t, s, api.Assemble, req)
				assembled = append(assembled, time.Since(began))
				if diff := cmp.Diff(first, again, cmpopts.IgnoreFields(result.ContextRecord{}, "QueriedAt")); diff != "" {
					t.Fatal(diff)
				}
				began = time.Now()
				four(asked)
				raw = append(raw, time.Since(began))
			}
			slices.Sort(assembled)
			slices.Sort(raw)
			a, r := assembled[rounds/2], raw[rounds/2]
			t.Logf("%s %s: %s, %d requests by themselves %s: %.2f ×", f.file, f.name, a, len(asked), r, float64(a)/float64(r))
		})
	}
}

// four puts questions, four at a time.
func four(asked []func()) {
	slots := make(chan struct{}, 4)
	var all guard.Group
	for _, ask := range asked {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			ask()
		})
	}
	all.Wait()
}

// questions are those that the context of a function consists of.
func questions(t *testing.T, s *enginetest.Shop, server *lsp.Server, f function, given result.Context) (asked []func()) {
	t.Helper()
	path, text := filepath.Join(s.Root(), f.file), protocol.NewMapper([]byte(s.Read(f.file)))
	in := symbols.LineRange(text, int(f.first)-1, int(f.last)-1)
	seen, known := make(map[string]bool), make(map[protocol.Location]bool)
	for _, n := range symbols.CodeNames(f.file, text, in) {
		if key := n.Of + "." + n.Text; seen[key] {
			continue
		} else {
			seen[key] = true
		}
		asked = append(asked, func() { _, _ = server.Locations(t.Context(), symbols.Definition, path, n.At) })
		places, err := server.Locations(t.Context(), symbols.Definition, path, n.At)
		if err != nil || len(places) == 0 || known[places[0]] {
			continue
		}
		known[places[0]] = true
		if at, err := places[0].URI.Path(); err == nil && at == path && !places[0].Range.Start.Before(in.Start) && places[0].Range.Start.Before(in.End) {
			continue // it is in the function
		}
		asked = append(asked, func() { _, _ = server.HoverAt(t.Context(), path, n.At) })
	}
	outlined := make(map[string]bool)
	for _, item := range given.Items {
		of := filepath.Join(s.Root(), item.Record.Target.Path)
		at := protocol.Position{Line: item.Record.Target.Line - 1, Character: item.Record.Target.Column - 1}
		switch {
		case item.Record.Query == "textDocument/documentSymbol" && !outlined[of]:
			outlined[of] = true
			asked = append(asked, func() { _, _ = server.Symbols(t.Context(), of) })
		case item.Kind == result.ContextSignature:
			asked = append(asked, func() { _, _ = server.SignatureHelp(t.Context(), path, at) })
		}
	}
	if server.Supports("textDocument/inlayHint") {
		asked = append(asked, func() { _, _ = server.InlayHints(t.Context(), path, in) })
	}
	return asked
}
