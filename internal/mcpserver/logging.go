package mcpserver

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// levels are the log levels of MCP, most verbose first.
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

// ParseLevel returns the level with one of MCP's eight names, ignoring case; false for any other
// name.
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

// setLevel sets the level of the log.
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

// quieter turns the SDK's info messages into debug messages, because the SDK logs each connection
// and each notification.
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
