package diagnostics

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A stream is what one server has said so far. It implements lsp.Observer: its
// methods run on the goroutine that reads the server and wait for nothing.
type stream struct {
	key       Key
	collector *Collector

	mu    sync.Mutex
	files map[string]*fileState
	texts keptTexts
	// origins are what was wrong with files before a session changed anything, by session.
	// They outlive the server.
	origins map[string]*origins
	// works are the titles of progress under way, by token. begins counts those
	// that ever began; beginOf is the count at the last begin of each title.
	works   map[string]string
	begins  int
	beginOf map[string]int
	// refreshes counts how often the server took back what it had said.
	refreshes int
	// lent are the documents that are open because of others alone, the last used
	// last.
	lent []string
	// wide says that the server was once done with all its files, and
	// wideDisturbed the collector's count then.
	wide          bool
	wideDisturbed uint64
	// wideJobs counts the collections under way that also ask about other files; wideLost
	// says that the last of them ended without the whole answer.
	wideJobs int
	wideLost bool
	// wideTook is how long the last one took that ended with the whole answer.
	wideTook time.Duration
	// owed is, by session, what it had said of all files before the first change of that
	// session of which it has not said yet what that did to others; a session to which it has
	// said all has none. The inner maps are not changed.
	owed map[string]map[string][]protocol.Diagnostic
	// events counts what came from it.
	events int
	// disk is the last check of the disk, under way or over; saved are the versions
	// of the documents that the server was told to be on disk.
	disk  *diskRun
	saved map[string]int32
	// unlike are the files of which the server published other errors than its check of the disk
	// listed, though that was waited for.
	unlike map[string]bool
	// all is the last request about all files, under way or over; nil if there was none.
	all *workspacePull
	// diagnosing has a token while a document that changed is being diagnosed, where others must wait
	// for that.
	diagnosing chan struct{}
	// touched says that a collection has ended, whatever its outcome.
	touched bool
	// setup is that of the last source, projectFiles and hides those of the definition.
	setup        *Setup
	projectFiles []string
	hides        map[string]string
	// checksDisk says that less than it said before is its word only once its check of the
	// disk is over: meanwhile, and when it loads the project anew, it takes findings back.
	checksDisk bool
	// publishesAll says that it also publishes about files that nobody opened.
	publishesAll bool
	// onlyAnswers says that it says nothing but in answers about one file each, toldRelated that such
	// an answer was about others, too.
	onlyAnswers, toldRelated bool
	ended                    bool
	err                      error
	timing                   timing
	// changed is closed and replaced by every event.
	changed chan struct{}
}

// A fileState is what a server said of a file. The item slices are never
// changed once they are here.
type fileState struct {
	// publishes counts the pushes; pushed* are of the last one.
	publishes     int
	pushed        []protocol.Diagnostic
	pushedVersion *int32
	pushedAt      time.Time

	// items are what stands. asked says that they came as an answer to our
	// question, so that pushes, which may be older, do not replace them.
	items []protocol.Diagnostic
	asked bool
	// version is the document's when items were complete, 0 if they never
	// were; generation and refreshes are the server's at that time.
	version    int32
	generation uint64
	refreshes  int
	losses     int
	outside    uint64
	// last is the content of that version and what was said of it.
	last prior
	// wide says that the server was done with its other files as well.
	wide bool
	// diagnosed is the version that a diagnosis command was last answered for.
	diagnosed int32
	// epoch is the collector's when items last changed.
	epoch uint64

	// results are the last pull results by identifier. interim is what was
	// pulled for interimVersion and called into question at once.
	results        map[string]pullResult
	interim        []protocol.Diagnostic
	interimVersion int32

	// probe is what was last put below the file's text.
	probe probeError
	// sent is the last showing of the file that we made ourselves.
	sent sending
	// due is the last question about the file that the server owes an answer to, nil if it owes none.
	due *job
	// told are, by session, the findings that stand and that some report listed as new.
	told map[string][]protocol.Diagnostic
	// heard is, by named session, the text that it last had a complete answer of. The texts
	// are dropped with that of last.
	heard map[string][]byte
}

