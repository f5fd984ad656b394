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
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/extension"
	"github.com/lspine/lspine/internal/mcpserver"
)

type mcpFlags struct {
	*global
	profile, text  string
	structured     string
	tools, without []string
	allow          []string
	permission     []string
	http           httpFlags
	url            string
}

func newMCP(streams *Streams, g *global) *cobra.Command {
	f := mcpFlags{global: g}
	cmd := &cobra.Command{
		Use:   "mcp [LANGUAGE COMMAND... | LANGUAGE:COMMAND,... | FILE]",
		Short: "Serve the tools to an agent over MCP",
		Long: "mcp serves the tools over the Model Context Protocol on standard input and\n" +
			"output, or over HTTP, until the client leaves. Messages for people go to\n" +
			"standard error, as far as LOG_LEVEL allows (default: warning).\n\n" +
			"Servers run, and files are written, only in --root or, without it, in the roots\n" +
			"that the client names, else in the checkout of the current folder, or in that\n" +
			"folder itself: never in / and never in a home folder as a whole. --allow-root\n" +
			"and \"allowRoots\" in your own configuration add folders; a call chooses among all\n" +
			"of them.\n\n" +
			"Over HTTP, clients send a bearer token, which is in LSPINE_TOKEN or --token-file.\n" +
			"It opens all that lspine may do here. Without TLS, it can be read on its way, so\n" +
			"listen on other addresses than 127.0.0.1 only with --tls-cert, or behind a proxy\n" +
			"with TLS.\n\n" +
			"Arguments, after the flags, replace the built-in server of a language: a\n" +
			"command, or commands with commas before their arguments, or a file with\n" +
			"\"servers\" at its top level. These servers are not shared with other clients.",
		Example: "  lspine mcp --root ~/project\n" +
			"  lspine mcp --allow-root ~/library --allow-root ~/app\n" +
			"  lspine mcp --profile full --without start_lsp,restart_lsp_server\n" +
			"  lspine mcp go:gopls typescript:typescript-language-server,--stdio\n" +
			"  LSPINE_TOKEN=$(openssl rand -hex 32) lspine mcp --http --port 8080\n" +
			"  lspine mcp --http --listen unix:/run/user/1000/lspine.sock\n" +
			"  lspine mcp --url https://lspine.example/mcp --token-file ~/.config/lspine/token",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if f.given, f.givenBy, err = serversOf(streams, args); err != nil {
				return err
			}
			return f.run(cmd.Context(), streams)
		},
	}
	flags := cmd.Flags()
	flags.SetInterspersed(false) // what follows a command belongs to it
	flags.StringVar(&f.profile, "profile", "default", "default, full: every tool, under the names of agent-lsp, llxprt: the tools of LLxprt's service, or opta: those of Opta")
	flags.StringVar(&f.structured, "structured", "", "what results contain besides their text: lean (default of the default profile) or full")
	flags.StringVar(&f.text, "text", "", "text of answers: prose, or json: that of the result (full profile only, its default)")
	flags.StringSliceVar(&f.tools, "tools", nil, "offer only these tools")
	flags.StringSliceVar(&f.without, "without", nil, "leave these tools out")
	flags.StringArrayVar(&f.allow, "allow-root", nil, "another folder that may be used and written; may be given several times")
	flags.StringArrayVar(&f.permission, "permission", nil, "TOOL=allow, deny, ask, or ask:allow where a client that cannot ask may go on; may be given several times")
	f.http.add(flags)
	flags.StringVar(&f.url, "url", "", "connect to a server over HTTP at this address instead, with the token in LSPINE_TOKEN or --token-file")
	return cmd
}

