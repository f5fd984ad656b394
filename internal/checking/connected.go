package checking

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// unblame takes back that errors of a file that nobody asked about, and that no search for users found, are
// new, where nobody said what was wrong in it before: without a commit to compare with, nothing is known of them;
// with one, it is not known whether they are new, unless the text of the file is connected with the changes.
func (ch *Checker) unblame(plan *checkPlan, o *diagnostics.FileReport) {
	switch {
	case o.Baseline != diagnostics.None:
	case !plan.byTexts:
		o.New, o.Judgement.NewErrors = nil, false
	case len(o.New) > 0 && plan.formerKnown && len(plan.former) > 0 && !ch.isConnected(plan, o.Path):
		o.New, o.Doubtful = nil, append(o.Doubtful, o.New...)
		o.Judgement.NewErrors, o.Judgement.Lacking = false, true
	}
}

var word = lazyregexp.New(`[\pL_][\pL\pN_]*`)

// isConnected reports whether a file has a word of a line that was changed, other than those of its language, or the name
// of a file that came or went.
func (ch *Checker) isConnected(plan *checkPlan, path string) bool {
	content, err := ch.workspace.Read(path)
	if err != nil {
		return true
	}
	if plan.changedWords == nil {
		plan.changedWords = make(map[string]bool)
		for changed, before := range plan.former {
			after, _ := ch.workspace.Read(changed) // one that is gone has no lines
			for _, line := range unequalLines(before, after) {
				for _, w := range word.FindAllString(line, -1) {
					plan.changedWords[w] = true
				}
			}
			if after == nil || slices.Contains(plan.absent, changed) {
				name, _, _ := strings.Cut(filepath.Base(changed), ".")
				plan.changedWords[name] = true
			}
		}
	}
	own := language.Of(path).Keywords
	for _, w := range word.FindAllString(string(content), -1) {
		if plan.changedWords[w] && !own.Has(w) {
			return true
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
