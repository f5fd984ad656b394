package roots

import (
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/registry"
)

// Prepared returns the definition with which the server of a candidate is started for some roots: with the library that it judges with,
// what it leaves out of these, and the variables that keep it from running what lies in a checkout that is not trusted. Without these a
// server that needs them may not start, which is the error.
func (f *Finder) Prepared(c Candidate, roots []string) (d registry.Definition, err error) {
	d = filtered(f.equipped(c), roots)
	if d.Env, err = f.guarded(f.withOwn(d.Env)); err != nil && c.Definition.Executes.Restraint != nil {
		return d, err
	}
	return d, nil
}

// ProjectEnviron returns variables that the server of a candidate gets for its project's sake.
func (f *Finder) ProjectEnviron(c *Candidate) []string {
	return slices.Concat(f.GoEnvironment(c), f.cargoEnvironment(c))
}

// Became notes that the server with an id turned out to be another program than its command says, and returns its definition as that
// one: how it shares a process stays, as its key was made before.
func (f *Finder) Became(d, program registry.Definition) registry.Definition {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.programs[d.ID] = program
	return asProgram(d, program)
}

func asProgram(d, program registry.Definition) registry.Definition {
	as := d.As(program)
	as.Sharing = d.Sharing
	return as
}

// Startable returns the program of a server, "" if there is none or somebody else runs it, and why it cannot be started, nil if it can.
func (f *Finder) Startable(d registry.Definition) (binary string, unavailable *UnavailableError) {
	switch {
	case d.Disabled:
		return "", disabled(&d)
	case d.Connect != "":
		return "", nil
	}
	if binary, _, unavailable = f.binary(d); unavailable != nil {
		return binary, unavailable
	}
	c := Candidate{Definition: d}
	f.restrain(&c)
	return binary, c.Unavailable
}

// Program returns the first command of a definition that can be started.
func (f *Finder) Program(d registry.Definition) (binary string, args []string, unavailable *UnavailableError) {
	return f.binary(d)
}

// withOwn puts what the user has set into variables that are added to.
func (f *Finder) withOwn(environ []string) []string {
	own := ""
	for _, entry := range f.env {
		if value, set := strings.CutPrefix(entry, "JDK_JAVA_OPTIONS="); set {
			own = value
		}
	}
	filled := slices.Clone(environ)
	for i := range filled {
		filled[i] = strings.Replace(filled[i], registry.JavaOptions, own, 1)
	}
	return filled
}
