package hook

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

const (
	prompted     = `{"session_id":"s","cwd":"ROOT","hook_event_name":"UserPromptSubmit","prompt":"go on"}`
	subagentEnds = `{"session_id":"s","cwd":"ROOT","hook_event_name":"SubagentStop"}`
)

// ends runs the hook of an end of a turn and compares why it keeps the turn from ending, "" for not.
func (p *place) ends(payload, want string) {
	p.t.Helper()
	if want != "" {
		want = string(answer(&Event{Agent: Claude, Moment: Settled}, want, ""))
	}
	if diff := cmp.Diff(want, p.hook(payload)); diff != "" {
		p.t.Errorf("(-want +got):\n%s", diff)
	}
}

// tells runs the hook of an event and compares what the model is told.
func (p *place) tells(payload, event, want string) {
	p.t.Helper()
	if want != "" {
		want = string(answer(&Event{Agent: Claude, Name: event, Moment: Prompted}, want, ""))
	}
	if diff := cmp.Diff(want, p.hook(payload)); diff != "" {
		p.t.Errorf("(-want +got):\n%s", diff)
	}
}

// log returns the lines of the log without their times.
func (p *place) log() []string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.o.State, logName))
	if err != nil {
		p.t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(regexp.MustCompile(`(?m)^\S+ `).ReplaceAllString(string(text), ""), "\n"), "\n")
}

// named returns the files of the requests for checks.
func (p *place) named() (files [][]string) {
	for _, request := range p.asked {
		var names []string
		for _, path := range request.Files {
			name, _ := filepath.Rel(p.root, path)
			names = append(names, filepath.ToSlash(name))
		}
		files = append(files, names)
	}
	return files
}

// What cannot be judged in time is owed, together with what was owed before, until it is judged: at the next event of any
// kind, with the text from before the first change. Then nothing is asked any more.
func TestDebtsAreKeptUntilTheyArePaid(t *testing.T) {
	p := newPlace(t)
	p.write("a.go", "a new text")
	p.write("b.go", "")
	p.answer = result.Check{Files: []result.File{late("a.go")}}
	p.says(editedA, "")
	p.answer.Files = append(p.answer.Files, late("b.go"))
	p.says(editedB, "")
	p.tells(prompted, "", "")
	p.answer.Files = []result.File{fileWith("a.go", result.NewErrors, fresh(3, "bad")), fileWith("b.go", result.BaselineError, standing(1, "worse"))}
	p.answer.Others = []result.File{fileWith("c.go", result.NewErrors, fresh(9, "z"))}
	p.write("c.go", "")
	p.tells(prompted, "UserPromptSubmit", "of earlier edits, answered late:\na.go:3:1: error: bad\nb.go:1:1: error: worse\nc.go:9:1: error: z\n")
	p.tells(prompted, "", "")
	if diff := cmp.Diff([][]string{{"a.go"}, {"b.go", "a.go"}, {"a.go", "b.go"}, {"a.go", "b.go"}}, p.named()); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	for i, request := range p.asked {
		if diff := cmp.Diff(map[string]string{filepath.Join(p.root, "a.go"): "a old text"}, request.Before); diff != "" {
			t.Errorf("%d is compared with (-want +got):\n%s", i, diff)
		}
	}
	const unknown = "claude UserPromptSubmit: not known: a.go: x: timeout; b.go: x: timeout"
	if diff := cmp.Diff([]string{"claude PostToolUse: not known: a.go: x: timeout", "claude PostToolUse: not known: a.go: x: timeout; b.go: x: timeout", unknown, "claude UserPromptSubmit: nothing is owed"}, p.log()); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
}

// A session that begins again, such as one that is resumed, is told what it is owed, if the agent shows that to its model.
func TestDebtsOfAResumedSession(t *testing.T) {
	for agent, c := range map[Agent]struct {
		began string
		pays  bool
	}{
		Claude:  {started, true},
		Copilot: {`{"sessionId":"s","cwd":"ROOT","source":"resume"}`, false},
	} {
		p := newPlace(t)
		p.o.Agent = agent
		p.write("a.go", "a new text")
		p.answer = result.Check{Files: []result.File{late("a.go")}}
		p.hook(editedA)
		p.answer = result.Check{Files: []result.File{fileWith("a.go", result.NewErrors, fresh(3, "bad"))}}
		said := p.hook(c.began)
		if strings.Contains(said, "a.go:3:1: error: bad") != c.pays || len(p.asked) != map[bool]int{true: 2, false: 1}[c.pays] {
			t.Errorf("%s: it says %q, and was asked %v", agent, said, p.named())
		}
		if said := p.hook(editedB); strings.Contains(said, "a.go:3:1: error: bad") == c.pays {
			t.Errorf("%s: after the next tool it says %q", agent, said)
		}
	}
}

