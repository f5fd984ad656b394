package assembly

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// An area is a part of a file, in whole lines.
type area struct {
	path string // absolute
	in   protocol.Range
}

// holds reports whether a place begins in the area.
func (a *area) holds(p symbols.Place) bool {
	return a.path == p.Path && !p.Range.Start.Before(a.in.Start) && !a.in.End.Before(p.Range.Start)
}

// A focus is what context items are about.
type focus struct {
	// areas are the parts of files being worked on, in the order in which they are named.
	areas []area
	// seen are the other parts of files that the caller already sees.
	seen []area
	// named are the declarations that the caller names and whose source it wants.
	named []symbols.Place
}

// shows reports whether the caller already sees what is declared at a place.
func (f *focus) shows(p symbols.Place) bool {
	holds := func(a area) bool { return a.holds(p) }
	return slices.ContainsFunc(f.areas, holds) || slices.ContainsFunc(f.seen, holds)
}

// files returns the absolute paths of the focus, each once.
func (f *focus) files() (paths []string) {
	for i := range f.areas {
		if !slices.Contains(paths, f.areas[i].path) {
			paths = append(paths, f.areas[i].path)
		}
	}
	return paths
}

// addArea adds a part of a file that is not yet in the focus.
func (f *focus) addArea(a area) {
	if !slices.Contains(f.areas, a) {
		f.areas = append(f.areas, a)
	}
}

// findFocus determines what a request is about. A wrong name in the request is an error; a missing
// answer from a server is not.
func (g *gathering) findFocus(ctx context.Context, req *api.AssembleRequest) error {
	ranges := slices.Clone(req.Ranges)
	for _, file := range req.Files {
		ranges = append(ranges, api.Range{File: file})
	}
	for _, r := range ranges {
		a, err := g.area(ctx, "ranges", r)
		if err != nil {
			return err
		}
		g.focus.addArea(a)
	}
	for _, r := range req.InView {
		a, err := g.area(ctx, "in_view", r)
		if err != nil {
			return err
		}
		g.focus.seen = append(g.focus.seen, a)
	}
	for _, at := range req.Symbols {
		if err := g.nameSymbol(ctx, at); err != nil {
			return err
		}
	}
	if req.GitRange != "" {
		if err := g.addDiff(ctx, req.GitRange); err != nil {
			return err
		}
	}
	if req.Text != "" {
		g.readText(ctx, req.Text)
	}
	return ctxCanceled(ctx)
}

// ctxCanceled returns an error if the caller has canceled. An expired deadline is not an error:
// what is known by then is the answer.
func ctxCanceled(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return nil
}

// area returns the part of a file that a range covers.
func (g *gathering) area(ctx context.Context, argument string, r api.Range) (area, error) {
	path, err := g.names.Resolve(r.File)
	if err != nil {
		return area{}, err
	}
	text, err := g.q.Text(path)
	if err != nil {
		return area{}, err
	}
	whole := symbols.LineRange(text, 0, text.Lines()-1)
	switch {
	case int(max(r.StartLine, r.EndLine)) > text.Lines():
		return area{}, &api.ArgumentError{
			Argument: argument, Reason: fmt.Sprintf("line %d is past the end of %s, which has %d lines", max(r.StartLine, r.EndLine), g.names.Relative(path), text.Lines()), Advice: "name lines of the file",
		}
	case r.StartLine == 0:
		return area{path, whole}, nil
	case r.EndLine > 0:
		return area{path, symbols.LineRange(text, int(r.StartLine)-1, int(r.EndLine)-1)}, nil
	}
	return area{path, g.around(ctx, path, text, int(r.StartLine)-1)}, nil
}

// around returns the lines of the innermost declaration around a 0-based line. If there is none or
// it is unknown, it returns the line itself.
func (g *gathering) around(ctx context.Context, path string, text *protocol.Mapper, line int) protocol.Range {
	alone := symbols.LineRange(text, line, line)
	o := g.outline(ctx, path)
	if o == nil {
		return alone
	}
	best, found := 0, alone
	for _, s := range o.All() {
		first, last := o.Extent(s)
		if first > line || line > last || !isOfItsOwn(s.Kind) {
			continue
		}
		if n := last - first; best == 0 || n < best {
			best, found = n+1, symbols.LineRange(text, first, last)
		}
	}
	return found
}

// isOfItsOwn reports whether declarations of a kind are read as a whole.
func isOfItsOwn(kind string) bool {
	switch kind {
	case "class", "interface", "struct", "enum", "function", "method", "constructor", "type parameter", "object":
		return true
	}
	return false
}

