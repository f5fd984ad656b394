package daemon

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/lspine/lspine/internal/api"
)

// A session belongs to one client, and is the [api.Caller] of its calls.
type session struct {
	daemon *server
	id     int
	since  time.Time

	// The daemon's mu guards the fields below. calls counts the calls in progress; named has the
	// names of the engine's sessions that the client used.
	name, version string
	calls, total  int
	named         map[string]bool
	kept          *kept // nil if the session ends with the client
}

// A kept session outlives its clients, which refer to it by name.
type kept struct {
	name    string
	clients int
	named   map[string]bool // as in session
}

// maxKept limits the sessions that are kept while they have no client.
const maxKept = 64

// keep attaches a client to a kept session. It returns the names of the engine's sessions that must
// end because there are too many.
func (s *session) keep(name string) (ended map[string]bool) {
	d := s.daemon
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.kept, func(k *kept) bool { return k.name == name })
	k := &kept{name: name, named: make(map[string]bool)}
	if i >= 0 {
		k = d.kept[i]
		d.kept = slices.Delete(d.kept, i, i+1)
	}
	d.kept = append(d.kept, k)
	k.clients++
	s.kept = k
	if len(d.kept) > maxKept {
		if i := slices.IndexFunc(d.kept, func(k *kept) bool { return k.clients == 0 }); i >= 0 {
			ended = d.kept[i].named
			d.kept = slices.Delete(d.kept, i, i+1)
		}
	}
	return ended
}

// Call implements [api.Caller]. State of the caller's session belongs to the client's connection.
func (s *session) Call(ctx context.Context, name string, req, res any) error {
	call := api.CallOf(ctx)
	call.Session = s.begin(call.Session)
	defer s.done()
	defer s.daemon.resting.after()
	return s.daemon.opts.Engine.Call(call.In(ctx), name, req, res)
}

// useLocked returns the engine's name for a client's session, and records its use.
func (s *session) useLocked(name string) string {
	name, named := s.namesLocked(name)
	named[name] = true
	return name
}

// namesLocked returns the engine's name for a client's session, and the names that end with that client.
func (s *session) namesLocked(name string) (inEngine string, named map[string]bool) {
	if s.kept != nil {
		return "kept " + s.kept.name + "/" + name, s.kept.named
	}
	return strconv.Itoa(s.id) + "/" + name, s.named
}

// endNamed answers endMethod.
func (s *session) endNamed(_ context.Context, params json.RawMessage) (any, error) {
	var of ending
	if err := json.Unmarshal(params, &of); err != nil {
		return nil, err
	}
	s.daemon.mu.Lock()
	name, named := s.namesLocked(of.Session)
	known := named[name]
	delete(named, name)
	s.daemon.mu.Unlock()
	if known {
		s.daemon.opts.Engine.EndSession(name)
	}
	return struct{}{}, nil
}

// begin records the start of a call, and returns the engine's name of its session.
func (s *session) begin(name string) string {
	s.daemon.mu.Lock()
	defer s.daemon.mu.Unlock()
	s.calls++
	s.total++
	return s.useLocked(name)
}

// done records that a call was answered.
func (s *session) done() {
	s.daemon.mu.Lock()
	defer s.daemon.mu.Unlock()
	s.calls--
}

// end ends the client's sessions in the engine.
func (s *session) end() {
	s.daemon.mu.Lock()
	named := s.named
	s.named = make(map[string]bool)
	if s.kept != nil {
		s.kept.clients--
	}
	s.daemon.mu.Unlock()
	s.daemon.endSessions(named)
}

func (d *server) endSessions(named map[string]bool) {
	for name := range named {
		d.opts.Engine.EndSession(name)
	}
}

func (s *session) hello(_ context.Context, params json.RawMessage) (any, error) {
	var h hello
	if err := json.Unmarshal(params, &h); err != nil {
		return nil, err
	}
	if h.Session != "" {
		s.daemon.endSessions(s.keep(h.Session))
	}
	s.daemon.mu.Lock()
	s.name, s.version = h.Name, h.Version
	name := s.useLocked("")
	s.daemon.mu.Unlock()
	w := welcome{Version: s.daemon.opts.Version, PID: os.Getpid()}
	if !h.Once && h.Version == w.Version {
		w.Began = s.daemon.opts.Engine.BeginSession(name, h.Began)
	}
	return w, nil
}

// drain answers drainMethod. The client holds the lock of the place.
func (s *session) drain(ctx context.Context, _ json.RawMessage) (any, error) {
	s.daemon.log.Info("makes room", "for", cmp.Or(s.version, "another"))
	s.daemon.drain(ctx, true)
	return struct{}{}, nil
}

func (s *session) stop(ctx context.Context, _ json.RawMessage) (any, error) {
	s.daemon.log.Info("stopped by a client")
	s.daemon.drain(ctx, true)
	s.daemon.end()
	return struct{}{}, nil
}

// status answers statusMethod.
func (s *session) status(context.Context, json.RawMessage) (any, error) {
	d := s.daemon
	d.mu.Lock()
	defer d.mu.Unlock()
	status := Status{
		Record:   Record{PID: os.Getpid(), Version: d.opts.Version, Root: d.opts.Engine.Root(), Started: d.since, Ready: d.ready, Socket: d.place.socket},
		IdleMS:   d.opts.Idle.Milliseconds(),
		Draining: d.draining,
		Sessions: []Session{},
	}
	for id := 1; id <= d.last; id++ {
		if other := d.sessions[id]; other != nil && other != s && other.version != "" { // a client that only asks for the status does not count
			status.Sessions = append(status.Sessions, Session{other.name, other.since, other.calls, other.total})
		}
	}
	return status, nil
}

// Status is what a daemon reports about itself.
type Status struct {
	Record
	// IdleMS is how long the daemon stays without a client, in milliseconds.
	IdleMS   int64     `json:"idle_ms"`
	Draining bool      `json:"draining,omitempty"`
	Sessions []Session `json:"sessions"`
}

// A Session is a connected client, as the status lists it.
type Session struct {
	Name  string    `json:"name"`
	Since time.Time `json:"since"`
	// Calls is the number of calls in progress, Total that of all calls so far.
	Calls int `json:"calls"`
	Total int `json:"total"`
}
