package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/mcpserver"
	"github.com/lspine/lspine/internal/service"
	"github.com/lspine/lspine/internal/trace"
)

// exitBootstrap is the exit code of the service if LSP_BOOTSTRAP is invalid.
const exitBootstrap = exit(1)

func newService(streams *Streams, g *global) *cobra.Command {
	return &cobra.Command{
		Use:   "service",
		Short: "Serve the program that embeds lspine, over standard input and output",
		Long: "service is the child process of an agent: it speaks framed JSON-RPC on standard\n" +
			"input and output, and MCP on descriptors 3 and 4, like LLxprt's LSP service. The\n" +
			"variable LSP_BOOTSTRAP contains the workspace root and the configuration.\n" +
			"Servers end with the process; arguments are ignored.",
		Example:            `  LSP_BOOTSTRAP='{"workspaceRoot":"/home/you/project"}' lspine service`,
		Args:               cobra.ArbitraryArgs,
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return (&serviceRun{global: g, streams: streams}).run(cmd.Context())
		},
	}
}

// A serviceRun is one run of the service.
type serviceRun struct {
	*global
	streams *Streams
	boot    *service.Bootstrap
	log     *slog.Logger

	engine *engine.Engine
	kept   *evidence.Log // nil without evidence
	trace  *trace.Log
	// navigation has the goroutines of the navigation tools, which end when leave is called; once
	// makes end run only once.
	navigation guard.Group
	leave      context.CancelFunc
	once       sync.Once
}

