package edit

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
)

// Each error says what is wrong in words that help, and what kind of failure it is.
func TestErrorsSayWhatIsWrong(t *testing.T) {
	near := []NearLines{{3, "abc"}, {7, "abd"}}
	broken := errors.New("it broke")
	for _, c := range []struct {
		err  error
		want string
		kind result.Kind
	}{
		{&InvalidEditError{"", "no path"}, "no path", result.Argument},
		{&InvalidEditError{"f", "no sense"}, "f: no sense", result.Argument},
		{&OutsideError{"f", "", []string{"/a", "/b"}}, "f is outside /a, /b", result.Outside},
		{&OutsideError{"f", "/x", []string{"/a"}}, "f leads to /x, which is outside /a", result.Outside},
		{&ProtectedError{"a/.git/x", ".git"}, "a/.git/x is in .git, which is not edited", result.Outside},
		{&NotFoundError{"f", nil}, "f: there is no such file", result.NotFound},
		{&NotFoundError{"f", []string{"g", "h"}}, "f: there is no such file; near it: g, h", result.NotFound},
		{&ExistsError{"f"}, "f exists already", result.Failed},
		{&IsDirectoryError{"f"}, "f is a directory; name a file", result.Argument},
		{&NotRegularError{"f", "a pipe"}, "f is a pipe", result.Failed},
		{&BinaryError{"f", "a NUL"}, "f: no text: a NUL", result.Argument},
		{&TooLargeError{"f", 11, 10}, "f: its 11 bytes are over the limit of 10", result.Argument},
		{&RangeError{"f", place(1, 2, 3, 1<<32-1), 9, "is past the end"}, "f: the range 2:3 to 4:4294967296 is past the end", result.Argument},
		{&OverlapError{place(0, 1, 2, 3), place(2, 2, 4, 5)}, "edits overlap: one ends at 3:4, the next begins at 3:3", result.Argument},
		{&StaleError{"f", "aa", "bb"}, "f changed since it was read: expected aa, it is now bb; read it again", result.Stale},
		{&StaleError{"f", "aa", ""}, "f changed since it was read: expected aa, there is no such file; read it again", result.Stale},
		{&NoMatchError{"f", nil, "", ""}, "f: the old text is not in the file, nor anything like it", result.NoMatch},
		{&NoMatchError{"f", near, "case differs", "-abc\n+ABC\n"}, "f: the old text is not in the file; nearest is line 3 (case differs), - is the file, + is what was sought:\n-abc\n+ABC\nor line 7:\nabd", result.NoMatch},
		{&AmbiguousMatchError{"f", []int{1, 3}}, "f: the old text is there 2 times, in lines 1, 3: give more of the text around it, or replace all", result.Ambiguous},
		{&PatchError{3, "no sense"}, "patch, line 3: no sense", result.Argument},
		{&HunkError{Path: "f", Hunk: 2, Line: 9, Reason: "no place"}, "f: hunk 2 (patch line 9): no place", result.NoMatch},
		{&HunkError{Path: "f", Hunk: 2, Line: 9, Reason: "several", Candidates: []int{1, 3}}, "f: hunk 2 (patch line 9): several (lines 1, 3)", result.NoMatch},
		{&HunkError{Path: "f", Hunk: 2, Line: 9, Reason: notInFile}, "f: hunk 2 (patch line 9): its lines are not in the file, nor anything like it", result.NoMatch},
		{&ReadOnlyError{"f"}, "f is read-only; nothing was changed", result.ReadOnly},
		{&ConflictError{"f", "it is gone"}, "f: it is gone; nothing was changed: read it again", result.Stale},
		{&WriteError{"f", "write", broken}, "f: write: it broke; nothing was changed", result.Failed},
		{&stepError{"f", "write", broken}, "f: write: it broke", result.Failed},
		{&TornError{Cause: &WriteError{"f", "write", broken}, States: []PathState{{"f", StateAfter, ""}}}, "the edit failed half-way and could not be undone: f: write: it broke; the files now:\nf: changed", result.Failed},
		{
			&TornError{broken, &WriteError{"g", "put back", broken}, []PathState{{"f", StateForeign, "/kept"}, {"g", StateUnknown, ""}, {"h", StateBefore, ""}}},
			"the edit failed half-way and could not be undone: it broke; undoing: g: put back: it broke; the files now:\nf: written by somebody else meanwhile (before it: /kept)\ng: cannot be read\nh: as before", result.Failed,
		},
		{
			&UnfinishedError{Report{Undone: []string{"a"}, Changed: []ChangedFile{{"b", ""}}}},
			"an earlier edit that was interrupted was just undone, nothing else was changed: read again a, b", result.Failed,
		},
	} {
		if diff := cmp.Diff([]string{c.want, string(c.kind)}, []string{c.err.Error(), string(result.ErrorOf(c.err).Kind)}); diff != "" {
			t.Errorf("%T: %s", c.err, diff)
		}
	}
	for _, err := range []error{&WriteError{Err: broken}, &stepError{err: broken}, &TornError{Cause: broken}} {
		if !errors.Is(err, broken) {
			t.Errorf("%T hides its cause", err)
		}
	}
	if diff := cmp.Diff(result.Data{Path: "f", Target: "/x"}, (&OutsideError{"f", "/x", nil}).Data()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(result.Data{Path: "f", Folder: ".git"}, (&ProtectedError{"f", ".git"}).Data()); diff != "" {
		t.Error(diff)
	}
}

// A range is in a text up to its end, the line after the last included; that of a whole text may end anywhere.
func TestRangesOutOfAText(t *testing.T) {
	const past, backwards = "is past the end: there are 3 lines", "ends before it begins"
	for _, c := range []struct {
		r     protocol.Range
		whole bool
		want  string
	}{
		{place(0, 0, 0, 0), false, ""},
		{place(2, 9, 2, 99), false, ""},
		{place(3, 0, 3, 0), false, ""},
		{place(0, 0, 3, 0), false, ""},
		{place(3, 1, 3, 1), false, past},
		{place(0, 0, 3, 1), false, past},
		{place(4, 0, 4, 0), false, past},
		{place(0, 0, 4, 0), false, past},
		{place(0, 0, 4, 0), true, ""},
		{place(0, 0, 3, 1), true, ""},
		{place(4, 0, 4, 0), true, past},
		{place(1, 2, 1, 1), false, backwards},
		{place(2, 0, 1, 9), true, backwards},
	} {
		if got := outOfText(c.r, 3, c.whole); got != c.want {
			t.Errorf("%+v, whole %t: %q, want %q", c.r, c.whole, got, c.want)
		}
	}
}

// All that becomes of files is told of each: where it was and is, and whether it is new, gone, or in the place of another.
func TestChangesOfAPlan(t *testing.T) {
	root := put(t, map[string]string{"a": "a\n", "b": "b\n", "c": "c\n", "d": "d\n", "same": "s\n", "e": "e\n"})
	at := func(name string) string { return filepath.Join(root, name) }
	p := planIn(t, root)
	_, err := p.Replace("a", "a", "A", true)
	err = errors.Join(err, p.Rename("b", "c", Existing{Overwrite: true}), p.Delete("d", Missing{}), p.Write("new", "n\n"), p.Write("same", "s\n"), p.Create("made", Existing{}),
		p.Delete("made", Missing{}), p.Rename("e", "f", Existing{}), p.Write("e", "E\n"))
	if err != nil {
		t.Fatal(err)
	}
	text := func(s string) []byte { return []byte(s) }
	want := []Change{
		{Path: at("a"), Before: text("a\n"), After: text("A\n"), Replacements: 1},
		{Path: at("c"), From: at("b"), Before: text("b\n"), After: text("b\n"), Overwritten: true},
		{Path: at("d"), Before: text("d\n"), Deleted: true},
		{Path: at("e"), Before: text("e\n"), After: text("E\n")},
		{Path: at("f"), After: text("e\n"), Created: true}, // what it was made from is still there
		{Path: at("new"), After: text("n\n"), Created: true},
	}
	if diff := cmp.Diff(want, p.Changes()); diff != "" {
		t.Error(diff)
	}
}

// A hash is of what the disk has or, in a further step, of what the steps before made, also where that is nothing.
func TestExpectedHashes(t *testing.T) {
	p := planIn(t, put(t, map[string]string{"kept": "k\n", "gone": "g\n"}))
	if err := errors.Join(p.Write("new", "n\n"), p.Delete("gone", Missing{})); err != nil {
		t.Fatal(err)
	}
	next := p.Next()
	kept, made := Hash([]byte("k\n")), Hash([]byte("n\n"))
	for _, c := range []struct {
		plan             *Plan
		path, hash, want string
	}{
		{p, "kept", kept, ""},
		{p, "kept", " SHA256:" + strings.ToUpper(kept[:8]) + "\n", ""},
		{p, "kept", kept[:8], ""},
		{p, "kept", kept[:63], ""},
		{p, "kept", kept + "0", "no hash"},
		{p, "kept", kept[:7], "no hash"},
		{p, "kept", kept[:7] + "g", "no hash"},
		{p, "kept", made, "it is now " + kept},
		{p, "new", made, "there is no such file"},
		{p, "gone", Hash([]byte("g\n")), ""},
		{next, "new", made, ""},
		{next, "gone", made, "there is no such file"},
		{next, "kept", kept, ""},
		{next, "kept", made, "it is now " + kept},
	} {
		err := c.plan.Expect(c.path, c.hash)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s has %s: %v, want %q", c.path, c.hash, err, c.want)
		}
	}
}

