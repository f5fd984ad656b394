package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/legible"
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
	// open is, at the end of a turn, what is not known, with the reason.
	open []opening
	// limits say which servers do not judge all, as the checkout is not trusted, and why.
	limits []string
	// allFixed reports that everything the agent was told about is fixed.
	allFixed bool
}

// An opening is something that is not known, such as what is wrong with a file, and why; why is "" if
// what says that.
type opening struct {
	// key identifies it even if its reason has other words.
	key, what, why string
	// later says that a later hook can report on it.
	later bool
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
		path = filepath.ToSlash(relative)
	}
	return legible.Line(path)
}

// afterEdit sorts the result of a check of what is owed, and records what will be reported to the
// agent. asked are the files of the event.
func (r *report) afterEdit(m *memory, c *result.Check, asked []string) {
	knew := len(m.Broken)
	earlier := slices.DeleteFunc(m.owed(), func(path string) bool { return slices.Contains(asked, path) })
	isNew := func(f *result.File) []int {
		path := r.absolute(f.Path)
		return m.untold(path, f.Diagnostics, func(d *result.Diagnostic) bool {
			return d.New || d.Standing && slices.Contains(earlier, path)
		})
	}
	for i := range c.Files {
		f := filtered(&c.Files[i], isNew)
		switch {
		case len(f.Diagnostics) == 0:
		case slices.Contains(asked, r.absolute(f.Path)), slices.Contains(earlier, r.absolute(f.Path)):
			r.own = append(r.own, f)
		default:
			r.others = append(r.others, f)
		}
	}
	r.others = append(r.others, keptOfFiles(c.Others, isNew)...)
	r.late = keptOfFiles(c.Late, func(f *result.File) []int {
		return m.untold(r.absolute(f.Path), f.Diagnostics, func(d *result.Diagnostic) bool { return d.New })
	})
	r.updateTold(m, c, isNew)
	r.noteUntrusted(m, c)
	r.updateOwed(m, c, false)
	r.allFixed = knew > 0 && len(m.Broken) == 0 && len(c.Unknown)+len(c.Dependants.Unchecked) == 0 && !slices.ContainsFunc(c.Files, isDoubtful)
}

// ofEarlier makes the report one about earlier edits, all of which is listed: the event has none.
func (r *report) ofEarlier() {
	r.late = slices.Concat(r.own, r.late, r.others)
	r.own, r.others = nil, nil
}

// atEnd sorts the result of a check at the end of a turn: what is still broken of all that the
// session changed. What the agent was told of a file that is not judged now counts as still there. was is
// what last kept a turn from ending.
func (r *report) atEnd(m *memory, c *result.Check, was held) {
	r.updateTold(m, c, eachAlone(func(f *result.File, d *result.Diagnostic) bool {
		path := r.absolute(f.Path)
		return d.New || m.isBroken(path, d) || d.Standing && slices.Contains(m.Touched, path)
	}))
	for i := range c.Files {
		r.openFile(&c.Files[i])
	}
	if len(r.open) == 0 { // else what is not known of other files comes of the same, and is owed with these
		for _, text := range c.Unknown {
			key, _, _ := strings.Cut(text, ":")
			r.open = append(r.open, opening{key: key, what: text})
		}
	}
	// What was not known before either is not asked about with each prompt.
	r.updateOwed(m, c, len(c.Unknown) > 0 && held{Open: r.holds().Open}.isNews(was))
	r.listAll(m)
}

// unanswered is the report at the end of a turn if no check was possible: what the agent was told is
// still there, and nothing else is known of the files.
func (r *report) unanswered(m *memory, files []string, why error) {
	r.listAll(m)
	for _, path := range files {
		if before, is := m.debt(path); is {
			m.owe(path, before)
		}
	}
	for _, path := range files {
		r.open = append(r.open, opening{key: path, what: r.shown(path), why: why.Error(), later: true})
	}
}

// listAll lists everything that is known to be broken.
func (r *report) listAll(m *memory) {
	for _, path := range m.told() {
		all := eachAlone(func(*result.File, *result.Diagnostic) bool { return true })
		r.listed = append(r.listed, filtered(&result.File{Path: path, Diagnostics: m.Broken[path]}, all))
	}
}

