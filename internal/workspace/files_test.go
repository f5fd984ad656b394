package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// A path is resolved to where it leads, existing or not, and refused when that
// is outside the root, whichever way it gets there.
func TestResolve(t *testing.T) {
	parent := lsptest.Workspace(t, "-- w/a.toy --\n-- w/sub/b.toy --\n-- w2/x.toy --\n")
	w := open(t, "", Options{Root: filepath.Join(parent, "w")})
	root, outside := w.Root(), filepath.Join(parent, "w2")
	symlink(t, outside, filepath.Join(root, "out"))
	symlink(t, "sub", filepath.Join(root, "in"))
	symlink(t, filepath.Join(outside, "x.toy"), filepath.Join(root, "link.toy"))
	symlink(t, root, filepath.Join(outside, "back"))
	symlink(t, "nothing.toy", filepath.Join(root, "dangling.toy"))
	symlink(t, filepath.Join(outside, "nothing.toy"), filepath.Join(root, "escape.toy"))
	sub := filepath.Join(root, "sub")
	for _, c := range []struct{ base, path, want string }{
		{root, "a.toy", "a.toy"},
		{root, ".", "."},
		{root, "", "."},
		{sub, "../a.toy", "a.toy"},
		{sub, "b.toy", "sub/b.toy"},
		{root, "nowhere/.././a.toy", "a.toy"},
		{"elsewhere", filepath.Join(root, "a.toy"), "a.toy"},
		{root, "new/deep/x.toy", "new/deep/x.toy"},
		{root, "in/b.toy", "sub/b.toy"},
		{root, "in/new.toy", "sub/new.toy"},
		{outside, "back/a.toy", "a.toy"},
		{root, "..hidden.toy", "..hidden.toy"},
		{outside, "file://" + root + "/in/b.toy", "sub/b.toy"},
		{outside, "FILE://" + root + "/a%20b.toy", "a b.toy"},
		{root, "file:a.toy", "file:a.toy"}, // a name
		{root, "@a.toy", "a.toy"},          // as a mention
		{root, "@sub/b.toy", "sub/b.toy"},
		{outside, "@" + root + "/a.toy", "a.toy"},
		{root, "@new/x.toy", "new/x.toy"},
		{root, "@x.toy", "@x.toy"}, // a name
		{root, `sub\b.toy`, "sub/b.toy"},
		{root, `.\sub\new.toy`, "sub/new.toy"},
		{root, `@sub\b.toy`, "sub/b.toy"},
		{root, "dangling.toy", "dangling.toy"},
	} {
		got, err := w.Resolve(c.base, c.path)
		if want := filepath.Join(root, c.want); got != want || err != nil {
			t.Errorf("%s from %s is %s, %v; want %s", c.path, c.base, got, err, want)
		}
	}
	for _, c := range []struct{ base, path, target string }{
		{root, "../x.toy", ""},
		{root, "..", ""},
		{root, outside + "/x.toy", ""},
		{root, root + "2/x.toy", ""},
		{root, "sub/../../w2/x.toy", ""},
		{root, "/", ""},
		{root, "out/x.toy", filepath.Join(outside, "x.toy")},
		{root, "out/new.toy", filepath.Join(outside, "new.toy")},
		{root, "link.toy", filepath.Join(outside, "x.toy")},
		{root, "escape.toy", filepath.Join(outside, "nothing.toy")},
		{root, "file://" + outside + "/x.toy", ""},
		{root, "@" + outside + "/x.toy", ""},
		{root, "@../x.toy", ""},
		{root, `..\x.toy`, ""},
		{root, "file://" + root + "/%2e%2e/w2/x.toy", ""},
	} {
		got, err := w.Resolve(c.base, c.path)
		var refused *OutsideWorkspaceError
		if !errors.As(err, &refused) {
			t.Errorf("%s from %s is %s, %v", c.path, c.base, got, err)
			continue
		}
		if refused.Path != c.path || refused.Root != root || refused.Target != c.target || !strings.Contains(refused.Hint(), "--root") {
			t.Errorf("%s: %+v, %q", c.path, refused, refused.Hint())
		}
		if !strings.Contains(err.Error(), c.path) || !strings.Contains(err.Error(), c.target) {
			t.Errorf("%s: %v", c.path, err)
		}
	}
	symlink(t, "loop", filepath.Join(root, "loop"))
	for _, path := range []string{"loop", "loop/x.toy", "a.toy/x.toy"} {
		if got, err := w.Resolve(root, path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s is %s, %v", path, got, err)
		}
	}
}

