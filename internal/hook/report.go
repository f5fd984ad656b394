package hook

import (
	"cmp"
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

// The modes of reporting: how much to report, and when.
const (
	// ReportEach lists after each edit the new findings in the edited files, and names other files
	// that the edit broke. At the end of the turn it lists everything.
	ReportEach = "each"
	// ReportTurn reports only at the end of the turn.
	ReportTurn = "turn"
	// ReportFull lists after each edit the new findings in all files.
	ReportFull = "full"
)

// maxPerFile limits the findings listed for one file.
const maxPerFile = 20

// A report is the result of a check, sorted by how it is reported to the agent.
type report struct {
	dir  string // names are shown relative to it
	root string
	// own are the files of the event with their new findings; others are the files that they broke;
	// late is what became known about earlier edits; listed are all files at the end of a turn.
	own, others, late, listed []result.File
	// open names, at the end of a turn, the files that a server has not judged yet, with the reason.
	open []string
	// allFixed reports that everything the agent was told about is fixed.
	allFixed bool
}

// absolute returns the path of a file named in a result.
func (r *report) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(r.root, filepath.FromSlash(path))
}

// shown returns a path as the agent names files: relative to its folder if it is inside.
func (r *report) shown(path string) string {
	path = r.absolute(path)
	if relative, err := filepath.Rel(r.dir, path); err == nil && filepath.IsLocal(relative) {
		return filepath.ToSlash(relative)
	}
	return path
}

