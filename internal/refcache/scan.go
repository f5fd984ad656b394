package refcache

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/refcache/store"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// Bounds of what is looked at in a workspace. In a larger one nothing is kept.
const (
	maxFiles   = 500_000  // that matter
	maxEntries = 4 << 20  // of folders
	maxText    = 64 << 20 // bytes of a file
)

// settles returns when every later change of a file gets another time than this one: the clocks of file systems tick every
// few milliseconds or, where they do not count below seconds, every two.
func settles(touched time.Time) time.Time {
	if touched.Nanosecond()%int(time.Millisecond) != 0 {
		return touched.Add(20 * time.Millisecond)
	}
	return touched.Add(2 * time.Second)
}

// A scan is what the files of a workspace say, all of them, as they were while it was made.
type scan struct {
	// all is the digest of the files that matter to any server, by their paths and texts; code that of those that decide
	// what the servers say whose world is known.
	all, code string
	// hashes are the SHA-256 of the texts of the files that matter, in hexadecimal digits, by their paths relative to the
	// root, with slashes.
	hashes map[string]string
	// searchers are the ids of the servers that a name may be searched in.
	searchers map[string]bool
	// manifests are the paths of the files by which projects say what they need.
	manifests []string
	// special names a file that depends on more than what is digested, "" if there is none. Those in aside do so, too, but no server
	// reads them unless they are asked about, or may use what is asked about.
	special string
	aside   []string
	// settled is when every later change of one of the files, or of the folders, gets another time than it has now.
	settled time.Time
	// unheard says that there are files that matter in folders of which no look at the disk tells.
	unheard bool
}

// A scanner makes scans. It keeps in mind what it has read, so that it reads files again only if they look different. It is
// for one scan at a time.
type scanner struct {
	workspace *workspace.Workspace
	// servers are those whose world is known.
	servers []*registry.Definition
	// now is the clock.
	now func() time.Time
	// names are what is known of the names of files.
	names map[string]kind

	// known is what was found out about files, by their paths relative to the root; nil before the first scan.
	known map[string]store.Stat
	// fresh are those of known that are not in the store yet, gone those in the store that are no longer there.
	fresh map[string]store.Stat
	gone  []string
}

// A kind is what the name of a file tells.
type kind struct {
	// matters says that such files may decide anything; decides that they decide what servers say whose world is known.
	matters, decides bool
	// searchers are the ids of the servers that answer questions about symbols of such files.
	searchers []string
}

// errTooMuch says that a workspace is too large.
var errTooMuch = errors.New("the workspace has too many files")

// A run is one scan in progress.
type run struct {
	*scanner
	ctx       context.Context
	result    scan
	all, code hash.Hash
	entries   int
	seen      map[string]bool
}

// scan reads what has changed since the last scan, and returns what the files say now. If it cannot be complete, for whatever reason,
// that is an error.
func (s *scanner) scan(ctx context.Context) (*scan, error) {
	if s.known == nil {
		s.known = make(map[string]store.Stat)
	}
	if s.names == nil || len(s.names) > maxFiles {
		s.names = make(map[string]kind)
	}
	if s.fresh == nil {
		s.fresh = make(map[string]store.Stat)
	}
	r := &run{scanner: s, ctx: ctx, all: sha256.New(), code: sha256.New(), seen: make(map[string]bool)}
	r.result.hashes, r.result.searchers = make(map[string]string), make(map[string]bool)
	if err := r.folder(""); err != nil {
		return nil, err
	}
	if err := r.excluded(); err != nil {
		return nil, err
	}
	for name := range s.known {
		if !r.seen[name] {
			delete(s.known, name)
			delete(s.fresh, name)
			s.gone = append(s.gone, name)
		}
	}
	r.result.all, r.result.code = hex.EncodeToString(r.all.Sum(nil)), hex.EncodeToString(r.code.Sum(nil))
	return &r.result, nil
}

// unsaved returns what the store does not have yet, and forgets it.
func (s *scanner) unsaved() (files map[string]store.Stat, gone []string) {
	files, gone = s.fresh, s.gone
	s.fresh, s.gone = nil, nil
	return files, gone
}

// metadata is the folder of git, of which no server reads anything.
const metadata = ".git"

