package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"time"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsp/proc"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// StartLimit is the longest time that a server may take to start while it demonstrably works.
const StartLimit = 300 * time.Second

const (
	// defaultStart is how long a start may take of a server that does nothing.
	defaultStart = 2 * time.Minute
	// startPulses divide that time: who did nothing in one of them is not followed.
	startPulses = 12
)

// A StartError says that a server was ended because it did not answer initialize in time. It
// matches context.DeadlineExceeded.
type StartError struct {
	After time.Duration
	// Worked says that the server was working all the time.
	Worked bool
}

func (e *StartError) Error() string {
	if e.Worked {
		return fmt.Sprintf("it worked for %v and had not answered", e.After.Round(time.Second))
	}
	return fmt.Sprintf("no answer within %v, and it did nothing any more", e.After.Round(100*time.Millisecond))
}

// Unwrap returns context.DeadlineExceeded.
func (e *StartError) Unwrap() error { return context.DeadlineExceeded }

// followStart returns a context for the answer to initialize. It ends when the time for a
// start is over, and as long as the server works then, at the limit. The caller must call
// stop, which returns why it ended, nil if it did not.
func (s *Server) followStart(ctx context.Context) (following context.Context, stop func() error) {
	following, cancel := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = guard.Do(func() error { s.watchStart(following, cancel); return nil })
	}()
	return following, func() error {
		cancel(nil)
		<-ended
		if gaveUp, ours := context.Cause(following).(*StartError); ours {
			return gaveUp
		}
		return nil
	}
}

func (s *Server) watchStart(ctx context.Context, end context.CancelCauseFunc) {
	pulse := s.opts.StartTimeout / startPulses
	ticker := newTicker(pulse)
	defer ticker.Stop()
	seen := s.vitals()
	for waited := pulse; ; waited += pulse {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now := s.vitals()
		onTime := ticker.onTime()
		works := now.worksSince(seen, pulse) || !onTime
		seen = now
		if waited >= StartLimit || waited >= s.opts.StartTimeout && !works {
			end(&StartError{waited, works})
			return
		}
	}
}

// maxClockTick is at least how far the times of a file system are behind the clock: systems take them from a copy of it that they renew
// every 1 to 16 ms.
const maxClockTick = 20 * time.Millisecond

// awaitTick waits until a file that is written now gets a later time than the start of the process: the server, which looks at no file
// before it is initialized, reads all files that have an earlier one as they are. The process begins its work meanwhile.
func (s *Server) awaitTick(ctx context.Context) error {
	left := clockTick() - time.Since(s.started)
	if s.process == nil || left <= 0 {
		return nil
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-s.done:
		return jsonrpc.ErrClosed
	}
}

func (s *Server) initialize(ctx context.Context) error {
	if err := s.awaitTick(ctx); err != nil {
		return err
	}
	pid := os.Getpid()
	if s.process == nil {
		pid = 0
	}
	params, err := protocol.Marshal(protocol.InitializeParams(
		s.Folders(), s.opts.ClientVersion, pid, withFolders(s.def.InitializationOptions, s.Folders()),
		protocol.Announce{
			Pull: s.def.Diagnostics.AnnouncePull, Experimental: s.def.Experimental, OnlyUTF16: s.def.Has(registry.CountsBytes),
		},
	))
	if err != nil {
		return err
	}
	following, stop := s.followStart(ctx)
	raw, err := s.conn.Call(following, "initialize", params)
	if gaveUp := stop(); err != nil && gaveUp != nil {
		return gaveUp
	}
	if err != nil {
		return err
	}
	caps, err := protocol.DecodeInitializeResult(raw)
	if err != nil {
		return err
	}
	caps.ServerVersion = shortVersion(caps.ServerVersion)
	s.mu.Lock()
	s.caps = caps
	s.mu.Unlock()
	if err := s.conn.Notify("initialized", json.RawMessage("{}")); err != nil {
		return err
	}
	if err := errors.Join(s.pushSettings(), s.introduce()); err != nil || !s.def.Has(registry.OpensWhenLoaded) {
		return err
	}
	return s.awaitLoaded(ctx)
}

// withFolders replaces ${folders} in initialization options.
func withFolders(options json.RawMessage, folders []string) json.RawMessage {
	const placeholder = `"${folders}"`
	if !bytes.Contains(options, []byte(placeholder)) {
		return options
	}
	var uris []protocol.DocumentURI
	for _, folder := range folders {
		uris = append(uris, protocol.URIFromPath(folder))
	}
	list, err := json.Marshal(uris)
	if err != nil { // strings are never refused
		return options
	}
	return bytes.ReplaceAll(options, []byte(placeholder), list)
}

// begin performs the handshake. started is a time before the server could read anything.
func begin(
	ctx context.Context, def registry.Definition, root string, opts Options, transport io.ReadWriteCloser, process *proc.Process, started time.Time,
) (*Server, error) {
	s := &Server{
		def: def, root: root, opts: opts, process: process, diskList: newDiskList(def.Diagnostics.Disk),
		started: started, done: make(chan struct{}), homes: newHomes(),
	}
	if s.opts.StartTimeout == 0 {
		s.opts.StartTimeout = defaultStart
	}
	if s.opts.Still == 0 {
		s.opts.Still = defaultStill
	}
	if def.LoadedLog != "" {
		s.loadedLog, _ = regexp.Compile(def.LoadedLog) // a test compiles those of the table
	}
	s.docs.open, s.docs.closed = make(map[string]*document), make(map[string]int32)
	s.docs.own = make(map[string]uint64)
	s.docs.gone = make(map[string]bool)
	s.docs.lookedAgain = make(map[string]uint64)
	s.docs.folders = foldersOr(root, opts.Folders)
	s.progress.folders = len(s.docs.folders)
	s.offered.changed = make(chan struct{})
	s.commands.slot = make(chan struct{}, 1)
	s.progress.open, s.progress.titles = make(map[string]Work), make(map[string]int)
	s.progress.changed = make(chan struct{})
	// Handlers are in place before initialize is sent: some servers ask first.
	s.conn = jsonrpc.New(transport, (*incoming)(s), jsonrpc.Options{
		MaxFrame: opts.MaxFrame,
		Dropped:  func(string) { s.drop(1) },
		Trace:    opts.Trace.Conversation(def.ID, root),
	})
	s.watchers.Go(s.watch)
	if opts.Began != nil {
		opts.Began(s.CPUTime)
	}
	if err := s.initialize(ctx); err != nil {
		s.kill()
		failure := &ServerError{Server: def.ID, Phase: "initialize", Err: err, Stderr: s.stderr()}
		// A server that ended says more by its end than by the broken call.
		var ended *ServerError
		if errors.Is(err, jsonrpc.ErrClosed) && errors.As(s.Err(), &ended) {
			failure.Err = ended.Err
		}
		return nil, failure
	}
	return s, nil
}

// Start starts the definition's server for a root and performs the handshake.
// When ctx ends first, the server is killed. The caller must Close it.
func Start(ctx context.Context, def registry.Definition, root string, opts Options) (*Server, error) {
	opts.Folders = foldersOr(root, opts.Folders)
	started := time.Now()
	process, err := proc.Start(proc.Spec{
		Path: opts.Binary, Args: opts.Args, Dir: opts.Folders[0],
		Env: append(append([]string(nil), opts.Env...), def.Env...),
	})
	if err != nil {
		return nil, &ServerError{Server: def.ID, Phase: "start", Err: err}
	}
	return begin(ctx, def, root, opts, process.Stdio(), process, started)
}
