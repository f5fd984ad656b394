package diagnostics

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
)

// A Moment is what servers say of the texts that files had at some point in time, as far as it is
// known. Later findings can be compared with it. It is a value: nothing that happens later changes it.
type Moment struct {
	epoch uint64
	// worlds are the texts, as each server numbers them; streams are those of these servers.
	worlds  map[Key]lsp.World
	streams map[Key]*stream
	// all are the findings of servers that reported completely on all files with these texts, by
	// path. said are the complete answers about single files.
	all  map[Key]map[string][]protocol.Diagnostic
	said map[Key]map[string]statement
	// texts are the former texts of the files that have others now, nil for one that did not exist.
	texts map[string][]byte
	// imagined says that files were shown at that time that are no longer on disk; real is what
	// was known before that.
	imagined bool
	real     *Moment
	// nearest is the moment at which only those of the texts were former ones that servers can be shown;
	// nil if they can be shown all. covers and lacked say for what it counts; see [Moment.Nearest].
	nearest *Moment
	covers  func(key Key, path string) bool
	lacked  func(path string, d protocol.Diagnostic) bool
	// missing is the moment at which files were missing for which servers were shown something.
	missing *Moment
}

// Now returns the present moment, with which later findings can be compared; see Request.Since.
func (c *Collector) Now() *Moment { return c.At(nil) }

// At returns the moment at which some files had these texts, by path, nil for one that did not exist,
// and everything else was as it is now. It follows from what servers have said of these texts,
// whenever that was.
func (c *Collector) At(texts map[string][]byte) *Moment { return c.AtWith(texts, nil) }

// AtWith returns the moment at which some files had these texts, as [Collector.At] does, and others, which are
// unchanged, the texts of same, although servers may not have been told of these yet.
func (c *Collector) AtWith(texts, same map[string][]byte) *Moment {
	return c.AtEach(texts, func(Key) map[string][]byte { return texts }, same)
}

// Included are the former texts of files that others include by name, nil for one that did not exist, and the servers of
// these others, which are the only ones that read the files.
type Included struct {
	Texts map[string][]byte
	By    map[Key]bool
}

// AtEach returns the moment at which files had those of these texts that shown returns for a server, as far as that server is
// concerned, and others, which are unchanged, the texts of same.
func (c *Collector) AtEach(texts map[string][]byte, shown func(Key) map[string][]byte, same map[string][]byte) *Moment {
	m := &Moment{
		epoch: c.Epoch(), worlds: make(map[Key]lsp.World), streams: make(map[Key]*stream), texts: texts,
		all: make(map[Key]map[string][]protocol.Diagnostic), said: make(map[Key]map[string]statement),
	}
	for _, s := range c.allStreams() {
		all := make(map[string][]byte, len(texts)+len(same))
		maps.Copy(all, same)
		maps.Copy(all, shown(s.key))
		s.atLocked(m, all)
	}
	return m
}

