package imports

import (
	"strings"
	"testing"
)

// A file is brought in by those that import it, and by those that import these; a circle
// ends, and what nobody can follow is taken for brought in.
func TestBroughtIn(t *testing.T) {
	var f forest
	tree := f.tree(`
-- src/main.ts --
import './a';
-- src/a.ts --
import { b } from '../more/b';
-- more/b.ts --
import { c } from './c';
-- more/c.ts --
import { b } from './b';
-- test/t.ts --
import { u } from './u';
-- test/u.ts --
import { t } from './t';
`)
	in := func(folder string) func(string) bool {
		return func(path string) bool { return strings.HasPrefix(path, here("/r/"+folder)) }
	}
	for _, c := range []struct {
		path, by string
		want     bool
	}{
		{"more/b.ts", "src", true},
		{"more/c.ts", "src", true},
		{"more/c.ts", "src/main", true},
		{"more/b.ts", "test", false},
		{"test/t.ts", "src", false},
		{"test/t.ts", "test", true},
		{"src/main.ts", "more", false},
		{"notes.txt", "src", true},
	} {
		var r Reader
		if got := r.Search(tree).BroughtIn(here("/r/"+c.path), in(c.by)); got != c.want {
			t.Errorf("%s is brought in by %s: %v", c.path, c.by, got)
		}
	}
}
