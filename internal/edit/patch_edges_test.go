package edit

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Where a hunk, a file of a patch, or the patch itself ends is told by its counts where they are right, and else by
// what follows: lines that may be of a hunk are, prose and names of files are not.
func TestWhereAPatchEnds(t *testing.T) {
	const head = "--- a/f\n+++ b/f\n"
	for _, c := range []struct{ name, file, patch, want string }{
		{"prose after an empty line", "a\n", head + "@@ -1 +1 @@\n-a\n+b\n\nI-beam\n", "b\n"},
		{"prose of one letter", "a\n", head + "@@ -1 +1 @@\n-a\n+b\n\nI\n", "b\n"},
		{"a sign alone", "a\n\nc\n", head + "@@ -1 +1 @@\n-a\n+b\n\n+\n-c\n", "b\n\n\n"},
		{"prose at once", "a\n", head + "@@ -1 +1 @@\n-a\n+b\nDone.\n", "b\n"},
		{"empty lines", "a\n\n\n", head + "@@ -1 +1 @@\n-a\n+b\n\n\n\n", "b\n\n\n"},
		{"more lines than stated after an empty one", "a\n\nb\n", head + "@@ -1 +1 @@\n-a\n+A\n\n-b\n+B\n", "A\n\nB\n"},
		{"more lines than stated after an empty one with \\r", "a\r\n\r\nb\r\n", head + "@@ -1 +1 @@\n-a\r\n+A\r\n\r\n-b\r\n+B\r\n", "A\r\n\r\nB\r\n"},
		{"fewer lines than stated, then prose", "a\nDone.\n", head + "@@ -1,2 +1,2 @@\n-a\n+b\nDone.\n", "b\nDone.\n"},
		{"another file after an empty line", "a\n", head + "@@ -1 +1 @@\n-a\n+b\n\n" + head + "@@ -1 +1 @@\n-b\n+c\n", "c\n"},
		{"another file after empty lines and prose", "a\n", head + "@@ -1 +1 @@\n-a\n+b\n\n\nIndex: f\n===\n" + head + "@@ -1 +1 @@\n-b\n+c\n", "c\n"},
		{"another file of git", "a\n", head + "@@ -1,9 +1,9 @@\n-a\n+b\ndiff --git a/f b/f\n" + head + "@@ -1 +1 @@\n-b\n+c\n", "c\n"},
		{"a line that looks like a signature", "a\n- \nb\n", head + "@@ -1,3 +1,2 @@\n a\n-- \n b\n", "a\nb\n"},
		{"a code block whose hunk is too short", tenLines, "```diff\n" + head + "@@ -1,9 +1,9 @@\n one\n-two\n+2\n```\nDone.\n", strings.Replace(tenLines, "two", "2", 1)},
		{"a code block with prose and another block", tenLines, "```diff\n" + head + "@@ -1,2 +1,2 @@\n one\n-two\n+2\n```\nThen run:\n```\nmake\n```\n", strings.Replace(tenLines, "two", "2", 1)},
		{"a code block in the file", "a\n```\nc\n", head + "@@ -1,3 +1,3 @@\n a\n```\n-c\n+d\n", "a\n```\nd\n"},
		{"a code block in the file, in one that does not end", "```\na\n", "```diff\n" + head + "@@ -1,2 +1,2 @@\n ```\n-a\n+b\n", "```\nb\n"},
		{"the end in another part of an envelope", "x\na\n", "*** Begin Patch\n*** Update File: f\n-a\n+b\n*** End of File\n-x\n+y\n*** End Patch\n", "y\nb\n"},
		{"a beginning that is indented", "a\n", "  *** Begin Patch\n*** Update File: f\n-a\n+b\n*** End Patch\n", "b\n"},
		{"blanks behind the end", "a\n", "*** Begin Patch\n*** Update File: f\n-a\n+b\n*** End of File \r\n*** End Patch \nDone.\n", "b\n"},
	} {
		p := planIn(t, put(t, map[string]string{"f": c.file}))
		err := p.Patch(c.patch)
		if d := cmp.Diff(c.want, p.textAt(t, "f")); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, d)
		}
	}
}

