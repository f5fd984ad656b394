package dependants

import (
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// Changes are the changes of one edit, or what others have changed since the files were last
// judged.
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

// Touch reports whether any of the changes concerns the file at path.
func (cs Changes) Touch(path string) bool {
	return slices.Contains(cs.Paths(), path)
}

// Create reports whether the changes create the file at path.
func (cs Changes) Create(path string) bool {
	return slices.ContainsFunc(cs, func(c edit.Change) bool { return c.Created && c.Path == path })
}

// MayReach reports whether the file at path may use something that is changed, judging by the
// languages of the files.
func (c Changes) MayReach(path string) bool {
	return slices.ContainsFunc(c, func(one edit.Change) bool {
		return !language.NeverUses(path, one.Path) || one.From != "" && !language.NeverUses(path, one.From)
	})
}

// Rewrite reports whether the changes replace the text of the file at path and do nothing else with
// the file.
func (cs Changes) Rewrite(path string) bool {
	return slices.ContainsFunc(cs, func(c edit.Change) bool {
		return c.Path == path && c.From == "" && !c.Created && !c.Deleted
	})
}

var codeWord = lazyregexp.New(`[\pL_$][\pL\pN_$]*`)

// RenamedWords returns the old and the new words of everything that the changes rename. On the
// changed lines that have as many words as before, a renamed word is replaced by the same word
// everywhere, and that one replaces no other. A change of type, such as from int to string, is not
// a rename.
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

// typeWords are the names of built-in types.
var typeWords = func() map[string]bool {
	all := make(map[string]bool)
	for _, name := range strings.Fields(`any bool boolean byte bytes char complex128 complex64 double error f32 f64 float
		float32 float64 i128 i16 i32 i64 i8 int int16 int32 int64 int8 isize long never null number object rune short
		str string String symbol u128 u16 u32 u64 u8 uint uint16 uint32 uint64 uint8 uintptr undefined unknown usize void`) {
		all[name] = true
	}
	return all
}()

// restated returns a change in the form that package impact takes.
func restated(c edit.Change) []impact.Change {
	switch {
	case c.Created:
		return []impact.Change{{Path: c.Path, After: c.After}}
	case c.Deleted && c.Before == nil: // nobody knows what it declared: its users are those that name the file
		return []impact.Change{{Path: c.Path, Before: []byte{}}}
	case c.Deleted:
		return []impact.Change{{Path: c.Path, Before: c.Before}}
	case c.From != "": // gone for users of its former path; users of the new one may exist
		return []impact.Change{{Path: c.From, Before: c.Before}, {Path: c.Path, After: c.After}}
	}
	return []impact.Change{{Path: c.Path, Before: c.Before, After: c.After}}
}