// A pullResult is what an "unchanged" report refers to.
type pullResult struct {
	id    string
	items []protocol.Diagnostic
}

func newStream(key Key, c *Collector) *stream {
	return &stream{
		key: key, collector: c, changed: make(chan struct{}),
		files: make(map[string]*fileState), works: make(map[string]string), beginOf: make(map[string]int),
		diagnosing: make(chan struct{}, 1), saved: make(map[string]int32), unlike: make(map[string]bool), origins: make(map[string]*origins), owed: make(map[string]map[string][]protocol.Diagnostic),
	}
}

// fileLocked returns the state of a file, made if need be.
func (s *stream) fileLocked(path string) *fileState {
	f := s.files[path]
	if f == nil {
		f = &fileState{results: make(map[string]pullResult)}
		s.files[path] = f
	}
	return f
}

func (s *stream) wakeLocked() {
	s.events++
	close(s.changed)
	s.changed = make(chan struct{})
}

// await returns nil when condition, called with the lock held, is true; or an
// error when ctx or the server ends first.
func (s *stream) await(ctx context.Context, condition func() bool) error {
	for {
		s.mu.Lock()
		met, ended, err, changed := condition(), s.ended, s.err, s.changed
		s.mu.Unlock()
		switch {
		case met:
			return nil
		case ended && err != nil:
			return err
		case ended:
			return errEnded
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *stream) Published(p lsp.Published) {
	s.mu.Lock()
	defer s.mu.Unlock()
	epoch := s.collector.epochs.next()
	f := s.fileLocked(p.Path)
	if f.outdated(p.Version) {
		return
	}
	if f.probe.shownBy(p.Items) {
		f.probe.seen++
		s.wakeLocked()
		return
	}
	f.publishes++
	f.pushed, f.pushedVersion, f.pushedAt = p.Items, p.Version, s.collector.now()
	s.timing.published(f.pushedAt, p.Path)
	if !f.asked || p.Version != nil && *p.Version >= f.version {
		f.items, f.epoch = hereStill(p.Items, f.items), epoch
		takesBack := s.checksDisk && len(f.items) < len(f.last.items)
		if !takesBack && (p.Version == nil || *p.Version == f.version) {
			f.last.items = f.items
		}
	}
	s.wakeLocked()
}

// outdated reports whether a push that names a version is older than what is
// known: pushes may overtake each other.
func (f *fileState) outdated(version *int32) bool {
	return version != nil && (*version < f.version || f.pushedVersion != nil && *version < *f.pushedVersion)
}

func (s *stream) Progressed(e protocol.ProgressEvent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e.Kind {
	case "begin":
		s.begins++
		s.works[e.Token], s.beginOf[e.Title] = e.Title, s.begins
	case "end":
		delete(s.works, e.Token)
	}
	s.wakeLocked()
}

func (s *stream) Refreshed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refreshes++
	s.wakeLocked()
}

// Ended forgets what the server said: nobody stands for it any more
// [REQ-KNOWN-030].
func (s *stream) Ended(err error) {
	defer s.collector.epochs.next() // what was known is no longer
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended, s.err = true, err
	s.files, s.texts = make(map[string]*fileState), keptTexts{}
	s.works = make(map[string]string)
	s.wakeLocked()
}

// worksLocked returns the tokens of works whose title has the prefix.
func (s *stream) worksLocked(prefix string) (tokens []string) {
	for token, title := range s.works {
		if strings.HasPrefix(title, prefix) {
			tokens = append(tokens, token)
		}
	}
	return tokens
}

// begunLocked reports whether a work whose title has the prefix began after
// the count.
func (s *stream) begunLocked(prefix string, after int) bool {
	for title, n := range s.beginOf {
		if n > after && strings.HasPrefix(title, prefix) {
			return true
		}
	}
	return false
}

// loading says what the server is busy with, or "".
func (s *stream) loading() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, title := range s.works {
		return title
	}
	return ""
}

