package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/agents"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/daemon"
)

type uninstallFlags struct {
	*global
	agents        []string
	dryRun, purge bool
}

func newUninstall(streams *Streams, g *global) *cobra.Command {
	f := uninstallFlags{global: g}
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Disconnect lspine from the coding agents, and remove its data",
		Long: "uninstall removes from the configuration of coding agents, the user's and the\n" +
			"project's, what lspine init and lspine hook install wrote there, and shows what\n" +
			"it changes. A file that nobody else changed is as it was before, byte for byte.\n\n" +
			"Then it lists what else lspine has created for you: daemons, servers that it\n" +
			"installed, caches, trusted projects. It removes these if you confirm, or with\n" +
			"--purge. Your own configuration file, the evidence and the program itself stay.",
		Example: "  lspine uninstall --dry-run\n" +
			"  lspine uninstall --purge\n" +
			"  lspine uninstall --agent codex",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return &usageError{"uninstall takes lspine out of coding agents", "lspine remove " + strings.Join(args, " ") + " removes a language server"}
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), streams) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.agents, "agent", nil, "only these agents: "+strings.Join(agents.Connectable(), ", "))
	completes(cmd, "agent", agents.Connectable)
	flags.BoolVar(&f.dryRun, "dry-run", false, "only show what would change")
	flags.BoolVar(&f.purge, "purge", false, "remove everything that lspine has created, without asking")
	return cmd
}

func (f *uninstallFlags) run(ctx context.Context, streams *Streams) error {
	if f.purge && len(f.agents) > 0 {
		return &usageError{"--purge goes without --agent", "lspine uninstall --purge takes it out of all agents"}
	}
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
			if err := takeOut(streams, plan, agent, scope); err != nil {
				return fmt.Errorf("%s: %w", agent, err)
			}
		}
	}
	changes, err := plan.Changes()
	if err != nil {
		return err
	}
	elsewhere, err := others(place, changes)
	if err != nil {
		return err
	}
	if err := carryOut(streams, place, plan, f.dryRun, nil); err != nil || len(f.agents) > 0 {
		return err
	}
	for _, path := range elsewhere {
		say(streams.Err, "it is still in "+path, "lspine uninstall takes it out, in the project of that file")
	}
	if removed, err := f.clear(ctx, streams, f.leftovers(ctx, streams, place)); err != nil || !removed {
		return err
	}
	if len(elsewhere) == 0 {
		err = place.Forget()
	}
	for _, stays := range []string{config.UserFile(streams.Environ), f.evidenceFile(streams), executable()} {
		if isThere(stays) {
			fmt.Fprintln(streams.Err, "lspine: this stays: "+stays)
		}
	}
	return err
}

// takeOut plans that an agent has nothing of ours in a scope, and says which files are left alone,
// because they are not in the project: nothing was written there.
func takeOut(streams *Streams, plan *agents.Plan, agent string, scope agents.Scope) error {
	steps := []func() error{
		func() error { return plan.Server(agent, scope, nil, false) },
		func() error {
			if !agents.CanHook(agent) {
				return nil
			}
			return plan.Hooks(agent, scope, nil, false)
		},
		func() error { return takeSkills(streams, plan, agent, scope) },
		func() error {
			_, err := plan.Rules(agent, scope, false)
			return err
		},
	}
	for _, step := range steps {
		err := step()
		if link, is := errors.AsType[*agents.LinkError](err); is {
			say(streams.Err, link.Error()+", and is left as it is", "")
		} else if err != nil {
			return err
		}
	}
	return nil
}

// evidenceFile returns the file of the evidence log, "" if none is kept.
func (f *uninstallFlags) evidenceFile(streams *Streams) string {
	cfg, _ := f.readConfig(streams, "")
	return cfg.Settings.EvidenceFile(streams.Environ)
}

// evidenceFiles returns the files of the evidence: the last one, its head and its lock, and those
// that were full before.
func (f *uninstallFlags) evidenceFiles(streams *Streams) (files []string) {
	last := f.evidenceFile(streams)
	if last == "" {
		return nil
	}
	entries, _ := os.ReadDir(filepath.Dir(last)) // where there is none, none is kept
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), strings.TrimSuffix(filepath.Base(last), filepath.Ext(last))) {
			files = append(files, filepath.Join(filepath.Dir(last), e.Name()))
		}
	}
	return files
}

// executable returns the path of this program, "" if unknown.
func executable() string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	return self
}

// A leftover is a file, a folder or a running daemon that lspine created outside the agents'
// configuration.
type leftover struct {
	does   string // what removing it means, for a person
	remove func(ctx context.Context) error
}

