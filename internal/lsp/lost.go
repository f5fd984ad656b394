package lsp

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// lostModule matches the code and message of an error about a module that is not found. The group
// is what the module is imported by.
var lostModule = lazyregexp.New(`^(?:2307|2882): Cannot find module .*'([^']+)'`)

// lookAgain makes the server look again for modules that it says it does not find, if it may have
// lost them ([registry.LosesReplaced]), and reports whether it did. It does so at most once for each
// package and generation: what is still missing then, is missing.
func (s *Server) lookAgain(path string, items []protocol.Diagnostic) (bool, error) {
	if !s.def.Has(registry.LosesReplaced) {
		return false, nil
	}
	var manifests []string
	for _, d := range items {
		found := lostModule.FindStringSubmatch(d.Code + ": " + d.Message)
		if found == nil {
			continue
		}
		if m := linkedManifest(path, found[1]); m != "" && !slices.Contains(manifests, m) {
			manifests = append(manifests, m)
		}
	}
	if len(manifests) == 0 {
		return false, nil
	}
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	var events []protocol.FileEvent
	for _, m := range manifests {
		if last, told := s.docs.lookedAgain[m]; told && last == s.docs.generation {
			continue
		}
		s.docs.lookedAgain[m] = s.docs.generation
		events = append(events, protocol.FileEvent{URI: protocol.URIFromPath(m), Type: protocol.Changed})
	}
	if len(events) == 0 {
		return false, nil
	}
	return true, s.notify("workspace/didChangeWatchedFiles", protocol.WatchedFilesParams(events))
}

// linkedManifest returns the manifest of the package that a file imports a module from, if a
// node_modules folder links to that package and it is not itself in such a folder: then it is part
// of somebody's work, and its files change. It returns "" otherwise.
func linkedManifest(path, module string) string {
	name := packageOf(module)
	if name == "" {
		return ""
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		link := filepath.Join(dir, language.NodeFolder, filepath.FromSlash(name))
		if target, err := filepath.EvalSymlinks(link); err == nil {
			if slices.Contains(strings.Split(filepath.ToSlash(target), "/"), language.NodeFolder) {
				return ""
			}
			return filepath.Join(target, language.PackageJSON)
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// packageOf returns the name of the package in what a module is imported by, "" if that is a path.
func packageOf(module string) string {
	first, rest, _ := strings.Cut(module, "/")
	switch {
	case first == "" || first == "." || first == "..":
		return ""
	case !strings.HasPrefix(first, "@"):
		return first
	case rest == "":
		return ""
	}
	second, _, _ := strings.Cut(rest, "/")
	return first + "/" + second
}
