package api

import "github.com/lspine/lspine/internal/protocol"

// FileURI returns the URI of an absolute path, as clients of the protocols that fronts speak
// name files.
func FileURI(path string) string { return string(protocol.URIFromPath(path)) }

// PathOf returns the absolute, cleaned path that a URI names. It fails for anything but a file
// URI with a rooted path.
func PathOf(uri string) (string, error) { return protocol.DocumentURI(uri).Path() }
