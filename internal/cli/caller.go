package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/daemon"
	"github.com/lspine/lspine/internal/engine"
)

// A calling is who answers the calls of a command for one workspace: the daemon, or an engine
// of its own. The command must close it.
type calling struct {
	api.Caller
	// Root is the workspace root, links resolved.
	Root  string
	close func(ctx context.Context) error
}

// closeSoon ends it, also after an interrupt, without making a person wait.
func (c *calling) closeSoon(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeGrace)
	defer cancel()
	return c.close(ctx)
}

// A purpose says what a command calls for.
type purpose struct {
	// name says what the client of a daemon is.
	name string
	// dir is the folder that relative paths start from; "" is the root.
	dir string
	// once says that there is one call, which changes nothing.
	once bool
	// session names a conversation that goes on with the next process; "" is one that ends
	// with this.
	session string
	// stays says that the command waits for further calls.
	stays bool
	// alone says that no daemon is wanted, running that only a running one is.
	alone, running bool
	// quiet says that nothing may be said on standard error.
	quiet bool
}

// open returns who answers for a root.
func (g *global) open(ctx context.Context, streams *Streams, root string, cfg *config.Config, problems []config.Problem, p purpose) (*calling, error) {
	log := openEvidence(streams, cfg, p.name)
	own := func() (*engine.Engine, error) {
		return engine.New(engine.Options{
			Root: root, Base: p.dir, Config: cfg, Problems: problems, Only: g.servers, Version: ourVersion(), Once: p.once, Evidence: log,
		})
	}
	c, err := g.openWith(ctx, streams, root, cfg, p, own)
	if err != nil {
		closeEvidence(ctx, log)
		return nil, err
	}
	end := c.close
	c.close = func(ctx context.Context) error {
		defer closeEvidence(ctx, log)
		return end(ctx)
	}
	return c, nil
}

// openWith returns who answers for a root: a daemon, or the engine of its own that own makes.
func (g *global) openWith(ctx context.Context, streams *Streams, root string, cfg *config.Config, p purpose, own func() (*engine.Engine, error)) (*calling, error) {
	if p.alone || !usesDaemon(streams, cfg, p.stays) {
		return alone(own, func(e api.Caller) api.Caller { return p.asking(streams, e) })
	}
	resolved, err := filepath.EvalSymlinks(root)
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
	// What is wrong with a request is said here, and not by a daemon that does not start.
	if err := knownServers(cfg, g.servers); err != nil {
		return nil, err
	}
	client, err := daemon.Dial(ctx, options)
	if err != nil {
		return nil, err
	}
	return &calling{p.asking(streams, client), resolved, client.Close}, nil
}

// alone returns an engine of our own.
func alone(own func() (*engine.Engine, error), asking func(api.Caller) api.Caller) (*calling, error) {
	e, err := own()
	if err != nil {
		return nil, err
	}
	return &calling{asking(e), e.Root(), e.Close}, nil
}

// usesDaemon reports whether a command may find or start a daemon. In continuous integration
// nothing is to be left behind by one command.
func usesDaemon(streams *Streams, cfg *config.Config, stays bool) bool {
	ci := lookup(streams.Environ, "CI")
	return cfg.Settings.Enabled && cfg.Settings.Daemon == config.DaemonAuto && (stays || ci == "" || ci == "false" || ci == "0")
}

// knownServers says which server of --server nobody knows.
func knownServers(cfg *config.Config, only []string) error {
	return engine.CheckServers(cfg.Servers, only)
}

// daemonCommand returns the arguments of the command that runs the daemon for a root with
// our flags.
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

// errEnding joins how a command ended with how its caller did.
func errEnding(ctx context.Context, c *calling, err error) error {
	return errors.Join(err, c.closeSoon(ctx))
}
