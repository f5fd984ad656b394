package diagnostics

import (
	"maps"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/protocol"
)

// A lateAnswer is what a server reported about a change when nobody waited for it any longer. It is
// kept with the baseline of that change, so that what the change broke is never attributed to a
// later one.
type lateAnswer struct {
	session string // whose change it is
	key     Key
	report  FileReport
}

// keepLate keeps an answer for the next check, unless the server was shown another text of the file
// meanwhile. j.mu is held.
func (c *Collector) keepLate(j *job, req Request, f File, key Key, since *Moment) {
	s := c.stream(key)
	a := j.answer
	if s.shownVersion(f.Path) > a.Version && !f.Closed {
		return
	}
	if a.prior, a.origin = since.priorOf(key, f), s.originOf(req.Session, f); a.quick {
		a.prior.items = a.prior.quick
	}
	s.excuse(s.setupOf(), f.Path, &a)
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

// What a change did to other files is owed until the server has reported all of it: [stream.owed]
// is what it had reported about all files before the session's first change whose effect is still
// owed. Whatever has appeared since comes from that change or a later one. If it had already
// appeared when a check began, it comes from a change before that check.

// keepOthers keeps for the next check what a server owed about other files and has reported now
// that nobody waits. It must be called only if the server has been told nothing since.
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

// tellOwed returns what servers had already reported about earlier changes when this check began,
// provided that they have finished reporting on this one, so that it is known to be still true. It
// also notes what is owed after this check.
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

// cameSince returns the files with findings that were not there when the owed changes began, that
// nobody was told about, and that the server still reports.
func (c *Collector) cameSince(req Request, s *stream, owed, items map[string][]protocol.Diagnostic) (came []FileReport) {
	if owed == nil {
		return nil
	}
	for path := range items {
		a := Answer{
			Server: s.key.ID, Root: s.key.Root, Freshness: Fresh, Items: items[path], unloaded: s.unloadedFor(path),
			prior: prior{known: true, items: owed[path]}, origin: s.originOf(req.Session, File{Path: path}),
		}
		s.excuse(s.setupOf(), path, &a)
		r := judge(File{Path: path}, Request{Severities: req.Severities}, []Answer{a})
		r.New = filter(r.New, func(d Diagnostic) bool { return s.stillSays(path, d) && !s.wasTold(req.Session, path, d) })
		if len(r.New) > 0 {
			came = append(came, r)
		}
	}
	return came
}

// takeLate returns, once, the late answers about changes of the session, as far as they still hold.
// It leaves out findings that a later change has fixed, files that this request checks for their
// own sake, and what it reports about others anyway.
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
	fixed := make([][]Diagnostic, len(taken))
	for i, l := range taken {
		s, r := c.stream(l.key), l.report
		held := r.New
		r.New = filter(r.New, func(d Diagnostic) bool { return s.stillSays(r.Path, d) })
		r.Diagnostics = filter(r.Diagnostics, func(d Diagnostic) bool { return s.stillSays(r.Path, d) })
		if len(held) == 0 || len(r.New) > 0 { // otherwise everything was fixed
			late = append(late, r)
		}
		fixed[i] = filter(held, func(d Diagnostic) bool { return !s.stillSays(r.Path, d) })
	}
	c.noteTold(req.Session, report.Files)
	c.noteTold(req.Session, report.Others)
	late = append(late, c.tellOwed(req, since, settledBy(report.Files, req.Files))...)
	for i, l := range taken {
		c.stream(l.key).untold(req.Session, l.report.Path, fixed[i])
	}
	late = slices.DeleteFunc(late, func(r FileReport) bool {
		return slices.ContainsFunc(req.Files, func(f File) bool { return f.Path == r.Path && !isUser(f) })
	})
	c.noteTold(req.Session, late)
	return joined(late)
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

// noteTold notes what a session is told about files: new findings, and which of those told before
// are gone.
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

// wasTold reports whether a finding is among those that a session was last told about a file.
func (s *stream) wasTold(session, path string, d Diagnostic) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[path]
	return f != nil && says(f.told[session], d)
}

// owe notes what a server had reported when it last owed nothing, unless it already owes the
// session something.
func (s *stream) owe(session string, known map[string][]protocol.Diagnostic) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owed[session] == nil && known != nil {
		s.owed[session] = known
	}
}

// untold removes findings that a session was never told about, because they were fixed first, from
// what was known before the changes owed to it: if they return, they are new again.
func (s *stream) untold(session, path string, fixed []Diagnostic) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(fixed) == 0 || s.owed[session] == nil {
		return
	}
	owed := maps.Clone(s.owed[session])
	s.owed[session] = owed
	owed[path] = slices.DeleteFunc(slices.Clone(owed[path]), func(o protocol.Diagnostic) bool {
		return slices.ContainsFunc(fixed, func(d Diagnostic) bool { return d.Message == o.Message && d.Code == o.Code })
	})
}

// standingOf returns those of earlier findings that the server still reports.
func (s *stream) standingOf(old map[string][]protocol.Diagnostic) map[string][]protocol.Diagnostic {
	stands := make(map[string][]protocol.Diagnostic, len(old))
	for path, items := range old {
		stands[path] = slices.DeleteFunc(slices.Clone(items), func(d protocol.Diagnostic) bool {
			return !s.stillSays(path, Diagnostic{Diagnostic: d})
		})
	}
	return stands
}

// takeOwed returns what a session is owed, nil if nothing is, and replaces it by next.
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

// stillSays reports whether the server still reports a finding for a file, at any place.
func (s *stream) stillSays(path string, d Diagnostic) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[path]
	return f != nil && says(f.items, d)
}

// isUser reports whether a file is checked because of a change of others, by a server that reports
// nothing about it without being asked.
func isUser(f File) bool { return f.Closed && !f.Reported }

// beginDue and endDue track the answers that a server owes about files: until it has given one,
// what it reported about the file before is not what is wrong before the next change. An answer
// settles what was owed when it was asked for. For a server that reports on all files, what it owes
// is tracked by [stream.owe] instead.
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

// beginWide and endWide track the collections that also ask about other files.
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

// WideTime returns how long a server last took to report what a change did to all its files; 0 if
// it has not done that since it loaded them.
func (c *Collector) WideTime(key Key) time.Duration {
	s := c.stream(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wideTook
}

// Reports reports whether a server has reported what is wrong with all its files, and nothing has
// changed since except by checks of this collector.
func (c *Collector) Reports(key Key) bool {
	now, s := c.disturbed(), c.stream(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wide && s.wideDisturbed == now && s.sureLocked()
}

// isSure reports whether the server has reported what every change did to other files.
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
