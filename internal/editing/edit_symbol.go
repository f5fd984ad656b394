package editing

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// EditSymbol edits the declaration of a symbol: replaces it or its body, writes before or after it,
// or deletes it.
func (e *Editor) EditSymbol(ctx context.Context, req api.EditSymbolRequest) (result.Edit, error) {
	if err := checkEditSymbol(&req); err != nil {
		return result.Edit{}, err
	}
	return e.write(ctx, req.Writing, func(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error) {
		d, err := e.declarationOf(ctx, q, req.Selector)
		if err != nil {
			return nil, err
		}
		if err := d.draft(ctx, q, req, plan); err != nil {
			return nil, err
		}
		return d.summary(req.Action), nil
	})
}

func checkEditSymbol(r *api.EditSymbolRequest) error {
	const actions = "actions are replace, replace_body, insert_before, insert_after and delete"
	switch r.Action {
	case "replace", "replace_body", "insert_before", "insert_after":
		if strings.TrimSpace(r.Code) == "" {
			return &api.ArgumentError{Argument: "code", Reason: "it is empty", Advice: "give the new text; to remove a declaration use action delete"}
		}
	case "delete":
		if r.Code != "" {
			return &api.ArgumentError{Argument: "code", Reason: "delete takes none", Advice: "leave it out, or use action replace"}
		}
	case "":
		return &api.ArgumentError{Argument: "action", Reason: "it is missing", Advice: actions}
	default:
		return &api.ArgumentError{Argument: "action", Reason: fmt.Sprintf("%q is no action", r.Action), Advice: actions}
	}
	return nil
}

// A declaration is what edit_symbol changes.
type declaration struct {
	*Editor
	path, name  string
	symbol      *symbols.Symbol
	outline     *symbols.Outline
	text        *protocol.Mapper
	first, last int // its lines, 0-based, with what belongs to it above
}

// declarationOf finds the declaration that a selector names. A place where
// something is only used is refused: what would be changed is not what was named.
func (e *Editor) declarationOf(ctx context.Context, q *symbols.Inquiry, selector api.Selector) (*declaration, error) {
	t, err := q.Resolve(ctx, restate.Selector(selector))
	if err != nil {
		return nil, err
	}
	o, err := q.Outline(ctx, t.Path)
	if err != nil {
		return nil, err
	}
	text, err := q.Text(t.Path)
	if err != nil {
		return nil, err
	}
	server, err := q.Server(ctx, t.Path, "textDocument/documentSymbol")
	if err != nil {
		return nil, err
	}
	if end := lsp.Doubtful(server.Definition(), text.Content()); end != 0 {
		return nil, &LinesError{Server: server.Definition().ID, Path: e.names.Relative(t.Path), End: end}
	}
	s := t.Symbol
	if s == nil {
		s = o.Declared(t.At)
	}
	if s == nil {
		return nil, &NoDeclarationError{Name: t.Name, At: e.names.At(t.Path, t.At)}
	}
	d := &declaration{Editor: e, path: t.Path, name: strings.Join(s.Path, "."), symbol: s, outline: o, text: text}
	d.first, d.last = o.Extent(s)
	return d, nil
}

// A NoDeclarationError says that there is no declaration at a place.
type NoDeclarationError struct{ Name, At string }

func (e *NoDeclarationError) Error() string {
	return fmt.Sprintf("%s at %s is no declaration", e.Name, e.At)
}

// Hint says how to name one.
func (e *NoDeclarationError) Hint() string {
	return "name the declaration by its path, such as a.go Config.Load; definition finds where it is"
}

// A SharedLinesError says that a declaration shares its lines with something else, so that it
// cannot be changed by itself.
type SharedLinesError struct{ Name, At string }

func (e *SharedLinesError) Error() string {
	return fmt.Sprintf("%s at %s shares its lines with other declarations", e.Name, e.At)
}

// Hint names the way out.
func (e *SharedLinesError) Hint() string { return "use edit with the exact text" }

// A NoBodyError says that it cannot be told for certain where the body of a declaration is, or
// that it has none.
type NoBodyError struct{ Name, At string }

func (e *NoBodyError) Error() string {
	return fmt.Sprintf("%s at %s has no body to replace", e.Name, e.At)
}

// Hint names the way out.
func (e *NoBodyError) Hint() string { return "use action replace with the whole declaration" }

// An InUseError says that a declaration was not deleted because it is used.
type InUseError struct {
	Name string
	Uses int
	// Places are the first of the uses, with their lines.
	Places []string
}

func (e *InUseError) Error() string {
	more := ""
	if n := e.Uses - len(e.Places); n > 0 {
		more = fmt.Sprintf("\n... and %d more", n)
	}
	return fmt.Sprintf("%s is not deleted: it is used in %d %s\n%s%s", e.Name, e.Uses, places(e.Uses), strings.Join(e.Places, "\n"), more)
}

// Hint says what to do first.
func (e *InUseError) Hint() string { return "change these uses first, then delete it" }

func places(n int) string {
	if n == 1 {
		return "place:"
	}
	return "places:"
}

func (d *declaration) at() string { return d.names.At(d.path, d.symbol.Selection.Start) }

// draft puts the change into a plan.
func (d *declaration) draft(ctx context.Context, q *symbols.Inquiry, req api.EditSymbolRequest, plan *edit.Plan) error {
	if req.Action == "replace_body" {
		return d.replaceBody(req.Code, plan)
	}
	if !d.outline.Alone(d.symbol) {
		return &SharedLinesError{d.name, d.at()}
	}
	code := fitted(req.Code, d.indentation())
	switch req.Action {
	case "replace":
		return d.replaceLines(plan, d.replaced(code), d.last, code)
	case "insert_before":
		return d.insert(plan, d.first, code+d.gap(code))
	case "insert_after":
		return d.insertAfter(plan, code)
	}
	if err := d.unused(ctx, q); err != nil {
		return err
	}
	return d.remove(plan)
}

