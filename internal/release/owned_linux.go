package release

import (
	"bufio"
	"path/filepath"

	"github.com/lspine/lspine/internal/fspath"
)

// Owned returns the system's package manager if a file belongs to one of its packages, nil if
// not. Of dpkg the lists of files say it; what is in the folders that only packages write to
// belongs to another one.
func Owned(file string) *Manager {
	lists, _ := filepath.Glob("/var/lib/dpkg/info/lspine*.list") // the pattern is right
	for _, list := range lists {
		if names(list, file) {
			return &Manager{"apt", "apt-get install --only-upgrade lspine"}
		}
	}
	if dir := filepath.Dir(file); dir == "/usr/bin" || dir == "/bin" {
		return &Manager{"the system's package manager", "update the package lspine there"}
	}
	return nil
}

// names reports whether a line of a list is a file.
func names(list, file string) bool {
	f, err := fspath.Open(list)
	if err != nil {
		return false
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if lines.Text() == file {
			return true
		}
	}
	return false
}
