package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/install"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

type serverFlags struct {
	*global
	workspace             string
	list, upgrade, dryRun bool
	asJSON                bool
}

func newInstall(streams *Streams, g *global) *cobra.Command {
	f := serverFlags{global: g}
	cmd := &cobra.Command{
		Use:   "install [SERVER...]",
		Short: "Install language servers for lspine alone",
		Long: "install puts language servers into a folder of your own, where lspine finds them\n" +
			"without PATH: in the versions that its tests use, with all their dependencies\n" +
			"and with known checksums, by npm, go or rustup. A server of that name on PATH,\n" +
			"or one that belongs to a trusted project, takes precedence. Only this command,\n" +
			"and lspine init with your consent, ever install anything. lspine remove removes\n" +
			"a server.",
		Example: "  lspine install pyright gopls\n" +
			"  lspine install --for .",
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), streams, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.workspace, "for", "", "install the best server of each language in this folder that has none")
	flags.BoolVar(&f.list, "list", false, "list what is installed, and what can be installed")
	flags.BoolVar(&f.upgrade, "upgrade", false, "upgrade what is installed to the versions of this lspine, and remove older ones")
	flags.BoolVar(&f.dryRun, "dry-run", false, "only say what would be installed")
	flags.BoolVar(&f.asJSON, "json", false, "print the list as JSON")
	return cmd
}

func (f *serverFlags) run(ctx context.Context, streams *Streams, ids []string) error {
	store := storeOf(streams)
	switch {
	case f.list:
		return f.showList(streams, store)
	case f.asJSON:
		return &usageError{"--json goes with --list alone", "lspine install --list --json"}
	case f.upgrade && len(ids) == 0:
		if ids = store.Outdated(); len(ids) == 0 {
			fmt.Fprintln(streams.Err, "lspine: every installed server is at its version")
			return nil
		}
	case f.workspace != "":
		dir, err := folder(streams, "--for", f.workspace)
		if err != nil {
			return err
		}
		root := fspath.FindRoot(dir)
		cfg, problems, err := f.loadConfig(streams, root)
		if err != nil {
			return err
		}
		needed, err := f.neededIn(ctx, streams, root, cfg, problems)
		if err != nil {
			return err
		}
		needed.tell(streams.Err)
		if ids = append(ids, needed.installable...); len(ids) == 0 {
			fmt.Fprintln(streams.Err, "lspine: nothing to install")
			return nil
		}
	case len(ids) == 0:
		return &usageError{"install takes the servers to install", "lspine install --for . finds those that the files here need; --list names all"}
	}
	for _, id := range ids {
		if _, known := install.WayOf(id); !known {
			return f.cannotInstall(streams, id)
		}
	}
	if f.dryRun {
		return showWays(streams.Out, ids)
	}
	return f.installAll(ctx, streams, store, ids)
}

// storeOf returns the store of the servers that lspine has installed for the user.
func storeOf(streams *Streams) *install.Store {
	return install.NewStore(install.Folder(streams.Environ))
}

// cannotInstall returns the error for a server that lspine cannot install, with how to get it.
func (f *serverFlags) cannotInstall(streams *Streams, id string) error {
	cfg, _ := f.readConfig(streams, "")
	cfg.Complete()
	d, known := cfg.Servers.Get(id)
	if !known {
		return knownServers(cfg, []string{id})
	}
	return &usageError{"lspine cannot install " + id + " here", "get it yourself: " + strings.Join(d.Install, "   or   ")}
}

// folderAside returns a folder that no stranger has written: the user's home or, without one, the root of the file system.
func folderAside(environ []string) string {
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if home := lookup(environ, name); filepath.IsAbs(home) {
			return home
		}
	}
	return string(filepath.Separator)
}

// installAll installs servers one after the other, and continues if one fails. The package managers are the user's own.
func (g *global) installAll(ctx context.Context, streams *Streams, store *install.Store, ids []string) error {
	if root := fspath.FindRoot(streams.Dir); !g.trusts(streams, root) {
		var err error
		if streams.Environ, err = roots.HideProgramsOf(root, streams.Environ); err != nil {
			return err
		}
		store = store.Aside(folderAside(streams.Environ))
	}
	var failed []error
	for _, id := range ids {
		way, _ := install.WayOf(id)
		fmt.Fprintf(streams.Err, "lspine: %s by %s: %s …\n", id, way.By, strings.Join(way.Packages, " "))
		began := time.Now()
		outcome, err := store.Install(ctx, streams.Environ, id)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, err)
			continue
		}
		tellInstalled(streams, way, outcome, time.Since(began))
	}
	for _, err := range failed[:max(0, len(failed)-1)] {
		one := result.ErrorOf(err)
		say(streams.Err, one.Message, one.Hint)
	}
	if len(failed) > 0 {
		return failed[len(failed)-1]
	}
	return nil
}

