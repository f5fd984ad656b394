package diagnostics

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
)

// Options configure a Collector. Zero values mean the defaults, given in parentheses.
type Options struct {
	// Timeout limits the wait for a server that has answered before (3 s), FirstTouch for one that
	// has not (10 s).
	Timeout, FirstTouch time.Duration
	// Patience limits how long a collection goes on after the deadline of its check, so that its
	// result is available for the next answer (30 s).
	Patience time.Duration
	// MaxLent limits the documents per server that stay open although they were opened only because
	// of other files (100).
	MaxLent int
	// MaxTexts limits the size in bytes of the texts, with what was last reported about them, that
	// are kept per server (4 MiB).
	MaxTexts int
}

// A Collector collects diagnostics from the servers of one workspace and keeps what it learns. It
// is safe for concurrent use. The caller must Close it.
type Collector struct {
	opts       Options
	background context.Context
	cancel     context.CancelFunc
	jobs       sync.WaitGroup
	epochs     *epochs

	mu      sync.Mutex
	closed  bool
	streams map[Key]*stream
	tallies map[Key]*tally
	queues  map[subject]*queue
	late    []lateAnswer // answers that came after their deadline and have not been reported yet
	// disturbances counts the changes made by others.
	disturbances uint64
}

// New returns a collector that knows nothing.
func New(opts Options) *Collector {
	if opts.Timeout == 0 {
		opts.Timeout = 3 * time.Second
	}
	if opts.FirstTouch == 0 {
		opts.FirstTouch = 10 * time.Second
	}
	if opts.Patience == 0 {
		opts.Patience = 30 * time.Second
	}
	if opts.MaxLent == 0 {
		opts.MaxLent = 100
	}
	if opts.MaxTexts == 0 {
		opts.MaxTexts = 4 << 20
	}
	c := &Collector{
		opts: opts, epochs: newEpochs(), streams: make(map[Key]*stream), tallies: make(map[Key]*tally),
		queues: make(map[subject]*queue),
	}
	c.background, c.cancel = context.WithCancel(context.Background())
	return c
}

// Close ends the collections under way and waits for them to return.
func (c *Collector) Close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.cancel()
	c.jobs.Wait()
}

// Observe returns the observer for a server that is about to start. What an earlier server with the
// same key reported is forgotten.
func (c *Collector) Observe(key Key) lsp.Observer {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := newStream(key, c)
	if former := c.streams[key]; former != nil {
		s.takeOrigins(former)
	}
	c.streams[key] = s
	return s
}

// stream returns the stream for a key, which it creates if need be.
func (c *Collector) stream(key Key) *stream {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.streams[key]
	if s == nil {
		s = newStream(key, c)
		c.streams[key] = s
	}
	return s
}

func (c *Collector) allStreams() []*stream {
	c.mu.Lock()
	defer c.mu.Unlock()
	streams := make([]*stream, 0, len(c.streams))
	for _, s := range c.streams {
		streams = append(streams, s)
	}
	slices.SortFunc(streams, func(a, b *stream) int { return compareKeys(a.key, b.key) })
	return streams
}

func (c *Collector) now() time.Time { return time.Now() }

// Forget drops what is known about files that no longer exist.
func (c *Collector) Forget(paths ...string) {
	for _, s := range c.allStreams() {
		for _, path := range paths {
			s.forget(path)
		}
	}
}

// Check shows the files to their servers and returns what these report, under one deadline for all.
// It returns early with ctx.Err() only if ctx is cancelled; if ctx reaches its deadline, that is
// treated like a time-out of the request.
func (c *Collector) Check(ctx context.Context, req Request) (Report, error) {
	since := req.Since
	if since == nil {
		since = c.Now()
	}
	c.epochs.next()
	start := c.now()
	reports, gates := make([]FileReport, len(req.Files)), gates(req.Files)
	inParallel(len(req.Files), func(i int) {
		reports[i] = c.checkFile(ctx, req, req.Files[i], gates, since, start)
		if req.Answered != nil {
			req.Answered()
		}
	})
	c.giveBack(req.Files)
	if errors.Is(ctx.Err(), context.Canceled) {
		return Report{}, ctx.Err()
	}
	report := Report{Files: reports}
	if req.OthersToo {
		report.Others = c.others(req, since, settledBy(reports, req.Files))
	}
	if !req.Probe && !req.Aside {
		report.Late = c.takeLate(req, since, &report)
	}
	c.noteOrigins(req)
	report.Epoch = c.Epoch()
	return report, nil
}

