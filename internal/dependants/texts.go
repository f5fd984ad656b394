package dependants

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/impact"
)

// textsFor returns the texts to search for files affected by the changes; the zero Texts if a
// search is of no use for any of them.
func (s *Search) textsFor(ctx context.Context, changes []impact.Change) impact.Texts {
	if !slices.ContainsFunc(changes, func(c impact.Change) bool { return impact.SpreadsByText(c.Path) || impact.FollowsText(c.Path) }) {
		return impact.Texts{}
	}
	if s.texts == nil {
		s.texts = s.newTexts()
	}
	return s.textsOf(ctx, s.texts.read)
}

// textsNow returns the texts of the workspace.
func (f *Finder) textsNow(ctx context.Context) impact.Texts { return f.textsOf(ctx, f.newTexts().read) }

func (f *Finder) newTexts() *readTexts { return &readTexts{finder: f, texts: make(map[string][]byte)} }

func (f *Finder) textsOf(ctx context.Context, read func(path string) ([]byte, error)) impact.Texts {
	paths := func() []string {
		all, _ := f.workspace.Sources(ctx) // if ctx has ended, the caller notices
		return all
	}
	return impact.TextsOf(&f.imported, impact.Tree{
		Paths: paths, Read: read, Touched: f.touched, Ended: func() bool { return ctx.Err() != nil },
		Stamp: func(path string) (impact.Stamp, bool) {
			if _, given := f.overlay.Given(path); given {
				return impact.Stamp{}, false
			}
			return f.stamp(path)
		},
	})
}

// touched returns the files that may have changed since a mark: those that changed on disk and
// those for which somebody gave a text.
func (f *Finder) touched(mark uint64) (paths []string, now uint64, ok bool) {
	paths, now, ok = f.workspace.Touched(mark)
	return append(paths, f.overlay.AllGiven()...), now, ok
}

// stamp returns the state of a file; false if it may change without changing its stamp.
func (f *Finder) stamp(path string) (impact.Stamp, bool) {
	s, pictured := f.workspace.Stamp(path)
	if !pictured {
		if s = disk.StampNow(path); s == (disk.Stamp{}) {
			return impact.Stamp{}, false
		}
	}
	return impact.Stamp{Size: s.Size, Modified: s.Modified.UnixNano(), Change: s.Change}, time.Since(s.Modified) > unsettled
}

// unsettled is how long after a change a file may change again without changing its stamp.
const unsettled = 2 * time.Second

// readTexts are the texts of the files that a search has read, so that the files it finds are not
// read twice.
type readTexts struct {
	finder *Finder

	mu    sync.Mutex
	texts map[string][]byte
	size  int
}

// maxSearched is the size in bytes from which on a file is not searched: what no server is shown for its size or its encoding
// can still be seen to use what changes.
const maxSearched = 32 << 20

// maxReadTexts limits the total size in bytes of the texts that are kept.
const maxReadTexts = 16 << 20

// read returns the text of a file, as a caller gave it or from disk.
func (r *readTexts) read(path string) ([]byte, error) {
	if text, given := r.finder.overlay.Given(path); given {
		return text, nil
	}
	r.mu.Lock()
	text, known := r.texts[path]
	r.mu.Unlock()
	if known {
		return text, nil
	}
	text, err := r.finder.workspace.Searched(path, maxSearched)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.size += len(text); r.size <= maxReadTexts {
		r.texts[path] = text
	}
	return text, nil
}
