package symbols

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
)

// A Target is the place of a symbol that a selector means.
type Target struct {
	// Path is absolute.
	Path string
	// At is a position in the name.
	At protocol.Position
	// Name is the identifier there.
	Name string
	// Symbol is the declaration if the selector was a name path, else nil.
	Symbol *Symbol
	// Used says that the selector was a name path which the file uses and does not declare.
	Used bool
}

// Resolve returns the place of the symbol that a selector means. What was corrected or chosen on
// the way is in Notes. The error is a *[SelectorError], *[AmbiguousError] or *[NotFoundError], or
// comes from [Access] or a server.
func (q *Inquiry) Resolve(ctx context.Context, s Selector) (Target, error) {
	s, err := s.normal(q.isThere)
	if err != nil {
		return Target{}, err
	}
	if s.File == "" {
		return q.inWorkspace(ctx, s)
	}
	path, err := q.access.Resolve(s.File)
	if err != nil {
		return Target{}, err
	}
	text, err := q.Text(path)
	if err != nil {
		return Target{}, err
	}
	f := file{q, path, text}
	switch {
	case s.Pattern != "":
		return f.byPattern(s)
	case s.Line > text.Lines():
		return Target{}, &SelectorError{
			"line", fmt.Sprintf("%d is past the end of %s, which has %d lines", s.Line, q.access.Relative(path), text.Lines()),
			"name the symbol by its path instead: " + q.access.Relative(path) + " Name",
		}
	case s.Line > 0 && s.Symbol != "":
		return f.byName(ctx, s)
	case s.Line > 0:
		return f.byPosition(ctx, s)
	}
	return f.byPath(ctx, s)
}

// isThere reports whether there is a file that the caller names so.
func (q *Inquiry) isThere(name string) bool {
	path, err := q.access.Resolve(name)
	if err != nil {
		return false
	}
	_, err = q.access.Text(path)
	return err == nil
}

// A file is where a selector is resolved.
type file struct {
	q    *Inquiry
	path string
	text *protocol.Mapper
}

func (f file) line(n int) []byte { return f.text.Line(n - 1) }

func (f file) where(line int, offset int) string {
	return fmt.Sprintf("%s:%d:%d", f.q.access.Relative(f.path), line, offsetColumn(f.line(line), offset)+1)
}

// target returns the place of an identifier in a 1-based line.
func (f file) target(line int, i identifier) Target {
	return Target{
		Path: f.path, Name: i.name,
		At: protocol.Position{Line: uint32(line - 1), Character: offsetColumn(f.line(line), i.from)},
	}
}

// byPosition takes the identifier at the column or, where there is none, the
// nearest one within three columns, or what the line declares.
func (f file) byPosition(ctx context.Context, s Selector) (Target, error) {
	line := f.line(s.Line)
	if s.Column == 0 {
		return f.onLine(ctx, s)
	}
	if t, ok := f.besideComment(ctx, s); ok {
		return t, nil
	}
	length := int(offsetColumn(line, len(line)))
	if s.Column > length+1 {
		f.q.note("column %d is past the end of line %d, which has %d columns", s.Column, s.Line, length)
	}
	column := min(s.Column-1, length)
	offset := columnOffset(line, uint32(column))
	near, distance, found := identifier{}, 1<<30, false
	for _, i := range identifiersOf(line) {
		d := max(int(offsetColumn(line, i.from))-column, column-int(offsetColumn(line, i.to))+1, 0)
		if d < distance {
			near, distance, found = i, d, true
		}
	}
	if found && distance <= 3 && !isKeyword(language.Of(f.path), line, near) {
		t := f.target(s.Line, near)
		if distance > 0 {
			f.q.note("column %d is beside %s; took %s", s.Column, near.name, f.where(s.Line, near.from))
		} else {
			t.At.Character = offsetColumn(line, offset)
		}
		return t, nil
	}
	return f.onLine(ctx, s)
}

// besideComment takes what a line next to a comment declares: a name in a comment is
// no symbol, unless it is a link.
func (f file) besideComment(ctx context.Context, s Selector) (Target, bool) {
	line := f.line(s.Line)
	if f.comment(s.Line) == 0 || len(bytes.TrimSpace(line)) == 0 {
		return Target{}, false
	}
	if from, to, ok := identifierAt(line, columnOffset(line, uint32(s.Column-1))); ok &&
		(bytes.ContainsAny(line[:from], "[{`") && bytes.ContainsAny(line[to:], "]}`")) {
		return Target{}, false
	}
	d := f.neighbour(ctx, s.Line)
	if d == nil {
		return Target{}, false
	}
	f.q.note("line %d is a comment; took %s, which line %d declares", s.Line, d.Name, d.Selection.Start.Line+1)
	return Target{Path: f.path, At: d.Selection.Start, Name: d.Name, Symbol: d}, true
}

