package checking

import "context"

// A session is one conversation with a caller: what it was told, and what its answers are
// compared with. The mutex of memory guards the maps.
type session struct {
	name string
	// began is the commit at which it began, "" if there was none.
	began string

	// rounds of self-correction, by the caller's name of the file.
	rounds map[string]rounds
	// gone are the deleted files that a check has judged as such.
	gone map[string]bool
	// configured are the texts of files that configure others and that no server judges, as their
	// changes were last judged.
	configured map[string][]byte
	// imagined are files that were only ever texts that a caller gave.
	imagined map[string]bool
	// said are the notes that are given once in a session, and were.
	said map[string]bool
	// turn is the one that is open, nil if none is; turns counts those that began.
	turn  *turn
	turns int
}

// sessionNamed returns a session, which begins now if there is none of the name. One with a
// single call needs no commit that it began at: the present one is.
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

// begin returns a session, which began at a commit if there is none of the name.
func (m *memory) begin(name, began string) *session {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.sessions[name]
	if s == nil {
		s = &session{
			name: name, began: began, rounds: make(map[string]rounds), gone: make(map[string]bool),
			configured: make(map[string][]byte), imagined: make(map[string]bool), said: make(map[string]bool),
		}
		m.sessions[name] = s
	}
	return s
}

// BeginSession begins a session that compares files with a commit by default, and returns that
// commit. If began is "" it is the one that is checked out.
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
