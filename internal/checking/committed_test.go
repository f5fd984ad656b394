package checking

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// A check without names is about what differs from the commit at which the session began, however
// often it is asked, committed since or not; what is again as it was is no part of it.
func TestCheckOfWhatChangedSinceTheSessionBegan(t *testing.T) {
	s := openToy(t, lsptest.Script{}, "-- toy.root --\n-- gone.toy --\nfine\n-- kept.toy --\nfine\n-- other.toy --\nfine\n-- same.toy --\nfine\n")
	s.commit()
	if began := s.BeginSession("", s.workspace.Commit(t.Context())); began == "" {
		t.Fatal("the session began nowhere")
	}
	var got [][]string
	check := func() {
		t.Helper()
		r := s.check()
		var said []string
		for _, f := range r.Files {
			said = append(said, f.Path)
		}
		for _, path := range r.Deleted {
			said = append(said, "no "+path)
		}
		got = append(got, append(said, r.Verdict))
	}
	write := func(name, text string) { lsptest.WriteFile(t, filepath.Join(s.root, name), text) }
	check()
	write("kept.toy", "fine, one\n")
	write("other.toy", "fine, one\n")
	s.remove("gone.toy")
	check()
	lsptest.Git(t, s.root, "commit", "-qam", "two")
	check()
	write("other.toy", "fine\n")
	lsptest.Git(t, s.root, "checkout", "-q", "HEAD~", "gone.toy")
	check()
	check()
	want := [][]string{
		{"clean"},
		{"kept.toy", "other.toy", "no gone.toy", "clean"},
		{"kept.toy", "other.toy", "no gone.toy", "clean"},
		{"kept.toy", "clean"},
		{"kept.toy", "clean"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
