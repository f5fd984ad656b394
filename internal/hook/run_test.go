package hook

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// A place is a workspace whose answers a test writes.
type place struct {
	quieted       []string // see [Workspace]
	t             *testing.T
	root, session string
	// answer is what the next checks say, asked what they were asked, opened how often the
	// workspace was.
	answer result.Check
	err    error
	asked  []api.CheckRequest
	opened int
	// changed is what differs from the commit, nil where nothing is under version control;
	// looked how often that was asked.
	changed []string
	looked  int
	// toUser is what the agent's user was told.
	toUser []string
	o      Options
}

func newPlace(t *testing.T) *place {
	p := &place{t: t, root: t.TempDir(), session: "s"}
	p.o = Options{
		Dir: p.root, Timeout: time.Minute, MaxBytes: 8000, Report: ReportEach, State: filepath.Join(t.TempDir(), "state"),
		Open: func(_, session string) (Workspace, error) {
			if session != p.session {
				p.t.Errorf("opened for session %q", session)
			}
			p.opened++
			w := Workspace{Caller: p, Root: p.root, Quieted: p.quieted, Close: func() error { return nil }}
			if p.changed != nil {
				w.Changed = func(_ context.Context, commit string) (Listing, error) {
					p.looked++
					files := make([]string, len(p.changed))
					for i, name := range p.changed {
						files[i] = filepath.Join(p.root, name)
					}
					return Listing{Commit: "abc", Files: files}, nil
				}
			}
			return w, nil
		},
	}
	return p
}

// Call implements [api.Caller].
func (p *place) Call(ctx context.Context, name string, req, res any) error {
	if session := api.CallOf(ctx).Session; name != "check" || session != "hook "+p.session {
		p.t.Errorf("%s is called for session %q", name, session)
	}
	request := req.(api.CheckRequest)
	if request.TimeoutMS <= 0 || request.TimeoutMS >= 60_000 {
		p.t.Errorf("the check may take %d ms", request.TimeoutMS)
	}
	request.TimeoutMS = 0
	p.asked = append(p.asked, request)
	if p.err != nil {
		return p.err
	}
	answer := p.answer
	answer.Root = p.root
	*res.(*result.Check) = answer
	return nil
}

// write writes a file of the workspace.
func (p *place) write(name, text string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(p.root, name)), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.root, name), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// hook runs a hook of session s and returns what it prints.
func (p *place) hook(payload string) string {
	p.t.Helper()
	var out strings.Builder
	payload = strings.ReplaceAll(payload, "ROOT", lsptest.InJSON(p.root))
	if code := Run(p.t.Context(), strings.NewReader(payload), &out, p.o); code != 0 {
		p.t.Errorf("exit code %d", code)
	}
	var alone output // for the user
	if json.Unmarshal([]byte(out.String()), &alone) == nil && alone == (output{SystemMessage: alone.SystemMessage}) && alone.SystemMessage != "" {
		p.toUser = append(p.toUser, alone.SystemMessage)
		return ""
	}
	return out.String()
}

// says runs a hook and compares what the model is told.
func (p *place) says(payload, want string) {
	p.t.Helper()
	got := p.hook(payload)
	if want != "" {
		want = string(answer(&Event{Agent: Claude, Name: "PostToolUse", Moment: Edited}, want, ""))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		p.t.Error(diff)
	}
}

// Payloads of Claude Code.
const (
	started  = `{"session_id":"s","cwd":"ROOT","hook_event_name":"SessionStart","source":"startup"}`
	editedA  = `{"session_id":"s","cwd":"ROOT","hook_event_name":"PostToolUse","tool_name":"Edit","tool_input":{"file_path":"ROOT/a.go","old_string":"old","new_string":"new"}}`
	editedB  = `{"session_id":"s","cwd":"ROOT","hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"b.go"}}`
	ranShell = `{"session_id":"s","cwd":"ROOT","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"}}`
	stopped  = `{"session_id":"s","cwd":"ROOT","hook_event_name":"Stop","stop_hook_active":false}`
)

func fileWith(path, verdict string, found ...result.Diagnostic) result.File {
	return result.File{Path: path, Verdict: verdict, Diagnostics: found, Servers: []result.Answer{{Server: "x", Freshness: "fresh"}}}
}

func fresh(line uint32, message string) result.Diagnostic {
	return result.Diagnostic{Line: line, Column: 1, Severity: "error", Message: message, New: true}
}

func standing(line uint32, message string) result.Diagnostic {
	return result.Diagnostic{Line: line, Column: 1, Severity: "error", Message: message, Standing: true}
}

