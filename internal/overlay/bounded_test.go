package overlay

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsptest"
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
