package checking

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

const chunked = "-- toy.root --\n-- a.toy --\ndef a\n-- b.toy --\ndef b\n-- c.toy --\ndef c\n-- d.toy --\ndef d\n-- e.toy --\ndef e\n"

// Of more files than may be open at once, those that changed are checked together, as each is compared with its former
// text among those of the others; all others are checked in chunks.
func TestDivide(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, chunked)
	divided := func(req api.CheckRequest, most int) [][]string {
		t.Helper()
		names := []string{"a.toy", "b.toy", "none.toy", "c.toy", "d.toy", "e.toy"}
		return s.divide(names, s.formerTexts(t.Context(), req, subjects{files: names}), most)
	}
	expect := func(why string, got [][]string, want ...[]string) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", why, diff)
		}
	}
	var req api.CheckRequest
	plain := [][]string{{"a.toy", "b.toy", "none.toy", "c.toy"}, {"d.toy", "e.toy"}}
	expect("nothing is known of what was before", divided(req, 4), plain...)

	lsptest.Git(t, s.root, "init", "-q")
	expect("all are new", divided(req, 4), []string{"a.toy", "b.toy", "c.toy", "d.toy", "e.toy"}, []string{"none.toy"})

	lsptest.Git(t, s.root, "add", "b.toy", "d.toy")
	lsptest.Git(t, s.root, "commit", "-qm", "one")
	expect("all that differ are new", divided(req, 4), []string{"a.toy", "c.toy", "e.toy", "b.toy"}, []string{"none.toy", "d.toy"})

	lsptest.WriteFile(t, filepath.Join(s.root, "b.toy"), "def b, anew\n")
	expect("one has a former text", divided(req, 5), []string{"a.toy", "b.toy", "c.toy", "e.toy", "none.toy"}, []string{"d.toy"})
	expect("more than may be open differ", divided(req, 2), []string{"a.toy", "b.toy", "c.toy", "e.toy"}, []string{"none.toy", "d.toy"})

	expect("nothing is compared", divided(api.CheckRequest{Baseline: api.BaselineNone}, 4), plain...)
	lsptest.Git(t, s.root, "checkout", "-q", "b.toy")
	lsptest.Git(t, s.root, "mv", "b.toy", "z.toy")
	expect("one was moved away", divided(req, 3), []string{"a.toy", "c.toy", "e.toy"}, []string{"b.toy", "none.toy", "d.toy"})
	lsptest.Git(t, s.root, "reset", "-q", "--hard")

	expect("a former text is given", divided(api.CheckRequest{Before: map[string]string{"d.toy": ""}}, 3), []string{"a.toy", "c.toy", "d.toy", "e.toy"}, []string{"b.toy", "none.toy"})
}

// The answers of chunks become one: files in the order of the request, what a chunk found in the file of a later one as
// that chunk told it, and everything else once.
func TestJoinedParts(t *testing.T) {
	t.Parallel()
	file := func(path, verdict string) result.File { return result.File{Path: path, Verdict: verdict} }
	unread := result.File{Path: "unread", Error: &result.Error{Message: "it cannot be read"}}
	p := newParts()
	p.add(&result.Check{
		Notes: []string{"one", "both"}, CountOlder: true, AllErrors: true,
		Files: []result.File{file("c", "clean"), file("a", "clean")}, Others: []result.File{file("z", "new_errors"), file("b", "new_errors"), file("unread", "new_errors")},
		Late: []result.File{file("late", "new_errors"), file("b", "new_errors")}, Deleted: []string{"gone"}, Unknown: []string{"u"},
		Dependants: result.Dependants{Found: 3, Checked: 2, Unchecked: []string{"x"}},
	}, diagnostics.Judgement{Reached: true, NewErrors: true})
	p.add(&result.Check{
		Root: "root", Epoch: 7, Notes: []string{"both", "two"}, CountOlder: true, AllErrors: true,
		Files: []result.File{file("b", "older_errors"), unread}, Others: []result.File{file("a", "new_errors")},
		Dependants: result.Dependants{Found: 1, Checked: 1},
	}, diagnostics.Judgement{Reached: true, Lacking: true})
	want := result.Check{
		Root: "root", Epoch: 7, Notes: []string{"one", "both", "two"}, Verdict: "new_errors", Incomplete: true, CountOlder: true, AllErrors: true,
		Files:   []result.File{file("a", "clean"), file("b", "new_errors"), file("c", "clean"), unread},
		Others:  []result.File{file("z", "new_errors")},
		Late:    []result.File{file("late", "new_errors")},
		Deleted: []string{"gone"}, Unknown: []string{"u"},
		Dependants: result.Dependants{Found: 4, Checked: 3, Unchecked: []string{"x"}},
	}
	if diff := cmp.Diff(want, p.join([]string{"a", "b", "c", "unread", "a"})); diff != "" {
		t.Error(diff)
	}
}
