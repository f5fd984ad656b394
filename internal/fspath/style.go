// Package fspath knows how systems spell names of files and of variables. What differs is a value, a [Style], so that the
// rules of each system are tried on all of them. What looks at a disk is of this system.
package fspath

import (
	"path"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Style is the rules by which a system reads names of files.
type Style struct {
	// Drives says that paths begin with a drive or a share, and that a backslash divides them.
	Drives bool
	// FoldsCase says that names that differ only in the case of letters are usually one file.
	FoldsCase bool
	// trims says that dots and spaces at the end of a name do not count, and that a colon begins
	// the name of a stream in the file.
	trims bool
	// ignores says that a file system may ignore characters that nobody sees.
	ignores bool
}

// The styles of the systems.
var (
	Linux   = Style{}
	MacOS   = Style{FoldsCase: true, ignores: true}
	Windows = Style{Drives: true, FoldsCase: true, trims: true}
)

// Here is the style of the system that we run on.
var Here = Of(runtime.GOOS)

// Of returns the style of a system, named as runtime.GOOS does.
func Of(system string) Style {
	switch system {
	case "windows":
		return Windows
	case "darwin", "ios":
		return MacOS
	}
	return Linux
}

// Clean returns the shortest way to write a path, as filepath.Clean does, and the volume as all of us
// write it: a drive in upper case, the host of a share in lower case, without \\?\ in front. All that
// comes from outside passes through it, so that paths of one file compare as equal.
func (s Style) Clean(name string) string {
	if !s.Drives {
		return path.Clean(name)
	}
	volume, rest := s.split(strings.ReplaceAll(name, `\`, "/"))
	switch {
	case strings.HasPrefix(volume, "//") && rest == "":
		rest = "/"
	case rest != "":
		if rest = path.Clean(rest); volume == "" && hasDrive(rest) {
			rest = "./" + rest // a file with a colon in its name, and no drive
		}
	default: // the current folder, maybe that of a drive
		rest = "."
	}
	return strings.ReplaceAll(volume+rest, "/", `\`)
}

// split divides a path with slashes into its volume, spelled as all of us do, and the rest.
func (s Style) split(name string) (volume, rest string) {
	if strings.HasPrefix(name, "//") {
		for strings.Contains(name[2:], "//") {
			name = name[:2] + strings.ReplaceAll(name[2:], "//", "/")
		}
	}
	if device, ok := strings.CutPrefix(name, "//?/"); ok {
		if share, ok := cutFold(device, "UNC/"); ok {
			return s.split("//" + share)
		}
		if hasDrive(device) {
			name = device
		}
	}
	if hasDrive(name) {
		return strings.ToUpper(name[:1]) + ":", name[2:]
	}
	share, ok := strings.CutPrefix(name, "//")
	if !ok || share == "" || share[0] == '/' {
		return "", name
	}
	host, below, _ := strings.Cut(share, "/")
	if below == "" {
		return "//" + strings.ToLower(host), ""
	}
	folder, rest, ok := strings.Cut(below, "/")
	if ok {
		rest = "/" + rest
	}
	return "//" + strings.ToLower(host) + "/" + folder, rest
}

// IsAbs reports whether a path names the same file from every folder.
func (s Style) IsAbs(name string) bool {
	if !s.Drives {
		return path.IsAbs(name)
	}
	name = strings.ReplaceAll(name, `\`, "/")
	volume, rest := s.split(name)
	return strings.HasPrefix(volume, "//") || volume != "" && strings.HasPrefix(rest, "/")
}

// Key returns what two paths have in common that a system takes for one: compare keys, and show paths.
func (s Style) Key(name string) string {
	if !s.FoldsCase {
		return name
	}
	return strings.ToLower(strings.ToUpper(name))
}

// Same reports whether a system may take two cleaned paths for one.
func (s Style) Same(a, b string) bool { return a == b || s.FoldsCase && s.Key(a) == s.Key(b) }

// metadata are the names of the folders in which programs of version control keep what is theirs. What stands in them can
// name programs that they run, as .git/config and .hg/hgrc do.
var metadata = []string{".git", ".hg", ".jj", ".svn", ".sl", ".bzr", "_darcs"}

// IsMetadata reports whether a system may take a name in a folder for the one in which version control keeps what is its
// own, such as .git, however it is written: the case of letters does not count anywhere, since a repository may be
// carried to a system where it does not. These are the rules of git itself (core.protectNTFS, core.protectHFS).
func (s Style) IsMetadata(name string) bool {
	if s.trims {
		name, _, _ = strings.Cut(name, ":")
		name = strings.TrimRight(name, ". ")
	}
	if s.ignores {
		name = strings.Map(visible, name)
	}
	return slices.ContainsFunc(metadata, func(of string) bool {
		short := strings.TrimPrefix(of, ".") + "~1"
		return strings.EqualFold(name, of) || s.trims && strings.EqualFold(name, short)
	})
}

// Misnamed returns the first name in a path that a system would read as another one, or as a device,
// "" if there is none: such a file is not where its path says.
func (s Style) Misnamed(path string) string {
	if !s.trims {
		return ""
	}
	_, rest := s.split(strings.ReplaceAll(path, `\`, "/"))
	for name := range strings.SplitSeq(rest, "/") {
		switch {
		case name == "" || name == "." || name == "..":
		case strings.TrimRight(name, ". ") != name, strings.ContainsAny(name, `<>:"|?*`), isDevice(name):
			return name
		}
	}
	return ""
}

// isDevice reports whether Windows takes a name for a device, in any folder and with any ending.
func isDevice(name string) bool {
	name, _, _ = strings.Cut(name, ".")
	name = strings.ToUpper(strings.TrimRight(name, " "))
	switch name {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	port, ok := strings.CutPrefix(name, "COM")
	if !ok {
		port, ok = strings.CutPrefix(name, "LPT")
	}
	return ok && utf8.RuneCountInString(port) == 1 && strings.Contains("0123456789¹²³", port)
}

// Segments divides a path into names.
func (s Style) Segments(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return r == '/' || s.Drives && r == '\\' })
}

// Base returns the last name of a path without the ending that makes it a program: "gopls" of
// C:\bin\gopls.EXE where files have drives.
func (s Style) Base(name string) string {
	if !s.Drives {
		return path.Base(name)
	}
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	for _, ending := range []string{".exe", ".cmd", ".bat", ".com"} {
		if len(name) > len(ending) && strings.EqualFold(name[len(name)-len(ending):], ending) {
			return name[:len(name)-len(ending)]
		}
	}
	return name
}

// visible drops what HFS+ ignores in names.
func visible(r rune) rune {
	switch {
	case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
		return -1
	}
	return r
}

// hasDrive reports whether a path begins with a drive.
func hasDrive(name string) bool {
	return len(name) >= 2 && name[1] == ':' && (name[0]|0x20) >= 'a' && (name[0]|0x20) <= 'z'
}

func cutFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
