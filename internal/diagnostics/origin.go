package diagnostics

import (
	"bytes"
	"maps"
	"slices"
)

// A finding is older if it was there before the session began. What an earlier change of the
// session broke, and nothing has fixed since, remains. So the collector keeps for each file what
// was wrong with it at the beginning: its origin.

// Each session has its own origins.

// origins are, by path, what was wrong with files before a session changed anything; a file has
// none before the first answer about it.
type origins struct {
	of map[string]origin
	// founded says that there has been an answer: what appears later appeared during the session.
	founded bool
}

// An origin is what was wrong with a file when a session began.
type origin struct {
	prior
	// assumed says that the session had not asked about the file itself: what other sessions were
	// told about it is used until this one asks.
	assumed bool
}

// noteOrigins records the origin of files about which something is known for the first time. After
// a probe, which shows the state before a change, everything that is wrong is older than the
// session. After an ordinary answer it is not, because the answer listed it as new. But what a
// server publishes about files that nobody asked about is older if it arrives with the very first
// answer, and so is what only other sessions were told. If it arrives with a later answer about
// changes that affect no other file, it may only be late, and the next answer reports it.
func (c *Collector) noteOrigins(req Request) {
	asked, narrow := make(map[string]bool, len(req.Files)), true
	for _, f := range req.Files {
		asked[f.Path] = true
		narrow = narrow && (f.Narrow || f.Closed)
	}
	for _, s := range c.allStreams() {
		s.noteOrigins(req.Session, req.Probe, narrow, asked)
	}
}

func (s *stream) noteOrigins(session string, probe, narrow bool, asked map[string]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.origins[session]
	if own == nil {
		own = &origins{of: make(map[string]origin)}
		s.origins[session] = own
	}
	for path, f := range s.files {
		if before, noted := own.of[path]; noted && !(before.assumed && asked[path]) || len(f.items) == 0 && !f.last.known {
			continue
		}
		if narrow && !probe && own.founded && !asked[path] && !f.last.known {
			continue
		}
		o := origin{prior: prior{known: true}, assumed: session != "" && !asked[path]}
		older := probe || !own.founded && (!f.last.known || o.assumed)
		if older && len(f.items) > 0 { // otherwise the text is not needed
			o.text, o.items = f.last.text, f.items
		}
		own.of[path] = o
	}
	own.founded = own.founded || s.touched
}

// takeOrigins takes over the origins from the server's previous process.
func (s *stream) takeOrigins(former *stream) {
	taken := make(map[string]*origins)
	former.mu.Lock()
	for session, own := range former.origins {
		taken[session] = &origins{maps.Clone(own.of), own.founded}
	}
	former.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.origins = taken
}

// originOf returns the origin of a file for a session, or that of its former path if it was
// renamed.
func (s *stream) originOf(session string, f File) prior {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, path := range []string{f.From, f.Path} {
		if origin, noted := s.originLocked(session, path); noted {
			return origin
		}
	}
	return prior{}
}

func (s *stream) originLocked(session, path string) (_ prior, noted bool) {
	own := s.origins[session]
	if own == nil {
		return prior{}, false
	}
	o, noted := own.of[path]
	return o.prior, noted
}

// standing returns those of the remaining findings that are not part of the origin.
func standing(content []byte, answers []Answer, remaining []Diagnostic) []Diagnostic {
	if len(remaining) == 0 {
		return nil
	}
	origins := make([]Answer, 0, len(answers))
	for _, a := range answers {
		if a.origin.known {
			a.prior = a.origin
			origins = append(origins, a)
		}
	}
	if len(origins) == 0 {
		return nil
	}
	later, _, _ := compare(content, origins, remaining, nil)
	return later
}

// noteHeard notes that a session has received a complete answer about this text of a file.
func (c *Collector) noteHeard(session string, f File) {
	if session == "" {
		return
	}
	for _, source := range f.Sources {
		s := c.stream(source.Key)
		s.mu.Lock()
		if state := s.files[f.Path]; state != nil && state.last.known && state.last.text != nil && bytes.Equal(state.last.text, f.Content) {
			if state.heard == nil {
				state.heard = make(map[string][]byte)
			}
			state.heard[session] = state.last.text
		}
		s.mu.Unlock()
	}
}

// lastTextLocked returns the text for which a session last received a complete answer. The unnamed
// session is the only one of its process, so all answers are its own.
func (f *fileState) lastTextLocked(session string) (text []byte, known bool) {
	if session != "" {
		text, known = f.heard[session]
		return text, known
	}
	return f.last.text, f.last.known && f.last.text != nil
}

// LastText returns the text of a file that a server last judged completely for a session; known is
// false if none did. standing says that no server has judged another text since for anybody.
func (c *Collector) LastText(session, path string, sources []Source) (text []byte, standing, known bool) {
	for _, source := range sources {
		s := c.stream(source.Key)
		s.mu.Lock()
		state := s.files[path]
		if state != nil {
			text, known = state.lastTextLocked(session)
			standing = known && state.last.known && bytes.Equal(text, state.last.text)
		}
		s.mu.Unlock()
		if known {
			return text, standing, true
		}
	}
	return nil, false, false
}

// Judged returns the files that some server judged completely for a session, each with the text
// that was judged last for it.
func (c *Collector) Judged(session string) map[string][]byte {
	judged := make(map[string][]byte)
	for _, s := range c.allStreams() {
		s.mu.Lock()
		for path, f := range s.files {
			if text, known := f.lastTextLocked(session); known {
				judged[path] = text
			}
		}
		s.mu.Unlock()
	}
	return judged
}

// Came returns, sorted, the files with findings that were not there when the session began. For a
// named session it returns only files that the session has an answer about.
func (c *Collector) Came(session string) []string {
	came := make(map[string]bool)
	for _, s := range c.allStreams() {
		s.mu.Lock()
		for path, f := range s.files {
			_, heard := f.heard[session]
			if !s.ended && s.cameLocked(session, path, f) && (session == "" || heard || len(f.told[session]) > 0) {
				came[path] = true
			}
		}
		s.mu.Unlock()
	}
	return slices.Sorted(maps.Keys(came))
}

// EndSession forgets what belongs to a session. An unknown session is ignored.
func (c *Collector) EndSession(session string) {
	c.mu.Lock()
	c.late = slices.DeleteFunc(c.late, func(l lateAnswer) bool { return l.session == session })
	c.mu.Unlock()
	for _, s := range c.allStreams() {
		s.mu.Lock()
		delete(s.owed, session)
		delete(s.origins, session)
		for _, f := range s.files {
			delete(f.told, session)
			delete(f.heard, session)
		}
		s.mu.Unlock()
	}
}