// What is no source text is refused with the reason and the way out.
func TestWhatIsNotRead(t *testing.T) {
	w := open(t, `
-- ok.toy --
fine
-- .git/config --
-- sub/node_modules/p/x.toy --
-- gen/deep/x.toy --
-- a/x.pb.toy --
`, Options{MaxFileBytes: 9000, Ignore: []string{"gen/**", "**/*.pb.toy"}})
	root := w.Root()
	for name, text := range map[string]string{
		"bom.toy": "\ufeffx", "largest.toy": strings.Repeat("x", 9000), "late-nul.toy": strings.Repeat("x", 8000) + "\x00",
		"null.toy": strings.Repeat("x", 7999) + "\x00", "nul-first.toy": "\x00x", "large.toy": strings.Repeat("x", 9001), "latin.toy": "caf\xe9", "empty.toy": "",
	} {
		lsptest.WriteFile(t, filepath.Join(root, name), text)
	}
	makePipe(t, filepath.Join(root, "pipe.toy"))
	for _, name := range []string{"ok.toy", "bom.toy", "largest.toy", "late-nul.toy", "empty.toy"} {
		path := filepath.Join(root, name)
		want, _ := os.ReadFile(path)
		if got, err := w.Read(path); err != nil || string(got) != string(want) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	for _, c := range []struct{ name, reason, advice string }{
		{"sub", "directory", "name files"},
		{".", "directory", "name files"},
		{"null.toy", "binary", "text file"},
		{"nul-first.toy", "binary", "text file"},
		{"large.toy", "9001 bytes are over the limit of 9000", "lsp.maxFileBytes"},
		{"latin.toy", "not valid UTF-8", "iconv"},
		{"pipe.toy", "no regular file", "another file"},
		{".git/config", "it is in .git", "another file"},
		{"sub/node_modules/p/x.toy", "it is in node_modules", "another file"},
		{"sub/node_modules/missing", "it is in node_modules", "another file"},
		{"gen/deep/x.toy", "gen/**", "another file"},
		{"a/x.pb.toy", "**/*.pb.toy", "another file"},
	} {
		path := filepath.Join(root, c.name)
		content, err := w.Read(path)
		var refused *NotDiagnosedError
		if !errors.As(err, &refused) {
			t.Errorf("%s: %d bytes, %v", c.name, len(content), err)
			continue
		}
		if refused.Path != path || !strings.Contains(refused.Error(), c.reason) || !strings.Contains(refused.Hint(), c.advice) {
			t.Errorf("%s: %v (%s)", c.name, refused, refused.Hint())
		}
	}
}

// A file that is missing is called that, with the files whose names are like
// it, nearest first and at most three.
func TestMissingFilesHaveNeighbours(t *testing.T) {
	w := open(t, "-- main.toy --\n-- mainx.toy --\n-- Main2.toy --\n-- maim2.toy --\n-- other.toy --\n-- man.toy/x --\n", Options{})
	for name, want := range map[string][]string{
		"mian.toy":     {"main.toy"},
		"MAIN.toy":     {"main.toy", "Main2.toy", "mainx.toy"},
		"zzz":          nil,
		"deep/main.go": nil,
	} {
		_, err := w.Read(filepath.Join(w.Root(), name))
		if name == "MAIN.toy" && err == nil { // the case of letters does not count here
			continue
		}
		var missing *NotFoundError
		if !errors.As(err, &missing) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, path := range missing.Nearest {
			got = append(got, filepath.Base(path))
			if !strings.Contains(missing.Hint(), path) {
				t.Errorf("%s: the hint %q does not name %s", name, missing.Hint(), path)
			}
		}
		if len(got) > 3 || len(want) == 0 && len(got) > 0 || len(want) > 0 && (len(got) == 0 || got[0] != want[0]) {
			t.Errorf("%s: nearest are %q, want like %q", name, got, want)
		}
		for _, w := range want {
			if !strings.Contains(fmt.Sprint(got), w) {
				t.Errorf("%s: nearest are %q, want also %s", name, got, w)
			}
		}
		if missing.Hint() == "" || !strings.Contains(filepath.ToSlash(missing.Error()), name) {
			t.Errorf("%s: %v (%s)", name, missing, missing.Hint())
		}
	}
}