// nameSymbol adds a symbol named by the caller: its declaration becomes part of the focus, and its
// source is to be shown.
func (g *gathering) nameSymbol(ctx context.Context, at string) error {
	t, err := g.q.Resolve(ctx, symbols.Selector{At: at})
	if err != nil {
		if isWrong(err) {
			return err
		}
		g.fail("", "workspace/symbol", result.ContextPlace{Path: at}, err)
		return nil
	}
	place := symbols.Place{Path: t.Path, Range: protocol.Range{Start: t.At, End: t.At}}
	if t.Symbol != nil {
		place.Range = t.Symbol.Selection
	} else if places, err := g.q.Places(ctx, symbols.Definition, t); err == nil && len(places) > 0 {
		place = places[0]
	}
	if slices.Contains(g.focus.named, place) {
		return nil
	}
	if !g.workspace.Contains(place.Path) {
		g.note("%s is declared outside of the workspace: %s", t.Name, place.Path)
		return nil
	}
	g.focus.named = append(g.focus.named, place)
	if text, err := g.q.Text(place.Path); err == nil {
		g.focus.addArea(area{place.Path, g.around(ctx, place.Path, text, int(place.Range.Start.Line))})
	}
	return nil
}

// isWrong reports whether an error is the fault of the request rather than of a server.
func isWrong(err error) bool {
	switch result.ErrorOf(err).Kind {
	case result.Argument, result.Ambiguous, result.NotFound, result.Outside, result.Canceled:
		return true
	}
	return false
}

// addDiff adds the differences in a range of git commits: the declarations around the changed
// lines, or else the lines themselves.
func (g *gathering) addDiff(ctx context.Context, span string) error {
	changes, err := g.workspace.Git().Changes(ctx, span)
	if err != nil {
		return err
	}
	for i := range changes {
		c := &changes[i]
		if c.Unread != "" {
			g.note("%s left out: %s", g.names.Relative(c.Path), c.Unread)
			continue
		}
		if c.Deleted || len(g.workspace.Candidates(c.Path)) == 0 {
			continue
		}
		text, err := g.q.Text(c.Path)
		if err != nil {
			g.note("%s left out: %v", g.names.Relative(c.Path), err)
			continue
		}
		if c.Whole {
			g.focus.addArea(area{c.Path, symbols.LineRange(text, 0, text.Lines()-1)})
			continue
		}
		g.addHunks(ctx, c, text)
	}
	if len(g.focus.areas) == 0 {
		g.note("%s changes no file that a server knows", span)
	}
	return nil
}

func (g *gathering) addHunks(ctx context.Context, c *git.FileChange, text *protocol.Mapper) {
	for _, h := range c.Hunks {
		first := min(max(0, h.Start-1), text.Lines()-1)
		last := min(first+max(0, h.Count-1), text.Lines()-1)
		for line := first; line <= last; {
			in := g.around(ctx, c.Path, text, line)
			g.focus.addArea(area{c.Path, in})
			line = int(in.End.Line) + 1
		}
	}
}

// codeLike finds the parts of a text that look like names in code: in backquotes, with an
// underscore, a dot or colons inside, in mixed case, or followed by brackets.
var codeLike = lazyregexp.New("`([A-Za-z_$][\\w$.:#]*)(?:\\(\\))?`|\\b([A-Za-z_$][\\w$]*(?:(?:\\.|::)[A-Za-z_$][\\w$]*)+)\\b|\\b([A-Za-z]\\w*_\\w+)\\b|\\b([a-z]+[A-Z]\\w*|[A-Z][a-z0-9]+[A-Z]\\w*)\\b|\\b([A-Za-z_]\\w*)\\(")

// maxNamed limits how many names in a text are looked up.
const maxNamed = 8

// readText adds the symbols that a text mentions. Words that match nothing, or too many symbols,
// are ignored.
func (g *gathering) readText(ctx context.Context, text string) {
	var names []string
	for _, m := range codeLike.FindAllStringSubmatch(text, -1) {
		name := strings.Trim(strings.Join(m[1:], ""), ".:")
		if name != "" && !slices.Contains(names, name) && len(names) < maxNamed {
			names = append(names, name)
		}
	}
	defer func() {
		if len(g.focus.areas)+len(g.focus.named) == 0 {
			g.note("the text names nothing that the workspace declares")
		}
	}()
	for _, name := range names {
		before := len(g.focus.named)
		var several *symbols.AmbiguousError
		switch err := g.nameSymbol(ctx, name); {
		case errors.As(err, &several):
			g.note("%s in the text is left out: there are %d of that name", name, several.Total)
		case err == nil && len(g.focus.named) > before:
			g.note("took %s in the text for a symbol", name)
		}
	}
}