// afterEdit sorts the result of a check after tools have run, and records what will be reported to
// the agent. asked are the files of the event.
func (r *report) afterEdit(m *memory, c *result.Check, asked []string) {
	knew := len(m.Broken)
	owed := m.Owed
	m.Owed = nil
	isNew := func(f *result.File) []int {
		path := r.absolute(f.Path)
		return m.untold(path, f.Diagnostics, func(d *result.Diagnostic) bool {
			return d.New || d.Standing && slices.Contains(owed, path)
		})
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
	r.late = kept(c.Late, func(f *result.File) []int {
		return m.untold(r.absolute(f.Path), f.Diagnostics, func(d *result.Diagnostic) bool { return d.New })
	})
	r.note(m, c, asked, isNew)
	r.allFixed = knew > 0 && len(m.Broken) == 0 && len(c.Unknown)+len(c.Dependants.Unchecked) == 0 && !slices.ContainsFunc(c.Files, isDoubtful)
}

// atEnd sorts the result of a check at the end of a turn: what is still broken of all that the
// session changed.
func (r *report) atEnd(m *memory, c *result.Check, asked []string) {
	came := each(func(f *result.File, d *result.Diagnostic) bool {
		path := r.absolute(f.Path)
		return d.New || m.isBroken(path, d) || d.Standing && slices.Contains(m.Touched, path)
	})
	r.listed = slices.Concat(kept(c.Files, came), kept(c.Others, each(func(f *result.File, d *result.Diagnostic) bool {
		return d.New || m.isBroken(r.absolute(f.Path), d)
	})))
	m.Owed = nil
	for i := range c.Files {
		if why := unfinished(&c.Files[i]); why != "" {
			r.open = append(r.open, r.shown(c.Files[i].Path)+" ("+why+")")
		}
	}
	r.note(m, c, asked, came)
}

// unfinished says which server had not finished with a file when the time was over, and why; "" if
// all had.
func unfinished(f *result.File) string {
	for _, a := range f.Servers {
		if !a.Dispensable && (a.Freshness == "timeout" || a.Freshness == "indexing") {
			return a.Server + ": " + a.Reason
		}
	}
	return ""
}

// silence says, for the log of hooks, what an answer does not know; nil if it knows all.
func (r *report) silence(c *result.Check) error {
	var parts []string
	for i := range c.Files {
		if f := &c.Files[i]; comesLater(f) {
			parts = append(parts, r.shown(f.Path)+": "+cmp.Or(unfinished(f), f.WhyUnknown()))
		}
	}
	if parts = append(parts, c.Unknown...); len(parts) == 0 {
		return nil
	}
	return errors.New("not known: " + strings.Join(parts, "; "))
}

// note updates the memory: which of the findings that were reported to the agent, before or now,
// still exist.
func (r *report) note(m *memory, c *result.Check, asked []string, told sieve) {
	judged, late := make(map[string]bool), false
	before := memory{Broken: maps.Clone(m.Broken)}
	for _, files := range [][]result.File{c.Files, c.Others, c.Late} {
		for i := range files {
			f := &files[i]
			path := r.absolute(f.Path)
			now := told(f)
			stand := m.Broken[path]
			if !judged[path] && isWhole(f) {
				stand = before.left(path, f.Diagnostics, now)
			}
			judged[path] = true
			if stand = also(stand, f.Diagnostics, now); len(stand) > 0 {
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
	if late { // whichever file it is about, an edit of the files asked for caused it
		m.owe(asked)
	}
}

// left returns the findings of a file that were reported to the agent before and still exist,
// without those reported now.
func (m *memory) left(path string, list []result.Diagnostic, now []int) (stand []finding) {
	knew := counted(m.Broken[path])
	for i := range list {
		if f := findingOf(&list[i]); !slices.Contains(now, i) && knew[f] > 0 {
			knew[f]--
			stand = append(stand, f)
		}
	}
	return stand
}

// also adds the findings of a file that are reported to the agent now, each at most as often as it
// occurs.
func also(stand []finding, list []result.Diagnostic, now []int) []finding {
	var all []finding
	for i := range list {
		all = append(all, findingOf(&list[i]))
	}
	there, stands := counted(all), counted(stand)
	stand = slices.Clip(stand)
	for _, i := range now {
		if f := all[i]; stands[f] < there[f] {
			stands[f]++
			stand = append(stand, f)
		}
	}
	return stand
}

// isWhole reports whether all diagnostics of a file are known.
func isWhole(f *result.File) bool {
	return f.Error == nil && f.Verdict != result.Unknown && f.Verdict != result.LSPUnavailable
}

// isDoubtful reports whether a file may have unknown diagnostics, because a server has not reported
// all of them.
func isDoubtful(f result.File) bool {
	if f.Error != nil {
		return f.Error.Kind != result.NotFound
	}
	return !isWhole(&f) && len(f.Servers) > 0
}

// comesLater reports whether another check of the file may find more, because a server was not
// finished.
func comesLater(f *result.File) bool {
	if f.Error != nil {
		return f.Error.Kind == result.Timeout || f.Error.Kind == result.NotReady
	}
	return slices.ContainsFunc(f.Servers, func(a result.Answer) bool {
		return a.Freshness == "timeout" || a.Freshness == "indexing" || a.Freshness == "partial"
	})
}

// A sieve selects diagnostics of a file; it returns their indices.
type sieve func(f *result.File) []int

// each returns a sieve that considers each diagnostic by itself.
func each(holds func(*result.File, *result.Diagnostic) bool) sieve {
	return func(f *result.File) (places []int) {
		for i := range f.Diagnostics {
			if holds(f, &f.Diagnostics[i]) {
				places = append(places, i)
			}
		}
		return places
	}
}

// filtered returns a file with the diagnostics that a sieve selects.
func filtered(f *result.File, keep sieve) result.File {
	some := result.File{Path: f.Path, Verdict: f.Verdict, Baseline: f.Baseline}
	for _, i := range keep(f) {
		d := f.Diagnostics[i]
		d.New = true // it is to be listed
		some.Diagnostics = append(some.Diagnostics, d)
	}
	return some
}

// kept returns the files with diagnostics that a sieve selects, reduced to those diagnostics.
func kept(files []result.File, keep sieve) (some []result.File) {
	for i := range files {
		if f := filtered(&files[i], keep); len(f.Diagnostics) > 0 {
			some = append(some, f)
		}
	}
	return some
}

// text returns the report for a model, in at most max bytes. It states facts and gives no
// instructions.
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
	case r.allFixed:
		b.WriteString("all fixed: nothing that this session's changes broke is left\n")
	}
	if n := count(r.listed); n > 0 {
		remain := "remain"
		if n == 1 {
			remain = "remains"
		}
		fmt.Fprintf(&b, "%d %s of this session's changes %s:\n", n, noun(n, r.listed), remain)
		r.list(&b, r.listed)
	}
	if len(r.open) > 0 {
		const most = 5
		more := ""
		if n := len(r.open) - most; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		fmt.Fprintf(&b, "not judged yet, the next hook of this session reports on it: %s%s\n", strings.Join(r.open[:min(most, len(r.open))], ", "), more)
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

// noun returns the word for what is listed.
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

// within cuts a text at the end of a line, to at most max bytes, and says how many lines were cut.
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

// set returns a text that identifies the listed findings, regardless of their order and lines.
func (r *report) set() string {
	var all []string
	for i := range r.listed {
		for j := range r.listed[i].Diagnostics {
			d := findingOf(&r.listed[i].Diagnostics[j])
			all = append(all, strings.Join([]string{r.absolute(r.listed[i].Path), d.Code, d.Message}, "\x00"))
		}
	}
	all = append(all, r.open...)
	slices.Sort(all)
	sum := sha256.Sum256([]byte(strings.Join(all, "\x01")))
	return hex.EncodeToString(sum[:12])
}
