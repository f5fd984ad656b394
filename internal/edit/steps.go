package edit

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// Next returns a plan for a further step and leaves p as it is. Ranges and hashes given to it refer
// to the texts that p made; its changes are those of all steps.
func (p *Plan) Next() *Plan {
	next := &Plan{disk: p.disk, files: make(map[string]planned, len(p.files)), dirs: maps.Clone(p.dirs), like: maps.Clone(p.like), style: p.style, began: make(map[string]planned, len(p.files))}
	for path, f := range p.files {
		f.original, f.ranges, f.sealed = f.after, nil, ""
		next.files[path] = f
		next.began[path] = f
	}
	return next
}

// Take moves all changes of other to p, which must have none.
func (p *Plan) Take(other *Plan) {
	p.files, p.dirs, p.like = maps.Clone(other.files), maps.Clone(other.dirs), maps.Clone(other.like)
}

// Size returns how many bytes of text the plan keeps in memory.
func (p *Plan) Size() (bytes int) {
	for _, f := range p.files {
		bytes += len(f.before) + len(f.after)
	}
	return bytes
}

// Texts returns the new contents of the changed files, by path; nil for one that is deleted or
// moved away.
func (p *Plan) Texts() map[string][]byte {
	texts := make(map[string][]byte)
	for _, c := range p.Changes() {
		if c.From != "" {
			texts[c.From] = nil
		}
		if texts[c.Path] = nil; !c.Deleted {
			texts[c.Path] = append([]byte{}, c.After...) // not nil, though it be empty
		}
	}
	return texts
}

// Resolve implements [Files] for the files as the plan leaves them.
func (p *Plan) Resolve(path string) (string, error) { return p.disk.Resolve(path) }

// ReadFile implements [Files] for the files as the plan leaves them.
func (p *Plan) ReadFile(path string) ([]byte, error) {
	f, err := p.loadResolved(path)
	switch {
	case err != nil:
		return nil, err
	case !f.exists:
		return nil, p.notFound(path)
	}
	return f.after, nil
}

// List implements [Files] for the files as the plan leaves them.
func (p *Plan) List(dir string) (files, dirs []string, err error) { return p.within(dir) }

// An Outdated is a changed file whose content on disk is no longer what the plan read.
type Outdated struct {
	Path string
	// Read and Now are the hashes of its content then and now, "" if there was or is no file.
	Read, Now string
}

// Outdated returns the changed files whose content on disk is no longer what the plan read, sorted
// by path. A folder at the path counts as no file.
func (p *Plan) Outdated() (list []Outdated, err error) {
	for _, f := range p.files {
		if f.unchanged() {
			continue
		}
		now, err := p.disk.ReadFile(f.path)
		there := err == nil
		var folder *IsDirectoryError
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.As(err, &folder) {
			return nil, err
		}
		if there == f.existed && bytes.Equal(now, f.before) && folder == nil {
			continue
		}
		outdated := Outdated{Path: f.path}
		if f.existed {
			outdated.Read = Hash(f.before)
		}
		if there {
			outdated.Now = Hash(now)
		}
		list = append(list, outdated)
	}
	slices.SortFunc(list, func(a, b Outdated) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// DiffOf returns the change of one resolved path as [Plan.Diff] writes it, "" if there is none.
func (p *Plan) DiffOf(path string, name func(path string) string) string {
	var b strings.Builder
	for _, c := range p.Changes() {
		if c.Path == path || c.From == path {
			c.diff(&b, name)
		}
	}
	return b.String()
}