// neighbour returns what the line after, or before, a 1-based one declares, or nil.
func (f file) neighbour(ctx context.Context, line int) *Symbol {
	o, err := f.q.Outline(ctx, f.path)
	if err != nil {
		return nil
	}
	if d := o.onLine(uint32(line)); d != nil || line < 2 {
		return d
	}
	return o.onLine(uint32(line - 2))
}

// onLine takes what a line declares, or its only identifier, or where it has none what
// the line beside it declares.
func (f file) onLine(ctx context.Context, s Selector) (Target, error) {
	line := f.line(s.Line)
	in := language.Of(f.path)
	names := slices.DeleteFunc(identifiersOf(line), func(i identifier) bool { return isKeyword(in, line, i) })
	if o, err := f.q.Outline(ctx, f.path); err == nil {
		if d := o.onLine(uint32(s.Line - 1)); d != nil {
			f.q.note("took %s, which line %d declares", d.Name, s.Line)
			return Target{Path: f.path, At: d.Selection.Start, Name: d.Name, Symbol: d}, nil
		}
	} else if ctx.Err() != nil {
		return Target{}, err
	}
	switch len(names) {
	case 0:
		if d := f.neighbour(ctx, s.Line); d != nil {
			f.q.note("line %d has no name; took %s, which line %d declares", s.Line, d.Name, d.Selection.Start.Line+1)
			return Target{Path: f.path, At: d.Selection.Start, Name: d.Name, Symbol: d}, nil
		}
		return Target{}, &NotFoundError{
			Selector: s.String(), Where: "that line", Advice: fmt.Sprintf("line %d has no name: %q", s.Line, strings.TrimSpace(string(line))),
		}
	case 1:
		f.q.note("took %s, the only name in line %d", names[0].name, s.Line)
		return f.target(s.Line, names[0]), nil
	}
	var candidates []Candidate
	for _, i := range names {
		candidates = append(candidates, f.candidate(s.Line, i))
	}
	return Target{}, ambiguous(s.String(), candidates)
}

func (f file) candidate(line int, i identifier) Candidate {
	return Candidate{
		Name: i.name, Path: f.q.access.Relative(f.path), Line: line, Column: int(offsetColumn(f.line(line), i.from)) + 1,
	}
}

// byName takes the identifier of that name in the line, or in the nearest one
// within three.
func (f file) byName(_ context.Context, s Selector) (Target, error) {
	p, err := ParseNamePath(s.Symbol)
	if err != nil {
		return Target{}, err
	}
	name := p.Parts[len(p.Parts)-1]
	for _, n := range f.codeFirst(around(s.Line, f.text.Lines())) {
		at := findIdentifier(f.line(n), name, 0)
		if at < 0 {
			continue
		}
		several := findIdentifier(f.line(n), name, at+1) >= 0
		switch {
		case n != s.Line && findIdentifier(f.line(s.Line), name, 0) >= 0:
			f.q.note("line %d is a comment; took %s, %s", s.Line, name, f.where(n, at))
		case n != s.Line:
			f.q.note("line %d has no %s; took %s", s.Line, name, f.where(n, at))
		case several && s.Column > 0:
			at = nearestTo(f.line(n), name, at, s.Column-1)
		case several:
			f.q.note("line %d has several %s; took %s", s.Line, name, f.where(n, at))
		}
		found := identifier{at, at + len(name), name}
		return f.target(n, found), nil
	}
	var near []Candidate
	for _, n := range around(s.Line, f.text.Lines()) {
		for _, i := range identifiersOf(f.line(n)) {
			if similar(i.name, name) {
				near = append(near, f.candidate(n, i))
			}
		}
	}
	return Target{}, &NotFoundError{
		Selector: s.String(), Where: fmt.Sprintf("lines %d to %d", max(1, s.Line-3), min(s.Line+3, f.text.Lines())),
		Nearest: best(near, name), Advice: "name it by its path: " + f.q.access.Relative(f.path) + " " + name,
	}
}

// nearestTo returns, of the places of a name from at on, the one nearest to a
// 0-based column.
func nearestTo(line []byte, name string, at, column int) int {
	nearest, distance := at, 1<<30
	for ; at >= 0; at = findIdentifier(line, name, at+1) {
		from, to := int(offsetColumn(line, at)), int(offsetColumn(line, at+len(name)))
		if d := max(from-column, column-to, 0); d < distance {
			nearest, distance = at, d
		}
	}
	return nearest
}

