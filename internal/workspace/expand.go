package workspace

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/project"
)

// Expand returns the files that names stand for, in their order, each once: a folder, or
// "folder/...", stands for the files in it that git does not ignore and that a server
// knows, a glob for those that it matches, anything else for itself. What is called like a part of a
// glob is meant by that part: app/[slug]/*.ts are the files in the folder [slug]. A folder or glob
// without such a file is a *NotDiagnosedError. Relative names are taken from base.
func (w *Workspace) Expand(ctx context.Context, base string, names []string) ([]string, error) {
	var files, all []string
	seen := make(map[string]bool)
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			files = append(files, name)
		}
	}
	for _, name := range names {
		matches := w.matcher(base, name)
		if matches == nil {
			add(name)
			continue
		}
		if all == nil {
			var err error
			if all, err = w.known(ctx); err != nil {
				return nil, err
			}
		}
		found := false
		for _, path := range all {
			if matches(path) {
				found = true
				add(path)
			}
		}
		if !found {
			return nil, &NotDiagnosedError{name, "no server knows a file in it", "name files; status lists the servers", false}
		}
	}
	return files, nil
}

// known returns the files below the root that a server is missed for or knows.
func (w *Workspace) known(ctx context.Context) ([]string, error) {
	files, err := w.git.AllFiles(ctx)
	if err != nil {
		files, err = w.unversioned(ctx)
	}
	if err != nil {
		files, err = w.onDisk(ctx)
	}
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	detection := w.Detection()
	return slices.DeleteFunc(files, func(path string) bool {
		if w.skipped(path) != "" || len(roots.Missed(detection.Candidates(path))) == 0 {
			return true
		}
		info, err := os.Stat(path)
		return err != nil || !info.Mode().IsRegular()
	}), nil
}

// unversioned returns the files below a root that is in no checkout, without those that
// ignore files name.
func (w *Workspace) unversioned(ctx context.Context) ([]string, error) {
	files, nested, err := w.git.NotIgnored(ctx)
	if err != nil || len(nested) == 0 {
		return files, err
	}
	there, err := w.onDisk(ctx)
	for _, path := range there {
		if slices.ContainsFunc(nested, func(folder string) bool { return fspath.Below(folder, path) }) {
			files = append(files, path)
		}
	}
	return files, err
}

// onDisk returns the files that a sweep looks at, as they are now: the picture is that of the last
// sweep.
func (w *Workspace) onDisk(ctx context.Context) ([]string, error) {
	return w.walk(ctx, disk.MaxFiles, func(string) bool { return false })
}

// walk returns the first files below the root that a sweep looks at and that are in no folder that is without.
func (w *Workspace) walk(ctx context.Context, most int, without func(folder string) bool) (files []string, err error) {
	err = filepath.WalkDir(w.root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // it is gone, or may not be read
			return nil
		case e.IsDir() && path != w.root && (w.skipped(path) != "" || project.HoldsNow(path) != project.HoldsFiles || without(path)):
			return filepath.SkipDir
		case e.IsDir() || !w.matters(e.Name()):
			return nil
		case len(files) == most:
			return filepath.SkipAll
		}
		files = append(files, path)
		return nil
	})
	return files, err
}

// matcher returns what tells the files that a name stands for, or nil if it is the name
// of one file.
func (w *Workspace) matcher(base, name string) func(path string) bool {
	absolute := filepath.FromSlash(name)
	if !filepath.IsAbs(absolute) {
		absolute = filepath.Join(base, absolute)
	}
	if folder, recursive := strings.CutSuffix(absolute, string(filepath.Separator)+"..."); recursive {
		absolute = folder
	}
	var info fs.FileInfo
	resolved, err := fspath.Follow(filepath.Clean(absolute))
	if err == nil {
		info, err = os.Stat(resolved)
	}
	switch { // no file on Windows may have the name of a glob, which is another error than that it is not there
	case err == nil && info.IsDir():
		return func(path string) bool { return fspath.Below(resolved, path) }
	case err == nil || !strings.ContainsAny(name, "*?[{"):
		return nil
	}
	if pattern := newGlob(absolute); pattern != nil {
		return pattern.matches
	}
	return nil
}
