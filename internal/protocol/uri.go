package protocol

import "github.com/lspine/lspine/internal/fspath"

// A DocumentURI is a file URI as it stands on the wire. Two URIs of one file
// may be spelled differently (servers escape differently): compare paths.
type DocumentURI string

// URIFromPath returns the URI of an absolute path.
func URIFromPath(path string) DocumentURI { return DocumentURI(fspath.Here.URI(path)) }

// Path returns the absolute, cleaned path that u names, spelled as by [fspath.Style.Clean]. It
// fails for anything but a file URI with a rooted path.
func (u DocumentURI) Path() (string, error) { return fspath.Here.Path(string(u)) }
