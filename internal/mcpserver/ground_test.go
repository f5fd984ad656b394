package mcpserver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// What is said about a path outside depends on whether it is a link, whether it was named, and whether there are
// folders to work in.
func TestWordsAboutPathsOutside(t *testing.T) {
	for want, e := range map[string]OutsideRootsError{
		"a is outside of what this session may use: /x, /y":                       {Path: "a", Allowed: []string{"/x", "/y"}},
		"a leads to /b, which is outside of what this session may use: /x":        {Path: "a", Target: "/b", Allowed: []string{"/x"}},
		"this session has no folder to work in: it is a home":                     {Refused: "it is a home"},
		"a is outside: this session has no folder to work in, since it is a home": {Path: "a", Refused: "it is a home"},
	} {
		if got := e.Error(); got != want || e.Kind() != result.Outside || e.Hint() != wayOut {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// An absolute path is of the base if somebody chose that, else of the checkout around it, else of the allowed folder.
func TestWorkspaceOfAFile(t *testing.T) {
	root := lsptest.Workspace(t, "-- base/a.toy --\n-- base/inner/.git/HEAD --\n-- base/inner/b.toy --\n-- other/c.toy --\n-- other/deep/d.toy --\n-- out/e.toy --\n")
	at := func(path string) string { return filepath.Join(root, filepath.FromSlash(path)) }
	fixed := ground{base: at("base"), home: at("base"), fixed: true, allowed: []string{at("base"), at("other"), at("other/deep")}}
	loose := fixed
	loose.fixed = false
	for _, c := range []struct {
		of         ground
		file, want string
	}{
		{fixed, "base/a.toy", "base"},
		{fixed, "base/inner/b.toy", "base"},
		{loose, "base/a.toy", "base"},
		{loose, "base/inner/b.toy", "base/inner"},
		{loose, "base/inner/new/n.toy", "base/inner"},
		{fixed, "other/c.toy", "other"},
		{fixed, "other/deep/d.toy", "other/deep"},
	} {
		if got, err := c.of.of(at(c.file)); err != nil || got != at(c.want) {
			t.Errorf("%s, fixed %t: %s, %v; want %s", c.file, c.of.fixed, got, err, c.want)
		}
	}
	_, err := fixed.of(at("out/e.toy"))
	if diff := cmp.Diff(&OutsideRootsError{Path: at("out/e.toy"), Allowed: fixed.allowed}, err); diff != "" {
		t.Error(diff)
	}
	got := []bool{fixed.holds(at("base/a.toy")), fixed.holds(at("other/c.toy")), (&ground{}).holds(at("base/a.toy"))}
	if diff := cmp.Diff([]bool{true, false, false}, got); diff != "" {
		t.Error(diff)
	}
}

// A link to what is outside is refused with where it leads; a folder is allowed once, by where it leads.
func TestLinksOutOfTheGround(t *testing.T) {
	lsptest.NeedLinks(t)
	root := lsptest.Workspace(t, "-- base/a.toy --\n-- out/e.toy --\n")
	base, out := filepath.Join(root, "base"), filepath.Join(root, "out")
	for name, target := range map[string]string{"base/link": out, "again": base} {
		if err := os.Symlink(target, filepath.Join(root, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	var g ground
	for _, dir := range []string{base, filepath.Join(root, "again"), base + string(filepath.Separator), "relative"} {
		g.allow(dir)
	}
	if diff := cmp.Diff([]string{base}, g.allowed); diff != "" {
		t.Error(diff)
	}
	_, err := g.resolve(base, "link")
	if diff := cmp.Diff(&OutsideRootsError{Path: "link", Target: out, Allowed: []string{base}}, err); diff != "" {
		t.Error(diff)
	}
	got, err := g.resolve(base, filepath.Join(root, "again", "a.toy"))
	if err != nil || got != filepath.Join(base, "a.toy") {
		t.Errorf("%s, %v", got, err)
	}
}

// Who asks for a file of another workspace is told to make a call there if that is allowed, else what only the user
// can do; a folder of git's own is nobody's.
func TestAdviceAboutPathsOutside(t *testing.T) {
	root := lsptest.Workspace(t, "-- base/a.toy --\n-- other/c.toy --\n-- out/e.toy --\n")
	base, other, out := filepath.Join(root, "base"), filepath.Join(root, "other"), filepath.Join(root, "out")
	p := place{root: base, ground: ground{base: base, allowed: []string{base, other}}}
	quoted, _ := json.Marshal(other)
	there := "a call stays in one workspace: make another one for it, with workspace: " + string(quoted)
	for _, c := range []struct{ given, want result.Error }{
		{result.Error{Kind: result.NotFound, Hint: "as it was", Data: result.Data{Path: "../other/c.toy"}}, result.Error{Kind: result.NotFound, Hint: "as it was"}},
		{result.Error{Kind: result.Outside, Data: result.Data{Folder: ".git"}}, result.Error{Kind: result.Outside, Hint: "what is in there is changed by git alone"}},
		{result.Error{Kind: result.Outside, Data: result.Data{Path: "../out/e.toy"}}, result.Error{Kind: result.Outside, Hint: wayOut}},
		{result.Error{Kind: result.Outside, Data: result.Data{Path: "../other/c.toy"}}, result.Error{Kind: result.Outside, Hint: there}},
		{result.Error{Kind: result.Outside, Data: result.Data{Path: "link", Target: filepath.Join(other, "c.toy")}}, result.Error{Kind: result.Outside, Hint: there}},
		{result.Error{Kind: result.Outside, Data: result.Data{Path: "../other/c.toy", Target: out}}, result.Error{Kind: result.Outside, Hint: wayOut}},
	} {
		c.want.Data = c.given.Data
		given := c.given
		if diff := cmp.Diff(&c.want, p.advised(&given)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(c.given, given); diff != "" {
			t.Errorf("the error itself changed: %s", diff)
		}
	}
}

// The folders that some operations take must be allowed, whichever argument names them; other operations take none.
func TestFoldersInArguments(t *testing.T) {
	root := lsptest.Workspace(t, "-- base/sub/a.toy --\n-- out/e.toy --\n")
	base := filepath.Join(root, "base")
	p := place{root: base, ground: ground{base: base, allowed: []string{base}}}
	for _, c := range []struct {
		operation, args string
		outside         string
	}{
		{"workspace_folders", `{"add":["sub"]}`, ""},
		{"workspace_folders", `{"add":["sub","../out"]}`, "../out"},
		{"workspace_folders", `{"add":"../out"}`, ""},
		{"cross_repo_references", `{"consumer_roots":["../out"]}`, "../out"},
		{"cross_repo_references", `{"consumer_roots":["sub"]}`, ""},
		{"references", `{"consumer_roots":["../out"],"add":["../out"]}`, ""},
	} {
		var args arguments
		if err := json.Unmarshal([]byte(c.args), &args); err != nil {
			t.Fatal(err)
		}
		var want error
		if c.outside != "" {
			want = &OutsideRootsError{Path: c.outside, Allowed: []string{base}}
		}
		if diff := cmp.Diff(want, p.checkFolders(c.operation, args)); diff != "" {
			t.Errorf("%s %s: %s", c.operation, c.args, diff)
		}
	}
}

// Where a session works without being told: the root of the options, else the checkout around the folder it was
// started in, else that folder, unless that is a home.
func TestGroundOfTheStart(t *testing.T) {
	root := lsptest.Workspace(t, "-- repo/.git/HEAD --\n-- repo/sub/a.toy --\n-- plain/a.toy --\n-- home/a.toy --\n-- more/a.toy --\n")
	at := func(path string) string { return filepath.Join(root, path) }
	for name, c := range map[string]struct {
		opts Options
		want ground
	}{
		"root":        {Options{Root: at("plain"), Dir: at("home"), Homes: []string{at("home")}}, ground{base: at("plain"), fixed: true, allowed: []string{at("plain")}}},
		"checkout":    {Options{Dir: at("repo/sub")}, ground{base: at("repo"), fixed: true, allowed: []string{at("repo")}}},
		"folder":      {Options{Dir: at("plain"), Allow: []string{at("more")}}, ground{base: at("plain"), allowed: []string{at("plain"), at("more")}}},
		"home":        {Options{Dir: at("home"), Homes: []string{at("home")}}, ground{fixed: true, refused: "it was started in " + at("home") + ", which is a home folder"}},
		"home, more":  {Options{Dir: at("home"), Homes: []string{at("home")}, Allow: []string{at("more")}}, ground{base: at("more"), fixed: true, allowed: []string{at("more")}, refused: "it was started in " + at("home") + ", which is a home folder"}},
		"home is git": {Options{Dir: at("repo/sub"), Homes: []string{at("repo")}}, ground{base: at("repo/sub"), allowed: []string{at("repo/sub")}}},
	} {
		s, err := New(c.opts)
		if err != nil {
			t.Fatal(err)
		}
		c.want.home = c.want.base
		if diff := cmp.Diff(c.want, s.ground(t.Context(), nil, nil), cmp.AllowUnexported(ground{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		s.Close()
	}
}

// A selector names its file before a line, a column or a name; what is no number belongs to the path.
func TestFileOfASelector(t *testing.T) {
	for at, want := range map[string]string{
		"src/a.go": "src/a.go", "src/a.go:42": "src/a.go", "src/a.go:42:7": "src/a.go", "src/a.go:42 Load": "src/a.go", "a.go Load": "a.go",
		"a.go:4:2:7": "a.go:4", "C:/a.go:4": "C:/a.go", "C:/a.go": "C:/a.go", ":5": ":5", "a:b:5": "a:b", "a.go:": "a.go", "": "",
	} {
		if got := fileOf(at); got != want {
			t.Errorf("%q: %q, want %q", at, got, want)
		}
	}
	for file, want := range map[string]bool{"/a": true, "a": false, "file:///a": true, "FILE:/a": true, "file:": false, "files": false, "fil:/a": false, "": false} {
		if got := isAbsolute(file); got != want {
			t.Errorf("%q: %t", file, got)
		}
	}
}

// A folder of version control is no workspace, whoever allows it, and neither is what is in it: what stands there names
// programs that are run.
func TestFoldersOfVersionControl(t *testing.T) {
	root := lsptest.Workspace(t, "-- .git/config --\n-- .git/info/exclude --\n-- src/a.toy --\n")
	var g ground
	for _, folder := range []string{".git", ".git/info", "."} {
		g.allow(filepath.Join(root, folder))
	}
	if diff := cmp.Diff([]string{root}, g.allowed); diff != "" {
		t.Errorf("allowed (-want +got):\n%s", diff)
	}
	for folder, want := range map[string]string{"src": root, ".": root, ".git": "", ".git/info": "", ".git/none": ""} {
		if got := g.around(filepath.Join(root, folder)); got != want {
			t.Errorf("%s is in %q", folder, got)
		}
	}
}
