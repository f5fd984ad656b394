package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/agents"
	"github.com/lspine/lspine/skills"
)

// skillPrefix is the prefix of installed skills, so that they do not collide with the user's own.
const skillPrefix = "lspine-"

func newSkills(streams *Streams, g *global) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "skills",
		Short: "Give coding agents guides to the tools of lspine mcp",
		Long: "skills are guides for agents: which calls do a task, what their answers mean,\n" +
			"and when to stop. lspine mcp serves them as prompts and resources; install\n" +
			"writes them where an agent looks for skills, in the Agent Skills format.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSkillsList(streams), newSkillsShow(streams), newSkillsInstall(streams, g), newSkillsUninstall(streams, g))
	return cmd
}

func newSkillsList(streams *Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the skills",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			table := tabwriter.NewWriter(streams.Out, 0, 0, 2, ' ', 0)
			for _, s := range skills.All() {
				what, _, _ := strings.Cut(s.Description, ". ")
				fmt.Fprintf(table, "%s\t%s\n", s.Name, strings.TrimSuffix(what, "."))
			}
			return table.Flush()
		},
	}
}

func newSkillsShow(streams *Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "show NAME",
		Short:   "Print one skill",
		Example: "  lspine skills show rename",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{"show takes the name of one skill", "lspine skills list lists them"}
			}
			return nil
		},
		ValidArgsFunction: completeSkill,
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := skillNamed(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(streams.Out, s.Text)
			return err
		},
	}
}

// completeSkill completes the name of a skill.
func completeSkill(_ *cobra.Command, _ []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	for _, s := range skills.All() {
		names = append(names, s.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// skillNamed finds a skill by its name, with or without the prefix.
func skillNamed(name string) (skills.Skill, error) {
	s, ok := skills.Named(strings.TrimPrefix(name, skillPrefix))
	if !ok {
		return s, &usageError{fmt.Sprintf("there is no skill %q", name), "lspine skills list lists them"}
	}
	return s, nil
}

type skillFlags struct {
	*global
	agents []string
	scope  string
	force  bool
	dryRun bool
}

func newSkillsInstall(streams *Streams, g *global) *cobra.Command {
	f := skillFlags{global: g}
	cmd := &cobra.Command{
		Use:   "install [NAME...]",
		Short: "Write skills where agents look for them",
		Long: "install writes all skills, or those named, into the folder where an agent looks\n" +
			"for skills, each in a folder of its own, such as lspine-rename. It replaces\n" +
			"skills of an older lspine. It leaves a file that somebody else wrote or changed\n" +
			"alone, unless --force is given; then uninstall restores it. Skills name the\n" +
			"tools of lspine mcp; lspine init connects an agent to it.",
		Example: "  lspine skills install --dry-run\n" +
			"  lspine skills install rename safe-edit --agent claude,codex --scope project",
		ValidArgsFunction: completeSkill,
		RunE:              func(_ *cobra.Command, args []string) error { return f.install(streams, args) },
	}
	f.add(cmd, "the agents (default: those that are here)")
	cmd.Flags().BoolVar(&f.force, "force", false, "replace files that somebody else wrote or changed")
	// Skills are embedded in this program, so there is nothing to link to.
	cmd.Flags().Bool("copy", true, "write files; there is no other way")
	_ = cmd.Flags().MarkHidden("copy") // the flag exists
	return cmd
}

func newSkillsUninstall(streams *Streams, g *global) *cobra.Command {
	f := skillFlags{global: g}
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Remove the skills that install wrote",
		Long: "uninstall removes exactly what install wrote, and restores what that replaced.\n" +
			"It leaves a skill that somebody has changed since alone.",
		Example: "  lspine skills uninstall\n" +
			"  lspine skills uninstall --agent claude --scope project --dry-run",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return f.uninstall(streams) },
	}
	f.add(cmd, "only these agents")
	return cmd
}

func (f *skillFlags) add(cmd *cobra.Command, which string) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.agents, "agent", nil, which+": "+strings.Join(agents.Skilled(), ", "))
	flags.StringVar(&f.scope, "scope", string(agents.User), "user: your own skills; project: those of this project, for everybody")
	flags.BoolVar(&f.dryRun, "dry-run", false, "only show what would change")
	for name, values := range map[string][]string{"agent": agents.Skilled(), "scope": {string(agents.User), string(agents.Project)}} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // the flag exists
	}
}

func (f *skillFlags) install(streams *Streams, names []string) error {
	wanted := skills.All()
	if len(names) > 0 {
		wanted = nil
	}
	for _, name := range names {
		s, err := skillNamed(name)
		if err != nil {
			return err
		}
		wanted = append(wanted, s)
	}
	var list []agents.Skill
	for _, s := range wanted {
		s = s.Prefixed(skillPrefix)
		list = append(list, agents.Skill{Name: s.Name, Text: s.Text})
	}
	place, scope, err := f.where(streams)
	if err != nil {
		return err
	}
	chosen := f.agents
	if len(chosen) == 0 {
		if chosen = place.PresentSkilled(); len(chosen) == 0 {
			return &usageError{"no agent that reads skills was found here", "--agent names one: " + strings.Join(agents.Skilled(), ", ")}
		}
	}
	plan := place.NewPlan()
	for _, agent := range chosen {
		kept, err := plan.InstallSkills(agent, scope, list, f.force)
		if err != nil {
			return fmt.Errorf("%s: %w", agent, err)
		}
		for _, path := range kept {
			say(streams.Err, path+" is left as it is: somebody else wrote or changed it", "--force replaces it")
		}
	}
	return carryOut(streams, place, plan, f.dryRun, nil)
}

func (f *skillFlags) uninstall(streams *Streams) error {
	place, scope, err := f.where(streams)
	if err != nil {
		return err
	}
	chosen := f.agents
	if len(chosen) == 0 {
		chosen = agents.Skilled()
	}
	plan := place.NewPlan()
	for _, agent := range chosen {
		if err := takeSkills(streams, plan, agent, scope); err != nil {
			return fmt.Errorf("%s: %w", agent, err)
		}
	}
	return carryOut(streams, place, plan, f.dryRun, nil)
}

// where returns the place of the agents' configuration, and the scope given by the flags.
func (f *skillFlags) where(streams *Streams) (*agents.Place, agents.Scope, error) {
	scope, err := scopeOf(f.scope)
	if err != nil {
		return nil, "", err
	}
	for _, agent := range f.agents {
		if !agents.CanSkill(agent) {
			return nil, "", &agents.UnknownAgentError{Name: agent, Known: agents.Skilled()}
		}
	}
	place, err := f.place(streams)
	return place, scope, err
}

// takeSkills plans the removal of an agent's skills that lspine installed, and prints which ones it
// leaves alone.
func takeSkills(streams *Streams, plan *agents.Plan, agent string, scope agents.Scope) error {
	if !agents.CanSkill(agent) {
		return nil
	}
	kept, err := plan.UninstallSkills(agent, scope)
	if err != nil {
		return err
	}
	for _, path := range kept {
		say(streams.Err, path+" is left as it is: somebody has changed it since it was installed", "remove it by hand, if you do not want it")
	}
	return nil
}
