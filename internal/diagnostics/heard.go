package diagnostics

import (
	"fmt"
	"hash/maphash"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
)

// HeardLimits limit what is kept of the publishes of one server about files that nobody has asked about, and that are not open
// in it. What somebody asks about is kept in any case: nobody else may push it out. Zero values mean the defaults, given in
// parentheses.
type HeardLimits struct {
	// Files is how many files with findings (20,000), and how many without, are kept. Bytes is about how much memory their findings
	// may take (64 MiB), and so much again may those of files that were asked about. Of files outside of the server's root, an
	// eighth as many are kept, beside the others.
	Files, Bytes int
}

func (l HeardLimits) orDefault() HeardLimits {
	if l.Files == 0 {
		l.Files = 20_000
	}
	if l.Bytes == 0 {
		l.Bytes = 64 << 20
	}
	return l
}

// outsideShare divides the limits for files outside of the root.
const outsideShare = 8

// maxPagesOfHeard is how many times the limit for the findings of one moment those of all moments together may take.
const maxPagesOfHeard = 4

// maxForgotten limits how many files are remembered of which a publish was not kept: beyond it, nobody knows which they are.
const maxForgotten = 1 << 16

// fewItems is what is kept of a publish about a file that was asked about, where the findings of such files take too much.
const fewItems = 100

// A hearing accounts for what is kept of a server's publishes. The stream's mutex guards it. The zero hearing has heard
// nothing.
type hearing struct {
	own, inside, outside account
	// forgotten are the hashes of the paths of files with findings that were not kept; many says that there were more than can
	// be remembered.
	forgotten map[uint64]struct{}
	many      bool
}

// An account is how many files with findings, and without, are kept, and about how many bytes their findings take.
type account struct{ files, quiet, bytes int }

// heard is what a hearing knows of a file.
type heard struct {
	// own says that somebody has asked about the file, or has it open.
	own bool
	// bytes is what the last publish takes; left are the findings of it that were not kept.
	bytes, left int
	// forgotten says that a publish about the file was not kept, before somebody asked about it.
	forgotten bool
}

var pathSeed = maphash.MakeSeed()

func hashOf(path string) uint64 { return maphash.String(pathSeed, path) }

// incomplete reports whether some publish was not kept that is not outdated by now.
func (h *hearing) incomplete() bool { return len(h.forgotten) > 0 || h.many }

// size returns about how many bytes the findings take.
func (h *hearing) size() int { return h.own.bytes + h.inside.bytes + h.outside.bytes }

// kept returns how many files with findings are known by publishes alone.
func (h *hearing) kept() int { return h.inside.files + h.outside.files }

// forget notes that findings of a file were not kept.
func (h *hearing) forget(path string) {
	if h.forgotten == nil {
		h.forgotten = make(map[uint64]struct{})
	}
	if len(h.forgotten) == maxForgotten {
		h.many = true
		return
	}
	h.forgotten[hashOf(path)] = struct{}{}
}

// remembers reports whether findings of a file may not have been kept.
func (h *hearing) remembers(path string) bool {
	_, known := h.forgotten[hashOf(path)]
	return known || h.many
}

// add adds a file to an account, or, with -1, takes it out.
func (a *account) add(sign int, h *heard) {
	a.bytes += sign * h.bytes
	if h.bytes > 0 {
		a.files += sign
	} else {
		a.quiet += sign
	}
}

// accountOfLocked returns the account for a file that nobody asked about, and its limits.
func (s *stream) accountOfLocked(path string) (*account, HeardLimits) {
	limits := s.collector.opts.Heard
	if path == s.key.Root || strings.HasPrefix(path, strings.TrimSuffix(s.key.Root, string(filepath.Separator))+string(filepath.Separator)) {
		return &s.hearing.inside, limits
	}
	return &s.hearing.outside, HeardLimits{limits.Files / outsideShare, limits.Bytes / outsideShare}
}

// ownLocked notes that somebody asks about a file.
func (s *stream) ownLocked(path string, f *fileState) {
	if f.heard.own {
		return
	}
	if f.publishes > 0 {
		a, _ := s.accountOfLocked(path)
		a.add(-1, &f.heard)
	}
	f.heard.own, f.heard.forgotten = true, f.publishes == 0 && s.hearing.remembers(path)
	s.hearing.own.add(1, &f.heard)
}

