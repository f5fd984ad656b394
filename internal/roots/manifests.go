package roots

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/fspath"
)

// A project names the others that it needs in its manifests, in as many ways as
// there are tools: "replace x => ../core", path = "../core", extraPaths, a list of
// members, the name of a sibling. All are words in a text, and a word that leads into
// another root says that the root needs that one. To see a relation where there is
// none costs a folder; to miss one would call an edit clean that is not.

// maxManifest bounds the manifests that are read.
const maxManifest = 1 << 20

// manifests are the words of files as they were last read.
type manifests struct {
	mu    sync.Mutex
	known map[string]manifest
}

type manifest struct {
	disk.Stamp
	words []string
}

// words returns the words of the manifest at a path, none if it cannot be read.
func (m *manifests) words(path string) []string {
	info, err := os.Stat(path)
	if err != nil || info.Size() > maxManifest {
		return nil
	}
	now := disk.StampOf(info)
	m.mu.Lock()
	known, ok := m.known[path]
	m.mu.Unlock()
	if ok && known.Stamp == now {
		return known.words
	}
	content, err := fspath.Read(path)
	if err != nil {
		return nil
	}
	read := manifest{now, words(string(content))}
	if time.Since(now.Modified) > disk.Unsettled(now.Modified) {
		m.mu.Lock()
		m.known[path] = read
		m.mu.Unlock()
	}
	return read.words
}

// names reports whether a manifest names a folder.
func (m *manifests) names(path, folder string) bool {
	return slices.ContainsFunc(m.words(path), func(word string) bool {
		return filepath.Join(filepath.Dir(path), filepath.FromSlash(word)) == folder || filepath.Clean(word) == folder
	})
}

// words returns what could be a path or the name of a project in a manifest, each once.
func words(text string) []string {
	separates := func(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`,=()[]{}<>;|&!~^#", r) }
	all := make(map[string]bool)
	for word := range strings.FieldsFuncSeq(text, separates) {
		word = strings.TrimPrefix(strings.TrimPrefix(word, "path+"), "file:")
		if glob := strings.IndexAny(word, "*?"); glob >= 0 {
			word = word[:strings.LastIndexByte(word[:glob], '/')+1]
		}
		if word != "" {
			all[word] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}
