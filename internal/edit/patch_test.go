package edit

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const tenLines = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n"

// A patch is made although its numbers, counts, prefixes or blanks are not what
// git would write.
func TestPatchIsTolerant(t *testing.T) {
	head := "--- a/f\n+++ b/f\n"
	for _, c := range []struct{ name, file, patch, want string }{
		{"as git writes it", tenLines, "diff --git a/f b/f\nindex 1..2 100644\n" + head + "@@ -1,3 +1,3 @@ func x\n one\n-two\n+2\n three\n", strings.Replace(tenLines, "two", "2", 1)},
		{"as diff writes it", tenLines, "--- f\t2026-01-01 00:00:00\n+++ f\t2026-01-02\n@@ -2 +2 @@\n-two\n+2\n", strings.Replace(tenLines, "two", "2", 1)},
		{"a wrong line", tenLines, head + "@@ -7,3 +7,3 @@\n one\n-two\n+2\n three\n", strings.Replace(tenLines, "two", "2", 1)},
		{"wrong counts", tenLines, head + "@@ -1,9 +1,1 @@\n one\n-two\n+2\n three\n", strings.Replace(tenLines, "two", "2", 1)},
		{"counts too small", tenLines, head + "@@ -1,1 +1,1 @@\n one\n-two\n+2\n three\n", strings.Replace(tenLines, "two", "2", 1)},
		{"a bare @@", tenLines, head + "@@\n one\n-two\n+2\n", strings.Replace(tenLines, "two", "2", 1)},
		{"the blank of kept lines is missing", tenLines, head + "@@ -1,3 +1,3 @@\none\n-two\n+2\nthree\n", strings.Replace(tenLines, "two", "2", 1)},
		{"two hunks, both shifted", tenLines, head + "@@ -4,2 +4,1 @@\n-one\n two\n@@ -12,2 +11,2 @@\n nine\n-ten\n+10\n", "two\nthree\nfour\nfive\nsix\nseven\neight\nnine\n10\n"},
		{"the second hunk ends where the first begins", tenLines, head + "@@ -3,1 +3,1 @@\n-three\n+3\n@@ -1,2 +1,2 @@\n-one\n-two\n+1\n+2\n", strings.Replace(tenLines, "one\ntwo\nthree", "1\n2\n3", 1)},
		{"the second hunk is as far off as the first", "n\nm\nh\nx\na\nx\n", head + "@@ -1 +1 @@\n-h\n+H\n@@ -4 +4 @@\n-x\n+X\n", "n\nm\nH\nx\na\nX\n"},
		{"an empty line for an empty line", "a\n\nb\n", head + "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n", "a\n\nc\n"},
		{"an empty line after the last that counts is kept if it has a sign", "a\nb\nx\na\nb\n\n", head + "@@ -1,1 +1,1 @@\n a\n-b\n+c\n \n", "a\nb\nx\na\nc\n\n"},
		{"and not if it has none", "a\nb\nx\na\nb\n\n", head + "@@ -1,1 +1,1 @@\n a\n-b\n+c\n\n", "a\nc\nx\na\nb\n\n"},
		{"blanks at the end differ", "a \nb\n", head + "@@ -1,2 +1,2 @@\n a\n-b\n+c\n", "a \nc\n"},
		{"the indentation differs", "\tif x {\n\t\ta()\n\t}\n", head + "@@ -1,3 +1,3 @@\n if x {\n-  a()\n+\t\tb()\n }\n", "\tif x {\n\t\tb()\n\t}\n"},
		{"a file with \\r\\n", "a\r\nb\r\nc\r\n", head + "@@ -1,3 +1,4 @@\n a\n-b\n+x\n+y\n c\n", "a\r\nx\r\ny\r\nc\r\n"},
		{"a patch with \\r\\n", "a\nb\n", "--- a/f\r\n+++ b/f\r\n@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+c\r\n", "a\nc\n"},
		{"a patch with \\r\\n that has lost some", "a\nb\n", "--- a/f\r\n+++ b/f\r\n@@ -1,2 +1,2 @@\r\n a\n-b\n+c\r\n", "a\nc\n"},
		{"lines with \\r\\n", "a\r\nb\r\n", head + "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n", "a\r\nc\r\n"},
		{"endings changed", "a\r\nb\r\n", head + "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+b\n", "a\r\nb\n"},
		{"no end of the last line", "a\nb", head + "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n", "a\nc"},
		{"an end for the last line", "a\nb", head + "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n", "a\nb\n"},
		{"its end taken away", "a\nb\n", head + "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n", "a\nb"},
		{"the patch does not know that the end is missing", "a\nb", head + "@@ -1,2 +1,3 @@\n a\n b\n+c\n", "a\nb\nc"},
		{"the mark", "\ufeffa\nb\n", head + "@@ -1,2 +1,2 @@\n-\ufeffa\n+\ufeffc\n b\n", "\ufeffc\nb\n"},
		{"the mark is not named", "\ufeffa\nb\n", head + "@@ -1,2 +1,2 @@\n-a\n+c\n b\n", "\ufeffc\nb\n"},
		{"a code block", tenLines, "Here it is:\n\n```diff\n" + head + "@@ -1,2 +1,2 @@\n one\n-two\n+2\n```\nDone.\n", strings.Replace(tenLines, "two", "2", 1)},
		{"lines that look like names", "a\n-- x\nb\n", head + "@@ -1,3 +1,3 @@\n a\n--- x\n+++ y\n b\n", "a\n++ y\nb\n"},
		{"the same at the end", "a\n-- x\nb\nc\n", head + "@@ -1,2 +1,2 @@\n a\n--- x\n+++ y\n@@ -3,2 +3,1 @@\n b\n-c\n", "a\n++ y\nb\n"},
		{"two files in one patch", "a\n", head + "@@ -1,9 +1,9 @@\n-a\n+b\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-b\n+c\n", "c\n"},
		{"the nearest of two", "x\na\nx\nb\nc\nd\ne\nf\nx\n", head + "@@ -8,1 +8,1 @@\n-x\n+X\n", "x\na\nx\nb\nc\nd\ne\nf\nX\n"},
		{"the one that is less than half as far", "x\na\nb\nc\nx\n", head + "@@ -2 +2 @@\n-x\n+X\n", "X\na\nb\nc\nx\n"},
		{"an insertion without context", "a\nb\n", head + "@@ -1,0 +2 @@\n+x\n", "a\nx\nb\n"},
		{"a signature", tenLines, head + "@@ -1,2 +1,2 @@\n one\n-two\n+2\n-- \n2.39\n", strings.Replace(tenLines, "two", "2", 1)},
		{"an anchor", "func a() {\n\tx\n}\nfunc b() {\n\tx\n}\n", head + "@@ func b() {\n-\tx\n+\ty\n", "func a() {\n\tx\n}\nfunc b() {\n\ty\n}\n"},
		{"an insertion after an anchor", "a\nb\nc\nd\n", head + "@@ c\n+x\n", "a\nb\nc\nx\nd\n"},
		{"an empty file", "", head + "@@ -0,0 +1 @@\n+a\n", "a\n"},
		{"an envelope", tenLines, "*** Begin Patch\n*** Update File: f\n@@\n one\n-two\n+2\n@@\n nine\n-ten\n+10\n*** End Patch\n", "one\n2\nthree\nfour\nfive\nsix\nseven\neight\nnine\n10\n"},
		{"an envelope with blanks around the name", "a\n", "*** Begin Patch\n*** Update File:   f \t\n-a\n+b\n*** End Patch\n", "b\n"},
		{"an envelope without @@", tenLines, "*** Begin Patch\n*** Update File: f\n one\n-two\n+2\n*** End Patch", strings.Replace(tenLines, "two", "2", 1)},
		{"anchors, one in the other", "class A:\n  def f:\n    x\nclass B:\n  def f:\n    x\n", "*** Begin Patch\n*** Update File: f\n@@ class B:\n@@   def f:\n-    x\n+    y\n*** End Patch\n", "class A:\n  def f:\n    x\nclass B:\n  def f:\n    y\n"},
		{"the end of the file", "a\nb\na\n", "*** Begin Patch\n*** Update File: f\n@@\n-a\n+c\n*** End of File\n*** End Patch\n", "a\nb\nc\n"},
		{"only added: at the end", "a\n", "*** Begin Patch\n*** Update File: f\n@@\n+b\n*** End Patch\n", "a\nb\n"},
		{"empty lines around the parts of an envelope", "a\n", "*** Begin Patch\n*** Environment ID: 7\n\n*** Update File: f\n-a\n+b\n\n*** Add File: g\n+g\n\n\n*** End Patch\n", "b\n"},
		{"an envelope with numbers", "x\na\nx\na\nx\n", "*** Begin Patch\n*** Update File: f\n@@ -5,1 +5,1 @@\n-x\n+y\n*** End Patch\n", "x\na\nx\na\ny\n"},
		{"an empty line behind the last", "a\nb", head + "@@ -1,3 +1,3 @@\n a\n-b\n+c\n \n", "a\nc"},
		{"an empty line that the file does not have", "a\nb\nc\n", head + "@@ -1,3 +1,3 @@\n a\n-b\n+x\n \n", "a\nx\nc\n"},
		{"the only one after the hunk before", "x\na\nx\n", "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n@@\n-x\n+y\n*** End Patch\n", "x\nb\ny\n"},
		{"the only one, before the hunk before", "x\na\n", "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n@@\n-x\n+y\n*** End Patch\n", "y\nb\n"},
		{"an envelope in a code block", tenLines, "```\n*** Begin Patch\n*** Update File: f\n one\n-two\n+2\n*** End Patch\n```\n", strings.Replace(tenLines, "two", "2", 1)},
	} {
		p := planIn(t, put(t, map[string]string{"f": c.file}))
		err := p.Patch(c.patch)
		if d := cmp.Diff(c.want, p.textAt(t, "f")); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, d)
		}
	}
}