// hearLocked finds room for a publish, of which it may leave out items, and returns the file's state. If there is none for a file
// that nobody asked about, nothing is known about that file any longer, and kept is false.
func (s *stream) hearLocked(p *lsp.Published) (f *fileState, kept bool) {
	f = s.files[p.Path]
	if f == nil && s.server != nil {
		if _, _, open := s.server.Document(p.Path); open {
			f = s.fileLocked(p.Path)
		}
	}
	if f != nil && f.heard.own {
		s.hearOwnLocked(f, p)
		delete(s.hearing.forgotten, hashOf(p.Path))
		return f, true
	}
	a, limits := s.accountOfLocked(p.Path)
	if f != nil {
		a.add(-1, &f.heard)
	}
	now := heard{bytes: sizeOf(p.Items), left: p.Left}
	silent := len(p.Items)+p.Left == 0
	if silent && a.quiet >= limits.Files || !silent && (a.files >= limits.Files || a.bytes+now.bytes > limits.Bytes) {
		delete(s.files, p.Path)
		s.unkeepLocked(p.Path, silent)
		return nil, false
	}
	delete(s.hearing.forgotten, hashOf(p.Path))
	if f == nil {
		f = &fileState{results: make(map[string]pullResult)}
		s.files[p.Path] = f
	}
	f.heard = now
	a.add(1, &f.heard)
	return f, true
}

// hearOwnLocked is hearLocked for a file that was asked about. Of the findings at least the first are kept.
func (s *stream) hearOwnLocked(f *fileState, p *lsp.Published) {
	a := &s.hearing.own
	a.add(-1, &f.heard)
	f.heard.left = p.Left
	if over := a.bytes+sizeOf(p.Items) > s.collector.opts.Heard.Bytes; over && len(p.Items) > fewItems {
		f.heard.left += len(p.Items) - fewItems
		p.Items = slim(p.Items[:fewItems])
	}
	f.heard.bytes = sizeOf(p.Items)
	a.add(1, &f.heard)
}

// unkeepLocked notes that a publish was not kept. If nothing was found, nothing is lost.
func (s *stream) unkeepLocked(path string, silent bool) {
	if silent {
		delete(s.hearing.forgotten, hashOf(path))
		return
	}
	s.hearing.forget(path)
	if s.server != nil {
		if p := s.ledger.peekLocked(s.server.World()); p != nil {
			p.all = nil
		}
	}
}

// unheardLocked drops what is known about a file that is gone.
func (s *stream) unheardLocked(path string) {
	delete(s.hearing.forgotten, hashOf(path))
	f := s.files[path]
	if f == nil {
		return
	}
	a, _ := s.accountOfLocked(path)
	if f.heard.own {
		a = &s.hearing.own
	}
	a.add(-1, &f.heard)
	delete(s.files, path)
}

// sizeOf returns about how many bytes findings take in memory.
func sizeOf(items []protocol.Diagnostic) (size int) {
	const each = 256 // the structure and its short texts
	for i := range items {
		size += each + len(items[i].Raw) + len(items[i].Message)
		for j := range items[i].Related {
			size += each + len(items[i].Related[j].Message)
		}
	}
	return size
}

// admit makes an answer partial that is what the server published about a file, where not all of that was kept.
func (s *stream) admit(path string, a *Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[path]
	if f == nil { // the server has ended since
		f = &fileState{publishes: 1}
	}
	if f.asked || a.Freshness != Fresh {
		return
	}
	switch left := max(a.left, f.heard.left); {
	case left > 0:
		a.Reason = fmt.Sprintf("it found more than is kept of one file (%d others)", left)
	case f.heard.forgotten && f.publishes == 0:
		a.Reason = "what it found before anybody asked about this file was not kept, as it found something in too many"
	default:
		return
	}
	a.Freshness, a.quiet = Partial, true
}

// Unkept says, for each running server that published about more files than are kept, that its other findings are not known.
func (c *Collector) Unkept() (reasons []string) {
	for _, s := range c.allStreams() {
		if reason := s.unkept(); reason != "" {
			reasons = append(reasons, reason)
		}
	}
	return reasons
}

// unkeptBy is Unkept for the servers of some files.
func (c *Collector) unkeptBy(files []File) (reasons []string) {
	asked := make(map[Key]bool)
	for _, f := range files {
		for _, source := range f.Sources {
			asked[source.Key] = true
		}
	}
	for _, s := range c.allStreams() {
		if reason := s.unkept(); asked[s.key] && reason != "" {
			reasons = append(reasons, reason)
		}
	}
	return reasons
}

// unkept says that not all files are known in which the server found something; "" if they are.
func (s *stream) unkept() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || !s.hearing.incomplete() {
		return ""
	}
	return fmt.Sprintf("what is wrong in all other files: %s published errors for more files than are kept (%d)", s.key.ID, s.hearing.kept())
}
