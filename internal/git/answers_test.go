package git

import (
	"bufio"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A hunk moves with the lines above it: by what later changes add or take before its first line, and by
// nothing that begins at it or below. Where the file is gone later, that is told as well.
func TestHunksFollowLaterChanges(t *testing.T) {
	for name, c := range map[string]struct {
		hunks []Hunk
		later []move
		want  FileChange
	}{
		"nothing later":            {[]Hunk{{5, 2}}, nil, FileChange{Hunks: []Hunk{{5, 2}}}},
		"lines added before":       {[]Hunk{{5, 2}}, []move{{old: Hunk{3, 0}, new: Hunk{4, 3}}}, FileChange{Hunks: []Hunk{{8, 2}}}},
		"lines taken before":       {[]Hunk{{5, 2}}, []move{{old: Hunk{2, 2}, new: Hunk{1, 0}}}, FileChange{Hunks: []Hunk{{3, 2}}}},
		"changed just before":      {[]Hunk{{5, 2}}, []move{{old: Hunk{3, 2}, new: Hunk{3, 5}}}, FileChange{Hunks: []Hunk{{8, 2}}}},
		"changed up to its start":  {[]Hunk{{5, 2}}, []move{{old: Hunk{4, 2}, new: Hunk{4, 5}}}, FileChange{Hunks: []Hunk{{5, 2}}}},
		"added at its start":       {[]Hunk{{5, 2}}, []move{{old: Hunk{5, 0}, new: Hunk{6, 1}}}, FileChange{Hunks: []Hunk{{5, 2}}}},
		"added before its start":   {[]Hunk{{5, 2}}, []move{{old: Hunk{4, 0}, new: Hunk{5, 1}}}, FileChange{Hunks: []Hunk{{6, 2}}}},
		"changed below":            {[]Hunk{{5, 2}}, []move{{old: Hunk{9, 1}, new: Hunk{9, 4}}}, FileChange{Hunks: []Hunk{{5, 2}}}},
		"two before, two hunks":    {[]Hunk{{5, 1}, {9, 0}}, []move{{old: Hunk{1, 1}, new: Hunk{1, 3}}, {old: Hunk{6, 1}, new: Hunk{8, 2}}}, FileChange{Hunks: []Hunk{{7, 1}, {12, 0}}}},
		"more taken than is there": {[]Hunk{{2, 1}}, []move{{old: Hunk{1, 1}, new: Hunk{0, 0}}, {old: Hunk{1, 1}, new: Hunk{0, 0}}, {old: Hunk{1, 1}, new: Hunk{0, 0}}}, FileChange{Hunks: []Hunk{{0, 1}}}},
		"the file is gone":         {[]Hunk{{2, 1}}, []move{{deleted: true}}, FileChange{Deleted: true, Hunks: []Hunk{{2, 1}}}},
	} {
		got := FileChange{Hunks: c.hunks}
		got.follow(c.later)
		if name == "the file is gone" {
			got.Hunks = c.want.Hunks // they say nothing then
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Of what git lists as different, each status leads to its own list: a renamed file is gone from where it was, a
// copied one is not, and an answer that ends early counts as far as it goes.
func TestStatusesOfDifferences(t *testing.T) {
	co := In(Options{Root: t.TempDir()})
	in := func(name string) string { return filepath.Join(co.root, filepath.FromSlash(name)) }
	raw := func(status string, names ...string) string {
		return ":100644 100644 1111 0000 " + status + "\x00" + strings.Join(names, "\x00") + "\x00"
	}
	for listed, want := range map[string]Changes{
		"":                              {},
		raw("M", "a"):                   {Present: []string{in("a")}},
		raw("A", "d/a") + raw("T", "b"): {Present: []string{in("d/a"), in("b")}},
		raw("D", "a") + raw("M", "b"):   {Deleted: []string{in("a")}, Present: []string{in("b")}},
		raw("R100", "a", "b"):           {Deleted: []string{in("a")}, Present: []string{in("b")}, Renamed: map[string]string{in("b"): in("a")}},
		raw("C75", "a", "b") + strings.TrimSuffix(raw("D", "c"), "\x00"): {Deleted: []string{in("c")}, Present: []string{in("b")}},
		raw("M", "a") + raw("R100", "b"):                                 {Present: []string{in("a")}},
		raw("M", "a") + ":100644 100644\x00b\x00":                        {Present: []string{in("a")}},
	} {
		if want.Renamed == nil {
			want.Renamed = map[string]string{}
		}
		if diff := cmp.Diff(want, co.decodeChanges(t.Context(), listed)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", listed, diff)
		}
	}
}

// The answers of git stand behind each other: a content has just its size, a folder is passed over, what is
// missing has no content, and an answer that ends early is an error.
func TestObjectsOfGit(t *testing.T) {
	type object struct {
		Content string
		Found   bool
		Err     error
	}
	read := func(text string) (all []object) {
		for r := bufio.NewReader(strings.NewReader(text)); ; {
			content, found, err := nextObject(r)
			if errors.Is(err, io.EOF) && len(all) > 0 {
				return all
			}
			if all = append(all, object{string(content), found, err}); err != nil {
				return all
			}
		}
	}
	for text, want := range map[string][]object{
		"": {{Err: io.EOF}},
		"1 blob 3\nabc\n2 blob 0\n\n3 blob 2\nx\n\n": {{"abc", true, nil}, {"", true, nil}, {"x\n", true, nil}},
		"HEAD:./a missing\n1 blob 1\na\n":            {{}, {"a", true, nil}},
		"HEAD:./a blob missing\n1 blob 1\na\n":       {{}, {"a", true, nil}},
		"HEAD:./a tree missing\n1 blob 1\na\n":       {{}, {"a", true, nil}},
		"1 tree 4\nab\n\n\n1 blob 1\na\n":            {{}, {"a", true, nil}},
		"1 commit 0\n":                               {{}},
		"a\n":                                        {{}},
		"1 blob 3\nabc":                              {{Err: io.ErrUnexpectedEOF}},
	} {
		same := cmp.Comparer(func(a, b error) bool { return errors.Is(a, b) || errors.Is(b, a) })
		if diff := cmp.Diff(want, read(text), same); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	for _, text := range []string{"1 blob x\n", "1 tree x\n", "1 tree 9\nab\n"} {
		if content, found, err := nextObject(bufio.NewReader(strings.NewReader(text))); err == nil || found || content != nil {
			t.Errorf("%q: %q, %t, %v", text, content, found, err)
		}
	}
}

// Each way in which git fails has its own words, whatever the case of git's own and whatever follows the first line.
func TestFailuresOfGit(t *testing.T) {
	co := In(Options{Root: t.TempDir()})
	for said, want := range map[string]string{
		"fatal: Not a Git repository (or any of the parent directories): .git\n": co.root + " is not in a git checkout",
		"fatal: your current branch 'main' does not have any commits yet":        "the repository has no commits yet",
		"fatal: ambiguous argument 'HEAD': unknown revision or path":             "the repository has no commits yet",
		"fatal: ambiguous argument 'x': unknown revision or path":                "there is no such revision x",
		"fatal: bad revision 'a..b'\nmore 'c'":                                   "there is no such revision a..b",
		"fatal: bad object HEAD":                                                 "there is no such revision",
		"fatal: Needed a single revision":                                        "there is no such revision",
		"fatal: invalid object name 'y'.":                                        "there is no such revision y",
		"fatal: Not a valid object name z":                                       "there is no such revision",
		"warning: odd":                                                           `it says "odd"`,
		"fatal: HEAD..x: no merge base":                                          "the revisions have no commit in common",
		"fatal: detected dubious ownership in repository at '/x'\n":              "another user owns the checkout, so git does not read it; git config --global --add safe.directory " + co.root + " allows it",
		"error: something odd\nmore":                                             `it says "something odd"`,
		"fatal: error: odd":                                                      `it says "odd"`,
		"  \n":                                                                   "broken",
	} {
		if got := co.plainly(said, errors.New("broken")); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
	for want, failed := range map[string]*Error{"git diff: odd": {[]string{"diff", "HEAD"}, "odd"}, "git: odd": {nil, "odd"}} {
		if failed.Error() != want {
			t.Errorf("%q, want %q", failed.Error(), want)
		}
	}
}

// The head of a hunk counts one line where it counts none, and the head of a file's changes may quote its name, or say
// that there is no file.
func TestHeadsOfDiffs(t *testing.T) {
	co := In(Options{Root: t.TempDir()})
	for counts, want := range map[[2]string]Hunk{{"3", ""}: {3, 1}, {"3", "0"}: {3, 0}, {"12", "10"}: {12, 10}} {
		if got := hunk(counts[0], counts[1]); got != want {
			t.Errorf("%q: %v", counts, got)
		}
	}
	for name, want := range map[string]string{
		"b/x/y.toy": "x/y.toy", "a/x y.toy\t": "x y.toy", `"b/k\303\244se \"q\".toy"`: `käse "q".toy`, "/dev/null": "", "a": "", "": "", "a/x": "x",
	} {
		if want != "" {
			want = filepath.Join(co.root, filepath.FromSlash(want))
		}
		if got := co.diffPath(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
