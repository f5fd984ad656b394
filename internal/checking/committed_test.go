package checking

import (
	"fmt"
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
	if began := s.BeginSession("", s.workspace.Git().Commit(t.Context())); began == "" {
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

// An old error in a file whose change was taken back is still an old one, after another file changed as well, and
// the session is not told that it is new, nor that nobody knows.
func TestOldErrorInAFileThatIsAsItWas(t *testing.T) {
	for named, verdict := range map[bool]string{false: "clean", true: "baseline_error"} { // by name, older errors count
		s := openToy(t, lsptest.Script{}, "-- toy.root --\n-- wrong.toy --\nuse nothing\n-- other.toy --\nfine\n")
		s.commit()
		s.BeginSession("", s.workspace.Git().Commit(t.Context()))
		var got [][]string
		check := func(names ...string) {
			t.Helper()
			if !named {
				names = nil
			}
			r := s.check(names...)
			said := []string{r.Verdict}
			for _, f := range r.Files {
				for _, d := range f.Diagnostics {
					said = append(said, fmt.Sprintf("%s:%d new %v, standing %v", f.Path, d.Line, d.New, d.Standing))
				}
			}
			got = append(got, said)
		}
		write := func(name, text string) { lsptest.WriteFile(t, filepath.Join(s.root, name), text) }
		write("other.toy", "fine, one\n")
		check("other.toy")
		write("wrong.toy", "use nothing\nuse more\n")
		check("wrong.toy", "other.toy")
		lsptest.Git(t, s.root, "checkout", "-q", "wrong.toy")
		check("wrong.toy", "other.toy")
		want := [][]string{
			{"clean"},
			{"new_errors", "wrong.toy:1 new false, standing false", "wrong.toy:2 new true, standing false"},
			{verdict, "wrong.toy:1 new false, standing false"},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("named %v (-want +got):\n%s", named, diff)
		}
	}
}
