// Package compare tells which findings about a text are new: those that the text before did not have. It is pure:
// what it returns follows from its arguments alone.
package compare

import (
	"bytes"
	"slices"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A Text is a text with what one server says of it.
type Text struct {
	// Content is nil if only the places of the findings are known.
	Content []byte
	Items   []protocol.Diagnostic
}

// A Difference divides what a server says now, and has what it said before and does not any longer. New and Gone are in
// the order in which the server said them.
type Difference struct {
	New, Remaining, Gone []protocol.Diagnostic
	// Reasons says of each of Remaining why it is not new.
	Reasons []Reason
}

// A Reason says which finding about the text before one is, and by which rule it is the same.
type Reason struct {
	Was  protocol.Diagnostic
	Rule string
}

// Between compares what a server says of a text with what it said of the one before. A finding was there before if
// the former text has one of the same code at the place from which a line diff says that its own has moved or,
// where the text was rewritten or servers give no code, one that says the same. A server that repeats
// itself is counted once. Words in renamed, which the change took out of the text or brought into it, do not make
// two findings different.
func Between(w registry.Wording, before, now Text, renamed map[string]bool) Difference {
	p := pairing{former: formerOf(w, before, now.Content, renamed), present: statementsOf(w, now.Items, renamed)}
	p.pair("same place and message", func(o *former, d *statement) bool { return o.isAt(d) && o.plain == d.plain })
	p.pair("same place and code", func(o *former, d *statement) bool { return o.isAt(d) && d.Code != "" })
	// Where the text was rewritten, the message has to do.
	p.pair("same message where the text was rewritten or ends", func(o *former, d *statement) bool { return o.mayBe(d) && o.says == d.says })
	// Where names were replaced, columns shift, and messages have other names and explain themselves by others.
	p.pair("same message but for names that were replaced", func(o *former, d *statement) bool {
		return len(renamed) > 0 && o.mayBe(d) && o.headline == d.headline
	})
	return p.result()
}

// A statement is a finding in a form in which it can be compared.
type statement struct {
	protocol.Diagnostic
	// says is the code and the message in the server's usual words; code is that of says.
	says, code string
	// plain is says without numbers, because lines that it mentions may have moved, and without names that
	// were replaced. headline is its first line.
	plain, headline string
}

// statementsOf leaves out what a server says twice.
func statementsOf(w registry.Wording, items []protocol.Diagnostic, renamed map[string]bool) (all []*statement) {
	type identity struct {
		place protocol.Range
		says  string
	}
	seen := make(map[identity]bool)
	for _, d := range items {
		s := &statement{Diagnostic: d, says: Words(w, d)}
		if id := (identity{d.Range, s.says}); !seen[id] {
			seen[id] = true
			s.code, s.plain, s.headline = inParts(s.says, renamed)
			all = append(all, s)
		}
	}
	return all
}

// A former is a statement about the text before, with its place in the new one.
type former struct {
	*statement
	place protocol.Range
	// stands says that the place was not rewritten.
	stands bool
	// isEnd says that it was the end of the text, which remains the end whatever comes before it: parsers report
	// there when something is not closed. isLast says that it was in the last line that is not empty, where some
	// parsers do; lastNow is that line of the new text.
	isEnd, isLast bool
	lastNow       int
	// lines maps the text before to the new one; nil if the text before is not known.
	lines *edit.LineMap
}

func formerOf(w registry.Wording, before Text, content []byte, renamed map[string]bool) (all []*former) {
	var lines *edit.LineMap
	if before.Content != nil && len(before.Items) > 0 {
		lines = edit.NewLineMap(before.Content, content)
	}
	breaks, last, lastNow := bytes.Count(before.Content, []byte("\n")), lastLine(before.Content), lastLine(content)
	for _, s := range statementsOf(w, before.Items, renamed) {
		o := &former{statement: s, place: s.Range, stands: true, lines: lines}
		if line := int(s.Range.Start.Line); lines != nil {
			o.place, o.stands = lines.Range(s.Range)
			o.isEnd, o.isLast, o.lastNow = line >= breaks, line == last, lastNow
		}
		all = append(all, o)
	}
	return all
}

// lastLine returns the number of the last line of a text that is not empty, from 0.
func lastLine(text []byte) int { return bytes.Count(bytes.TrimRight(text, " \t\r\n"), []byte("\n")) }

// isAt reports whether d is at the place of the old finding, which was not rewritten.
func (o *former) isAt(d *statement) bool { return o.stands && o.place == d.Range }

// mayBe reports whether d may be the old finding if they say the same. It may if the text before is not known, if
// both begin at the top of the file, or if the old place was rewritten or was the end of the text, and d is in new
// text or on the line where the old finding began.
func (o *former) mayBe(d *statement) bool {
	if o.lines == nil {
		return true
	}
	if top := (protocol.Position{}); o.Range.Start == top && d.Range.Start == top {
		return true // it is about the file as a whole
	}
	line, began := o.lines.Line(int(o.Range.Start.Line))
	isEnd := o.isEnd || o.isLast && int(d.Range.Start.Line) == o.lastNow
	return (isEnd || !o.stands) && (o.lines.Inserted(d.Range) || began && line == int(d.Range.Start.Line))
}

// A pairing finds the old finding for each one that is not new.
type pairing struct {
	former  []*former
	present []*statement
	// remaining are those of the statements that were there before, reasons why they are.
	remaining []*statement
	reasons   []Reason
}

// pair pairs what is not paired yet and has the same code, by one rule.
func (p *pairing) pair(rule string, isSame func(o *former, d *statement) bool) {
	p.present = slices.DeleteFunc(p.present, func(d *statement) bool {
		at := slices.IndexFunc(p.former, func(o *former) bool { return o.code == d.code && isSame(o, d) })
		if at < 0 {
			return false
		}
		p.remaining, p.reasons = append(p.remaining, d), append(p.reasons, Reason{p.former[at].Diagnostic, rule})
		p.former = slices.Delete(p.former, at, at+1)
		return true
	})
}

func (p *pairing) result() Difference {
	all := Difference{New: itemsOf(p.present), Remaining: itemsOf(p.remaining), Reasons: p.reasons}
	for _, o := range p.former {
		all.Gone = append(all.Gone, o.Diagnostic)
	}
	return all
}

func itemsOf(statements []*statement) (items []protocol.Diagnostic) {
	for _, s := range statements {
		items = append(items, s.Diagnostic)
	}
	return items
}
