package hook

import (
	"maps"
	"slices"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/result"
)

// updateTold updates the memory: which of the findings that were reported to the agent, before or now,
// still exist.
func (r *report) updateTold(m *memory, c *result.Check, told sieve) {
	judged := make(map[string]bool)
	before := memory{Broken: maps.Clone(m.Broken)}
	for _, files := range [][]result.File{c.Files, c.Others, c.Late} {
		for i := range files {
			f := &files[i]
			path := r.absolute(f.Path)
			now := told(f)
			stand := m.Broken[path]
			if !judged[path] && (isWhole(f) || isLimited(f)) {
				stand = before.stillThere(path, f.Diagnostics, now)
			}
			judged[path] = true
			was := m.Broken[path]
			m.setBroken(path, withReported(stand, f.Diagnostics, now))
			m.noteUnsure(path, f, was)
		}
	}
	for path := range m.Broken {
		if fspath.Missing(path) {
			m.setBroken(path, nil)
		}
	}
}

// noteUnsure records whether all that is wrong with a file is known to be of the session. was is what the agent had been told of the file
// before this report.
func (m *memory) noteUnsure(path string, f *result.File, was []result.Diagnostic) {
	told, isNew := counted(was), make(map[finding]bool)
	for i := range f.Diagnostics {
		isNew[findingOf(&f.Diagnostics[i])] = f.Diagnostics[i].New
	}
	compared, all := f.Baseline != api.BaselineNone, true
	for i := range m.Broken[path] {
		left := findingOf(&m.Broken[path][i])
		if told[left]--; told[left] < 0 && !compared {
			m.Unsure[path] = true
		}
		all = all && isNew[left]
	}
	if compared && all {
		delete(m.Unsure, path)
	}
}

// setBroken records what the agent was told of a file and is still wrong with it.
func (m *memory) setBroken(path string, left []result.Diagnostic) {
	if len(left) > 0 {
		m.Broken[path] = left
		return
	}
	delete(m.Broken, path)
	delete(m.Unsure, path)
}

// stillThere returns the findings of a file that were reported to the agent before and still exist,
// without those reported now.
func (m *memory) stillThere(path string, list []result.Diagnostic, now []int) (stand []result.Diagnostic) {
	knew := counted(m.Broken[path])
	for i := range list {
		if f := findingOf(&list[i]); !slices.Contains(now, i) && knew[f] > 0 {
			knew[f]--
			stand = append(stand, list[i])
		}
	}
	return stand
}

// withReported adds the findings of a file that are reported to the agent now, each at most as often as it
// occurs.
func withReported(stand, list []result.Diagnostic, now []int) []result.Diagnostic {
	there, stands := counted(list), counted(stand)
	stand = slices.Clip(stand)
	for _, i := range now {
		if f := findingOf(&list[i]); stands[f] < there[f] {
			stands[f]++
			stand = append(stand, list[i])
		}
	}
	return stand
}
