package diagnostics

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A restRun is one diagnosis of the open documents besides those that the server just diagnosed. All
// turns that need one of that state share it: if each file of a check had all others diagnosed, the
// work would grow with the square of their number.
type restRun struct {
	done chan struct{} // closed when it is over
	// generation, losses and refreshes are the counts before the documents were listed.
	generation        uint64
	losses, refreshes int
	// err is why it failed; left says that it did because its own turn was given up.
	err  error
	left bool
}

// A workspacePull is one request about all files. The stream's mutex guards it.
type workspacePull struct {
	gate              *gate // of the check that made the request; nil for a check of one file
	server            Server
	generation        uint64
	refreshes, losses int
	over              bool
	items             map[string][]protocol.Diagnostic // for files as they are on disk
	results           map[string]pullResult
}

// A stream is what one server has reported so far. It implements lsp.Observer: those methods run on
// the goroutine that reads from the server and do not block.
type stream struct {
	key       Key
	collector *Collector

	mu      sync.Mutex
	files   map[string]*fileState
	hearing hearing
	texts   keptTexts
	// works are the titles of progress under way, by token. begins counts all progress that ever
	// began; beginOf is that count when a title last began.
	works   map[string]string
	begins  int
	beginOf map[string]int
	// refreshes counts how often the server invalidated what it had reported.
	refreshes int
	// lent are the documents that are open only because of other files, the most recently used
	// last.
	lent []string
	// wideTook is how long the last such collection with a complete answer took.
	wideTook time.Duration
	// events counts what came from the server.
	events int
	// disk is the last check of the disk, under way or over; saved are the document versions that
	// the server was told are saved.
	disk  *diskRun
	saved map[string]int32
	// unlike are the files for which the server published other errors than its check of the disk
	// listed, although that was waited for.
	unlike map[string]bool
	// all is the last request about all files, under way or over; nil if there was none.
	all *workspacePull
	// diagnosing holds a token while a changed document is being diagnosed and others must wait for
	// that.
	diagnosing chan struct{}
	// rest is the last diagnosis of the documents that did not change, under way or over; nil if
	// there was none, or it failed.
	rest *restRun
	// touched says that a collection has ended, with any outcome.
	touched bool
	// server is the running one, nil until a file is checked. Its methods may be called with mu
	// held.
	server Server
	// ledger is what the server has said of texts; allAt is the server's generation when it last
	// reported completely on all files.
	ledger ledger
	allAt  uint64
	// setup is that of the last source; projectFiles and hides are those of the definition.
	setup        *Setup
	projectFiles []string
	hides        map[string]string
	// readsDisk says that what the server knows of other files comes of a check of those on disk.
	readsDisk bool
	// checksDisk says that the server takes findings back while it checks the disk or reloads the
	// project: a publish with fewer findings is final only once the check is over.
	checksDisk bool
	// namesCrates is the prefix of the title of a check of the disk whose reports name the crates that cargo compiled, ""
	// if the server makes none; compiled are these crates, by the check's token, since it began.
	namesCrates string
	compiled    map[string][]string
	// leftOut are the files that the last check of the disk did not judge.
	leftOut map[string]bool
	// publishesAll says that the server also publishes about files that nobody opened.
	publishesAll bool
	// onlyAnswers says that the server reports only in answers about single files, toldRelated that
	// such an answer was also about other files.
	onlyAnswers, toldRelated bool
	ended                    bool
	err                      error
	timing                   timing
	// closing is held alone while a document is closed, and judged anew, whose text is not on disk, and
	// shared while others are judged. See [Collector.renew]. mu may be taken while it is held.
	closing *call.Lock
	// changed is closed and replaced on every event.
	changed chan struct{}
}

// A sending is one occasion on which a file was shown to the server, with the server's counts until
// then.
type sending struct {
	version    int32
	generation uint64
	at         time.Time
	// publishes, begins and refreshes are the counts before the sending.
	publishes, begins, refreshes int
	// closed says that the document was closed and opened again for it, to which many servers first
	// respond with an empty publish.
	closed bool
}

// A judgment is a server's last answer about a file.
type judgment struct {
	state uint64 // of all texts, as the server numbers them, when it was made
	wrong bool   // something was found that counts in a verdict
}

