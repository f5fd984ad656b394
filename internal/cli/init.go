package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/agents"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/render"
)

type initFlags struct {
	*global
	agents []string
	scope  string
	yes    bool
	dryRun bool
	// rules says that lspine's tools are to be mentioned in the agents' rules.
	rules bool
	// install says that missing servers are to be installed. Without the flag, the user is asked.
	install, installGiven bool
}

func newInit(streams *Streams, g *global) *cobra.Command {
	f := initFlags{global: g}
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Connect the coding agents of this machine",
		Long: "init lists the language servers that the files of the workspace need, and how to\n" +
			"install those that are missing. It finds the coding agents on this machine,\n" +
			"shows what it would write into their configuration so that they start lspine as\n" +
			"an MCP server and run its hooks, and asks. Then it writes that, and installs the\n" +
			"missing servers as lspine install does. With --yes it asks nothing, and installs\n" +
			"servers only with --install. What others wrote stays. Running it again changes\n" +
			"nothing. lspine uninstall removes exactly what it wrote.",
		Example: "  lspine init\n" +
			"  lspine init --agent codex,claude --scope project --yes --install",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.installGiven = cmd.Flags().Changed("install")
			return f.run(cmd.Context(), streams)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.agents, "agent", nil, "the agents to connect (default: those that are here): "+strings.Join(agents.Connectable(), ", "))
	flags.StringVar(&f.scope, "scope", string(agents.User), "user: your own configuration; project: that of this project, for everybody")
	flags.BoolVar(&f.rules, "rules", false, "also tell the agents' rules (CLAUDE.md, AGENTS.md, GEMINI.md) when to call lspine's tools")
	flags.BoolVar(&f.yes, "yes", false, "write without asking")
	flags.BoolVar(&f.install, "install", false, "install the servers that are missing; --install=false does not ask about them")
	flags.BoolVar(&f.dryRun, "dry-run", false, "only show what would change")
	completes(cmd, "agent", agents.Connectable)
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
	cfg, problems := f.readConfig(streams, place.Root) // status has reported its problems, and asked for trust
	missing, err := f.neededIn(ctx, streams, place.Root, cfg, problems)
	if err != nil {
		return err
	}
	install := f.installs(streams, missing.installable)
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
	if err := announce(streams, plan); err != nil {
		return err
	}
	question, asked := "Write this?", false
	if install {
		question = "Write this, and install " + strings.Join(missing.installable, ", ") + "?"
	}
	err = carryOut(streams, place, plan, f.dryRun, func() error {
		asked = true
		return confirm(streams, question, f.yes)
	})
	if err == nil && asked {
		for _, agent := range chosen {
			say(streams.Err, agents.Trust(agent), "")
		}
	}
	if err == nil && install && !asked && !f.dryRun {
		err = confirm(streams, "Install "+strings.Join(missing.installable, ", ")+"?", f.yes)
	}
	if err != nil || !install || f.dryRun {
		return err
	}
	return f.installAll(ctx, streams, storeOf(streams), missing.installable)
}

// announce lists the files that a plan would create or change.
func announce(streams *Streams, plan *agents.Plan) error {
	changes, err := plan.Changes()
	for i := range changes {
		does := map[bool]string{false: "Create ", true: "Change "}[changes[i].Existed]
		fmt.Fprintln(streams.Out, does+legible.Line(changes[i].Path))
	}
	return err
}

// installs prints which servers are missing, and reports whether to install them.
func (f *initFlags) installs(streams *Streams, missing []string) bool {
	if len(missing) == 0 {
		return false
	}
	if f.install || !f.installGiven && !f.yes {
		fmt.Fprintln(streams.Out, "Servers to install: "+strings.Join(missing, ", "))
		return true
	}
	fmt.Fprintln(streams.Out, "Missing servers: lspine install "+strings.Join(missing, " "))
	return false
}

// connect plans how to connect one agent. If that is impossible in the scope, it returns an error
// for an agent that the user named, and skips an agent that was only detected.
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
	if err == nil && f.rules {
		err = tellRules(streams, plan, agent, scope)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", agent, err)
	}
	return nil
}

// tellRules plans the section about lspine in an agent's rules, and reports if the agent has no
// rules.
func tellRules(streams *Streams, plan *agents.Plan, agent string, scope agents.Scope) error {
	has, err := plan.Rules(agent, scope, true)
	if err == nil && !has {
		say(streams.Err, agent+": it is not known where its rules stand in the scope "+string(scope), "tell it yourself to call the tool check after its edits")
	}
	return err
}

// errUnwanted is the error of a change that the user did not confirm.
var errUnwanted = errors.New("nothing was written")
