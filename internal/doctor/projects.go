package doctor

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/setup"
	"github.com/lspine/lspine/internal/workspace"
)

// project describes a server that runs without the files that would describe the project to it.
func (v *run) project(p subject) []result.Symptom {
	n := setup.NeedOf(&p.Definition, p.probe)
	if n == nil || n.Met(v.opts.Workspace.Root(), p.probe) {
		return v.packages(p)
	}
	s := result.Symptom{
		Level: result.LevelNote, Step: "project", Next: v.opts.Setup.Within(n.Home(v.opts.Workspace.Root(), p.probe), n.Next(n.Home(v.opts.Workspace.Root(), p.probe))),
		Message: n.Missing(v.opts.Names.Relative(filepath.Dir(p.probe))),
	}
	return []result.Symptom{v.elsewhere(s, n.Markers, p.probe)}
}

// packages describes a project that depends on packages that are not installed.
func (v *run) packages(p subject) []result.Symptom {
	if lack := v.opts.Setup.WithoutProgram(&p.Definition); lack.Missing != "" {
		return []result.Symptom{{Level: result.LevelProblem, Step: "project", Message: lack.Missing + ": it loads no project", Next: lack.Next}}
	}
	if p.Definition.Symptoms == nil {
		return nil
	}
	lack := v.opts.Setup.Lacks(&p.Definition, p.probe, nil)
	if lack.Missing == "" {
		return nil
	}
	return []result.Symptom{{
		Level: result.LevelNote, Step: "project", Message: lack.Missing + ": what it cannot find there may not be wrong", Next: lack.Next,
	}}
}

// rootless describes a server that cannot run because nothing marks the root of a project.
func (v *run) rootless(p subject) result.Symptom {
	s := result.Symptom{
		Level: result.LevelProblem, Step: "root",
		Message: fmt.Sprintf("no %s in or above %s", workspace.AnyOf(p.Definition.Roots), v.opts.Names.Relative(filepath.Dir(p.probe))),
	}
	if n := setup.NeedOf(&p.Definition, p.probe); n != nil {
		s.Message += ": " + n.Lost
		s.Next = v.opts.Setup.Within(p.Root, n.Next(p.Root))
	} else if i := slices.IndexFunc(p.Definition.Roots, func(r string) bool { return !strings.ContainsAny(r, "*?[") }); i >= 0 {
		s.Next = v.opts.Setup.Within(p.Root, setup.Here.Touch(p.Definition.Roots[i]))
	}
	return v.elsewhere(s, p.Definition.Roots, p.probe)
}

// elsewhere adds to a symptom about missing markers that a folder above the workspace has them.
func (v *run) elsewhere(s result.Symptom, markers []string, path string) result.Symptom {
	if folder, marker := v.opts.Workspace.Above(markers); folder != "" {
		s.Details = append(s.Details, fmt.Sprintf("%s is in %s, above the workspace", marker, folder))
		s.Next = "lspine doctor --root " + setup.Quoted(folder) + " " + setup.Quoted(path)
	}
	return s
}
