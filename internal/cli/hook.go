package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/agents"
	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/hook"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

// hookBytes is less than the amount of hook output that any agent shows to its model, in bytes.
const hookBytes = 8000

type hookFlags struct {
	*global
	host       string
	timeout    time.Duration
	severities []string
	maxBytes   int
	report     string
}

func newHook(streams *Streams, g *global) *cobra.Command {
	f := hookFlags{global: g}
	var names []string
	for _, a := range hook.Agents() {
		names = append(names, string(a))
	}
	cmd := &cobra.Command{
		Use:   "hook [FILES]",
		Short: "Tell a coding agent what its edits broke",
		Long: "hook reads the payload of a coding agent's hook on standard input, checks the\n" +
			"files that the agent's tool changed, and prints what that agent adds to its\n" +
			"model's context: new errors in these files, and which other files they broke. At\n" +
			"the end of a turn it lists the errors that remain, and what is not known. If\n" +
			"nothing is new, it prints nothing. It never makes the agent fail, and logs why it\n" +
			"printed nothing below the user's cache folder.\n\n" +
			"With --host text, or names of files, it prints text for people: exit code 1\n" +
			"means that there are errors.",
		Example: "  lspine hook < payload.json\n" +
			"  lspine hook --host text main.go",
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("timeout") && f.timeout <= 0 {
				return &usageError{"--timeout: a deadline is longer than nothing", "for example --timeout 8s"}
			}
			return f.run(cmd.Context(), streams, args)
		},
	}
	cmd.AddCommand(newHookInstall(streams, g), newHookUninstall(streams, g))
	flags := cmd.Flags()
	flags.StringVar(&f.host, "host", "auto", "the agent whose hook it is: auto, "+strings.Join(names, ", "))
	flags.DurationVar(&f.timeout, "timeout", 0, "deadline for the answer (default: what the agent allows for the hook); later findings come with the next hook")
	flags.StringSliceVar(&f.severities, "severity", nil, "severities to report: error, warning, info, hint (default: as configured, error)")
	flags.IntVar(&f.maxBytes, "max-bytes", hookBytes, "size limit of an answer, in bytes; 0 means none")
	flags.StringVar(&f.report, "report", hook.ReportEach, "each: new errors after each edit, the remaining ones at the end of the turn; turn: all at its end; full: all after each edit")
	return cmd
}

func (f *hookFlags) run(ctx context.Context, streams *Streams, args []string) error {
	o := hook.Options{
		Files: args, Dir: streams.Dir, Environ: streams.Environ, Timeout: f.timeout, MaxBytes: f.maxBytes,
		Allows: func(e *hook.Event) time.Duration { return f.allows(streams, e) },
		Report: f.report, Severities: f.severities, Open: func(dir, session string) (hook.Workspace, error) {
			return f.around(streams, dir, session)
		},
	}
	if f.host != "auto" {
		if o.Agent = hook.Agent(f.host); !slices.Contains(hook.Agents(), o.Agent) {
			return &usageError{fmt.Sprintf("--host: there is no host %q", f.host), "lspine hook --help lists them"}
		}
	}
	if !slices.Contains([]string{hook.ReportEach, hook.ReportTurn, hook.ReportFull}, f.report) {
		return &usageError{fmt.Sprintf("--report: %q is none of each, turn and full", f.report), "for example --report turn"}
	}
	o.State = hookState(streams)
	if code := hook.Run(ctx, streams.In, streams.wire(), o); code != exitClean {
		return exit(code)
	}
	return nil
}

// hookState returns the folder for what hooks remember, "" if the user has no cache folder. Hooks
// then report nothing.
func hookState(streams *Streams) string {
	cache, err := cacheFolder(streams)
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "hooks")
}

// cacheFolder returns our folder in the user's cache folder.
func cacheFolder(streams *Streams) (string, error) {
	cache := lookup(streams.Environ, "XDG_CACHE_HOME")
	if !filepath.IsAbs(cache) {
		dir, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		cache = dir
	}
	return filepath.Join(cache, "lspine"), nil
}

// allows returns how long an agent waits for the hook of an event.
func (f *hookFlags) allows(streams *Streams, e *hook.Event) time.Duration {
	there := *streams
	there.Dir = e.Dir
	place, err := f.place(&there)
	if err != nil { // then the agent's own files cannot be found
		place = &agents.Place{Environ: streams.Environ}
	}
	return place.HookTime(string(e.Agent), e.Name)
}

// around returns the workspace that contains a folder. It prints nothing, because agents would take
// that for the hook's answer.
func (f *hookFlags) around(streams *Streams, dir, session string) (hook.Workspace, error) {
	there := *streams
	there.Dir = dir
	root, err := f.resolveRoot(&there)
	if err != nil {
		return hook.Workspace{}, err
	}
	if why := fspath.TooWide(root, homes(streams.Environ)); why != "" && f.root == "" {
		return hook.Workspace{}, fmt.Errorf("%s is %s and no workspace", root, why)
	}
	if root, err = fspath.Real(root); err != nil {
		return hook.Workspace{}, err
	}
	cfg, problems := f.readConfig(&there, root)
	p := purpose{name: "hook", dir: dir, once: true, quiet: true}
	if session != "" {
		p.session = "hook " + session
	}
	c := &lateBackend{open: func(ctx context.Context) (*backend, error) { return f.open(ctx, &there, root, cfg, problems, p) }}
	w := hook.Workspace{
		Caller: c, Root: root, Close: c.close, Quieted: cfg.Quieted(),
		Changed: func(ctx context.Context, commit string) (hook.Listing, error) {
			where := workspace.Options{Root: root, Environ: streams.Environ, Ignore: cfg.Settings.Ignore}
			now, files, err := workspace.Differing(ctx, where, cmp.Or(commit, "HEAD"), cfg.Known)
			return hook.Listing{Commit: now, Files: files}, err
		},
	}
	if session != "" && usesDaemon(streams, cfg, false) {
		w.Start = func(ctx context.Context) ([]string, error) { return startAhead(ctx, c, p.session) }
		w.Found = func(names []string) string { return foundServers(streams, root, cfg, names) }
	}
	return w, nil
}

// startAhead has the servers that a workspace mainly needs started, and returns their names.
func startAhead(ctx context.Context, c api.Caller, session string) (names []string, err error) {
	answer, err := api.Servers.Do(api.Call{Session: session}.In(ctx), c, api.ServersRequest{Action: "start", Ahead: true})
	if err != nil && result.ErrorOf(err).Kind == result.Unavailable { // no file needs a server
		return nil, nil
	}
	for _, s := range answer.Servers {
		if s.State == "starting" || s.State == "active" {
			names = append(names, s.ID)
		}
	}
	return names, err
}

// A lateBackend is a backend that is opened when it is first called. It is for one caller.
type lateBackend struct {
	open   func(ctx context.Context) (*backend, error)
	opened *backend
}

// Call implements [api.Caller].
func (l *lateBackend) Call(ctx context.Context, name string, req, res any) (err error) {
	if l.opened == nil {
		if l.opened, err = l.open(ctx); err != nil {
			return err
		}
	}
	return l.opened.Call(ctx, name, req, res)
}

func (l *lateBackend) close() error {
	if l.opened == nil {
		return nil
	}
	return l.opened.closeSoon(context.Background())
}