// replaced returns the first line to replace: the comments and decorators above
// stay unless the new text brings its own.
func (d *declaration) replaced(code string) int {
	own := int(d.symbol.Range.Start.Line)
	first, _, _ := strings.Cut(strings.TrimSpace(code), "\n")
	for _, begin := range []string{"//", "/*", "#", "@", `"""`, "--", "template"} {
		if strings.HasPrefix(first, begin) {
			return d.first
		}
	}
	// Decorators that the server counts as part of it stay, too.
	for own < d.last && isDecorator(string(d.text.Line(own))) {
		own++
	}
	return own
}

func isDecorator(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "@") || strings.HasPrefix(line, "#[")
}

// replaceLines puts code in the place of whole lines.
func (d *declaration) replaceLines(plan *edit.Plan, first, last int, code string) error {
	return plan.Ranges(d.path, []edit.TextEdit{{Range: symbols.LineRange(d.text, first, last), NewText: code}}, protocol.UTF16)
}

// insert puts whole lines before a line.
func (d *declaration) insert(plan *edit.Plan, line int, lines string) error {
	at := protocol.Position{Line: uint32(line)}
	return plan.Ranges(d.path, []edit.TextEdit{{Range: protocol.Range{Start: at, End: at}, NewText: lines + "\n"}}, protocol.UTF16)
}

func (d *declaration) insertAfter(plan *edit.Plan, code string) error {
	end := symbols.LineRange(d.text, d.last, d.last).End
	return plan.Ranges(d.path, []edit.TextEdit{{Range: protocol.Range{Start: end, End: end}, NewText: "\n" + d.gap(code) + code}}, protocol.UTF16)
}

// gap is what stands between the declaration and what is put beside it: empty
// lines, as the language's formatters have them; none between single lines.
func (d *declaration) gap(code string) string {
	single := d.first == d.last && !strings.Contains(code, "\n")
	switch {
	case single:
		return ""
	case d.indentation() == "":
		return cmp.Or(language.Of(d.path).Gap, "\n")
	}
	return "\n"
}

// remove deletes the lines of the declaration, and of the empty lines around it
// those that only kept it apart.
func (d *declaration) remove(plan *edit.Plan) error {
	first, last := d.first, d.last
	empty := func(line int) bool {
		return line >= 0 && line < d.text.Lines() && len(strings.TrimSpace(string(d.text.Line(line)))) == 0
	}
	before, after := 0, 0
	for empty(first - 1 - before) {
		before++
	}
	for empty(last+1+after) && last+1+after < d.text.Lines()-1 {
		after++
	}
	above, below := first-1-before, last+1+after
	switch { // of two gaps the smaller one goes, and one at the edge of a block
	case below >= d.text.Lines() || below == d.text.Lines()-1 && empty(below):
		first -= before
	case above < 0 || d.edge(above):
		last += after
	case before <= after || d.edge(below):
		first -= before
	default:
		last += after
	}
	from := protocol.Position{Line: uint32(first)}
	to := protocol.Position{Line: uint32(last + 1)}
	if last+1 >= d.text.Lines() {
		to = symbols.LineRange(d.text, last, last).End
	}
	return plan.Ranges(d.path, []edit.TextEdit{{Range: protocol.Range{Start: from, End: to}}}, protocol.UTF16)
}

// edge reports whether a line is the head or the end of the block that the
// declaration is in: further out than it.
func (d *declaration) edge(line int) bool {
	return len(margin(string(d.text.Line(line)))) < len(d.indentation())
}

// unused fails if the declaration is used outside of itself.
func (d *declaration) unused(ctx context.Context, q *symbols.Inquiry) error {
	found, err := q.Uses(ctx, symbols.Target{Path: d.path, At: d.symbol.Selection.Start, Name: d.symbol.Name, Symbol: d.symbol}, false)
	if err != nil {
		return fmt.Errorf("%s is not deleted, because who uses it is not known: %w", d.name, err)
	}
	used := &InUseError{Name: d.name}
	for _, p := range slices.Concat(found.Places, found.ByText) {
		line := int(p.Range.Start.Line)
		if p.Path == d.path && line >= d.first && line <= d.last {
			continue
		}
		const most = 10
		if used.Uses++; used.Uses > most {
			continue
		}
		place := d.names.At(p.Path, p.Range.Start)
		if text, err := q.Text(p.Path); err == nil {
			place += "  " + strings.TrimSpace(string(text.Line(line)))
		}
		used.Places = append(used.Places, place)
	}
	if used.Uses > 0 {
		return used
	}
	return nil
}

// indentation is what the declaration's first line begins with.
func (d *declaration) indentation() string {
	return margin(string(d.text.Line(int(d.symbol.Range.Start.Line))))
}

func margin(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

func (d *declaration) summary(action string) edit.Summarizer {
	name := d.names.Relative(d.path)
	return func(_ []edit.Change, applied bool) string {
		words := map[string][2]string{
			"replace": {"Replaced %s in %s.", "replacing %s in %s."}, "replace_body": {"Replaced the body of %s in %s.", "replacing the body of %s in %s."},
			"insert_before": {"Inserted before %s in %s.", "inserting before %s in %s."}, "insert_after": {"Inserted after %s in %s.", "inserting after %s in %s."},
			"delete": {"Deleted %s from %s.", "deleting %s from %s."},
		}[action]
		return fmt.Sprintf(verb(words[0], words[1], applied), d.name, name)
	}
}