func (f *mcpFlags) run(ctx context.Context, streams *Streams) error {
	if flag := f.http.unused(f.url != ""); flag != "" {
		return &usageError{flag + ": it is about serving HTTP", "give --http, too, or leave it out"}
	}
	token, streams := takeToken(streams)
	if f.url != "" {
		return f.runBridge(ctx, streams, token)
	}
	f.opta = f.profile == "opta"
	root := ""
	if f.root != "" || lookup(streams.Environ, "LSP_BOOTSTRAP") != "" {
		var err error
		if root, err = f.resolveRoot(streams); err != nil {
			return err
		}
	}
	level, err := logLevel(streams)
	if err != nil {
		return err
	}
	quiet := *streams
	quiet.Err = &oneAtATime{w: streams.Err}
	engines := &engines{flags: f.global, streams: &quiet, working: func() {}, open: make(map[string]*opened)}
	if streams.Process && !f.http.on {
		engines.working = saveMemory()
	}
	settings, err := engines.settings(root)
	if err != nil {
		return err
	}
	if f.text != "" && f.text != "json" && f.text != "prose" {
		return &usageError{fmt.Sprintf("--text: there is no form %q", f.text), "forms are json, of the full profile alone, and prose"}
	}
	allowed, err := f.allowed(streams)
	if err != nil {
		return err
	}
	permissions, err := f.permissions()
	if err != nil {
		return err
	}
	extensions, err := extension.All()
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(quiet.Err, &slog.HandlerOptions{Level: level}))
	var door *door
	if f.http.on {
		if door, err = f.http.open(ctx, &quiet, token, log); err != nil {
			return err
		}
		defer func() { _ = door.listener.Close() }() // closed already, if it was served
		allowed = append(allowed, door.roots...)
		door.served.View = viewOf(&quiet, f.global)
	}
	unseen := &unseenCalls{open: func() *evidence.Log {
		cfg, _ := f.readConfig(streams, root) // reported when an engine opens
		return openEvidence(streams, cfg, "mcp")
	}}
	defer unseen.close(ctx)
	server, err := mcpserver.New(mcpserver.Options{
		Observe:     door.observe(),
		Unseen:      unseen.record,
		Permissions: permissions, Extensions: extensions, Engines: engines, Root: root, Allow: allowed, Homes: homes(streams.Environ), Dir: streams.Dir, Profile: f.profile, Structured: f.structured, Tools: f.tools, Without: f.without,
		NoNavigation: !settings.NavigationTools, Disabled: !settings.Enabled, Prose: f.text == "prose", Version: ourVersion(),
		Log: log, Level: level,
	})
	if err != nil {
		return err
	}
	if door != nil {
		err = door.serve(ctx, server, engines, &quiet)
	} else {
		// A client that no longer reads is gone. If nobody listens for the signal of its pipe, the
		// signal would end us before our language servers.
		broken := make(chan os.Signal, 1)
		signal.Notify(broken, syscall.SIGPIPE)
		defer signal.Stop(broken)
		err = server.Serve(ctx, closable(streams.In), unclosed{streams.wire()})
	}
	server.Close()
	return errors.Join(err, engines.close(ctx))
}

// permissions returns the permissions of tools set by the flags.
func (f *mcpFlags) permissions() (map[string]api.Permission, error) {
	all := make(map[string]api.Permission)
	for _, given := range f.permission {
		tool, rule, ok := strings.Cut(given, "=")
		if !ok || tool == "" {
			return nil, &usageError{fmt.Sprintf("--permission: %q names no tool with its rule", given), "for example --permission lsp_rename=allow"}
		}
		p, err := mcpserver.ParsePermission(rule)
		if err != nil {
			return nil, err
		}
		all[tool] = p
	}
	return all, nil
}

// logLevel returns the level set by LOG_LEVEL; the default is warnings.
func logLevel(streams *Streams) (*slog.LevelVar, error) {
	level := new(slog.LevelVar)
	level.Set(slog.LevelWarn)
	name := lookup(streams.Environ, "LOG_LEVEL")
	if name == "" {
		return level, nil
	}
	l, ok := mcpserver.ParseLevel(name)
	if !ok {
		return nil, &usageError{fmt.Sprintf("LOG_LEVEL: there is no level %q", name), "levels are debug, info, notice, warning, error, critical, alert and emergency"}
	}
	level.Set(l)
	return level, nil
}

// allowed returns the additional folders that may be used: those of the flags, which must exist,
// and those of the user's configuration that exist.
func (f *mcpFlags) allowed(streams *Streams) ([]string, error) {
	var list []string
	for _, named := range f.allow {
		dir, err := folder(streams, "--allow-root", named)
		if err != nil {
			return nil, err
		}
		list = append(list, dir)
	}
	cfg, _ := f.readConfig(streams, "") // reported when an engine opens
	for _, named := range cfg.Settings.AllowRoots {
		if rest, ok := strings.CutPrefix(named, "~"); ok {
			home := cmp.Or(lookup(streams.Environ, "HOME"), lookup(streams.Environ, "USERPROFILE"))
			if !filepath.IsAbs(home) {
				continue
			}
			named = filepath.Join(home, rest)
		}
		dir, err := folder(streams, "allowRoots", named)
		if err != nil {
			fmt.Fprintln(streams.Err, "lspine: configuration:", err)
			continue
		}
		list = append(list, dir)
	}
	return list, nil
}

// homes returns the known home folders, according to the environment and to the system.
func homes(environ []string) []string {
	var list []string
	for _, variable := range []string{"HOME", "USERPROFILE"} {
		if home := lookup(environ, variable); filepath.IsAbs(home) {
			list = append(list, home)
		}
	}
	for _, account := range []func() (*user.User, error){
		user.Current, func() (*user.User, error) { return user.LookupId(strconv.Itoa(os.Getuid())) },
	} {
		if a, err := account(); err == nil && filepath.IsAbs(a.HomeDir) {
			list = append(list, a.HomeDir)
		}
	}
	return list
}

// oneAtATime is a writer that serializes its Writes.
type oneAtATime struct {
	mu sync.Mutex
	w  io.Writer
}

func (o *oneAtATime) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.w.Write(p)
}

// closable returns r as an io.ReadCloser whose Close does nothing if r has no Close.
func closable(r io.Reader) io.ReadCloser {
	if c, ok := r.(io.ReadCloser); ok {
		return c
	}
	return io.NopCloser(r)
}

// unclosed is a writer whose Close does nothing.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }
