package dependants

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/registry"
)

// ControlFiles returns files to check in place of changed ones that do not exist: servers that
// report on all files say what a deletion broke, or what was wrong before a creation, only when
// they are asked about some file. own are the changed files that exist. later are control files of
// servers whose answer on all files is waited for last.
func (s *Search) ControlFiles(ctx context.Context, own []diagnostics.File) (files, later []diagnostics.File) {
	s.noteUnserved(ctx)
	asked := make(map[diagnostics.Key]bool)
	for _, f := range own {
		for _, source := range f.Sources {
			d, _ := s.Definition(source.Key.ID)
			// The server may not judge a new file, such as a Rust file in no crate.
			asked[source.Key] = asked[source.Key] || !f.Created || len(d.Diagnostics.Unjudged) == 0
		}
	}
	for _, c := range s.changes {
		for _, candidate := range s.detection.Candidates(c.Path) {
			key := diagnostics.Key(candidate.Key())
			reports := candidate.Unavailable == nil && candidate.Definition.Diagnostics.ClosedFiles == registry.ClosedPushes
			if !reports || asked[key] {
				continue
			}
			f, ok := s.controlBeside(c.Path, key)
			if !ok {
				f, ok = s.anyControl(ctx, c.Path, key)
			}
			switch asked[key] = asked[key] || ok; {
			case !ok && ctx.Err() != nil:
				s.NotKnown("what the change did to other files: the deadline came before a file was found by which their server could be asked")
			case ok && s.InParts(f.Path):
				later = append(later, f)
			case ok:
				files = append(files, f)
			}
		}
		for _, f := range s.manifestControls(c.Path) {
			if !slices.ContainsFunc(f.Sources, func(source diagnostics.Source) bool { return asked[source.Key] }) {
				files = append(files, f)
				asked[f.Sources[0].Key] = true
			}
		}
	}
	return append(files, s.includingControls(asked)...), later
}

// includingControls returns files that include what changes by its name, for servers that report on all files and that no file
// in asked stands for. A file that is judged anyway stands for its server itself.
func (s *Search) includingControls(asked map[diagnostics.Key]bool) (files []diagnostics.File) {
	for _, path := range s.including() {
		f, ok := s.Dependant(path)
		if !ok || s.changes.Touch(path) {
			continue
		}
		for _, source := range f.Sources {
			if d, _ := s.Definition(source.Key.ID); d.Diagnostics.ClosedFiles != registry.ClosedPushes || asked[source.Key] {
				continue
			}
			asked[source.Key], f.Reported = true, true
			if i := slices.IndexFunc(s.Files, func(judged diagnostics.File) bool { return judged.Path == path }); i >= 0 {
				s.Files[i].Reported = true
			} else {
				files = append(files, f)
			}
		}
	}
	return files
}

// controlBeside returns a file of the same server: one next to path, otherwise one that is open.
func (s *Search) controlBeside(path string, key diagnostics.Key) (diagnostics.File, bool) {
	var names []string
	entries, _ := os.ReadDir(filepath.Dir(path)) // without the folder, open files will do
	for _, e := range entries {
		if filepath.Ext(e.Name()) == filepath.Ext(path) {
			names = append(names, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	for _, server := range s.workspace.Running() {
		if server.Definition().ID == key.ID && server.Root() == key.Root {
			names = append(names, server.OpenDocuments()...)
		}
	}
	names = slices.DeleteFunc(names, s.changes.Touch)
	return s.firstOf(names, func(source diagnostics.Source) bool { return source.Key == key })
}

// anyControl returns a file of the server that is neither next to path nor open: the one with the
// same extension and the shortest path.
func (s *Search) anyControl(ctx context.Context, path string, key diagnostics.Key) (diagnostics.File, bool) {
	all, err := s.workspace.Sources(ctx)
	if err != nil {
		return diagnostics.File{}, false
	}
	all = slices.DeleteFunc(slices.Clone(all), func(other string) bool { return filepath.Ext(other) != filepath.Ext(path) || s.changes.Touch(other) })
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	return s.firstJudged(all, func(source diagnostics.Source) bool { return source.Key == key })
}

// firstJudged is like firstOf, for the first hundred names only.
func (s *Search) firstJudged(names []string, wanted func(diagnostics.Source) bool) (diagnostics.File, bool) {
	return s.firstOf(names[:min(len(names), 100)], wanted)
}

// firstOf returns the first of the named files that a wanted server judges.
func (s *Search) firstOf(names []string, wanted func(diagnostics.Source) bool) (diagnostics.File, bool) {
	for _, name := range names {
		f, ok := s.Dependant(name)
		f.Reported = true
		if ok && slices.ContainsFunc(f.Sources, wanted) {
			return f, true
		}
	}
	return diagnostics.File{}, false
}
