package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
	"github.com/bmatcuk/doublestar/v4"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/fspath"
)

// Resolve returns the absolute, cleaned path behind path with all symbolic
// links resolved, as far as it exists. A relative path is taken from base; a
// file: URI is the path that it names. A path outside the root is an
// *OutsideWorkspaceError. From then on, the files of the checkout that a path is in
// are among [Workspace.Files].
func (w *Workspace) Resolve(base, path string) (string, error) {
	resolved, err := w.resolve(base, path)
	if err == nil {
		w.visit(resolved)
	}
	return resolved, err
}

func (w *Workspace) resolve(base, path string) (string, error) {
	named := path
	path, err := fspath.Named(base, path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", named, err)
	}
	resolved, err := fspath.Follow(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", named, err)
	}
	if !fspath.Below(w.root, resolved) {
		outside := &OutsideWorkspaceError{Path: named, Root: w.root}
		if resolved != path && fspath.Below(w.root, path) {
			outside.Target = resolved
		}
		return "", outside
	}
	// A link to nothing is itself what is missing.
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if parent, err := fspath.Follow(filepath.Dir(path)); err == nil && fspath.Below(w.root, parent) {
			return filepath.Join(parent, filepath.Base(path)), nil
		}
	}
	return resolved, nil
}

// Contains reports whether an absolute path is the root or below it.
func (w *Workspace) Contains(path string) bool { return fspath.Below(w.root, path) }

// Relative returns path relative to the root, with slashes, for people.
func (w *Workspace) Relative(path string) string { return fspath.Relative(w.root, path) }

// Read returns the content of the file at a resolved path, if the file is one that is diagnosed.
// Otherwise the error is a *NotFoundError or a *NotDiagnosedError.
func (w *Workspace) Read(path string) ([]byte, error) {
	content, err := w.Searched(path, w.opts.MaxFileBytes)
	if err != nil {
		return nil, err
	}
	return content, w.Diagnosable(path, content)
}

// Searched is Read for a text that is only searched, and so may be in any encoding: the limit on its size, in bytes, is the
// caller's.
func (w *Workspace) Searched(path string, limit int64) ([]byte, error) {
	if reason := w.skipped(path); reason != "" {
		return nil, &NotDiagnosedError{path, reason, "name another file", false}
	}
	info, err := os.Stat(path)
	switch {
	case fspath.IsMissing(err):
		near := nearest(path)
		if len(near) == 0 {
			near = w.ofSameName(path)
		}
		return nil, &NotFoundError{Path: path, Nearest: near}
	case err != nil:
		return nil, unreadable(path, err)
	case info.IsDir():
		return nil, &NotDiagnosedError{path, "it is a directory", "name files; without any, the files changed since the last commit are checked", false}
	case !info.Mode().IsRegular():
		return nil, &NotDiagnosedError{path, "it is no regular file", "name another file", false}
	case info.Size() > limit:
		return nil, w.tooLarge(path, info.Size())
	}
	content, err := fspath.Read(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	return content, nil
}

func unreadable(path string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return &NotDiagnosedError{path, "it may not be read", "give yourself the permission: chmod u+r " + path, true}
	}
	return &NotDiagnosedError{path, err.Error(), "name another file", false}
}

func (w *Workspace) tooLarge(path string, size int64) error {
	return &NotDiagnosedError{
		path, fmt.Sprintf("its %d bytes are over the limit of %d", size, w.opts.MaxFileBytes),
		`raise "lsp.maxFileBytes" in the configuration`, true,
	}
}

// Diagnosable returns why content is not given to a server, or nil.
func (w *Workspace) Diagnosable(path string, content []byte) error {
	switch {
	case int64(len(content)) > w.opts.MaxFileBytes:
		return w.tooLarge(path, int64(len(content)))
	case bytes.IndexByte(content[:min(len(content), 8000)], 0) >= 0:
		return &NotDiagnosedError{path, "it is binary", "name a text file", false}
	case !utf8.Valid(content):
		return &NotDiagnosedError{path, "it is not valid UTF-8", "convert it: iconv -t utf-8", true}
	}
	return nil
}

// ofSameName returns the files of the workspace with the name of a path, if they are few.
func (w *Workspace) ofSameName(path string) (same []string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	files, err := w.listed(ctx)
	if err != nil {
		return nil
	}
	for _, file := range files {
		if fspath.Here.Same(filepath.Base(file), filepath.Base(path)) {
			same = append(same, file)
		}
	}
	if len(same) > 3 {
		return nil
	}
	return same
}

// skipped says why a path below the root is left alone, or "".
func (w *Workspace) skipped(path string) string {
	relative := w.Relative(path)
	for segment := range strings.SplitSeq(relative, "/") {
		if slices.Contains(disk.Skipped, segment) {
			return "it is in " + segment
		}
	}
	for _, glob := range w.opts.Ignore {
		if doublestar.MatchUnvalidated(glob, relative) {
			return fmt.Sprintf("the ignore list names it (%s)", glob)
		}
	}
	return ""
}

// nearest returns up to three files in the folder of path, or in the nearest
// existing one above it, whose names are like the missing one.
func nearest(path string) []string {
	dir := filepath.Dir(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	type candidate struct {
		name     string
		distance int
	}
	base := strings.ToLower(filepath.Base(path))
	var candidates []candidate
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		if d := levenshtein.ComputeDistance(base, strings.ToLower(e.Name())); d <= max(2, len(base)/3) {
			candidates = append(candidates, candidate{filepath.Join(dir, e.Name()), d})
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return a.distance - b.distance })
	var names []string
	for _, c := range candidates[:min(3, len(candidates))] {
		names = append(names, c.name)
	}
	return names
}
