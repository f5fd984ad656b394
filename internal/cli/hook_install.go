package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/agents"
	"github.com/lspine/lspine/internal/config"
)

type installFlags struct {
	*global
	hosts  []string
	scope  string
	dryRun bool
}

func newHookInstall(streams *Streams, g *global) *cobra.Command {
	f := installFlags{global: g}
	cmd := &cobra.Command{
		Use:   "install --host HOST",
		Short: "Add lspine to an agent's hooks",
		Long: "install adds lspine to the hooks in an agent's own configuration and shows what\n" +
			"it changes. What others wrote there stays, byte for byte. Running it again\n" +
			"changes nothing.",
		Example: "  lspine hook install --host codex --dry-run\n" +
			"  lspine hook install --host claude,gemini --scope project",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return f.run(streams, true) },
	}
	f.add(cmd)
	return cmd
}

func newHookUninstall(streams *Streams, g *global) *cobra.Command {
	f := installFlags{global: g}
	cmd := &cobra.Command{
		Use:   "uninstall --host HOST",
		Short: "Remove lspine from an agent's hooks",
		Long: "uninstall removes from an agent's configuration exactly what install wrote\n" +
			"there, and shows what it changes.",
		Example: "  lspine hook uninstall --host codex\n" +
			"  lspine hook uninstall --host claude --scope project --dry-run",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return f.run(streams, false) },
	}
	f.add(cmd)
	return cmd
}

func (f *installFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.hosts, "host", nil, "the agents: "+strings.Join(agents.Hookable(), ", "))
	flags.StringVar(&f.scope, "scope", string(agents.User), "user: your own configuration; project: that of this project, for everybody")
	flags.BoolVar(&f.dryRun, "dry-run", false, "only show what would change")
}

func (f *installFlags) run(streams *Streams, wanted bool) error {
	if len(f.hosts) == 0 {
		return &usageError{"--host names the agents whose hooks it is about", "one of " + strings.Join(agents.Hookable(), ", ")}
	}
	scope, err := scopeOf(f.scope)
	if err != nil {
		return err
	}
	place, err := f.place(streams)
	if err != nil {
		return err
	}
	command := []string{program(streams, scope), "hook"}
	plan := place.NewPlan()
	for _, host := range f.hosts {
		if err := plan.Hooks(host, scope, command, wanted); err != nil {
			return fmt.Errorf("--host %s: %w", host, err)
		}
	}
	return carryOut(streams, place, plan, f.dryRun, nil)
}

// scopeOf parses a scope.
func scopeOf(name string) (agents.Scope, error) {
	scope := agents.Scope(name)
	if scope != agents.User && scope != agents.Project {
		return "", &usageError{fmt.Sprintf("--scope: %q is neither user nor project", name), "for example --scope user"}
	}
	return scope, nil
}

// carryOut prints a plan and makes its changes, unless dryRun is set or confirm, if not nil,
// returns an error.
func carryOut(streams *Streams, place *agents.Place, plan *agents.Plan, dryRun bool, confirm func() error) error {
	changes, err := plan.Changes()
	if err != nil {
		return err
	}
	for i := range changes {
		fmt.Fprint(streams.Out, changes[i].Diff())
	}
	switch {
	case len(changes) == 0:
		fmt.Fprintln(streams.Err, "lspine: nothing to change")
		return nil
	case dryRun:
		fmt.Fprintln(streams.Err, "lspine: nothing was written")
		return nil
	}
	if confirm != nil {
		if err := confirm(); err != nil {
			return err
		}
	}
	return place.Apply(changes)
}

// place returns the place of the agents' configuration.
func (g *global) place(streams *Streams) (*agents.Place, error) {
	root, err := g.resolveRoot(streams)
	if err != nil {
		return nil, err
	}
	variable := "HOME"
	if runtime.GOOS == "windows" {
		variable = "USERPROFILE"
	}
	home := lookup(streams.Environ, variable)
	if home == "" {
		return nil, &usageError{variable + " is not set: it is not known where agents keep their configuration", "set it to your own folder"}
	}
	return &agents.Place{Home: home, Root: root, State: config.StateFolder(streams.Environ), Environ: streams.Environ}, nil
}

// program returns the command with which an agent starts lspine: its name if PATH leads to this
// program or the configuration is shared with other machines, else its path.
func program(streams *Streams, scope agents.Scope) string {
	if scope == agents.Project {
		return "lspine"
	}
	self, err := os.Executable()
	if err != nil {
		return "lspine"
	}
	own, err := os.Stat(self)
	if err != nil {
		return self
	}
	for _, dir := range filepath.SplitList(lookup(streams.Environ, "PATH")) {
		for _, name := range []string{"lspine", "lspine.exe"} {
			if found, err := os.Stat(filepath.Join(dir, name)); err == nil && filepath.IsAbs(dir) {
				if os.SameFile(own, found) {
					return "lspine"
				}
				return self // PATH leads to a different one
			}
		}
	}
	return self
}
