// Package cli is the command line: it parses arguments, calls operations, prints their results, and
// decides in one place which exit code a command returns.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// The exit codes of commands. Scripts rely on them.
const (
	exitClean       = 0   // nothing new
	exitDiagnostics = 1   // there are diagnostics
	exitUsage       = 2   // the request cannot be carried out
	exitUnavailable = 3   // no server could answer
	exitInterrupted = 130 // what shells use for SIGINT
)

// Streams are the standard streams and the environment of a command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// OutTerminal and ErrTerminal report that the output goes to a terminal, InTerminal that a
	// person can be asked.
	OutTerminal, ErrTerminal, InTerminal bool
	// InPiped says that another program writes to the input.
	InPiped bool
	// Colour allows colour on a terminal.
	Colour bool
	// Dir is the folder that relative paths start from.
	Dir string
	// Environ is the environment, as KEY=value.
	Environ []string
	// Process says that the command has the process to itself, and may change how it runs.
	Process bool

	// bareOut and bareErr are Out and Err without the filter of what people read, nil if these have none.
	// See [Streams.wire].
	bareOut, bareErr io.Writer
}

// legible returns the streams as commands use them: what is written to Out and Err is text for a terminal
// or the log of a CI system. The caller must call flush at the end.
func (s *Streams) legible() (filtered *Streams, flush func()) {
	with := *s
	out := &legible.Terminal{W: s.Out, CI: inCI(s.Environ)}
	if s.Colour {
		out.Own = render.Colours
	}
	errs := &legible.Terminal{W: s.Err, CI: out.CI}
	with.Out, with.Err, with.bareOut, with.bareErr = out, errs, s.Out, s.Err
	return &with, func() { _, _ = out.Flush(), errs.Flush() } // who does not read has no use for the rest
}

// wire returns the standard output for what programs read: protocols, and commands of workflows.
func (s *Streams) wire() io.Writer {
	if s.bareOut == nil {
		return s.Out
	}
	return s.bareOut
}

// display returns the standard error for a line that replaces itself.
func (s *Streams) display() io.Writer {
	if s.bareErr == nil {
		return s.Err
	}
	return s.bareErr
}

// inCI reports whether the output is the log of a CI system.
func inCI(environ []string) bool {
	ci := lookup(environ, "CI")
	return ci != "" && ci != "false" && ci != "0"
}

// version, commit and date, the day of the commit, are set by the linker.
var version, commit, date = "", "", ""

// Main runs the command line with the arguments of the process (starting with the name of the
// program) and returns the exit code. Given the arguments of a language server's supervisor, it
// becomes that supervisor and does not return.
func Main(args []string) int {
	lsp.Supervise(args)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := os.Getwd()
	if real, failed := fspath.Real(dir); failed == nil {
		dir = real // the system resolves ../a from there, whatever link led to it
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "lspine:", err)
		return exitUsage
	}
	outTerminal := term.IsTerminal(int(os.Stdout.Fd()))
	return Run(ctx, args[1:], &Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Dir: dir, Environ: os.Environ(), Process: true,
		OutTerminal: outTerminal, ErrTerminal: term.IsTerminal(int(os.Stderr.Fd())), InTerminal: term.IsTerminal(int(os.Stdin.Fd())), InPiped: isPiped(os.Stdin),
		Colour: outTerminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
	})
}

// Run runs one command line, without the name of the program, and returns the exit code, which is
// exitInterrupted if ctx was canceled.
func Run(ctx context.Context, args []string, given *Streams) int {
	streams, flush := given.legible()
	defer flush()
	args = spelledOut(args, streams)
	only := ""
	if len(args) > 0 {
		only = args[0]
	}
	root := newRoot(streams, only)
	root.SetArgs(args)
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	return exitCode(ctx, root.ExecuteContext(ctx), streams.Err)
}

