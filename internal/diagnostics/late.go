package diagnostics

import (
	"slices"
	"time"

	"github.com/lspine/lspine/internal/fspath"
)

// A debt is what a session was not told about a change, because a server did not answer before the
// deadline. It names files and the moment before the change; what the change did follows, when
// somebody asks next, from what the servers have said by then of the texts that the files have by
// then. So it cannot come true that has been taken back since.
type debt struct {
	id      uint64
	session string
	key     Key
	since   *Moment
	req     Request
	// file is what the change was asked about; own says that the answer about it is missing, wide that
	// what the server finds in all others is.
	file      File
	own, wide bool
}

// Limits of the debts to one session, and to all.
const (
	maxDebts      = 50
	maxDebtsOfAll = 1000
)

// owe notes what was left open by a check.
func (c *Collector) owe(req Request, since *Moment, reports []FileReport) {
	if req.Probe || req.Passing {
		return
	}
	for i, r := range reports {
		f := req.Files[i]
		for _, a := range r.Answers {
			if !a.unfinished {
				continue
			}
			one := f
			one.Sources = slices.DeleteFunc(slices.Clone(f.Sources), func(s Source) bool { return s.Key != Key{a.Server, a.Root} })
			c.addDebt(debt{session: req.Session, key: Key{a.Server, a.Root}, since: since, req: req, file: one, own: true, wide: req.OthersToo && !f.Closed && !f.Narrow})
		}
	}
}

// addDebt adds a debt; the oldest of too many are dropped. One about the same file and the same texts
// from before is the same.
func (c *Collector) addDebt(d debt) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.IndexFunc(c.debts, func(o debt) bool { return o.concerns(d) && o.since.worlds[d.key] == d.since.worlds[d.key] }); i >= 0 {
		c.debts[i].own, c.debts[i].wide = true, c.debts[i].wide || d.wide
		return
	}
	c.lastDebt++
	d.id = c.lastDebt
	isOfSession := func(o debt) bool { return o.session == d.session }
	own := 0
	for _, o := range c.debts {
		if isOfSession(o) {
			own++
		}
	}
	c.debts = append(c.debts, d)
	switch {
	case own == maxDebts:
		oldest := slices.IndexFunc(c.debts, isOfSession)
		c.debts = slices.Delete(c.debts, oldest, oldest+1)
	case len(c.debts) > maxDebtsOfAll:
		c.debts = c.debts[1:]
	}
}

// withOwed returns the files of a request and, after them, those that are owed to its session and that
// the request does not ask about, each with its debt.
func (c *Collector) withOwed(req Request) (files []File, debts []debt) {
	files = slices.Clip(req.Files)
	if req.Probe || req.Aside || req.NoBaseline {
		return files, nil
	}
	for _, d := range c.debtsTo(req.Session) {
		if !d.own || slices.ContainsFunc(req.Files, func(f File) bool { return f.Path == d.file.Path }) || slices.ContainsFunc(debts, d.concerns) {
			continue
		}
		f := d.file
		content, exists := c.presentText(d.key, f.Path)
		if !exists { // what its deletion broke is another question
			c.settled(d)
			continue
		}
		if f.Former == nil {
			f.Former = f.Content
		}
		f.Content, f.Narrow = content, true
		files, debts = append(files, f), append(debts, d)
	}
	return files, debts
}

func (c *Collector) debtsTo(session string) (debts []debt) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range c.debts {
		if d.session == session {
			debts = append(debts, d)
		}
	}
	return debts
}

// settled notes that a debt is paid.
func (c *Collector) settled(paid debt) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.debts = slices.DeleteFunc(c.debts, func(d debt) bool { return d.id == paid.id })
}

// paidInPart notes what is left of a debt.
func (c *Collector) paidInPart(paid debt) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.IndexFunc(c.debts, func(d debt) bool { return d.id == paid.id }); i >= 0 {
		c.debts[i].own, c.debts[i].wide = paid.own, paid.wide
	}
}

// concerns reports whether the debts are about the same file, to the same session.
func (d debt) concerns(other debt) bool {
	return d.session == other.session && d.key == other.key && d.file.Path == other.file.Path
}

// pay returns what has become known about earlier changes of a session since it was last told. asked
// are the reports on all files that were asked about, those of the request first.
func (c *Collector) pay(req Request, since *Moment, report *Report, asked []FileReport) (late []FileReport) {
	told := func(path string) []Diagnostic {
		all := c.told.to(req.Session)(path)
		for _, r := range slices.Concat(report.Files, report.Others) {
			if r.Path == path {
				all = append(all, r.New...)
			}
		}
		return all
	}
	for _, d := range c.debtsTo(req.Session) {
		d.since = d.since.Reread(c.Epoch())
		late = append(late, c.settle(&d, req, since, asked, told)...)
		if !d.own && !d.wide {
			c.settled(d)
		} else {
			c.paidInPart(d)
		}
	}
	return joined(late)
}

