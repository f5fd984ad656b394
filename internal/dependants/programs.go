package dependants

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/symbols"
)

// sharedLocked returns the files that have a name and are compiled together with a file that is a part of several programs: modules
// that several tests of Rust share, or a library and its program. A server takes such a file for a part of one of them, and
// knows what that one uses. Of a file in one program there are none.
func (b *beyond) sharedLocked(ctx context.Context, path, name string) (files []symbols.Beyond, all bool) {
	own := language.Of(path)
	if own.Parts == nil {
		return nil, true
	}
	sources, err := b.finder.workspace.Sources(ctx)
	if err != nil {
		return nil, false
	}
	b.folders = make(map[string][]string)
	for _, s := range sources {
		if language.Of(s).ID == own.ID {
			b.folders[filepath.Dir(s)] = append(b.folders[filepath.Dir(s)], s)
		}
	}
	programs := b.programsLocked(path, nil)
	if len(programs) < 2 {
		return nil, true
	}
	for _, s := range sources {
		if s == path || language.Of(s).ID != own.ID || !b.mentions(s, name) {
			continue
		}
		if slices.ContainsFunc(b.programsLocked(s, nil), func(p string) bool { return slices.Contains(programs, p) }) {
			files = append(files, symbols.Beyond{Path: s})
		}
	}
	return files, true
}

// programsLocked returns the files that hold a file, also by way of others, and that none holds: each is the first of a program.
func (b *beyond) programsLocked(path string, by []string) (programs []string) {
	holders := b.holdersLocked(path)
	if len(holders) == 0 {
		return []string{path}
	}
	by = append(by, path)
	for _, h := range holders {
		if slices.Contains(by, h) {
			continue
		}
		for _, p := range b.programsLocked(h, by) {
			if !slices.Contains(programs, p) {
				programs = append(programs, p)
			}
		}
	}
	return programs
}

// holdersLocked returns the files that name a file as a part of theirs: those in the folder that it is in, and the one that is named
// as that folder. A part of a file that is no program has the name of that file for a folder, if there is such a part.
func (b *beyond) holdersLocked(path string) (holders []string) {
	own, ending := language.Of(path), filepath.Ext(path)
	dir, name := filepath.Dir(path), strings.TrimSuffix(filepath.Base(path), ending)
	if slices.Contains(own.FolderNames, name) {
		dir, name = filepath.Dir(dir), filepath.Base(dir)
	}
	for _, s := range append(slices.Clone(b.folders[dir]), dir+ending) {
		below := filepath.Join(strings.TrimSuffix(s, ending), name)
		if s == path || s != dir+ending && (b.isSourceLocked(below+ending) || len(b.folders[below]) > 0) {
			continue
		}
		text, err := b.finder.workspace.Searched(s, maxSearched)
		if err != nil {
			continue
		}
		for _, m := range own.Parts.FindAllSubmatch(text, -1) {
			if string(m[1]) == name {
				holders = append(holders, s)
				break
			}
		}
	}
	return holders
}

func (b *beyond) isSourceLocked(path string) bool {
	return slices.Contains(b.folders[filepath.Dir(path)], path)
}
