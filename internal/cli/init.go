package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/agents"
	"github.com/lspine/lspine/internal/render"
)

type initFlags struct {
	*global
	agents []string
	scope  string
	yes    bool
	dryRun bool
}

func newInit(streams *Streams, g *global) *cobra.Command {
	f := initFlags{global: g}
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Connect the coding agents of this machine",
		Long: "init lists the language servers that the files of the workspace need, and how to\n" +
			"install those that are missing; finds the coding agents that are here; shows what\n" +
			"it would write into their configuration, for them to start lspine as an MCP server\n" +
			"and to run its hooks; asks; and writes it. What others wrote there stays. A second\n" +
			"time there is nothing to do. lspine uninstall takes exactly that away.",
		Example: "  lspine init\n" +
			"  lspine init --agent codex,claude --scope project --yes",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), streams) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.agents, "agent", nil, "the agents to connect (default: those that are here): "+strings.Join(agents.Connectable(), ", "))
	flags.StringVar(&f.scope, "scope", string(agents.User), "user: your own configuration; project: that of this project, for everybody")
	flags.BoolVar(&f.yes, "yes", false, "write without a question")
	flags.BoolVar(&f.dryRun, "dry-run", false, "only show what would change")
	return cmd
}

func (f *initFlags) run(ctx context.Context, streams *Streams) error {
	scope, err := scopeOf(f.scope)
	if err != nil {
		return err
	}
	place, err := f.place(streams)
	if err != nil {
		return err
	}
	status, err := f.status(ctx, streams, "")
	if err != nil {
		return err
	}
	if err := render.StatusText(&status, streams.Out); err != nil {
		return err
	}
	chosen := f.agents
	if len(chosen) == 0 {
		if chosen = place.Present(); len(chosen) == 0 {
			return &usageError{"no coding agent was found here", "--agent names one: " + strings.Join(agents.Connectable(), ", ")}
		}
	}
	fmt.Fprintln(streams.Out, "Agents: "+strings.Join(chosen, ", "))
	plan := place.NewPlan()
	for _, agent := range chosen {
		if err := f.connect(streams, plan, agent, scope, len(f.agents) > 0); err != nil {
			return err
		}
	}
	return carryOut(streams, place, plan, f.dryRun, func() error { return confirm(streams, "Write this?", f.yes) })
}

// connect plans what connects one agent. An agent that was found and cannot be connected
// for the scope is left out, one that was named is an error.
func (f *initFlags) connect(streams *Streams, plan *agents.Plan, agent string, scope agents.Scope, named bool) error {
	command := program(streams, scope)
	err := plan.Server(agent, scope, []string{command, "mcp"}, true)
	var none *agents.NoScopeError
	if errors.As(err, &none) && (!named || agents.CanHook(agent)) {
		say(streams.Err, none.Error(), none.Hint())
		err = nil
	}
	if err == nil && agents.CanHook(agent) {
		err = plan.Hooks(agent, scope, []string{command, "hook"}, true)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", agent, err)
	}
	return nil
}

// errUnwanted is why nothing is written when a person does not want it.
var errUnwanted = errors.New("nothing was written")

func newUninstall(streams *Streams, g *global) *cobra.Command {
	f := initFlags{global: g}
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Take lspine out of the coding agents again",
		Long: "uninstall takes out of the configuration of coding agents what lspine init and\n" +
			"lspine hook install wrote there, of the person and of the project, and shows what\n" +
			"it changes. A file that nobody else changed is as it was before, to the byte.",
		Example: "  lspine uninstall --dry-run\n" +
			"  lspine uninstall --agent codex",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return f.uninstall(streams) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.agents, "agent", nil, "only these agents: "+strings.Join(agents.Connectable(), ", "))
	flags.BoolVar(&f.dryRun, "dry-run", false, "only show what would change")
	return cmd
}

func (f *initFlags) uninstall(streams *Streams) error {
	place, err := f.place(streams)
	if err != nil {
		return err
	}
	chosen := f.agents
	if len(chosen) == 0 {
		chosen = agents.Connectable()
	}
	plan := place.NewPlan()
	for _, agent := range chosen {
		for _, scope := range []agents.Scope{agents.User, agents.Project} {
			err := plan.Server(agent, scope, nil, false)
			if err == nil && agents.CanHook(agent) {
				err = plan.Hooks(agent, scope, nil, false)
			}
			if err == nil {
				err = takeSkills(streams, plan, agent, scope)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", agent, err)
			}
		}
	}
	return carryOut(streams, place, plan, f.dryRun, nil)
}
