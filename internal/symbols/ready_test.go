package symbols

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// uses asks for the references of x, with ten seconds (of a clock that stands
// still while anything works) to answer; it says how long that took.
func uses(t *testing.T, f *fake) (q *Inquiry, places []Place, took time.Duration, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	q = New(f)
	begin := time.Now()
	places, err = q.References(ctx, Target{Path: here("/r/a.go"), Name: "x"}, false)
	return q, places, time.Since(begin), err
}

// counted is a server with one answer, put down in asked.
func counted(asked *int, answer func(context.Context, int) ([]protocol.Location, error)) *fake {
	f := newFake("a.go", "x\n")
	f.references = func(ctx context.Context, _ string, _ protocol.Position) ([]protocol.Location, error) {
		*asked++
		return answer(ctx, *asked)
	}
	return f
}

var oneUse = located(Place{here("/r/a.go"), span(0, 0, 0, 1)})

func always(answer []protocol.Location, err error) func(context.Context, int) ([]protocol.Location, error) {
	return func(context.Context, int) ([]protocol.Location, error) { return answer, err }
}

func wantAnswer(t *testing.T, q *Inquiry, places []Place, err error, n int, states string) {
	t.Helper()
	if err != nil || len(places) != n || strings.Join(q.States(), "|") != states {
		t.Errorf("%d places, states %q, %v; want %d, %q", len(places), q.States(), err, n, states)
	}
}

// A server that loads is not asked before the end of it, and then believed, also
// when it finds nothing. Works that are no loading are not waited for.
func TestLoadingIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		f := counted(&asked, always(nil, nil))
		f.work("Indexing", "checking")
		go func() {
			<-time.After(3 * time.Second)
			if asked != 0 {
				t.Error("asked while it loads")
			}
			f.work("checking")
		}()
		q, places, took, err := uses(t, f)
		wantAnswer(t, q, places, err, 0, "")
		if took != 3*time.Second || asked != 1 {
			t.Errorf("%v, asked %d times", took, asked)
		}
	})
}

// The registry names the loading of a server; what else it does is not waited
// for then, whatever it is called.
func TestNamedLoading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		f := counted(&asked, always(oneUse, nil))
		f.def.Loading = []string{"Setting up"}
		f.work("Indexing")
		q, places, took, err := uses(t, f)
		wantAnswer(t, q, places, err, 1, "")
		if took != 0 {
			t.Error(took)
		}
		f.work("Setting up workspace")
		q, places, took, err = uses(t, f)
		wantAnswer(t, q, places, err, 1, "fakels is still loading: Setting up workspace")
		if took != 7500*time.Millisecond {
			t.Error(took)
		}
	})
}

// An error that a server shows as a work until it is mended is not waited for. A question
// about the whole project says so, one about a file need not.
func TestFailureIsNoLoading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		f := counted(&asked, always(oneUse, nil))
		f.work("Error loading workspace")
		q, places, took, err := uses(t, f)
		wantAnswer(t, q, places, err, 1, "fakels is not able to load the project: Error loading workspace")
		if took != 0 || asked != 1 {
			t.Errorf("asked %d times in %v", asked, took)
		}
		if doing, _ := awaitReady(t.Context(), f, "textDocument/documentSymbol"); doing != "" {
			t.Errorf("a file's own symbols wait for %q", doing)
		}
	})
}

// A server that begins to load during the question, or says that it is no longer ready before it begins
// any work, is asked again at the end of it: what it said meanwhile does not count. rust-analyzer
// finds nothing while it reloads.
func TestLoadingThatBeginsIsNoticed(t *testing.T) {
	for name, c := range map[string]struct{ begins, ends func(f *fake) }{
		"a work begins": {func(f *fake) { f.work("loading") }, func(f *fake) { f.work() }},
		"it ceases to be ready": {func(f *fake) { f.def.Readiness = &registry.Readiness{}; f.loads(false) }, func(f *fake) {
			f.work("Fetching")
			f.work()
			f.loads(true)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				var f *fake
				f = counted(&asked, func(_ context.Context, n int) ([]protocol.Location, error) {
					if n == 1 {
						c.begins(f)
						go func() { <-time.After(time.Second); c.ends(f) }()
						return nil, nil
					}
					return oneUse, nil
				})
				q, places, took, err := uses(t, f)
				wantAnswer(t, q, places, err, 1, "")
				if asked != 2 || took != time.Second {
					t.Errorf("asked %d times in %v", asked, took)
				}
			})
		})
	}
}

