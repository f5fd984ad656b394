package impact

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// textsOf are files in memory, as they are after the changes.
func textsOf(files map[string]string) Texts {
	paths := func() (all []string) {
		for path := range files {
			all = append(all, path)
		}
		slices.Sort(all)
		return all
	}
	read := func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, errors.New("no such file")
	}
	return TextsOf(new(TextReader), Tree{Paths: paths, Read: read, Stamp: func(string) (Stamp, bool) { return Stamp{}, false }})
}

// What servers have been shown already reaches, by text alone, the users of all that
// changed for others: nothing for a body, all users where no text from before is known.
func TestReachAfterTheChange(t *testing.T) {
	files := map[string]string{
		here("/r/lib.ts"):  "export function f(n: number): number {\n  return n;\n}\nexport const c = 1;\n",
		here("/r/f.ts"):    "import { f } from \"./lib\";\nexport const g = f(1);\n",
		here("/r/g.ts"):    "import { g } from \"./f\";\ng;\n",
		here("/r/c.ts"):    "import { c } from \"./lib\";\nc;\n",
		here("/r/none.ts"): "export const none = 1;\n",
		here("/r/lib.go"):  "package r\n",
	}
	now := files[here("/r/lib.ts")]
	for _, c := range []struct {
		name, path, before string
		want               []string
	}{
		{"a signature", here("/r/lib.ts"), "export function f(): number {\n  return n;\n}\nexport const c = 1;\n", []string{here("/r/f.ts"), here("/r/g.ts")}},
		{"a body under a written type", here("/r/lib.ts"), "export function f(n: number): number {\n  return 2;\n}\nexport const c = 1;\n", nil},
		{"a declaration that is gone", here("/r/lib.ts"), now + "export const none = 1;\n", nil},
		{"no text from before", here("/r/lib.ts"), "", []string{here("/r/c.ts"), here("/r/f.ts"), here("/r/g.ts")}},
		{"a language of which nothing is known", here("/r/lib.rs"), "fn f() {}\n", nil},
	} {
		change := Change{Path: c.path, Before: []byte(c.before), After: []byte(files[c.path])}
		if c.before == "" {
			change.Before = nil
		}
		reach := FindUsersByText(textsOf(files), []Change{change})
		if diff := cmp.Diff(c.want, reach.Files()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if more := reach.Possible(); len(more)+len(reach.Notes)+len(reach.Unknown) > 0 {
			t.Errorf("%s: %q %q %q", c.name, more, reach.Notes, reach.Unknown)
		}
	}
}

// What a change of data means for the files that import it is known if the data can be read, and of no
// interest if none does; so is what a change of configuration means, whoever imports it.
func TestDataThatCannotBeRead(t *testing.T) {
	files := map[string]string{here("/r/a.ts"): "import d from \"./data.json\";\nd;\n", here("/r/data.json"): "{}", here("/r/alone.json"): "{}", here("/r/tsconfig.json"): "{}"}
	got := make(map[string]int)
	for _, name := range []string{"data.json", "alone.json", "tsconfig.json"} {
		for _, text := range []string{"{\"a\": 1}", "{\"a\": "} {
			change := Change{Path: here("/r/" + name), Before: []byte("{}"), After: []byte(text)}
			got[name+" "+text] = len(FindUsersByText(textsOf(files), []Change{change}).Unknown)
		}
	}
	want := map[string]int{"data.json {\"a\": 1}": 0, "data.json {\"a\": ": 1, "alone.json {\"a\": 1}": 0, "alone.json {\"a\": ": 0, "tsconfig.json {\"a\": 1}": 0, "tsconfig.json {\"a\": ": 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