// Edits of one document are one operation as long as no operation on files stands between; a replacement that comes twice
// is made once, an insert as often as it comes.
func TestPartsOfAWorkspaceEdit(t *testing.T) {
	edit := func(uri, text string) string {
		return fmt.Sprintf(`{"textDocument":{"uri":%q},"edits":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":%q}]}`, uri, text)
	}
	for given, want := range map[string]string{
		edit("file:///a", "1") + "," + edit("file:///a", "2"):                                     "edit file:///a 2",
		edit("file:///a", "1") + "," + edit("file:///b", "2") + "," + edit("file:///%61", "3"):    "edit file:///a 2, edit file:///b 1",
		edit("file:///a", "1") + `,{"kind":"delete","uri":"file:///c"},` + edit("file:///a", "2"): "edit file:///a 1, delete file:///c 0, edit file:///a 1",
		edit("untitled:a", "1") + "," + edit("untitled:b", "2") + "," + edit("untitled:a", "3"):   "edit untitled:a 2, edit untitled:b 1",
		`{"kind":"create","uri":"file:///a"},{"kind":"create","uri":"file:///a"}`:                 "create file:///a 0, create file:///a 0",
	} {
		w, err := DecodeWorkspaceEdit(json.RawMessage(lsptest.RootedURIs(`{"documentChanges":[` + given + `]}`)))
		var got []string
		for _, op := range w.Operations {
			got = append(got, fmt.Sprint(op.Kind, " ", op.URI, " ", len(op.Edits)))
		}
		if diff := cmp.Diff(lsptest.RootedURIs(want), strings.Join(got, ", ")); diff != "" || err != nil {
			t.Errorf("%s: %v %s", given, err, diff)
		}
	}
	insert, replace := TextEdit{place(0, 1, 0, 1), "x"}, TextEdit{place(0, 1, 0, 2), "x"}
	other := TextEdit{place(0, 1, 0, 2), "y"}
	var all []AnnotatedEdit
	for _, e := range []TextEdit{insert, replace, insert, replace, other} {
		all = append(all, AnnotatedEdit{e, "a"})
	}
	if diff := cmp.Diff([]TextEdit{insert, replace, insert, other}, onceEach(all)); diff != "" {
		t.Error(diff)
	}
}

