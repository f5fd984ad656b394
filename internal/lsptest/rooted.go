package lsptest

import (
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
)

// drive is where tests put paths that begin with a slash, on systems with drives.
const drive = "C:"

// Rooted returns the absolute path here of one that a test writes with slashes: "/a/b" is C:\a\b on
// Windows.
func Rooted(path string) string {
	if fspath.Here.Drives && strings.HasPrefix(path, "/") {
		path = drive + path
	}
	return filepath.FromSlash(path)
}

// RootedURIs makes the file URIs of a text that a test writes for systems without drives those of
// paths that Rooted returns.
func RootedURIs(text string) string {
	if !fspath.Here.Drives {
		return text
	}
	return strings.ReplaceAll(text, "file:///", "file:///"+strings.ToLower(drive[:1])+"%3A/")
}

// Slashed returns a text with the paths of this system as tests write them: with slashes and without
// the drive that Rooted adds.
func Slashed(text string) string {
	if !fspath.Here.Drives {
		return text
	}
	text = strings.NewReplacer(`\\`, "/", `\`, "/").Replace(text)
	return strings.ReplaceAll(text, drive+"/", "/")
}

// InJSON returns a path as it is written in a string of JSON.
func InJSON(path string) string { return strings.ReplaceAll(path, `\`, `\\`) }