// codeFirst puts lines that are comments last: a name there is no symbol.
func (f file) codeFirst(lines []int) []int {
	slices.SortStableFunc(lines, func(a, b int) int { return f.comment(a) - f.comment(b) })
	return lines
}

func (f file) comment(n int) int {
	line := bytes.TrimSpace(f.line(n))
	for _, begin := range []string{"//", "/*", "* ", "*/", "# ", "-- "} { // *p and --n are code
		if bytes.HasPrefix(line, []byte(begin)) {
			return 1
		}
	}
	if string(line) == "*" || bytes.HasPrefix(line, []byte("#")) && language.Of(f.path).HashComments {
		return 1
	}
	return 0
}

// around returns the lines from 1 to last within three of line, nearest first.
func around(line, last int) []int {
	lines := []int{line}
	for d := 1; d <= 3; d++ {
		for _, n := range []int{line - d, line + d} {
			if n >= 1 && n <= last {
				lines = append(lines, n)
			}
		}
	}
	return lines
}

// byPattern takes the place of @@ in a snippet that stands in the file once.
func (f file) byPattern(s Selector) (Target, error) {
	before, after, _ := strings.Cut(s.Pattern, "@@")
	if strings.TrimSpace(before+after) == "" {
		return Target{}, &SelectorError{"pattern", "there is nothing beside the @@", `for example "func @@Load("`}
	}
	content := f.text.Content()
	found, total := f.occurrences(content, before+after, s)
	if total == 0 && bytes.Contains(content, []byte("\r\n")) {
		before = strings.ReplaceAll(before, "\n", "\r\n")
		found, total = f.occurrences(content, before+strings.ReplaceAll(after, "\n", "\r\n"), s)
	}
	var candidates []Candidate
	var target Target
	for _, start := range found {
		at := f.text.Position(start+len(before), protocol.UTF16)
		line := int(at.Line) + 1
		text := f.line(line)
		offset := columnOffset(text, at.Character)
		from, to, ok := identifierAt(text, offset)
		if !ok {
			from, to = offset, offset
		}
		target = f.target(line, identifier{from, to, string(text[from:to])})
		candidates = append(candidates, Candidate{
			Name: strings.TrimSpace(string(text)), Path: f.q.access.Relative(f.path), Line: line, Column: int(target.At.Character) + 1,
		})
	}
	switch {
	case total == 0:
		return Target{}, f.patternMissing(s, before+after)
	case total > 1:
		return Target{}, &AmbiguousError{s.String(), candidates, total}
	case target.Name == "":
		return Target{}, &SelectorError{"pattern", "no name stands at the @@", `put it just before one, for example "func @@Load("`}
	}
	return target, nil
}

// occurrences returns the offsets of a snippet within the scope, at most
// maxCandidates, and how many there are.
func (f file) occurrences(content []byte, snippet string, s Selector) (found []int, total int) {
	for at := 0; ; {
		i := bytes.Index(content[at:], []byte(snippet))
		if i < 0 {
			return found, total
		}
		line := int(f.text.Position(at+i, protocol.UTF16).Line) + 1
		if line >= s.ScopeStart && (s.ScopeEnd == 0 || line <= s.ScopeEnd) {
			if total++; len(found) < maxCandidates {
				found = append(found, at+i)
			}
		}
		at += i + 1
	}
}

// patternMissing names the lines that are most like the snippet's first one.
func (f file) patternMissing(s Selector, snippet string) error {
	first, _, _ := strings.Cut(strings.TrimSpace(snippet), "\n")
	first = strings.TrimSpace(first)
	var near []Candidate
	for n := 1; n <= f.text.Lines() && len(near) < 3; n++ {
		text := strings.TrimSpace(string(f.line(n)))
		if text != "" && (strings.Contains(squeezed(text), squeezed(first)) || similar(text, first)) {
			near = append(near, Candidate{Name: text, Path: f.q.access.Relative(f.path), Line: n, Column: 1})
		}
	}
	where := f.q.access.Relative(f.path)
	if s.ScopeStart > 0 || s.ScopeEnd > 0 {
		where += fmt.Sprintf(", lines %d to %d", s.ScopeStart, s.ScopeEnd)
	}
	return &NotFoundError{
		Selector: fmt.Sprintf("%q", s.Pattern), Where: where, Nearest: near,
		Advice: "the text without the @@ must stand in the file exactly, blanks included",
	}
}

// squeezed returns text without its blanks.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }

