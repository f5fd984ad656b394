package simulation

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/result"
)

// Limits of what is kept in memory.
const (
	// idleLimit is how long a session may be idle before it ends.
	idleLimit = time.Hour
	// maxSessions limits the sessions of one owner.
	maxSessions = 100
	// maxSize limits the text that one session keeps, in bytes.
	maxSize = 64 << 20
	// maxEnded limits how many ended sessions are remembered, so that errors can report how they
	// ended.
	maxEnded = 200
)

// A session is a list of edits in memory. Its fields are guarded by busy, those at the end by the
// mutex of the keeper.
type session struct {
	id, owner, label string
	busy             *call.Lock

	state string
	// plan has the changes of all edits, relative to each file as it was on disk when it was first
	// read.
	plan  *edit.Plan
	steps int

	// The keeper's mutex guards the fields below. users counts the calls that use the session or
	// wait for it; used is when the last of them started or finished.
	used  time.Time
	users int
	// shown is the description for list, without the changes.
	shown result.SimulationSession
}

func newSession(id, owner string, plan *edit.Plan) *session {
	return &session{id: id, owner: owner, plan: plan, state: result.SimulationCreated, busy: call.NewLock("another call was at work on the session")}
}

// A Keeper keeps the simulation sessions of all callers. It is safe for concurrent use.
type Keeper struct {
	now func() time.Time

	mu       sync.Mutex
	sessions []*session // in order of creation
	number   int
	ended    []ending // the most recently ended ones
}

// An ending records how a session ended.
type ending struct{ id, owner, how string }

// NewKeeper returns a Keeper without sessions. now is the clock that decides when idle sessions
// end.
func NewKeeper(now func() time.Time) *Keeper { return &Keeper{now: now} }

// EndSession drops an owner's simulations and the record of those that ended.
func (k *Keeper) EndSession(owner string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sessions = slices.DeleteFunc(k.sessions, func(s *session) bool { return s.owner == owner })
	k.ended = slices.DeleteFunc(k.ended, func(e ending) bool { return e.owner == owner })
}

// expireLocked drops the sessions that have been idle for idleLimit.
func (k *Keeper) expireLocked() {
	now := k.now()
	k.sessions = slices.DeleteFunc(k.sessions, func(s *session) bool {
		expired := s.users == 0 && now.Sub(s.used) >= idleLimit
		if expired {
			k.endedLocked(s, fmt.Sprintf("it ended because nobody used it for %d minutes", int(idleLimit.Minutes())))
		}
		return expired
	})
}

func (k *Keeper) endedLocked(s *session, how string) {
	k.ended = append(k.ended, ending{s.id, s.owner, how})
	if more := len(k.ended) - maxEnded; more > 0 {
		k.ended = slices.Delete(k.ended, 0, more)
	}
}

// create adds a session. It fails with a *TooManyError.
func (k *Keeper) create(owner, label string, plan *edit.Plan) (*session, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.expireLocked()
	if names := k.namesLocked(owner); len(names) >= maxSessions {
		return nil, &TooManyError{Limit: maxSessions}
	}
	k.number++
	s := newSession(fmt.Sprintf("s%d", k.number), owner, plan)
	s.label, s.used = label, k.now()
	s.shown = result.SimulationSession{Session: s.id, Label: label, Status: s.state}
	k.sessions = append(k.sessions, s)
	return s, nil
}

func (k *Keeper) namesLocked(owner string) (names []string) {
	for _, s := range k.sessions {
		if s.owner == owner {
			names = append(names, s.id)
		}
	}
	return names
}

// find returns a session of an owner, or fails with an *UnknownSessionError.
func (k *Keeper) find(owner, id string) (*session, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.expireLocked()
	for _, s := range k.sessions {
		if s.id == id && s.owner == owner {
			return s, nil
		}
	}
	unknown := &UnknownSessionError{Session: id, Known: k.namesLocked(owner)}
	for _, e := range k.ended {
		if e.id == id && e.owner == owner {
			unknown.How = e.how
		}
	}
	return nil, unknown
}

// use waits until no other call is using the session, and returns a function that ends the use. It
// fails if the session is destroyed or ctx ends first.
func (k *Keeper) use(ctx context.Context, s *session) (release func(), err error) {
	count := func(n int) {
		k.mu.Lock()
		defer k.mu.Unlock()
		s.users += n
		s.used = k.now()
		s.shown = result.SimulationSession{Session: s.id, Label: s.label, Status: s.shown.Status, Steps: s.shown.Steps}
	}
	count(1)
	if err := s.busy.Lock(ctx); err != nil {
		count(-1)
		return nil, err
	}
	release = func() {
		k.mu.Lock()
		s.shown.Status, s.shown.Steps = s.state, s.steps
		k.mu.Unlock()
		s.busy.Unlock()
		count(-1)
	}
	if s.state == result.SimulationDestroyed {
		release()
		_, err := k.find(s.owner, s.id)
		return nil, err
	}
	return release, nil
}

// remove drops a session that its caller destroyed.
func (k *Keeper) remove(s *session) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sessions = slices.DeleteFunc(k.sessions, func(other *session) bool { return other == s })
	k.endedLocked(s, "it was destroyed")
}

// list returns the sessions of an owner.
func (k *Keeper) list(owner string) (list []result.SimulationSession) {
	for _, held := range k.All() {
		if held.Owner == owner {
			list = append(list, held.SimulationSession)
		}
	}
	return list
}

// A Held is a simulation session, and whose it is.
type Held struct {
	Owner string
	result.SimulationSession
}

// All returns the simulation sessions of all owners, in order of creation.
func (k *Keeper) All() (list []Held) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.expireLocked()
	now := k.now()
	for _, s := range k.sessions {
		shown := s.shown
		if s.users == 0 {
			shown.IdleMS = now.Sub(s.used).Milliseconds()
		}
		list = append(list, Held{s.owner, shown})
	}
	return list
}
