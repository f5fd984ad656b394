package assembly

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// Revalidate brings context items up to date. If no file that an item depends on has changed, the
// item stays the same. Otherwise its server is queried again, and if that yields nothing the item
// is marked as stale. No item is dropped, and no text gets longer.
func (a *Assembler) Revalidate(ctx context.Context, req api.RevalidateRequest) (result.Context, error) {
	if err := a.checkItems(&req); err != nil {
		return result.Context{}, err
	}
	var again *revalidation
	answer, err := overlay.Ask(ctx, a.view, api.Limits{TimeoutMS: req.TimeoutMS}, headOfContext, func(ctx context.Context, q *symbols.Inquiry) (result.Context, error) {
		again = &revalidation{newGathering(a, q, nil), slices.Clone(req.Items)}
		for i := range again.items {
			again.items[i].Record.Files = slices.Clone(again.items[i].Record.Files)
		}
		again.beside(len(again.items), func(i int) {
			if item := &again.items[i]; again.changed(item) && item.Kind != result.ContextDiagnostics {
				again.renew(item, again.askAgain(ctx, item))
			}
		})
		return result.Context{}, ctxCanceled(ctx)
	})
	if err != nil {
		return result.Context{}, err
	}
	for i := range again.items {
		if item := &again.items[i]; item.Kind == result.ContextDiagnostics && again.changed(item) {
			again.renew(item, again.checkAgain(ctx, item))
		}
		answer.Bytes += len(again.items[i].Text)
	}
	answer.Items, answer.Failures = again.items, again.failures
	return answer, nil
}

func (a *Assembler) checkItems(r *api.RevalidateRequest) error {
	if len(r.Items) == 0 {
		return &api.ArgumentError{Argument: "items", Reason: "it is empty", Advice: "give the items as assemble answered them"}
	}
	for i := range r.Items {
		item := &r.Items[i]
		if !slices.Contains(api.ContextKinds, item.Kind) || item.Record.Query == "" || item.Record.Target.Path == "" || item.Text == "" || len(item.Record.Files) == 0 {
			return &api.ArgumentError{Argument: "items", Reason: fmt.Sprintf("element %d is no item with its record", i), Advice: "give the items as assemble answered them"}
		}
		var outside *workspace.OutsideWorkspaceError
		if _, err := a.names.Resolve(item.Record.Target.Path); errors.As(err, &outside) {
			return err
		}
	}
	return api.Limits{TimeoutMS: r.TimeoutMS}.Valid()
}

// A revalidation queries servers again for items.
type revalidation struct {
	*gathering
	items []result.ContextItem
}

// changed records the current state of an item's files, and reports whether one of them changed
// since the server was queried.
func (r *revalidation) changed(item *result.ContextItem) (changed bool) {
	for i := range item.Record.Files {
		f := &item.Record.Files[i]
		path, err := r.names.Resolve(f.Path)
		if err != nil { // outside the workspace
			path = f.Path
		}
		f.AtInjection = r.state(path)
		changed = changed || !sameState(f.AtQuery, f.AtInjection)
	}
	if !changed {
		item.Record.Stale, item.Record.Reason = false, ""
	}
	return changed
}

// sameState reports whether two states are the same: by hash if either has one, else by time of
// modification.
func sameState(x, y result.FileState) bool {
	if x.Hash != "" || y.Hash != "" {
		return x.Hash == y.Hash
	}
	return x.Modified.Equal(y.Modified)
}

// stateOf returns the state of a file. The content of a file outside the workspace is not read.
func (g *gathering) stateOf(path string) (state result.FileState) {
	if !filepath.IsAbs(path) {
		return state
	}
	if info, err := os.Stat(path); err == nil {
		state.Modified = info.ModTime().UTC()
	}
	if !g.workspace.Contains(path) {
		return state
	}
	if text, err := g.bytes(path); err == nil {
		state.Hash = edit.Hash(text)
	}
	return state
}

// bytes returns a file as the servers of this gathering are shown it: the state on record is that
// of the text that they answered about, whatever happens to the file meanwhile.
func (g *gathering) bytes(path string) ([]byte, error) {
	if g.q != nil {
		return g.q.Bytes(path)
	}
	access := g.view.Access()
	defer access.Close()
	return access.Text(path)
}

