package symbols

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// ambiguous ranks candidates and makes them an error.
func ambiguous(selector string, candidates []Candidate) *AmbiguousError {
	slices.SortStableFunc(candidates, func(a, b Candidate) int {
		return cmp.Or(
			cmp.Compare(remoteness(a.Path), remoteness(b.Path)),
			cmp.Compare(weight(a.Kind), weight(b.Kind)),
			cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")),
			cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
		)
	})
	return &AmbiguousError{selector, candidates[:min(len(candidates), maxCandidates)], len(candidates)}
}

// remoteness ranks files: the project's own, its tests, what others wrote.
func remoteness(file string) int {
	switch {
	case path.IsAbs(file) || strings.Contains(file, ":"), strings.Contains("/"+file, "/vendor/"), strings.Contains("/"+file, "/third_party/"),
		strings.Contains("/"+file, "/testdata/"):
		return 2
	case IsTest(file):
		return 1
	}
	return 0
}

// best returns the candidates whose names are most like name, at most five.
func best(candidates []Candidate, name string) []Candidate {
	own := func(c Candidate) string { return c.Name[strings.LastIndexByte(c.Name, '.')+1:] }
	slices.SortStableFunc(candidates, func(a, b Candidate) int {
		return cmp.Compare(distance(fold(own(a)), fold(name)), distance(fold(own(b)), fold(name)))
	})
	seen := make(map[Candidate]bool)
	candidates = slices.DeleteFunc(candidates, func(c Candidate) bool {
		again := seen[c]
		seen[c] = true
		return again
	})
	return candidates[:min(5, len(candidates))]
}

func fold(s string) string { return strings.ToLower(s) }

// similar reports whether a name may be meant by another.
func similar(a, b string) bool {
	a, b = fold(a), fold(b)
	if len(a) >= 3 && len(b) >= 3 && (strings.Contains(a, b) || strings.Contains(b, a)) {
		return true
	}
	most := min(2, max(1, len(b)/2))
	if longer := utf8.RuneCountInString(a) - utf8.RuneCountInString(b); longer > most || -longer > most {
		return false
	}
	return distance(a, b) <= most
}

// distance is how many letters differ between two names; two that changed places
// count as one.
func distance(a, b string) int {
	least := levenshtein.ComputeDistance(a, b)
	letters, wanted := []rune(a), []rune(b)
	if least < 2 || len(letters) != len(wanted) {
		return least
	}
	for i := range letters[:len(letters)-1] {
		if letters[i] == wanted[i+1] && letters[i+1] == wanted[i] && letters[i] != letters[i+1] {
			letters[i], letters[i+1] = letters[i+1], letters[i]
			return min(least, 1+distance(string(letters), b))
		}
	}
	return least
}