func tellInstalled(streams *Streams, way install.Way, o install.Outcome, took time.Duration) {
	name := strings.TrimSpace(way.ID + " " + way.Version)
	switch {
	case o.Already:
		fmt.Fprintf(streams.Out, "%s is there already: %s\n", name, o.Folder)
	case o.Folder == "":
		fmt.Fprintf(streams.Out, "%s: added by %s\n", name, way.By)
	default:
		fmt.Fprintf(streams.Out, "%s: installed in %.1f s: %s\n", name, took.Seconds(), o.Folder)
	}
	for _, program := range o.Lacks {
		fmt.Fprintf(streams.Err, "lspine: %s runs with %s, which is not on PATH\n", way.ID, program)
	}
	if o.Before != "" {
		fmt.Fprintf(streams.Err, "lspine: %s on PATH is used before it\n", o.Before)
	}
	for _, dir := range o.Kept {
		fmt.Fprintf(streams.Err, "lspine: %s is still in use; lspine install --upgrade removes it later\n", dir)
	}
}

func showWays(w io.Writer, ids []string) error {
	for _, id := range ids {
		way, _ := install.WayOf(id)
		scripts := ""
		if way.Scripts {
			scripts = ", whose install scripts run"
		}
		if _, err := fmt.Fprintf(w, "%s: by %s: %s%s\n", id, way.By, strings.Join(way.Packages, " "), scripts); err != nil {
			return err
		}
	}
	return nil
}

// A serverList lists the servers that are installed and those that can be.
type serverList struct {
	Folder    string              `json:"folder"`
	Installed []install.Installed `json:"installed"`
	Available []install.Way       `json:"available"`
}

func (f *serverFlags) showList(streams *Streams, store *install.Store) error {
	list := serverList{Folder: store.Dir(), Installed: store.List(), Available: install.Ways()}
	if f.asJSON {
		return printJSON(streams, list)
	}
	table := tabwriter.NewWriter(streams.Out, 0, 0, 2, ' ', 0)
	for _, x := range list.Installed {
		state := "installed"
		if x.Outdated {
			state = "outdated (lspine install --upgrade)"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", x.ID, x.Version, state, x.Folder)
	}
	for _, way := range list.Available {
		if !slices.ContainsFunc(list.Installed, func(x install.Installed) bool { return x.ID == way.ID }) {
			fmt.Fprintf(table, "%s\t%s\tavailable\tby %s\n", way.ID, way.Version, way.By)
		}
	}
	return table.Flush()
}

// A need lists the servers that the files of a workspace need and that are not installed.
type need struct {
	// installable are those that lspine can install.
	installable []string
	// others are those that it cannot install, each with how to get it.
	others []string
}

func (n *need) tell(w io.Writer) {
	for _, other := range n.others {
		fmt.Fprintln(w, "lspine: "+legible.Model(other))
	}
}

// neededIn returns the missing servers of a workspace.
func (g *global) neededIn(ctx context.Context, streams *Streams, root string, cfg *config.Config, problems []config.Problem) (n need, err error) {
	e, err := g.open(ctx, streams, root, cfg, problems, purpose{name: "install", once: true, alone: true})
	if err != nil {
		return n, err
	}
	defer func() { err = errEnding(ctx, e, err) }()
	detected, err := api.Servers.Do(ctx, e, api.ServersRequest{Action: "detect"})
	if err != nil {
		return n, err
	}
	return missingOf(cfg, detected.Servers), nil
}

// missingOf picks from each group of missing servers the first that lspine can install, or else the
// first.
func missingOf(cfg *config.Config, detected []result.ServerState) (n need) {
	cfg.Complete()
	type choice struct {
		id, get string
		ours    bool
	}
	var groups []string
	best := make(map[string]choice)
	for _, s := range detected {
		d, _ := cfg.Servers.Get(s.ID)
		group := d.Group
		if group == "" {
			group = "\x00" + s.ID
		}
		if s.State != "unavailable" || len(s.Install) == 0 {
			continue
		}
		_, ours := install.WayOf(s.ID)
		now := choice{s.ID, fmt.Sprintf("%s is missing, and lspine cannot install it: %s", s.ID, strings.Join(s.Install, "   or   ")), ours}
		old, known := best[group]
		if !known {
			groups = append(groups, group)
		}
		if !known || ours && !old.ours {
			best[group] = now
		}
	}
	for _, group := range groups {
		if c := best[group]; c.ours {
			n.installable = append(n.installable, c.id)
		} else {
			n.others = append(n.others, c.get)
		}
	}
	return n
}

func newRemove(streams *Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "remove SERVER...",
		Short:   "Remove language servers that lspine installed",
		Long:    "remove removes language servers that lspine install installed, in all versions.",
		Example: "  lspine remove pyright\n  lspine install --list",
		RunE: func(cmd *cobra.Command, ids []string) error {
			if len(ids) == 0 {
				return &usageError{"remove takes the servers to remove", "lspine install --list says what is installed"}
			}
			store := storeOf(streams)
			for _, id := range ids {
				removed, err := store.Remove(cmd.Context(), id)
				if err != nil {
					return err
				}
				for _, dir := range removed {
					fmt.Fprintf(streams.Out, "%s: removed: %s\n", id, dir)
				}
			}
			return nil
		},
	}
}
