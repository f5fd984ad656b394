package roots

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/registry"
)

// A package fits by its name and its major version, bounds included.
func TestPackagesThatFit(t *testing.T) {
	const other, needs = "p is not part of the npm package x", "p is x %s, and version %s is needed"
	from, within := &registry.Package{Name: "x", MinMajor: 2}, &registry.Package{Name: "x", MinMajor: 2, MaxMajor: 4}
	for _, c := range []struct {
		manifest string
		wanted   *registry.Package
		want     string
	}{
		{`{"name":"x","version":"2.0.0"}`, from, ""},
		{`{"name":"x","version":"9"}`, from, ""},
		{`{"name":"x","version":"1.9.9"}`, from, fmt.Sprintf(needs, "1.9.9", "2 or later")},
		{`{"name":"x","version":"4.9.9"}`, within, ""},
		{`{"name":"x","version":"2.0"}`, within, ""},
		{`{"name":"x","version":"5.0.0"}`, within, fmt.Sprintf(needs, "5.0.0", "2 to 4")},
		{`{"name":"x","version":"1.0.0"}`, within, fmt.Sprintf(needs, "1.0.0", "2 to 4")},
		{`{"name":"x","version":"new"}`, from, fmt.Sprintf(needs, "new", "2 or later")},
		{`{"name":"x"}`, from, fmt.Sprintf(needs, "", "2 or later")},
		{`{"name":"y","version":"2.0.0"}`, from, other},
		{`{`, from, other},
	} {
		if got := misfitPackage("p", []byte(c.manifest), c.wanted); got != c.want {
			t.Errorf("%s: %q, want %q", c.manifest, got, c.want)
		}
	}
	if got := misfit("nowhere", nil); got != "" {
		t.Errorf("where none is wanted: %q", got)
	}
	if got := misfit(filepath.Join(t.TempDir(), "nowhere"), from); got == "" {
		t.Error("what is not there fits")
	}
}

// A file is judged by another version than its project has only where both are known and differ; of a range another
// one of the same major version may do.
func TestDeviations(t *testing.T) {
	judges := &registry.Package{Name: "x", MinMajor: 4, MaxMajor: 6}
	version := func(v, dir string) project.NPMPackage { return project.NPMPackage{Version: v, Dir: dir} }
	const says = "toy judges with x 5.1.0; the project has "
	const runs = `, which runs where "trustedRoots" of your own configuration names the folder`
	for name, c := range map[string]struct {
		c    Candidate
		want string
	}{
		"the same":             {Candidate{Wanted: version("5.1.0", "/p"), Used: version("5.1.0", "")}, ""},
		"nothing is wanted":    {Candidate{Used: version("5.1.0", "")}, ""},
		"nothing is used":      {Candidate{Wanted: version("5.1.0", "/p")}, ""},
		"it is not there":      {Candidate{Wanted: version("5.0.0", "/p"), Used: version("5.1.0", ""), Unavailable: &UnavailableError{}}, ""},
		"a range":              {Candidate{Wanted: version("5.0.0", ""), Used: version("5.1.0", "")}, ""},
		"another range":        {Candidate{Wanted: version("4.0.0", ""), Used: version("5.1.0", "")}, says + "4.0.0"},
		"installed":            {Candidate{Wanted: version("5.0.0", "/p"), Used: version("5.1.0", "")}, says + "5.0.0" + runs},
		"installed, too old":   {Candidate{Wanted: version("3.0.0", "/p"), Used: version("5.1.0", "")}, says + "3.0.0"},
		"installed, no matter": {Candidate{Definition: registry.Definition{Library: nil}, Wanted: version("7.0.0", "/p"), Used: version("5.1.0", "")}, says + "7.0.0"},
	} {
		c.c.Definition.ID, c.c.Definition.Judges = "toy", judges
		if name != "installed, no matter" {
			c.c.Definition.Library = &registry.Library{Package: "x"}
		}
		if got := c.c.Deviation(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