// Patches of several files make, delete and move them.
func TestPatchFiles(t *testing.T) {
	files := map[string]string{"f": "a\nb\n", "g": "g\n", "h": "", "dir/x y": "x\n", "a/own": "o\n", "b/own": "p\n", "own": "a\n", "own.orig": "a\n"}
	for _, c := range []struct {
		name, patch string
		want        map[string]string
	}{
		{"git", `diff --git a/new b/new
new file mode 100644
--- /dev/null
+++ b/new
@@ -0,0 +1,2 @@
+n
+m
\ No newline at end of file
diff --git a/g b/g
deleted file mode 100644
--- a/g
+++ /dev/null
@@ -1 +0,0 @@
-g
diff --git a/h b/h
deleted file mode 100644
index e69de29..0000000
diff --git a/f b/dir/f2
similarity index 50%
rename from f
rename to dir/f2
--- a/f
+++ b/dir/f2
@@ -1,2 +1,2 @@
 a
-b
+c
diff --git a/dir/x y b/x
similarity index 100%
rename from dir/x y
rename to x
diff --git a/empty b/empty
new file mode 100644
index 0000000..e69de29
`, map[string]string{"new": "n\nm", "g": "none", "h": "none", "f": "none", "dir/f2": "a\nc\n", "dir/x y": "none", "x": "x\n", "empty": ""}},
		{
			"plain", "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+n\n--- a/dir/x y\n+++ b/dir/x y\n@@ -1 +1 @@\n-x\n+y\n--- f.orig\n+++ f\n@@ -1 +1 @@\n-a\n+A\n",
			map[string]string{"new": "n\n", "dir/x y": "y\n", "f": "A\nb\n"},
		},
		{
			"plain, and the one it was made from is still there", "--- own.orig\n+++ own\n@@ -1 +1 @@\n-a\n+A\n",
			map[string]string{"own": "A\n", "own.orig": "a\n"},
		},
		{
			"plain, and only the former one is there", "--- own.orig\n+++ other\n@@ -1 +1 @@\n-a\n+A\n",
			map[string]string{"other": "A\n", "own.orig": "none"},
		},
		{
			"plain, of folders with such names", "--- a/own\n+++ a/own\n@@ -1 +1 @@\n-o\n+O\n--- b/own\n+++ b/own\n@@ -1 +1 @@\n-p\n+P\n",
			map[string]string{"a/own": "O\n", "b/own": "P\n"},
		},
		{
			"an envelope", "*** Begin Patch\n*** Add File: dir/new\n+n\n\n+m\n\n \n*** Delete File: g\n*** Update File: f\n*** Move to: dir/f2\n@@\n-a\n+A\n b\n*** End Patch\n",
			map[string]string{"dir/new": "n\n\nm\n", "g": "none", "f": "none", "dir/f2": "A\nb\n"},
		},
	} {
		wantPatched(t, c.name, files, c.patch, c.want)
	}
}

