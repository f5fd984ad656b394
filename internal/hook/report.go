package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// Reports choose how much is said when.
const (
	// ReportEach lists after an edit what is new in the edited files, and names the others
	// that broke; the rest comes at the end of the turn.
	ReportEach = "each"
	// ReportTurn says nothing before the end of the turn.
	ReportTurn = "turn"
	// ReportFull lists what is new in every file after each edit.
	ReportFull = "full"
)

// maxPerFile bounds what is listed of one file.
const maxPerFile = 20

// A report is what a check found, sorted by what the agent has to be told.
type report struct {
	dir  string // names are shown relative to it
	root string
	// own are the files that the event is about with what is new in them, others those
	// that they broke, late what came of earlier edits; listed are all at the end of a turn.
	own, others, late, listed []result.File
	// mended says that everything the agent was told of is gone.
	mended bool
}

// absolute returns the path of a file of a result.
func (r *report) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(r.root, filepath.FromSlash(path))
}

// shown returns a path as the agent names files: relative to its folder if it is there.
func (r *report) shown(path string) string {
	path = r.absolute(path)
	if relative, err := filepath.Rel(r.dir, path); err == nil && filepath.IsLocal(relative) {
		return filepath.ToSlash(relative)
	}
	return path
}

// afterEdit sorts what a check found after tools have run, and notes what the agent will
// have been told. Asked are the files that the event is about.
func (r *report) afterEdit(m *memory, c *result.Check, asked []string) {
	knew := len(m.Broken)
	owed := m.Owed
	m.Owed = nil
	isNew := func(f *result.File, d *result.Diagnostic) bool {
		path := r.absolute(f.Path)
		return (d.New || d.Standing && slices.Contains(owed, path)) && !m.isBroken(path, d)
	}
	for i := range c.Files {
		f := filtered(&c.Files[i], isNew)
		switch {
		case len(f.Diagnostics) == 0:
		case slices.Contains(asked, r.absolute(f.Path)), slices.Contains(owed, r.absolute(f.Path)):
			r.own = append(r.own, f)
		default:
			r.others = append(r.others, f)
		}
	}
	r.others = append(r.others, kept(c.Others, isNew)...)
	r.late = kept(c.Late, func(f *result.File, d *result.Diagnostic) bool { return d.New && !m.isBroken(r.absolute(f.Path), d) })
	r.note(m, c, asked, isNew)
	r.mended = knew > 0 && len(m.Broken) == 0 && len(c.Unknown)+len(c.Dependants.Unchecked) == 0 && !slices.ContainsFunc(c.Files, isDoubtful)
}

// atEnd sorts what a check found at the end of a turn: of all that the session changed what
// is still broken.
func (r *report) atEnd(m *memory, c *result.Check, asked []string) {
	came := func(f *result.File, d *result.Diagnostic) bool {
		path := r.absolute(f.Path)
		return d.New || m.isBroken(path, d) || d.Standing && slices.Contains(m.Touched, path)
	}
	r.listed = slices.Concat(kept(c.Files, came), kept(c.Others, func(f *result.File, d *result.Diagnostic) bool {
		return d.New || m.isBroken(r.absolute(f.Path), d)
	}))
	m.Owed = nil
	r.note(m, c, asked, came)
}

// note makes the memory know what stands after a check of what the agent was told before,
// and is told now.
func (r *report) note(m *memory, c *result.Check, asked []string, told func(*result.File, *result.Diagnostic) bool) {
	judged, late := make(map[string]bool), false
	before := memory{Broken: maps.Clone(m.Broken)}
	for _, files := range [][]result.File{c.Files, c.Others, c.Late} {
		for i := range files {
			f := &files[i]
			path := r.absolute(f.Path)
			stand := m.Broken[path]
			if !judged[path] && isWhole(f) {
				stand = nil
			}
			judged[path] = true
			for j := range f.Diagnostics {
				d := &f.Diagnostics[j]
				if (before.isBroken(path, d) || told(f, d)) && !slices.Contains(stand, findingOf(d)) {
					stand = append(stand, findingOf(d))
				}
			}
			if len(stand) > 0 {
				m.Broken[path] = stand
			} else {
				delete(m.Broken, path)
			}
			late = late || comesLater(f)
		}
	}
	for path := range m.Broken {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			delete(m.Broken, path)
		}
	}
	if late { // whichever file it is about: those that were asked for changed it
		m.owe(asked)
	}
}

