package diagnostics

import (
	"maps"
	"math"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
)

// A ledger is what one server process has said of texts: in which world (which texts all files had),
// of which file, what. What it holds stays true for as long as the process runs, whatever is shown to
// the server later, and in whatever order. The stream's mutex guards it.
type ledger struct {
	pages map[lsp.World]*page
	turns uint64 // counts uses of pages
}

// A page is what a server said in one world.
type page struct {
	// said are its complete answers about single files.
	said map[string]statement
	// all are its findings in all files, by path; nil as long as it has not reported these completely.
	all map[string][]protocol.Diagnostic
	// allEpoch is the collector's epoch when that was reported.
	allEpoch uint64
	// size is about how many bytes all took when that was reported.
	size int
	// missed says that the server did not find a file that it was shown and that is not on disk: what it
	// reported meanwhile, of whichever file, may come of that.
	missed bool
	used   uint64
}

// certain returns the answers about single files that count: not those about files with errors that may come of
// a file that was not found.
func (p *page) certain() map[string]statement {
	said := maps.Clone(p.said)
	if p.missed {
		maps.DeleteFunc(said, func(_ string, s statement) bool { return s.imagined && !s.proven && len(s.items) > 0 })
	}
	return said
}

// missed notes that the server did not find a file that is not on disk.
func (s *stream) missed(t *turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.stayed() {
		s.ledger.pageLocked(t.world).missed = true
	}
}

// stayed reports whether the server has been in that world ever since.
func (t *turn) stayed() bool { return t.server.World() == t.world && t.server.Moves() == t.moves }

// A statement is one complete answer of a server about one file.
type statement struct {
	items []protocol.Diagnostic
	// quick is what was reported before the check of the files on disk.
	quick []protocol.Diagnostic
	// imagined says that it was reported while files were shown that are not on disk. Servers also
	// look for these on disk, so errors in items may come of that.
	imagined bool
	// proven says that all of items were reported before, with the files on disk.
	proven bool
	// epoch is the collector's when it was said.
	epoch uint64
}

// maxPages limits the worlds of which a ledger has pages.
const maxPages = 64

// pageLocked returns the page of a world, which it begins if need be; the pages that were not used
// for the longest time are dropped.
func (l *ledger) pageLocked(world lsp.World) *page {
	p := l.pages[world]
	if p == nil {
		p = &page{said: make(map[string]statement)}
		if l.pages == nil {
			l.pages = make(map[lsp.World]*page)
		}
		l.pages[world] = p
	}
	l.turns++
	p.used = l.turns
	for len(l.pages) > maxPages {
		l.dropOldestLocked()
	}
	return p
}

// dropOldestLocked drops the page that was not used for the longest time, and returns it.
func (l *ledger) dropOldestLocked() *page {
	var oldest lsp.World
	used := uint64(math.MaxUint64)
	for world, p := range l.pages {
		if p.used < used {
			oldest, used = world, p.used
		}
	}
	dropped := l.pages[oldest]
	delete(l.pages, oldest)
	return dropped
}

// shrinkLocked drops the oldest pages, but not the newest one, until the findings of all pages take at most so many bytes.
func (l *ledger) shrinkLocked(most int) {
	size := 0
	for _, p := range l.pages {
		size += p.size
	}
	for size > most && len(l.pages) > 1 {
		size -= l.dropOldestLocked().size
	}
}

// peekLocked returns the page of a world, nil if there is none.
func (l *ledger) peekLocked(world lsp.World) *page {
	p := l.pages[world]
	if p != nil {
		l.turns++
		p.used = l.turns
	}
	return p
}

// distrustLocked drops what was said after an epoch.
func (l *ledger) distrustLocked(epoch uint64) {
	for _, p := range l.pages {
		maps.DeleteFunc(p.said, func(_ string, s statement) bool { return s.epoch > epoch })
		if p.allEpoch > epoch {
			p.all = nil
		}
	}
}

// carryLocked makes what was said of files in one world count in another one, unless something was
// said of them in that, or they are among those that the difference of the worlds concerns.
func (l *ledger) carryLocked(from, to lsp.World, concerned map[string]bool) {
	before := l.peekLocked(from)
	if before == nil || from == to {
		return
	}
	after := l.pageLocked(to)
	for path, s := range before.said {
		if _, known := after.said[path]; !known && !concerned[path] {
			after.said[path] = s
		}
	}
}

// findingsLocked returns what the server has published or answered about all files, as of now.
func (s *stream) findingsLocked() map[string][]protocol.Diagnostic {
	all := make(map[string][]protocol.Diagnostic)
	for path, f := range s.files {
		if len(f.items) > 0 {
			all[path] = f.items
		}
	}
	return all
}

// noteAllLocked notes that the server has reported completely on all files, in the world of a turn.
func (s *stream) noteAllLocked(t *turn) {
	if t.stayed() && !t.offDisk && !s.hearing.incomplete() {
		p := s.ledger.pageLocked(t.world)
		p.all, p.allEpoch, p.size = s.findingsLocked(), s.collector.epochs.next(), s.hearing.size()
		s.ledger.shrinkLocked(maxPagesOfHeard * s.collector.opts.Heard.Bytes)
		s.allAt = s.server.Generation()
		if s.reportsAllLocked() {
			s.retellLocked(p)
		}
	}
}

// publishedLocked keeps what the ledger has of the present world up to date with what is now known of
// a file by a publish.
func (s *stream) publishedLocked(path string, f *fileState) {
	if s.server == nil {
		return
	}
	p := s.ledger.peekLocked(s.server.World())
	if p == nil {
		return
	}
	generation := s.server.Generation()
	whole := p.all != nil && generation == s.allAt
	checked := s.checksDisk && s.disk != nil && s.disk.over() && s.disk.generation == generation
	if before, known := p.said[path]; known && !before.imagined && (generation == f.generation || checked || whole && s.reportsAllLocked()) {
		before.items = f.items
		p.said[path] = before
	}
	if whole {
		p.all[path] = f.items
	}
}

// retellLocked makes what the server now says of files count on a page, also of those that it was asked
// about by themselves.
func (s *stream) retellLocked(p *page) {
	for path, before := range p.said {
		if f := s.files[path]; f != nil && !before.imagined && !s.leftOut[path] {
			before.items = f.items
			p.said[path] = before
		}
	}
}

// reportsAllLocked reports whether the server reports on all files by itself.
func (s *stream) reportsAllLocked() bool { return s.publishesAll || s.checksDisk }

// nowAll returns what the server has said of all files in its present world, by path; known is false
// if it has not done that completely.
func (s *stream) nowAll() (all map[string][]protocol.Diagnostic, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server == nil || s.ended {
		return nil, false
	}
	p := s.ledger.peekLocked(s.server.World())
	if p == nil || p.all == nil {
		return nil, false
	}
	return maps.Clone(p.all), true
}

// nowSaid returns what the server has said of a file in its present world.
func (s *stream) nowSaid(path string) (was statement, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server == nil || s.ended {
		return statement{}, false
	}
	if p := s.ledger.peekLocked(s.server.World()); p != nil {
		was, known = p.said[path]
	}
	return was, known
}