// wantPatched makes the changes of a patch to files, and compares those that are named.
func wantPatched(t *testing.T, name string, files map[string]string, patch string, want map[string]string) {
	t.Helper()
	p := planIn(t, put(t, files))
	if err := p.Patch(patch); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	for path, text := range want {
		if got := p.textAt(t, path); got != text {
			t.Errorf("%s: %s is %q, want %q", name, path, got, text)
		}
	}
}

// A patch that is not clear is refused whole, and the error says where in it and
// in the file.
func TestPatchRefuses(t *testing.T) {
	head := "--- a/f\n+++ b/f\n"
	for _, c := range []struct{ name, file, patch, says string }{
		{"nothing", "a\n", "", "line 1: the patch is empty"},
		{"prose", "a\n", "please\n", "no file is named"},
		{"no hunk", "a\n", head, "no hunk follows"},
		{"an empty hunk", "a\n", head + "@@ -1 +1 @@\n", "line 3: the hunk is empty"},
		{"binary", "a\n", "diff --git a/f b/f\nBinary files a/f and b/f differ\n", "line 2: a change of a binary file"},
		{"not there", tenLines, head + "@@ -1,2 +1,2 @@\n one\n-too\n+2\n", "hunk 1 (patch line 3): its lines are not in the file; nearest is line 1"},
		{"the second is not there", tenLines, head + "@@ -1 +1 @@\n-one\n+1\n@@ -5 +5 @@\n-fife\n+5\n", "hunk 2 (patch line 6): its lines are not in the file; nearest is line 5"},
		{"twice", "x\na\nx\n", head + "@@\n-x\n+y\n", "(lines 1, 3)"},
		{"as far from one as from the other", "x\na\nx\n", head + "@@ -2 +2 @@\n-x\n+y\n", "(lines 1, 3)"},
		{"only twice as far from one as from the other", "x\na\nb\nx\n", head + "@@ -2 +2 @@\n-x\n+y\n", "(lines 1, 4)"},
		{"nearest, but blanks differ", " x\na\nb\nc\nd\n x\n", head + "@@ -2 +2 @@\n-x\n+y\n", "(lines 1, 6)"},
		{"the same twice", "x\n", head + "@@ -1 +1 @@\n-x\n+y\n@@ -1 +1 @@\n-x\n+y\n", "hunk 2 (patch line 6): an earlier hunk of the patch changes its lines: make one hunk of both (line 1)"},
		{"one that an earlier one changes in part", "x\ny\nz\n", head + "@@ -1,2 +1,2 @@\n-x\n-y\n+a\n+b\n@@ -2,2 +2,2 @@\n y\n-z\n+c\n", "hunk 2 (patch line 8): an earlier hunk of the patch changes its lines: make one hunk of both (line 2)"},
		{"one that an earlier one changes before the anchor", "x\nfunc f\ny\n", "*** Begin Patch\n*** Update File: f\n@@\n-x\n+a\n@@ func f\n-x\n+b\n*** End Patch\n", "hunk 2 (patch line 6): its lines are not in the file"},
		{"one that an earlier one changes, and blanks differ", "x\n x\n", "*** Begin Patch\n*** Update File: f\n@@\n-x\n- x\n+a\n@@\n-x\n+b\n*** End Patch\n", "hunk 2 (patch line 7): an earlier hunk of the patch changes its lines: make one hunk of both (line 1)"},
		{"no place", "x\n", head + "@@\n+y\n", "neither at which line nor"},
		{"an insertion after an anchor that is there twice", "a\nb\na\n", head + "@@ a\n+x\n", "the line it is to follow is there more than once (lines 1, 3)"},
		{"past the end", "x\n", head + "@@ -9,0 +9 @@\n+y\n", "past the end"},
		{"no anchor", "x\n", head + "@@ func q()\n-x\n+y\n", "not in the file"},
		{"deletes more than it shows", "x\ny\n", "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", "lines that the patch does not show"},
		{"makes what is there", "x\n", "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+y\n", "exists already"},
		{"not there at all", "x\n", "--- a/q\n+++ b/q\n@@ -1 +1 @@\n-x\n+y\n", "no such file"},
		{"outside", "x\n", "--- a/../q\n+++ b/../q\n@@ -1 +1 @@\n-x\n+y\n", "is outside"},
		{"cut off", "x\n", "*** Begin Patch\n*** Update File: f\n-x\n+y\n", "may have been cut off"},
		{"an empty envelope", "x\n", "*** Begin Patch\n*** End Patch\n", "is empty"},
		{"an unknown part", "x\n", "*** Begin Patch\n*** Change File: f\n*** End Patch\n", `line 2: "*** Change File: f"`},
		{"a part without a name", "x\n", "*** Begin Patch\n*** Update File: \n-x\n+y\n*** End Patch\n", `line 2: "*** Update File:" names no file`},
		{"lines of the file that it does not show", "x\n", head + "@@ -1,1 +1,1 @@\n+y\n", "it has none of the lines of the file that it states"},
		{"several after the hunk before", "a\nx\nx\n", "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n@@\n-x\n+y\n*** End Patch\n", "(lines 2, 3)"},
		{"a new file without +", "x\n", "*** Begin Patch\n*** Add File: n\nabc\n*** End Patch\n", "line 3: in a new file all lines begin with +"},
		{"nothing to change", "x\n", "*** Begin Patch\n*** Update File: f\n*** End Patch\n", "nothing is said to change"},
		{"one good, one bad", tenLines, "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+n\n" + head + "@@\n-q\n+r\n", "hunk 1"},
	} {
		p := planIn(t, put(t, map[string]string{"f": c.file}))
		err := p.Patch(c.patch)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
		if len(p.files) > 0 {
			t.Errorf("%s: the plan has %v", c.name, p.files)
		}
	}
	p := planIn(t, put(t, map[string]string{"f": "x\na\nx\n"}))
	var hunk *HunkError
	if err := p.Patch(head + "@@\n-x\n+y\n"); !errors.As(err, &hunk) || !cmp.Equal(hunk.Candidates, []int{1, 3}) || hunk.Hunk != 1 || hunk.Line != 3 {
		t.Errorf("%#v", hunk)
	}
}