// A hook that waits in vain for another one of its session, or is killed, leaves a note of what changed: the next one judges
// it. If it is the end of a turn that waits, it admits that.
func TestHooksSideBySide(t *testing.T) {
	p := newPlace(t)
	p.write("a.go", "a new text")
	p.answer = result.Check{Files: []result.File{fileWith("a.go", result.NewErrors, fresh(3, "bad"))}}
	d, err := deskOf(p.o.State, p.root+"\x00s")
	if err != nil {
		t.Fatal(err)
	}
	_, _, letGo, err := d.remember(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p.o.Timeout = time.Millisecond
	p.says(editedA, "")
	const why = "another hook of the session is still at work: context deadline exceeded"
	p.ends(stopped, "not judged yet, the next hook of this session reports on it: what this session changed ("+why+")\n")
	letGo()
	p.o.Timeout = time.Minute
	p.tells(prompted, "UserPromptSubmit", "of earlier edits, answered late:\na.go:3:1: error: bad\n")
	if diff := cmp.Diff(map[string]string{filepath.Join(p.root, "a.go"): "a old text"}, p.asked[0].Before); diff != "" {
		t.Errorf("compared with (-want +got):\n%s", diff)
	}
	if left, err := d.notes(); err != nil || len(left) > 0 {
		t.Errorf("notes are left: %v, %v", left, err)
	}
	if diff := cmp.Diff([]string{"claude PostToolUse: " + why, "claude Stop: " + why}, p.log()); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
}

// An end of a turn lists all that is known to be broken, also if it is not judged now, or nothing can be; what is not known
// is one line after it, which is never cut.
func TestTheEndOfATurnListsAllThatIsKnown(t *testing.T) {
	p := newPlace(t)
	p.write("a.go", "a new text")
	p.write("c.go", "")
	p.answer = result.Check{Files: []result.File{fileWith("a.go", result.NewErrors, fresh(3, "bad"))}, Others: []result.File{fileWith("c.go", result.NewErrors, fresh(1, "x"))}}
	p.says(editedA, "a.go:3:1: error: bad\nalso broken now: c.go (1)\n")

	const known = "2 errors of this session's changes remain:\na.go:3:1: error: bad\nc.go:1:1: error: x\n"
	p.answer = result.Check{Files: []result.File{late("a.go"), fileWith("c.go", result.BaselineError, standing(1, "x"))}}
	p.ends(stopped, known+"not judged yet, the next hook of this session reports on it: a.go (x: timeout)\n")
	p.err = errors.New("no daemon")
	p.ends(stopped, known+"not judged yet, the next hook of this session reports on it: a.go, c.go (no daemon)\n")
	p.err = nil

	p.write("b.go", "")
	p.o.MaxBytes = 162
	p.answer = result.Check{Files: []result.File{late("a.go"), fileWith("c.go", result.BaselineError, standing(2, "x")), late("b.go")}}
	p.says(editedB, "")
	p.ends(stopped, "2 errors of this session's changes remain:\n... and 2 more lines\n"+
		"not judged yet, the next hook of this session reports on it: a.go, b.go (x: timeout)\n")

	if diff := cmp.Diff([]string{"a.go", "c.go"}, p.named()[2]); diff != "" {
		t.Errorf("known to be broken, and asked first (-want +got):\n%s", diff)
	}
	p.o.MaxBytes = 0
	p.answer = result.Check{Files: []result.File{fileWith("a.go", result.Clean), fileWith("c.go", result.Clean), fileWith("b.go", result.NewErrors, fresh(4, "worse"))}}
	p.tells(prompted, "UserPromptSubmit", "of earlier edits, answered late:\nb.go:4:1: error: worse\n")
}

// What keeps a subagent from ending keeps its agent from ending as well: that has not heard of it.
func TestEndsOfSubagents(t *testing.T) {
	p := newPlace(t)
	p.write("a.go", "a new text")
	p.answer = result.Check{Files: []result.File{fileWith("a.go", result.NewErrors, fresh(3, "bad"))}}
	p.says(editedA, "a.go:3:1: error: bad\n")
	const remains = "1 error of this session's changes remains:\na.go:3:1: error: bad\n"
	for _, c := range []struct{ payload, want string }{{subagentEnds, remains}, {stopped, remains}, {subagentEnds, ""}, {stopped, ""}} {
		p.ends(c.payload, c.want)
	}
}

// That nobody can judge a file is told at the end of a turn, once for each reason. What cannot be found out of other files is
// told as well, and is asked again at the next event.
func TestWhatNobodyCanJudge(t *testing.T) {
	p := newPlace(t)
	missing := func(path, reason string) result.File {
		return result.File{Path: path, Verdict: result.LSPUnavailable, Servers: []result.Answer{{Server: "x", Freshness: "unavailable", Reason: reason}}}
	}
	for _, name := range []string{"a.go", "b.go"} {
		p.write(name, "a new text")
	}
	p.answer = result.Check{Files: []result.File{missing("a.go", "x is not installed")}}
	p.says(editedA, "")
	p.ends(stopped, "not known: a.go (x: x is not installed)\n")
	p.answer.Files = append(p.answer.Files, missing("b.go", "x is not installed"))
	p.says(editedB, "")
	p.ends(stopped, "")
	p.answer.Files[1] = missing("b.go", "x was stopped")
	p.ends(stopped, "not known: a.go (x: x is not installed), b.go (x: x was stopped)\n")
	p.answer = result.Check{Files: []result.File{fileWith("a.go", result.Clean), fileWith("b.go", result.Clean)}, Unknown: []string{"files that use what changed could not be judged: c.go"}}
	p.ends(stopped, "not known: files that use what changed could not be judged: c.go\n")
	asked := len(p.asked)
	p.answer.Unknown = nil
	p.tells(prompted, "", "")
	p.tells(prompted, "", "")
	if len(p.asked) != asked+1 {
		t.Errorf("asked again: %v", p.named()[asked:])
	}
	p.answer.Unknown = []string{"files that use what changed could not be judged: d.go"}
	p.ends(stopped, "")
	p.tells(prompted, "", "")
	if len(p.asked) != asked+2 {
		t.Errorf("asked about what is known not to be known: %v", p.named()[asked:])
	}
}

// If the agent gives up a hook at the end of a turn, nobody has read what it says: the next one says it.
func TestGivenUpAtTheEnd(t *testing.T) {
	p := newPlace(t)
	p.write("a.go", "a new text")
	p.err = errors.New("no judge")
	p.says(editedA, "")
	ctx, giveUp := context.WithCancel(t.Context())
	open := p.o.Open
	p.o.Open = func(dir, session string) (Workspace, error) {
		w, err := open(dir, session)
		w.Caller = givingUp{w.Caller, giveUp}
		return w, err
	}
	var out strings.Builder
	if code := Run(ctx, strings.NewReader(strings.ReplaceAll(stopped, "ROOT", lsptest.InJSON(p.root))), &out, p.o); code != 0 || out.Len() > 0 {
		t.Errorf("exit code %d, %s", code, &out)
	}
	p.o.Open = open
	p.ends(stopped, "not judged yet, the next hook of this session reports on it: a.go (no judge)\n")
}

// givingUp gives up the hook at its first call.
type givingUp struct {
	api.Caller
	giveUp func()
}

func (g givingUp) Call(ctx context.Context, name string, req, res any) error {
	g.giveUp()
	return g.Caller.Call(ctx, name, req, res)
}

// Servers are started when a session begins, or with the first prompt of an agent that does not announce that; that this
// fails is told in the log.
//
// Requirement: SYN-2.
func TestServersStartAhead(t *testing.T) {
	p := newPlace(t)
	p.changed = []string{}
	starts := 0
	open, fails := p.o.Open, error(nil)
	p.o.Open = func(dir, session string) (Workspace, error) {
		w, err := open(dir, session)
		w.Start = func(context.Context) ([]string, error) {
			starts++
			return []string{"x", "y"}[:2*min(1, starts-1)], fails
		}
		w.Found = func(names []string) string { return strings.Join(names, " and ") }
		return w, err
	}
	p.hook(prompted)
	p.hook(prompted)
	p.hook(started)
	fails = errors.New("no daemon")
	p.hook(started)
	p.hook(stopped)
	if starts != 3 {
		t.Errorf("%d starts", starts)
	}
	if diff := cmp.Diff([]string{"x and y", "x and y"}, p.toUser); diff != "" {
		t.Errorf("the user (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{
		"claude UserPromptSubmit: no server is needed; nothing is owed", "claude UserPromptSubmit: nothing is owed",
		"claude SessionStart: servers start: x, y; nothing is owed", "claude SessionStart: servers are not started ahead: no daemon; nothing is owed",
		"claude Stop: this session has changed no file of the workspace",
	}, p.log()); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
}

// A hook takes the time that was asked for, or else what the agent allows, but for a rest in which it ends.
func TestBudget(t *testing.T) {
	got := make(map[time.Duration]time.Duration)
	want := map[time.Duration]time.Duration{
		time.Second: 500 * time.Millisecond, 5 * time.Second: 4 * time.Second, 20 * time.Second: 18 * time.Second,
		30 * time.Second: 27 * time.Second, 60 * time.Second: 55 * time.Second, 120 * time.Second: 115 * time.Second, 600 * time.Second: 595 * time.Second,
	}
	for allowed := range want {
		o := &Options{Allows: func(*Event) time.Duration { return allowed }}
		got[allowed] = o.budget(&Event{})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := (&Options{Timeout: time.Hour}).budget(&Event{}); got != time.Hour {
		t.Errorf("asked for an hour: %v", got)
	}
}

// Notes are read as they were left, and one that cannot be read is no reason to lose the others.
func TestNotes(t *testing.T) {
	d, err := deskOf(t.TempDir(), "s")
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]note)
	for i, n := range []note{{Changes: []change{{Path: "a", Before: new("old")}, {Path: "b"}}}, {Sweep: true}} {
		file, err := d.leave(n, time.Unix(int64(i), 0))
		if err != nil {
			t.Fatal(err)
		}
		want[file] = n
	}
	broken := d.file + ".3.note"
	if err := os.WriteFile(broken, []byte(`{"sweep": tr`), 0o600); err != nil {
		t.Fatal(err)
	}
	want[broken] = note{}
	got, err := d.notes()
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("(-want +got):\n%s%v", diff, err)
	}
}