// byPath takes what the file declares under that name path.
func (f file) byPath(ctx context.Context, s Selector) (Target, error) {
	p, err := ParseNamePath(s.Symbol)
	if err != nil {
		return Target{}, err
	}
	o, err := f.q.Outline(ctx, f.path)
	if err != nil {
		return Target{}, err
	}
	found, quality := o.matching(p)
	if p.Overload < 0 {
		found = symbolsOf(withoutParts(declarationsIn(o, found)))
	}
	if p.Overload >= 0 && len(found) > 0 {
		if p.Overload >= len(found) {
			return Target{}, &SelectorError{"symbol", fmt.Sprintf("%s: there are %d of that name, counted from 0", p, len(found)), selectorForms}
		}
		found = found[p.Overload : p.Overload+1]
	}
	switch {
	case len(found) == 0:
		return f.undeclared(ctx, p, o)
	case len(found) > 1:
		var candidates []Candidate
		for _, d := range found {
			candidates = append(candidates, f.q.candidate(o, d))
		}
		return Target{}, ambiguous(p.String(), candidates)
	}
	return f.q.declared(o, found[0], p, quality), nil
}

// undeclared takes the first use of a name path that the file does not declare, such as fmt.Println in Go.
func (f file) undeclared(ctx context.Context, p NamePath, o *Outline) (Target, error) {
	if used := f.used(p); used != nil {
		f.q.note("%s does not declare %s; took its use in line %d", f.q.access.Relative(f.path), p, used.At.Line+1)
		return Target{Path: f.path, At: used.At, Name: used.Text, Used: true}, nil
	}
	last := p.Parts[len(p.Parts)-1]
	var near []Candidate
	for _, d := range o.all {
		if similar(d.Name, last) {
			near = append(near, f.q.candidate(o, d))
		}
	}
	if len(near) == 0 { // what other files declare
		if h, err := f.q.hunt(ctx, p, ""); err == nil {
			for _, m := range withoutParts(h.matches) {
				near = append(near, f.q.candidate(m.outline, m.symbol))
			}
		}
	}
	return Target{}, &NotFoundError{
		Selector: p.String(), Where: f.q.access.Relative(f.path), Nearest: best(near, last),
		Advice: "symbols with this file lists what it declares",
	}
}

// used returns where the code of the file first has a name path as it stands, nil if it nowhere does.
func (f file) used(p NamePath) *CodeName {
	last, scopes := p.Parts[len(p.Parts)-1], p.Parts[:len(p.Parts)-1]
	end := protocol.Position{Line: uint32(f.text.Lines())}
	for _, name := range CodeNames(f.path, f.text, protocol.Range{End: end}) {
		if name.Text == last && (len(scopes) == 0 || endsWith(splitPath(name.Of), scopes, func(a, b string) bool { return a == b })) {
			return &name
		}
	}
	return nil
}

func declarationsIn(o *Outline, found []*Symbol) []declaration {
	list := make([]declaration, len(found))
	for i, s := range found {
		list[i] = declaration{o, s}
	}
	return list
}

func symbolsOf(found []declaration) []*Symbol {
	list := make([]*Symbol, len(found))
	for i, d := range found {
		list[i] = d.symbol
	}
	return list
}

// withoutParts leaves out what is a part of a type that is there as well and is named
// after it: the blocks of its methods (impl in Rust) and its constructors (C++, Java).
func withoutParts(found []declaration) []declaration {
	named := make(map[string]bool) // types
	for _, d := range found {
		if weight(d.symbol.Kind) == 0 {
			named[d.symbol.Name] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(found), func(d declaration) bool {
		path := d.symbol.Path
		switch d.symbol.Kind {
		case "object":
			return len(named) > 0
		case "constructor", "method", "function":
			return len(path) > 1 && path[len(path)-2] == d.symbol.Name && named[d.symbol.Name]
		}
		return false
	})
}

// declared makes a declaration the target.
func (q *Inquiry) declared(o *Outline, d *Symbol, p NamePath, quality int) Target {
	if quality < suffixMatch {
		q.note("nothing is named %s exactly; took %s", p, strings.Join(d.Path, "."))
	}
	return Target{Path: o.Path, At: d.Selection.Start, Name: d.Name, Symbol: d}
}

func (q *Inquiry) candidate(o *Outline, d *Symbol) Candidate {
	return Candidate{
		Name: strings.Join(d.Path, "."), Kind: d.Kind, Container: strings.Join(d.Path[:len(d.Path)-1], "."),
		Path: q.access.Relative(o.Path), Line: int(d.Selection.Start.Line) + 1, Column: int(d.Selection.Start.Character) + 1,
	}
}

// Outside reports whether an error is about the selector, not about a server.
func Outside(err error) bool {
	var (
		wrong     *SelectorError
		ambiguous *AmbiguousError
		missing   *NotFoundError
	)
	return errors.As(err, &wrong) || errors.As(err, &ambiguous) || errors.As(err, &missing)
}
