package assembly

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// Limits of what is gathered for one call, in addition to the budget.
const (
	maxDefinitions = 40
	maxCalls       = 40
	maxSummaries   = 12
)

func newItem(kind, name string, record result.ContextRecord) result.ContextItem {
	return result.ContextItem{
		Kind: kind, Name: name, Record: record,
		SourceType: result.LSPSemantic, Priority: result.Supporting, Purity: result.Impure,
	}
}

// giveNamed adds the source of the declarations that the caller names.
func (g *gathering) giveNamed(ctx context.Context) {
	for _, place := range g.focus.named {
		if c := g.excerptOf(ctx, place); c != nil && !slices.ContainsFunc(g.focus.seen, func(a area) bool { return a.holds(place) }) {
			g.named = append(g.named, c)
		}
	}
}

// describeTypes waits for the types of declarations, which were asked for as these were found.
func (g *gathering) describeTypes(declared []*declaration) {
	g.asking.Wait()
	var found []*candidate
	for _, d := range declared {
		found = append(found, d.described)
	}
	g.types = present(found)
}

// askType asks for the type of a declaration, if types are wanted, and does not wait for it.
func (g *gathering) askType(ctx context.Context, d *declaration) {
	if !g.include[result.ContextType] {
		return
	}
	g.asking.Go(func() {
		g.slots <- struct{}{}
		defer func() { <-g.slots }()
		d.described = g.typeOf(ctx, d)
		if g.include[result.ContextSignature] && d.use.Called && !d.described.tells(d.use) && !g.declaresHere(ctx, d.use) {
			d.called, d.signature = true, g.signatureOf(ctx, d.use)
		}
	})
}

// tells reports whether the type shows how a use of its name is called. A nil candidate does not.
func (c *candidate) tells(u *use) bool {
	return c != nil && c.item.Name == u.Text && len(c.texts) > 0 && strings.Contains(c.texts[0], u.Text+"(")
}

// present returns the candidates that are not nil and have a text.
func present(list []*candidate) []*candidate {
	return slices.DeleteFunc(list, func(c *candidate) bool { return c == nil || len(c.texts) == 0 })
}

// typeOf asks for the type of a declaration at its use. It returns nil if there is none.
func (g *gathering) typeOf(ctx context.Context, d *declaration) *candidate {
	t := d.use.target()
	at := symbols.Place{Path: t.Path, Range: protocol.Range{Start: t.At, End: t.At}}
	g.state(d.place.Path) // recorded before the server is queried
	var hover protocol.Hover
	record, ok := g.put(ctx, "textDocument/hover", at, func() (err error) {
		hover, err = g.q.Hover(ctx, t)
		return err
	})
	if !ok {
		return nil
	}
	g.dependOn(&record, d.place.Path)
	head, said := "", hover.Text
	if d.distance != elsewhere {
		head = fmt.Sprintf("%s:%d %s\n", g.names.Relative(d.place.Path), d.place.Range.Start.Line+1, t.Name)
		if line := restate.LineOf(g.q, d.place); saysNoMore(said, t.Name) && symbols.Mentions([]byte(line), t.Name) {
			said = line // an import shows where the name is from
		}
	}
	return &candidate{item: newItem(result.ContextType, t.Name, record), texts: typeTexts(head, said, d.distance != elsewhere), of: d}
}

// excerpted returns the declarations whose source is worth giving because it says more than their
// types.
func excerpted(declared []*declaration) (near []*declaration) {
	for _, d := range declared {
		if d.distance != elsewhere && len(near) < maxDefinitions {
			near = append(near, d)
		}
	}
	return near
}

// excerpt adds the source of declarations in the workspace.
func (g *gathering) excerpt(ctx context.Context, declared []*declaration) {
	if !g.include[result.ContextDefinition] {
		return
	}
	near := excerpted(declared)
	found := make([]*candidate, len(near))
	for i := range near {
		if found[i] = g.excerptOf(ctx, near[i].place); found[i] != nil {
			found[i].of = near[i]
		}
	}
	// Several names may lead to one declaration.
	seen := make(map[result.ContextPlace]bool)
	for i, c := range found {
		if c == nil || seen[c.item.Record.Target] {
			found[i] = nil
			continue
		}
		seen[c.item.Record.Target] = true
		if record := near[i].typed; record != nil {
			g.foundBy(c, record, near[i].place.Path)
		}
	}
	g.definitions = present(found)
}

// excerptOf returns the source of what is declared at a place. It returns nil if that is unknown,
// or if its type already says it.
func (g *gathering) excerptOf(ctx context.Context, place symbols.Place) *candidate {
	file := g.declared(ctx, place.Path)
	if file.outline == nil {
		return nil
	}
	s := file.outline.Declared(place.Range.Start)
	if s == nil || !isExcerpted(s.Kind) {
		return nil
	}
	return g.excerptOfSymbol(file, s)
}

