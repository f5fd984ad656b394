package diagnostics

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/trace"
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
	// Heard limits what is kept per server of the files for which it publishes although nobody has asked about them.
	Heard HeardLimits
	// Trace, if not nil, has why findings are new or older.
	Trace *trace.Log
}

// A Collector collects diagnostics from the servers of one workspace and keeps what it learns. It
// is safe for concurrent use. The caller must Close it.
type Collector struct {
	opts       Options
	background context.Context
	cancel     context.CancelFunc
	jobs       sync.WaitGroup
	epochs     *epochs
	told       toldTable

	mu       sync.Mutex
	closed   bool
	streams  map[Key]*stream
	tallies  map[Key]*tally
	queues   map[subject]*queue
	debts    []debt // the oldest first
	lastDebt uint64 // the number of the last one
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
	opts.Heard = opts.Heard.orDefault()
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
	for _, path := range paths {
		c.told.forget(path)
	}
}

// Check shows the files to their servers and returns what these report, under one deadline for all.
// It returns early with ctx.Err() only if ctx is cancelled; if ctx reaches its deadline, that is
// treated like a time-out of the request.
func (c *Collector) Check(ctx context.Context, req Request) (Report, error) {
	since := req.Since
	if since == nil {
		since, req.Files = c.Now(), c.asTheyAre(req.Files)
	}
	c.epochs.next()
	start := c.now()
	asked, debts := c.withOwed(req)
	reports, gates := make([]FileReport, len(asked)), gates(asked)
	own := make(chan struct{}) // closed when the request's own files are done
	var owed guard.Group
	for i, d := range debts {
		ask := d.req
		ask.until = own
		owed.Go(func() {
			reports[len(req.Files)+i] = c.checkFile(ctx, ask, asked[len(req.Files)+i], gates, d.since, start)
		})
	}
	func() {
		defer owed.Wait()
		defer close(own)
		inParallel(len(req.Files), func(i int) {
			reports[i] = c.checkFile(ctx, req, asked[i], gates, since, start)
			if req.Answered != nil {
				req.Answered()
			}
		})
	}()
	c.giveBack(asked)
	if errors.Is(ctx.Err(), context.Canceled) {
		return Report{}, ctx.Err()
	}
	report := Report{Files: reports[:len(req.Files)]}
	if req.OthersToo {
		report.Others = c.others(req, since, settledBy(report.Files, req.Files))
		report.Unkept = c.unkeptBy(req.Files)
	}
	if !req.Probe && !req.Aside {
		report.Late = c.pay(req, since, &report, reports)
	}
	c.owe(req, since, report.Files)
	report.Epoch = c.Epoch()
	return report, nil
}

// asTheyAre returns files with the texts that servers have of them now as their former ones.
func (c *Collector) asTheyAre(files []File) []File {
	files = slices.Clone(files)
	for i := range files {
		f := &files[i]
		for _, source := range f.Sources {
			if text, open := c.stream(source.Key).shownText(cmp.Or(f.From, f.Path)); open && f.Former == nil {
				f.Former = text
			}
		}
	}
	return files
}

// shownText returns the text of a document that is open in the server.
func (s *stream) shownText(path string) (text []byte, open bool) {
	s.mu.Lock()
	server := s.server
	s.mu.Unlock()
	if server != nil {
		_, text, open = server.Document(path)
	}
	return text, open
}

// checkFile asks every server that applies, in parallel, and judges their answers.
func (c *Collector) checkFile(ctx context.Context, req Request, f File, gates map[Key]*gate, since *Moment, start time.Time) FileReport {
	answers := make([]Answer, len(f.Sources))
	inParallel(len(f.Sources), func(i int) {
		answers[i] = c.ask(ctx, req, f, f.Sources[i], gates[f.Sources[i].Key].ticket(), start)
		c.count(f.Sources[i].Key, &answers[i])
	})
	for i, source := range f.Sources {
		answers[i].same = f.Unconcerned || req.isSame(source.Key, f.Path)
		c.compareWith(since, f, source, &answers[i])
		source.Setup.confine(req.Apart, f, &answers[i])
		source.Setup.explain(f.Path, &answers[i])
	}
	answers = append(answers, f.Failures...)
	c.traceJudgement(f, req, answers)
	return judge(f, req, answers, c.told.to(req.Session))
}

