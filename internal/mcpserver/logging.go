package mcpserver

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
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

// setLevel sets the level of the log for the client that a request comes from. It is the level of the whole process, so a client over
// HTTP, which is one of several, cannot set it.
func (s *Server) setLevel(req mcp.Request, name string) error {
	level, ok := ParseLevel(name)
	switch {
	case !ok:
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "level: " + name + " is none; levels are " + levelNames()}
	case isOverHTTP(req):
		return errOthersLevel
	case s.opts.Level != nil:
		s.opts.Level.Set(level)
	}
	return nil
}

// errOthersLevel says that a client over HTTP cannot set the level of the log.
var errOthersLevel = errors.New("the log is that of the whole server, which has other clients")

// isOverHTTP reports whether a request came over HTTP.
func isOverHTTP(req mcp.Request) bool {
	extra := req.GetExtra()
	ss, _ := req.GetSession().(*mcp.ServerSession)
	return extra != nil && extra.TokenInfo != nil || ss != nil && ss.ID() != ""
}

// defaultLevel is the level of messages for clients that set none: what happens to servers, and what is wrong.
const defaultLevel = "notice"

// hearDefault makes a session of an older revision get messages although its client has set no level. It must be called when the
// session is initialized, with the SDK's own handler.
func (s *Server) hearDefault(ctx context.Context, next mcp.MethodHandler, ss *mcp.ServerSession, own *session) {
	if own.hasLevel() {
		return
	}
	//lint:ignore SA1019 older clients have it
	params := &mcp.SetLoggingLevelParams{Level: defaultLevel}
	//lint:ignore SA1019 older clients have it
	if _, err := next(ctx, "logging/setLevel", &mcp.ServerRequest[*mcp.SetLoggingLevelParams]{Session: ss, Params: params}); err != nil {
		s.logFailure("the level of messages is not set", err)
	}
}

// maxLines is how many lines of the log may wait for a client; further ones are in the log alone.
const maxLines = 64

// An audience are the clients that get the lines of our log. The zero audience is empty. It is safe for concurrent use.
type audience struct {
	mu    sync.Mutex // guards lines, and is taken while anything else may be held
	lines map[chan slog.Record]bool
}

// join returns a channel that gets the lines until leave is called.
func (a *audience) join() (lines chan slog.Record, leave func()) {
	lines = make(chan slog.Record, maxLines)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.lines == nil {
		a.lines = make(map[chan slog.Record]bool)
	}
	a.lines[lines] = true
	return lines, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.lines, lines)
	}
}

// say passes a line on. It does not wait for clients.
func (a *audience) say(r slog.Record) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for lines := range a.lines {
		select {
		case lines <- r:
		default:
		}
	}
}

// told is a log whose lines an audience gets as well.
type told struct {
	slog.Handler
	audience *audience
	attrs    []slog.Attr
}

// Handle implements [slog.Handler].
func (t told) Handle(ctx context.Context, r slog.Record) error {
	said := r.Clone()
	said.AddAttrs(t.attrs...)
	t.audience.say(said)
	return t.Handler.Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (t told) WithAttrs(attrs []slog.Attr) slog.Handler {
	return told{t.Handler.WithAttrs(attrs), t.audience, slices.Concat(t.attrs, attrs)}
}

// tellLines passes the lines of our log on to the client of a session, until ctx ends. It is not for clients over HTTP: the lines
// are about others as well.
func (s *Server) tellLines(ctx context.Context, ss *mcp.ServerSession) {
	lines, leave := s.audience.join()
	defer leave()
	for {
		select {
		case r := <-lines:
			data := map[string]string{"message": r.Message}
			r.Attrs(func(a slog.Attr) bool {
				data[a.Key] = a.Value.String()
				return true
			})
			//lint:ignore SA1019 older clients have it
			_ = ss.Log(ctx, &mcp.LoggingMessageParams{Level: mcp.LoggingLevel(nameOfLevel(r.Level)), Logger: "lspine", Data: data}) // a session that ended needs none
		case <-ctx.Done():
			return
		}
	}
}

// nameOfLevel returns the name of the highest level of MCP that a level reaches, "debug" for one below all.
func nameOfLevel(level slog.Level) string {
	name := levels[0].name
	for _, l := range levels {
		if level >= l.level {
			name = l.name
		}
	}
	return name
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
