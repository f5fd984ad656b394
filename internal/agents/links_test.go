package agents

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// connectAll returns for each agent a plan of everything that it can be given in a project.
func connectAll() map[string]func(*Plan) error {
	all := make(map[string]func(*Plan) error)
	for _, agent := range Connectable() {
		var none *NoScopeError
		all[agent+" server"] = func(p *Plan) error {
			if err := p.Server(agent, Project, []string{"lspine", "mcp"}, true); !errors.As(err, &none) {
				return err
			}
			return nil
		}
		all[agent+" rules"] = func(p *Plan) error { _, err := p.Rules(agent, Project, true); return err }
	}
	for _, agent := range Hookable() {
		all[agent+" hooks"] = func(p *Plan) error { return p.Hooks(agent, Project, command, true) }
	}
	for _, agent := range Skilled() {
		all[agent+" skills"] = func(p *Plan) error {
			_, err := p.InstallSkills(agent, Project, []Skill{{"lspine-x", "text"}}, false)
			return err
		}
	}
	return all
}

// A project in which the file of an agent, or a folder above it, is a link to elsewhere cannot have anything written or
// removed there, whether there is something yet or not; nor in its own .git.
func TestLinksOutOfAProject(t *testing.T) {
	lsptest.NeedLinks(t)
	for name, connect := range connectAll() {
		plain := newPlace(t)
		var files []string
		for _, c := range carryOut(t, plain, connect) {
			relative, err := filepath.Rel(plain.Root, c.Path)
			if err != nil || !filepath.IsLocal(relative) {
				t.Fatalf("%s writes %s", name, c.Path)
			}
			files = append(files, relative)
		}
		for _, file := range files {
			parts := strings.Split(file, string(filepath.Separator))
			for depth := range parts {
				for _, kind := range []string{"to something", "to nothing", "into .git"} {
					t.Run(fmt.Sprintf("%s/%s %s", name, filepath.ToSlash(filepath.Join(parts[:depth+1]...)), kind), func(t *testing.T) {
						p := newPlace(t)
						target := filepath.Join(t.TempDir(), "target")
						if kind == "into .git" {
							target = filepath.Join(p.Root, ".git", "target")
						}
						inside := filepath.Join(append([]string{target}, parts[depth+1:]...)...)
						if kind != "to nothing" {
							write(t, inside, "{}")
						}
						link := filepath.Join(p.Root, filepath.Join(parts[:depth+1]...))
						if err := errors.Join(os.MkdirAll(filepath.Dir(link), 0o755), os.MkdirAll(filepath.Dir(target), 0o755), os.Symlink(target, link)); err != nil {
							t.Fatal(err)
						}
						before := tree(t, filepath.Dir(target))
						var refused *LinkError
						if err := connect(p.NewPlan()); !errors.As(err, &refused) || !strings.HasPrefix(refused.Target, target) {
							t.Errorf("the plan: %v", err)
						}
						err := p.Apply([]Change{{Path: filepath.Join(p.Root, file), Before: []byte("{}"), Existed: kind != "to nothing", Removed: true}})
						if !errors.As(err, &refused) {
							t.Errorf("carried out: %v", err)
						}
						if diff := cmp.Diff(before, tree(t, filepath.Dir(target))); diff != "" {
							t.Errorf("something was written (-before +now):\n%s", diff)
						}
					})
				}
			}
		}
	}
}

// A link within a project is followed, as is one of the person's, and the diff says so; one that is made after
// a person has looked at the plan is not.
func TestLinksThatAreFollowed(t *testing.T) {
	lsptest.NeedLinks(t)
	p, dotfiles := newPlace(t), t.TempDir()
	write(t, filepath.Join(p.Root, "AGENTS.md"), "Rules.\n")
	write(t, filepath.Join(dotfiles, "settings.json"), "{}")
	if err := errors.Join(os.Symlink("AGENTS.md", filepath.Join(p.Root, "CLAUDE.md")), os.Mkdir(filepath.Join(p.Home, ".claude"), 0o755),
		os.Symlink(filepath.Join(dotfiles, "settings.json"), filepath.Join(p.Home, ".claude", "settings.json"))); err != nil {
		t.Fatal(err)
	}
	for target, plan := range map[string]func(*Plan) error{
		filepath.Join(p.Root, "AGENTS.md"):       func(plan *Plan) error { _, err := plan.Rules("claude", Project, true); return err },
		filepath.Join(dotfiles, "settings.json"): func(plan *Plan) error { return plan.Hooks("claude", User, command, true) },
	} {
		changes := carryOut(t, p, plan)
		if len(changes) != 1 || !strings.Contains(changes[0].Diff(), " (a link to "+target+")\n") {
			t.Errorf("the diff does not name %s: %+v", target, changes)
		}
		if text, err := os.ReadFile(target); err != nil || !strings.Contains(string(text), "lspine") {
			t.Errorf("%s: %q, %v", target, text, err)
		}
	}
	plan := p.NewPlan()
	if err := plan.Hooks("codex", Project, command, true); err != nil {
		t.Fatal(err)
	}
	changes, err := plan.Changes()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dotfiles, filepath.Join(p.Root, ".codex")); err != nil {
		t.Fatal(err)
	}
	var refused *LinkError
	if err := p.Apply(changes); !errors.As(err, &refused) {
		t.Errorf("a link that was made meanwhile: %v", err)
	}
}
