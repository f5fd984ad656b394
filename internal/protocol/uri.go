package protocol

import (
	"fmt"
	"path/filepath"

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
	parsed, err := uri.Parse(string(u))
	if err != nil {
		return "", fmt.Errorf("document URI %q: %w", u, err)
	}
	if parsed.Scheme() != "file" {
		return "", fmt.Errorf("document URI %q: scheme is not file", u)
	}
	path := filepath.Clean(parsed.FsPath())
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("document URI %q: no absolute path", u)
	}
	return path, nil
}