func (r *serviceRun) run(ctx context.Context) error {
	navigation := openNavigation(r.streams)
	defer navigation.Close()
	streams := *r.streams
	streams.Err = &oneAtATime{w: r.streams.Err}
	r.streams = &streams
	settings, err := r.bootstrap()
	if err != nil {
		closeEvidence(ctx, r.kept)
		closeTrace(r.streams.Err, r.trace)
		fmt.Fprintln(r.streams.Err, err)
		return exitBootstrap
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer watchParent(stop)()
	// A host that no longer reads is gone. If nobody listens for the signal of its pipe, the signal
	// would end us before our language servers.
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	defer signal.Stop(broken)
	var leaving context.Context
	leaving, r.leave = context.WithCancel(ctx)
	if err := r.serveNavigation(leaving, navigation, settings); err != nil {
		fmt.Fprintln(r.streams.Err, "MCP channel disabled:", err)
	}
	host := &service.Host{
		Caller: r.engine, Root: r.boot.Root, Relative: r.boot.Relative, Asks: r.boot.Asks, FiveClasses: r.boot.FiveClasses, Log: r.log,
		End: func(ctx context.Context) { _ = r.end(ctx) },
	}
	err = host.Serve(ctx, stdio{pollable(r.streams.In), pollable(r.streams.wire())})
	return errors.Join(err, r.end(ctx))
}

// end ends the navigation tools and then closes the engine, once.
func (r *serviceRun) end(ctx context.Context) (err error) {
	r.once.Do(func() {
		r.leave()
		r.navigation.Wait()
		err = closeSoon(ctx, r.engine)
		closeEvidence(ctx, r.kept)
		closeTrace(r.streams.Err, r.trace)
	})
	return err
}

// bootstrap reads the configuration that the host passes, and creates the engine.
func (r *serviceRun) bootstrap() (config.Settings, error) {
	var err error
	if r.boot, err = service.ReadBootstrap(lookup(r.streams.Environ, service.BootstrapVariable)); err != nil {
		return config.Settings{}, err
	}
	if info, err := os.Stat(r.boot.Root); err != nil || !info.IsDir() {
		return config.Settings{}, &service.BootstrapError{Field: service.BootstrapVariable + ".workspaceRoot", Reason: fmt.Sprintf("must be a folder; %s is none", r.boot.Root)}
	}
	level, err := logLevel(r.streams)
	if err != nil {
		return config.Settings{}, err
	}
	r.log = slog.New(slog.NewTextHandler(r.streams.Err, &slog.HandlerOptions{Level: level}))
	cfg, problems := config.Load(config.Options{
		Root: r.boot.Root, UserFile: r.userFile(r.streams), Environ: r.streams.Environ, Host: r.boot.Config, Flags: r.flags(r.streams),
	})
	for _, p := range problems {
		if p.Layer == config.LayerHost && p.Message != "unknown key" {
			return config.Settings{}, hostProblem(p)
		}
		fmt.Fprintln(r.streams.Err, "lspine: configuration:", p.Error())
	}
	for _, u := range cfg.Untrusted {
		fmt.Fprintln(r.streams.Err, "lspine: configuration:", u)
	}
	asHost(cfg)
	r.kept = openEvidence(r.streams, cfg, "service")
	if r.trace, err = openTrace(r.streams); err != nil {
		return config.Settings{}, err
	}
	r.engine, err = engine.New(engine.Options{
		Root: r.boot.Root, Config: cfg, Problems: problems, Only: r.servers, Version: ourVersion(), Evidence: r.kept, Trace: r.trace,
	})
	return cfg.Settings, err
}

// hostProblem returns the error for a problem with LSP_BOOTSTRAP, in its terms.
func hostProblem(p config.Problem) error {
	field := strings.TrimSuffix(service.BootstrapVariable+".config."+strings.TrimPrefix(strings.TrimPrefix(p.Key, "lsp"), "."), ".")
	reason := p.Message
	if p.Hint != "" {
		reason += " (" + p.Hint + ")"
	}
	return &service.BootstrapError{Field: field, Reason: reason}
}

// asHost applies the defaults for hosts where the host sets nothing itself: a crashed server is not
// restarted, and the deadline also holds for servers that are still working.
func asHost(cfg *config.Config) {
	if cfg.Source("lsp.maxRestarts").Layer != config.LayerHost {
		cfg.Settings.MaxRestarts = 0
	}
	if cfg.Source("lsp.patienceLimit").Layer != config.LayerHost {
		cfg.Settings.PatienceLimit = 0
	}
}

// serveNavigation starts to serve the navigation tools over the descriptors, if the host asks for
// them.
func (r *serviceRun) serveNavigation(ctx context.Context, channel *navigationChannel, settings config.Settings) error {
	switch {
	case !settings.Enabled:
		return errors.New("LSP is disabled by configuration")
	case !settings.NavigationTools:
		return errors.New("navigationTools is false")
	case channel.err != nil:
		return channel.err
	}
	server, err := mcpserver.New(mcpserver.Options{
		Unseen:  func(call mcpserver.Unseen) { recordUnseen(r.kept, call) },
		Engines: oneEngine{r.engine}, Root: r.boot.Root, Dir: r.boot.Root, Profile: "llxprt",
		Answer: cmp.Or(r.boot.Answer, mcpserver.DefaultAnswer), Version: ourVersion(), Log: r.log,
	})
	if err != nil {
		return err
	}
	r.navigation.Go(func() {
		defer server.Close()
		in, out, err := channel.Await(ctx)
		if err == nil {
			err = server.Serve(ctx, in, out)
		}
		if err != nil && ctx.Err() == nil {
			fmt.Fprintln(r.streams.Err, "MCP channel disabled:", err)
		}
	})
	return nil
}

// oneEngine gives the MCP server the engine that it shares with the host's channel.
type oneEngine struct{ engine *engine.Engine }

// Engine implements [mcpserver.Engines].
func (o oneEngine) Engine(context.Context, string) (api.Caller, error) { return o.engine, nil }

// stdio is standard input and standard output as one stream.
type stdio struct {
	io.Reader
	io.Writer
}

// Close closes both, which ends pending reads and writes.
func (s stdio) Close() error {
	var errs []error
	for _, end := range []any{s.Reader, s.Writer} {
		if c, ok := end.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}
