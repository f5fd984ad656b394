package lsp

import (
	"os"
	"time"
)

// placed returns when a file was last written. When it was put in its place is not known.
func placed(path string) (time.Time, error) {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}