// The head of a hunk says where it is as far as it can be read; an insertion is where it says, and new lines end as
// those around them.
func TestPlacesAndEndsOfHunks(t *testing.T) {
	const head = "--- a/f\n+++ b/f\n"
	for _, c := range []struct{ name, file, patch, want string }{
		{"half a head", tenLines, head + "@@ -1,2 @@\n one\n-two\n+2\n", strings.Replace(tenLines, "two", "2", 1)},
		{"an anchor between signs", "a\nx\nb\nx\n", head + "@@ b @@\n-x\n+y\n", "a\nx\nb\ny\n"},
		{"an anchor between signs in an envelope", "a\nx\nb\nx\n", "*** Begin Patch\n*** Update File: f\n@@ b @@\n-x\n+y\n*** End Patch\n", "a\nx\nb\ny\n"},
		{"signs without an anchor", "a\nb\n", "*** Begin Patch\n*** Update File: f\n@@ @@\n-b\n+c\n*** End Patch\n", "a\nc\n"},
		{"a number too long to be true", "a\n", head + "@@ -99999999999999999999 +1 @@\n-a\n+b\n", "b\n"},
		{"before the first line", "a\nb\n", head + "@@ -0,0 +1 @@\n+x\n", "x\na\nb\n"},
		{"before the first line of \\r\\n", "a\r\nb\r\n", head + "@@ -0,0 +1 @@\n+x\n", "x\r\na\r\nb\r\n"},
		{"before a line without an end", "a", head + "@@ -1 +1,2 @@\n+x\n a\n", "x\na"},
		{"after the last line", "a\nb\n", head + "@@ -2,0 +3 @@\n+x\n", "a\nb\nx\n"},
		{"beside what another hunk changes", "a\nb\nc\n", head + "@@ -1,2 +1,2 @@\n a\n-b\n+B\n@@ -2,0 +3 @@\n+x\n", "a\nB\nx\nc\n"},
		{"beside what a hunk before it changes", "a\nb\nc\n", head + "@@ -2,2 +2,2 @@\n b\n-c\n+C\n@@ -1,0 +2 @@\n+x\n", "a\nx\nb\nC\n"},
		{"two beside each other", "a\nb\n", head + "@@ -1,0 +2 @@\n+x\n@@ -1,0 +3 @@\n+y\n", "a\nx\ny\nb\n"},
		{"the last line no longer the last", "a\r\nb", head + "@@ -1,2 +1,3 @@\n a\n b\n+c\n\\ No newline at end of file\n", "a\r\nb\r\nc"},
		{"a line with \\r\\n into one of \\n", "a\nb\n", head + "@@ -1,2 +1,2 @@\n a\n-b\n+c\r\n", "a\nc\r\n"},
		{"the end taken away of all", "a\n", head + "@@ -1 +0,0 @@\n-a\n", ""},
		{"lines of the file that it does not end", "a\nb\nc", head + "@@ -1,2 +1,1 @@\n a\n-b\n", "a\nc"},
		{"the last line taken away", "a\nb", head + "@@ -1,2 +1,1 @@\n a\n-b\n", "a"},
	} {
		p := planIn(t, put(t, map[string]string{"f": c.file}))
		err := p.Patch(c.patch)
		if d := cmp.Diff(c.want, p.textAt(t, "f")); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, d)
		}
	}
}

// What git says of a file before its hunks is read, whatever of it there is.
func TestHeadersOfGit(t *testing.T) {
	files := map[string]string{"f": "a\n", "x y": "x\n", "empty": "", "ä": "u\n"}
	for _, c := range []struct {
		name, patch string
		want        map[string]string
	}{
		{"all of them", "diff --git a/f b/f\nold mode 100644\nnew mode 100755\nsimilarity index 1%\ndissimilarity index 99%\nindex 1..2\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", map[string]string{"f": "b\n"}},
		{"no names before the hunk", "diff --git a/f b/f\nindex 1..2 100644\n@@ -1 +1 @@\n-a\n+b\n", map[string]string{"f": "b\n"}},
		{"a reverse diff", "diff --git b/f a/f\nindex 1..2 100644\n--- b/f\n+++ a/f\n@@ -1 +1 @@\n-a\n+b\n", map[string]string{"f": "b\n"}},
		{"a reverse diff, without names before the hunk", "diff --git b/f a/f\n@@ -1 +1 @@\n-a\n+b\n", map[string]string{"f": "b\n"}},
		{"letters for what is compared", "--- i/f\n+++ w/f\n@@ -1 +1 @@\n-a\n+b\n", map[string]string{"f": "b\n"}},
		{"blanks in the name", "diff --git a/x y b/x y\ndeleted file mode 100644\nindex 1..0\n", map[string]string{"x y": "none"}},
		{"a quoted name", "diff --git \"a/\\303\\244\" \"b/\\303\\244\"\ndeleted file mode 100644\nDone.\n", map[string]string{"ä": "none"}},
		{"a new file, then another", "diff --git a/n b/n\nnew file mode 100644\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", map[string]string{"n": "", "f": "b\n"}},
		{"a new name, and others in the names", "diff --git a/f b/g\nrename from f\nrename to g\n--- a/old\n+++ b/new\n@@ -1 +1 @@\n-a\n+b\n", map[string]string{"f": "none", "g": "b\n", "new": "none"}},
		{"a new file where an empty one is", "--- /dev/null\n+++ b/empty\n@@ -0,0 +1 @@\n+n\n", map[string]string{"empty": "n\n"}},
		{"an empty file in an envelope", "*** Begin Patch\n*** Add File: n\n*** End Patch\n", map[string]string{"n": ""}},
		{"a new name alone in an envelope", "*** Begin Patch\n*** Update File: f\n*** Move to: g \n*** End Patch\n", map[string]string{"f": "none", "g": "a\n"}},
		{"an empty line at the end of a new file", "*** Begin Patch\n*** Add File: n\n+a\n+\n\n*** End Patch\n", map[string]string{"n": "a\n\n"}},
	} {
		wantPatched(t, c.name, files, c.patch, c.want)
	}
}