func late(path string) result.File {
	return result.File{Path: path, Verdict: result.Unknown, Servers: []result.Answer{{Server: "x", Freshness: "timeout"}}}
}

// After an edit the edited file's new errors are listed and the others that broke are
// named; what was told is not told again while it stands; that all is mended is one line,
// once.
func TestOneRefactoring(t *testing.T) {
	p := newPlace(t)
	p.write("a.go", "a new text")
	p.write("u/c.go", "")
	p.write("d.go", "")
	p.answer = result.Check{
		Files:  []result.File{fileWith("a.go", result.NewErrors, fresh(3, "bad"))},
		Others: []result.File{fileWith("u/c.go", result.NewErrors, fresh(1, "x"), fresh(2, "y")), fileWith("d.go", result.NewErrors, fresh(9, "z"))},
	}
	p.says(editedA, "a.go:3:1: error: bad\nalso broken now: u/c.go (2), d.go (1)\n")

	// The same again, at other lines: nothing that the model does not know.
	p.answer = result.Check{
		Files:  []result.File{fileWith("b.go", result.Clean), fileWith("a.go", result.BaselineError, standing(4, "bad"))},
		Others: []result.File{fileWith("u/c.go", result.BaselineError, standing(1, "x"), standing(2, "y")), fileWith("d.go", result.BaselineError, standing(10, "z"))},
	}
	p.says(editedB, "")

	// One more error in a file that was broken already.
	p.answer = result.Check{Files: []result.File{
		fileWith("b.go", result.Clean), fileWith("a.go", result.BaselineError, standing(4, "bad")),
		fileWith("u/c.go", result.NewErrors, standing(1, "x"), fresh(7, "more")), fileWith("d.go", result.Clean),
	}}
	p.says(editedB, "also broken now: u/c.go (1)\n")

	p.answer = result.Check{Files: []result.File{fileWith("a.go", result.Clean), fileWith("u/c.go", result.Clean), fileWith("b.go", result.Clean)}}
	p.says(editedA, "all fixed: nothing that this session's changes broke is left\n")
	p.says(editedA, "")

	in := func(name string) string { return filepath.Join(p.root, filepath.FromSlash(name)) }
	before := map[string]string{in("a.go"): "a old text"}
	want := []api.CheckRequest{
		{Files: []string{in("a.go")}, Before: before, MaxBytes: -1},
		{Files: []string{in("a.go"), in("d.go"), in("u/c.go"), in("b.go")}, Before: map[string]string{}, Gone: []string{in("b.go")}, MaxBytes: -1},
		{Files: []string{in("a.go"), in("d.go"), in("u/c.go"), in("b.go")}, Before: map[string]string{}, Gone: []string{in("b.go")}, MaxBytes: -1},
		{Files: []string{in("a.go"), in("u/c.go")}, Before: before, MaxBytes: -1},
		{Files: []string{in("a.go")}, Before: before, MaxBytes: -1},
	}
	if diff := cmp.Diff(want, p.asked); diff != "" {
		t.Errorf("asked:\n%s", diff)
	}
}

// One more of what the model was told of is told: errors are often alike. What it knows counts
// for those that stood, and else for the first, as where nobody remembers what stood. What of
// it is mended is told again when it comes again.
func TestAlike(t *testing.T) {
	p := newPlace(t)
	p.write("a.go", "")
	check := func(want string, found ...result.Diagnostic) {
		t.Helper()
		p.answer = result.Check{Files: []result.File{fileWith("a.go", result.NewErrors, found...)}}
		p.says(editedA, want)
	}
	check("a.go:3:1: error: bad\n", fresh(3, "bad"))
	check("a.go:7:1: error: bad\n", standing(3, "bad"), fresh(7, "bad"))
	check("a.go:1:1: error: bad\n", fresh(1, "bad"), standing(4, "bad"), standing(8, "bad"))
	check("a.go:9:1: error: bad\n", fresh(1, "bad"), fresh(4, "bad"), fresh(8, "bad"), fresh(9, "bad"))
	check("", standing(1, "bad"), standing(4, "bad"))
	check("a.go:5:1: error: bad\n", fresh(5, "bad"), standing(1, "bad"), standing(4, "bad"))
}

