package edit

import (
	"fmt"
	"slices"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"github.com/agnivade/levenshtein"
)

// NearLines are lines of a file that are like what was sought. Line is 1-based.
type NearLines struct {
	Line int
	Text string // without the last line ending
}

const (
	nearPlaces = 3   // how many places are named
	nearWidth  = 160 // how much of a line is compared, in bytes
	nearWork   = 4000
	nearShown  = 400 // how much of a place further ones show, in bytes
)

// nearestLines finds the places of text that are most like sought, and says
// what differs at the best. Both have \n alone as line ending.
func nearestLines(text, sought string) (near []NearLines, hint, diff string) {
	lines, want := strings.Split(text, "\n"), strings.Split(strings.TrimSuffix(sought, "\n"), "\n")
	type place struct{ line, score int }
	var places []place
	for i, score := range likeness(lines, want) {
		if score > 0 {
			places = append(places, place{i, score})
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return b.score - a.score })
	for _, found := range places {
		if len(near) > 0 && (len(near) == nearPlaces || found.score*4 < places[0].score*3) {
			break
		}
		overlaps := func(n NearLines) bool { return max(n.Line-1-found.line, found.line-n.Line+1) < len(want) }
		if !slices.ContainsFunc(near, overlaps) {
			end := min(found.line+len(want), len(lines))
			near = append(near, NearLines{found.line + 1, strings.Join(lines[found.line:end], "\n")})
		}
	}
	if len(near) == 0 {
		return nil, "", ""
	}
	got := near[0].Text
	return near, differs(got, strings.Join(want, "\n")), bareDiff(got, strings.Join(want, "\n"))
}

// likeness returns for each line how much the text from there on is like want:
// 0 is not at all. Lines that are equal but for blanks count most; the rest is
// compared only for the most telling line of want, to be quick on long files.
func likeness(lines, want []string) []int {
	scores := make([]int, len(lines))
	rows := make(map[string][]int) // of want, by text without blanks
	telling := 0
	for i, w := range want {
		key := squeeze(w)
		if key != "" {
			rows[key] = append(rows[key], i)
		}
		if len(key) > len(squeeze(want[telling])) {
			telling = i
		}
	}
	best := squeeze(want[telling])
	best = best[:min(len(best), nearWidth)]
	for i, line := range lines {
		key := squeeze(line)
		if len(rows[key]) > nearPlaces && len(key) < 3 { // braces are everywhere
			continue
		}
		for _, row := range rows[key] {
			if i >= row {
				scores[i-row] += 100
			}
		}
		if at := i - telling; at >= 0 && key != best && len(lines)*len(best) <= nearWork*nearWidth {
			scores[at] += similar(key[:min(len(key), nearWidth)], best)
		}
	}
	return scores
}

// similar returns up to 90 for texts of which more than half is the same.
func similar(a, b string) int {
	longest := max(len(a), len(b))
	if min(len(a), len(b))*2 < longest || longest == 0 {
		return 0
	}
	same := longest - levenshtein.ComputeDistance(a, b)
	if same*2 <= longest {
		return 0
	}
	return max(same*90/longest, 0)
}

// squeeze takes out all blanks.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// straight makes all quotes one, and all dashes.
var straight = strings.NewReplacer("“", "'", "”", "'", "‘", "'", "’", "'", "`", "'", `"`, "'", "–", "-", "—", "-", "\u00a0", " ")

// differs says in short what differs between texts that are nearly the same.
func differs(file, sought string) string {
	trimmed := func(s string, cut func(string) string) string {
		lines := strings.Split(s, "\n")
		for i := range lines {
			lines[i] = cut(lines[i])
		}
		return strings.Join(lines, "\n")
	}
	end := func(s string) string { return strings.TrimRight(s, " \t\r") }
	switch {
	case trimmed(file, end) == trimmed(sought, end):
		return "blanks at the end of lines differ"
	case trimmed(file, strings.TrimSpace) == trimmed(sought, strings.TrimSpace):
		if strings.Contains(file, "\t") != strings.Contains(sought, "\t") {
			return "the indentation differs: tabs and spaces"
		}
		return "the indentation differs"
	case squeeze(file) == squeeze(sought):
		return "blanks or line breaks differ"
	case straight.Replace(file) == straight.Replace(sought):
		return "quotes or dashes differ"
	case strings.EqualFold(file, sought):
		return "upper and lower case differ"
	}
	return ""
}

// bareDiff is a diff without file names, in which blanks that matter are seen:
// → for a tab in the indentation, · for a blank at the end of a line.
func bareDiff(old, new string) string {
	unified, err := udiff.ToUnified("", "", old+"\n", udiff.Lines(old+"\n", new+"\n"), 1)
	if err != nil {
		return ""
	}
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(unified, "\n"), "\n") {
		if i < 2 || line == "" || strings.HasPrefix(line, "@@") { // the names, and places in a fragment
			continue
		}
		sign, text := line[:1], line[1:]
		if sign != " " {
			body := strings.TrimLeft(text, " \t")
			text = strings.ReplaceAll(text[:len(text)-len(body)], "\t", "→\t") + body
			kept := strings.TrimRight(text, " \t\r")
			text = kept + strings.Repeat("·", len(text)-len(kept))
		}
		b.WriteString(sign + text + "\n")
	}
	return b.String()
}

// describeNearest is the end of a message that says what there is instead.
func describeNearest(near []NearLines, hint, diff string) string {
	if len(near) == 0 {
		return ", nor anything like it"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "; nearest is line %d", near[0].Line)
	if hint != "" {
		b.WriteString(" (" + hint + ")")
	}
	b.WriteString(", - is the file, + is what was sought:\n" + diff)
	for _, n := range near[1:] {
		text := n.Text
		if len(text) > nearShown {
			text = strings.ToValidUTF8(text[:nearShown], "") + "…"
		}
		fmt.Fprintf(&b, "or line %d:\n%s\n", n.Line, text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
