package git_test

import (
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/lsptest"
)

// What a diff touches is told with the lines of now, whatever the names of the
// files and the user's configuration of diffs are.
func TestChanges(t *testing.T) {
	r := lsptest.NewRepository(t, "-- a.toy --\n1\n2\n3\n4\n5\n-- in/spaced name.toy --\nx\n-- gone.toy --\nx\n")
	w := open(r, "")
	expect := func(span, want string) {
		t.Helper()
		changes, err := w.Changes(t.Context(), span)
		if err != nil {
			t.Fatal(err)
		}
		var parts []string
		for _, c := range changes {
			text := fspath.Relative(r.Root, c.Path)
			if c.Whole {
				text += " whole"
			}
			if c.Deleted {
				text += " deleted"
			}
			for _, h := range c.Hunks {
				text += " " + h.String()
			}
			parts = append(parts, text)
		}
		if got := strings.Join(parts, "; "); got != want {
			t.Errorf("%s: got %q\nwant %q", span, got, want)
		}
	}
	r.Git("config", "diff.noprefix", "true")
	r.Git("config", "diff.external", "false")
	r.Git("config", "color.ui", "always")
	r.Git("config", "diff.context", "5")
	r.Write("käse \"q\".toy", "-- old\n1\n2\n")
	r.Commit()
	r.Write("a.toy", "1\ntwo\n3\n5\n6\n")
	r.Write("in/spaced name.toy", "x\ny\n")
	r.Write("käse \"q\".toy", "++ new\n1\ntwo\n") // looks like a header in the diff
	r.Write("new.toy", "x\n")
	r.Write("later.toy", "x\n")
	r.Git("rm", "-q", "gone.toy")
	expect("HEAD", `a.toy +2,1 +3,0 +5,1; gone.toy deleted; in/spaced name.toy +2,1; käse "q".toy +1,1 +3,1; later.toy whole; new.toy whole`)
	r.Commit()
	r.Write("a.toy", "0\n1\ntwo\n3\n5\n6\n")
	expect("HEAD~1..", `a.toy +3,1 +4,0 +6,1; gone.toy deleted; in/spaced name.toy +2,1; käse "q".toy +1,1 +3,1; later.toy whole; new.toy whole`)
	expect("HEAD~1...HEAD", `a.toy +3,1 +4,0 +6,1; gone.toy deleted; in/spaced name.toy +2,1; käse "q".toy +1,1 +3,1; later.toy whole; new.toy whole`)
	expect("HEAD", "a.toy +1,1")
	for _, wrong := range []string{"", "--output=x", "a b", "HEAD:a.toy", "nope", "nope.."} {
		if changes, err := w.Changes(t.Context(), wrong); err == nil {
			t.Errorf("%q: %v", wrong, changes)
		} else if _, ok := err.(*git.Error); !ok {
			t.Errorf("%q: %T", wrong, err)
		}
	}
}
