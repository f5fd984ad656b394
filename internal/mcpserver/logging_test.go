package mcpserver

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// The eight levels of MCP are known by their names, however these are written, and each is graver
// than the one before; any other name is refused.
//
// Requirement: AGENT-38.
func TestLevelsOfMCP(t *testing.T) {
	want := map[string]slog.Level{
		"debug": -4, "info": 0, "Notice": 2, "WARNING": 4, "error": 8, "critical": 12, "alert": 16, "emergency": 20,
	}
	got := make(map[string]slog.Level)
	for name := range want {
		level, known := ParseLevel(name)
		if !known {
			t.Errorf("%s is not known", name)
		}
		got[name] = level
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, name := range []string{"", "warn", "errors"} {
		if level, known := ParseLevel(name); known {
			t.Errorf("%q is %v", name, level)
		}
	}
}

// Who runs a client is told when its model does not mend the errors that it makes, and of nothing less.
//
// Requirement: SYN-16.
func TestThePersonIsToldOfErrorsThatStay(t *testing.T) {
	var log bytes.Buffer // one record at a time
	d := openDesk(t, lsptest.Script{}, project, func(o *Options) {
		o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	})
	for _, quiet := range []result.Result{&result.Edit{Rounds: 2}, &result.ClosedTurn{Outcome: result.TurnSelfCorrect, Round: 1}, &result.Check{}} {
		d.server.follow([]result.Result{quiet})
	}
	if log.Len() > 0 {
		t.Errorf("told of what is no failure: %s", &log)
	}
	for _, loud := range []result.Result{&result.Edit{Rounds: 4, Escalate: true}, &result.ClosedTurn{Outcome: result.TurnEscalate, Round: 4}} {
		log.Reset()
		if d.server.follow([]result.Result{loud}); !strings.Contains(log.String(), "a person should decide") || !strings.Contains(log.String(), "rounds=4") {
			t.Errorf("%T: told %q", loud, &log)
		}
	}
}
