package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// maxSourceLine bounds the text of one line, in bytes.
const maxSourceLine = 160

func briefPlaces(p *result.Places) string {
	return write(&p.Head, func(b *strings.Builder) {
		switch {
		case p.Total == 0:
			fmt.Fprintf(b, "%s: %s\n", legible.Line(p.Symbol), nothing(&p.Head, p.What))
		case p.Total == 1 && len(p.Files) == 1 && len(p.Files[0].Places) == 1:
			f := &p.Files[0]
			fmt.Fprintf(b, "%s: %s at %s:%s\n", legible.Line(p.Symbol), p.What, legible.Line(f.Path), detailed(&f.Places[0]))
		default:
			fmt.Fprintf(b, "%s: %d %s in %d %s\n",
				legible.Line(p.Symbol), p.Total, plural(p.Total, p.What), p.FileCount, plural(p.FileCount, "file"))
			writePlaces(p, b)
		}
		writeOrigin(p, b)
	})
}

// writeOrigin says where the places come from, if no server was asked.
func writeOrigin(p *result.Places, b *strings.Builder) {
	if p.From != "" {
		putLine(b, legible.Line(p.From), "\n")
	}
}

// writePlaces writes the files, several of a folder below it where that is shorter.
func writePlaces(p *result.Places, b *strings.Builder) {
	paths := make([]string, len(p.Files))
	for i := range p.Files {
		paths[i] = p.Files[i].Path
	}
	for _, r := range runs(paths) {
		indent := ""
		if r.folder != "" {
			putLine(b, legible.Line(r.folder), "\n")
			indent = " "
		}
		for i := r.from; i < r.to; i++ {
			putLine(b, indent, legible.Line(strings.TrimPrefix(p.Files[i].Path, r.folder)))
			writePlaceFile(&p.Files[i], b)
		}
	}
}

// writePlaceFile writes what follows the name of the file.
func writePlaceFile(f *result.PlaceFile, b *strings.Builder) {
	switch {
	case len(f.Places) == 0:
		putLine(b, " ", strconv.Itoa(f.Count), "\n")
	case isPlain(f):
		for _, p := range f.Places {
			putLine(b, " ", positionOf(&p))
		}
		if f.Count > len(f.Places) {
			putLine(b, " +", strconv.Itoa(f.Count-len(f.Places)))
		}
		putLine(b, "\n")
	case len(f.Places) == 1 && isInLine(&f.Places[0]):
		putLine(b, ":", number(f.Places[0].Line), " ", legible.Model(f.Places[0].Text), "\n")
	default:
		putLine(b, "\n")
		for i := range f.Places {
			p := &f.Places[i]
			// The line shows the name; only a second use of it needs its column.
			if isInLine(p) && placesOnLine(f, p.Line) == 1 {
				putLine(b, "  ", number(p.Line), " ", legible.Model(p.Text), "\n")
				continue
			}
			putLine(b, "  ", detailed(p), "\n")
		}
	}
}

// isInLine reports whether a place has its line and nothing else.
func isInLine(p *result.Place) bool { return p.Text != "" && p.Kind == "" && p.Source == nil }

// putLine writes texts one after the other. It costs a tenth of fmt, which counts
// where an answer has many lines.
func putLine(b *strings.Builder, texts ...string) {
	for _, t := range texts {
		b.WriteString(t)
	}
}

func number(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

// placesOnLine counts the places in a line.
func placesOnLine(f *result.PlaceFile, line uint32) int {
	n := 0
	for i := range f.Places {
		if f.Places[i].Line == line {
			n++
		}
	}
	return n
}

func isPlain(f *result.PlaceFile) bool {
	return !slices.ContainsFunc(f.Places, func(p result.Place) bool { return p.Text != "" || p.Source != nil || p.Kind != "" })
}

func positionOf(p *result.Place) string { return number(p.Line) + ":" + number(p.Column) }

func detailed(p *result.Place) string {
	text := positionOf(p)
	if p.Kind != "" {
		text += " " + legible.Line(p.Kind)
	}
	if p.Source != nil {
		return text + "\n" + codeOf(p.Source)
	}
	if p.Text != "" {
		text += " " + legible.Model(p.Text)
	}
	return text
}

// fitPlaces shortens: first the sources go, then the lines, then the
// positions, then files from the end.
func fitPlaces(p *result.Places, max int) {
	fit(max, p,
		func() bool { return withoutSources(p) },
		func() bool { return withoutLines(p) },
		func() bool { return countsOnly(p) },
		func() bool { return fewerFiles(p) })
}

func eachPlace(p *result.Places, do func(*result.Place) bool) (changed bool) {
	for i := range p.Files {
		for j := range p.Files[i].Places {
			changed = do(&p.Files[i].Places[j]) || changed
		}
	}
	return changed
}

func withoutSources(p *result.Places) bool {
	if !eachPlace(p, func(q *result.Place) bool { had := q.Source != nil; q.Source = nil; return had }) {
		return false
	}
	p.Cut = "the sources; ask for one of the places, or raise max_bytes"
	return true
}

func withoutLines(p *result.Places) bool {
	if !eachPlace(p, func(q *result.Place) bool { had := q.Text != ""; q.Text = ""; return had }) {
		return false
	}
	p.Cut = "the text of the lines; raise max_bytes to get it"
	return true
}

func countsOnly(p *result.Places) bool {
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

func fewerFiles(p *result.Places) bool {
	if len(p.Files) == 0 {
		return false
	}
	p.Files = p.Files[:halve(len(p.Files))]
	p.Cut = fmt.Sprintf("all but %d of %d files, and the positions; raise max_bytes to get them", len(p.Files), p.FileCount)
	return true
}
