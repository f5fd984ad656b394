package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

func TestMain(m *testing.M) {
	lsptest.Main(m, func() { lsp.Supervise(os.Args) })
}

// A shop is an engine over files of the toy language.
type shop struct {
	*Engine
	t    *testing.T
	root string
}

func openShop(t *testing.T, script lsptest.Script, archive string) *shop {
	t.Helper()
	root := lsptest.Workspace(t, archive)
	cfg, problems := config.Load(config.Options{Root: root, Environ: []string{"LSPINE_TRUST=always"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	cfg.Servers = registry.Table{script.Definition(t)}
	e, err := New(Options{Root: root, Config: cfg, State: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	return &shop{e, t, root}
}

// expectClean wants nothing to be wrong with main.toy, in a fresh answer.
func (s *shop) expectClean() {
	s.t.Helper()
	answer, err := api.Check.Do(s.t.Context(), s.Engine, api.CheckRequest{Files: []string{"main.toy"}, TimeoutMS: 20_000})
	if err != nil || answer.Verdict != "clean" || answer.Incomplete {
		s.t.Errorf("%+v %v", answer, err)
	}
}

// A call that names a deadline has its answer then, whatever lock it waits for: here
// everybody who takes one holds it until the answer has come. Nothing was changed.
func TestNoLockOutlastsTheDeadline(t *testing.T) {
	s := openShop(t, lsptest.Script{}, lsptest.Project)
	const soon = `,"timeout_ms":%d}`
	for operation, c := range map[string]struct{ request, shown, written string }{
		"check":           {`{"files":["main.toy"]` + soon, overlay.BeingShown, ""},
		"diagnostics":     {`{"files":["main.toy"]` + soon, overlay.BeingShown, ""},
		"edit":            {`{"edits":[{"file":"main.toy","content":"use other\n"}],"mode":"preview"` + soon, overlay.BeingShown, overlay.BeingWritten},
		"rename":          {`{"at":"lib.toy:1:5","new_name":"other"` + soon, "", overlay.BeingWritten},
		"format":          {`{"file":"main.toy"` + soon, "", overlay.BeingWritten},
		"execute_command": {`{"command":"toy.fix","confirm":true` + soon, "", overlay.BeingWritten},
		"definition":      {`{"at":"main.toy:1:5"` + soon, overlay.BeingShown, ""},
		"references":      {`{"at":"main.toy:1:5"` + soon, overlay.BeingShown, ""},
		"fixes":           {`{"file":"main.toy"` + soon, overlay.BeingShown, ""},
		"symbols":         {`{"file":"main.toy"` + soon, overlay.BeingShown, ""},
		"impact":          {`{"files":["main.toy"]` + soon, overlay.BeingShown, ""},
		"servers":         {`{"action":"start"` + soon, overlay.BeingShown, ""},
	} {
		for _, held := range []struct {
			by   string
			take func() func()
			want string
		}{
			{"overlays", func() func() {
				if err := s.overlay.Shown.Lock(t.Context()); err != nil {
					t.Fatal(err)
				}
				return func() { s.overlay.Shown.Unlock() }
			}, c.shown},
			{"writers", func() func() {
				if err := s.overlay.Writers.Lock(t.Context()); err != nil {
					t.Fatal(err)
				}
				return func() { s.overlay.Writers.Unlock() }
			}, c.written},
		} {
			if held.want == "" {
				continue
			}
			t.Run(operation+" "+held.by, func(t *testing.T) {
				release := held.take()
				defer release()
				var late *call.TimeoutError
				for _, timeout := range []int{50, 500, 5000} { // on a busy machine the lock is not reached so soon
					err := s.Call(t.Context(), operation, json.RawMessage(fmt.Sprintf(c.request, timeout)), newResult(operation))
					if !errors.As(err, &late) || !errors.Is(err, context.DeadlineExceeded) {
						t.Fatalf("%T: %v", err, err)
					}
					if late.Waited != "" {
						break
					}
				}
				if diff := cmp.Diff(&call.TimeoutError{Operation: operation, Waited: held.want}, late); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
	if got, err := os.ReadFile(filepath.Join(s.root, "main.toy")); err != nil || string(got) != "use helper\n" {
		t.Errorf("it was written: %q %v", got, err)
	}
}

// newResult returns a new result of an operation.
func newResult(operation string) any {
	for _, op := range api.Operations() {
		if op.Name == operation {
			return op.New()
		}
	}
	return nil
}

// While the server owes an edit its answer, a question with a deadline of its own is
// answered as a time-out at that, and not when the edit has ended.
func TestQuestionBesideAStuckEdit(t *testing.T) {
	s := openShop(t, lsptest.Script{Mode: lsptest.Pull, Rules: []lsptest.Rule{{On: "textDocument/diagnostic", Nth: 2, Times: 1000, Do: []lsptest.Action{lsptest.Hang()}}}}, lsptest.Project)
	ctx, giveUp := context.WithCancel(t.Context())
	edited := make(chan error, 1)
	go func() {
		_, err := api.EditFiles.Do(ctx, s.Engine, api.EditRequest{
			Edits: []api.FileEdit{{File: "main.toy", Content: new("use other\n")}}, Writing: api.Writing{Mode: api.Preview, Limits: api.Limits{TimeoutMS: 3_600_000}},
		})
		edited <- err
	}()
	free := func() bool {
		if !s.overlay.Shown.TryLock() {
			return false
		}
		s.overlay.Shown.Unlock()
		return true
	}
	lsptest.Eventually(t, 20*time.Second, func() bool { return !free() }, "the edit shows its text")
	_, err := api.Definition.Do(t.Context(), s.Engine, api.DefinitionRequest{Selector: api.Selector{At: "lib.toy:1:5"}, Limits: api.Limits{TimeoutMS: 50}})
	var late *call.TimeoutError
	if !errors.As(err, &late) || late.Waited != overlay.BeingShown {
		t.Errorf("%T: %v", err, err)
	}
	select {
	case err := <-edited:
		t.Fatalf("the edit ended: %v", err)
	default:
	}
	if free() {
		t.Error("the edit no longer shows its text")
	}
	giveUp()
	if err := <-edited; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// A call over several files says how many of them are answered for.
func TestProgressCounts(t *testing.T) {
	s := openShop(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.OnNth("textDocument/didOpen", 2, lsptest.Delay(1500))}}, lsptest.Project)
	lsptest.WriteFile(t, filepath.Join(s.root, "second.toy"), "fine\n")
	var told []string
	ctx := api.Call{Progress: func(_ context.Context, p api.Progress) {
		if text := fmt.Sprintf("%d of %d", p.Done, p.Total); !slices.Contains(told, text) {
			told = append(told, text)
		}
	}}.In(t.Context())
	if _, err := api.Check.Do(ctx, s.Engine, api.CheckRequest{Files: []string{"main.toy", "second.toy"}, Scope: "file"}); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(told, "1 of 2") || slices.Contains(told, "2 of 1") {
		t.Errorf("told was %q", told)
	}
}

// A panic of who is told of progress is the error of the call that makes it.
func TestPanicOfProgress(t *testing.T) {
	s := openShop(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Delay(1500))}}, lsptest.Project)
	told := make(chan struct{})
	ctx := api.Call{Progress: func(context.Context, api.Progress) {
		defer close(told)
		panic("kaboom")
	}}.In(t.Context())
	_, err := api.Check.Do(ctx, s.Engine, api.CheckRequest{Files: []string{"main.toy"}})
	<-told
	if err == nil || !strings.Contains(err.Error(), "failed inside: kaboom") {
		t.Errorf("%v", err)
	}
	s.expectClean()
}

// A panic of an operation is the error of that call, with the stack for who looks into it:
// its locks are free, and the next call is answered.
func TestPanicOfAnOperation(t *testing.T) {
	s := openShop(t, lsptest.Script{}, lsptest.Project)
	head := func(p *result.Places) *result.Head { return &p.Head }
	for name, run := range map[string]func(context.Context, *Engine, api.PlaceRequest) (result.Places, error){
		"itself": func(context.Context, *Engine, api.PlaceRequest) (result.Places, error) { panic("kaboom") },
		"its question": func(ctx context.Context, e *Engine, req api.PlaceRequest) (result.Places, error) {
			return overlay.Ask(ctx, e.view, req.Limits, head, func(context.Context, *symbols.Inquiry) (result.Places, error) { panic("kaboom") })
		},
		"a goroutine of it": func(ctx context.Context, e *Engine, req api.PlaceRequest) (result.Places, error) {
			return overlay.Ask(ctx, e.view, req.Limits, head, func(context.Context, *symbols.Inquiry) (result.Places, error) {
				return guard.Begin(func() result.Places { panic("kaboom") })(), nil
			})
		},
		"its edit": func(ctx context.Context, e *Engine, req api.PlaceRequest) (result.Places, error) {
			_, err := checkerOf(e).Write(ctx, api.Writing{}, func(context.Context, *symbols.Inquiry, *edit.Plan) (edit.Summarizer, error) { panic("kaboom") })
			return result.Places{}, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			op := api.Op[api.PlaceRequest, result.Places]{Name: "test"}
			var result result.Places
			err := bind(op, run).call(t.Context(), s.Engine, api.PlaceRequest{}, &result)
			var failed *guard.PanicError
			if !errors.As(err, &failed) || failed.Value != "kaboom" || !strings.Contains(failed.Stack, "TestPanicOfAnOperation") {
				t.Fatalf("%T: %v", err, err)
			}
			for _, lock := range []*call.Lock{s.overlay.Shown, s.overlay.Writers} {
				if !lock.TryLock() {
					t.Fatal("a lock is still held")
				}
				lock.Unlock()
			}
			s.expectClean()
		})
	}
}
