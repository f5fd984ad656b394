package roots

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// The words of a manifest are what stands between separators, each once; of a glob its folder counts, and of an
// address the path.
func TestWordsOfManifests(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                     nil,
		"b a\tb\n":                             {"a", "b"},
		`core = {path="../core"}, x=[1]`:       {"../core", "1", "core", "path", "x"},
		"packages/* apps/a?/b *.x src/**/deep": {"apps/", "packages/", "src/"},
		"path+file:../x file:y path+z":         {"../x", "y", "z"},
		"a;b|c&d!e~f^g#h<i>j(k)l":              {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"},
		"'q'`r`":                               {"q", "r"},
	} {
		if diff := cmp.Diff(want, words(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// A manifest names a folder by a path from its own place, or by the whole path.
func TestManifestsNameFolders(t *testing.T) {
	f := open(t, "-- sub/list --\nmember ../other\n-- other/x --\n", Options{})
	list, other := filepath.Join(f.opts.Root, "sub", "list"), filepath.Join(f.opts.Root, "other")
	for folder, want := range map[string]bool{other: true, filepath.Join(f.opts.Root, "sub", "member"): true, filepath.Join(f.opts.Root, "sub", "other"): false, f.opts.Root: false} {
		if got := f.manifests.names(list, folder); got != want {
			t.Errorf("%s: %t", folder, got)
		}
	}
}

// A manifest that changed is read again.
func TestManifestsAreReadAgain(t *testing.T) {
	f := open(t, "-- toy.root --\n", Options{})
	path := filepath.Join(f.opts.Root, "toy.root")
	for _, text := range []string{"one", "two", "three"} {
		lsptest.WriteFile(t, path, text)
		if diff := cmp.Diff([]string{text}, f.ManifestWords(path)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if got := f.ManifestWords(path + "x"); got != nil {
		t.Errorf("words of a missing file: %q", got)
	}
}
