package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// A file of an agent that cannot be understood stays as it is, and is told with the name of the agent by every command
// that would change it; nothing else is changed then.
func TestBrokenFilesOfAgents(t *testing.T) {
	t.Parallel()
	const (
		servers, hooks, rules, skill = ".codex/config.toml", ".codex/hooks.json", ".codex/AGENTS.md/x", ".agents/skills/lspine-rename/SKILL.md/x"
		own                          = ".local/state/lspine/agents.json"
	)
	for _, c := range []struct{ file, args, says string }{
		{servers, "uninstall", "lspine: codex: HOME/.codex/config.toml: it is no TOML"},
		{servers, "init --agent codex --yes", "lspine: codex: HOME/.codex/config.toml: it is no TOML"},
		{hooks, "uninstall --agent codex", "lspine: codex: HOME/.codex/hooks.json: it is no JSON"},
		{hooks, "init --agent codex --yes", "lspine: codex: HOME/.codex/hooks.json: it is no JSON"},
		{hooks, "hook install --host codex", "lspine: --host codex: HOME/.codex/hooks.json: it is no JSON"},
		{hooks, "hook uninstall --host codex", "lspine: --host codex: HOME/.codex/hooks.json: it is no JSON"},
		{rules, "uninstall", "lspine: codex: read HOME/.codex/AGENTS.md: "},
		{rules, "init --agent codex --yes --rules", "lspine: codex: read HOME/.codex/AGENTS.md: "},
		{skill, "skills install rename --agent codex", "lspine: codex: read HOME/.agents/skills/lspine-rename/SKILL.md: "},
		{own, "skills uninstall --agent codex", "lspine: codex: HOME/.local/state/lspine/agents.json: "},
		{own, "uninstall --agent codex", "lspine: codex: HOME/.local/state/lspine/agents.json: "},
	} {
		s := newShop(t, "", lsptest.Script{})
		home := t.TempDir()
		s.change = func(st *Streams) { st.Environ = append(homeIn(home), "LSPINE_EVIDENCE=off") }
		lsptest.WriteFile(t, filepath.Join(home, filepath.FromSlash(c.file)), "x = {")
		got := s.run(strings.Fields(c.args)...)
		if said := below(got.stderr, home, "HOME"); got.code != exitUsage || !strings.HasPrefix(said, c.says) {
			t.Errorf("%s with a broken %s: exit code %d, %s", c.args, c.file, got.code, said)
		}
		if diff := cmp.Diff([]string{c.file}, filesBelow(t, home)); diff != "" {
			t.Errorf("%s with a broken %s leaves (-want +got):\n%s", c.args, c.file, diff)
		}
	}
}

// Where there is no folder of a person, what needs one says so, and what does not goes on without it.
func TestWithoutAHome(t *testing.T) {
	t.Parallel()
	s := newShop(t, "-- a.toy --\nfine\n", lsptest.Script{})
	s.change = func(st *Streams) { st.Environ = []string{} }
	const (
		nowhere = "there is neither a runtime folder nor a home folder to keep it in\n"
		trusts  = "The project's configuration wants to run nothing of its own.\nPrograms and libraries in ROOT may run.\n"
		home    = " is not set: it is not known where agents keep their configuration\n  set it to your own folder\n"
	)
	for args, want := range map[string]outcomeOf{
		"check a.toy":            {exitClean, "", "lspine: without the daemon: " + nowhere + "lspine: no errors (1 file checked)\n"},
		"daemon status":          {exitUsage, "", "lspine: " + nowhere},
		"daemon stop":            {exitUsage, "", "lspine: " + nowhere},
		"daemon logs":            {exitUsage, "", "lspine: " + nowhere},
		"daemon run":             {exitUsage, "", "lspine: " + nowhere},
		"trust --yes":            {exitUsage, trusts, "lspine: there is no folder for your configuration\n"},
		"untrust":                {exitUsage, "", "lspine: there is no folder for your configuration\n"},
		"uninstall":              {exitUsage, "", "lspine: HOME" + home},
		"init --agent codex":     {exitUsage, "", "lspine: HOME" + home},
		"skills install":         {exitUsage, "", "lspine: HOME" + home},
		"skills uninstall":       {exitUsage, "", "lspine: HOME" + home},
		"hook install --host pi": {exitUsage, "", "lspine: HOME" + home},
		"evidence verify":        {exitUsage, "", "lspine: no evidence is kept\n  \"evidence\" in your own configuration names the file, or --evidence FILE\n"},
	} {
		got := s.run(strings.Fields(args)...)
		got.stderr = strings.ReplaceAll(got.stderr, "USERPROFILE", "HOME") // on Windows
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(outcomeOf{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", args, diff)
		}
	}
	home2 := t.TempDir()
	file := filepath.Join(home2, "file")
	lsptest.WriteFile(t, file, "")
	s.change = func(st *Streams) { st.Environ = append(homeIn(home2), "XDG_CONFIG_HOME="+file, "LSPINE_EVIDENCE=off") }
	s.expect("trust in a file", s.run("trust", "--yes"), exitUsage, trusts, "lspine: mkdir ")
	s.expect("untrust in a file", s.run("untrust"), exitUsage, "", "lspine: mkdir ")
}
