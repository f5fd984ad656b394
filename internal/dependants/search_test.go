package dependants_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// Of a server that does not say what a file declares nobody can ask who uses that:
// what it has open is asked about, and its silence is no failure.
func TestServersWithoutSymbols(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{Capabilities: []byte(`{"documentSymbolProvider": false}`)}, lsptest.Project)
	s.Check(api.CheckRequest{Files: []string{"main.toy"}})
	result := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{enginetest.Writing("lib.toy", "def other\n")}})
	if result.Verdict != "new_errors" || len(result.Unknown) > 0 || len(result.Others) != 1 || result.Others[0].Path != "main.toy" || result.Dependants.Found != 1 {
		t.Errorf("%s\n%+v", render.Brief(&result), result)
	}
	result = enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{enginetest.Writing("lib.toy", "def helper\n")}})
	if result.Verdict != "clean" || len(result.Unknown) > 0 {
		t.Errorf("mended: %s\n%+v", render.Brief(&result), result)
	}
}

// What was wrong in a dependant is no part of an answer that leaves that out: the change may
// have mended it. That it was not looked at is said, as the session knows of its error.
func TestDependantsBeyondTheLimitAreNotAsTheyWere(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{Mode: lsptest.Pull}, lsptest.Project+"-- more.toy --\nuse helper\n")
	s.Config.Settings.MaxDependants = 1
	s.Check(api.CheckRequest{Files: []string{"lib.toy", "main.toy", "more.toy"}})
	s.Write("lib.toy", "def other\n")
	if broken := s.Check(api.CheckRequest{Files: []string{"lib.toy", "main.toy", "more.toy"}}); len(broken.Files) != 3 || !enginetest.HasNew(broken.Files[2]) {
		t.Fatalf("%+v", broken)
	}
	s.Write("lib.toy", "def helper\n")
	mended := s.Check(api.CheckRequest{Files: []string{"lib.toy"}})
	if slices.ContainsFunc(mended.Others, func(f result.File) bool { return len(f.Diagnostics) > 0 }) || mended.Verdict != "unknown" || !slices.Equal(mended.Dependants.Unchecked, []string{"more.toy"}) {
		t.Errorf("%s: %+v", mended.Verdict, mended)
	}
}

// A file with an error that its reader was told of is judged when more files are concerned than are
// judged: that the error is mended is said.
func TestToldErrorsComeBeforeTheLimit(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"edit", "check"} {
		s := enginetest.OpenToy(t, lsptest.Script{Mode: lsptest.Pull}, lsptest.Project+"-- a.toy --\nuse helper\n-- b.toy --\nuse helper\n-- other.toy --\ndef another\n-- z.toy --\nuse another\n")
		s.Config.Settings.MaxDependants = 2
		s.Check(api.CheckRequest{Files: []string{"lib.toy", "other.toy", "z.toy"}})
		change := func(file, text string) (others []result.File) {
			t.Helper()
			if way == "edit" {
				return enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{enginetest.Writing(file, text)}}).Others
			}
			s.Write(file, text)
			return s.Check(api.CheckRequest{Files: []string{file}}).Others
		}
		if broken := change("other.toy", "def different\n"); len(broken) != 1 || broken[0].Path != "z.toy" || !enginetest.HasNew(broken[0]) {
			t.Fatalf("%s: broken %+v", way, broken)
		}
		var got []string
		for _, f := range change("lib.toy", "def another\n") {
			for _, d := range f.Diagnostics {
				got = append(got, fmt.Sprint(f.Path, " new ", d.New))
			}
			for range f.Fixed {
				got = append(got, f.Path+" fixed")
			}
		}
		if diff := cmp.Diff([]string{"a.toy new true", "z.toy fixed"}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", way, diff)
		}
	}
}