// folder scans a folder, relative to the root with slashes; "" is the root.
func (r *run) folder(name string) error {
	dir := filepath.Join(r.workspace.Root(), filepath.FromSlash(name))
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	r.touch(info)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if r.entries += len(entries); r.entries > maxEntries {
		return errTooMuch
	}
	if err := r.ctx.Err(); err != nil {
		return err
	}
	for _, e := range entries {
		at := path.Join(name, e.Name())
		switch {
		case e.Name() == metadata: // of the repository, or where it is
		case e.IsDir():
			err = r.folder(at)
		case e.Type()&fs.ModeSymlink != 0:
			err = r.link(at)
		case e.Type().IsRegular() && r.kindOf(e.Name()).matters:
			err = r.file(at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// kindOf returns what the name of a file tells.
func (r *run) kindOf(name string) kind {
	known, ok := r.names[name]
	if !ok {
		known.decides = slices.ContainsFunc(r.servers, func(d *registry.Definition) bool { return workspace.Reads(d, name) })
		known.matters = known.decides || r.workspace.Matters(name)
		known.searchers = r.workspace.Searchers(name)
		r.names[name] = known
	}
	return known
}

// link digests where a link leads; what is there, too, if it is a file that matters.
func (r *run) link(name string) error {
	file := filepath.Join(r.workspace.Root(), filepath.FromSlash(name))
	target, err := os.Readlink(file)
	if err != nil {
		return err
	}
	info, err := os.Stat(file)
	switch {
	case err != nil:
		target += " (nothing)"
	case info.Mode().IsRegular():
		if !r.kindOf(path.Base(name)).matters {
			return nil
		}
		if err := r.file(name); err != nil {
			return err
		}
		r.result.unheard = r.result.unheard || !r.isInside(file)
	case !info.IsDir():
		return nil
	default: // what is in a folder of the workspace is digested there
		if !r.isInside(file) {
			r.result.special = name
		}
	}
	for _, into := range []hash.Hash{r.all, r.code} {
		fmt.Fprintf(into, "%q -> %q\n", name, filepath.ToSlash(target))
	}
	return nil
}

// isInside reports whether a link leads to what is in the workspace.
func (r *run) isInside(file string) bool {
	real, err := filepath.EvalSymlinks(file)
	return err == nil && fspath.Below(r.workspace.Root(), real)
}

// touch notes when something changed.
func (r *run) touch(info fs.FileInfo) {
	if settled := settles(fspath.Touched(info)); settled.After(r.result.settled) {
		r.result.settled = settled
	}
}

// file digests a file.
func (r *run) file(name string) error {
	if len(r.seen) >= maxFiles {
		return errTooMuch
	}
	if err := r.ctx.Err(); err != nil {
		return err
	}
	file := filepath.Join(r.workspace.Root(), filepath.FromSlash(name))
	is, err := r.read(name, file)
	if err != nil {
		return err
	}
	r.seen[name] = true
	r.result.hashes[name] = is.Hash
	fmt.Fprintf(r.all, "%q %s\n", name, is.Hash)
	base := path.Base(name)
	of := r.kindOf(base)
	for _, id := range of.searchers {
		r.result.searchers[id] = true
	}
	if of.decides {
		fmt.Fprintf(r.code, "%q %s\n", name, is.Hash)
		switch {
		case is.Special && project.IsLeftOut(name):
			r.result.aside = append(r.result.aside, name)
		case is.Special:
			r.result.special = name
		}
	}
	if project.NamesLibraries(base) {
		r.result.manifests = append(r.result.manifests, file)
	}
	r.result.unheard = r.result.unheard || r.workspace.LeavesAlone(file)
	return nil
}

// read returns what a file says now: without reading it if it looks as it did.
func (r *run) read(name, file string) (is store.Stat, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return is, err
	}
	r.touch(info)
	if fspath.Links(info) > 1 && r.kindOf(path.Base(name)).decides {
		r.result.unheard = true // what is written by another name, which may be elsewhere, nobody hears of
	}
	is = store.Stat{Size: info.Size(), Modified: info.ModTime().UnixNano(), Change: fspath.Change(info)}
	if known, ok := r.known[name]; ok && known.Size == is.Size && known.Modified == is.Modified && known.Change == is.Change {
		return known, nil
	}
	if info.Size() > maxText {
		return is, fmt.Errorf("%s: %w", name, fspath.ErrTooLarge)
	}
	began := r.now()
	text, err := fspath.Read(file)
	if err != nil {
		return is, err
	}
	sum := sha256.Sum256(text)
	is.Hash, is.Special = hex.EncodeToString(sum[:]), r.isSpecial(name, text)
	if after, err := os.Stat(file); err != nil || after.Size() != info.Size() || !after.ModTime().Equal(info.ModTime()) || fspath.Change(after) != is.Change || int64(len(text)) != is.Size {
		return is, fmt.Errorf("%s changes while it is read", name)
	}
	// What changed a moment ago may change again without looking different: it is read again next time.
	if settles(fspath.Touched(info)).Before(began) {
		r.known[name], r.fresh[name] = is, is
	} else if _, ok := r.known[name]; ok {
		delete(r.known, name)
		delete(r.fresh, name)
		r.gone = append(r.gone, name)
	}
	return is, nil
}

// isSpecial reports whether what a text means depends on more than what is digested. The store keeps the answer: whoever changes what
// it depends on raises [store.Version].
func (r *run) isSpecial(name string, text []byte) bool {
	for _, d := range r.servers {
		if d.World == registry.GoWorld && project.DependsOnC(name, text) {
			return true
		}
	}
	return false
}

// excluded digests which files git leaves out besides those that files of the workspace name.
func (r *run) excluded() error {
	file := filepath.Join(r.workspace.Root(), metadata, "info", "exclude")
	text, err := fspath.Read(file)
	if err != nil {
		text = nil // there is none, or the repository is elsewhere
	}
	for _, into := range []hash.Hash{r.all, r.code} {
		fmt.Fprintf(into, "excluded %q\n", text)
	}
	return nil
}
