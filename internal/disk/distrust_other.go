//go:build !linux

package disk

import (
	"os"
)

// distrust says why folders are not watched: a fence needs the one queue of
// inotify.
func distrust(string) string { return "folders are watched on Linux alone" }

// device tells file systems apart, where folders are watched.
func device(os.FileInfo) uint64 { return 0 }
