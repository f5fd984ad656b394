package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Places are where something is: definitions, references, highlights.
type Places struct {
	Head
	// Symbol is what was asked about, What what the places are: "reference".
	Symbol string `json:"symbol" jsonschema:"the symbol that was asked about"`
	What   string `json:"what" jsonschema:"what the places are: definition, reference and so on"`
	// Total is the number of places, FileCount that of their files; what was cut
	// is counted.
	Total     int         `json:"total"`
	FileCount int         `json:"file_count"`
	Files     []PlaceFile `json:"files" jsonschema:"by path; paths are relative to the workspace root"`
}

// PlaceFile are the places in one file, by line and column.
type PlaceFile struct {
	Path string `json:"path"`
	// Count is the number of places; there are fewer in Places if they were cut.
	Count  int     `json:"count"`
	Places []Place `json:"places,omitempty"`
}

// A Place is a position; 1-based, columns in UTF-16 code units.
type Place struct {
	Line   uint32 `json:"line"`
	Column uint32 `json:"column"`
	// EndLine and EndColumn are of definitions and the like; EndColumn is that
	// behind the last character.
	EndLine   uint32 `json:"end_line,omitempty"`
	EndColumn uint32 `json:"end_column,omitempty"`
	// Text is the line, trimmed, if it was asked for.
	Text string `json:"text,omitempty" jsonschema:"the line's text"`
	// Kind is read, write or text, for a highlight.
	Kind   string  `json:"kind,omitempty"`
	Source *Source `json:"source,omitempty" jsonschema:"the declaration, if it was asked for"`
}

// maxSourceLine bounds the text of one line, in bytes.
const maxSourceLine = 160

// Brief implements [Reply].
func (p *Places) Brief() string {
	return p.write(func(b *strings.Builder) {
		if p.Total == 0 {
			fmt.Fprintf(b, "%s: no %s\n", defused(p.Symbol), p.What)
			return
		}
		if p.Total == 1 && len(p.Files) == 1 && len(p.Files[0].Places) == 1 {
			f := &p.Files[0]
			fmt.Fprintf(b, "%s: %s at %s:%s\n", defused(p.Symbol), p.What, defused(f.Path), f.Places[0].detailed())
			return
		}
		fmt.Fprintf(b, "%s: %d %s in %d %s\n", defused(p.Symbol), p.Total, plural(p.Total, p.What), p.FileCount, plural(p.FileCount, "file"))
		p.list(b)
	})
}

// list writes the files, several of a folder below it where that is shorter.
func (p *Places) list(b *strings.Builder) {
	paths := make([]string, len(p.Files))
	for i := range p.Files {
		paths[i] = p.Files[i].Path
	}
	for _, r := range runs(paths) {
		indent := ""
		if r.folder != "" {
			put(b, defused(r.folder), "\n")
			indent = " "
		}
		for i := r.from; i < r.to; i++ {
			put(b, indent, defused(strings.TrimPrefix(p.Files[i].Path, r.folder)))
			p.Files[i].write(b)
		}
	}
}

// write writes what follows the name of the file.
func (f *PlaceFile) write(b *strings.Builder) {
	switch {
	case len(f.Places) == 0:
		put(b, " ", strconv.Itoa(f.Count), "\n")
	case f.plain():
		for _, p := range f.Places {
			put(b, " ", p.position())
		}
		if f.Count > len(f.Places) {
			put(b, " +", strconv.Itoa(f.Count-len(f.Places)))
		}
		put(b, "\n")
	case len(f.Places) == 1 && f.Places[0].inLine():
		put(b, ":", number(f.Places[0].Line), " ", printable(f.Places[0].Text), "\n")
	default:
		put(b, "\n")
		for i := range f.Places {
			p := &f.Places[i]
			// The line shows the name; only a second use of it needs its column.
			if p.inLine() && f.onLine(p.Line) == 1 {
				put(b, "  ", number(p.Line), " ", printable(p.Text), "\n")
				continue
			}
			put(b, "  ", p.detailed(), "\n")
		}
	}
}

// inLine reports whether a place has its line and nothing else.
func (p *Place) inLine() bool { return p.Text != "" && p.Kind == "" && p.Source == nil }

// put writes texts one after the other. It costs a tenth of fmt, which counts
// where an answer has many lines.
func put(b *strings.Builder, texts ...string) {
	for _, t := range texts {
		b.WriteString(t)
	}
}

func number(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

// onLine counts the places in a line.
func (f *PlaceFile) onLine(line uint32) int {
	n := 0
	for i := range f.Places {
		if f.Places[i].Line == line {
			n++
		}
	}
	return n
}

func (f *PlaceFile) plain() bool {
	return !slices.ContainsFunc(f.Places, func(p Place) bool { return p.Text != "" || p.Source != nil || p.Kind != "" })
}

func (p *Place) position() string { return number(p.Line) + ":" + number(p.Column) }

func (p *Place) detailed() string {
	text := p.position()
	if p.Kind != "" {
		text += " " + p.Kind
	}
	if p.Source != nil {
		return text + "\n" + p.Source.code()
	}
	if p.Text != "" {
		text += " " + printable(p.Text)
	}
	return text
}

// Fit implements [Reply]: first the sources go, then the lines, then the
// positions, then files from the end.
func (p *Places) Fit(max int) {
	fit(max, p, p.withoutSources, p.withoutLines, p.countsOnly, p.fewerFiles)
}

func (p *Places) each(do func(*Place) bool) (changed bool) {
	for i := range p.Files {
		for j := range p.Files[i].Places {
			changed = do(&p.Files[i].Places[j]) || changed
		}
	}
	return changed
}

func (p *Places) withoutSources() bool {
	if !p.each(func(q *Place) bool { had := q.Source != nil; q.Source = nil; return had }) {
		return false
	}
	p.Cut = "the sources; ask for one of the places, or raise max_bytes"
	return true
}

func (p *Places) withoutLines() bool {
	if !p.each(func(q *Place) bool { had := q.Text != ""; q.Text = ""; return had }) {
		return false
	}
	p.Cut = "the text of the lines; raise max_bytes to get it"
	return true
}

func (p *Places) countsOnly() bool {
	had := false
	for i := range p.Files {
		had = had || p.Files[i].Places != nil
		p.Files[i].Places = nil
	}
	if had {
		p.Cut = "the positions: numbers are counts per file; raise max_bytes to get them"
	}
	return had
}

func (p *Places) fewerFiles() bool {
	if len(p.Files) == 0 {
		return false
	}
	p.Files = p.Files[:halve(len(p.Files))]
	p.Cut = fmt.Sprintf("all but %d of %d files, and the positions; raise max_bytes to get them", len(p.Files), p.FileCount)
	return true
}
