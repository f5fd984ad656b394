package diagnostics

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A job is the collection of one file from one server. It belongs to the collector and goes on when
// the caller has stopped waiting.
type job struct {
	done   chan struct{} // closed when answer is set
	cancel context.CancelFunc
	past   bool     // the request's Probe
	gone   []string // the request's
	beside map[string][]byte
	// followed says that a later job asks the same server about the same file, or that the text was
	// recalled.
	followed atomic.Bool

	mu        sync.Mutex
	answer    Answer
	turn      *turn // a copy; nil until the content was sent
	sent      time.Time
	abandoned bool // nobody waits any more
	renewed   bool // the server ended meanwhile and is being restarted
}

// ask collects one file from one server, within the time-out, and longer if the request follows a
// server that is demonstrably working.
func (c *Collector) ask(ctx context.Context, req Request, f File, source Source, pass *ticket, start time.Time) Answer {
	limit := or(req.Timeout, c.opts.Timeout)
	if !c.stream(source.Key).isTouched() {
		limit = or(req.FirstTouch, c.opts.FirstTouch)
	}
	j := c.launch(req, f, source, pass, max(limit, req.Follow))
	if j == nil {
		pass.drop()
		return unavailable(source.Key, errEnded)
	}
	defer j.leave()
	left := limit - c.now().Sub(start)
	if req.Follow > 0 { // work done in the last pulse before the deadline counts
		left = max(0, left-pulse)
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	var seen activity
	for waiting := true; waiting; {
		select {
		case <-j.done:
			waiting = false
		case <-timer.C:
			now, waited := j.activity(c.stream(source.Key), &source), c.now().Sub(start)
			switch end := max(limit, req.Follow); {
			case waited < limit:
				timer.Reset(limit - waited)
			case waited < end && now.worksSince(seen):
				timer.Reset(min(pulse, end-waited))
			default:
				waiting = false
			}
			seen = now
		case <-req.until:
			waiting = false
		case <-ctx.Done():
			waiting = false
			if errors.Is(ctx.Err(), context.Canceled) {
				j.cancel()
				<-j.done
			}
		}
	}
	select {
	case <-j.done:
		return j.answer
	default:
		c.stream(source.Key).touch()
		return j.unfinished(c, source.Key)
	}
}

// leave notes that nobody waits for the job any longer.
func (j *job) leave() {
	j.mu.Lock()
	defer j.mu.Unlock()
	select {
	case <-j.done:
	default:
		j.abandoned = true
	}
}

// launch starts a job; it returns nil if the collector is closed.
func (c *Collector) launch(req Request, f File, source Source, pass *ticket, limit time.Duration) *job {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	ctx, cancel := context.WithTimeout(c.background, limit+c.opts.Patience)
	j := &job{done: make(chan struct{}), cancel: cancel, past: req.Probe, gone: req.Gone, beside: req.Beside}
	s := c.streams[source.Key]
	if s == nil {
		s = newStream(source.Key, c)
		c.streams[source.Key] = s
	}
	wide, first, began := req.OthersToo && !f.Closed && !f.Narrow, !s.isTouched(), c.now()
	over := c.queueLocked(j, subject{source.Key, f.Path})
	c.jobs.Go(func() {
		defer over()
		defer cancel()
		var answer Answer
		if err := guard.Do(func() error {
			answer = c.collect(ctx, j, f, source, pass, req.OthersToo && !f.Narrow)
			return nil
		}); err != nil {
			answer = unavailable(source.Key, err)
		}
		if wide && !first && answer.Freshness == Fresh {
			s.tookWide(c.now().Sub(began))
		}
		pass.drop() // in case it failed earlier
		c.stream(source.Key).touch()
		j.mu.Lock()
		defer j.mu.Unlock()
		j.answer = answer
		close(j.done)
	})
	return j
}

// collect shows the file's content to the server and waits for the answer. If the server crashes
// meanwhile, collect obtains it once more, if it may be restarted, so that one crash does not cost
// the answer.
func (c *Collector) collect(ctx context.Context, j *job, f File, source Source, pass *ticket, wide bool) Answer {
	note := ""
	for attempt := 1; ; attempt++ {
		server, err := source.Obtain(ctx)
		if err != nil {
			return unavailable(source.Key, err)
		}
		c.stream(source.Key).serve(server, source.Setup)
		t := turn{server: server, stream: c.stream(source.Key), path: f.Path, content: f.Content, wide: wide, ticket: pass, past: j.past, gone: j.gone}
		j.renew(false)
		if len(j.beside) > 0 && server.Definition().Has(registry.BesideNotified) {
			first := t
			c.show(ctx, j, &first, f) // it takes notice only once it has loaded the project
		}
		if err := server.ShowBeside(j.beside); err != nil {
			return crash(ctx, server, unavailable(source.Key, err))
		}
		a := c.show(ctx, j, &t, f)
		a = crash(ctx, server, a)
		var crashed *lsp.ServerError
		if attempt == 1 && errors.As(a.Err, &crashed) && ctx.Err() == nil && !t.isOverwritten() {
			note = fmt.Sprintf("%v; it was restarted", crashed.Err)
			j.renew(true)
			continue
		}
		if a.Err == nil {
			a.Note = note
		}
		if end := lsp.Doubtful(server.Definition(), f.Content); end != 0 && len(a.Items) > 0 {
			a.Note = cmp.Or(a.Note, fmt.Sprintf("the file has %s, and it is not known whether that ends a line for it: lines below may be wrong", protocol.EndName(end)))
		}
		a.Says = server.Complaints()
		return a
	}
}

// isOverwritten reports whether the server was shown another text of the file since: the one that was asked about is
// none that a new server may be shown.
func (t *turn) isOverwritten() bool {
	_, text, open := t.server.Document(t.path)
	return open && !bytes.Equal(text, t.content)
}

// renew notes whether the server is being restarted.
func (j *job) renew(is bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.renewed = is
}

// crash replaces the error of a message that could not be sent by the reason why the server ended,
// for which it waits.
func crash(ctx context.Context, server Server, a Answer) Answer {
	var ended *lsp.ServerError
	if !errors.Is(a.Err, jsonrpc.ErrClosed) || errors.As(a.Err, &ended) {
		return a
	}
	select {
	case <-server.Done():
		if err := server.Err(); err != nil {
			a.Err, a.Reason = err, err.Error()
		}
	case <-ctx.Done():
	}
	return a
}

// show sends one content and waits for the server's answer to it.
func (c *Collector) show(ctx context.Context, j *job, t *turn, f File) Answer {
	if _, _, open := t.server.Document(t.path); f.Closed && !f.Shown && !open && t.speaksUnopened() {
		a := c.unopened(ctx, j, t)
		var refused *jsonrpc.ResponseError
		if !errors.As(a.Err, &refused) {
			return a
		}
		// tsserver has no project until a document of it is open, so the file is opened.
		t.closedFile, t.shown = false, false
	}
	if _, _, open := t.server.Document(t.path); f.Everywhere && !open {
		if a, ok := c.fromWorkspace(ctx, j, t); ok {
			return a
		}
	}
	began, s := c.now(), t.stream
	a := Answer{Server: s.key.ID, Root: s.key.Root}
	if t.server.Definition().Diagnostics.NeedsSave && !onDisk(t.path, f.Content) {
		return failed(a, &unjudgedError{"it judges only what is saved on disk"})
	}
	if err := c.send(j, t, f); err != nil {
		return failed(a, err)
	}
	// A document that is opened with the text on disk changes nothing that the server reports about
	// others.
	t.ticket.arrive(t.synced.Changed && (!t.synced.Opened || !onDisk(t.path, f.Content)), t.synced.Generation)
	overtaken, err := t.ticket.pass(ctx)
	if err != nil {
		return failed(a, err)
	}
	t.passed(overtaken)
	t.enter()
	if !t.synced.Changed {
		if items, ok := s.standing(t); ok {
			a.Version, a.Items, a.Freshness = t.synced.Version, items, Fresh
			s.setupOf().handicapped(t.path, &a)
			return a
		}
	}
	j.note(t, c.now())
	release, err := c.renew(ctx, t)
	if err != nil {
		return failed(a, err)
	}
	defer release()
	j.note(t, c.now())
	a.Version = t.synced.Version
	items, freshness, err := t.finish(ctx)
	a.Version = t.synced.Version // the file may have been shown once more
	a.Waited = c.now().Sub(began)
	if why := t.server.Unable(t.path); err == nil && why != "" {
		_, _ = t.server.CloseDocument(t.path) // so that the server tries again when the file is opened next
		a = failed(a, &unjudgedError{why})
		a.Dispensable = t.server.Definition().Role != registry.Primary
		a.Lack.Next = s.setupOf().next(t.path)
		return a
	}
	if a.unloaded = cmp.Or(s.unloadedFor(t.path), headline(t.server.Trouble()), s.setupOf().apart(t.path, items)); a.unloaded != "" {
		a.Lack = Lack{Missing: a.unloaded, Next: s.setupOf().next(t.path)}
	}
	if err == nil && a.unloaded != "" {
		freshness, t.wanting, t.reason = Partial, true, a.unloaded
	}
	switch {
	case err != nil:
		a = failed(a, err)
		s.blameManifest(t, &a)
		if ctx.Err() != nil {
			a.Freshness, a.Reason = Timeout, "no answer in time"
		}
		if a.apart, a.quiet = t.apart, t.othersKnown; a.quiet {
			s.completeOthers(t)
		}
		return a
	case freshness == Fresh:
		a.Items = s.complete(t, items)
		a.left = t.left
	default:
		a.Items, a.quick, a.Reason = items, t.wanting, cmp.Or(t.reason, "the server did not say whether it is done")
		if t.doubtful {
			a.doubt(Lack{Missing: a.Reason}, t.server.Definition().Diagnostics.Disk.Sure)
		}
	}
	a.Freshness = freshness
	s.setupOf().handicapped(t.path, &a)
	return a
}

// finish waits until the server's answer for the turn is complete, and returns it. Fresh and
// Partial come without an error. Nothing counts that a server reports before it has loaded the
// project, or while it reloads it.
func (t *turn) finish(ctx context.Context) ([]protocol.Diagnostic, Freshness, error) {
	settled := t.server.Owes()
	defer func() { settled(ctx.Err() == nil) }()
	for {
		var err error
		if t.losses, err = t.ready(ctx); err != nil {
			return nil, "", err
		}
		t.apart, t.othersKnown = false, false
		items, freshness, err := t.byStrategy(ctx)
		if err == nil {
			items, freshness, err = t.onDisk(ctx, items, freshness)
		}
		if err == nil {
			items, freshness = t.listed(items, freshness)
		}
		stands := t.isReady() && t.server.Losses() == t.losses
		// What a server does not judge, it may once it has loaded the project again.
		var unjudged *unjudgedError
		if stands || err != nil && !errors.As(err, &unjudged) {
			return items, freshness, err
		}
	}
}

// byStrategy waits for the server's answer by its strategy.
func (t *turn) byStrategy(ctx context.Context) ([]protocol.Diagnostic, Freshness, error) {
	switch t.strategy() {
	case registry.Pull:
		return t.pull(ctx)
	case registry.DiagnosisCommand:
		return t.command(ctx)
	case registry.Progress:
		return t.progress(ctx)
	case registry.Barrier:
		return t.barrier(ctx)
	case registry.Versioned:
		return t.versioned(ctx)
	default:
		return t.settled(ctx)
	}
}

// enter notes in which world the server is asked.
func (t *turn) enter() { t.moves, t.world = t.server.Moves(), t.server.World() }

// passed takes into account what the server was told about the check's other files after the turn's
// own file was shown.
func (t *turn) passed(overtaken bool) {
	if t.ticket == nil {
		return
	}
	if !t.synced.Changed {
		t.synced.Generation = t.server.Generation()
		overtaken = overtaken || t.sending.generation != t.synced.Generation
	}
	t.shown = t.shown && !overtaken
}

// note keeps a copy of the turn for an answer at the deadline.
func (j *job) note(t *turn, now time.Time) {
	copied := *t
	j.mu.Lock()
	defer j.mu.Unlock()
	j.turn, j.sent = &copied, now
}

// stale reports whether an unchanged document must be closed and opened again for the server to
// check it again. That holds for servers that push and do so only when something is sent, and for a
// document whose includes changed, which the server must read first.
func (t *turn) stale() bool { return (!t.shown || t.redirected) && !t.rereads() }

// unfinished returns what is known at the deadline. If the server has reported nothing and is not
// loading, it notes that the server missed the deadline.
func (j *job) unfinished(c *Collector, key Key) Answer {
	j.mu.Lock()
	t, sent := j.turn, j.sent
	j.mu.Unlock()
	a := Answer{Server: key.ID, Root: key.Root, Freshness: Timeout, Reason: "no answer in time", unfinished: true}
	if t == nil {
		a.Freshness, a.Reason = Indexing, "still starting"
		return a
	}
	a.Version, a.Waited = t.synced.Version, c.now().Sub(sent)
	items, some, interim := t.soFar()
	switch title := t.stream.loading(); {
	case some:
		a.Freshness, a.Items = Partial, items
		// What the server reports before its check of the disk is compared with what it reported
		// before the last such check.
		disk := t.server.Definition().Diagnostics.Disk
		a.quick = interim && disk != nil && disk.Whole
		a.Reason = "the deadline came before the server said that it is done"
	case title != "":
		a.Freshness, a.Reason = Indexing, "still busy: "+title
	case !t.isReady():
		a.Freshness, a.Reason = Indexing, "still loading the project"
	default:
		t.server.Missed()
	}
	return a
}

func unavailable(key Key, err error) Answer {
	return failed(Answer{Server: key.ID, Root: key.Root}, err)
}

// failed returns the answer for an error.
func failed(a Answer, err error) Answer {
	a.Freshness, a.Err, a.Reason = Unavailable, err, err.Error()
	var unsupported *lsp.UnsupportedError
	if errors.As(err, &unsupported) {
		a.Reason = fmt.Sprintf("%s: it cannot diagnose", unsupported)
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		a.Freshness, a.Reason = Timeout, "no answer in time"
	}
	return a
}

func (s *stream) isTouched() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.touched
}

func (s *stream) touch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.touched = true
}

// headline returns the first line of a text, and also the next one for as long as a line ends in a
// colon.
func headline(text string) string {
	first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if strings.HasSuffix(first, ":") && rest != "" {
		return first + " " + headline(rest)
	}
	return first
}

func or(d, fallback time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return fallback
}
