package overlay

import (
	"testing"
	"time"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsptest"
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
