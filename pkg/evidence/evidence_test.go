package evidence_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/pkg/evidence"
	"github.com/lspine/lspine/pkg/host"
	"github.com/lspine/lspine/pkg/types"
)

func TestMain(m *testing.M) { lsptest.Main(m, host.Supervise) }

// The log of a host is read back, and a change of it is found.
func TestReadAndVerify(t *testing.T) {
	file := filepath.Join(t.TempDir(), "evidence.jsonl")
	h, err := host.Open(host.Options{Root: lsptest.Workspace(t, "-- a.txt --\n"), Evidence: file})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Status(t.Context(), types.StatusRequest{}); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	var called []string
	err = evidence.Read(file, func(r *evidence.Record) error {
		event, err := r.Decode()
		if c, is := event.(*evidence.ToolCall); is {
			called = append(called, c.Operation)
			return evidence.ErrEnough
		}
		return err
	})
	if diff := cmp.Diff([]string{"status"}, called); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if report, err := evidence.Verify(file); err != nil || len(report.Problems) > 0 || report.Records < 3 {
		t.Errorf("%+v %v", report, err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, bytes.Replace(text, []byte(`"status"`), []byte(`"statue"`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if report, err := evidence.Verify(file); err != nil || len(report.Problems) == 0 {
		t.Errorf("a changed byte is not found: %+v %v", report, err)
	}
}
