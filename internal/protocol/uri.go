package protocol

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"go.lsp.dev/uri"
)

// A DocumentURI is a file URI as it stands on the wire. Two URIs of one file
// may be spelled differently (servers escape differently): compare paths.
type DocumentURI string

// URIFromPath returns the URI of an absolute path.
func URIFromPath(path string) DocumentURI { return DocumentURI(uri.File(path)) }

// Path returns the absolute, cleaned path that u names. It fails for anything
// but a file URI with a rooted path.
func (u DocumentURI) Path() (string, error) {
	// uri.Parse takes what has no scheme, or no root, for a file at the root.
	scheme, rest, _ := strings.Cut(string(u), ":")
	if !strings.EqualFold(scheme, "file") {
		return "", fmt.Errorf("document URI %q: scheme is not file", u)
	}
	if !strings.HasPrefix(rest, "/") {
		return "", fmt.Errorf("document URI %q: no absolute path", u)
	}
	parsed, err := uri.Parse("file:" + rest)
	if err != nil {
		return "", fmt.Errorf("document URI %q: %w", u, err)
	}
	path := parsed.FsPath()
	if runtime.GOOS != "windows" && parsed.Authority() == "" {
		path = parsed.Path() // "/a:/b" begins with no drive here
	}
	path = filepath.Clean(path)
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("document URI %q: no absolute path", u)
	}
	return path, nil
}