// What a server did not say in time is still known, as often as it was told.
func TestAlikeAndLate(t *testing.T) {
	p := newPlace(t)
	p.write("a.go", "")
	check := func(want string, file result.File) {
		t.Helper()
		p.answer = result.Check{Files: []result.File{file}}
		p.says(editedA, want)
	}
	check("a.go:3:1: error: bad\na.go:4:1: error: bad\n", fileWith("a.go", result.NewErrors, fresh(3, "bad"), fresh(4, "bad")))
	check("", late("a.go"))
	partly := late("a.go")
	partly.Diagnostics = []result.Diagnostic{fresh(3, "bad"), fresh(4, "bad"), fresh(5, "bad")}
	check("a.go:5:1: error: bad\n", partly)
	check("", fileWith("a.go", result.NewErrors, fresh(3, "bad"), fresh(4, "bad"), fresh(5, "bad")))
}

// What could not be said in time is silence, and is asked again with the next hook, when an
// error that stands by then is news.
func TestLateAnswers(t *testing.T) {
	p := newPlace(t)
	p.write("a.go", "a new text")
	p.answer = result.Check{Incomplete: true, Files: []result.File{late("a.go")}}
	p.says(editedA, "")
	p.answer = result.Check{Files: []result.File{fileWith("b.go", result.Clean), fileWith("a.go", result.BaselineError, standing(3, "bad"))}}
	p.says(editedB, "a.go:3:1: error: bad\n")
	p.says(editedB, "")

	p.err = errors.New("no server\nat all")
	p.says(editedA, "")
	p.err = nil
	p.answer = result.Check{
		Files: []result.File{fileWith("b.go", result.Clean), fileWith("a.go", result.BaselineError, standing(3, "bad"))},
		Late:  []result.File{fileWith("f.go", result.NewErrors, fresh(1, "z"))},
	}
	p.says(editedB, "of earlier edits, answered late:\nf.go:1:1: error: z\n")
	a, b := filepath.Join(p.root, "a.go"), filepath.Join(p.root, "b.go")
	var asked [][]string
	for _, request := range p.asked {
		asked = append(asked, request.Files)
	}
	if diff := cmp.Diff([][]string{{a}, {b, a}, {a, b}, {a}, {a, b}}, asked); diff != "" {
		t.Error(diff)
	}
	log, err := os.ReadFile(filepath.Join(p.o.State, "hook.log"))
	if err != nil || !strings.HasSuffix(string(log), " claude PostToolUse: no server; at all\n") {
		t.Errorf("the log says %q, %v", log, err)
	}
}

// What a command changed is found by looking at the disk: files that differ from the
// commit and have changed since the session last looked, and those that are again as the
// commit has them. What differed when the session began is not the session's.
func TestCommands(t *testing.T) {
	p := newPlace(t)
	p.changed = []string{"dirty.go"}
	p.write("dirty.go", "x")
	p.says(started, "")
	p.says(ranShell, "")
	p.write("a.go", "package a")
	p.changed = []string{"dirty.go", "a.go"}
	p.answer = result.Check{Files: []result.File{fileWith("a.go", result.NewErrors, fresh(1, "bad"))}}
	p.says(ranShell, "a.go:1:1: error: bad\n")
	p.answer = result.Check{Files: []result.File{fileWith("dirty.go", result.Clean), fileWith("a.go", result.Clean)}}
	p.write("dirty.go", "longer")
	p.changed = []string{"dirty.go"}
	if err := os.Remove(filepath.Join(p.root, "a.go")); err != nil {
		t.Fatal(err)
	}
	p.says(ranShell, "all fixed: nothing that this session's changes broke is left\n")
	p.says(ranShell, "")
	a, dirty := filepath.Join(p.root, "a.go"), filepath.Join(p.root, "dirty.go")
	var asked [][]string
	for _, request := range p.asked {
		asked = append(asked, request.Files)
	}
	if diff := cmp.Diff([][]string{{a}, {a, dirty}}, asked); diff != "" {
		t.Error(diff)
	}
}

// What a tool names is checked without a look at the rest of the disk, and is not found
// again by the next one.
func TestNamedFilesNeedNoLook(t *testing.T) {
	p := newPlace(t)
	p.changed = []string{}
	p.says(started, "")
	p.write("a.go", "a new text")
	p.says(editedA, "")
	if p.looked != 1 {
		t.Errorf("looked %d times", p.looked)
	}
	p.changed = []string{"a.go"}
	p.says(ranShell, "")
	if p.looked != 2 || len(p.asked) != 1 {
		t.Errorf("looked %d times, and asked %v", p.looked, p.asked)
	}
	p.write("a.go", "longer text")
	p.says(ranShell, "")
	if p.looked != 3 || len(p.asked) != 2 {
		t.Errorf("looked %d times, and asked %v", p.looked, p.asked)
	}
}

