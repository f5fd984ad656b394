package checking_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/lsptest"
)

// Whatever changed between two checks, in the file or elsewhere, by us or by others, the answer is
// true for the present state, in every mode.
func TestAnswerIsTheTruthOfNow(t *testing.T) {
	t.Parallel()
	for _, mode := range []lsptest.Mode{
		lsptest.PushVersioned, lsptest.Pull, lsptest.PullDynamic, lsptest.PushAndPull, lsptest.Command, lsptest.Progress,
	} {
		t.Run(string(mode), func(t *testing.T) {
			s := enginetest.OpenToy(t, lsptest.Script{Mode: mode}, lsptest.Project)
			s.Expect("main.toy clean")
			s.Write("lib.toy", "def other\n") // never opened
			s.Expect("main.toy new_errors +1:5 undefined: helper")
			s.Expect("main.toy new_errors 1:5 undefined: helper")
			s.Write("extra.toy", "def helper\n")
			s.Expect("main.toy clean -undefined: helper")
			s.Remove("extra.toy")
			s.Expect("main.toy new_errors +1:5 undefined: helper")
			s.Write("main.toy", "use other\nx ERROR mine\n")
			s.Expect("main.toy new_errors +2:3 mine -undefined: helper")
			s.Write("main.toy", "use other\n")
			s.Expect("main.toy clean -mine")
			s.Check(api.CheckRequest{Files: []string{"lib.toy"}}) // opened
			s.Write("lib.toy", "def renamed\n")
			s.Expect("main.toy new_errors +1:5 undefined: other")
			s.Remove("lib.toy")
			s.Write("lib2.toy", "def other\n")
			s.Expect("main.toy clean -undefined: other")
		})
	}
}

// What is new stays new when another file changed on disk at the same time, so
// that the servers are asked twice.
func TestNewErrorsStayNewWhenAskedTwice(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	s.Expect("main.toy clean")
	s.Write("main.toy", "use helper\nx ERROR mine\n")
	s.Write("lib.toy", "def helper\ndef more\n")
	s.Expect("main.toy new_errors +2:3 mine")
}

// A text given by the caller is judged instead of the file, even if it is empty, and only for that
// request.
func TestGivenContents(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	given := func(name, text string) func(*api.CheckRequest) {
		return func(req *api.CheckRequest) {
			req.Files, req.Contents = []string{name}, map[string]string{name: text}
		}
	}
	s.Expect("main.toy new_errors +1:3 given", given("main.toy", "x ERROR given"))
	s.Expect("main.toy clean -given", given("main.toy", ""))
	s.Expect("main.toy clean")
	s.Expect("lib.toy clean", given("lib.toy", "def nothing"))
	// The file on disk is judged again. Whether the error of the given text counts as known depends
	// on the server.
	s.Expect("main.toy clean", func(req *api.CheckRequest) { req.Baseline = "none" })
	s.Expect("new.toy new_errors +1:3 not on disk", given("new.toy", "x ERROR not on disk"))
	s.Expect("new.toy not_found", func(req *api.CheckRequest) { req.Files = []string{"new.toy"} })
}

// The text before an edit is the baseline if the caller gives it.
func TestBaselineBefore(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	s.Write("main.toy", "added\nx ERROR old\ny ERROR new\n")
	s.Expect("main.toy new_errors 2:3 old +3:3 new -gone", func(req *api.CheckRequest) {
		req.Before = map[string]string{"main.toy": "x ERROR old\nz ERROR gone\n"}
	})
	s.Expect("main.toy new_errors 2:3 old 3:3 new -gone")
	s.Expect("main.toy new_errors +2:3 old +3:3 new", func(req *api.CheckRequest) { req.Baseline = "none" })
}

// The revision in git is the baseline if the caller wants that; a file that is
// not in it is all new.
func TestBaselineHead(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	s.Write("main.toy", "x ERROR committed\n")
	s.Git("init", "-q")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	s.Write("main.toy", "above\nx ERROR committed\ny ERROR fresh\n")
	head := func(req *api.CheckRequest) { req.Baseline = "head" }
	s.Expect("main.toy new_errors 2:3 committed +3:3 fresh", head)
	s.Write("new.toy", "x ERROR all of it\n")
	s.Expect("new.toy new_errors +1:3 all of it", head, func(req *api.CheckRequest) { req.Files = []string{"new.toy"} })
	_, err := api.Check.Do(t.Context(), s.Engine, api.CheckRequest{Files: []string{"main.toy"}, Baseline: "head", Revision: "no-such-thing"})
	var failed *git.Error
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "no-such-thing") || failed.Hint() == "" {
		t.Errorf("an unknown revision: %v", err)
	}
}

