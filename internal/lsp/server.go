package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsp/proc"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/trace"
)

// Supervise turns the process into the supervisor of a language server if its
// arguments ask for it, or into what stands for cargo if its environment does, and then does not return. The main function, and
// TestMain of packages that start servers, call it first.
func Supervise(args []string) {
	if len(args) > 2 && args[1] == proc.Marker {
		proc.Supervise(args[2:])
	}
	if cargo := os.Getenv(proc.CargoVariable); cargo != "" {
		proc.Cargo(cargo, args[1:])
	}
}

// Options configure a server, beside its definition.
type Options struct {
	// Binary is the absolute path of what to start; Args are its arguments.
	Binary string
	Args   []string
	// Env is the whole environment of the process, as KEY=value. The
	// definition's own variables are added.
	Env []string
	// ClientVersion is our version, told to the server.
	ClientVersion string
	// Folders are those that the server is told of at its start, and runs in the first; the root by default.
	Folders []string
	// Settings returns what is put below the settings of the definition for a folder, nil for nothing.
	Settings func(folder string) json.RawMessage
	// First are files that the server is shown before any other, as they are on disk, and no longer.
	First []string
	// Crosses says by which crossings a file comes into others; nil means that it may come by any. It must not wait. Once it has
	// said of a file that it does, that stays so, unless the server is told by [Server.Disturb] of more.
	Crosses func(c language.Crossing, path string) bool
	// Observer hears what the server says; nil hears nothing.
	Observer Observer
	// StartTimeout is how long the server may take to answer initialize, 2 minutes by
	// default; one that demonstrably works may take up to [StartLimit].
	StartTimeout time.Duration
	// Began, if not nil, is called once the process runs, with a function that returns the
	// processor time that it has used so far, false if unknown.
	Began func(cpu func() (time.Duration, bool))
	// Still is how long a server may do nothing while an answer is due before it is asked
	// whether it is still there; 3 seconds by default.
	Still time.Duration
	// MaxFrame bounds one incoming message, in bytes; 0 means 64 MiB.
	MaxFrame int64
	// Trace, if not nil, has every message.
	Trace *trace.Log
	// Exchanged, if not nil, is told of each request when it is over, with the context that it was
	// made in, on the goroutine that made it. It must not wait.
	Exchanged func(ctx context.Context, e Exchange)
}

// An Observer is told what a server says without being asked. Its methods are called one after
// another, in the order of the wire, and must neither block nor wait for a request to the same
// server. When a request returns, everything that the server sent before its response has been
// observed.
type Observer interface {
	// Published is called for each textDocument/publishDiagnostics.
	Published(p Published)
	// Progressed is called for each $/progress.
	Progressed(e protocol.ProgressEvent)
	// Refreshed is called when the server says that results it gave no longer
	// hold (workspace/diagnostic/refresh), and when what it offers changed.
	Refreshed()
	// Ended is called once, when the server has ended, with a *ServerError, or
	// nil after Close.
	Ended(err error)
}

// A Server is one running language server. It is safe for concurrent use.
type Server struct {
	def      registry.Definition
	root     string
	opts     Options
	conn     *jsonrpc.Conn
	process  *proc.Process // nil for a peer
	caps     *protocol.Capabilities
	started  time.Time     // before the process could read anything
	done     chan struct{} // closed after Observer.Ended
	docs     documents
	homes    homes
	offered  registrations
	progress progress
	partials partials
	commands commands
	// loadedLog tells by a message of its log that it has loaded the project; nil if none
	// does.
	loadedLog *regexp.Regexp
	diskList  *diskList
	watchers  sync.WaitGroup
	unheard   sync.WaitGroup // calls that go on after their caller has left, and the vigil
	vigil     vigil
	health    health
	words     words
	usual     usual

	mu      sync.Mutex
	closing bool
	err     error
	hung    error // why we ended it: it did, or answered, nothing any more
	dropped int   // messages and elements that could not be used
}

// capabilities returns what the server declared, or nil before it did.
func (s *Server) capabilities() *protocol.Capabilities {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.caps
}

// watch waits for the end of the connection, whatever its cause.
func (s *Server) watch() {
	<-s.conn.Done()
	var err error
	if s.process != nil {
		err = s.afterProcess()
	} else if reason := s.conn.Err(); reason != nil {
		err = fmt.Errorf("connection ended: %w", reason)
	}
	s.mu.Lock()
	if s.hung != nil {
		err = s.hung
	}
	if !s.closing && err != nil {
		s.err = &ServerError{Server: s.def.ID, Phase: "run", Err: err, Stderr: s.stderr()}
	}
	final := s.err
	s.mu.Unlock()
	if s.opts.Observer != nil {
		_ = guard.Do(func() error { s.opts.Observer.Ended(final); return nil }) // it has ended all the same
	}
	close(s.done)
}

// afterProcess ends what is left of a process whose connection has ended, and
// says how it ended.
func (s *Server) afterProcess() error {
	reason := s.conn.Err()
	s.mu.Lock()
	closing := s.closing
	s.mu.Unlock()
	if closing { // Close is at it
		<-s.process.Done()
		return nil
	}
	s.process.Terminate(time.Second)
	var unreadable *jsonrpc.FrameError
	if errors.As(reason, &unreadable) {
		return unreadable
	}
	var failed *guard.PanicError
	if errors.As(reason, &failed) {
		return failed
	}
	return errors.New(s.process.Exit().String())
}

