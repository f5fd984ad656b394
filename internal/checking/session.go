package checking

import (
	"bytes"
	"compress/flate"
	"context"
	"fmt"
	"io"

	"github.com/lspine/lspine/internal/diagnostics"
)

// rounds counts the rounds of self-correction of one file: how many times in a row its errors were
// reported after edits, and which of these errors are still there.
type rounds struct {
	count  int
	errors map[string]bool // code and message, without quoted names
}

// A session is one conversation with a caller: what the caller was told, and what its answers are
// compared with. The mutex of memory guards the maps.
type session struct {
	name string
	// began is the commit at which the session began, "" if there was none.
	began string

	// rounds are the rounds of self-correction, by the caller's name for the file.
	rounds map[string]rounds
	// seen are the texts that files of a folder without version control had when the session first
	// asked about them, deflated; seenSize is their size together.
	seen     map[string][]byte
	seenSize int
	// start is what servers said when the session first asked, where there is no version control to tell
	// which texts files had then; nil before that.
	start *diagnostics.Moment
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
		began = m.workspace.Git().Commit(context.Background())
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
			name: name, began: began, rounds: make(map[string]rounds), seen: make(map[string][]byte), said: make(map[string]bool),
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

// maxSeen limits the deflated size in bytes of the texts that a session keeps.
const maxSeen = 16 << 20

// see keeps the text of a file for later checks of the session, if there is none yet.
func (ch *Checker) see(path string, text []byte) {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	s := ch.session
	if _, known := s.seen[path]; known || ch.once || s.seenSize >= maxSeen {
		return
	}
	s.seen[path] = deflated(text)
	s.seenSize += len(s.seen[path])
}

// firstSeen returns the text that a file had when the session first asked about it.
func (ch *Checker) firstSeen(path string) (text []byte, known bool) {
	ch.mu.Lock()
	kept, known := ch.session.seen[path]
	ch.mu.Unlock()
	if !known {
		return nil, false
	}
	return inflated(kept), true
}

// deflated returns a text in a form that takes less memory.
func deflated(text []byte) []byte {
	var small bytes.Buffer
	w, _ := flate.NewWriter(&small, flate.BestSpeed) // the level is valid
	_, _ = w.Write(text)                             // a buffer takes everything
	_ = w.Close()
	return bytes.Clone(small.Bytes())
}

// inflated returns a text that was deflated.
func inflated(small []byte) []byte {
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(small)))
	if err != nil {
		panic(fmt.Sprintf("a text in memory cannot be inflated: %v", err)) // nobody else has it
	}
	return text
}

// startOf returns the moment at which the session first asked, nil if this is the first time.
func (ch *Checker) startOf() *diagnostics.Moment {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	return ch.session.start
}

// noteStart notes what servers said before the changes of a check or, if these are not known, say now,
// if the session asks for the first time.
func (ch *Checker) noteStart(plan *checkPlan) {
	if ch.once || ch.startOf() != nil {
		return
	}
	now := plan.request.Since
	if !plan.before.byTexts {
		now = ch.collector.Now()
	}
	ch.mu.Lock()
	defer ch.mu.Unlock()
	if ch.session.start == nil {
		ch.session.start = now
	}
}
