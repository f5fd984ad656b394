package checking

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
)

// A file that others include by its name, such as a text that a program embeds, is judged in these, whatever its own language.

// maxIncluded is the size in bytes from which on an included file is not compared with what it was.
const maxIncluded = 32 << 20

// readIncluded returns the content of a file. It need be no text that servers are shown if others include the file by its name, and
// no server judges the file itself.
func (ch *Checker) readIncluded(x *dependants.Includers, path string) ([]byte, error) {
	content, err := ch.workspace.Read(path)
	if err != nil && len(roots.Missed(ch.workspace.Candidates(path))) == 0 && len(x.Of(path)) > 0 {
		return ch.workspace.Searched(path, maxIncluded)
	}
	return content, err
}

// differs reports whether any text is another one than before, as far as that matters to what is checked.
func (f *formerState) differs() bool {
	return len(f.texts)+len(f.decided)+len(f.included.Texts) > 0
}

// include notes a change of a file that others include by its name, if it matters to them.
func (p *checkPlan) include(ch *Checker, c edit.Change) {
	files := p.includers.ConcernedBy(c)
	if len(files) == 0 {
		return
	}
	b := &p.before
	if b.includers == nil {
		b.includers = make(map[string][]string)
	}
	b.includers[c.Path] = files
	former := map[string][]byte{c.Path: c.Before}
	if c.From != "" {
		former = map[string][]byte{c.Path: nil, c.From: c.Before}
		b.includers[c.From] = files
	}
	for path, text := range former {
		if len(ch.judges(p.detection, path).Sources) > 0 {
			continue // it is shown as any other file that changed
		}
		if b.included.Texts == nil {
			b.included = diagnostics.Included{Texts: make(map[string][]byte), By: make(map[diagnostics.Key]bool)}
		}
		b.included.Texts[path] = text
	}
	if b.included.Texts == nil {
		return
	}
	for _, file := range files {
		for _, source := range ch.judges(p.detection, file).Sources {
			b.included.By[source.Key] = true
		}
	}
}

// isIncluded reports whether others include a file by its name that changed, and no server judges the file itself.
func (p *checkPlan) isIncluded(path string) bool {
	_, is := p.before.included.Texts[path]
	return is
}

// includesChanged reports whether a file includes one by its name that changed, and that servers cannot be shown as it was.
func (p *checkPlan) includesChanged(path string) bool {
	for changed, files := range p.before.includers {
		if p.isIncluded(changed) && slices.Contains(files, path) {
			return true
		}
	}
	return false
}

// needsIncluded reports whether what a server says of a file depends on the former texts of files that are included by name, which servers
// cannot be shown. Of what Go embeds, only that it is missing matters, and a finding says so.
func (f *formerState) needsIncluded(key diagnostics.Key, path string) bool {
	if !f.included.By[key] || language.Is(path, language.Go) {
		return false
	}
	for _, files := range f.includers {
		if slices.Contains(files, path) {
			return true
		}
	}
	return f.includesCode // what is included in one file may be used in any other
}

// planLost says of files by which names they include others that the changes took away.
func (p *checkPlan) planLost() {
	lost := slices.Clone(p.before.gone)
	for path, text := range p.before.decided {
		if text != nil && fspath.Missing(path) {
			lost = append(lost, path)
		}
	}
	if len(lost) == 0 {
		return
	}
	for i := range p.request.Files {
		f := &p.request.Files[i]
		for _, i := range language.Inclusions(f.Path, f.Content) {
			if slices.Contains(lost, filepath.Join(filepath.Dir(f.Path), filepath.FromSlash(i.Name))) {
				f.Lost = append(f.Lost, i.Name)
			}
		}
	}
}

// planUnconcerned notes to which files nothing that changed matters, whether or not servers can be shown what it was.
func (p *checkPlan) planUnconcerned() {
	b := &p.before
	if !b.byTexts || !b.known || b.concerns == nil || !b.differs() || p.request.NoBaseline {
		return
	}
	changed := slices.Concat(slices.Collect(maps.Keys(b.texts)), slices.Collect(maps.Keys(b.decided)), slices.Collect(maps.Keys(b.included.Texts)))
	for i := range p.request.Files {
		f := &p.request.Files[i]
		matters := func(path string) bool { return path == f.Path || b.concerns(f.Path, path) }
		f.Unconcerned = !f.Created && !f.NoFormer && f.From == "" && !p.changes.Touch(f.Path) && !slices.ContainsFunc(changed, matters)
	}
}

// planIncluders says of the files that include others by their names how they are compared with what was wrong in them before.
func (p *checkPlan) planIncluders(ch *Checker) {
	for path, files := range p.before.includers {
		p.before.includesCode = p.before.includesCode || p.includers.ReadsAll(path)
		if !fspath.Missing(path) {
			continue
		}
		names := p.includers.Names(path)
		for i := range p.request.Files {
			if f := &p.request.Files[i]; len(names) > 0 && slices.Contains(files, f.Path) && !p.changes.Touch(f.Path) {
				f.Gone, f.Included = append(f.Gone, path), append(f.Included, names...)
			}
		}
	}
	if !p.before.byTexts || !p.before.known || p.request.NoBaseline || p.request.Same || len(p.before.texts)+len(p.before.decided) > 0 {
		return
	}
	p.request.SameBut = make(map[diagnostics.Key][]string)
	for i := range p.request.Files {
		for _, source := range p.request.Files[i].Sources {
			by := p.before.included.By[source.Key]
			if by && p.before.includesCode && ch.finder.JudgesDisk(source.Key.ID) {
				continue
			}
			p.request.SameBut[source.Key] = nil
			for _, files := range p.before.includers {
				if by {
					p.request.SameBut[source.Key] = append(p.request.SameBut[source.Key], files...)
				}
			}
		}
	}
}
