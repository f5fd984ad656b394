package diagnostics

import (
	"slices"
	"time"

	"github.com/lspine/lspine/internal/protocol"
)

// A lateAnswer is what a server said of a change when nobody waited any more. It is kept
// with the baseline of that change, so that what the change broke is never listed under a
// later one.
type lateAnswer struct {
	key Key
	// reports are the file itself and, if the server was asked about others, those in
	// which the change made something new.
	reports []FileReport
}

// keepLate keeps an answer for the next check, unless the server was shown another text
// of the file meanwhile. If it was shown another text of any file, what it said of others
// is about both changes: the check of the later one says what is left of it. j.mu is held.
func (c *Collector) keepLate(j *job, req Request, f File, key Key, since *Moment) {
	s := c.stream(key)
	shows, version := s.shownNow(f.Path)
	a := j.answer
	if version > a.Version && !f.Closed {
		return
	}
	if a.prior, a.origin = since.priorOf(key, f), s.originOf(f); a.quick {
		a.prior.items = a.prior.quick
	}
	s.setupOf().excuse(f.Path, &a)
	late := lateAnswer{key: key, reports: []FileReport{judge(f, req, []Answer{a})}}
	if req.OthersToo && !f.Closed && !f.Narrow && shows == j.shows {
		whole := req
		whole.Files = []File{f}
		for _, other := range c.others(whole, since, map[Key]bool{key: true}) {
			if len(other.New) > 0 && other.Baseline != None {
				late.reports = append(late.reports, other)
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	const most = 50
	if c.late = append(c.late, late); len(c.late) > most {
		c.late = c.late[1:]
	}
}

// takeLate returns, once, what came late, as far as it still holds: what a later change
// mended is left out, and so are the files that this request asks about itself.
func (c *Collector) takeLate(req Request) []FileReport {
	c.mu.Lock()
	taken := c.late
	c.late = nil
	c.mu.Unlock()
	var reports []FileReport
	for _, late := range taken {
		s := c.stream(late.key)
		for _, r := range late.reports {
			if slices.ContainsFunc(req.Files, func(f File) bool { return f.Path == r.Path }) {
				continue
			}
			held := len(r.New)
			r.New = filter(r.New, func(d Diagnostic) bool { return s.stillSays(r.Path, d) })
			r.Diagnostics = filter(r.Diagnostics, func(d Diagnostic) bool { return s.stillSays(r.Path, d) })
			if held > 0 && len(r.New) == 0 {
				continue // it was mended
			}
			reports = append(reports, r)
		}
	}
	slices.SortStableFunc(reports, func(a, b FileReport) int { return compareText(a.Path, b.Path) })
	return slices.CompactFunc(reports, func(a, b FileReport) bool { return a.Path == b.Path })
}

// stillSays reports whether a finding is among what the server says of a file now,
// wherever it stands.
func (s *stream) stillSays(path string, d Diagnostic) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[path]
	return f != nil && slices.ContainsFunc(f.items, func(now protocol.Diagnostic) bool {
		return now.Message == d.Message && now.Code == d.Code
	})
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

// WideTime returns how long a server last needed to say what a change did to all its
// files, 0 if it has not done so since it was loaded.
func (c *Collector) WideTime(key Key) time.Duration {
	s := c.stream(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wideTook
}

// Reports reports whether a server has said what is wrong with all its files, and nothing
// changed since but by checks of this collector.
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

// shownNow returns how many texts the server was shown, and the last version of a file.
func (s *stream) shownNow(path string) (shows int, version int32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.files[path]; f != nil {
		version = f.sent.version
	}
	return s.shows, version
}