// One that loads with every question is asked four times, not for ever, and then
// not believed; one that does something else with it is asked once.
func TestRestlessServerIsAskedBoundedly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		var f *fake
		f = counted(&asked, func(context.Context, int) ([]protocol.Location, error) {
			f.work("loading")
			f.work()
			return oneUse, nil
		})
		q, places, _, err := uses(t, f)
		wantAnswer(t, q, places, err, 1, "fakels is still loading: it begins anew with each question")
		if asked != maxAsked {
			t.Errorf("asked %d times", asked)
		}
		asked = 0
		f = counted(&asked, func(context.Context, int) ([]protocol.Location, error) {
			f.work("finding references")
			f.work()
			return oneUse, nil
		})
		if q, places, _, err = uses(t, f); asked != 1 {
			t.Errorf("asked %d times", asked)
		}
		wantAnswer(t, q, places, err, 1, "")
	})
}

// If a server still loads at three quarters of the time it is asked for what it
// knows: that is an answer with a state, and nothing is no answer.
func TestStillLoading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		f := counted(&asked, func(_ context.Context, n int) ([]protocol.Location, error) {
			if n == 1 {
				return oneUse, nil
			}
			return nil, nil
		})
		f.work("Indexing")
		q, places, took, err := uses(t, f)
		wantAnswer(t, q, places, err, 1, "fakels is still loading: Indexing")
		if took != 7500*time.Millisecond {
			t.Errorf("asked after %v", took)
		}
		var unready *NotReadyError
		if _, _, _, err = uses(t, f); !errors.As(err, &unready) || unready.Server != "fakels" || unready.Loading != "Indexing" {
			t.Errorf("nothing while loading: %v", err)
		}
	})
}

// No answer in time is an error of its own, and never an empty answer; which one
// says whether the server was loading.
func TestNoAnswerInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		silent := func(ctx context.Context, _ int) ([]protocol.Location, error) { <-ctx.Done(); return nil, ctx.Err() }
		f := counted(&asked, silent)
		_, _, took, err := uses(t, f)
		var late *TimeoutError
		if !errors.As(err, &late) || late.Method != "textDocument/references" || late.Server != "fakels" || took != 10*time.Second {
			t.Errorf("%v after %v", err, took)
		}
		var unready *NotReadyError
		go func() { <-time.After(time.Second); f.work("loading") }()
		if _, _, _, err = uses(t, f); !errors.As(err, &unready) {
			t.Errorf("began to load while asked: %v", err)
		}
		if _, _, _, err = uses(t, f); !errors.As(err, &unready) {
			t.Errorf("loading all the time: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err = New(f).References(ctx, Target{Path: here("/r/a.go")}, false); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	})
}

// A server that ends under the question is opened and asked once more; that it
// ends again is the answer. One that cannot be opened is not tried twice.
func TestCrash(t *testing.T) {
	for _, crash := range []error{&lsp.ServerError{Server: "fakels", Phase: "run", Err: errors.New("gone")}, jsonrpc.ErrClosed} {
		asked, opened := 0, 0
		f := counted(&asked, func(_ context.Context, n int) ([]protocol.Location, error) {
			if n == 1 || n > 2 {
				return nil, crash
			}
			return oneUse, nil
		})
		f.opens = func() error { opened++; return nil }
		q, places, _, err := uses(t, f)
		wantAnswer(t, q, places, err, 1, "")
		var notes []string
		if crash != jsonrpc.ErrClosed {
			notes = []string{"fakels: gone; it was restarted"}
		}
		if diff := cmp.Diff(notes, q.Notes()); diff != "" {
			t.Error(diff)
		}
		if asked != 2 || opened != 2 {
			t.Errorf("asked %d times, opened %d times", asked, opened)
		}
		if _, _, _, err = uses(t, f); !errors.Is(err, crash) || asked != 4 {
			t.Errorf("two crashes: %v, asked %d times", err, asked)
		}
		f.opens = func() error { opened++; return crash }
		if _, _, _, err = uses(t, f); !errors.Is(err, crash) || opened != 5 {
			t.Errorf("not opened: %v, opened %d times", err, opened)
		}
	}
}

// A question from which the server withdraws is put again, four times at most;
// another refusal is the answer.
func TestWithdrawnQuestion(t *testing.T) {
	for code, want := range map[int]int{-32801: maxAsked, -32802: maxAsked, -32603: 1} {
		asked := 0
		refusal := &jsonrpc.ResponseError{Code: code, Message: "content modified"}
		f := counted(&asked, always(nil, refusal))
		if _, _, _, err := uses(t, f); !errors.Is(err, refusal) || asked != want {
			t.Errorf("%d: %v, asked %d times", code, err, asked)
		}
		asked = 0
		f = counted(&asked, func(_ context.Context, n int) ([]protocol.Location, error) {
			if n == 1 {
				return nil, refusal
			}
			return oneUse, nil
		})
		q, places, _, err := uses(t, f)
		if want > 1 {
			wantAnswer(t, q, places, err, 1, "")
		}
	}
}

// A server that always announces its loading is given two seconds for that after
// its first document; and no longer, and not for what one file tells.
func TestAnnouncement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		f := counted(&asked, always(oneUse, nil))
		f.def.AnnouncesLoading, f.opened = true, time.Now()
		if _, err := New(f).Outline(t.Context(), here("/r/a.go")); err != nil || time.Since(f.opened) != 0 {
			t.Errorf("an outline took %v, %v", time.Since(f.opened), err)
		}
		<-time.After(500 * time.Millisecond)
		q, places, took, err := uses(t, f)
		wantAnswer(t, q, places, err, 1, "")
		if took != 1500*time.Millisecond {
			t.Errorf("waited %v", took)
		}
		if _, _, took, _ = uses(t, f); took != 0 {
			t.Errorf("later: waited %v", took)
		}
		f.opened = time.Now()
		go func() {
			<-time.After(time.Second)
			f.work("indexing")
			<-time.After(3 * time.Second)
			f.work()
		}()
		q, places, took, err = uses(t, f)
		wantAnswer(t, q, places, err, 1, "")
		if took != 4*time.Second {
			t.Errorf("announced, and loaded: waited %v", took)
		}
	})
}