// Files that cannot be checked have an error of their own in their place, and do not affect the
// others.
func TestFilesThatCannotBeChecked(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project+"-- picture.toy --\nx\n-- notes.txt --\nx\n-- node_modules/a.toy --\nx\n")
	s.Write("picture.toy", "GIF\x00\x01")
	result := s.Check(api.CheckRequest{Files: []string{"nix.toy", "main.toy", "../out.toy", "picture.toy", "main.toy", "notes.txt", "node_modules/a.toy"}})
	var got []string
	for _, f := range result.Files {
		got = append(got, enginetest.Told(f))
	}
	want := "nix.toy not_found; main.toy clean; ../out.toy outside_workspace; picture.toy not_diagnosed; " +
		"notes.txt lsp_unavailable; node_modules/a.toy not_diagnosed"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("got %s\nwant %s", text, want)
	}
}

// An unavailable server makes no file clean.
func TestNoServerIsNotClean(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Stderr("no licence"), lsptest.Crash(3))}}, lsptest.Project)
	for range 3 {
		result := s.Check(api.CheckRequest{Files: []string{"main.toy"}})
		f := result.Files[0]
		if enginetest.Told(f) != "main.toy lsp_unavailable (unavailable)" || !strings.Contains(f.Servers[0].Reason, "no licence") {
			t.Errorf("%s: %+v", enginetest.Told(f), f.Servers)
		}
	}
}

// The other files that an edit broke are part of the answer, unless only the
// file is asked for; and diagnostics lists all that is known.
func TestOthersAndKnown(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{Mode: lsptest.Progress, PublishClosed: true}, lsptest.Project)
	s.Expect("lib.toy clean", func(req *api.CheckRequest) { req.Files = []string{"lib.toy"} })
	s.Write("lib.toy", "def renamed\n")
	result := s.Check(api.CheckRequest{Files: []string{"lib.toy"}})
	if len(result.Others) != 1 || enginetest.Told(result.Others[0]) != "main.toy new_errors +1:5 undefined: helper" || result.Verdict != "new_errors" {
		t.Errorf("others %+v, verdict %s", result.Others, result.Verdict)
	}
	if result := s.Check(api.CheckRequest{Files: []string{"lib.toy"}, Scope: "file"}); len(result.Others) != 0 {
		t.Errorf("others that were not wanted: %+v", result.Others)
	}
	known, err := api.Diagnostics.Do(t.Context(), s.Engine, api.DiagnosticsRequest{})
	if err != nil || len(known.Files) != 1 || known.Files[0].Path != "main.toy" || known.Verdict != "new_errors" {
		t.Errorf("known %+v, %v", known, err)
	}
	s.Write("lib.toy", "def helper\n")
	now, err := api.Diagnostics.Do(t.Context(), s.Engine, api.DiagnosticsRequest{Files: []string{"main.toy"}, TimeoutMS: 20_000})
	if err != nil || enginetest.Told(now.Files[0]) != "main.toy clean" {
		t.Errorf("brought up to date: %+v, %v", now, err)
	}
	waited, err := api.Diagnostics.Do(t.Context(), s.Engine, api.DiagnosticsRequest{AfterEpoch: now.Epoch - 1})
	if err != nil || waited.Epoch < now.Epoch || len(waited.Files) != 0 || waited.Verdict != "clean" {
		t.Errorf("after an epoch: %+v, %v", waited, err)
	}
}

// A file that is gone from disk and whose text a caller gives is checked as that text, and is not
// reported as deleted.
func TestGivenTextOfADeletedFile(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	s.Git("init", "-q")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	s.Remove("lib.toy")
	answer := s.Check(api.CheckRequest{Files: []string{"lib.toy"}, Contents: map[string]string{"lib.toy": "use nobody\n"}})
	if len(answer.Files) != 1 || answer.Files[0].Path != "lib.toy" || answer.Verdict != "new_errors" || len(answer.Deleted) > 0 {
		t.Errorf("%s, deleted %q: %+v", answer.Verdict, answer.Deleted, answer.Files)
	}
}