// A patch that has nothing to say, or says two things at once, is refused, with the line that says so.
func TestPatchesThatSayNothing(t *testing.T) {
	const head = "--- a/f\n+++ b/f\n"
	for _, c := range []struct{ name, patch, says string }{
		{"a line end", "\n", "patch, line 1: no file is named"},
		{"a line end of two", "\r\n", "patch, line 1: the patch is empty"},
		{"no file", "--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", "patch, line 1: it names no file"},
		{"names at the end", head + "@@ -1 +1 @@\n-x\n+b\n--- a/g\n+++ b/g\n", "patch, line 8: no hunk follows: it begins with @@"},
		{"a hunk after a new name", "diff --git a/f b/g\nrename from f\nrename to g\n@@ -1 +1 @@\n-x\n+b\n", "patch, line 4: a hunk without a file before it"},
		{"a mode alone", "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n", "patch, line 4: no hunk of f follows: it begins with @@"},
		{"a mode and prose", "diff --git a/f b/f\nold mode 100644\nprose\n", "patch, line 3: no hunk of f follows: it begins with @@"},
		{"a copy", "diff --git a/f b/g\ncopy from f\ncopy to g\n", "patch, line 2: a copy is not made; create the file"},
		{"binary", "diff --git a/f b/f\nindex 1..2\nGIT binary patch\n", "patch, line 3: a change of a binary file"},
		{"no end without a line", head + "@@ -1 +1 @@\n\\ No newline\n", `patch, line 4: "\\ No newline" without a line before it`},
		{"a new file with kept lines", "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n x\n+n\n", "patch, line 3: a new file has only lines with +"},
		{"the end before any line", "*** Begin Patch\n*** Update File: f\n*** End of File\n*** End Patch\n", "patch, line 3: the end of the file without lines before it"},
		{"an anchor alone", "*** Begin Patch\n*** Update File: f\n-x\n+y\n@@ x\n*** End Patch\n", "patch, line 5: the hunk is empty"},
		{"a part cut off", "*** Begin Patch\n*** Add File: n\n+x\n", `patch, line 4: "*** End Patch" is missing: the patch may have been cut off`},
		{"between changed lines", head + "@@ -1,3 +1,3 @@\n x\n-y\n+Y\n z\n@@ -2,0 +3 @@\n+n\n", "hunk 2 (patch line 8): it inserts between lines that another hunk changes"},
		{"far past the end", head + "@@ -99999999999999999999,0 +1 @@\n+n\n", "hunk 1 (patch line 3): it begins past the end of the file"},
	} {
		p := planIn(t, put(t, map[string]string{"f": "x\ny\nz\n", "g": "g\n"}))
		if err := p.Patch(c.patch); err == nil || !strings.HasSuffix(err.Error(), c.says) && !strings.HasPrefix(err.Error(), c.says) || len(p.files) > 0 {
			t.Errorf("%s: %v, and the plan has %v", c.name, err, p.files)
		}
	}
}

// The two names in the head of git are told apart where they are equal or quoted; else the first blank divides them.
func TestNamesInTheHeadOfGit(t *testing.T) {
	for both, want := range map[string][2]string{
		"a/f b/f": {"f", "f"}, "a/x y b/x y": {"x y", "x y"}, `"a/\303\244" "b/\303\244"`: {"ä", "ä"}, "a/f b/ggg": {"f", "ggg"}, "a/f b/gg": {"f", "gg"},
		"f f": {"f", "f"}, "a/f b/f \r": {"f", "f"}, "a/ff b/f": {"ff", "f"}, "b/f a/f": {"f", "f"},
	} {
		from, to := gitNames(both)
		if diff := cmp.Diff(want, [2]string{from, to}); diff != "" {
			t.Errorf("%s: %s", both, diff)
		}
	}
}

// A journal that cannot be written or brought into its next phase is a failure, and one that is gone needs no more to be taken away.
func TestJournalThatCannotBeKept(t *testing.T) {
	dir := t.TempDir()
	j := &journal{dir: dir, id: "x"}
	if err := j.mark(moving); !errors.Is(err, os.ErrNotExist) || j.phase != "" {
		t.Errorf("marked %q before it was written: %v", j.phase, err)
	}
	if err := j.save(); err != nil || j.phase != preparing {
		t.Errorf("written: %q, %v", j.phase, err)
	}
	if err := (&journal{dir: filepath.Join(dir, "none"), id: "x"}).save(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in a folder that is not there: %v", err)
	}
	if err := errors.Join(j.mark(moving), j.drop(), j.drop()); err != nil {
		t.Errorf("taken away: %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("left: %v, %v", entries, err)
	}
	if err := j.mark(decided); err == nil || j.phase != moving {
		t.Errorf("marked %q after it was taken away: %v", j.phase, err)
	}
}

// What is no text is not written over, and stays.
func TestWritingOverWhatIsNoText(t *testing.T) {
	p := planIn(t, put(t, map[string]string{"bin": "a\x00"}))
	var binary *BinaryError
	if err := p.Write("bin", "text\n"); !errors.As(err, &binary) || len(p.files) > 0 {
		t.Errorf("%v, and the plan has %v", err, p.files)
	}
}
