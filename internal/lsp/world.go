package lsp

import (
	"hash/maphash"
	"maps"
	"os"
	"path/filepath"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A World identifies the texts of all files as one server process has them: those of open documents,
// and otherwise those on disk. Two worlds of a process are equal if it has the same texts in both,
// however it came to have them. Worlds of different processes are not comparable.
type World uint64

// worldSeed is that of every digest in this process.
var worldSeed = maphash.MakeSeed()

// A digest stands for a text. The zero digest stands for no file.
type digest uint64

var emptyDigest = digestOf(nil)

func digestOf(text []byte) digest { return digest(maphash.Bytes(worldSeed, text) | 1) }

// maxReadAtOnce limits the changed files that are read to learn which world they make. More of them
// make a world that never was before.
const maxReadAtOnce = 500

// worlds keeps track of the world of one server. The fields are guarded by documents.mu.
type worlds struct {
	// first are the texts of files when the server was first told of them; now are the present texts
	// of the same files. Where the server may have read a text that is not known, first has none.
	first, now map[string]digest
	sum        World
	// included are files of any language that those of the server's include by name: their content matters.
	included map[string]bool
	// moves counts the changes of the world.
	moves uint64
	// strange counts the changes of which it is not known what they changed.
	strange uint64
}

// share is what a text of a file contributes to a world: nothing if it is the first one, or if the file
// is missing or empty and a tool makes it anew.
func (w *worlds) share(path string, d digest) World {
	if isRemade(path) && (d == 0 || d == emptyDigest) {
		return 0
	}
	if first, known := w.first[path]; known && first == d {
		return 0
	}
	return mix(path, uint64(d))
}

func mix(name string, n uint64) World {
	var h maphash.Hash
	h.SetSeed(worldSeed)
	_, _ = h.WriteString(name)
	for range 8 {
		_ = h.WriteByte(byte(n))
		n >>= 8
	}
	return World(h.Sum64())
}

// knows reports whether a text of a file is noted.
func (w *worlds) knows(path string) bool {
	_, known := w.now[path]
	return known
}

// set notes the present text of a file.
func (w *worlds) set(path string, d digest) {
	w.begin()
	if first := w.first[path]; isRemade(path) && first == 0 && d != 0 {
		w.first[path] = d
	}
	before := w.sum
	if old, known := w.now[path]; known {
		w.sum ^= w.share(path, old)
	}
	w.now[path] = d
	if w.sum ^= w.share(path, d); w.sum != before {
		w.moves++
	}
}

// meet notes the first text of a file, which the server has had all the time.
func (w *worlds) meet(path string, d digest) {
	w.begin()
	w.first[path], w.now[path] = d, d
}

func (w *worlds) begin() {
	if w.now == nil {
		w.first, w.now = make(map[string]digest), make(map[string]digest)
	}
}

// toggle notes that a workspace folder was added, or removed.
func (w *worlds) toggle(folder string) {
	w.sum ^= mix(folder, 0)
	w.moves++
}

// changed notes that something changed, nobody knows what.
func (w *worlds) changed() {
	w.strange++
	w.moves++
}

func (w *worlds) world() World { return w.sum ^ World(w.strange*0x9e3779b97f4a7c15) }

// ReadingOf returns what of a file can matter to what a server says. A file of a language with which the server has nothing to do is in
// no world of the server, wherever a change of it is told; of one that it may embed, only that it is there.
// crosses says by which crossings a file comes into others; nil means that it may come by any.
func ReadingOf(d *registry.Definition, path string, crosses func(language.Crossing, string) bool) language.Reading {
	if d.Concerns(path) {
		return language.ReadsContent
	}
	return language.ReadingOf(d.Endings(), path, func(c language.Crossing) bool {
		return c != language.Frameworks && (crosses == nil || crosses(c, path)) // a tool for these lists both
	})
}

// readingLocked is ReadingOf for this server, which may know that a file is included. documents.mu is held.
func (s *Server) readingLocked(path string) language.Reading {
	if s.docs.worlds.included[path] {
		return language.ReadsContent
	}
	return ReadingOf(&s.def, path, s.opts.Crosses)
}

func (s *Server) ignoresLocked(path string) bool {
	return s.readingLocked(path) == language.ReadsNothing
}

// Includes notes files that those of the server's languages include by name, whatever language these are of.
func (s *Server) Includes(paths []string) {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	w := &s.docs.worlds
	for _, path := range paths {
		if w.included == nil {
			w.included = make(map[string]bool)
		}
		w.included[path] = true
	}
}

// digestLocked returns the digest of what of a text matters to the server. documents.mu is held.
func (s *Server) digestLocked(path string, text []byte) digest {
	if s.readingLocked(path) == language.ReadsPresence {
		return emptyDigest
	}
	return digestOf(text)
}

// meetLocked notes the text that a file has had since the server started, if nothing is noted for the
// file yet: the one on disk, unless that was put there later. documents.mu is held.
func (s *Server) meetLocked(path string) {
	w := &s.docs.worlds
	if w.knows(path) {
		return
	}
	if d, old := s.digestOnDiskLocked(path); old {
		w.meet(path, d)
	} else {
		w.set(path, d)
	}
}

// Meet notes the texts that files have, as far as these have been there since before the server started:
// later it is known which world a change of one has left.
func (s *Server) Meet(paths []string) {
	for _, path := range paths {
		s.docs.mu.Lock()
		if !s.ignoresLocked(path) {
			s.meetLocked(path)
		}
		s.docs.mu.Unlock()
	}
}

// digestOnDiskLocked returns the digest of a file on disk; old reports whether it has been there since
// before the server started, see [Server.awaitTick]. documents.mu is held.
func (s *Server) digestOnDiskLocked(path string) (d digest, old bool) {
	content, err := fspath.Read(path)
	if fspath.IsMissing(err) {
		return 0, s.wasMissing(path)
	} else if err != nil {
		return 0, false
	}
	at, err := placed(path)
	return s.digestLocked(path, protocol.Text(content)), err == nil && !at.After(s.started)
}

// wasMissing reports whether a file that is missing has been since before the server started: nothing has come to its folder, or to
// the nearest one that there is, or gone from it.
func (s *Server) wasMissing(path string) bool {
	for folder := filepath.Dir(path); ; folder = filepath.Dir(folder) {
		at, err := placed(folder)
		if err == nil {
			return !at.After(s.started)
		}
		if folder == filepath.Dir(folder) {
			return false
		}
	}
}

// shownLocked notes that the server is shown a text. documents.mu is held.
func (s *Server) shownLocked(path string, text []byte) {
	s.meetLocked(path)
	s.enterLocked(path, s.digestLocked(path, text))
}

// enterLocked notes the present text of a document, which is a change for the others if the server reads
// open documents for them. documents.mu is held.
func (s *Server) enterLocked(path string, text digest) {
	before := s.docs.worlds.moves
	s.docs.worlds.set(path, text)
	if s.docs.worlds.moves != before && !s.def.Has(registry.ReadsSaved) {
		s.docs.changedLocked(path)
	}
}

// onDiskLocked notes that the server has the text on disk for a file that is not open. documents.mu
// is held.
func (s *Server) onDiskLocked(path string) {
	d, _ := s.digestOnDiskLocked(path)
	s.docs.worlds.set(path, d)
}

// changedOnDiskLocked notes which files changed on disk. documents.mu is held.
func (s *Server) changedOnDiskLocked(events []protocol.FileEvent) {
	var texts []protocol.FileEvent
	for _, e := range events {
		if path, err := e.URI.Path(); err == nil && s.docs.open[path] == nil && !isCargoRecord(path) && !s.ignoresLocked(path) {
			texts = append(texts, e)
		}
	}
	if len(texts) > maxReadAtOnce {
		s.docs.worlds.changed()
		return
	}
	for _, e := range texts {
		path, _ := e.URI.Path()
		if !s.docs.worlds.knows(path) && e.Type == protocol.Created {
			s.docs.worlds.meet(path, 0)
		}
		s.onDiskLocked(path)
	}
}

// isRemade reports whether a tool makes a file if it is missing, which changes nothing: it stands for what
// the tool would choose.
func isRemade(path string) bool { return filepath.Base(path) == language.CargoLock }

// isCargoRecord reports whether a file is no source and in the folder into which cargo builds: what
// cargo notes there for itself, whenever rust-analyzer runs it, is a text of no world.
func isCargoRecord(path string) bool {
	if language.Is(path, language.Rust) {
		return false
	}
	for folder := filepath.Dir(path); folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		if filepath.Base(folder) == "target" {
			if _, err := os.Stat(filepath.Join(filepath.Dir(folder), language.CargoTOML)); err == nil {
				return true
			}
		}
	}
	return false
}

