package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// Work is a progress that a server has begun and not ended.
type Work struct {
	Title, Message string
	Percentage     int // -1 if unknown
	order          int
}

// progress keeps the works of a server that are under way.
type progress struct {
	mu     sync.Mutex
	begun  int
	open   map[string]Work // by token
	titles map[string]int  // of all that ever began, and how often
	before map[string]int  // titles when the last project was new
	loaded bool            // the server is ready
	// logs is how often the server said in its log that it has loaded a folder, folders
	// how many it was told of.
	logs, folders int
	losses        int // how often it was ready and no longer is
	// trouble is why its diagnostics cannot be trusted, or "".
	trouble string
	// changed is closed and replaced when open changes.
	changed chan struct{}
	checks  checks
}

// Bounds of what is kept of a server's progress: how many works are under way, how many titles they ever had, and how long the
// texts of one event are, in bytes.
const (
	maxWorks  = 10_000
	maxTitles = 10_000
	maxEvent  = 64 << 10
)

// hasRoom reports whether an event is within the bounds. One that is not is no event.
func (p *progress) hasRoom(e protocol.ProgressEvent) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(e.Token)+len(e.Title)+len(e.Message) > maxEvent {
		return false
	}
	_, isOpen := p.open[e.Token]
	_, isKnown := p.titles[e.Title]
	return e.Kind != "begin" || (isOpen || len(p.open) < maxWorks) && (isKnown || len(p.titles) < maxTitles)
}

func (p *progress) note(e protocol.ProgressEvent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e.Kind {
	case "begin":
		p.begun++
		p.titles[e.Title]++
		p.open[e.Token] = Work{Title: e.Title, Message: e.Message, Percentage: e.Percentage, order: p.begun}
	case "report":
		work, ok := p.open[e.Token]
		if !ok {
			return
		}
		if e.Message != "" {
			work.Message = e.Message
		}
		if e.Percentage >= 0 {
			work.Percentage = e.Percentage
		}
		p.open[e.Token] = work
	case "end":
		if _, ok := p.open[e.Token]; !ok {
			return
		}
		delete(p.open, e.Token)
	default:
		return
	}
	close(p.changed)
	p.changed = make(chan struct{})
}

// WorksChanged returns a channel that is closed at the next change of what [Server.Works],
// [Server.Begins] and [Server.Loaded] return. To miss no change, take the channel before calling
// those. The end of the server is not a change.
func (s *Server) WorksChanged() <-chan struct{} {
	s.progress.mu.Lock()
	defer s.progress.mu.Unlock()
	return s.progress.changed
}

// Works returns what the server says it is doing, in the order of the begins.
func (s *Server) Works() []Work {
	s.progress.mu.Lock()
	defer s.progress.mu.Unlock()
	works := make([]Work, 0, len(s.progress.open))
	for _, work := range s.progress.open {
		works = append(works, work)
	}
	slices.SortFunc(works, func(a, b Work) int { return cmp.Compare(a.order, b.order) })
	return works
}

// Begins returns how often each piece of work began, by its title. The caller may change the map.
func (s *Server) Begins() map[string]int {
	s.progress.mu.Lock()
	defer s.progress.mu.Unlock()
	return maps.Clone(s.progress.titles)
}

// BegunSince returns how often each piece of work began since the last project was added, by its
// title. The caller may change the map.
func (s *Server) BegunSince() map[string]int {
	s.progress.mu.Lock()
	defer s.progress.mu.Unlock()
	since := make(map[string]int)
	for title, begins := range s.progress.titles {
		since[title] = begins - s.progress.before[title]
	}
	return since
}

// logged notes what the server writes to our log, if it says that it has loaded
// the project.
func (s *Server) logged(params json.RawMessage) {
	var w struct {
		Type    int    `json:"type"`
		Message string `json:"message"`
	}
	if json.Unmarshal(params, &w) != nil {
		return
	}
	s.loggedError(w.Type, w.Message)
	s.diskList.logged(w.Message)
	if s.loadedLog == nil || !s.loadedLog.MatchString(w.Message) {
		return
	}
	s.progress.mu.Lock()
	defer s.progress.mu.Unlock()
	s.progress.logs++
	close(s.progress.changed)
	s.progress.changed = make(chan struct{})
}

// status notes what a notification of the server says of its readiness, if it
// speaks of that.
func (s *Server) status(method string, params json.RawMessage) {
	r := s.def.Readiness
	if r == nil || method != r.Method {
		return
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(params, &members) != nil {
		s.drop(1)
		return
	}
	s.words.health(members)
	ready := string(members[r.Member]) == r.Value
	s.progress.mu.Lock()
	defer s.progress.mu.Unlock()
	p := &s.progress
	if p.loaded && !ready && !r.Lasts {
		p.losses++
	}
	p.loaded = ready || p.loaded && r.Lasts
	if trouble := troubleOf(r, members["message"]); trouble != "" || !r.Lasts {
		p.trouble = trouble
	}
	close(p.changed)
	p.changed = make(chan struct{})
}

// troubleOf returns what a message says of trouble: from the words on that name
// it, to the end of the paragraph.
func troubleOf(r *registry.Readiness, quoted json.RawMessage) string {
	var message string
	if r.Trouble == "" || json.Unmarshal(quoted, &message) != nil {
		return ""
	}
	pattern, err := regexp.Compile(r.Trouble)
	if err != nil { // a test compiles those of the table
		return ""
	}
	at := pattern.FindStringIndex(message)
	if at == nil {
		return ""
	}
	said, _, _ := strings.Cut(message[at[0]:], "\n\n")
	return said
}

// Loaded reports whether the server said that it knows the files of the project;
// one that says nothing of the kind has.
func (s *Server) Loaded() bool {
	s.progress.mu.Lock()
	defer s.progress.mu.Unlock()
	switch {
	case s.def.Readiness != nil:
		return s.progress.loaded
	case s.def.LoadedLog != "":
		return s.progress.logs >= s.progress.folders
	}
	return true
}

// TellsLoaded reports whether the server says when it knows the files of the project.
func (s *Server) TellsLoaded() bool { return s.def.Readiness != nil || s.def.LoadedLog != "" }

// await notes that the server was told of more folders.
func (p *progress) await(folders int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.folders += folders
}

// renew notes that a project is new.
func (p *progress) renew() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.before = maps.Clone(p.titles)
}

// Losses returns how often the server was ready and then ceased to be.
func (s *Server) Losses() int {
	s.progress.mu.Lock()
	defer s.progress.mu.Unlock()
	return s.progress.losses
}

// Trouble returns why the diagnostics of the server cannot be trusted in its present state, in
// its own words; "" if they can.
func (s *Server) Trouble() string {
	s.progress.mu.Lock()
	defer s.progress.mu.Unlock()
	return s.progress.trouble
}

// loadingKept bounds how long a server is awaited that may have been told to log nothing.
const loadingKept = 5 * time.Second

// awaitLoaded waits until the server says that it has loaded, but not for long.
func (s *Server) awaitLoaded(ctx context.Context) error {
	bounded, cancel := context.WithTimeout(ctx, loadingKept)
	defer cancel()
	for {
		changed := s.WorksChanged()
		if s.Loaded() {
			return nil
		}
		select {
		case <-changed:
		case <-s.conn.Done():
			return jsonrpc.ErrClosed
		case <-bounded.Done():
			return ctx.Err()
		}
	}
}
