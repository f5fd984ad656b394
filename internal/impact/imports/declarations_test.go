package imports

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An alias is looked for only where "as" stands between blanks, wherever that is in the text.
func TestHasAs(t *testing.T) {
	for text, want := range map[string]bool{
		"":                     false,
		"as":                   false,
		"as b":                 false,
		"a as":                 false,
		"a asb":                false,
		"aas b":                false,
		"a.as b":               false,
		"a as, b":              false,
		"a\vas b":              false,
		" as b":                true,
		"a as b":               true,
		"a as ":                true,
		"a\tas\tb":             true,
		"a\nas\rb":             true,
		"a\ras\nb":             true,
		"a\fas\fb":             true,
		"class a has b as c":   true,
		"class a has b, asas ": false,
	} {
		if got := hasAs(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
		if alias.MatchString(text) && !want {
			t.Errorf("%q has an alias", text)
		}
	}
}

// A part that passes names on also declares the aliases of those that are meant, any other part
// only its own names.
func TestAliasesAreFollowed(t *testing.T) {
	const shown = "export { f as g, class as h, x as y }"
	own := []string{"o"}
	for name, c := range map[string]struct {
		part declaration
		want []string
	}{
		"it passes names on":   {declaration{names: own, shown: shown, passes: true}, []string{"o", "g", "h"}},
		"it passes nothing on": {declaration{names: own, shown: shown}, own},
		"it has no alias":      {declaration{names: own, shown: "export { f, class }", passes: true}, own},
		"only another's alias": {declaration{names: own, shown: "export { x as y }", passes: true}, own},
		"hidden":               {declaration{names: own, hidden: shown, passes: true}, own},
	} {
		if diff := cmp.Diff(c.want, c.part.declares(names{"f": true, "class": true})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A part is unlike those of another list if it does not stand there in the same order; blanks
// around its lines and empty parts tell nothing.
func TestUnlike(t *testing.T) {
	list := func(texts ...string) (all []declaration) {
		for _, text := range texts {
			all = append(all, declaration{shown: text, sure: "s"})
		}
		return all
	}
	for name, c := range map[string]struct {
		list, other []declaration
		want        []int
	}{
		"the same":                  {list("a", "b"), list("a", "b"), nil},
		"the beginning of the rest": {list("a"), list("a", "b"), nil},
		"one more at the end":       {list("a", "b"), list("a"), []int{1}},
		"one more between":          {list("a", "x", "b"), list("a", "b"), []int{1}},
		"nothing besides":           {list("a", "b"), nil, []int{0, 1}},
		"nothing":                   {nil, list("a"), nil},
		"empty ones":                {list("", "a", "\n \n"), list("a"), nil},
		"blank lines, blanks":       {list("a\n\n b  \n"), list("\na\t\n b"), nil},
		"indented otherwise":        {list("a\n b"), list("a\nb"), []int{0}},
		"lines of two":              {list("a\nb"), list("a", "b"), []int{0}},
		"another order":             {list("a", "b"), list("b", "a"), []int{1}},
	} {
		if diff := cmp.Diff(c.want, unlike(c.list, c.other, func(d *declaration) string { return d.shown })); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// What changed gives its own names another meaning, and, where it passes on names and no others
// but those, the names that it mentions outside of strings.
func TestMark(t *testing.T) {
	const shown = "export { f as g } from \"./h\""
	for name, c := range map[string]struct {
		passes, shapes bool
		want           names
	}{
		"declares":      {false, false, names{"o": true}},
		"passes on":     {true, false, names{"o": true, "f": true, "g": true}},
		"shapes":        {false, true, names{"o": true}},
		"does all that": {true, true, names{"o": true}},
	} {
		got := make(names)
		(&declaration{names: []string{"o"}, shown: shown, passes: c.passes, shapes: c.shapes}).mark(got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
