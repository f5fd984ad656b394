package mcpserver

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// levels are those of MCP, by how much they say.
var levels = []struct {
	name  string
	level slog.Level
}{
	{"debug", slog.LevelDebug},
	{"info", slog.LevelInfo},
	{"notice", slog.LevelInfo + 2},
	{"warning", slog.LevelWarn},
	{"error", slog.LevelError},
	{"critical", slog.LevelError + 4},
	{"alert", slog.LevelError + 8},
	{"emergency", slog.LevelError + 12},
}

// ParseLevel returns the level with one of MCP's eight names.
func ParseLevel(name string) (slog.Level, bool) {
	for _, l := range levels {
		if strings.EqualFold(l.name, name) {
			return l.level, true
		}
	}
	return 0, false
}

func levelNames() string {
	var names []string
	for _, l := range slices.Backward(levels) {
		names = append(names, l.name)
	}
	return strings.Join(names, ", ")
}

// setLevel changes what is said on standard error.
func (s *Server) setLevel(name string) error {
	level, ok := ParseLevel(name)
	if !ok {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "level: " + name + " is none; levels are " + levelNames()}
	}
	if s.opts.Level != nil {
		s.opts.Level.Set(level)
	}
	return nil
}

// quieter makes the SDK's own information debug output: it tells of each
// connection and each notification.
type quieter struct{ slog.Handler }

func (q quieter) Enabled(ctx context.Context, level slog.Level) bool {
	if level == slog.LevelInfo {
		level = slog.LevelDebug
	}
	return q.Handler.Enabled(ctx, level)
}

func (q quieter) WithAttrs(attrs []slog.Attr) slog.Handler {
	return quieter{q.Handler.WithAttrs(attrs)}
}

func (q quieter) WithGroup(name string) slog.Handler { return quieter{q.Handler.WithGroup(name)} }