// What a server sends that is no edit is refused, with where it stands in the whole.
func TestWorkspaceEditsThatCannotBeRead(t *testing.T) {
	ranged := func(start, end string) string {
		return `{"documentChanges":[{"textDocument":{"uri":"file:///a"},"edits":[{"range":{"start":` + start + `,"end":` + end + `},"newText":""}]}]}`
	}
	const good = `{"line":0,"character":0}`
	for given, want := range map[string]string{
		`7`: "workspace edit: json", `{"documentChanges":[{}]}`: `documentChanges[0]: neither a text document edit nor create, rename or delete (kind "")`,
		`{"documentChanges":[{"kind":"rename","oldUri":"file:///a"}]}`: "documentChanges[0]: a rename without newUri", `{"documentChanges":[{"kind":"rename","newUri":"file:///a"}]}`: "documentChanges[0]: rename without a URI",
		`{"documentChanges":[{"kind":"delete"}]}`: "delete without a URI", `{"documentChanges":[{"textDocument":{},"edits":[]}]}`: "edit without a URI",
		`{"changes":{"file:///a":[{"newText":""}]}}`:                                `changes["file:///a"]: edit 0 has no range`,
		`{"changes":{"file:///a":[{"range":{"start":` + good + `},"newText":""}]}}`: "edit 0 has no range", `{"changes":{"file:///a":[{"range":{"end":` + good + `},"newText":""}]}}`: "edit 0 has no range",
		ranged(`{"line":0.5,"character":0}`, good): "edit 0 has a range of no positions", ranged(`{"line":0,"character":-1}`, good): "edit 0 has a range of no positions",
		ranged(good, `{"line":-1,"character":0}`): "edit 0 has a range of no positions", ranged(good, `{"line":0,"character":0.5}`): "edit 0 has a range of no positions",
	} {
		if w, err := DecodeWorkspaceEdit(json.RawMessage(given)); err == nil || !strings.Contains(err.Error(), want) || w.Operations != nil {
			t.Errorf("%s: %+v, %v; want %s", given, w, err, want)
		}
	}
	w, err := DecodeWorkspaceEdit(json.RawMessage(ranged(good, `{"line":4294967296,"character":1e99}`)))
	if err != nil || w.Operations[0].Edits[0].Range != place(0, 0, 1<<32-1, 1<<32-1) {
		t.Errorf("to the end of all: %+v, %v", w, err)
	}
}