// clear prints the leftovers and, if permitted, removes them. It continues if one of them cannot be
// removed.
func (f *uninstallFlags) clear(ctx context.Context, streams *Streams, made []leftover) (removed bool, err error) {
	for _, m := range made {
		fmt.Fprintln(streams.Out, m.does)
	}
	switch {
	case len(made) == 0:
		return false, nil
	case f.dryRun:
		say(streams.Err, "nothing was removed", "")
		return false, nil
	case f.purge:
	case !streams.OutTerminal || !streams.ErrTerminal:
		say(streams.Err, "this was not removed: nobody is here to ask", "lspine uninstall --purge removes it")
		return false, nil
	case confirm(streams, "Remove all of this?", false) != nil:
		say(streams.Err, "this was not removed", "")
		return false, nil
	}
	var failed []error
	for _, m := range made {
		failed = append(failed, m.remove(ctx))
	}
	return true, errors.Join(failed...)
}

// leftovers returns what lspine created, in the order in which it is removed.
func (f *uninstallFlags) leftovers(ctx context.Context, streams *Streams, place *agents.Place) (made []leftover) {
	running, err := daemon.List(ctx, streams.Environ, "")
	if err == nil {
		for _, d := range running {
			made = append(made, leftover{fmt.Sprintf("Stop the daemon of %s (pid %d)", d.Record.Root, d.Record.PID), func(ctx context.Context) error {
				ctx, cancel := context.WithTimeout(ctx, stopTimeout)
				defer cancel()
				return d.Stop(ctx)
			}})
		}
	} // otherwise there is no folder that could have one
	store := storeOf(streams)
	var ids []string
	for _, server := range store.List() {
		ids = append(ids, server.ID)
	}
	kept := []string{store.Dir(), config.UserFile(streams.Environ), config.TrustFile(streams.Environ), place.RecordFile()}
	kept = append(kept, f.evidenceFiles(streams)...)
	made = append(made, folderOf("installed servers "+strings.Join(slices.Compact(ids), ", "), store.Dir(), func(ctx context.Context) error {
		err := store.RemoveAll(ctx)
		if err == nil {
			_ = os.Remove(filepath.Dir(store.Dir())) // unless it contains something else
		}
		return err
	})...)
	for _, dir := range madeFolders(streams) {
		made = append(made, folderOf("caches", dir, func(context.Context) error { return removeBut(dir, kept) })...)
	}
	if trust := config.TrustFile(streams.Environ); isThere(trust) {
		made = append(made, leftover{"Remove " + trust + ": which projects you trust", func(context.Context) error {
			err := errors.Join(removeFile(trust), removeFile(trust+".lock"))
			_ = os.Remove(filepath.Dir(trust)) // unless it contains your configuration
			return err
		}})
	}
	return made
}

// others returns the files of other projects that would still refer to lspine after the given
// changes.
func others(place *agents.Place, changes []agents.Change) ([]string, error) {
	written, err := place.Written()
	return slices.DeleteFunc(written, func(path string) bool {
		return slices.ContainsFunc(changes, func(c agents.Change) bool { return c.Path == path })
	}), err
}

// folderOf returns a folder as a leftover, none if it does not exist.
func folderOf(what, dir string, remove func(ctx context.Context) error) []leftover {
	if dir == "" || !isThere(dir) {
		return nil
	}
	return []leftover{{fmt.Sprintf("Remove %s: %s (%s)", dir, strings.TrimSpace(what), sizeOf(dir)), remove}}
}

// madeFolders returns the folders for data that daemons, servers and hooks can recreate. None of
// them is inside another.
func madeFolders(streams *Streams) (dirs []string) {
	home := lookup(streams.Environ, "HOME")
	caches := []string{cmp.Or(lookup(streams.Environ, "XDG_CACHE_HOME"), filepath.Join(home, ".cache"))}
	switch runtime.GOOS {
	case "darwin":
		caches = append(caches, filepath.Join(home, "Library", "Caches"))
	case "windows":
		caches = []string{cmp.Or(lookup(streams.Environ, "LocalAppData"), lookup(streams.Environ, "LOCALAPPDATA"))}
	}
	for _, cache := range caches {
		if filepath.IsAbs(cache) && !slices.Contains(dirs, filepath.Join(cache, "lspine")) {
			dirs = append(dirs, filepath.Join(cache, "lspine"))
		}
	}
	if runs, err := daemon.Folder(streams.Environ); err == nil && !slices.Contains(dirs, filepath.Dir(runs)) {
		dirs = append(dirs, runs)
	}
	return dirs
}

// removeBut removes a folder except for some paths in it. On some systems, everything of lspine is
// in one folder.
func removeBut(dir string, kept []string) error {
	holds := func(path string) bool {
		return slices.ContainsFunc(kept, func(k string) bool {
			return isThere(k) && (k == path || strings.HasPrefix(k, path+string(filepath.Separator)))
		})
	}
	if !holds(dir) {
		return os.RemoveAll(dir)
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if path := filepath.Join(dir, e.Name()); !holds(path) {
			err = errors.Join(err, os.RemoveAll(path))
		}
	}
	return err
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func removeFile(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// sizeOf returns the size of a folder's content, as text.
func sizeOf(dir string) string {
	var total int64
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				total += info.Size()
			}
		}
		return nil
	})
	return fmt.Sprintf("%.1f MB", float64(total)/1e6)
}