// checkFile asks every server that applies, in parallel, and judges their answers.
func (c *Collector) checkFile(ctx context.Context, req Request, f File, gates map[Key]*gate, since *Moment, start time.Time) FileReport {
	answers := make([]Answer, len(f.Sources))
	inParallel(len(f.Sources), func(i int) {
		answers[i] = c.ask(ctx, req, f, f.Sources[i], gates[f.Sources[i].Key].ticket(), since, start)
		c.count(f.Sources[i].Key, &answers[i])
	})
	for i, source := range f.Sources {
		answers[i].prior = since.priorOf(source.Key, f)
		if answers[i].quick {
			answers[i].prior.items = answers[i].prior.quick
		}
		answers[i].origin = c.stream(source.Key).originOf(req.Session, f)
		answers[i].hush(source.Quiet)
		answers[i].shadow(c.stream(source.Key).hidden())
		c.stream(source.Key).excuse(source.Setup, f.Path, &answers[i])
		source.Setup.confine(req.Apart, f, &answers[i])
		source.Setup.explain(f.Path, &answers[i])
	}
	c.noteHeard(req.Session, f)
	answers = append(answers, f.Failures...)
	return judge(f, req, answers)
}

// inParallel calls do with 0 to n-1 and returns when all calls have returned. The last call runs on
// the caller's goroutine: usually there is only one, and each switch of goroutines on the way to a
// server costs as much as some answers do.
func inParallel(n int, do func(i int)) {
	if n == 0 {
		return
	}
	var others guard.Group
	defer others.Wait()
	for i := range n - 1 {
		others.Go(func() { do(i) })
	}
	do(n - 1)
}

// A Moment is what was known at some point in time. Later findings can be compared with it.
type Moment struct {
	epoch uint64
	// files are what the servers had reported, by path; a server that was never asked anything has
	// no entry. priors are what they had reported completely.
	files  map[Key]map[string][]protocol.Diagnostic
	priors map[Key]map[string]prior
	// streams are those of the servers that were known.
	streams map[Key]*stream
	// imagined says that files were shown at that time that are no longer on disk; real is what
	// was known before that.
	imagined bool
	real     *Moment
	// unsure are the servers that had not finished reporting what an earlier change did to other
	// files: what they report about these later may come from that change.
	unsure map[Key]bool
	// forgotten are the servers of which nothing is known of that moment; see [Moment.Forget].
	forgotten map[Key]bool
}

// Now returns the present moment, with which later findings can be compared; see Request.Since.
func (c *Collector) Now() *Moment {
	m := &Moment{
		epoch: c.Epoch(),
		files: make(map[Key]map[string][]protocol.Diagnostic), priors: make(map[Key]map[string]prior), streams: make(map[Key]*stream), unsure: make(map[Key]bool),
	}
	for _, s := range c.allStreams() {
		m.streams[s.key], m.unsure[s.key] = s, !s.isSure()
		if s.isTouched() {
			m.files[s.key] = s.known("", 0, nil)
		}
		m.priors[s.key] = s.priors()
	}
	return m
}

// Imagined notes that files were shown at that moment that are no longer on disk: what was wrong
// then is not known for sure, unless the same was wrong at an earlier moment without such files.
func (m *Moment) Imagined(before *Moment) { m.imagined, m.real = true, before }

