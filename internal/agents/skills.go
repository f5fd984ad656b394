package agents

import (
	"path/filepath"
	"slices"
)

// A Skill is a guide for agents: a folder of its own among an agent's skills, with one file.
type Skill struct {
	// Name is that of the folder. Text is the file's.
	Name, Text string
}

// skillFile is how the file of a skill is called.
const skillFile = "SKILL.md"

// InstallSkills plans to write skills into an agent's folder. It returns the files that it leaves alone because
// somebody else wrote or changed them; with force, they are replaced.
func (p *Plan) InstallSkills(agent string, scope Scope, skills []Skill, force bool) (kept []string, err error) {
	folder, all, err := p.skills(agent, scope)
	if err != nil {
		return nil, err
	}
	for _, s := range skills {
		c, err := p.changeOf(filepath.Join(folder, s.Name, skillFile))
		if err != nil {
			return nil, err
		}
		c.guide = true
		m, known := all.Files[c.Path]
		switch {
		case c.Removed, string(c.After) == s.Text, known && m.After == hash(c.After), force:
			c.After, c.Removed = []byte(s.Text), false
		default:
			kept = append(kept, c.Path)
		}
	}
	return kept, nil
}

// UninstallSkills plans to remove the skills that were installed in an agent's folder, and to restore what they
// replaced. It returns those that it leaves alone because somebody has changed them since.
func (p *Plan) UninstallSkills(agent string, scope Scope) (kept []string, err error) {
	folder, all, err := p.skills(agent, scope)
	if err != nil {
		return nil, err
	}
	for _, path := range sortedNames(all.Files) {
		if filepath.Base(path) != skillFile || filepath.Dir(filepath.Dir(path)) != folder {
			continue
		}
		c, err := p.changeOf(path)
		if err != nil {
			return nil, err
		}
		c.guide = true
		switch m := all.Files[path]; {
		case c.Removed: // somebody did it
		case m.After != hash(c.After):
			kept = append(kept, path)
		case m.Before != nil:
			c.After = *m.Before
		default:
			c.After, c.Removed = nil, true
		}
	}
	return kept, nil
}

// skills returns an agent's folder of skills, and what was changed until now.
func (p *Plan) skills(agent string, scope Scope) (folder string, all *record, err error) {
	if !CanSkill(agent) {
		return "", nil, &UnknownAgentError{agent, Skilled()}
	}
	all, err = p.place.readRecord()
	return p.place.file(agent, known[agent].skills, scope), all, err
}

// PresentSkilled returns the agents on this machine that read skills.
func (p *Place) PresentSkilled() []string {
	return slices.DeleteFunc(p.Present(), func(name string) bool { return !CanSkill(name) })
}

// line returns the line that shows what happens to a skill; its text is not shown.
func (c *Change) line() string {
	what := "change "
	switch {
	case c.Removed:
		what = "remove "
	case !c.Existed:
		what = "write "
	}
	return what + c.Path + "\n"
}