// Of places that are many the first are told, and how many more there are.
func TestManyPlacesOfAHunk(t *testing.T) {
	for many, says := range map[int]string{20: "17, 18, 19, 20)", 21: "17, 18, 19, 20 and 1 more)", 23: "17, 18, 19, 20 and 3 more)"} {
		p := planIn(t, put(t, map[string]string{"f": strings.Repeat("x\n", many)}))
		if err := p.Patch("--- a/f\n+++ b/f\n@@\n-x\n+y\n"); err == nil || !strings.HasSuffix(err.Error(), says) {
			t.Errorf("%d: %v, want %s", many, err, says)
		}
	}
}

// Whatever a patch says, it does not panic, and a refused one changes nothing.
func FuzzPatch(f *testing.F) {
	for _, seed := range []string{
		"--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n", "*** Begin Patch\n*** Update File: f\n@@ x\n one\n-two\n+2\n*** End of File\n*** End Patch\n",
		"diff --git a/f b/g\nrename from f\nrename to g\n", "```\n--- f\n+++ f\n@@\n\\ No newline\n", "*** Begin Patch\n*** Add File: n\n+\n*** Delete File: f\n*** End Patch",
		"--- a/f\r\n+++ b/f\r\n@@ -0,0 +9999999999999999999 @@\r\n+x\r\n", "--- \"a/\\303\\\"\n+++ \"b\n@@ @@\n",
	} {
		f.Add(seed)
	}
	root := put(f, map[string]string{"f": tenLines, "dir/g": "\ufeffa\r\nb"})
	f.Fuzz(func(t *testing.T, patch string) {
		p := planIn(t, root)
		if err := p.Patch(patch); err != nil && len(p.files)+len(p.dirs) > 0 {
			t.Errorf("refused with %v, but the plan has %v", err, p.files)
		}
		_ = p.Diff(nil)
	})
}

