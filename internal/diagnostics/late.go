package diagnostics

import (
	"maps"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/protocol"
)

// A lateAnswer is what a server said of a change when nobody waited any more. It is kept
// with the baseline of that change, so that what the change broke is never listed under a
// later one.
type lateAnswer struct {
	session string // whose change it is
	key     Key
	report  FileReport
}

// keepLate keeps an answer for the next check, unless the server was shown another text
// of the file meanwhile. j.mu is held.
func (c *Collector) keepLate(j *job, req Request, f File, key Key, since *Moment) {
	s := c.stream(key)
	a := j.answer
	if s.shownVersion(f.Path) > a.Version && !f.Closed {
		return
	}
	if a.prior, a.origin = since.priorOf(key, f), s.originOf(req.Session, f); a.quick {
		a.prior.items = a.prior.quick
	}
	s.setupOf().excuse(f.Path, &a)
	c.addLate(lateAnswer{req.Session, key, judge(f, req, []Answer{a})})
}

func (c *Collector) addLate(late lateAnswer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	const most, mostOfAll = 50, 1000
	isOfSession := func(l lateAnswer) bool { return l.session == late.session }
	own := 0
	for _, l := range c.late {
		if isOfSession(l) {
			own++
		}
	}
	c.late = append(c.late, late)
	switch {
	case own == most:
		oldest := slices.IndexFunc(c.late, isOfSession)
		c.late = slices.Delete(c.late, oldest, oldest+1)
	case len(c.late) > mostOfAll:
		c.late = c.late[1:]
	}
}

// What a change did to other files is owed as long as the server has not said all of it:
// [stream.owed] is what it had said of all files before the first change of a session that
// it owes that session. What has come since then is of that change or of a later one, but for sure of one
// before the check that tells it, if it had come when that check began.

// keepOthers keeps for the next check what a server owed of other files, and has said now
// that nobody waits: as long as it was told nothing else since.
func (c *Collector) keepOthers(req Request, key Key) {
	s := c.stream(key)
	owed := s.takeOwed(req.Session, nil)
	if owed == nil {
		return
	}
	for _, r := range c.cameSince(req, s, owed, s.known(req.Session, 0, nil)) {
		c.addLate(lateAnswer{req.Session, key, r})
	}
}

// tellOwed returns what servers had come to say of earlier changes before this check
// began, if they have said now what this one did, so that it is known to be true still;
// and notes what is owed after it.
func (c *Collector) tellOwed(req Request, since *Moment, settled map[Key]bool) (late []FileReport) {
	for _, s := range c.allStreams() {
		whole, involved := settled[s.key]
		old, asked := since.files[s.key]
		switch {
		case !involved || !asked || !req.OthersToo:
		case !whole:
			s.owe(req.Session, old)
		case since.unsure[s.key]:
			late = append(late, c.cameSince(req, s, s.takeOwed(req.Session, s.standingOf(old)), old)...)
		default:
			late = append(late, c.cameSince(req, s, s.takeOwed(req.Session, nil), old)...)
		}
	}
	return late
}

// cameSince returns the files with findings that were not owed from the beginning, that
// nobody was told of, and that the server says still.
func (c *Collector) cameSince(req Request, s *stream, owed, items map[string][]protocol.Diagnostic) (came []FileReport) {
	if owed == nil {
		return nil
	}
	for path := range items {
		a := Answer{
			Server: s.key.ID, Root: s.key.Root, Freshness: Fresh, Items: items[path], unloaded: s.unloadedFor(path),
			prior: prior{known: true, items: owed[path]}, origin: s.originOf(req.Session, File{Path: path}),
		}
		s.setupOf().excuse(path, &a)
		r := judge(File{Path: path}, Request{Severities: req.Severities}, []Answer{a})
		r.New = filter(r.New, func(d Diagnostic) bool { return s.stillSays(path, d) && !s.wasTold(req.Session, path, d) })
		if len(r.New) > 0 {
			came = append(came, r)
		}
	}
	return came
}

// takeLate returns, once, what came late of changes of the session that asks, as far as it
// still holds: what a later change mended is left out, and so are the files that this
// request asks about for their own sake, and what it tells of others.
func (c *Collector) takeLate(req Request, since *Moment, report *Report) []FileReport {
	c.mu.Lock()
	var taken []lateAnswer
	c.late = slices.DeleteFunc(c.late, func(l lateAnswer) bool {
		own := l.session == req.Session
		if own {
			taken = append(taken, l)
		}
		return own
	})
	c.mu.Unlock()
	var late []FileReport
	mended := make([][]Diagnostic, len(taken))
	for i, l := range taken {
		s, r := c.stream(l.key), l.report
		held := r.New
		r.New = filter(r.New, func(d Diagnostic) bool { return s.stillSays(r.Path, d) })
		r.Diagnostics = filter(r.Diagnostics, func(d Diagnostic) bool { return s.stillSays(r.Path, d) })
		if len(held) == 0 || len(r.New) > 0 { // else it was mended
			late = append(late, r)
		}
		mended[i] = filter(held, func(d Diagnostic) bool { return !s.stillSays(r.Path, d) })
	}
	c.noteTold(req.Session, report.Files)
	c.noteTold(req.Session, report.Others)
	late = append(late, c.tellOwed(req, since, settledBy(report.Files, req.Files))...)
	for i, l := range taken {
		c.stream(l.key).untold(req.Session, l.report.Path, mended[i])
	}
	late = slices.DeleteFunc(late, func(r FileReport) bool {
		return slices.ContainsFunc(req.Files, func(f File) bool { return f.Path == r.Path && !isUser(f) })
	})
	c.noteTold(req.Session, late)
	return joined(late)
}

// joined sorts reports by path and makes one of those of the same file.
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