// World returns the world that the server is in, which follows from what it was told.
func (s *Server) World() World {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	return s.docs.worlds.world()
}

// Moves counts how often the server came into another world: what it says about one may be of another in
// which it was meanwhile.
func (s *Server) Moves() uint64 {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	return s.docs.worlds.moves
}

// WorldWith returns the world in which some files have these texts, by path, and everything else is
// as in the present one. nil stands for a file that does not exist.
func (s *Server) WorldWith(texts map[string][]byte) World {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	w := &s.docs.worlds
	texts = maps.Clone(texts)
	maps.DeleteFunc(texts, func(path string, _ []byte) bool { return s.ignoresLocked(path) })
	for path, text := range texts {
		if text == nil && !w.knows(path) {
			if d, old := s.digestOnDiskLocked(path); !old { // it came after the server started
				w.meet(path, 0)
				w.set(path, d)
			}
		}
		s.meetLocked(path)
	}
	world := w.world()
	for path, text := range texts {
		d := digest(0)
		if text != nil {
			d = s.digestLocked(path, protocol.Text(text))
		}
		world ^= w.share(path, w.now[path]) ^ w.share(path, d)
	}
	return world
}

// Disturb notes that something changed that the server reads, nobody knows what.
func (s *Server) Disturb() {
	s.RereadsDisk()
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	s.docs.worlds.changed()
}

// RereadsDisk notes that the server takes notice of files that changed on disk, those that
// [Server.FilesChanged] or a document told of: what it said before may not hold.
func (s *Server) RereadsDisk() {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	s.docs.generation++
	s.docs.outside++
	s.docs.states.changed()
}
