package checking

import "context"

// A session is one conversation with a caller: what the caller was told, and what its answers are
// compared with. The mutex of memory guards the maps.
type session struct {
	name string
	// began is the commit at which the session began, "" if there was none.
	began string

	// rounds are the rounds of self-correction, by the caller's name for the file.
	rounds map[string]rounds
	// gone are the deleted files whose deletion a check has judged completely.
	gone map[string]bool
	// absent are the files that changes of the session took away, until they are judged again: a
	// file that comes back is new, even if it is as it was in the commit.
	absent map[string]bool
	// configured are the last judged texts of files that configure others. They are used for files
	// that no server judges.
	configured map[string][]byte
	// imagined are files that never existed on disk, only as a text given by a caller.
	imagined map[string]bool
	// said are the notes that are given once in a session and have been given.
	said map[string]bool
	// turn is the open one, nil if there is none; turns counts those that began.
	turn  *turn
	turns int
}

// sessionNamed returns the session of a name, and begins one if there is none. A session with a
// single call (once) needs no commit at which it began: HEAD serves as that.
func (m *memory) sessionNamed(name string, once bool) *session {
	m.mu.Lock()
	s := m.sessions[name]
	m.mu.Unlock()
	if s != nil {
		return s
	}
	began := ""
	if !once {
		began = m.workspace.Commit(context.Background())
	}
	return m.begin(name, began)
}

// begin returns the session of a name; if there is none, it creates one that began at a commit.
func (m *memory) begin(name, began string) *session {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.sessions[name]
	if s == nil {
		s = &session{
			name: name, began: began, rounds: make(map[string]rounds), gone: make(map[string]bool), absent: make(map[string]bool),
			configured: make(map[string][]byte), imagined: make(map[string]bool), said: make(map[string]bool),
		}
		m.sessions[name] = s
	}
	return s
}

// BeginSession begins a session that compares files with a commit by default, and returns that
// commit. If began is "", it is the commit that is checked out.
func (ch *Checker) BeginSession(name, began string) string {
	if began == "" {
		return ch.sessionNamed(name, false).began
	}
	s := ch.begin(name, began)
	ch.mu.Lock()
	defer ch.mu.Unlock()
	s.began = began
	return began
}

// EndSession forgets what belongs to a session. An unknown name is ignored.
func (ch *Checker) EndSession(name string) {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	delete(ch.sessions, name)
}
