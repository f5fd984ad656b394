package workspace

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// What a diff touches is told with the lines of now, whatever the names of the
// files and the user's configuration of diffs are.
func TestChanges(t *testing.T) {
	lsptest.NeedGit(t)
	w := open(t, "-- a.toy --\n1\n2\n3\n4\n5\n-- in/spaced name.toy --\nx\n-- gone.toy --\nx\n", Options{})
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", w.Root(), "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) { lsptest.WriteFile(t, filepath.Join(w.Root(), name), text) }
	expect := func(span, want string) {
		t.Helper()
		changes, err := w.Changes(t.Context(), span)
		if err != nil {
			t.Fatal(err)
		}
		var parts []string
		for _, c := range changes {
			text := w.Relative(c.Path)
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
	git("init", "-q")
	git("config", "diff.noprefix", "true")
	git("config", "diff.external", "false")
	git("config", "color.ui", "always")
	git("config", "diff.context", "5")
	write("käse \"q\".toy", "-- old\n1\n2\n")
	git("add", "-A")
	git("commit", "-qm", "one")
	write("a.toy", "1\ntwo\n3\n5\n6\n")
	write("in/spaced name.toy", "x\ny\n")
	write("käse \"q\".toy", "++ new\n1\ntwo\n") // looks like a header in the diff
	write("new.toy", "x\n")
	lsptest.WriteFile(t, filepath.Join(w.Root(), "later.toy"), "x\n")
	git("rm", "-q", "gone.toy")
	expect("HEAD", `a.toy +2,1 +3,0 +5,1; gone.toy deleted; in/spaced name.toy +2,1; käse "q".toy +1,1 +3,1; later.toy whole; new.toy whole`)
	git("add", "-A")
	git("commit", "-qm", "two")
	write("a.toy", "0\n1\ntwo\n3\n5\n6\n")
	expect("HEAD~1..", `a.toy +3,1 +4,0 +6,1; gone.toy deleted; in/spaced name.toy +2,1; käse "q".toy +1,1 +3,1; later.toy whole; new.toy whole`)
	expect("HEAD~1...HEAD", `a.toy +3,1 +4,0 +6,1; gone.toy deleted; in/spaced name.toy +2,1; käse "q".toy +1,1 +3,1; later.toy whole; new.toy whole`)
	expect("HEAD", "a.toy +1,1")
	for _, wrong := range []string{"", "--output=x", "a b", "HEAD:a.toy", "nope", "nope.."} {
		if changes, err := w.Changes(t.Context(), wrong); err == nil {
			t.Errorf("%q: %v", wrong, changes)
		} else if _, ok := err.(*GitError); !ok {
			t.Errorf("%q: %T", wrong, err)
		}
	}
}
