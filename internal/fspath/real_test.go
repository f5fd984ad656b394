package fspath_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
)

// Links are followed as far as something is there, and a link to nothing to where a file would be
// made; what is below a file is nowhere, and a circle of links has no end.
func TestLinksAreFollowed(t *testing.T) {
	lsptest.NeedLinks(t)
	root, err := fspath.Real(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	if err := os.MkdirAll(at("real/sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("real/file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{
		"folder": "real", "file": at("real/file"), "real/made": "sub/later", "real/far": at("later/still"), "again": "real/made", "circle": "other", "other": "circle",
	} {
		if err := os.Symlink(filepath.FromSlash(target), at(link)); err != nil {
			t.Fatal(err)
		}
	}
	got, want := make(map[string]string), make(map[string]string)
	for name, leads := range map[string]string{
		"real/file":         "real/file",
		"folder/sub":        "real/sub",
		"folder/new":        "real/new",
		"folder/new/x":      "real/new/x",
		"file":              "real/file",
		"real/made":         "real/sub/later",
		"again":             "real/sub/later",
		"again/x":           "real/sub/later/x",
		"folder/far":        "later/still",
		"nothing/at/all":    "nothing/at/all",
		"real/file/below":   "not a directory",
		"file/below/deeper": "not a directory",
		"circle":            "too many links",
	} {
		want[name] = leads
		path, err := fspath.Follow(at(name))
		relative, outside := filepath.Rel(root, path)
		switch {
		case err != nil && (errors.Is(err, syscall.ENOTDIR) || strings.Contains(err.Error(), "not a directory")):
			got[name] = "not a directory"
		case err != nil && (errors.Is(err, syscall.ELOOP) || strings.Contains(err.Error(), "too many links")):
			got[name] = "too many links"
		case err != nil:
			got[name] = err.Error()
		case outside != nil:
			got[name] = path
		default:
			got[name] = filepath.ToSlash(relative)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if path, err := fspath.Real(at("nothing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there is real: %q, %v", path, err)
	}
}

// A path is divided at its separators, of which \ is one where files have drives.
func TestSegmentsOfPaths(t *testing.T) {
	const name = `a/b\c//d/`
	for style, want := range map[fspath.Style][]string{{}: {"a", `b\c`, "d"}, {Drives: true}: {"a", "b", "c", "d"}} {
		if diff := cmp.Diff(want, style.Segments(name)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", style, diff)
		}
	}
}
