package dependants

import (
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// Changes are the changes of one edit, or what others changed since the files were last judged.
type Changes []edit.Change

// Paths returns the paths of the changed files, including the former paths of renamed files.
func (cs Changes) Paths() (paths []string) {
	for _, c := range cs {
		if paths = append(paths, c.Path); c.From != "" {
			paths = append(paths, c.From)
		}
	}
	return paths
}

// Touch reports whether any of the changes is of the file at path.
func (cs Changes) Touch(path string) bool {
	return slices.Contains(cs.Paths(), path)
}

// Create reports whether the changes create the file at path.
func (cs Changes) Create(path string) bool {
	return slices.ContainsFunc(cs, func(c edit.Change) bool { return c.Created && c.Path == path })
}

// MayReach reports whether a file may use something that is changed, as far as their languages tell.
func (c Changes) MayReach(path string) bool {
	return slices.ContainsFunc(c, func(one edit.Change) bool {
		return !language.NeverUses(path, one.Path) || one.From != "" && !language.NeverUses(path, one.From)
	})
}

// Rewrite reports whether the changes give the file at path another text and do nothing else with
// it.
func (cs Changes) Rewrite(path string) bool {
	return slices.ContainsFunc(cs, func(c edit.Change) bool {
		return c.Path == path && c.From == "" && !c.Created && !c.Deleted
	})
}

var codeWord = lazyregexp.New(`[\pL_$][\pL\pN_$]*`)

// RenamedWords returns the old and the new words of what the changes renamed: on the lines
// that changed, and have as many words as before, one stands wherever the other stood, and
// nowhere else. That a type is another (int, string) is no rename.
func (cs Changes) RenamedWords() map[string]bool {
	now, before, doubtful := make(map[string]string), make(map[string]string), make(map[string]bool)
	pair := func(from, to string) {
		if known, ok := now[from]; ok && known != to {
			doubtful[from], doubtful[known], doubtful[to] = true, true, true
		}
		if known, ok := before[to]; ok && known != from {
			doubtful[to], doubtful[known], doubtful[from] = true, true, true
		}
		now[from], before[to] = to, from
	}
	for _, c := range cs {
		old, lines := strings.Split(string(c.Before), "\n"), strings.Split(string(c.After), "\n")
		if len(old) != len(lines) {
			continue
		}
		for i := range old {
			if old[i] == lines[i] {
				continue
			}
			from, to := codeWord.FindAllString(old[i], -1), codeWord.FindAllString(lines[i], -1)
			for n := 0; len(from) == len(to) && n < len(from); n++ {
				pair(from[n], to[n])
			}
		}
	}
	words := make(map[string]bool)
	for from, to := range now {
		if from != to && !doubtful[from] && !doubtful[to] && !typeWords[from] && !typeWords[to] {
			words[from], words[to] = true, true
		}
	}
	return words
}

// typeWords are the names of types that no code declares.
var typeWords = func() map[string]bool {
	all := make(map[string]bool)
	for _, name := range strings.Fields(`any bool boolean byte bytes char complex128 complex64 double error f32 f64 float
		float32 float64 i128 i16 i32 i64 i8 int int16 int32 int64 int8 isize long never null number object rune short
		str string String symbol u128 u16 u32 u64 u8 uint uint16 uint32 uint64 uint8 uintptr undefined unknown usize void`) {
		all[name] = true
	}
	return all
}()

// restated returns a change as the search for what it reaches wants it.
func restated(c edit.Change) []impact.Change {
	switch {
	case c.Created:
		return []impact.Change{{Path: c.Path, After: c.After}}
	case c.Deleted:
		return []impact.Change{{Path: c.Path, Before: c.Before}}
	case c.From != "": // nobody finds it where it was, some perhaps where it is
		return []impact.Change{{Path: c.From, Before: c.Before}, {Path: c.Path, After: c.After}}
	}
	return []impact.Change{{Path: c.Path, Before: c.Before, After: c.After}}
}
