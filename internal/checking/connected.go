package checking

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// unblame takes back that errors of another file are new, where nobody said what was wrong in it before. Without a state to
// compare with, nothing is known of them. For a draft it is not known whether they are new; nor is it for what others
// changed, unless a search found the file or its text is connected with the changes; one that the search proves to use
// nothing of these has nothing new.
func (s *shown) unblame(o *diagnostics.FileReport, found bool) {
	fixesOnly := found && s.search != nil && s.search.MayOnlyFix(o.Path)
	switch {
	case o.Baseline != diagnostics.None:
	case s.before != nil && found && !fixesOnly:
	case s.before != nil && (fixesOnly || !s.before.byTexts):
		o.New, o.Judgement.NewErrors = nil, false
	case s.before == nil || s.before.known && s.before.differs() && !s.isConnected(o.Path):
		o.New, o.Doubtful = nil, o.Doubtful || o.Judgement.NewErrors
		o.Judgement.NewErrors, o.Judgement.Lacking = false, o.Judgement.Lacking || o.Judgement.NewErrors
	}
}

var word = lazyregexp.New(`[\pL_][\pL\pN_]*`)

// isConnected reports whether a file has a word of a line that was changed, other than those of its language, or the name
// of a file that came or went, or includes one that changed by its name.
func (s *shown) isConnected(path string) bool {
	content, err := s.workspace.Read(path)
	if err != nil {
		return true
	}
	former := make(map[string][]byte)
	maps.Copy(former, s.before.texts)
	maps.Copy(former, s.before.decided)
	maps.Copy(former, s.before.included.Texts)
	if s.before.words == nil {
		s.before.words = make(map[string]map[string]bool)
		for changed, before := range former {
			words := make(map[string]bool)
			s.before.words[changed] = words
			after, _ := s.workspace.Read(changed) // one that is gone has no lines
			for _, line := range unequalLines(before, after) {
				for _, w := range word.FindAllString(line, -1) {
					words[w] = true
				}
			}
			if after == nil || slices.Contains(s.before.absent, changed) {
				name, _, _ := strings.Cut(filepath.Base(changed), ".")
				words[name] = true
			}
		}
	}
	file := diagnostics.File{Path: path}
	s.finder.Sources(&file)
	own, has := language.Of(path).Keywords, make(map[string]bool)
	for _, w := range word.FindAllString(string(content), -1) {
		has[w] = !own.Has(w)
	}
	for changed, words := range s.before.words {
		if slices.Contains(s.before.includers[changed], path) {
			return true
		}
		reads := s.finder.ReadingOf(&file, changed)
		_, included := s.before.included.Texts[changed]
		matters := included || reads == language.ReadsContent || reads == language.ReadsPresence && fspath.Missing(changed)
		for w := range words {
			if has[w] && matters {
				return true
			}
		}
	}
	return false
}

// unequalLines returns the lines that one of two texts has more often than the other.
func unequalLines(before, after []byte) (lines []string) {
	count := make(map[string]int)
	for line := range bytes.Lines(before) {
		count[string(bytes.TrimSpace(line))]++
	}
	for line := range bytes.Lines(after) {
		count[string(bytes.TrimSpace(line))]--
	}
	for line, n := range count {
		if n != 0 {
			lines = append(lines, line)
		}
	}
	return lines
}