// isExcerpted reports whether the source of declarations of a kind says more than their type.
func isExcerpted(kind string) bool {
	switch kind {
	case "field", "property", "enum member", "module", "namespace", "package", "file", "key":
		return false
	}
	return true
}

func (g *gathering) excerptOfSymbol(file *fileOutline, s *symbols.Symbol) *candidate {
	path := file.outline.Path
	text, err := g.q.Text(path)
	if err != nil {
		return nil
	}
	first, last := file.outline.Extent(s)
	last = min(last, text.Lines()-1)
	target := g.target(symbols.Place{Path: path, Range: s.Selection})
	target.EndLine = uint32(last + 1)
	name := strings.Join(s.Path, ".")
	var lines []string
	for n := first; n <= last; n++ {
		lines = append(lines, strings.TrimRight(string(text.Line(n)), " \t\r\n"))
	}
	head := fmt.Sprintf("%s:%d-%d %s\n", g.names.Relative(path), first+1, last+1, name)
	return &candidate{
		item: newItem(result.ContextDefinition, name, file.recordOf(target)), texts: excerptTexts(head, lines),
		covers: isOfItsOwn(s.Kind),
	}
}

// signaturesOf asks for the signatures of calls whose types do not show them.
func (g *gathering) signaturesOf(ctx context.Context, uses []*use, declared []*declaration) []*candidate {
	if !g.include[result.ContextSignature] {
		return nil
	}
	asked := make(map[*use]*candidate)
	for _, d := range declared {
		if d.called {
			asked[d.use] = d.signature
		}
	}
	var calls []*use
	for _, u := range uses {
		told := func(c *candidate) bool { return c.tells(u) }
		if u.Called && len(calls) < maxCalls && !g.declaresHere(ctx, u) && !slices.ContainsFunc(g.types, told) {
			calls = append(calls, u)
		}
	}
	found := make([]*candidate, len(calls))
	g.beside(len(calls), func(i int) {
		var known bool
		if found[i], known = asked[calls[i]]; !known {
			found[i] = g.signatureOf(ctx, calls[i])
		}
	})
	return found
}

// describeCalls adds the signatures that no other item shows.
func (g *gathering) describeCalls(found []*candidate) {
	told := slices.Concat(g.types, g.definitions, g.named)
	for i, c := range found {
		if c != nil && slices.ContainsFunc(told, func(other *candidate) bool {
			return strings.Contains(squeezed(other.texts[0]), squeezed(c.texts[len(c.texts)-1]))
		}) {
			found[i] = nil
		}
	}
	g.signatures = present(found)
}

// declaresHere reports whether a name followed by arguments is a declaration rather than a call, or
// is declared in the focus.
func (g *gathering) declaresHere(ctx context.Context, u *use) bool {
	o := g.outline(ctx, u.path)
	if o == nil {
		return false
	}
	return o.Declared(u.At) != nil || u.Of == "" && slices.ContainsFunc(o.All(), func(s *symbols.Symbol) bool {
		return s.Name == u.Text && len(s.Path) == 1 && g.focus.shows(symbols.Place{Path: u.path, Range: s.Selection})
	})
}

// squeezed returns a text without white space.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }

// signatureOf asks for the signature of a call. It returns nil if there is none.
func (g *gathering) signatureOf(ctx context.Context, u *use) *candidate {
	at := symbols.Place{Path: u.path, Range: protocol.Range{Start: u.Arguments, End: u.Arguments}}
	var help *protocol.SignatureHelp
	record, ok := g.put(ctx, "textDocument/signatureHelp", at, func() (err error) {
		help, err = g.q.SignatureHelp(ctx, symbols.Target{Path: u.path, At: u.Arguments, Name: u.Text})
		return err
	})
	if !ok || help == nil || len(help.Signatures) == 0 {
		return nil
	}
	head := fmt.Sprintf("call of %s at %s\n", u.Text, g.names.At(u.path, u.At))
	return &candidate{item: newItem(result.ContextSignature, u.Text, record), texts: signatureTexts(head, help)}
}

// summarize lists what files outside the caller's view declare: those that the focus uses most, and
// those that the focus is a part of.
func (g *gathering) summarize(ctx context.Context, declared []*declaration) {
	paths := g.summarized(declared)
	found := make([]*candidate, len(paths))
	for i, path := range paths {
		found[i] = g.summaryOf(ctx, path)
	}
	g.summaries = present(found)
}