// priorOf returns what a server had reported about a file.
func (m *Moment) priorOf(key Key, f File) prior {
	p := m.priors[key][f.Path]
	if from, known := m.priors[key][f.From]; known {
		p = from
	} else if f.Created { // whatever file the server was shown at that path
		return prior{known: true}
	}
	// What is fixed now may have been fixed by the change before.
	p.overdue = p.overdue && isUser(f)
	if m.real != nil && !p.overdue {
		p.sure = m.real.provenOf(key, f.Path, p.text)
	}
	p.imagined = p.imagined || p.overdue
	if items, asked := m.files[key]; asked && f.Reported && !p.known {
		return prior{known: true, items: items[cmp.Or(f.From, f.Path)], imagined: m.imagined}
	}
	return p
}

// provenOf returns what a server had reported about a file with this text, while all files were as
// they are on disk.
func (m *Moment) provenOf(key Key, path string, text []byte) []protocol.Diagnostic {
	p := m.priors[key][path]
	if !p.known || p.imagined || p.overdue || !bytes.Equal(p.text, text) {
		return nil
	}
	return p.items
}

// really returns what a server had reported about a file before files were imagined.
func (m *Moment) really(key Key, path string) []protocol.Diagnostic {
	if m.real == nil || m.real.imagined || m.real.unsure[key] {
		return nil
	}
	return m.real.files[key][path]
}

// Known returns the files for which some running server holds diagnostics, sorted by path and
// judged without a baseline.
func (c *Collector) Known(severities []protocol.Severity) []FileReport {
	return c.others(Request{Severities: severities, NoBaseline: true}, &Moment{}, nil)
}

// settledBy returns, by server, whether it has finished reporting on the files that were checked
// for their own sake. What a server that has not finished publishes about other files may come from
// a change before this one.
func settledBy(reports []FileReport, files []File) map[Key]bool {
	settled := make(map[Key]bool)
	for i, r := range reports {
		for _, a := range r.Answers {
			key := Key{a.Server, a.Root}
			fresh, known := settled[key]
			whole := a.Freshness == Fresh || a.done || a.quiet
			switch {
			case files[i].Closed && (files[i].Narrow || !files[i].Reported):
			case files[i].Narrow: // what it publishes may come from a change before
				settled[key] = false
			case !known:
				settled[key] = whole
			default:
				settled[key] = fresh && whole
			}
		}
	}
	return settled
}

// Unloaded says why a server could not load the project of a file, as the server published it for
// the project's own files; "" if it could.
func (c *Collector) Unloaded(key Key, path string) string {
	return c.stream(key).unloadedFor(path)
}

// UnloadedBeside names another project, one that the file is not in, that its server could not
// load, and says why; "" if it loaded all.
func (c *Collector) UnloadedBeside(key Key, path string) string {
	return c.stream(key).unloadedBeside(path)
}

// others reports on files that are not in the request if servers published for them since a moment,
// or if an error that appeared in this session is still there. Only servers in settled count; nil
// means all.
func (c *Collector) others(req Request, since *Moment, settled map[Key]bool) []FileReport {
	byPath := make(map[string][]Answer)
	for _, s := range c.allStreams() {
		if settled != nil && !settled[s.key] {
			continue
		}
		old, asked := since.files[s.key]
		tellsAll := s.tellsAll()
		for path, items := range s.known(req.Session, since.epochOf(s.key), old) {
			_, told := old[path]
			a := Answer{
				Server: s.key.ID, Root: s.key.Root, Freshness: Fresh, Items: items, unloaded: s.unloadedFor(path),
				prior: prior{known: asked && !since.unsure[s.key], unchanged: true, untold: !told && !tellsAll, items: old[path], imagined: since.imagined, sure: since.really(s.key, path)}, origin: s.originOf(req.Session, File{Path: path}),
			}
			s.excuse(s.setupOf(), path, &a)
			byPath[path] = append(byPath[path], a)
		}
	}
	for _, f := range slices.Concat(req.Files, req.Besides) {
		delete(byPath, f.Path)
	}
	var reports []FileReport
	for path, answers := range byPath {
		r := judge(File{Path: path}, req, answers)
		if len(r.Diagnostics)+len(r.Fixed) > 0 {
			reports = append(reports, r)
		}
	}
	slices.SortFunc(reports, func(a, b FileReport) int { return compareText(a.Path, b.Path) })
	return reports
}
