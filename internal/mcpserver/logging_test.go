package mcpserver

import (
	"log/slog"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The eight levels of MCP are known by their names, however these are written, and each is graver
// than the one before; any other name is refused.
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