// A server that says in its log when it knows the project is waited for, twenty
// seconds after its first document at most; if the time to answer is shorter,
// three quarters of that, and then the answer has a state.
func TestLoadedByTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		f := counted(&asked, always(oneUse, nil))
		f.opened = time.Now()
		f.loads(false)
		go func() { <-time.After(3 * time.Second); f.loads(true) }()
		q, places, took, err := uses(t, f)
		wantAnswer(t, q, places, err, 1, "")
		if took != 3*time.Second {
			t.Errorf("waited %v", took)
		}
		f.opened = time.Now()
		f.loads(false)
		q, places, took, err = uses(t, f)
		wantAnswer(t, q, places, err, 1, "fakels is still loading: the files of the project")
		if took != 7500*time.Millisecond {
			t.Errorf("never said: waited %v", took)
		}
		f.opened = time.Now().Add(-loadGrace)
		q, places, took, err = uses(t, f)
		wantAnswer(t, q, places, err, 1, "")
		if took != 0 {
			t.Errorf("the grace is over: waited %v", took)
		}
	})
}

// troubledServer could not load the project, and says so.
type troubledServer struct{ *fake }

func (troubledServer) Trouble() string { return "Failed to load workspaces.\nBecause." }

func (s troubledServer) Open(context.Context, string, string) (Server, error) { return s, nil }

// A server that could not load the project is asked, and its answer is not taken
// for whole; a question about one file needs no more.
func TestTroubleIsSaid(t *testing.T) {
	f := newFake()
	if doing, _ := awaitReady(t.Context(), troubledServer{f}, "textDocument/references"); doing != "not able to load the project: Failed to load workspaces." {
		t.Errorf("references: %q", doing)
	}
	if doing, _ := awaitReady(t.Context(), troubledServer{f}, "textDocument/documentSymbol"); doing != "" {
		t.Errorf("symbols of a file: %q", doing)
	}
	q := New(troubledServer{f})
	q.unready(troubledServer{f}, trouble(troubledServer{f}))
	if got := q.States(); len(got) != 1 || !strings.HasSuffix(got[0], " is not able to load the project: Failed to load workspaces.") {
		t.Errorf("states %q", got)
	}
}