// An exit is the exit code of a command that has already printed everything.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// exitCode converts the error of a command to an exit code, and prints the error. Exit codes are
// decided only here.
func exitCode(ctx context.Context, err error, stderr io.Writer) int {
	var code exit
	switch {
	case err == nil:
		return exitClean
	case errors.Is(ctx.Err(), context.Canceled):
		fmt.Fprintln(stderr, "lspine: interrupted")
		return exitInterrupted
	case errors.As(err, &code):
		return int(code)
	}
	failed := result.ErrorOf(err)
	say(stderr, failed.Message, failed.Hint)
	if unanswered(failed) {
		return exitUnavailable
	}
	return exitUsage
}

// unanswered reports whether an error says that no server could answer a valid request: no server
// handles the file, is installed or supports the request, or it was not ready, took too long or
// ended.
func unanswered(err *result.Error) bool {
	switch err.Kind {
	case result.Unavailable, result.Unsupported, result.NotReady, result.Timeout, result.Crashed:
		return true
	}
	return false
}

// say prints a message and a hint, either of which may be empty.
func say(stderr io.Writer, message, hint string) {
	if message != "" {
		fmt.Fprintln(stderr, "lspine:", legible.Hanging(message))
	}
	if hint != "" {
		fmt.Fprintln(stderr, "  "+legible.Hanging(hint))
	}
}

// global has the flags of every command.
type global struct {
	root       string
	configFile string
	servers    []string
	// given is the configuration of servers on the command line, as the value of "lsp"; givenBy is
	// the flag or argument it comes from.
	given   json.RawMessage
	givenBy string
	// opta says that the configuration may use Opta's spellings of settings.
	opta bool
	// untrusted says that no folder is trusted.
	untrusted bool
	// replays says that servers are played by a trace, which a daemon's are not.
	replays bool
	// evidence is the file of the evidence log, "" to let the configuration decide.
	evidence string
}

// newRoot returns the command line. If only is the name of a command, which is then the one that runs, there are no others:
// each takes time to make.
func newRoot(streams *Streams, only string) *cobra.Command {
	return newRootFor(&global{}, streams, only)
}

// newRootFor returns the command line whose commands share g.
func newRootFor(g *global, streams *Streams, only string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lspine",
		Short: "The truth about your code, as fresh as the last edit",
		Long: "lspine drives real language servers and tells agents and people what is\n" +
			"wrong with the code, for exactly the content at hand.",
		SilenceErrors: true,
		SilenceUsage:  true,
		CompletionOptions: cobra.CompletionOptions{
			DisableDefaultCmd: true,
		},
		SuggestionsMinimumDistance: 2,
	}
	cmd.PersistentFlags().StringVar(&g.root, "root", "", "workspace root (default: the checkout around the current folder)")
	cmd.PersistentFlags().StringVar(&g.configFile, "config", "", "read this file instead of the user's configuration")
	cmd.PersistentFlags().StringVar(&g.evidence, "evidence", "", "keep the log of what is requested and changed in this file (off: none)")
	cmd.PersistentFlags().BoolVar(&g.untrusted, "untrusted", false, "trust no checkout in this run, whatever you said of it")
	cmd.PersistentFlags().StringSliceVar(&g.servers, "server", nil, "use only these servers")
	completes(cmd, "server", func() []string {
		root, err := g.resolveRoot(streams)
		if err != nil {
			return nil
		}
		cfg, _ := g.readConfig(streams, root)
		cfg.Complete()
		return cfg.Servers.IDs()
	})
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &usageError{err.Error(), cmd.CommandPath() + " --help lists the flags"}
	})
	cmd.Flags().BoolP("version", "v", false, "print the version")
	cmd.Version = ourVersion()
	cmd.SetVersionTemplate(versionLine() + "\n")
	cmd.SetHelpCommand(newHelp())
	_, named := makers()[only]
	for _, group := range commandGroups() {
		cmd.AddGroup(&cobra.Group{ID: group.title, Title: group.title + ":"})
		for name, newCommand := range group.commands {
			if name == only || !named {
				made := newCommand(streams, g)
				made.GroupID = group.title
				cmd.AddCommand(made)
			}
		}
	}
	cmd.SetHelpCommandGroupID(helpGroup)
	return cmd
}

