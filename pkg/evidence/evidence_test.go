package evidence_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
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

// A request to a server is on record with the version of that, also of one that tells all that it is built from.
func TestVersionsAreShort(t *testing.T) {
	lsptest.Require(t, "gopls")
	file := filepath.Join(t.TempDir(), "evidence.jsonl")
	h, err := host.Open(host.Options{Root: lsptest.Workspace(t, "-- go.mod --\nmodule example.com/a\n\ngo 1.24\n-- a.go --\npackage a\n"), Evidence: file})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Check(t.Context(), types.CheckRequest{Files: []string{"a.go"}}); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	asked := 0
	err = evidence.Read(file, func(r *evidence.Record) error {
		event, err := r.Decode()
		if q, is := event.(*evidence.QueryBatch); is {
			if asked++; !regexp.MustCompile(`^v\d+\.\d+\.\d+\S*$`).MatchString(q.Version) {
				t.Errorf("%s has the version %q", q.Server, q.Version)
			}
		}
		return err
	})
	if err != nil || asked == 0 {
		t.Errorf("%d requests are on record (%v)", asked, err)
	}
}