// isSame reports whether nothing that a server reads for a file differs from the baseline.
func (r *Request) isSame(key Key, path string) bool {
	concerned, limited := r.SameBut[key]
	return r.Same || limited && !slices.Contains(concerned, path)
}

// compareWith gives an answer about a file its baseline, and takes out of it what only comes of an
// incomplete set-up.
func (c *Collector) compareWith(since *Moment, f File, source Source, a *Answer) {
	s := c.stream(source.Key)
	a.tellsAll, a.wording = s.tellsAll(), source.Setup.wording()
	if a.prior = since.priorOf(source.Key, f); a.quick {
		a.prior.items = a.prior.quick
	}
	if a.same {
		a.prior = prior{known: true, text: f.Content, items: a.Items}
	}
	a.hush(source.Quiet)
	a.shadow(s.hidden())
	s.excuse(source.Setup, f.Path, f.Lost, a)
	s.admit(f.Path, a)
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

// Known returns the files for which some running server holds diagnostics, sorted by path and
// judged without a baseline.
func (c *Collector) Known(severities []protocol.Severity) []FileReport {
	known := c.others(Request{Severities: severities, NoBaseline: true}, &Moment{}, nil)
	return slices.DeleteFunc(known, func(r FileReport) bool { return len(r.Diagnostics) == 0 })
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

// LeftOutBeside says why the server's last check of the files on disk left out what depends on a file; "" if it left out nothing.
func (c *Collector) LeftOutBeside(key Key, path string) string {
	return c.stream(key).leftOutBeside(path)
}

// others reports on files that are not in the request but about which servers have something to
// say: those that report on all files, in any case; others, if they published since a moment. Only
// servers in settled count; nil means all.
func (c *Collector) others(req Request, since *Moment, settled map[Key]bool) []FileReport {
	byPath, probed := make(map[string][]Answer), make(map[string]bool)
	var told []string // what is fixed in these is reported
	if req.SinceBegan {
		told = c.Told(req.Session)
	}
	for _, s := range c.allStreams() {
		if settled != nil && !settled[s.key] {
			continue
		}
		for path, items := range s.known(since.epoch, since.toldOf(s.key), told) {
			a := s.answerAbout(path, items, since, req.isSame(s.key, path))
			byPath[path] = append(byPath[path], a)
			probed[path] = probed[path] || req.Probed && !s.onlyOnDisk()
		}
	}
	for _, f := range slices.Concat(req.Files, req.Besides) {
		delete(byPath, f.Path)
	}
	var reports []FileReport
	for path, answers := range byPath {
		c.traceJudgement(File{Path: path, Probed: probed[path]}, req, answers)
		r := judge(File{Path: path, Probed: probed[path]}, req, answers, c.told.to(req.Session))
		if len(r.Diagnostics)+len(r.Fixed) > 0 || r.Judgement.hasFindings() {
			reports = append(reports, r)
		}
	}
	slices.SortFunc(reports, func(a, b FileReport) int { return compareText(a.Path, b.Path) })
	return reports
}

// answerAbout returns what a server says of a file that it was not asked about. same says that no
// text differs from the baseline.
func (s *stream) answerAbout(path string, items []protocol.Diagnostic, since *Moment, same bool) Answer {
	old, told, known := since.allOf(s.key, path)
	setup := s.setupOf()
	a := Answer{
		tellsAll: s.tellsAll(), wording: setup.wording(),
		Server: s.key.ID, Root: s.key.Root, Freshness: Fresh, Items: items, unloaded: s.unloadedFor(path),
		prior: prior{known: known, unchanged: true, untold: !told && !s.tellsAll(), items: old, imagined: since.imagined, sure: since.really(s.key, path)},
	}
	if same {
		a.prior = prior{known: true, unchanged: true, items: items}
	}
	s.excuse(setup, path, nil, &a)
	s.admit(path, &a)
	return a
}

// onlyOnDisk reports whether the server judges other files only as they are on disk.
func (s *stream) onlyOnDisk() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.readsDisk
}