// isWhole reports whether all that is wrong with a file is known.
func isWhole(f *result.File) bool {
	return f.Error == nil && f.Verdict != result.Unknown && f.Verdict != result.LSPUnavailable
}

// isDoubtful reports whether something may be wrong with a file that is not known: a server
// is for it and has not said all.
func isDoubtful(f result.File) bool {
	if f.Error != nil {
		return f.Error.Kind != result.NotFound
	}
	return !isWhole(&f) && len(f.Servers) > 0
}

// comesLater reports whether more may be known of a file when it is asked about again: a
// server was not done with it.
func comesLater(f *result.File) bool {
	if f.Error != nil {
		return f.Error.Kind == result.Timeout || f.Error.Kind == result.NotReady
	}
	return slices.ContainsFunc(f.Servers, func(a result.Answer) bool {
		return a.Freshness == "timeout" || a.Freshness == "indexing" || a.Freshness == "partial"
	})
}

// filtered returns a file with those of its findings that keep holds for.
func filtered(f *result.File, keep func(*result.File, *result.Diagnostic) bool) result.File {
	some := result.File{Path: f.Path, Verdict: f.Verdict, Baseline: f.Baseline}
	for i := range f.Diagnostics {
		if d := f.Diagnostics[i]; keep(f, &d) {
			d.New = true // it is to be listed
			some.Diagnostics = append(some.Diagnostics, d)
		}
	}
	return some
}

// kept returns the files that have such findings, with these alone.
func kept(files []result.File, keep func(*result.File, *result.Diagnostic) bool) (some []result.File) {
	for i := range files {
		if f := filtered(&files[i], keep); len(f.Diagnostics) > 0 {
			some = append(some, f)
		}
	}
	return some
}

// text says it to a model: facts, no orders.
func (r *report) text(mode string, max int) string {
	var b strings.Builder
	r.list(&b, r.own)
	if len(r.late) > 0 {
		b.WriteString("of earlier edits, answered late:\n")
		r.list(&b, r.late)
	}
	switch {
	case mode == ReportFull && len(r.others) > 0:
		b.WriteString("also broken now:\n")
		r.list(&b, r.others)
	case len(r.others) > 0:
		b.WriteString("also broken now: " + render.Named(r.others, r.shown) + "\n")
	case r.mended:
		b.WriteString("all mended: nothing that this session's changes broke is left\n")
	}
	if n := count(r.listed); n > 0 {
		remain := "remain"
		if n == 1 {
			remain = "remains"
		}
		fmt.Fprintf(&b, "%d %s of this session's changes %s:\n", n, noun(n, r.listed), remain)
		r.list(&b, r.listed)
	}
	return within(b.String(), max)
}

// list writes findings as a compiler would.
func (r *report) list(b *strings.Builder, files []result.File) {
	_ = render.CheckText(&result.Check{Files: files}, b, render.Style{Path: r.shown, Caps: result.Caps{PerFile: maxPerFile}}) // a builder never fails
}

func count(files []result.File) (n int) {
	for i := range files {
		n += len(files[i].Diagnostics)
	}
	return n
}

// noun names what is listed.
func noun(n int, files []result.File) string {
	name := "error"
	for i := range files {
		for _, d := range files[i].Diagnostics {
			if d.Severity != "error" {
				name = "finding"
			}
		}
	}
	if n != 1 {
		name += "s"
	}
	return name
}

// within cuts a text at a line to at most so many bytes, and says how many lines went.
func within(text string, max int) string {
	if max <= 0 || len(text) <= max {
		return text
	}
	const room = len("... and 1000000 more lines\n")
	lines := strings.SplitAfter(text, "\n")
	var b strings.Builder
	for i, line := range lines {
		if b.Len()+len(line)+room > max {
			fmt.Fprintf(&b, "... and %d more lines\n", len(lines)-1-i)
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

// set names what is listed, whichever its order is and wherever it stands.
func (r *report) set() string {
	var all []string
	for i := range r.listed {
		for j := range r.listed[i].Diagnostics {
			d := findingOf(&r.listed[i].Diagnostics[j])
			all = append(all, strings.Join([]string{r.absolute(r.listed[i].Path), d.Code, d.Message}, "\x00"))
		}
	}
	slices.Sort(all)
	sum := sha256.Sum256([]byte(strings.Join(all, "\x01")))
	return hex.EncodeToString(sum[:12])
}