// openFile notes a file that was not judged completely.
func (r *report) openFile(f *result.File) {
	why := unjudged(f)
	if why == "" {
		return
	}
	o := opening{key: r.absolute(f.Path), what: r.shown(f.Path), why: why, later: comesLater(f)}
	if !o.later && f.Error == nil { // the same reason for other files is no news
		o.key = why
	}
	r.open = append(r.open, o)
}

// unjudged says why a file was not judged completely; "" if it was, or if no server judges such files.
func unjudged(f *result.File) string {
	lacking := slices.ContainsFunc(f.Servers, func(a result.Answer) bool { return !a.Dispensable && !a.Untrusted && a.Freshness != "fresh" })
	if lacking || f.Error != nil && f.Error.Kind != result.NotFound {
		others := *f // what is limited is said once
		others.Servers = slices.DeleteFunc(slices.Clone(f.Servers), func(a result.Answer) bool { return a.Untrusted })
		return others.WhyUnknown()
	}
	return ""
}

// unknown says, for the log of hooks, what an answer does not know; nil if it knows all.
func (r *report) unknown(c *result.Check) error {
	var parts []string
	for i := range c.Files {
		if why := unjudged(&c.Files[i]); why != "" {
			parts = append(parts, r.shown(c.Files[i].Path)+": "+why)
		}
	}
	parts = append(parts, c.Unknown...)
	if n := len(c.Dependants.Unchecked); n > 0 {
		parts = append(parts, fmt.Sprintf("%d files that use what changed", n))
	}
	if len(parts) == 0 {
		return nil
	}
	return because("not known: %s", strings.Join(parts, "; "))
}

// updateTold updates the memory: which of the findings that were reported to the agent, before or now,
// still exist.
func (r *report) updateTold(m *memory, c *result.Check, told sieve) {
	judged := make(map[string]bool)
	before := memory{Broken: maps.Clone(m.Broken)}
	for _, files := range [][]result.File{c.Files, c.Others, c.Late} {
		for i := range files {
			f := &files[i]
			path := r.absolute(f.Path)
			now := told(f)
			stand := m.Broken[path]
			if !judged[path] && (isWhole(f) || isLimited(f)) {
				stand = before.stillThere(path, f.Diagnostics, now)
			}
			judged[path] = true
			if stand = withReported(stand, f.Diagnostics, now); len(stand) > 0 {
				m.Broken[path] = stand
			} else {
				delete(m.Broken, path)
			}
		}
	}
	for path := range m.Broken {
		if fspath.Missing(path) {
			delete(m.Broken, path)
		}
	}
}

// updateOwed updates what is owed: the files of the check whose servers have not finished, and all if one
// has not finished with another file, because an edit of these caused that. all says that all is
// owed in any case.
func (r *report) updateOwed(m *memory, c *result.Check, all bool) {
	left := make(map[string]*string)
	all = all || slices.ContainsFunc(slices.Concat(c.Others, c.Late), func(f result.File) bool { return comesLater(&f) })
	for i := range c.Files {
		path := r.absolute(c.Files[i].Path)
		if before, is := m.debt(path); is && (all || comesLater(&c.Files[i])) {
			left[path] = before
		}
	}
	m.Owed = left
}

// stillThere returns the findings of a file that were reported to the agent before and still exist,
// without those reported now.
func (m *memory) stillThere(path string, list []result.Diagnostic, now []int) (stand []result.Diagnostic) {
	knew := counted(m.Broken[path])
	for i := range list {
		if f := findingOf(&list[i]); !slices.Contains(now, i) && knew[f] > 0 {
			knew[f]--
			stand = append(stand, list[i])
		}
	}
	return stand
}

// withReported adds the findings of a file that are reported to the agent now, each at most as often as it
// occurs.
func withReported(stand, list []result.Diagnostic, now []int) []result.Diagnostic {
	there, stands := counted(list), counted(stand)
	stand = slices.Clip(stand)
	for _, i := range now {
		if f := findingOf(&list[i]); stands[f] < there[f] {
			stands[f]++
			stand = append(stand, list[i])
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
		return !a.Untrusted && (a.Freshness == "timeout" || a.Freshness == "indexing" || a.Freshness == "partial")
	})
}

// A sieve selects diagnostics of a file; it returns their indices.
type sieve func(f *result.File) []int