// A fileState is what a server has reported about a file. The item slices are never modified once
// they are here.
type fileState struct {
	// publishes counts the publishes; pushed* are from the last one.
	publishes     int
	pushed        []protocol.Diagnostic
	pushedVersion *int32
	pushedAt      time.Time
	heard         heard

	// items are the current findings. asked says that they came as an answer to our request, so
	// that publishes, which may be older, do not replace them.
	items []protocol.Diagnostic
	asked bool
	// contested says that the server has since published fewer for the same version: items remain
	// what is known, and the next check asks again.
	contested bool
	// version is the document's when items were last complete, 0 if they never were; the fields
	// below it are the server's counts at that time.
	version    int32
	generation uint64
	refreshes  int
	losses     int
	outside    uint64
	// state is the server's when it was asked for items; 0 if it was not asked.
	state uint64
	// last is the content of that version and what was reported about it.
	last prior
	// wide says that the server had completed its other files as well.
	wide bool
	// diagnosed is the last version for which a diagnosis command was answered.
	diagnosed int32
	// epoch is the collector's epoch when items last changed.
	epoch uint64

	// results are the last pull results, by identifier. interim is the answer to the last pull for
	// interimVersion, which may not be final.
	results        map[string]pullResult
	interim        []protocol.Diagnostic
	interimVersion int32

	// judged is the last answer to a pull of the file, of a server with [registry.ConfirmErrors];
	// nil if there was none.
	judged *judgment

	// removed are the names of things that the server once found for the file, and then did not.
	removed []string
	// probe is what was last appended to the file's text.
	probe probeError
	// sent is the last occasion on which we showed the file.
	sent sending
}

// A pullResult is what an "unchanged" report refers to.
type pullResult struct {
	id    string
	items []protocol.Diagnostic
}

func newStream(key Key, c *Collector) *stream {
	return &stream{
		key: key, collector: c, changed: make(chan struct{}), closing: call.NewLock("another document was being judged anew"),
		files: make(map[string]*fileState), works: make(map[string]string), beginOf: make(map[string]int), compiled: make(map[string][]string),
		diagnosing: make(chan struct{}, 1), saved: make(map[string]int32), unlike: make(map[string]bool),
	}
}

// fileLocked returns the state of a file that somebody asks about, which it creates if need be.
func (s *stream) fileLocked(path string) *fileState {
	f := s.files[path]
	if f == nil {
		f = &fileState{results: make(map[string]pullResult)}
		s.files[path] = f
	}
	s.ownLocked(path, f)
	return f
}

func (s *stream) wakeLocked() {
	s.events++
	close(s.changed)
	s.changed = make(chan struct{})
}

// await waits until condition, which is called with the lock held, is true. It returns an error if
// ctx or the server ends first.
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
	if before := s.files[p.Path]; before != nil && before.outdated(p.Version) {
		return
	}
	f, kept := s.hearLocked(&p)
	if !kept {
		s.wakeLocked()
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
	switch {
	case f.asked && (p.Version == nil || *p.Version < f.version):
	case f.asked && s.fallsShortLocked(f, p.Items):
		f.contested = true
	default:
		f.items, f.epoch = hereStill(p.Items, f.items), epoch
		takesBack := s.checksDisk && len(f.items) < len(f.last.items)
		// Among files that are gone, the server may have noticed by now that they are.
		if !takesBack && !f.last.imagined && (p.Version == nil || *p.Version == f.version) {
			f.last.items = f.items
		}
		if !takesBack {
			s.publishedLocked(p.Path, f)
		}
	}
	s.wakeLocked()
}

// fallsShortLocked reports whether a publish has fewer findings than the server's answer to a
// request, although no text has changed since and the server has not taken the answer back: gopls
// publishes what the first of its views finds in a file before the others have looked.
func (s *stream) fallsShortLocked(f *fileState, items []protocol.Diagnostic) bool {
	return len(items) < len(f.items) && f.refreshes == s.refreshes && s.server != nil && f.state == s.server.State()
}

// outdated reports whether a publish that names a version is older than what is known: publishes
// may overtake each other.
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
		delete(s.compiled, e.Token)
		if s.namesCrates != "" && strings.HasPrefix(e.Title, s.namesCrates) {
			s.compiled[e.Token] = nil
		}
	case "report":
		if s.namesCrates != "" && e.Message != "" && strings.HasPrefix(s.works[e.Token], s.namesCrates) {
			s.compiled[e.Token] = append(s.compiled[e.Token], e.Message)
		}
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