// summarized returns the files to summarize, those that the focus uses most first.
func (g *gathering) summarized(declared []*declaration) []string {
	if !g.include[result.ContextSummary] {
		return nil
	}
	uses := make(map[string]int)
	for _, d := range declared {
		if d.distance != elsewhere {
			uses[d.place.Path] += d.count
		}
	}
	for _, path := range g.focus.files() {
		uses[path] += 0
	}
	var paths []string
	for path := range uses {
		if !g.wholeInView(path) {
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, func(x, y string) int {
		return cmp.Or(cmp.Compare(uses[y], uses[x]), strings.Compare(x, y))
	})
	return paths[:min(len(paths), maxSummaries)]
}

// wholeInView reports whether the caller sees all of a file.
func (g *gathering) wholeInView(path string) bool {
	text, err := g.q.Text(path)
	if err != nil {
		return false
	}
	whole := symbols.LineRange(text, 0, text.Lines()-1)
	is := func(a area) bool {
		return a.path == path && !whole.Start.Before(a.in.Start) && !a.in.End.Before(whole.End)
	}
	return slices.ContainsFunc(g.focus.areas, is) || slices.ContainsFunc(g.focus.seen, is)
}

func (g *gathering) summaryOf(ctx context.Context, path string) *candidate {
	file := g.declared(ctx, path)
	if file.outline == nil {
		return nil
	}
	tree, _ := file.outline.Declarations()
	name := g.names.Relative(path)
	texts := summaryTexts(name, restate.Symbols(tree, 0, ""))
	return &candidate{item: newItem(result.ContextSummary, "", file.recordOf(result.ContextPlace{Path: name})), texts: texts}
}

// hint asks for the inlay hints of the focus.
func (g *gathering) hint(ctx context.Context) {
	if !g.include[result.ContextHints] {
		return
	}
	found := make([]*candidate, len(g.focus.areas))
	g.beside(len(found), func(i int) { found[i] = g.hintsOf(ctx, &g.focus.areas[i]) })
	g.hints = present(found)
}

func (g *gathering) hintsOf(ctx context.Context, a *area) *candidate {
	var hints []protocol.InlayHint
	at := symbols.Place{Path: a.path, Range: a.in}
	record, ok := g.put(ctx, "textDocument/inlayHint", at, func() (err error) {
		hints, err = g.q.InlayHints(ctx, at)
		return err
	})
	if !ok {
		return nil
	}
	return &candidate{item: newItem(result.ContextHints, "", record), texts: hintTexts(g.names.Relative(a.path), hints)}
}

// diagnose adds the findings of files. It must not be called during an inquiry.
func (g *gathering) diagnose(ctx context.Context, files []string) {
	if len(files) == 0 {
		return
	}
	for _, path := range files {
		g.state(path)
	}
	answer, err := g.check(ctx, api.CheckRequest{Files: files, Scope: "file", Baseline: api.BaselineNone, MaxBytes: -1})
	for i, path := range files {
		at := result.ContextPlace{Path: g.names.Relative(path)}
		switch {
		case err != nil:
			g.fail("", diagnosticsQuery, at, err)
		case i < len(answer.Files):
			if c := g.findingsOf(&answer.Files[i], path); c != nil {
				g.findings = append(g.findings, c)
			}
		}
	}
}

// diagnosticsQuery stands for the different ways in which servers send diagnostics.
const diagnosticsQuery = "diagnostics"

// findingsOf returns the findings of a file, nil if they are unknown.
func (g *gathering) findingsOf(f *result.File, path string) *candidate {
	at := result.ContextPlace{Path: g.names.Relative(path)}
	record := result.ContextRecord{Query: diagnosticsQuery, Target: at, QueriedAt: time.Now().UTC()}
	g.dependOn(&record, path)
	var failed *result.Error
	for i := range f.Servers {
		a := &f.Servers[i]
		switch {
		case a.Freshness == "fresh" && record.Server == "":
			record.Server, record.Version = a.Server, g.versionOf(a.Server)
		case a.Freshness != "fresh" && !a.Dispensable:
			failed = &result.Error{Kind: result.Unavailable, Message: cmp.Or(a.Reason, a.Freshness), Hint: a.Hint}
		}
	}
	if f.Error != nil {
		failed = f.Error
	}
	if failed != nil || record.Server == "" {
		if failed == nil {
			failed = &result.Error{Kind: result.Unavailable, Message: "no server judges this file"}
		}
		g.fail(record.Server, diagnosticsQuery, at, failed)
		return nil
	}
	return &candidate{item: newItem(result.ContextDiagnostics, "", record), texts: findingTexts(at.Path, f)}
}

// versionOf returns the version of a running server, "" if unknown.
func (g *gathering) versionOf(id string) string {
	for _, s := range g.workspace.Running() {
		if s.Definition().ID == id {
			return s.Info().Version
		}
	}
	return ""
}
