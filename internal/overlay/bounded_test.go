package overlay

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// A question without a deadline has that of the configuration. Only where the configuration
// is patient it moves on while a server works: then nobody can say beforehand when it ends.
func TestDeadlineOfAQuestion(t *testing.T) {
	w, err := workspace.Open(workspace.Options{Root: lsptest.Workspace(t, lsptest.Project)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(t.Context()) })
	for patience, fixed := range map[time.Duration]bool{0: true, time.Hour: false} {
		texts := &Texts{opts: Options{Workspace: w, Settings: &config.Settings{RequestTimeout: time.Hour, PatienceLimit: patience}}}
		ctx, cancel := texts.bounded(t.Context())
		if _, known := ctx.Deadline(); known != fixed {
			t.Errorf("patience %v: the deadline is fixed: %t", patience, known)
		}
		cancel()
	}
}

// A question that takes too long ends with an error that says so, whatever it waited for.
func TestQuestionThatTakesTooLong(t *testing.T) {
	w, err := workspace.Open(workspace.Options{Root: lsptest.Workspace(t, lsptest.Project)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(t.Context()) })
	collector := diagnostics.New(diagnostics.Options{})
	defer collector.Close()
	texts := New(Options{Workspace: w, Collector: collector, Settings: &config.Settings{RequestTimeout: time.Hour}, Once: true})
	defer texts.Close()
	head := func(d *result.Done) *result.Head { return &d.Head }
	for cause, want := range map[error]error{
		fmt.Errorf("while reading: %w", context.DeadlineExceeded): &symbols.TimeoutError{Server: "the workspace", Method: "the question"},
		io.ErrUnexpectedEOF: io.ErrUnexpectedEOF,
	} {
		_, err := Ask(t.Context(), texts.View(w.Names(""), nil), api.Limits{}, head, func(context.Context, *symbols.Inquiry) (result.Done, error) {
			return result.Done{}, cause
		})
		if err == nil || err.Error() != want.Error() {
			t.Errorf("%v: %v, want %v", cause, err, want)
		}
	}
}

// What another call finds on disk while a question is put is told to servers, and this one's own look finds nothing: the
// question is put again all the same.
func TestQuestionWhileAnotherCallLooks(t *testing.T) {
	w, texts, path := askedShop(t)
	asked := 0
	done, err := Ask(t.Context(), texts.View(w.Names(""), nil), api.Limits{}, func(d *result.Done) *result.Head { return &d.Head }, func(context.Context, *symbols.Inquiry) (result.Done, error) {
		if asked++; asked > 1 {
			return result.Done{}, nil
		}
		lsptest.WriteFile(t, path, "use helper\n\n")
		_, err := w.Look(t.Context(), nil)
		return result.Done{}, err
	})
	if err != nil || asked != 2 || len(done.State) > 0 {
		t.Errorf("asked %d times: %q, %v", asked, done.State, err)
	}
}

// askedShop returns texts of a workspace whose server has main.toy open, and the path of that file.
func askedShop(t *testing.T) (*workspace.Workspace, *Texts, string) {
	t.Helper()
	w, err := workspace.Open(workspace.Options{Root: lsptest.Workspace(t, lsptest.Project), Servers: registry.Table{lsptest.Script{}.Definition(t)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(context.Background()) })
	path := filepath.Join(w.Root(), "main.toy")
	server, err := w.Server(t.Context(), w.Candidates(path)[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.Sync(path, nil); err != nil {
		t.Fatal(err)
	}
	collector := diagnostics.New(diagnostics.Options{})
	t.Cleanup(collector.Close)
	texts := New(Options{Workspace: w, Collector: collector, Settings: &config.Settings{RequestTimeout: time.Hour}})
	t.Cleanup(texts.Close)
	return w, texts, path
}

// While others write on, a question is put four times at most, and its answer says that it may be
// of no text that there was.
func TestQuestionWhileOthersWrite(t *testing.T) {
	w, texts, path := askedShop(t)

	var others sync.WaitGroup
	wrote := make(chan struct{})
	ctx, stop := context.WithCancel(t.Context())
	defer others.Wait()
	defer stop()
	others.Go(func() {
		for n := 0; ctx.Err() == nil; n = (n + 1) % 100 {
			if err := os.WriteFile(path, []byte("use helper\n"+strings.Repeat("\n", n)), 0o644); err != nil {
				t.Error(err)
			}
			select {
			case wrote <- struct{}{}:
			case <-ctx.Done():
			}
		}
	})
	type outcome struct {
		Asked int
		State []string
	}
	var got outcome
	for tries := 0; tries < 100 && len(got.State) == 0; tries++ { // one look may be so slow that the next finds nothing
		got.Asked = 0
		done, err := Ask(ctx, texts.View(w.Names(""), nil), api.Limits{}, func(d *result.Done) *result.Head { return &d.Head }, func(context.Context, *symbols.Inquiry) (result.Done, error) {
			got.Asked++
			for range 50 { // the look at the disk beside it is over by then
				<-wrote
			}
			return result.Done{}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		got.State = done.State
	}
	if diff := cmp.Diff(outcome{4, []string{"files changed on disk with each question"}}, got); diff != "" {
		t.Error(diff)
	}
}

// No answer about a project is complete that servers gave without having been told what changed on disk, or while it changed.
func TestCompletenessOfWhatWasTold(t *testing.T) {
	late := context.DeadlineExceeded
	for name, c := range map[string]struct {
		said   result.Completeness
		untold error
		moved  bool
		want   result.Completeness
	}{
		"all told":              {result.Complete, nil, false, result.Complete},
		"not told in time":      {result.Complete, late, false, result.NotKnown},
		"changing all the time": {result.OfLoaded, nil, true, result.NotKnown},
		"not about a project":   {"", late, true, ""},
	} {
		if got := asTold(c.said, c.untold, c.moved); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// lacksOfProject lacks something that matters to one question alone.
type lacksOfProject struct {
	noLacks
	method string
}

func (l lacksOfProject) Note(_ *roots.Candidate, _, method string) string {
	if method != l.method {
		return ""
	}
	return "the class path is unknown"
}

// What all of a project is asked about is not complete where the server cannot know all of it; where
// something else is missing, it is.
func TestCompletenessWithoutASetup(t *testing.T) {
	_, texts, path := askedShop(t)
	for method, want := range map[string]result.Completeness{"textDocument/references": result.OfLoaded, symbols.Definition: result.Complete} {
		view := texts.View(texts.opts.Workspace.Names(""), lacksOfProject{method: method})
		done, err := Ask(t.Context(), view, api.Limits{}, func(d *result.Done) *result.Head { return &d.Head }, func(ctx context.Context, q *symbols.Inquiry) (result.Done, error) {
			_, err := q.Uses(ctx, symbols.Target{Path: path, At: protocol.Position{Character: 4}, Name: "helper"}, false)
			return result.Done{}, err
		})
		if err != nil || done.Completeness != want {
			t.Errorf("%s: %q, %v, want %q", method, done.Completeness, err, want)
		}
	}
}
