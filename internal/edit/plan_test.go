package edit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
)

// text returns what the plan has at a path, or "none".
func (p *Plan) textAt(t testing.TB, path string) string {
	t.Helper()
	f, err := p.load(path)
	if err != nil {
		return "error: " + err.Error()
	}
	if !f.exists {
		return "none"
	}
	return string(f.after)
}

// A replacement touches what it names and nothing else: line endings of lines
// that stay, the mark and the end of the file are as before, and new lines end
// as those around them.
func TestReplace(t *testing.T) {
	for _, c := range []struct {
		name, file, old, new string
		all                  bool
		want                 string
		count                int
	}{
		{"a word", "one two\n", "two", "2", false, "one 2\n", 1},
		{"all", "a b a\na", "a", "c", true, "c b c\nc", 3},
		{"all, one beside the other", "aaaa", "aa", "b", true, "bb", 2},
		{"no line end at the end", "a\nb", "b", "c", false, "a\nc", 1},
		{"\\r\\n", "a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", false, "x\r\ny\r\nz\r\nc\r\n", 1},
		{"\\r\\n, the last line", "a\r\nb", "b", "b\nc", false, "a\r\nb\r\nc", 1},
		{"\\r\\n, whole lines", "a\r\nb\r\nc\r\n", "b\n", "B\nBB\n", false, "a\r\nB\r\nBB\r\nc\r\n", 1},
		{"\\r\\n, a line deleted", "a\r\nb\r\nc\r\n", "b\n", "", false, "a\r\nc\r\n", 1},
		{"\\r\\n, from the line end on", "a\r\nb\r\n", "\nb", "\nc", false, "a\r\nc\r\n", 1},
		{"\\r\\n given for \\n", "a\nb\n", "a\r\nb", "x", false, "x\n", 1},
		{"\\r\\n given for both", "a\r\nb\r\n", "a\r\nb", "a\r\nc\r\nb", false, "a\r\nc\r\nb\r\n", 1},
		{"mixed: what stands is kept", "a\r\nb\nc\r\nd", "a\nb\nc\n", "a\nB\nc\n", false, "a\r\nB\nc\r\nd", 1},
		{"mixed: new lines as those around", "a\r\nb\nc\r\nd\n", "b\nc\n", "b\nc\nx\n", false, "a\r\nb\nc\r\nx\nd\n", 1},
		{"the mark", "\ufeffa\nb\n", "a", "x", false, "\ufeffx\nb\n", 1},
		{"to nothing", "a", "a", "", false, "", 1},
		{"a lone \\r is text", "a\rb\n", "a\rb", "c", false, "c\n", 1},
	} {
		p := planIn(t, put(t, map[string]string{"f": c.file}))
		count, err := p.Replace("f", c.old, c.new, c.all)
		if got := p.textAt(t, "f"); got != c.want || count != c.count || err != nil {
			t.Errorf("%s: %q, %d, %v; want %q", c.name, got, count, err, c.want)
		}
	}
}

// What cannot be replaced leaves the plan alone, and the error says what there
// is instead.
func TestReplaceRefuses(t *testing.T) {
	const file = "package x\n\nfunc One() {\n\treturn \"a\"\n}\n\nfunc Two() {\n\treturn \"a\"\n}\n"
	for _, c := range []struct{ name, path, old, new, says string }{
		{"tabs", "f.go", "func One() {\n    return \"a\"\n}", "x", "nearest is line 3 (the indentation differs: tabs and spaces)"},
		{"the diff shows tabs", "f.go", "func One() {\n    return \"a\"\n}", "x", "-→\treturn"},
		{"quotes", "f.go", "func One() {\n\treturn “a”", "x", "line 3 (quotes or dashes differ)"},
		{"case", "f.go", "func one() {", "x", "line 3 (upper and lower case differ)"},
		{"blanks at the end", "f.go", "func One() { \n", "x", "line 3 (blanks at the end of lines differ), - is the file, + is what was sought:\n-func One() {\n+func One() {·"},
		{"something else", "f.go", "zzzzzzzzzz qqqqqq", "x", "nor anything like it"},
		{"a word of it", "f.go", "func Three() {\n\treturn \"a\"", "x", "nearest is line"},
		{"twice", "f.go", "return \"a\"", "x", "2 times, in lines 4, 8"},
		{"overlapping", "aaa", "aa", "x", "2 times, in lines 1, 1"},
		{"empty", "f.go", "", "x", "give its content"},
		{"the same", "f.go", "func", "func", "are the same"},
		{"no file", "f.gp", "a", "b", "no such file; near it: f.go"},
		{"a folder", "dir", "a", "b", "is a directory"},
		{"binary", "bin", "a", "b", "NUL"},
		{"not UTF-8", "latin", "a", "b", "not valid UTF-8"},
		{"it would become binary", "f.go", "One", "\x00", "NUL"},
		{"the mark", "mark", "\ufeffa", "b", "not in the file"},
	} {
		root := put(t, map[string]string{"f.go": file, "aaa": "aaa", "dir/x": "", "bin": "a\x00", "latin": "a\xe9", "mark": "\ufeffa"})
		p := planIn(t, root)
		count, err := p.Replace(c.path, c.old, c.new, false)
		if err == nil || !strings.Contains(err.Error(), c.says) || count != 0 {
			t.Errorf("%s: %v", c.name, err)
		}
		if len(p.Changes()) > 0 || len(p.files) > 0 {
			t.Errorf("%s: the plan has %v", c.name, p.files)
		}
	}
}

