package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/checking"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

func TestMain(m *testing.M) {
	lsptest.Main(m, func() { lsp.Supervise(os.Args) })
}

const project = `
-- toy.root --
-- main.toy --
use helper
-- lib.toy --
def helper
`

// A shop is an engine over a toy workspace.
type shop struct {
	*Engine
	t    *testing.T
	root string
}

func openShop(t *testing.T, script lsptest.Script, archive string) *shop {
	t.Helper()
	return openDefined(t, script.Definition(t), archive)
}

func openDefined(t *testing.T, server registry.Definition, archive string) *shop {
	t.Helper()
	root := lsptest.Workspace(t, archive)
	cfg, problems := config.Load(config.Options{Root: root, Environ: []string{}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	cfg.Servers = registry.Table{server}
	e, err := New(Options{Root: root, Config: cfg})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	return &shop{e, t, root}
}

// journalIn makes edits keep their journal in a folder. What checks and edits remember from call
// to call is forgotten.
func (s *shop) journalIn(folder string) {
	s.checker = checking.New(checking.Options{
		Workspace: s.workspace, Collector: s.collector, Overlay: s.overlay, Config: s.opts.Config, Files: s.files, Journal: folder,
	})
}

func (s *shop) write(name, text string) { lsptest.WriteFile(s.t, filepath.Join(s.root, name), text) }

func (s *shop) remove(name string) {
	s.t.Helper()
	if err := os.Remove(filepath.Join(s.root, name)); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) git(args ...string) {
	s.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", s.root, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("git %s: %v\n%s", args, err, out)
	}
}

// check runs a check with a deadline that only a broken machine reaches.
func (s *shop) check(req api.CheckRequest) result.Check {
	s.t.Helper()
	if req.TimeoutMS == 0 {
		req.TimeoutMS = 20_000
	}
	result, err := api.Check.Do(s.t.Context(), s.Engine, req)
	if err != nil {
		s.t.Fatal(err)
	}
	return result
}

// expect checks main.toy and wants a fresh answer in this form.
func (s *shop) expect(want string, change ...func(*api.CheckRequest)) {
	s.t.Helper()
	req := api.CheckRequest{Files: []string{"main.toy"}}
	for _, c := range change {
		c(&req)
	}
	if got := told(s.check(req).Files[0]); got != want {
		s.t.Errorf("got %s\nwant %s", got, want)
	}
}

// told states a file's result: path, verdict and findings, new ones with +,
// mended ones with -; and what is not fresh.
func told(f result.File) string {
	if f.Error != nil {
		return f.Path + " " + string(f.Error.Kind)
	}
	text := f.Path + " " + f.Verdict
	for _, d := range f.Diagnostics {
		sign := ""
		if d.New {
			sign = "+"
		}
		text += fmt.Sprintf(" %s%d:%d %s", sign, d.Line, d.Column, d.Message)
	}
	for _, d := range f.Fixed {
		text += " -" + d.Message
	}
	for _, a := range f.Servers {
		if a.Freshness != "fresh" {
			text += " (" + a.Freshness + ")"
		}
	}
	return text
}

// Whatever changed between two checks, in the file or elsewhere, by us or
// behind our back, the answer is the truth of now, in every mode.
func TestAnswerIsTheTruthOfNow(t *testing.T) {
	for _, mode := range []lsptest.Mode{
		lsptest.PushVersioned, lsptest.Pull, lsptest.PullDynamic, lsptest.PushAndPull, lsptest.Command, lsptest.Progress,
	} {
		t.Run(string(mode), func(t *testing.T) {
			s := openShop(t, lsptest.Script{Mode: mode}, project)
			s.expect("main.toy clean")
			s.write("lib.toy", "def other\n") // never opened
			s.expect("main.toy new_errors +1:5 undefined: helper")
			s.expect("main.toy baseline_error 1:5 undefined: helper")
			s.write("extra.toy", "def helper\n")
			s.expect("main.toy clean -undefined: helper")
			s.remove("extra.toy")
			s.expect("main.toy new_errors +1:5 undefined: helper")
			s.write("main.toy", "use other\nx ERROR mine\n")
			s.expect("main.toy new_errors +2:3 mine -undefined: helper")
			s.write("main.toy", "use other\n")
			s.expect("main.toy clean -mine")
			s.check(api.CheckRequest{Files: []string{"lib.toy"}}) // opened
			s.write("lib.toy", "def renamed\n")
			s.expect("main.toy new_errors +1:5 undefined: other")
			s.remove("lib.toy")
			s.write("lib2.toy", "def other\n")
			s.expect("main.toy clean -undefined: other")
		})
	}
}

// What is new stays new when another file changed on disk at the same time, so
// that the servers are asked twice.
func TestNewErrorsStayNewWhenAskedTwice(t *testing.T) {
	s := openShop(t, lsptest.Script{}, project)
	s.expect("main.toy clean")
	s.write("main.toy", "use helper\nx ERROR mine\n")
	s.write("lib.toy", "def helper\ndef more\n")
	s.expect("main.toy new_errors +2:3 mine")
}

// Text that a caller gives is judged instead of the file, also when it is
// empty, and for that question alone.
func TestGivenContents(t *testing.T) {
	s := openShop(t, lsptest.Script{}, project)
	given := func(name, text string) func(*api.CheckRequest) {
		return func(req *api.CheckRequest) {
			req.Files, req.Contents = []string{name}, map[string]string{name: text}
		}
	}
	s.expect("main.toy new_errors +1:3 given", given("main.toy", "x ERROR given"))
	s.expect("main.toy clean -given", given("main.toy", ""))
	s.expect("main.toy clean")
	s.expect("lib.toy clean", given("lib.toy", "def nothing"))
	// The file on disk counts again. Whether the error of the given text was
	// heard of before is up to the server.
	s.expect("main.toy clean", func(req *api.CheckRequest) { req.Baseline = "none" })
	s.expect("new.toy new_errors +1:3 not on disk", given("new.toy", "x ERROR not on disk"))
	s.expect("new.toy not_found", func(req *api.CheckRequest) { req.Files = []string{"new.toy"} })
}

// The text before an edit is the baseline if the caller gives it.
func TestBaselineBefore(t *testing.T) {
	s := openShop(t, lsptest.Script{}, project)
	s.write("main.toy", "added\nx ERROR old\ny ERROR new\n")
	s.expect("main.toy new_errors 2:3 old +3:3 new -gone", func(req *api.CheckRequest) {
		req.Before = map[string]string{"main.toy": "x ERROR old\nz ERROR gone\n"}
	})
	s.expect("main.toy baseline_error 2:3 old 3:3 new")
	s.expect("main.toy new_errors +2:3 old +3:3 new", func(req *api.CheckRequest) { req.Baseline = "none" })
}

// The revision in git is the baseline if the caller wants that; a file that is
// not in it is all new.
func TestBaselineHead(t *testing.T) {
	s := openShop(t, lsptest.Script{}, project)
	s.write("main.toy", "x ERROR committed\n")
	s.git("init", "-q")
	s.git("add", ".")
	s.git("commit", "-qm", "one")
	s.write("main.toy", "above\nx ERROR committed\ny ERROR fresh\n")
	head := func(req *api.CheckRequest) { req.Baseline = "head" }
	s.expect("main.toy new_errors 2:3 committed +3:3 fresh", head)
	s.write("new.toy", "x ERROR all of it\n")
	s.expect("new.toy new_errors +1:3 all of it", head, func(req *api.CheckRequest) { req.Files = []string{"new.toy"} })
	_, err := api.Check.Do(t.Context(), s.Engine, api.CheckRequest{Files: []string{"main.toy"}, Baseline: "head", Revision: "no-such-thing"})
	var git *workspace.GitError
	if !errors.As(err, &git) || !strings.Contains(err.Error(), "no-such-thing") || git.Hint() == "" {
		t.Errorf("an unknown revision: %v", err)
	}
}

// A request is typed, or JSON that is read strictly; whatever is wrong with it
// is named, with a way out.
func TestRequests(t *testing.T) {
	s := openShop(t, lsptest.Script{}, project)
	var caller api.Caller = s.Engine
	call := func(name, request string) (result.Check, error) {
		var result result.Check
		err := caller.Call(t.Context(), name, json.RawMessage(request), &result)
		return result, err
	}
	answer, err := call("check", `{"files":["main.toy"],"contents":{"main.toy":"x ERROR json"},"timeout_ms":20000}`)
	if err != nil || told(answer.Files[0]) != "main.toy new_errors +1:3 json" || answer.Verdict != "new_errors" {
		t.Errorf("%+v, %v", answer, err)
	}
	for request, names := range map[string]string{
		`{"files":["main.toy"],"flies":1}`:               "flies",
		`{"files":7}`:                                    "files",
		`{"files":["main.toy"],"severities":["fatal"]}`:  "fatal",
		`{"files":["main.toy"],"baseline":"yesterday"}`:  "yesterday",
		`{"files":["main.toy"],"scope":"universe"}`:      "universe",
		`{"files":["main.toy"],"timeout_ms":-1}`:         "timeout_ms",
		`{"files":["main.toy"]`:                          "arguments",
		`{"files":["main.toy"],"timeout_ms":"forever"}`:  "timeout_ms",
		`{"files":["main.toy"],"contents":["main.toy"]}`: "contents",
	} {
		var argument *api.ArgumentError
		if _, err := call("check", request); !errors.As(err, &argument) || !strings.Contains(err.Error(), names) {
			t.Errorf("%s: %v, want an ArgumentError that names %s", request, err, names)
		}
	}
	var unknown *api.UnknownOperationError
	if _, err := call("chekc", `{}`); !errors.As(err, &unknown) || unknown.Name != "chekc" {
		t.Errorf("unknown operation: %v", err)
	}
	var wrong int
	if err := caller.Call(t.Context(), "check", api.CheckRequest{Files: []string{"main.toy"}}, &wrong); err == nil {
		t.Error("a result of another type was taken")
	}
	if err := caller.Call(t.Context(), "check", api.StatusRequest{}, &result.Check{}); err == nil {
		t.Error("a request of another type was taken")
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := api.Check.Do(gone, caller, api.CheckRequest{Files: []string{"main.toy"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Files that cannot be checked have an error of their own, in their place, and
// do not cost the others.
func TestFilesThatCannotBeChecked(t *testing.T) {
	s := openShop(t, lsptest.Script{}, project+"-- picture.toy --\nx\n-- notes.txt --\nx\n-- node_modules/a.toy --\nx\n")
	s.write("picture.toy", "GIF\x00\x01")
	result := s.check(api.CheckRequest{Files: []string{"nix.toy", "main.toy", "../out.toy", "picture.toy", "main.toy", "notes.txt", "node_modules/a.toy"}})
	var got []string
	for _, f := range result.Files {
		got = append(got, told(f))
	}
	want := "nix.toy not_found; main.toy clean; ../out.toy outside_workspace; picture.toy not_diagnosed; " +
		"notes.txt lsp_unavailable; node_modules/a.toy not_diagnosed"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("got %s\nwant %s", text, want)
	}
}

// A server that cannot be had makes no file clean.
func TestNoServerIsNotClean(t *testing.T) {
	s := openShop(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Stderr("no licence"), lsptest.Crash(3))}}, project)
	for range 3 {
		result := s.check(api.CheckRequest{Files: []string{"main.toy"}})
		f := result.Files[0]
		if told(f) != "main.toy lsp_unavailable (unavailable)" || !strings.Contains(f.Servers[0].Reason, "no licence") {
			t.Errorf("%s: %+v", told(f), f.Servers)
		}
	}
}

// The other files that an edit broke are part of the answer, unless only the
// file is asked for; and diagnostics lists all that is known.
func TestOthersAndKnown(t *testing.T) {
	s := openShop(t, lsptest.Script{Mode: lsptest.Progress, PublishClosed: true}, project)
	s.expect("lib.toy clean", func(req *api.CheckRequest) { req.Files = []string{"lib.toy"} })
	s.write("lib.toy", "def renamed\n")
	result := s.check(api.CheckRequest{Files: []string{"lib.toy"}})
	if len(result.Others) != 1 || told(result.Others[0]) != "main.toy new_errors +1:5 undefined: helper" || result.Verdict != "new_errors" {
		t.Errorf("others %+v, verdict %s", result.Others, result.Verdict)
	}
	if result := s.check(api.CheckRequest{Files: []string{"lib.toy"}, Scope: "file"}); len(result.Others) != 0 {
		t.Errorf("others that were not wanted: %+v", result.Others)
	}
	known, err := api.Diagnostics.Do(t.Context(), s.Engine, api.DiagnosticsRequest{})
	if err != nil || len(known.Files) != 1 || known.Files[0].Path != "main.toy" || known.Verdict != "new_errors" {
		t.Errorf("known %+v, %v", known, err)
	}
	s.write("lib.toy", "def helper\n")
	now, err := api.Diagnostics.Do(t.Context(), s.Engine, api.DiagnosticsRequest{Files: []string{"main.toy"}, TimeoutMS: 20_000})
	if err != nil || told(now.Files[0]) != "main.toy clean" {
		t.Errorf("brought up to date: %+v, %v", now, err)
	}
	waited, err := api.Diagnostics.Do(t.Context(), s.Engine, api.DiagnosticsRequest{AfterEpoch: now.Epoch - 1})
	if err != nil || waited.Epoch < now.Epoch || len(waited.Files) != 0 || waited.Verdict != "clean" {
		t.Errorf("after an epoch: %+v, %v", waited, err)
	}
}

// Status lists every known server, before and after it runs.
func TestStatus(t *testing.T) {
	s := openShop(t, lsptest.Script{}, project)
	status := func() result.Server {
		t.Helper()
		result, err := api.Status.Do(t.Context(), s.Engine, api.StatusRequest{})
		if err != nil || len(result.Servers) != 1 || result.Root != s.root {
			t.Fatalf("%+v, %v", result, err)
		}
		return result.Servers[0]
	}
	if v := status(); v.State == "active" || v.Pid != 0 {
		t.Errorf("before: %+v", v)
	}
	s.expect("main.toy clean")
	if v := status(); v.State != "active" || v.Pid == 0 || v.Documents != 1 || v.Version != "1.2.3" || v.Strategy != "versioned" {
		t.Errorf("after: %+v", v)
	}
}

// Close leaves no process, and what is asked after it is no clean file.
func TestCloseLeavesNothing(t *testing.T) {
	s := openShop(t, lsptest.Script{}, project)
	s.expect("main.toy clean")
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if left := lsptest.Descendants(t); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	s.expect("main.toy lsp_unavailable (unavailable)")
}