// union returns the findings of both lists, those that say the same at the same place once.
func union(a, b []Diagnostic) []Diagnostic {
	return append(slices.Clip(a), filter(b, func(d Diagnostic) bool {
		return !slices.ContainsFunc(a, func(o Diagnostic) bool { return o.Range == d.Range && o.Message == d.Message })
	})...)
}

// noteTold notes what the reader of a session is told of files: what is new, and what is
// gone of what was told before.
func (c *Collector) noteTold(session string, reports []FileReport) {
	for _, r := range reports {
		for _, a := range r.Answers {
			if a.Freshness == Fresh && r.Baseline != None {
				c.stream(Key{a.Server, a.Root}).noteTold(session, r)
			}
		}
	}
}

func (s *stream) noteTold(session string, r FileReport) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[r.Path]
	if f == nil {
		return
	}
	var told []protocol.Diagnostic
	for _, d := range r.Diagnostics {
		if says(f.told[session], d) || slices.ContainsFunc(r.New, func(n Diagnostic) bool { return n.Range == d.Range && n.Message == d.Message }) {
			told = append(told, d.Diagnostic)
		}
	}
	if len(told) == 0 {
		delete(f.told, session)
		return
	}
	if f.told == nil {
		f.told = make(map[string][]protocol.Diagnostic)
	}
	f.told[session] = told
}

// wasTold reports whether a finding is among what a session was last told of a file.
func (s *stream) wasTold(session, path string, d Diagnostic) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[path]
	return f != nil && says(f.told[session], d)
}

// owe notes what a server had said when it was sure for the last time, unless it owes
// the session something already.
func (s *stream) owe(session string, known map[string][]protocol.Diagnostic) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owed[session] == nil && known != nil {
		s.owed[session] = known
	}
}

// untold takes findings that a session was not told of, because they were mended first, out
// of what is known from before the changes that it is owed: they would be new again.
func (s *stream) untold(session, path string, mended []Diagnostic) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(mended) == 0 || s.owed[session] == nil {
		return
	}
	owed := maps.Clone(s.owed[session])
	s.owed[session] = owed
	owed[path] = slices.DeleteFunc(slices.Clone(owed[path]), func(o protocol.Diagnostic) bool {
		return slices.ContainsFunc(mended, func(d Diagnostic) bool { return d.Message == o.Message && d.Code == o.Code })
	})
}

// standingOf returns what of earlier findings the server says still.
func (s *stream) standingOf(old map[string][]protocol.Diagnostic) map[string][]protocol.Diagnostic {
	stands := make(map[string][]protocol.Diagnostic, len(old))
	for path, items := range old {
		stands[path] = slices.DeleteFunc(slices.Clone(items), func(d protocol.Diagnostic) bool {
			return !s.stillSays(path, Diagnostic{Diagnostic: d})
		})
	}
	return stands
}

// takeOwed returns what a session is owed, nil if nothing is, and notes what it is owed from
// now on.
func (s *stream) takeOwed(session string, next map[string][]protocol.Diagnostic) (owed map[string][]protocol.Diagnostic) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if owed = s.owed[session]; next == nil {
		delete(s.owed, session)
	} else {
		s.owed[session] = next
	}
	return owed
}

func says(items []protocol.Diagnostic, d Diagnostic) bool {
	return slices.ContainsFunc(items, func(now protocol.Diagnostic) bool {
		return now.Message == d.Message && now.Code == d.Code
	})
}

// stillSays reports whether a finding is among what the server says of a file now,
// wherever it stands.
func (s *stream) stillSays(path string, d Diagnostic) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[path]
	return f != nil && says(f.items, d)
}

// isUser reports whether a file is asked about because of a change of others, by a server that says
// nothing of it unasked.
func isUser(f File) bool { return f.Closed && !f.Reported }

// beginDue and endDue note the answers that a server owes about files: until it has given one, what
// it said of the file before is not what is wrong before the next change. An answer settles what
// was owed when it was asked for. Of a server that reports on all files what it owes is known
// otherwise; see [stream.owe].
func (s *stream) beginDue(j *job, req Request, f File) (due *job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !req.Probe && (isUser(f) || !s.publishesAll) {
		s.fileLocked(f.Path).due = j
	}
	if state := s.files[f.Path]; state != nil {
		return state.due
	}
	return nil
}

func (s *stream) endDue(path string, due *job, freshness Freshness) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.files[path]; freshness != Timeout && freshness != Indexing && f != nil && f.due == due {
		f.due = nil
	}
}

// beginWide and endWide note the collections that also ask about other files.
func (s *stream) beginWide(wide bool) {
	if !wide {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wideJobs++
}

func (s *stream) endWide(wide, complete bool) {
	if !wide {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wideJobs--
	s.wideLost = !complete
}

// tookWide notes how long the server needed for all its files.
func (s *stream) tookWide(took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wideTook = took
}

// WideTime returns how long a server last took to say what a change did to all its files; 0 if it
// has not done that since it loaded them.
func (c *Collector) WideTime(key Key) time.Duration {
	s := c.stream(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wideTook
}

// Reports reports whether a server has said what is wrong with all its files, and nothing has
// changed since except by checks of this collector.
func (c *Collector) Reports(key Key) bool {
	now, s := c.disturbed(), c.stream(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wide && s.wideDisturbed == now && s.sureLocked()
}

// isSure reports whether the server has said what every change did to other files.
func (s *stream) isSure() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sureLocked()
}

func (s *stream) sureLocked() bool { return s.wideJobs == 0 && !s.wideLost }

// shownVersion returns the last version of a file that the server was shown.
func (s *stream) shownVersion(path string) int32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.files[path]; f != nil {
		return f.sent.version
	}
	return 0
}