// renew replaces an item by an answer, or marks it as stale if there is none.
func (r *revalidation) renew(item *result.ContextItem, c *candidate) {
	if c == nil || len(c.texts) == 0 {
		item.Record.Stale = true
		item.Record.Reason = r.reasonOf(item)
		return
	}
	room := len(item.Text)
	fits := func(text string) bool { return len(text) <= room }
	form := slices.IndexFunc(c.texts, fits)
	switch shortest := c.texts[len(c.texts)-1]; {
	case form >= 0:
		item.Text = c.texts[form]
	case room < leastCut:
		item.Record.Stale, item.Record.Reason = true, fmt.Sprintf("it has become longer than its %d bytes", room)
		return
	default:
		item.Text = strings.TrimRight(cutText(shortest, room-1), "\n") + "\n"
	}
	item.Name, item.Record = c.item.Name, c.item.Record
}

// leastCut is the minimum size, in bytes, at which the beginning of a text is still useful.
const leastCut = 40

// reasonOf says why an item could not be queried again.
func (r *revalidation) reasonOf(item *result.ContextItem) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.failures {
		f := &r.failures[i]
		asked := f.Query == item.Record.Query || item.Kind == result.ContextType && f.Query == symbols.Definition
		if asked && f.Target.Path == item.Record.Target.Path {
			return f.Error.Message
		}
	}
	what := item.Name
	if what == "" {
		what = "it"
	}
	return what + " is no longer found in " + item.Record.Target.Path
}

// askAgain repeats the query of an item at the current position of its subject. It returns nil if
// the subject is not found or the query gets no answer.
func (r *revalidation) askAgain(ctx context.Context, item *result.ContextItem) *candidate {
	path, err := r.names.Resolve(item.Record.Target.Path)
	if err != nil {
		return nil
	}
	text, err := r.q.Text(path)
	if err != nil {
		return nil
	}
	switch item.Kind {
	case result.ContextType, result.ContextSignature:
		u := r.find(path, text, item)
		if u == nil {
			return nil
		}
		if item.Kind == result.ContextSignature {
			return r.signatureOf(ctx, u)
		}
		return r.typeAgain(ctx, u)
	case result.ContextDefinition:
		if item.Record.Query == symbols.TypeDefinition {
			return r.typeDefinitionAgain(ctx, path, text, item)
		}
		return r.definitionAgain(ctx, path, item.Name)
	case result.ContextReferences:
		return r.referencesAgain(ctx, path, item.Name)
	case result.ContextSummary:
		return r.summaryOf(ctx, path)
	case result.ContextHints:
		first, last := int(item.Record.Target.Line)-1, int(item.Record.Target.EndLine)-1
		if first < 0 || first >= text.Lines() {
			return nil
		}
		return r.hintsOf(ctx, &area{path, symbols.LineRange(text, first, min(max(first, last), text.Lines()-1))})
	}
	return nil
}

// find returns the use of a name that is nearest to its previous position, nil if there is none.
func (r *revalidation) find(path string, text *protocol.Mapper, item *result.ContextItem) (nearest *use) {
	best, was := 0, int(item.Record.Target.Line)-1
	for _, n := range symbols.CodeNames(path, text, symbols.LineRange(text, 0, text.Lines()-1)) {
		away := max(int(n.At.Line)-was, was-int(n.At.Line))
		if n.Text == item.Name && (n.Called || item.Kind != result.ContextSignature) && (nearest == nil || away < best) {
			best, nearest = away, &use{n, path, 1}
		}
	}
	return nearest
}

// typeAgain asks where a name is declared, and for its type.
func (r *revalidation) typeAgain(ctx context.Context, u *use) *candidate {
	t := u.target()
	var places []symbols.Place
	_, ok := r.put(ctx, symbols.Definition, symbols.Place{Path: t.Path, Range: protocol.Range{Start: t.At, End: t.At}}, func() (err error) {
		places, err = r.q.Places(ctx, symbols.Definition, t)
		return err
	})
	if !ok || len(places) == 0 {
		return nil
	}
	d := &declaration{place: places[0], use: u, distance: sameWorkspace}
	if r.distance(places[0].Path) == elsewhere {
		d.distance = elsewhere
	}
	return r.typeOf(ctx, d)
}

// definitionAgain returns the source of the declaration with a name path.
func (r *revalidation) definitionAgain(ctx context.Context, path, name string) *candidate {
	file := r.declared(ctx, path)
	if file.outline == nil {
		return nil
	}
	for _, s := range file.outline.All() {
		if strings.Join(s.Path, ".") == name {
			return r.excerptOfSymbol(file, s)
		}
	}
	return nil
}

// checkAgain returns the current findings of a file.
func (r *revalidation) checkAgain(ctx context.Context, item *result.ContextItem) *candidate {
	path, err := r.names.Resolve(item.Record.Target.Path)
	if err != nil || errors.Is(ctx.Err(), context.Canceled) {
		return nil
	}
	r.diagnose(ctx, []string{path})
	if len(r.findings) == 0 {
		return nil
	}
	last := r.findings[len(r.findings)-1]
	r.findings = nil
	return last
}