// eachAlone returns a sieve that considers each diagnostic by itself.
func eachAlone(holds func(*result.File, *result.Diagnostic) bool) sieve {
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

// keptOfFiles returns the files with diagnostics that a sieve selects, reduced to those diagnostics.
func keptOfFiles(files []result.File, keep sieve) (some []result.File) {
	for i := range files {
		if f := filtered(&files[i], keep); len(f.Diagnostics) > 0 {
			some = append(some, f)
		}
	}
	return some
}

// text returns the report for a model, in at most limit bytes. It states facts and gives no
// instructions.
func (r *report) text(mode string, limit int) string {
	var b strings.Builder
	r.writeFindings(&b, r.own)
	if len(r.late) > 0 {
		b.WriteString("of earlier edits, answered late:\n")
		r.writeFindings(&b, r.late)
	}
	switch {
	case mode == ReportFull && len(r.others) > 0:
		b.WriteString("also broken now:\n")
		r.writeFindings(&b, r.others)
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
		switch unsure := count(slices.DeleteFunc(slices.Clone(r.listed), func(f result.File) bool { return f.Baseline != api.BaselineNone })); {
		case unsure == 0:
			fmt.Fprintf(&b, "%d %s of this session's changes %s:\n", n, nounFor(n, r.listed), remain)
		case unsure == n:
			fmt.Fprintf(&b, "%d %s %s, and it is not known whether of this session's changes:\n", n, nounFor(n, r.listed), remain)
		default:
			fmt.Fprintf(&b, "%d %s %s, and of %d it is not known whether of this session's changes:\n", n, nounFor(n, r.listed), remain, unsure)
		}
		r.writeFindings(&b, r.listed)
	}
	if len(r.limits) > 0 {
		b.WriteString("said once: what depends on the following is not judged here, until the user has typed \"lspine trust\": " +
			strings.Join(r.limits, "; ") + "\n")
	}
	open := r.openLine()
	if limit > 0 {
		limit = max(1, limit-len(open))
	}
	return cutAtLine(b.String(), limit) + open
}

// openLine says in one line what is not known, and why; "" if everything is.
func (r *report) openLine() string {
	var parts []string
	if later := openings(r.open, true); later != "" {
		parts = append(parts, "not judged yet, the next hook of this session reports on it: "+later)
	}
	if never := openings(r.open, false); never != "" {
		parts = append(parts, "not known: "+never)
	}
	if len(parts) == 0 {
		return ""
	}
	return legible.Model(legible.Message(strings.Join(parts, "; "))) + "\n"
}

// openings names the first of what is not known, those with the same reason together. later says which.
func openings(open []opening, later bool) string {
	open = slices.DeleteFunc(slices.Clone(open), func(o opening) bool { return o.later != later })
	const most = 5
	more := len(open) - most
	open = open[:min(most, len(open))]
	var groups []string
	for len(open) > 0 {
		why := open[0].why
		var names []string
		for _, o := range open {
			if o.why == why {
				names = append(names, o.what)
			}
		}
		open = slices.DeleteFunc(open, func(o opening) bool { return o.why == why })
		group := strings.Join(names, ", ")
		if len(open) == 0 && more > 0 {
			group += fmt.Sprintf(" and %d more", more)
		}
		if why != "" {
			group += " (" + why + ")"
		}
		groups = append(groups, group)
	}
	return strings.Join(groups, ", ")
}

// writeFindings writes findings as a compiler would.
func (r *report) writeFindings(b *strings.Builder, files []result.File) {
	style := render.Style{Path: r.shown, Caps: result.Caps{PerFile: maxPerFile}}
	_ = render.CheckText(&result.Check{Files: files}, b, style) // a builder never fails
}

func count(files []result.File) (n int) {
	for i := range files {
		n += len(files[i].Diagnostics)
	}
	return n
}

// nounFor returns the word for what is listed.
func nounFor(n int, files []result.File) string {
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

// cutAtLine cuts a text at the end of a line, to at most max bytes, and says how many lines were cut.
func cutAtLine(text string, max int) string {
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

// fingerprint returns a text that identifies the listed findings, regardless of their order and lines.
func (r *report) fingerprint() string {
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

// holds returns what the report keeps a turn from ending for.
func (r *report) holds() (now held) {
	if len(r.listed) > 0 {
		now.Findings = r.fingerprint()
	}
	for _, o := range r.open {
		now.Open = append(now.Open, o.key)
	}
	return now
}

// isNews reports whether there is something that the agent has not been held for.
func (h held) isNews(was held) bool {
	return h.Findings != "" && h.Findings != was.Findings ||
		slices.ContainsFunc(h.Open, func(key string) bool { return !slices.Contains(was.Open, key) })
}
