package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/daemon"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/trace"
)

// A backend carries out the calls of a command in one workspace: the daemon, or an engine in this
// process. The command must close it.
type backend struct {
	api.Caller
	// Root is the workspace root, with symbolic links resolved.
	Root  string
	close func(ctx context.Context) error
	// endSession forgets a session of that name.
	endSession func(name string)
}

// closeSoon closes the backend within closeGrace, even if ctx is canceled.
func (c *backend) closeSoon(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeGrace)
	defer cancel()
	return c.close(ctx)
}

// A purpose says what a command needs a backend for.
type purpose struct {
	// name describes the client in the status of a daemon.
	name string
	// dir is the folder that relative paths start from; "" means the root.
	dir string
	// once promises that there will be only one call, which changes nothing.
	once bool
	// session names a session that continues in the next process; "" means one that ends with this
	// process.
	session string
	// stays says that the command keeps waiting for calls.
	stays bool
	// alone forbids using a daemon; running forbids starting one.
	alone, running bool
	// quiet forbids printing to standard error.
	quiet bool
	// hear, if not nil, is told what servers and we say to each other, as a trace is. It needs an engine in this process.
	hear func(trace.Line)
	// working, if not nil, is called before an engine is opened in this process.
	working func()
}

// open returns the backend for a root.
func (g *global) open(ctx context.Context, streams *Streams, root string, cfg *config.Config, problems []config.Problem, p purpose) (*backend, error) {
	var log *evidence.Log // of our own engine, if there is one: a daemon has its own
	var traced *trace.Log
	own := func() (*engine.Engine, error) {
		if log == nil {
			log = openEvidence(streams, cfg, p.name)
		}
		if p.working != nil {
			p.working()
		}
		if traced == nil {
			var err error
			if traced, err = openTrace(streams); err != nil {
				return nil, err
			}
			if p.hear != nil {
				traced = trace.Hear(p.hear, traced)
			}
		}
		return engine.New(engine.Options{
			Root: root, Base: p.dir, Config: cfg, Problems: problems, Only: g.servers, Version: ourVersion(), Once: p.once, Evidence: log,
			Trace: traced,
		})
	}
	c, err := g.openWith(ctx, streams, root, cfg, p, own)
	if err != nil {
		closeEvidence(ctx, log)
		closeTrace(streams.Err, traced)
		return nil, err
	}
	end := c.close
	c.close = func(ctx context.Context) error {
		defer func() {
			closeEvidence(ctx, log)
			closeTrace(streams.Err, traced)
		}()
		if streams.ErrTerminal && !p.quiet && !p.stays {
			tellFound(ctx, streams, root, cfg, c)
		}
		return end(ctx)
	}
	return c, nil
}

// openWith returns the backend for a root: a daemon, or the engine made by own.
func (g *global) openWith(ctx context.Context, streams *Streams, root string, cfg *config.Config, p purpose, own func() (*engine.Engine, error)) (*backend, error) {
	if p.alone || g.replays || p.hear != nil || !usesDaemon(streams, cfg, p.stays) {
		return alone(own, func(e api.Caller) api.Caller { return p.asking(streams, e) })
	}
	resolved, err := fspath.Real(root)
	if err != nil {
		return nil, err
	}
	options := daemon.Options{
		Identity: daemon.Identity{Root: root, Config: cfg, Opta: g.opta, Only: g.servers, Environ: streams.Environ},
		Command:  g.daemonCommand(streams, resolved), Version: ourVersion(), Name: p.name, Dir: p.dir, Once: p.once && p.session == "", Session: p.session,
		RunningOnly: p.running, Own: own,
		Fell: func(reason error) {
			if !p.quiet && !daemon.IsAbsent(reason) {
				fmt.Fprintf(streams.Err, "lspine: without the daemon: %v\n", reason)
			}
		},
	}
	// Report a mistake in the request here, rather than as a daemon that does not start.
	if err := knownServers(cfg, g.servers); err != nil {
		return nil, err
	}
	client, err := daemon.Dial(ctx, options)
	if err != nil {
		return nil, err
	}
	return &backend{p.asking(streams, client), resolved, client.Close, client.EndSession}, nil
}

// alone returns a backend with an engine in this process.
func alone(own func() (*engine.Engine, error), asking func(api.Caller) api.Caller) (*backend, error) {
	e, err := own()
	if err != nil {
		return nil, err
	}
	return &backend{asking(e), e.Root(), e.Close, e.EndSession}, nil
}

// usesDaemon reports whether a command may use or start a daemon. In continuous integration, a
// command leaves no process behind.
func usesDaemon(streams *Streams, cfg *config.Config, stays bool) bool {
	return cfg.Settings.Enabled && cfg.Settings.Daemon == config.DaemonAuto && (stays || !inCI(streams.Environ))
}

// knownServers returns an error if --server names an unknown server.
func knownServers(cfg *config.Config, only []string) error {
	if len(only) == 0 {
		return nil
	}
	cfg.Complete()
	return engine.CheckServers(cfg.Servers, only)
}

// daemonCommand returns the arguments of the command that runs the daemon for a root, with the
// flags of this command.
func (g *global) daemonCommand(streams *Streams, root string) []string {
	args := []string{"daemon", "run", "--root", root}
	if file := g.userFile(streams); file != "" {
		args = append(args, "--config", file)
	}
	for _, id := range g.servers {
		args = append(args, "--server", id)
	}
	if g.opta {
		args = append(args, "--opta")
	}
	for _, flag := range g.flags(streams) {
		args = append(args, flag.Name, flag.Value)
	}
	return args
}

// errEnding closes the backend and joins its error with that of the command.
func errEnding(ctx context.Context, c *backend, err error) error {
	return errors.Join(err, c.closeSoon(ctx))
}