// settle returns what is now known about a debt, and leaves in it what is not. What has appeared only
// since the moment with which the request compares is not told late: it comes of the request's own
// change.
func (c *Collector) settle(d *debt, req Request, since *Moment, asked []FileReport, told func(path string) []Diagnostic) (reports []FileReport) {
	old, compared := since.all[d.key]
	untold := func(r FileReport) FileReport {
		known, _ := pair(r.New, told(r.Path))
		_, untold := sorted(r.New, known)
		r.New = filter(untold, func(f Diagnostic) bool { return req.Same || !compared || says(old[r.Path], f) })
		return r
	}
	if a, known := c.nowAnswered(d, asked); d.own && known {
		d.own = false
		f := d.file
		if f.Former == nil {
			f.Former = f.Content
		}
		f.Content, _ = c.presentText(d.key, f.Path)
		if a.prior = d.since.priorOf(d.key, f); a.quick {
			a.prior.items = a.prior.quick
		}
		isOwn := slices.ContainsFunc(asked[:len(req.Files)], func(r FileReport) bool { return r.Path == d.file.Path })
		if r := untold(judge(f, d.req, []Answer{a}, c.told.to(d.session))); a.Freshness == Fresh && (!isOwn || len(r.New) > 0) {
			reports = append(reports, r)
		}
	}
	all, known := c.stream(d.key).nowAll()
	if !d.wide || !known || !compared && !req.Same {
		return reports
	}
	d.wide = false
	for path := range all {
		if path == d.file.Path || slices.ContainsFunc(d.req.Files, func(f File) bool { return f.Path == path }) {
			continue
		}
		a := c.stream(d.key).answerAbout(path, all[path], d.since, false)
		if r := untold(judge(File{Path: path}, d.req, []Answer{a}, c.told.to(d.session))); r.Baseline != None && len(r.New) > 0 {
			reports = append(reports, r)
		}
	}
	return reports
}

// nowAnswered returns the server's answer about the file of a debt, with its present text: as it was
// just given, or as it was given for the same texts before.
func (c *Collector) nowAnswered(d *debt, asked []FileReport) (Answer, bool) {
	for _, r := range asked {
		for _, a := range r.Answers {
			if r.Path == d.file.Path && (Key{a.Server, a.Root}) == d.key && !a.unfinished {
				return a, true
			}
		}
	}
	was, known := c.stream(d.key).nowSaid(d.file.Path)
	a := Answer{Server: d.key.ID, Root: d.key.Root, Freshness: Fresh, Items: was.items}
	for _, source := range d.file.Sources {
		a.wording = source.Setup.wording()
		c.stream(d.key).excuse(source.Setup, d.file.Path, d.file.Lost, &a)
	}
	c.stream(d.key).admit(d.file.Path, &a)
	return a, known
}

// presentText returns the text that a server has of a file.
func (c *Collector) presentText(key Key, path string) (text []byte, exists bool) {
	if text, open := c.stream(key).shownText(path); open {
		return text, true
	}
	text, err := fspath.Read(path)
	return text, err == nil
}

// joined sorts reports by path and merges those on the same file.
func joined(reports []FileReport) (one []FileReport) {
	slices.SortStableFunc(reports, func(a, b FileReport) int { return compareText(a.Path, b.Path) })
	for _, r := range reports {
		last := len(one) - 1
		if last < 0 || one[last].Path != r.Path {
			one = append(one, r)
			continue
		}
		one[last].New = union(one[last].New, r.New)
		one[last].Diagnostics = union(one[last].Diagnostics, r.Diagnostics)
		one[last].Judgement = one[last].Judgement.And(r.Judgement)
		one[last].Verdict = one[last].Judgement.Verdict()
	}
	return one
}

// union returns the findings of both lists, without duplicates of the same message at the same
// range.
func union(a, b []Diagnostic) []Diagnostic {
	return append(slices.Clip(a), filter(b, func(d Diagnostic) bool {
		return !slices.ContainsFunc(a, func(o Diagnostic) bool { return o.Range == d.Range && o.Message == d.Message })
	})...)
}

// tookWide notes how long the server needed for all its files.
func (s *stream) tookWide(took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wideTook = took
}

// WideTime returns how long a server last took to report what a change did to all its files; 0 if
// it has not done that since it loaded them.
func (c *Collector) WideTime(key Key) time.Duration {
	s := c.stream(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wideTook
}
