package workspace

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A start is one start under way, shared by all who wait for it.
type start struct {
	done   chan struct{} // closed when server and err are set
	server *lsp.Server
	err    error
}

// restartDelay is how long after its nth crash a server is started again.
func restartDelay(crashes int) time.Duration {
	return 100 * time.Millisecond << min(crashes, 6)
}

// Server returns the running server of a candidate, started if need be; one
// start is shared by all who ask for it. When ctx ends the start goes on. A
// server that may not start is an *UnavailableError, a failed start a
// *lsp.ServerError.
func (w *Workspace) Server(ctx context.Context, c roots.Candidate) (*lsp.Server, error) {
	s, err := w.begin(ctx, c)
	if err != nil {
		return nil, err
	}
	i := w.instance(c.Key())
	for again := true; ; again = false {
		if !again {
			if s, err = i.obtain(c); err != nil {
				return nil, err
			}
		}
		select {
		case <-s.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if s.err != nil {
			return nil, s.err
		}
		if s.server.Connected() || !again {
			if told, err := i.spread(s.server); err != nil || !told {
				return s.server, err
			}
			return s.server, s.server.AwaitFolders(ctx)
		}
		select { // it is ending, and the next one starts only then
		case <-s.server.Done():
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// begin returns the start of the server of a candidate: the present one, or a new one.
func (w *Workspace) begin(ctx context.Context, c roots.Candidate) (*start, error) {
	if c.Unavailable != nil {
		return nil, c.Unavailable
	}
	Note(ctx, c.Key())
	i := w.instance(c.Key())
	if err := w.enrol(ctx, i, &c); err != nil {
		return nil, err
	}
	return i.obtain(c)
}

// obtain returns the present server as a finished start, or the start under
// way, which it begins if there is none.
func (i *instance) obtain(c roots.Candidate) (*start, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.obtained = i.workspace.opts.Now()
	i.peer = c.Definition.Connect != ""
	if i.state == roots.Active {
		select {
		case <-i.server.Done():
			i.lost = i.server.Texts()
			i.endedLocked(i.server.Err())
		default:
			return finished(i.server, nil), nil
		}
	}
	if i.start != nil {
		return i.start, nil
	}
	if i.refused > 0 && i.workspace.opts.Now().Before(i.notBefore) {
		return finished(nil, i.err), nil // nobody waits for somebody who has just not been there
	}
	if i.state == roots.Broken {
		return nil, &roots.UnavailableError{ID: i.key.ID, State: roots.Broken, Reason: fmt.Sprintf("it failed %d times and is not started again: %v", i.crashes, i.err), Install: nil}
	}
	w := i.workspace
	if w.opts.MayStart != nil {
		if err := w.opts.MayStart(i.key.ID); err != nil {
			return nil, err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, errClosed
	}
	i.start = &start{done: make(chan struct{})}
	i.state = roots.Starting
	i.starts++
	begun, delay := i.start, i.notBefore.Sub(w.opts.Now())
	folders := slices.Clone(i.shared.folders)
	w.starts.Go(func() { i.run(c, folders, begun, delay) })
	return begun, nil
}

// finished returns a start that is over.
func finished(server *lsp.Server, err error) *start {
	done := make(chan struct{})
	close(done)
	return &start{done: done, server: server, err: err}
}

// run performs a start. It belongs to the workspace, not to a request.
func (i *instance) run(c roots.Candidate, folders []string, begun *start, delay time.Duration) {
	w := i.workspace
	ctx, cancel := context.WithCancel(w.background) // who starts is given up by the server itself
	defer cancel()
	var server *lsp.Server
	err := guard.Do(func() (err error) {
		server, err = launch(ctx, w, c, folders, delay)
		return err
	})
	defer w.relieve(i) // when the lock is free
	i.mu.Lock()
	defer i.mu.Unlock()
	i.start = nil
	if err != nil {
		if i.peer {
			i.refused++
		}
		i.endedLocked(err)
	} else {
		i.state, i.server, i.err = roots.Active, server, nil
		i.refused, i.away = 0, false
		i.reopenLocked()
		kind := Started
		if i.crashes > 0 {
			kind = Recovered
		}
		w.events.add(w.opts.Now(), kind, i.key, "")
		if w.opts.Idle > 0 {
			i.idle = time.AfterFunc(w.opts.Idle, func() { _ = guard.Do(func() error { i.stopIdle(server); return nil }) })
		}
		w.ends.Go(func() { // what ended by itself is known at once
			<-server.Done()
			i.active()
		})
		w.ends.Go(func() { w.events.tellReady(w.opts.Now, i.key, server) })
	}
	begun.server, begun.err = server, err
	close(begun.done)
}

func launch(ctx context.Context, w *Workspace, c roots.Candidate, folders []string, delay time.Duration) (*lsp.Server, error) {
	if delay > 0 {
		timer := time.NewTimer(delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	server, err := w.launchAs(ctx, c, folders)
	if err != nil || !c.Definition.Configured.Command {
		return server, err
	}
	program, known := registry.Builtin().ByAnswer(server.Tells()...)
	if !known || program.ID == c.Definition.Runs() {
		return server, nil
	}
	// It is another program than its command says: it must be told other things at its start.
	ctx2, cancel := context.WithTimeout(ctx, anewGrace)
	defer cancel()
	_ = server.Close(ctx2)
	c.Definition = w.Became(c.Definition, program)
	return w.launchAs(ctx, c, folders)
}

// launchAs starts a server by its definition.
func (w *Workspace) launchAs(ctx context.Context, c roots.Candidate, folders []string) (*lsp.Server, error) {
	filled, err := w.fillIn(c)
	if err != nil {
		return nil, err
	}
	var observer lsp.Observer
	if w.opts.Observe != nil {
		observer = w.opts.Observe(c.Key())
	}
	w.noteInputs(&c)
	read := guard.Begin(func() struct{} { w.readIncluders(&c.Definition); return struct{}{} })
	server, err := w.startFilled(ctx, c, folders, filled, observer)
	read()
	if err != nil {
		filled.release()
		return nil, err
	}
	w.ends.Go(func() {
		<-server.Done()
		filled.release()
	})
	server.Meet(w.unshown(&c.Definition))
	w.indexInclusions(server)
	return server, nil
}

// startFilled starts a server, or connects to it, with workspace folders; none for the one
// that it is named by.
func (w *Workspace) startFilled(ctx context.Context, c roots.Candidate, folders []string, filled filling, observer lsp.Observer) (*lsp.Server, error) {
	opts := lsp.Options{
		Settings: w.SettingsOf(&c.Definition),
		Binary:   c.Binary, Args: filled.args, Env: slices.Concat(w.Finder.Environ(), filled.env), ClientVersion: w.opts.ClientVersion, Folders: folders, Observer: observer, Still: w.opts.Still, StartTimeout: w.opts.StartTimeout, Began: w.instance(c.Key()).began,
		Exchanged: w.opts.Exchanged, Trace: w.opts.Trace, Crosses: w.Crosses,
	}
	w.follow(&c.Definition)
	judged := append([]string{c.Key().Root}, folders...)
	var err error
	if c.Definition, err = w.Prepared(c, judged); err != nil {
		return nil, err
	}
	if c.Definition.Has(registry.PlacesByFirst) {
		slices.Sort(judged)
		opts.First = project.JavaPlaces(slices.Compact(judged))
	}
	if c.Definition.Connect != "" {
		return lsp.Dial(ctx, c.Definition, c.Key().Root, opts)
	}
	return lsp.Start(ctx, c.Definition, c.Key().Root, opts)
}

func (i *instance) began(cpu func() (time.Duration, bool)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.cpu = cpu
}

// StartTime returns the processor time that servers which are being started have used so
// far, of one key or, for the zero key, of all.
func (w *Workspace) StartTime(key roots.Key) (used time.Duration) {
	w.mu.Lock()
	var instances []*instance
	for _, i := range w.instances {
		if key == (roots.Key{}) || key == i.key {
			instances = append(instances, i)
		}
	}
	w.mu.Unlock()
	for _, i := range instances {
		i.mu.Lock()
		cpu, starting := i.cpu, i.start != nil
		i.mu.Unlock()
		if starting && cpu != nil {
			time, _ := cpu()
			used += time
		}
	}
	return used
}

// endedLocked applies the crash policy after a failed start or an unexpected
// end. A peer is never given up: whoever needs it next connects again, unless that has just
// failed. That it is still away is no event.
func (i *instance) endedLocked(err error) {
	now := i.workspace.opts.Now()
	i.server, i.err = nil, err
	i.crashes++
	i.state = roots.Stopped
	kind, delay := Crashed, restartDelay(i.crashes)
	switch {
	case i.peer:
		delay = restartDelay(i.refused)
	case i.crashes > i.workspace.opts.MaxRestarts:
		i.state, kind = roots.Broken, GivenUp
	}
	reason := "it ended"
	if err != nil {
		reason = err.Error()
	}
	if !i.away {
		i.workspace.events.add(now, kind, i.key, reason)
	}
	i.away = i.peer
	i.notBefore = now.Add(delay)
}

// active returns the server if it runs.
func (i *instance) active() *lsp.Server {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.state != roots.Active {
		return nil
	}
	select {
	case <-i.server.Done():
		i.lost = i.server.Texts()
		i.endedLocked(i.server.Err())
		return nil
	default:
		return i.server
	}
}

// maxReopened bounds the documents that a server gets back although they are as on disk:
// each costs it time, and those that are needed are opened again anyway.
const maxReopened = 10

// reopenLocked shows a server that was restarted what the one before it had open: each
// text that is not on disk, because others are judged by it, and those used last.
func (i *instance) reopenLocked() {
	kept := 0
	for _, text := range i.lost {
		content, err := fspath.Read(text.Path)
		if saved := err == nil && bytes.Equal(protocol.Text(content), text.Content); saved {
			if kept++; kept > maxReopened {
				continue
			}
		}
		_, _ = i.server.Sync(text.Path, text.Content) // if it ended again, that is seen
	}
	i.lost = nil
}

// NotReopened keeps a server that is started again after it ended from being shown the texts that
// it had of these files: they were shown for a while only.
func (w *Workspace) NotReopened(paths []string) {
	w.mu.Lock()
	instances := slices.Collect(maps.Values(w.instances))
	w.mu.Unlock()
	for _, i := range instances {
		i.active() // notices its end
		i.mu.Lock()
		i.lost = slices.DeleteFunc(i.lost, func(t lsp.Text) bool { return slices.Contains(paths, t.Path) })
		i.mu.Unlock()
	}
}

func (i *instance) stop(ctx context.Context) {
	i.mu.Lock()
	server := i.server
	i.server, i.state, i.lost = nil, roots.Stopped, nil
	if i.idle != nil {
		i.idle.Stop()
	}
	i.mu.Unlock()
	if server != nil {
		_ = server.Close(ctx)
	}
}

// stopIdle stops a server that nobody wanted for long enough, or waits on.
func (i *instance) stopIdle(server *lsp.Server) {
	w := i.workspace
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.state != roots.Active || i.server != server {
		return
	}
	if rest := w.opts.Idle - w.opts.Now().Sub(i.obtained); rest > 0 {
		i.idle.Reset(rest)
		return
	}
	i.restLocked("nobody asked it for " + w.opts.Idle.String())
}

// A Status is what there is to tell of one server of the workspace.
type Status struct {
	ID, Root string
	// Folders are the roots that one process judges, where it is told of them.
	Folders []string
	// Left are roots that depend on one of those, and were too many.
	Left  []string
	State roots.State
	// Reason says why it does not run, or why it ended last.
	Reason  string
	Install []string
	// Binary is what is started, "" if there is none or somebody else starts it.
	Binary  string
	Starts  int
	Crashes int
	// Info and Works are of an active server.
	Info  lsp.Info
	Works []lsp.Work
	// Encoding is what it counts columns in.
	Encoding protocol.Encoding
}

// Statuses returns one status per instance, and one per known server that has
// none, in the order of the table and then of the roots.
func (w *Workspace) Statuses() []Status {
	w.mu.Lock()
	byID := make(map[string][]*instance)
	for _, i := range w.instances {
		byID[i.key.ID] = append(byID[i.key.ID], i)
	}
	w.mu.Unlock()
	var statuses []Status
	for _, d := range w.opts.Servers {
		instances := byID[d.ID]
		if len(instances) == 0 {
			statuses = append(statuses, w.idle(d))
			continue
		}
		sortByRoot(instances)
		for _, i := range instances {
			s := i.status()
			if d.Connect == "" {
				s.Binary, _, _ = w.Program(d)
			}
			statuses = append(statuses, s)
		}
	}
	return statuses
}

func (i *instance) status() Status {
	server := i.active()
	i.mu.Lock()
	s := Status{
		ID: i.key.ID, Root: i.key.Root, Folders: slices.Clone(i.shared.folders), Left: slices.Clone(i.shared.left), State: i.state, Starts: i.starts, Crashes: i.crashes,
	}
	if i.err != nil {
		s.Reason = i.err.Error()
	}
	i.mu.Unlock()
	if server != nil {
		s.Info, s.Works = server.Info(), server.Works()
		s.Encoding = s.Info.Encoding
	}
	return s
}
