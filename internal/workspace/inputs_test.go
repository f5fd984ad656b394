package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// What decides the answers of gopls is known, and differs where its settings, the trust or a variable do. Of a server of which nobody knows it,
// with settings that nobody foresees, and when it began with others, it is not known, and the reason is said.
func TestInputs(t *testing.T) {
	lsptest.Require(t, "gopls")
	const module = "-- go.mod --\nmodule m\n\ngo 1.24\n-- a.go --\npackage m\n"
	root := lsptest.Workspace(t, module)
	of := func(change func(*registry.Definition), more ...string) Inputs {
		t.Helper()
		servers := slices.Clone(registry.Builtin())
		for i := range servers {
			if change(&servers[i]); servers[i].ID != "gopls" {
				servers[i].Disabled = true
			}
		}
		w := open(t, "", Options{Root: root, Servers: servers, Trusted: true, Environ: append(os.Environ(), more...)})
		c := only(t, w, "a.go")
		return w.Inputs(&c, []string{filepath.Join(root, "go.mod")})
	}
	as := func(change func(*registry.Definition)) func(*registry.Definition) {
		return func(d *registry.Definition) {
			if d.ID == "gopls" {
				change(d)
			}
		}
	}
	nothing := func(*registry.Definition) {}
	plain := of(nothing)
	if plain.Why != "" || !strings.HasPrefix(plain.Server, "gopls v0.") || len(plain.Digested) < 5 {
		t.Fatalf("%+v", plain)
	}
	if again := of(nothing); !slices.Equal(plain.Digested, again.Digested) {
		t.Errorf("another workspace: %q, %q", plain.Digested, again.Digested)
	}
	for name, other := range map[string]Inputs{
		"a setting":  of(as(func(d *registry.Definition) { d.Settings = []byte(`{"gopls":{"staticcheck":true}}`) })),
		"a variable": of(nothing, "GOFLAGS=-tags=x"),
		"its own":    of(as(func(d *registry.Definition) { d.Env = []string{"GOOS=plan9"} })),
	} {
		if other.Why != "" || slices.Equal(plain.Digested, other.Digested) {
			t.Errorf("%s: they are the same, or %q", name, other.Why)
		}
	}
	for _, c := range []struct {
		change func(*registry.Definition)
		want   string
	}{
		{func(d *registry.Definition) { d.World = registry.UnknownWorld }, "not known"},
		{func(d *registry.Definition) { d.Connect = "localhost:9999" }, "somebody else"},
		{func(d *registry.Definition) { d.Settings = []byte(`{"gopls":{"env":{"GOOS":"plan9"}}}`) }, `"env"`},
	} {
		if other := of(as(c.change)); !strings.Contains(other.Why, c.want) {
			t.Errorf("%+v, want %q", other, c.want)
		}
	}
	w := open(t, "", Options{Root: root, Servers: registry.Builtin(), Trusted: true})
	c := only(t, w, "a.go")
	w.noteInputs(&c)
	if same := w.Inputs(&c, nil); same.Why != "" {
		t.Errorf("as it began: %s", same.Why)
	}
	c.Args = append(c.Args, "-vv")
	if other := w.Inputs(&c, nil); !strings.Contains(other.Why, "began with other") {
		t.Errorf("%+v", other)
	}
}
