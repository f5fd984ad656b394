// Package workspace manages a root folder and the language servers that run for it: which server
// and which root a file belongs to, when servers are started and stopped, what happens when one
// crashes, and what changed on disk meanwhile.
package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/trace"

	"golang.org/x/sync/semaphore"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/registry"
)

// Options configure a workspace. Root and Servers are needed; the zero value of
// every other field means its default.
type Options struct {
	// Root is the workspace root: an existing folder.
	Root string
	// Servers are the known definitions.
	Servers registry.Table
	// MaxRestarts bounds the restarts of a crashed server; 0 means none.
	MaxRestarts int
	// Idle is how long nobody obtains a server before it is stopped; 0 means never.
	Idle time.Duration
	// MaxServers bounds the servers that run at a time, MaxMemory the bytes that they use
	// together, where that is known; 0 means no bound. Those asked longest ago are stopped.
	MaxServers int
	MaxMemory  int64
	// MaxFileBytes bounds the files that are read, 2 MiB by default.
	MaxFileBytes int64
	// StartTimeout bounds the start of a server that does not demonstrably work, see
	// [lsp.Options]; 2 minutes by default.
	StartTimeout time.Duration
	// Still is how long a server that owes an answer may do nothing, see [lsp.Options].
	Still time.Duration
	// Once says that nobody asks again later: what changes meanwhile in libraries does not matter.
	Once bool
	// Ignore are globs on root-relative paths that are never diagnosed.
	Ignore []string
	// Environ is the environment of servers, as KEY=value; os.Environ() by
	// default. Secrets, and what HideEnv names, are taken out of it unless PassEnv names them, and what git
	// says about a command that runs us, see [child.Environ].
	Environ []string
	PassEnv []string
	HideEnv []string
	// StateFolder is below which servers keep what they need for a root, "lspine" in
	// the user's cache folder by default.
	StateFolder string
	// Trusted says that programs and libraries of the workspace itself may run.
	Trusted bool
	// Installed has the programs that were installed for LSPine alone; nil has none.
	Installed roots.Programs
	// ClientVersion is told to servers.
	ClientVersion string
	// Observe returns who hears a server, before it starts; nil means nobody.
	Observe func(key roots.Key) lsp.Observer
	// Held reports whether somebody shows servers a text of a file that the one on disk is not
	// to take the place of. It is asked right before that would happen: a look at the disk may
	// go on when its caller has left. nil: nobody does.
	Held func(path string) bool
	// MayStart, if not nil, is asked before a server starts that does not run, and says why it may
	// not; its answer is not remembered. It must not wait.
	MayStart func(id string) error
	// Trace, if not nil, has what servers and we say to each other.
	Trace *trace.Log
	// Exchanged, if not nil, is told of each request to a server, see [lsp.Options].
	Exchanged func(ctx context.Context, e lsp.Exchange)
	// Now and LookPath are the clock and the search for binaries.
	Now      func() time.Time
	LookPath func(name string) (string, error)
}

// A Workspace is a root folder with its language servers. It is safe for concurrent use. Close
// ends the servers.
type Workspace struct {
	*roots.Finder
	root      string
	opts      Options
	git       *git.Checkout
	connected connected
	// background outlives requests and ends with Close.
	background context.Context
	cancel     context.CancelFunc
	starts     sync.WaitGroup // and reloads
	ends       sync.WaitGroup // of servers
	tree       tree
	events     events
	samples    samples
	goFiles    goFiles
	crossings  crossings
	sources    sources
	inclusions inclusions
	nested     nested

	mu        sync.Mutex
	closed    bool
	instances map[roots.Key]*instance
	// began is what decides the answers of servers, as of when they were started last.
	began map[roots.Key]string
	// made are what programs say about themselves, by their paths.
	made map[string]programThere
	// equal are the open documents that were found equal to their files. Of two
	// servers with one file it is the last one's: the other costs a read.
	equal map[string]equality
}

// Open returns a workspace for the folder opts.Root. It starts nothing. The caller must Close it.
func Open(opts Options) (*Workspace, error) {
	root, err := filepath.Abs(opts.Root)
	if err != nil {
		return nil, err
	}
	if root, err = fspath.Real(root); err != nil {
		return nil, fmt.Errorf("workspace root: %w", err)
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("workspace root %s: not a folder", root)
	}
	if opts.MaxFileBytes == 0 {
		opts.MaxFileBytes = 2 << 20
	}
	if opts.StartTimeout == 0 {
		opts.StartTimeout = 2 * time.Minute
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	w := &Workspace{
		root: root, connected: connected{with: make(map[roots.Key][]string)}, instances: make(map[roots.Key]*instance), made: make(map[string]programThere),
		began: make(map[roots.Key]string), equal: make(map[string]equality), samples: samples{turn: semaphore.NewWeighted(1)},
		events: events{changed: make(chan struct{}), seen: make(map[string]bool), ready: make(map[roots.Key]bool)},
	}
	w.Finder = roots.New(roots.Options{
		Root: root, Servers: opts.Servers, Environ: opts.Environ, PassEnv: opts.PassEnv, HideEnv: opts.HideEnv, StateFolder: opts.StateFolder,
		Trusted: opts.Trusted, Installed: opts.Installed, LookPath: opts.LookPath, Now: opts.Now, Together: w.together, HasEnding: w.hasEnding,
	})
	filled := w.Finder.Options()
	opts.Environ, opts.Installed, opts.LookPath = filled.Environ, filled.Installed, filled.LookPath
	w.opts = opts
	w.git, w.tree.Picture = w.checkout(), w.newPicture()
	w.background, w.cancel = context.WithCancel(context.Background())
	return w, nil
}

// Root returns the workspace root, links resolved.
func (w *Workspace) Root() string { return w.root }

// Close ends all servers, in parallel, and waits for them, and no longer watches
// folders. When ctx ends the servers are killed.
func (w *Workspace) Close(ctx context.Context) error {
	w.mu.Lock()
	w.closed = true
	instances := make([]*instance, 0, len(w.instances))
	for _, i := range w.instances {
		instances = append(instances, i)
	}
	w.mu.Unlock()
	w.cancel() // ends starts under way
	w.tree.mu.Lock()
	w.tree.Blind(errClosed.Error())
	w.tree.mu.Unlock()
	w.starts.Wait()
	var all guard.Group
	for _, i := range instances {
		all.Go(func() { i.stop(ctx) })
	}
	all.Wait()
	w.ends.Wait()
	return nil
}

// instance returns the instance for a key, made if need be.
func (w *Workspace) instance(key roots.Key) *instance {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := w.instances[key]
	if i == nil {
		i = &instance{workspace: w, key: key, state: roots.Stopped}
		w.instances[key] = i
	}
	return i
}

// running returns the servers that are active, in no order.
func (w *Workspace) running() []*lsp.Server {
	w.mu.Lock()
	instances := make([]*instance, 0, len(w.instances))
	for _, i := range w.instances {
		instances = append(instances, i)
	}
	w.mu.Unlock()
	var servers []*lsp.Server
	for _, i := range instances {
		if s := i.active(); s != nil {
			servers = append(servers, s)
		}
	}
	return servers
}