// unloaded reports whether what the definition calls loading is under way, or is
// announced and has not begun.
func (s *stream) unloaded(d *registry.Definition) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	begun := false
	for _, prefix := range d.Loading {
		if len(s.worksLocked(prefix)) > 0 {
			return true
		}
		begun = begun || s.begunLocked(prefix, 0)
	}
	return d.AnnouncesLoading && !begun
}

// standing returns the complete state of the turn's file, if it is for the
// turn's version and nothing has called it into question since.
func (s *stream) standing(t *turn) ([]protocol.Diagnostic, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[t.path]
	if f == nil || f.losses != t.server.Losses() || !t.isReady() {
		return nil, false
	}
	if t.closedFile {
		ok := f.version == 0 && f.last.known && f.generation == t.synced.Generation &&
			f.refreshes == s.refreshes && bytes.Equal(f.last.text, t.content)
		if !ok {
			return nil, false
		}
		return f.items, true
	}
	if f.version == 0 || f.version != t.synced.Version || f.generation != t.synced.Generation ||
		f.refreshes != s.refreshes || t.wide && !f.wide {
		return nil, false
	}
	return f.items, true
}

// complete records items as the whole truth for a turn, and returns what
// stands.
func (s *stream) complete(t *turn, items []protocol.Diagnostic) []protocol.Diagnostic {
	disturbed := s.collector.disturbed()
	s.mu.Lock()
	defer s.mu.Unlock()
	epoch := s.collector.epochs.next()
	f := s.fileLocked(t.path)
	later := f.version > t.synced.Version && !t.closedFile
	if later || f.last.known && f.version == t.synced.Version && f.generation > t.synced.Generation { // a later check was faster
		return items
	}
	f.items, f.asked, f.epoch = items, t.asks() && !t.unsolicited(), epoch
	f.version, f.generation, f.refreshes = t.synced.Version, t.synced.Generation, t.refreshes
	f.wide, f.losses, f.outside, f.interimVersion = t.wide, t.losses, t.outside, -1
	s.keepTextLocked(t.path, prior{known: true, text: t.content, items: f.items, quick: t.quick, imagined: t.past && len(t.gone) > 0, disturbed: disturbed})
	if t.wide {
		s.wide, s.wideDisturbed = true, disturbed
	}
	s.wakeLocked()
	return f.items
}

// completeOthers notes that the server is done with all its files but the one that it was
// asked about.
func (s *stream) completeOthers() {
	disturbed := s.collector.disturbed()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wide, s.wideDisturbed = true, disturbed
}

// known returns the paths with items, and their items, that were last changed
// after an epoch, and those in old that have none any more; and, whenever they were
// changed, those with items that were not there when the session began.
func (s *stream) known(session string, after uint64, old map[string][]protocol.Diagnostic) map[string][]protocol.Diagnostic {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := make(map[string][]protocol.Diagnostic)
	if s.ended {
		return known
	}
	for path, f := range s.files {
		if f.epoch > after && len(f.items)+len(old[path]) > 0 || s.cameLocked(session, path, f) {
			known[path] = f.items
		}
	}
	return known
}

// cameLocked reports whether a file has findings that were not there when the session
// began.
func (s *stream) cameLocked(session, path string, f *fileState) bool {
	origin, noted := s.originLocked(session, path)
	return noted && len(f.items) > 0 && !slices.EqualFunc(f.items, origin.items, func(a, b protocol.Diagnostic) bool {
		return a.Message == b.Message
	})
}

// priors returns what was said of each file when it was last complete.
func (s *stream) priors() map[string]prior {
	s.mu.Lock()
	defer s.mu.Unlock()
	priors := make(map[string]prior, len(s.files))
	for path, f := range s.files {
		if f.last.known {
			p := f.last
			p.overdue = f.due != nil
			priors[path] = p
		}
	}
	return priors
}

// forget drops what is known of a file that is gone.
func (s *stream) forget(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropTextLocked(path)
	delete(s.files, path)
}
