package workspace

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"golang.org/x/sync/semaphore"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/registry"
)

// A Sample is one file of the workspace, chosen for all files that a server serves.
type Sample struct {
	Candidate roots.Candidate
	// Path is absolute; Files is how many files it stands for.
	Path  string
	Files int
	// files are those that it stands for.
	files []string
	// projects are the roots that they are in, each with its files.
	projects []Sample
}

// maxScanned bounds the files and the size of each that [Sample.Mentioning] reads.
const (
	maxScanned     = 5000
	maxScannedSize = 1 << 20
)

// Mentioning returns a file of the sample's server that contains a text, ignoring case; "" if
// none does. If there are more files than are read it may return Path, as one of the others may
// contain it.
func (s *Sample) Mentioning(ctx context.Context, text string) string {
	found, all := s.mentioning(ctx, text, 1)
	switch {
	case len(found) > 0:
		return found[0]
	case !all:
		return s.Path
	}
	return ""
}

// AllMentioning returns files of the sample's server that contain a text, ignoring case; at most
// most of them, among those that are read.
func (s *Sample) AllMentioning(ctx context.Context, text string, most int) []string {
	found, _ := s.mentioning(ctx, text, most)
	return found
}

// Projects returns a file of each project that has one which contains a text, ignoring case, if the sample's server judges several
// projects: at most most of them. more says that there are others, or may be.
func (s *Sample) Projects(ctx context.Context, text string, most int) (found []Sample, more bool) {
	if len(s.projects) < 2 {
		return nil, false
	}
	for _, p := range s.projects {
		mentioning, all := p.mentioning(ctx, text, 1)
		if len(mentioning) == 0 {
			more = more || !all
			continue
		}
		if len(found) == most {
			return found, true
		}
		found = append(found, Sample{Candidate: p.Candidate, Path: mentioning[0]})
	}
	return found, more
}

func (s *Sample) mentioning(ctx context.Context, text string, most int) (found []string, all bool) {
	wanted := bytes.ToLower([]byte(text))
	for i, path := range s.files {
		if i == maxScanned || ctx.Err() != nil {
			return found, false
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxScannedSize {
			continue
		}
		if content, err := fspath.Read(path); err == nil && bytes.Contains(bytes.ToLower(content), wanted) {
			if found = append(found, path); len(found) == most {
				return found, false
			}
		}
	}
	return found, true
}

// samples remembers what the workspace holds.
type samples struct {
	// turn is held by who looks for them.
	turn  *semaphore.Weighted
	found []Sample
	at    time.Time
	// known says that no file came or went since. It is no part of what turn guards:
	// who looks at the disk may not wait for that.
	known atomic.Bool
}

// Samples returns one file for each server that the files of the workspace
// need, those of code and for the most files first; with a language, an LSP language id,
// only servers of that. It looks at names alone, and again when a look at the
// disk found a new file or a deleted one, or after ten seconds.
func (w *Workspace) Samples(ctx context.Context, language string) ([]Sample, error) {
	if err := w.samples.turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer w.samples.turn.Release(1)
	if now := w.opts.Now(); !w.samples.known.Swap(true) || now.Sub(w.samples.at) > 10*time.Second {
		found, err := w.sample(ctx)
		if err != nil {
			w.samples.known.Store(false)
			return nil, err
		}
		w.samples.found, w.samples.at = found, now
	}
	var wanted []Sample
	for _, s := range w.samples.found {
		if speaks(&s.Candidate.Definition, language) {
			wanted = append(wanted, s)
		}
	}
	return wanted, nil
}

// addProject notes that files belong to the project of a candidate.
func (s *Sample) addProject(c roots.Candidate, files []string) {
	i := slices.IndexFunc(s.projects, func(p Sample) bool { return p.Candidate.Root == c.Root })
	if i < 0 {
		i = len(s.projects)
		s.projects = append(s.projects, Sample{Candidate: c})
	}
	s.projects[i].files = append(s.projects[i].files, files...)
}

// speaks reports whether a server knows a language; every one knows "".
func speaks(d *registry.Definition, language string) bool {
	return language == "" || slices.ContainsFunc(d.Languages, func(l registry.Language) bool { return strings.EqualFold(l.ID, language) })
}

func (w *Workspace) sample(ctx context.Context) ([]Sample, error) {
	files, err := w.listed(ctx)
	if err != nil {
		return nil, err
	}
	type kind struct{ folder, ending string }
	members := make(map[kind][]string)
	var first []string // of each kind
	for _, path := range files {
		k := kind{filepath.Dir(path), filepath.Ext(path)}
		if len(members[k]) == 0 {
			if _, err := os.Stat(path); err != nil { // git still has it
				continue
			}
			first = append(first, path)
		}
		members[k] = append(members[k], path)
	}
	byKey := make(map[roots.Key]int) // index into found
	found := []Sample{}
	for _, path := range first {
		all := members[kind{filepath.Dir(path), filepath.Ext(path)}]
		for _, c := range roots.Missed(w.Candidates(path)) {
			if c.Definition.Role != registry.Primary {
				continue
			}
			i, known := byKey[c.Key()]
			if !known {
				i = len(found)
				byKey[c.Key()] = i
				found = append(found, Sample{Candidate: c, Path: path})
			}
			found[i].Files += len(all)
			found[i].files = append(found[i].files, all...)
			found[i].addProject(c, all)
		}
	}
	slices.SortStableFunc(found, func(a, b Sample) int {
		if optional := a.Candidate.Definition.Optional; optional != b.Candidate.Definition.Optional {
			return map[bool]int{false: -1, true: 1}[optional]
		}
		return cmp.Compare(b.Files, a.Files)
	})
	return found, nil
}

// Files returns every file below the root: those that git tracks or does not ignore, those that it ignores although their
// projects include them, in submodules as well, and those of other checkouts below the root that somebody asked about. Without a checkout or without git,
// these are the files that a sweep looks at.
func (w *Workspace) Files(ctx context.Context) ([]string, error) {
	var included []string
	var asking guard.Group
	asking.Go(func() { included, _ = w.git.Included(ctx) }) // without git, all files are listed
	files, err := w.listed(ctx)
	asking.Wait()
	if err != nil {
		return nil, err
	}
	files = append(files, included...)
	for _, checkout := range w.visited() {
		if more, err := w.git.FilesIn(ctx, checkout); err == nil { // else it is gone, or none of git's
			files = append(files, more...)
		}
	}
	if len(included) > 0 || len(w.visited()) > 0 {
		slices.Sort(files)
		files = slices.Compact(files)
	}
	return files, ctx.Err()
}

// listed returns the files below the root that git tracks or does not ignore or, without a checkout or without git, those that
// a sweep looks at.
func (w *Workspace) listed(ctx context.Context) ([]string, error) {
	files, err := w.git.AllFiles(ctx)
	if err != nil {
		if err := w.Remember(ctx); err != nil {
			return nil, err
		}
		if files, err = w.pictured(ctx); err != nil {
			return nil, err
		}
	}
	return files, ctx.Err()
}

// pictured returns the files in the picture of the tree, sorted.
func (w *Workspace) pictured(ctx context.Context) ([]string, error) {
	var paths []string
	err := w.inTurn(ctx, func() {
		for dir, f := range w.tree.Folders() {
			for name := range f.Files {
				paths = append(paths, filepath.Join(dir, name))
			}
		}
	})
	if err != nil {
		return nil, err // who is late still fills paths
	}
	slices.Sort(paths)
	return paths, nil
}