// completes offers values of a flag to the shell.
func completes(cmd *cobra.Command, flag string, values func() []string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values(), cobra.ShellCompDirectiveNoFileComp
	}) // the flag exists
}

// closeGrace is how long servers may take to end after the answer was printed; clangd would finish
// its index first.
const closeGrace = 500 * time.Millisecond

// closeSoon closes the engine within closeGrace, even if ctx is canceled.
func closeSoon(ctx context.Context, e *engine.Engine) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeGrace)
	defer cancel()
	return e.Close(ctx)
}

func lookup(environ []string, name string) string { return fspath.Here.Variable(environ, name) }

// A usageError says what is wrong with a command line, and what to do.
type usageError struct {
	message, hint string
}

func (e *usageError) Error() string { return e.message }
func (e *usageError) Hint() string  { return e.hint }

// loadConfig reads the configuration and prints its problems. It fails only if a file cannot be
// read at all.
func (g *global) loadConfig(streams *Streams, root string) (*config.Config, []config.Problem, error) {
	cfg, problems := g.readConfig(streams, root)
	trusted, err := g.askForTrust(streams, root, cfg)
	if err != nil {
		fmt.Fprintln(streams.Err, "lspine: what you said of this checkout was not kept:", err)
	}
	if trusted {
		recordTrust(context.Background(), streams, cfg, root, cfg.Trust.Hash)
		cfg, problems = g.readConfig(streams, root)
	}
	for _, p := range problems {
		if p.File != "" && p.Key == "" {
			return nil, nil, &usageError{p.Error(), "fix the file, or move it away to continue without it"}
		}
	}
	for _, p := range problems {
		fmt.Fprintln(streams.Err, "lspine: configuration:", p.Error())
	}
	for _, line := range untrusted(cfg.Untrusted) {
		fmt.Fprintln(streams.Err, "lspine: configuration:", line)
	}
	return cfg, problems, nil
}

// untrusted describes the values that are not applied: one line for each value in a file of ours,
// and one line for everything that another agent's file wants to run.
func untrusted(all []config.Untrusted) (lines []string) {
	for _, u := range all {
		line := u.String()
		if u.Imported {
			line = fmt.Sprintf("%s wants to run servers of its own, which are not used: lspine trust shows and allows it", u.File)
		}
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// readConfig reads the configuration without printing its problems, sparsely: whoever needs its servers
// completes it.
func (g *global) readConfig(streams *Streams, root string) (*config.Config, []config.Problem) {
	if g.untrusted { // a daemon is one for its environment
		streams.Environ = append(slices.Clone(streams.Environ), "LSPINE_TRUST="+string(config.TrustNever))
	}
	return config.Load(config.Options{Root: root, UserFile: g.userFile(streams), Environ: streams.Environ, Sparse: true, Opta: g.opta, Host: g.given, HostName: g.givenBy, Flags: g.flags(streams)})
}

// flags returns the settings given on the command line.
func (g *global) flags(streams *Streams) (flags []config.Flag) {
	if file := g.evidence; file != "" {
		if file != "off" && !filepath.IsAbs(file) {
			file = filepath.Join(streams.Dir, file)
		}
		flags = append(flags, config.Flag{Name: "--evidence", Key: "lsp.evidence", Value: file})
	}
	return flags
}

// ourCommit returns the git commit of this build and its day, "" if unknown.
func ourCommit() (id, day string) {
	id, day = commit, date
	info, ok := debug.ReadBuildInfo()
	if !ok || id != "" {
		return id, day
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			id = s.Value[:min(len(s.Value), 12)]
		case "vcs.time":
			day, _, _ = strings.Cut(s.Value, "T")
		}
	}
	return id, day
}

// ourVersion returns the version of this build.
func ourVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}