// The errors have what a program needs to go on.
func TestErrorsOfReplaceAreTyped(t *testing.T) {
	p := planIn(t, put(t, map[string]string{"f": "a\nbb\na\n"}))
	_, err := p.Replace("f", "a", "b", false)
	var ambiguous *AmbiguousMatchError
	if !errors.As(err, &ambiguous) || !cmp.Equal(ambiguous.Lines, []int{1, 3}) {
		t.Error(err)
	}
	_, err = p.Replace("f", " bb", "b", false)
	var none *NoMatchError
	if !errors.As(err, &none) || !cmp.Equal(none.Nearest, []NearLines{{2, "bb"}}) {
		t.Errorf("%#v", err)
	}
	_, err = p.Replace("g", "a", "b", false)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// A whole file is as it was given, but for the mark and the line endings of the
// file that was there.
func TestWrite(t *testing.T) {
	for _, c := range []struct{ name, file, content, want string }{
		{"new", "none", "a\nb", "a\nb"},
		{"over", "x\n", "a\nb", "a\nb"},
		{"\\r\\n kept", "x\r\ny\r\n", "a\nb", "a\r\nb"},
		{"\\r\\n as given", "x\r\ny\r\n", "a\r\nb\n", "a\r\nb\n"},
		{"mixed is not kept", "x\r\ny\n", "a\nb\n", "a\nb\n"},
		{"\\r\\n into \\n", "x\n", "a\r\n", "a\r\n"},
		{"the mark kept", "\ufeffx", "a", "\ufeffa"},
		{"the mark given", "\ufeffx", "\ufeffa", "\ufeffa"},
		{"nothing", "x", "", ""},
	} {
		files := map[string]string{"f": c.file}
		if c.file == "none" {
			files = nil
		}
		p := planIn(t, put(t, files))
		err := p.Write("f", c.content)
		if got := p.textAt(t, "f"); got != c.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

// Ranges of several calls all speak of the text on disk, \n becomes the ending
// of the file, a line past the end is refused, a column past it is not.
func TestRanges(t *testing.T) {
	p := planIn(t, put(t, map[string]string{"f": "ab\r\ncd\r\n"}))
	err := errors.Join(
		p.Ranges("f", []TextEdit{{place(1, 0, 1, 1), "X\nY"}, {place(0, 0, 0, 0), "1"}}, protocol.UTF16),
		p.Ranges("f", []TextEdit{{place(1, 1, 1, 99), "Z"}, {place(0, 0, 0, 0), "2"}, {place(3, 0, 3, 0), "end\n"}}, protocol.UTF8))
	if got := p.textAt(t, "f"); got != "12ab\r\nX\r\nYZ\r\nend\r\n" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for _, c := range []struct {
		name string
		r    protocol.Range
		says string
	}{
		{"overlap", place(1, 0, 1, 2), "overlap"},
		{"past the end", place(9999, 0, 9999, 1), "the range 10000:1 to 10000:2 is past the end: there are 3 lines"},
		{"its end past the end", place(0, 0, 4, 0), "there are 3 lines"},
		{"backwards", place(1, 1, 0, 0), "ends before it begins"},
	} {
		if err := p.Ranges("f", []TextEdit{{c.r, "!"}}, protocol.UTF16); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if got := p.textAt(t, "f"); got != "12ab\r\nX\r\nYZ\r\nend\r\n" {
		t.Errorf("after refusals: %q", got)
	}
	if _, err := p.Replace("f", "end", "fin", false); err != nil {
		t.Error(err)
	}
	if err := p.Ranges("f", []TextEdit{{place(0, 0, 0, 0), "3"}}, protocol.UTF16); err == nil || !strings.Contains(err.Error(), "after a replacement of text") {
		t.Error(err)
	}
}

// Files are created, deleted and renamed with the options of LSP, alone and in
// folders, and what comes later sees it.
func TestFileOperations(t *testing.T) {
	type step struct {
		do   func(p *Plan) error
		says string // of the error, "" for none
	}
	files := map[string]string{"a": "A", "b": "B", "dir/c": "C", "dir/deep/d": "D"}
	for _, c := range []struct {
		name  string
		steps []step
		want  map[string]string // "" is none
	}{
		{"create", []step{
			{func(p *Plan) error { return p.Create("n/x", Existing{}) }, ""},
			{func(p *Plan) error { return p.Create("n/x", Existing{}) }, "exists already"},
			{func(p *Plan) error { return p.Create("n", Existing{}) }, "is a directory"},
			{func(p *Plan) error { return p.Create("a/x", Existing{}) }, "a"},
			{func(p *Plan) error { return p.Create("a", Existing{IgnoreIfExists: true}) }, ""},
			{func(p *Plan) error { return p.Create("b", Existing{Overwrite: true, IgnoreIfExists: true}) }, ""},
			{func(p *Plan) error { return p.Write("new", "") }, ""},
			{func(p *Plan) error { return p.Write("new/x", "") }, "is a file"},
		}, map[string]string{"a": "A", "n/x": "empty", "b": "empty"}},
		{"delete", []step{
			{func(p *Plan) error { return p.Delete("a", Missing{}) }, ""},
			{func(p *Plan) error { return p.Delete("a", Missing{}) }, "no such file"},
			{func(p *Plan) error { return p.Delete("a", Missing{IgnoreIfNotExists: true}) }, ""},
			{func(p *Plan) error { return p.Delete("dir", Missing{}) }, "recursively"},
			{func(p *Plan) error { return p.Delete("dir", Missing{Recursive: true}) }, ""},
			{func(p *Plan) error { return p.Delete(".", Missing{Recursive: true}) }, "is a root"},
			{func(p *Plan) error { return p.Write("a", "again") }, ""},
		}, map[string]string{"a": "again", "dir/c": "", "dir/deep/d": ""}},
		{"delete what is empty", []step{
			{func(p *Plan) error { return p.Delete("dir/deep", Missing{}) }, "recursively"},
			{func(p *Plan) error { return p.Delete("dir/deep/d", Missing{}) }, ""},
			{func(p *Plan) error { return p.Delete("dir/deep", Missing{}) }, ""},
			{func(p *Plan) error { return p.Delete("dir/deep", Missing{}) }, "no such file"},
		}, map[string]string{"dir/deep/d": ""}},
		{"rename", []step{
			{func(p *Plan) error { return p.Rename("a", "b", Existing{}) }, "exists already"},
			{func(p *Plan) error { return p.Rename("a", "b", Existing{IgnoreIfExists: true}) }, ""},
			{func(p *Plan) error { return p.Rename("a", "b", Existing{Overwrite: true}) }, ""},
			{func(p *Plan) error { return p.Rename("a", "x", Existing{}) }, "no such file"},
			{func(p *Plan) error { return p.Rename("b", "n/e", Existing{}) }, ""},
			{func(p *Plan) error { return p.Rename("n", "m", Existing{}) }, ""},
		}, map[string]string{"a": "", "b": "", "n/e": "", "m/e": "A"}},
		{"a folder", []step{
			{func(p *Plan) error { return p.Rename("dir", "dir/deep/x", Existing{}) }, "into itself"},
			{func(p *Plan) error { return p.Rename("dir", "a", Existing{}) }, "a exists already"},
			{func(p *Plan) error { return p.Rename("dir", "a", Existing{IgnoreIfExists: true}) }, ""},
			{func(p *Plan) error { return p.Rename("dir", "a", Existing{Overwrite: true}) }, "a folder does not overwrite"},
			{func(p *Plan) error { return p.Rename("dir/deep", "dir", Existing{}) }, "dir exists already"},
			{func(p *Plan) error { return p.Rename("dir/deep", "dir", Existing{IgnoreIfExists: true}) }, ""},
			{func(p *Plan) error { return p.Rename("dir/deep", "dir", Existing{Overwrite: true}) }, "a folder does not overwrite"},
			{func(p *Plan) error { return p.Write("dir/new", "N") }, ""},
			{func(p *Plan) error { return p.Delete("dir/c", Missing{}) }, ""},
			{func(p *Plan) error { return p.Rename("dir", "to", Existing{}) }, ""},
			{func(p *Plan) error { return p.Rename("dir", "again", Existing{}) }, "no such file"},
			{func(p *Plan) error { return p.Delete("dir", Missing{Recursive: true}) }, "no such file"},
			{func(p *Plan) error { return p.Write("dir", "a file now") }, "a folder is there"},
			{func(p *Plan) error { _, err := p.Replace("to/deep/d", "D", "DD", false); return err }, ""},
		}, map[string]string{"to/new": "N", "to/deep/d": "DD", "dir/deep/d": "", "to/c": "", "dir/new": ""}},
		{"folders exchanged", []step{
			{func(p *Plan) error { return p.Write("two/c", "2") }, ""},
			{func(p *Plan) error { return p.Rename("dir", "tmp", Existing{}) }, ""},
			{func(p *Plan) error { return p.Rename("two", "dir", Existing{}) }, ""},
			{func(p *Plan) error { return p.Rename("tmp", "two", Existing{}) }, ""},
		}, map[string]string{"dir/c": "2", "two/c": "C", "two/deep/d": "D", "dir/deep/d": "", "tmp/c": ""}},
	} {
		p := planIn(t, put(t, files))
		for i, s := range c.steps {
			err := s.do(p)
			if s.says == "" && err != nil || s.says != "" && (err == nil || !strings.Contains(err.Error(), s.says)) {
				t.Errorf("%s, step %d: %v, want %q", c.name, i, err, s.says)
			}
		}
		for path, want := range c.want {
			want = strings.TrimSuffix(want, "empty")
			if c.want[path] == "" {
				want = "none"
			}
			if got := p.textAt(t, path); got != want {
				t.Errorf("%s: %s is %q, want %q", c.name, path, got, want)
			}
		}
	}
}

// Changes are sorted, know renames, and leave out what ends as it began; the
// diff is what git would write.
func TestChangesAndDiff(t *testing.T) {
	root := put(t, map[string]string{"a": "1\n2\n3\n", "same": "x\n", "old": "o\n", "gone": "g", "back": "b\n", "bin": "\x00", "s1": "1\n", "s2": "2\n"})
	p := planIn(t, root)
	_, err := p.Replace("a", "2\n", "two\nand\n", false)
	_, err2 := p.Replace("same", "x", "y", false)
	_, err3 := p.Replace("same", "y", "x", false)
	if err := errors.Join(err, err2, err3, p.Rename("old", "new name", Existing{}), p.Delete("gone", Missing{}), p.Write("made", "m\n"),
		p.Rename("back", "away", Existing{}), p.Rename("away", "back", Existing{}), p.Rename("bin", "bin2", Existing{}),
		p.Rename("s1", "t", Existing{}), p.Rename("s2", "s1", Existing{}), p.Rename("t", "s2", Existing{})); err != nil {
		t.Fatal(err)
	}
	got := p.Diff(func(path string) string { return filepath.Base(path) })
	want := `diff --git a/a b/a
--- a/a
+++ b/a
@@ -1,3 +1,4 @@
 1
-2
+two
+and
 3
diff --git a/bin b/bin2
rename from bin
rename to bin2
Binary files a/bin and b/bin2 differ
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-g
\ No newline at end of file
diff --git a/made b/made
new file mode 100644
--- /dev/null
+++ b/made
@@ -0,0 +1 @@
+m
diff --git a/old b/new name
rename from old
rename to new name
diff --git a/s1 b/s1
--- a/s1
+++ b/s1
@@ -1 +1 @@
-1
+2
diff --git a/s2 b/s2
--- a/s2
+++ b/s2
@@ -1 +1 @@
-2
+1
`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	c := p.Changes()[0]
	if added, removed := c.Lines(); added != 2 || removed != 1 || c.Replacements != 1 {
		t.Errorf("%d added, %d removed, %d replacements", added, removed, c.Replacements)
	}
	before := seen(t, root)
	if before["a"] != mode("-rw-r--r--")+" 1\n2\n3\n" {
		t.Error("a plan wrote to disk")
	}
}

// A hash, whole or its beginning, says what the caller saw.
func TestExpect(t *testing.T) {
	p := planIn(t, put(t, map[string]string{"f": "text\n"}))
	hash := Hash([]byte("text\n"))
	if err := p.Write("f", "planned\n"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, hash, says string }{
		{"f", hash, ""},
		{"f", "sha256:" + strings.ToUpper(hash[:8]), ""},
		{"f", hash[:7], "at least 8"},
		{"f", "not a hash", "no hash"},
		{"f", Hash([]byte("planned\n")), "it is now " + hash},
		{"gone", hash, "no such file"},
	} {
		err := p.Expect(c.path, c.hash)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v", c.hash, err)
		}
	}
	var stale *StaleError
	if err := p.Expect("f", "00000000"); !errors.As(err, &stale) || stale.Got != hash {
		t.Error(err)
	}
}

// What is outside the roots, git's, too large or no file is refused, whatever
// links lead there; links inside are followed, also to what is still to be made.
func TestTreeGuards(t *testing.T) {
	lsptest.NeedLinks(t)
	root, out := put(t, map[string]string{"f": "f\n", "sub/g": "g\n", ".git/config": "c", "big": strings.Repeat("x", 101)}), put(t, map[string]string{"x": "x\n"})
	beside := root + "2"
	err := errors.Join(os.Mkdir(beside, 0o755), os.Symlink(out, root+"/outside"), os.Symlink("sub/g", root+"/inside"), os.Symlink("sub/new", root+"/tobe"),
		os.Symlink(out+"/new", root+"/outtobe"), os.Symlink("loop", root+"/loop"), os.Symlink(".git", root+"/git"))
	t.Cleanup(func() { _ = os.RemoveAll(beside) })
	if err != nil {
		t.Fatal(err)
	}
	tree, err := NewTree(100, root)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, says string }{
		{"f", ""},
		{root + "/sub/../f", ""},
		{"inside", ""},
		{"tobe", ""},
		{"new/deep/x", ""},
		{"../x", "is outside"},
		{beside + "/x", "is outside"},
		{out + "/x", "is outside"},
		{"outside/x", "leads to"},
		{"outside/none/x", "leads to"},
		{"outtobe", "leads to"},
		{"loop", "loop"},
		{".git/config", "is in .git"},
		{".GIT/hooks/x", "is in .GIT"},
		{"git/config", "is in .git"},
		{"sub/.git", "is in .git"},
		{"big", "over the limit"},
		{"sub", "is a directory"},
		{"", "no path"},
		{"f\x00", "no path"},
		{"f/x", "not a directory"},
	} {
		p := NewPlan(tree)
		err := p.Write(c.path, "new\n")
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%q: %v", c.path, err)
		}
	}
	p := NewPlan(tree)
	if err := errors.Join(p.Write("inside", "through\n"), p.Write("tobe", "made\n"), Commit(t.Context(), p, t.TempDir())); err != nil {
		t.Fatal(err)
	}
	now := seen(t, root)
	if now["sub/g"] != mode("-rw-r--r--")+" through\n" || now["sub/new"] != mode("-rw-r--r--")+" made\n" || now["inside"][0] != 'L' || now["tobe"][0] != 'L' {
		t.Errorf("%q", now)
	}
	for _, err := range []error{p.Delete("inside", Missing{}), p.Rename("inside", "x", Existing{}), p.Rename("f", "inside", Existing{Overwrite: true})} {
		var link *NotRegularError
		if !errors.As(err, &link) {
			t.Errorf("a link: %v", err)
		}
	}
}