// A folder is listed with all in it, but not one that holds a link, or what is git's.
func TestListOfAFolder(t *testing.T) {
	lsptest.NeedLinks(t)
	root := put(t, map[string]string{"good/a": "", "good/deep/b": "", "linked/a": "", "git/.git/config": "", "git/a": ""})
	if err := os.Symlink("a", filepath.Join(root, "linked", "link")); err != nil {
		t.Fatal(err)
	}
	tree, err := NewTree(10, root)
	if err != nil {
		t.Fatal(err)
	}
	files, dirs, err := tree.List(filepath.Join(root, "good"))
	at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	if diff := cmp.Diff([][]string{{at("good/a"), at("good/deep/b")}, {at("good/deep")}}, [][]string{files, dirs}); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	var irregular *NotRegularError
	if _, _, err := tree.List(at("linked")); !errors.As(err, &irregular) || irregular.Path != at("linked/link") {
		t.Errorf("with a link: %v", err)
	}
	var git *ProtectedError
	if _, _, err := tree.List(at("git")); !errors.As(err, &git) || *git != (ProtectedError{at("git/.git"), ".git"}) {
		t.Errorf("with git's: %v", err)
	}
	if _, _, err := tree.List(at("none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of nothing: %v", err)
	}
}

// A tree has a root that is there; a file as large as the limit is read, one that is larger is not.
func TestLimitsOfATree(t *testing.T) {
	if tree, err := NewTree(10); err == nil || err.Error() != "a tree needs a root" {
		t.Errorf("without a root: %v, %v", tree, err)
	}
	root := put(t, map[string]string{"ten": "0123456789", "eleven": "0123456789a"})
	if tree, err := NewTree(10, root, filepath.Join(root, "none")); err == nil || !strings.HasPrefix(err.Error(), "root "+filepath.Join(root, "none")+": ") {
		t.Errorf("with a root that is not there: %v, %v", tree, err)
	}
	tree, err := NewTree(10, root)
	if err != nil {
		t.Fatal(err)
	}
	if content, err := tree.ReadFile(filepath.Join(root, "ten")); err != nil || string(content) != "0123456789" {
		t.Errorf("%q, %v", content, err)
	}
	large := filepath.Join(root, "eleven")
	content, err := tree.ReadFile(large)
	if diff := cmp.Diff(error(&TooLargeError{large, 11, 10}), err); diff != "" || content != nil {
		t.Errorf("%q %s", content, diff)
	}
}
