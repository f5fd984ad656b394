package config

import (
	"os"
	"path/filepath"
	"strings"
)

// Trusts reports whether what lies in a folder, an absolute path with links resolved, may
// run: it is one of TrustedRoots or below one.
func (s *Settings) Trusts(folder string) bool {
	for _, root := range s.TrustedRoots {
		if rest, inHome := strings.CutPrefix(root, "~"); inHome {
			home, err := os.UserHomeDir()
			if err != nil {
				continue
			}
			root = filepath.Join(home, rest)
		}
		root, err := filepath.EvalSymlinks(root)
		if err != nil {
			continue
		}
		if relative, err := filepath.Rel(root, folder); err == nil && filepath.IsLocal(relative) {
			return true
		}
	}
	return false
}
