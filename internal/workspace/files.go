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

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
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
	path, err := Path(base, path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", named, err)
	}
	resolved, err := ResolveLinks(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", named, err)
	}
	if !below(w.root, resolved) {
		outside := &OutsideWorkspaceError{Path: named, Root: w.root}
		if resolved != path && below(w.root, path) {
			outside.Target = resolved
		}
		return "", outside
	}
	// A link to nothing is itself what is missing.
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if parent, err := ResolveLinks(filepath.Dir(path)); err == nil && below(w.root, parent) {
			return filepath.Join(parent, filepath.Base(path)), nil
		}
	}
	return resolved, nil
}

// Path returns the absolute, cleaned path of what a caller in the folder base names: a path, or a
// file: URI. If there is no such file it also tries what models write instead: a mention (@a.go),
// backslashes, and a path that begins at base as if that were the root of the disk.
func Path(base, named string) (string, error) {
	if len(named) >= len(fileURI) && strings.EqualFold(named[:len(fileURI)], fileURI) {
		return protocol.DocumentURI(fileURI + named[len(fileURI):]).Path()
	}
	path := from(base, named)
	if filepath.Separator == '/' && strings.Contains(named, `\`) && !present(path) {
		named = strings.ReplaceAll(named, `\`, "/")
		path = from(base, named)
	}
	if mentioned, ok := strings.CutPrefix(named, "@"); ok && mentioned != "" && !present(path) {
		if other := from(base, mentioned); present(other) || !present(filepath.Dir(path)) {
			return other, nil
		}
	}
	if filepath.IsAbs(named) && !present(path) {
		other := from(base, "."+string(filepath.Separator)+named)
		if present(other) || present(filepath.Dir(other)) && !present(filepath.Dir(path)) {
			return other, nil
		}
	}
	return path, nil
}

func from(base, named string) string {
	if filepath.IsAbs(named) {
		return fspath.Here.Clean(named)
	}
	return fspath.Here.Clean(filepath.Join(base, named))
}

// present reports whether something is there, be it a link to nothing.
func present(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

const fileURI = "file://"

// ResolveLinks resolves the symbolic links in the longest part of an absolute path that exists. A
// link to nothing is followed as well: a file that is made there is made at its target.
func ResolveLinks(path string) (string, error) { return fspath.Follow(path) }

// Below reports whether an absolute path is root or below it, by whole segments
// [BR-87]. Both are cleaned, with links resolved.
func Below(root, path string) bool { return below(root, path) }

func below(root, path string) bool {
	if rest, plain := strings.CutPrefix(path, root+string(filepath.Separator)); plain && filepath.IsLocal(rest) {
		return true
	}
	relative, err := filepath.Rel(root, path)
	return err == nil && (relative == "." || filepath.IsLocal(relative))
}

// Contains reports whether an absolute path is the root or below it.
func (w *Workspace) Contains(path string) bool { return below(w.root, path) }

// Relative returns path relative to the root, with slashes, for people.
func (w *Workspace) Relative(path string) string {
	// Nearly all are below the root and clean: then that is what stands after it.
	if rest, below := strings.CutPrefix(path, w.root+string(filepath.Separator)); below && filepath.Clean(rest) == rest && filepath.IsLocal(rest) {
		return filepath.ToSlash(rest)
	}
	relative, err := filepath.Rel(w.root, path)
	if err != nil || !filepath.IsLocal(relative) {
		return path
	}
	return filepath.ToSlash(relative)
}

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
	case errors.Is(err, fs.ErrNotExist):
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

// skippedFolders are never diagnosed nor watched.
var skippedFolders = []string{".git", language.NodeFolder}

// skipped says why a path below the root is left alone, or "".
func (w *Workspace) skipped(path string) string {
	relative := w.Relative(path)
	for segment := range strings.SplitSeq(relative, "/") {
		if slices.Contains(skippedFolders, segment) {
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