// Ended forgets what the server has reported: nothing keeps it up to date any longer
// [REQ-KNOWN-030].
func (s *stream) Ended(err error) {
	defer s.collector.epochs.next() // what was known no longer is
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended, s.err = true, err
	s.files, s.texts, s.hearing = make(map[string]*fileState), keptTexts{}, hearing{}
	s.works, s.rest = make(map[string]string), nil
	s.wakeLocked()
}

// worksLocked returns the tokens of progress under way whose title has the prefix.
func (s *stream) worksLocked(prefix string) (tokens []string) {
	for token, title := range s.works {
		if strings.HasPrefix(title, prefix) {
			tokens = append(tokens, token)
		}
	}
	return tokens
}

// begunLocked reports whether a progress whose title has the prefix began after that count.
func (s *stream) begunLocked(prefix string, after int) bool {
	for title, n := range s.beginOf {
		if n > after && strings.HasPrefix(title, prefix) {
			return true
		}
	}
	return false
}

// loading returns the title of some progress under way, "" if there is none.
func (s *stream) loading() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, title := range s.works {
		return title
	}
	return ""
}

// unloaded reports whether what the definition calls loading is under way, or is yet to begin
// according to the definition.
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

// standing returns the complete findings for the turn's file, if they are for the turn's version
// and nothing has made them outdated since.
func (s *stream) standing(t *turn) ([]protocol.Diagnostic, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[t.path]
	if f == nil || f.contested || f.losses != t.server.Losses() || !t.isReady() {
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

// complete records items as the complete findings for a turn, unless it was misled, and returns what
// is now current.
func (s *stream) complete(t *turn, items []protocol.Diagnostic) []protocol.Diagnostic {
	if t.misled {
		return items
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	epoch := s.collector.epochs.next()
	f := s.fileLocked(t.path)
	later := f.version > t.synced.Version && !t.closedFile
	if later || f.last.known && f.version == t.synced.Version && f.generation > t.synced.Generation { // a later check has completed already
		return items
	}
	f.items, f.asked, f.contested, f.epoch = items, t.asks() && !t.unsolicited(), false, epoch
	if t.asks() { // whatever was published, this is all of it
		f.heard.left, f.heard.forgotten = 0, false
	}
	t.left = f.heard.left
	f.version, f.generation, f.refreshes, f.state = t.synced.Version, t.synced.Generation, t.refreshes, t.state
	f.wide, f.losses, f.outside, f.interimVersion = t.wide, t.losses, t.outside, -1
	f.removed = append(f.removed, s.setup.lostSince(f.last, f.items, f.removed)...)
	s.keepTextLocked(t.path, prior{known: true, text: t.content, items: f.items, quick: t.quick, imagined: t.past && len(t.gone) > 0})
	if t.stayed() {
		p := s.ledger.pageLocked(t.world)
		now := statement{items: f.items, quick: t.quick, imagined: t.past && len(t.gone) > 0, proven: t.proven, epoch: epoch}
		if before, known := p.said[t.path]; !known || before.imagined || !now.imagined {
			p.said[t.path] = now
		}
		if p.all != nil {
			p.all[t.path] = f.items
		}
	}
	if t.wide {
		s.noteAllLocked(t)
	}
	s.wakeLocked()
	return f.items
}

// completeOthers notes that the server has completed all its files except the one it was asked
// about.
func (s *stream) completeOthers(t *turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noteAllLocked(t)
}

// known returns, by path, the items of files that have any: all of a server that reports on all
// files, otherwise those that last changed after an epoch; and no items of files in old, and of those
// that a session was told of, that have none any longer.
func (s *stream) known(after uint64, old map[string][]protocol.Diagnostic, told []string) map[string][]protocol.Diagnostic {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := make(map[string][]protocol.Diagnostic)
	if s.ended {
		return known
	}
	for path, f := range s.files {
		if (s.publishesAll || f.epoch > after) && len(f.items)+len(old[path]) > 0 {
			known[path] = f.items
		}
	}
	for _, path := range told {
		if f := s.files[path]; f != nil && (s.publishesAll || f.epoch > after) {
			known[path] = f.items
		}
	}
	return known
}

// forget drops what is known about a file that is gone.
func (s *stream) forget(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropTextLocked(path)
	s.unheardLocked(path)
}

// sendingLocked returns a sending of the file that begins now.
func (s *stream) sendingLocked(f *fileState) sending {
	return sending{at: s.collector.now(), publishes: f.publishes, begins: s.begins, refreshes: s.refreshes}
}