func (s *Server) stderr() string {
	if s.process == nil {
		return ""
	}
	return lastLines(s.process.Stderr(), 5)
}

// Grace periods of the steps in which a server is ended.
const (
	shutdownGrace = time.Second
	exitGrace     = 2 * time.Second
	killGrace     = 2 * time.Second
)

// Close ends the server: shutdown, exit, end of input, SIGTERM, SIGKILL, each
// after its grace. A peer is only left. When ctx ends it goes straight to SIGKILL. Nothing the
// server started is left when Close returns. Later calls do nothing.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	first := !s.closing
	s.closing = true
	s.mu.Unlock()
	if !first {
		<-s.done
		return nil
	}
	if s.process == nil {
		s.leave(ctx)
	} else {
		s.sayGoodbye(ctx)
		s.process.CloseInput()
		timer := time.NewTimer(exitGrace)
		defer timer.Stop()
		select {
		case <-s.process.Done():
		case <-timer.C:
			s.process.Terminate(killGrace)
		case <-ctx.Done():
			s.process.Kill()
		}
	}
	err := s.conn.Close()
	s.watchers.Wait()
	s.unheard.Wait()
	if err != nil && !errors.Is(err, os.ErrClosed) && !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

func (s *Server) sayGoodbye(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, shutdownGrace)
	defer cancel()
	_, err := s.conn.Call(ctx, "shutdown", nil)
	if errors.Is(err, jsonrpc.ErrClosed) {
		return
	}
	// No params member: TypeScript 7 hangs on null.
	_ = s.conn.Notify("exit", nil)
	s.flush(ctx)
}

// leave closes our documents in a peer, which is not ours to shut down: its
// process goes on for others.
func (s *Server) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, shutdownGrace)
	defer cancel()
	for _, path := range s.OpenDocuments() {
		_, _ = s.CloseDocument(path)
	}
	s.flush(ctx)
}

// flush waits until everything was written, or ctx ends.
func (s *Server) flush(ctx context.Context) {
	flushed := make(chan struct{})
	go func() { // ends when the connection does
		_ = s.conn.Flush()
		close(flushed)
	}()
	select {
	case <-flushed:
	case <-ctx.Done():
	}
}

// kill ends a server that never came up.
func (s *Server) kill() {
	if s.process != nil {
		s.process.Kill()
	}
	_ = s.conn.Close()
	s.watchers.Wait()
	s.unheard.Wait()
}

// Done is closed when the server has ended.
func (s *Server) Done() <-chan struct{} { return s.done }

// Connected reports whether messages still go to and fro. Where they do not, the server has ended or
// is about to: Done is closed when it has.
func (s *Server) Connected() bool {
	select {
	case <-s.conn.Done():
		return false
	default:
		return true
	}
}

// Err returns why the server ended: a *ServerError, or nil while it runs and
// after Close.
func (s *Server) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Definition returns the definition the server was started from.
func (s *Server) Definition() *registry.Definition { return &s.def }

// EditCounting returns how positions are counted in the edits that the server proposes. It is
// needed for what is passed on as the server sent it, such as a WorkspaceEdit.
func (s *Server) EditCounting() protocol.Counting {
	return protocol.Counting{Encoding: s.encoding(), Ends: s.lines().Edited}
}

// encoding returns the unit in which the server counts characters, LSP's own until it says.
func (s *Server) encoding() protocol.Encoding {
	if caps := s.capabilities(); caps != nil {
		return caps.Encoding
	}
	return protocol.UTF16
}

// Root returns the folder that names the server: the root of its project or, if it judges several, of the workspace.
func (s *Server) Root() string { return s.root }

func (s *Server) drop(n int) {
	if n == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropped += n
}

// Info describes a running server.
type Info struct {
	Name, Version string // the version as far as a person wants to know it
	Pid           int    // 0 for a peer
	Started       time.Time
	OpenDocuments int
	Encoding      protocol.Encoding
	// Dropped counts messages and elements that could not be used.
	Dropped int
}

// Info returns a snapshot.
func (s *Server) Info() Info {
	caps := s.capabilities()
	info := Info{
		Name: caps.ServerName, Version: caps.ServerVersion, Encoding: caps.Encoding,
		Started: s.started, OpenDocuments: s.docs.count(),
	}
	if s.process != nil {
		info.Pid = s.process.Pid()
	}
	s.mu.Lock()
	info.Dropped = s.dropped
	s.mu.Unlock()
	return info
}

// Tells returns the names by which the server made itself known when it started; see
// [registry.Definition].
func (s *Server) Tells() []string {
	names := append([]string{s.capabilities().ServerName}, s.Commands()...)
	if identifier, pulls := s.capabilities().PullIdentifier(); pulls {
		names = append(names, identifier)
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// CPUTime returns the processor time that the server and what it started have used so
// far, or false where that is not known: on other systems than Linux, and of a peer.
func (s *Server) CPUTime() (time.Duration, bool) {
	if s.process == nil {
		return 0, false
	}
	return s.process.CPUTime()
}

// Memory returns the memory that the server and its child processes use, in bytes; false where
// that is not known, as for [Server.CPUTime].
func (s *Server) Memory() (int64, bool) {
	if s.process == nil {
		return 0, false
	}
	return s.process.Memory()
}
