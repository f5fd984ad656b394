package roots

import (
	"fmt"
	"path/filepath"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/registry"
)

// Toolchain returns the version of Go that the project of a candidate wants, and the one
// there is.
func (f *Finder) Toolchain(c *Candidate) (t project.GoToolchain, known bool) {
	if c.Definition.Scope != registry.GoBuild || c.Marker == "" {
		return t, false
	}
	path, err := f.opts.LookPath(language.GoCommand)
	if err != nil {
		return t, false
	}
	return project.FindGoToolchain(filepath.Join(c.Root, c.Marker), path), true
}

// GoEnvironment keeps the go command from downloading another one because a project says
// so. One that was downloaded before may run, and what the user set counts.
func (f *Finder) GoEnvironment(c *Candidate) []string {
	if c.Definition.Scope != registry.GoBuild || !f.staysLocal(c) {
		return nil
	}
	return []string{"GOTOOLCHAIN=local"}
}

func (f *Finder) staysLocal(c *Candidate) bool {
	switch project.GoSetting(f.env, "GOTOOLCHAIN") {
	case "local":
		return true
	case "", "auto":
		t, known := f.Toolchain(c)
		return !known || !t.Lacks() && !t.Differs() || !t.Cached(f.env)
	}
	return false
}

// LacksGo says that the go command is older than the project of a candidate needs, so that
// nothing is known of it; "" if it is not.
func (f *Finder) LacksGo(c *Candidate) string {
	t, known := f.Toolchain(c)
	if !known || !t.Lacks() || !f.staysLocal(c) {
		return ""
	}
	return fmt.Sprintf("%s needs %s, and %s is installed: no other is downloaded without being asked; run go version in %s", c.Marker, t.Needs, t.Has, fspath.Relative(f.opts.Root, c.Root))
}

// PrefersGo says that the project of a candidate prefers a newer go command than the one
// that judges; "" if it does not.
func (f *Finder) PrefersGo(c *Candidate) string {
	t, known := f.Toolchain(c)
	if !known || !t.Differs() || t.Lacks() || !f.staysLocal(c) {
		return ""
	}
	return fmt.Sprintf("%s judges with %s; %s prefers %s, which is not downloaded without being asked", c.Definition.ID, t.Has, c.Marker, t.Prefers)
}
