package protocol

import (
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// A DocumentURI is a file URI as it stands on the wire. Two URIs of one file
// may be spelled differently (servers escape differently): compare paths.
type DocumentURI string

// URIFromPath returns the URI of an absolute path, or of what is no file and has its URI for a path: see [IsVirtual].
func URIFromPath(path string) DocumentURI {
	if IsVirtual(path) {
		return DocumentURI(path)
	}
	return DocumentURI(fspath.Here.URI(path))
}

// scheme begins the URI of a document. A drive has one letter.
var scheme = lazyregexp.New(`^([A-Za-z][A-Za-z0-9+.-]+):`)

// IsVirtual reports whether what stands for a path is the URI of a document that is no file, such as a class in a library: only
// the server that named it knows its text.
func IsVirtual(path string) bool { return !filepath.IsAbs(path) && scheme.MatchString(path) }

// VirtualName returns the URI of a document that is no file as it is shown: without the query, by which its server finds it.
func VirtualName(uri string) string {
	name, _, _ := strings.Cut(uri, "?")
	return name
}

// Scheme returns the scheme of a URI in lower case, "" without one.
func (u DocumentURI) Scheme() string {
	if match := scheme.FindStringSubmatch(string(u)); match != nil {
		return strings.ToLower(match[1])
	}
	return ""
}

// Path returns the absolute, cleaned path that u names, spelled as by [fspath.Style.Clean]. It
// fails for anything but a file URI with a rooted path.
func (u DocumentURI) Path() (string, error) { return fspath.Here.Path(string(u)) }
