package fspath

import (
	"fmt"
	"strings"

	"go.lsp.dev/uri"
)

// URI returns the file URI of an absolute path, in the spelling of VS Code, which servers know best.
func (s Style) URI(name string) string {
	if s.Drives {
		return string(uri.FileFor(uri.PlatformWindows, s.Clean(name)))
	}
	found := string(uri.FileFor(uri.PlatformPOSIX, name))
	if rest, rooted := strings.CutPrefix(name, "/"); rooted && hasDrive(rest) { // a name like any other, of which the library makes a drive
		found = fileRoot + rest[:1] + found[len(fileRoot)+1:]
	}
	return found
}

const fileRoot = "file:///"

// Path returns the absolute path that a file URI names, as [Style.Clean] spells it. It fails for
// anything but a file URI with a rooted path.
func (s Style) Path(u string) (string, error) {
	// uri.Parse takes what has no scheme, or no root, for a file at the root.
	scheme, rest, _ := strings.Cut(u, ":")
	if !strings.EqualFold(scheme, "file") {
		return "", fmt.Errorf("document URI %q: scheme is not file", u)
	}
	if !strings.HasPrefix(rest, "/") {
		return "", fmt.Errorf("document URI %q: no absolute path", u)
	}
	if s.Drives && strings.HasPrefix(rest, "////") { // as Java writes a share
		rest = rest[2:]
	}
	parsed, err := uri.Parse("file:" + rest)
	if err != nil {
		return "", fmt.Errorf("document URI %q: %w", u, err)
	}
	name, host := parsed.Path(), parsed.Authority()
	switch {
	case host != "" && !strings.EqualFold(host, "localhost"):
		name = "//" + host + name
	case s.Drives && hasDrive(name[1:]):
		name = name[1:]
	case hasDrive(name[1:]): // the library writes it in lower case
		if host, ok := strings.CutPrefix(rest, "//"); ok {
			_, rest, _ = strings.Cut(host, "/")
			rest = "/" + rest
		}
		if hasDrive(rest[1:]) || strings.HasPrefix(rest[2:], "%3") {
			name = rest[:2] + name[2:]
		}
	}
	name = s.Clean(name)
	if !s.IsAbs(name) {
		return "", fmt.Errorf("document URI %q: no absolute path", u)
	}
	return name, nil
}