// A folder that the agent knows by a link is the one that it leads to: its files are known
// by one name, and shown as the agent names them.
func TestLinkedFolder(t *testing.T) {
	p := newPlace(t)
	p.write("a.go", "a new text")
	lsptest.NeedLinks(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(p.root, link); err != nil {
		t.Fatal(err)
	}
	p.answer = result.Check{Files: []result.File{fileWith("a.go", result.NewErrors, fresh(3, "bad"))}}
	p.says(strings.ReplaceAll(editedA, "ROOT", lsptest.InJSON(link)), "a.go:3:1: error: bad\n")
	a := filepath.Join(p.root, "a.go")
	if diff := cmp.Diff([]api.CheckRequest{{Files: []string{a}, Before: map[string]string{a: "a old text"}, MaxBytes: -1}}, p.asked); diff != "" {
		t.Error(diff)
	}
}

// Reports at the end of the turn alone say nothing before; full ones list all at once.
func TestReports(t *testing.T) {
	p := newPlace(t)
	p.write("a.go", "a new text")
	p.answer = result.Check{Files: []result.File{fileWith("a.go", result.NewErrors, fresh(3, "bad"))}, Others: []result.File{fileWith("c.go", result.NewErrors, fresh(1, "x"))}}
	p.write("c.go", "")
	p.o.Report = ReportTurn
	p.says(editedA, "")
	if p.asked != nil {
		t.Errorf("asked %v", p.asked)
	}
	if got := p.hook(stopped); !strings.Contains(got, `2 errors of this session's changes remain:\na.go:3:1: error: bad\nc.go:1:1: error: x\n`) {
		t.Errorf("at the end: %s", got)
	}
	p = newPlace(t)
	p.write("a.go", "a new text")
	p.answer = result.Check{Files: []result.File{fileWith("a.go", result.NewErrors, fresh(3, "bad"))}, Others: []result.File{fileWith("c.go", result.NewErrors, fresh(1, "x"))}}
	p.o.Report = ReportFull
	p.says(editedA, "a.go:3:1: error: bad\nalso broken now:\nc.go:1:1: error: x\n")
}

// Whatever goes wrong is silence, and so is that there is nothing to say: the reason is in the log, in
// one line. No workspace is opened for what is of no interest.
func TestSilence(t *testing.T) {
	for _, c := range []struct {
		name, payload, out, log string
		opened                  int
	}{
		{"no JSON", `{`, "", "the payload of the hook: unexpected end of JSON input", 0},
		{"no payload", `{}`, "", errNoPayload.Error(), 0},
		{"another event", `{"session_id":"s","cwd":"ROOT","hook_event_name":"Notification"}`, "", "claude Notification: it is not about edits", 0},
		{"an event of Copilot's", `{"sessionId":"s","cwd":"ROOT","prompt":"go"}`, "{}\n", "copilot userPromptSubmitted: nothing is owed", 1},
		{"a turn that the person ended", `{"cursor_version":"2","conversation_id":"s","workspace_roots":["ROOT"],"hook_event_name":"stop","status":"aborted"}`, "{}\n", "cursor stop: the user stopped the turn", 0},
		{"a turn that cannot be held", `{"session_id":"s","cwd":"ROOT","hook_event_name":"AfterAgent","transcript_path":""}`, "", "llxprt AfterAgent: this agent cannot be kept from ending its turn", 0},
		{"a file outside", `{"session_id":"s","cwd":"ROOT","hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"/etc/hosts"}}`, "", "claude PostToolUse: no file of the workspace has changed", 1},
		{"a folder", `{"session_id":"s","cwd":"ROOT","hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"ROOT"}}`, "", "claude PostToolUse: no file of the workspace has changed", 1},
		{"a server that is not there", editedB, "", "claude PostToolUse: not known: b.go: x: not found", 1},
		{"nothing is new", strings.ReplaceAll(editedB, "b.go", "c.go"), "", "claude PostToolUse: nothing is new: 1 files judged", 1},
		{"Codex's end of a turn", `{"session_id":"s","turn_id":"1","model":"m","cwd":"ROOT","hook_event_name":"Stop"}`, "{}\n", "codex Stop: this session has changed no file of the workspace", 1},
		{"Cline's tool", `{"clineVersion":"","taskId":"s","hookName":"tool_result","workspaceRoots":["ROOT"],"postToolUse":{"toolName":"editor","parameters":{"path":"b.go"}}}`, "{\"cancel\":false}\n", "cline tool_result: not known: b.go: x: not found", 1},
	} {
		p := newPlace(t)
		p.answer = result.Check{Verdict: result.LSPUnavailable, Incomplete: true, Files: []result.File{{Path: "b.go", Verdict: result.LSPUnavailable, Servers: []result.Answer{{Server: "x", Freshness: "unavailable", Reason: "not found"}}}}}
		if c.name == "nothing is new" {
			p.answer = result.Check{Files: []result.File{fileWith("c.go", result.Clean)}}
		}
		if got := p.hook(c.payload); got != c.out || p.opened != c.opened {
			t.Errorf("%s: printed %q, opened %d", c.name, got, p.opened)
		}
		log, _ := os.ReadFile(filepath.Join(p.o.State, "hook.log"))
		if !strings.HasSuffix(string(log), " "+c.log+"\n") || strings.Count(string(log), "\n") != 1 {
			t.Errorf("%s: the log says %q", c.name, log)
		}
	}
}

// A workspace that cannot be opened is silence too; for nobody's agent, findings are text
// and an exit code.
func TestOpenAndText(t *testing.T) {
	p := newPlace(t)
	p.write("a.go", "a new text")
	open := p.o.Open
	p.o.Open = func(string, string) (Workspace, error) {
		return Workspace{}, errors.New("no such root")
	}
	p.says(editedA, "")
	if log, _ := os.ReadFile(filepath.Join(p.o.State, "hook.log")); !strings.HasSuffix(string(log), " claude PostToolUse: no such root\n") {
		t.Errorf("the log says %q", log)
	}
	p.o.Open = open
	state := p.o.State
	p.o.State = ""
	p.says(editedA, "")
	p.o.State, p.o.Agent = state, Text
	p.answer = result.Check{Files: []result.File{fileWith("a.go", result.NewErrors, fresh(3, "bad"))}}
	var out strings.Builder
	code := Run(t.Context(), strings.NewReader(strings.ReplaceAll(editedA, "ROOT", lsptest.InJSON(p.root))), &out, p.o)
	if code != 1 || out.String() != "a.go:3:1: error: bad\n" {
		t.Errorf("exit code %d: %s", code, &out)
	}
}

// Each agent gets its own form of the same report.
func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		agent          Agent
		edited, silent string
		held, calm     string
	}{
		{Claude, `{"hookSpecificOutput":{"hookEventName":"E","additionalContext":"a<b\n"}}`, ``, `{"decision":"block","reason":"a<b\n"}`, ``},
		{Qwen, `{"hookSpecificOutput":{"hookEventName":"E","additionalContext":"a<b\n"}}`, ``, `{"decision":"block","reason":"a<b\n"}`, ``},
		{Codex, `{"hookSpecificOutput":{"hookEventName":"E","additionalContext":"a<b\n"}}`, ``, `{"decision":"block","reason":"a<b\n"}`, `{}`},
		{Gemini, `{"hookSpecificOutput":{"hookEventName":"E","additionalContext":"a<b\n"}}`, ``, `{"decision":"deny","reason":"a<b\n"}`, ``},
		{LLxprt, `{"hookSpecificOutput":{"hookEventName":"E","additionalContext":"a<b\n"}}`, ``, ``, ``},
		{Copilot, `{"additionalContext":"a<b\n"}`, `{}`, `{"decision":"block","reason":"a<b\n"}`, `{}`},
		{Cursor, `{"additional_context":"a<b\n"}`, `{}`, `{"followup_message":"a<b\n"}`, `{}`},
		{Cline, `{"cancel":false,"contextModification":"a<b\n"}`, `{"cancel":false}`, `{"cancel":false}`, `{"cancel":false}`},
		{Text, "a<b", ``, "a<b", ``},
	} {
		got := []string{
			string(answer(&Event{Agent: c.agent, Name: "E", Moment: Edited}, "a<b\n", "")), string(answer(&Event{Agent: c.agent, Name: "E", Moment: Edited}, "", "")),
			string(answer(&Event{Agent: c.agent, Name: "E", Moment: Settled}, "a<b\n", "")), string(answer(&Event{Agent: c.agent, Name: "E", Moment: Settled}, "", "")),
		}
		for i := range got {
			got[i] = strings.TrimSuffix(got[i], "\n")
		}
		if diff := cmp.Diff([]string{c.edited, c.silent, c.held, c.calm}, got); diff != "" {
			t.Errorf("%s:\n%s", c.agent, diff)
		}
	}
}
