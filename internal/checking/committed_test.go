package checking

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// A check without names is about what changed since the session began: not what was committed as it
// was judged, but what was committed unseen, or otherwise, and all that is not committed.
func TestCommittedFilesAreJudgedOnce(t *testing.T) {
	s := openToy(t, lsptest.Script{}, "-- toy.root --\n-- seen.toy --\nfine\n-- unseen.toy --\nfine\n-- other.toy --\nfine\n-- open.toy --\nfine\n-- same.toy --\nfine\n")
	lsptest.Git(t, s.root, "init", "-q")
	lsptest.Git(t, s.root, "add", ".")
	lsptest.Git(t, s.root, "commit", "-qm", "one")
	if began := s.BeginSession("", s.workspace.Commit(t.Context())); began == "" {
		t.Fatal("the session began nowhere")
	}
	write := func(name, text string) { lsptest.WriteFile(t, filepath.Join(s.root, name), text) }
	checked := func() (paths []string) {
		t.Helper()
		for _, f := range s.check().Files {
			paths = append(paths, f.Path)
		}
		return paths
	}
	for _, name := range []string{"seen.toy", "other.toy", "open.toy"} {
		write(name, "fine, one\n")
	}
	if diff := cmp.Diff([]string{"open.toy", "other.toy", "seen.toy"}, checked()); diff != "" {
		t.Errorf("before the commit: %s", diff)
	}
	write("unseen.toy", "fine, two\n")
	write("other.toy", "fine, two\n")
	lsptest.Git(t, s.root, "commit", "-qm", "two", "seen.toy", "unseen.toy", "other.toy")
	if diff := cmp.Diff([]string{"open.toy", "other.toy", "unseen.toy"}, checked()); diff != "" {
		t.Errorf("after it: %s", diff)
	}
	if diff := cmp.Diff([]string{"open.toy"}, checked()); diff != "" {
		t.Errorf("once more: %s", diff)
	}
	write("seen.toy", "fine, three\n")
	if diff := cmp.Diff([]string{"open.toy", "seen.toy"}, checked()); diff != "" {
		t.Errorf("what is written again: %s", diff)
	}
}

// A file that was deleted and comes back as it was committed is checked again, once.
func TestCommittedFileThatComesBack(t *testing.T) {
	s := openToy(t, lsptest.Script{}, "-- toy.root --\n-- gone.toy --\nfine\n-- other.toy --\nfine\n")
	lsptest.Git(t, s.root, "init", "-q")
	lsptest.Git(t, s.root, "add", ".")
	lsptest.Git(t, s.root, "commit", "-qm", "one")
	if began := s.BeginSession("", s.workspace.Commit(t.Context())); began == "" {
		t.Fatal("the session began nowhere")
	}
	var got []string
	check := func() {
		t.Helper()
		r := s.check()
		for _, f := range r.Files {
			got = append(got, f.Path)
		}
		for _, path := range r.Deleted {
			got = append(got, "no "+path)
		}
		got = append(got, r.Verdict)
	}
	check()
	lsptest.Git(t, s.root, "rm", "-q", "gone.toy")
	check()
	check()
	lsptest.Git(t, s.root, "checkout", "-q", "HEAD", "gone.toy")
	check()
	check()
	want := []string{"clean", "no gone.toy", "clean", "clean", "gone.toy", "clean", "clean"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