// atLocked adds to a moment what the server has said of its texts, which are all that may differ from those that
// the server has.
func (s *stream) atLocked(m *Moment, all map[string][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server == nil || s.ended {
		return
	}
	m.worlds[s.key], m.streams[s.key] = s.server.WorldWith(all), s
	s.readLocked(m)
}

// readLocked takes into a moment what the server has said of its texts until now.
func (s *stream) readLocked(m *Moment) {
	if p := s.ledger.peekLocked(m.worlds[s.key]); p != nil {
		m.said[s.key] = p.certain()
		if p.all != nil {
			m.all[s.key] = maps.Clone(p.all)
		}
	}
}

// Untold returns the contents of those of some files of which a server has another text: it was changed on
// disk since, and the server has not been told yet.
func (c *Collector) Untold(files []File) map[string][]byte {
	untold := make(map[string][]byte)
	for i := range files {
		f := &files[i]
		if slices.ContainsFunc(f.Sources, func(source Source) bool { return c.stream(source.Key).hasOther(f.Path, f.Content) }) {
			untold[f.Path] = f.Content
		}
	}
	return untold
}

func (s *stream) hasOther(path string, text []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.server != nil && !s.ended && s.server.WorldWith(map[string][]byte{path: text}) != s.server.World()
}

// Reread returns the same moment with what servers have said of it until an epoch.
func (m *Moment) Reread(epoch uint64) *Moment {
	now := *m
	now.epoch = epoch
	now.said, now.all = maps.Clone(m.said), maps.Clone(m.all)
	for _, s := range m.streams {
		s.mu.Lock()
		s.readLocked(&now)
		s.mu.Unlock()
	}
	return &now
}

// Never returns the moment of which nothing is known.
func (c *Collector) Never() *Moment { return &Moment{epoch: c.Epoch()} }

// Nearest notes the moment that counts if it is not known what was said at this one, because servers cannot be shown all of its
// texts: for files that changed themselves, and for those of which covers reports that what a server says of them does not depend on
// the other texts. lacked reports of a finding at that moment that it only comes of a file that is gone by now, so that it was not
// there at this one.
func (m *Moment) Nearest(other *Moment, covers func(key Key, path string) bool, lacked func(path string, d protocol.Diagnostic) bool) {
	m.nearest, m.covers, m.lacked = other, covers, lacked
}

// allOf returns what a server said at that moment of a file, if it had reported completely on all files; told says that it had said
// something of this one.
func (m *Moment) allOf(key Key, path string) (items []protocol.Diagnostic, told, known bool) {
	all, known := m.all[key]
	if !known && m.nearest != nil && m.covers(key, path) {
		items, told, known = m.nearest.allOf(key, path)
		return m.withoutLacked(path, items), told, known
	}
	items, told = all[path]
	return items, told, known
}

// withoutLacked returns the findings of the nearest moment that were there at this one.
func (m *Moment) withoutLacked(path string, items []protocol.Diagnostic) []protocol.Diagnostic {
	return slices.DeleteFunc(slices.Clone(items), func(d protocol.Diagnostic) bool { return m.lacked(path, d) })
}

// toldOf returns the files on which a server had reported at that moment, with what it said.
func (m *Moment) toldOf(key Key) map[string][]protocol.Diagnostic {
	if all, known := m.all[key]; known || m.nearest == nil {
		return all
	}
	told := make(map[string][]protocol.Diagnostic)
	for path, items := range m.nearest.all[key] {
		if m.covers(key, path) {
			told[path] = m.withoutLacked(path, items)
		}
	}
	return told
}

// Missing notes the same moment with files missing that did not exist: what servers said then counts,
// and not what they said while they were shown something in their place.
func (m *Moment) Missing(other *Moment) { m.missing = other }

// Imagined notes that files were shown at that moment that are no longer on disk: what was wrong
// then is not known for sure, unless the same was wrong at an earlier moment without such files.
func (m *Moment) Imagined(before *Moment) { m.imagined, m.real = true, before }

// priorOf returns what a server had reported about a file.
func (m *Moment) priorOf(key Key, f File) prior {
	if f.NoFormer {
		return prior{}
	}
	path := cmp.Or(f.From, f.Path)
	was, known := m.said[key][path]
	if m.missing != nil {
		if then, said := m.missing.said[key][path]; said {
			was, known = then, true
		}
	}
	if !known && f.Created { // whatever file the server was shown at that path
		return prior{known: true}
	}
	text := f.former()
	if known {
		p := prior{known: true, text: text, items: was.items, quick: was.quick, imagined: was.imagined}
		if m.real != nil {
			p.sure = m.real.provenOf(key, path, text)
		}
		return p
	}
	if m.nearest != nil {
		if _, shown := m.nearest.texts[path]; f.Former != nil && shown || m.covers(key, path) {
			p := m.nearest.priorOf(key, f)
			p.items, p.quick = m.withoutLacked(path, p.items), m.withoutLacked(path, p.quick)
			return p
		}
	}
	if items, told := m.all[key]; told && f.Reported {
		return prior{known: true, items: items[path], imagined: m.imagined}
	}
	return prior{}
}

// former returns the file's text in the baseline.
func (f *File) former() []byte {
	if f.Former != nil {
		return f.Former
	}
	return f.Content
}

// provenOf returns what a server had reported about a file with this text, while all files were as
// they are on disk.
func (m *Moment) provenOf(key Key, path string, text []byte) []protocol.Diagnostic {
	was, known := m.said[key][path]
	then, changed := m.texts[path]
	if !known || was.imagined || changed && !bytes.Equal(then, text) {
		return nil
	}
	return was.items
}

// really returns what a server had reported about a file before files were imagined.
func (m *Moment) really(key Key, path string) []protocol.Diagnostic {
	if m.real == nil || m.real.imagined {
		return nil
	}
	return m.real.all[key][path]
}

// Knows reports whether every server has said what is wrong with f, while f has its Content, other
// files have these texts, by path, and everything else is as it is now. If wide, the servers must
// have reported completely on all files with these texts as well.
func (c *Collector) Knows(texts map[string][]byte, f File, wide bool) bool {
	with := maps.Clone(texts)
	if with == nil {
		with = make(map[string][]byte)
	}
	with[f.Path] = f.Content
	for _, source := range f.Sources {
		if !c.stream(source.Key).knows(with, f.Path, wide) {
			return false
		}
	}
	return true
}

func (s *stream) knows(texts map[string][]byte, path string, wide bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server == nil || s.ended {
		return false
	}
	p := s.ledger.peekLocked(s.server.WorldWith(texts))
	if p == nil {
		return false
	}
	was, known := p.said[path]
	return known && (!wide || p.all != nil) && (!was.imagined || isAnyGone(texts))
}

// isAnyGone reports whether one of the files that have texts is not on disk.
func isAnyGone(texts map[string][]byte) bool {
	for path, text := range texts {
		if text != nil && fspath.Missing(path) {
			return true
		}
	}
	return false
}

// Reports reports whether a server has reported completely on all files while some had these texts,
// by path, and all others were as they are now.
func (c *Collector) Reports(texts map[string][]byte, key Key) bool {
	s := c.stream(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server == nil || s.ended {
		return false
	}
	p := s.ledger.peekLocked(s.server.WorldWith(texts))
	return p != nil && p.all != nil
}

// Carry makes what servers said of files while some had these texts count for the present texts as
// well, except for files that the difference may concern: it is known of all others that nothing has
// changed for them.
func (c *Collector) Carry(texts map[string][]byte, concerned []string) {
	which := make(map[string]bool, len(concerned)+len(texts))
	for _, path := range concerned {
		which[path] = true
	}
	for path := range texts {
		which[path] = true
	}
	for _, s := range c.allStreams() {
		s.mu.Lock()
		if s.server != nil && !s.ended {
			s.ledger.carryLocked(s.server.WorldWith(texts), s.server.World(), which)
		}
		s.mu.Unlock()
	}
}

// Distrust drops what servers have said since an epoch: it turned out that they may have read other
// texts than they were known to have.
func (c *Collector) Distrust(epoch uint64) {
	for _, s := range c.allStreams() {
		s.mu.Lock()
		s.ledger.distrustLocked(epoch)
		s.mu.Unlock()
	}
}