// Names are quoted as git reads them if they would be misread, or not be seen; all others stay.
func TestQuoted(t *testing.T) {
	for _, c := range [][2]string{
		{"plain.go", "a/plain.go"},
		{"größe 漢.go", "a/größe 漢.go"},
		{"say \"hi\" \\o/\n\t\r", `"a/say \"hi\" \\o/\n\t\r"`},
		{"ö\u202e\x1b[2J\xff", `"a/\303\266\342\200\256\033[2J\377"`},
	} {
		got := quoted("a/", c[0])
		if got != c[1] || unquoted(got) != "a/"+c[0] {
			t.Errorf("%q: %s, want %s", c[0], got, c[1])
		}
	}
}

// Names that git quotes are read as it writes them.
func TestUnquoted(t *testing.T) {
	for _, c := range [][2]string{
		{`plain.go`, "plain.go"},
		{`"a\tb"`, "a\tb"},
		{`"\a\b\n\v\f\r"`, "\a\b\n\v\f\r"},
		{`"\303\244.go"`, "ä.go"},
		{`"say \"hi\" \\o/"`, `say "hi" \o/`},
		{`"\0101"`, "\b1"},
		{`"\08"`, "08"},
		{`"\"`, `\`},
		{`"half`, `"half`},
		{`half"`, `half"`},
		{`"`, `"`},
		{`""`, ""},
	} {
		if got := unquoted(c[0]); got != c[1] {
			t.Errorf("%s: %q, want %q", c[0], got, c[1])
		}
	}
}
