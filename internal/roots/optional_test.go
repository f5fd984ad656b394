package roots

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A server that is optional and not there is a candidate, so that it can be
// named, but nobody misses it; one that is there counts like any other.
func TestOptionalServersAreNotMissed(t *testing.T) {
	f := open(t, "-- x --\n", Options{Servers: lsptest.Kinds(), LookPath: lsptest.LookKinds})
	for file, want := range map[string]string{
		"a.code": "code,words-none! code", "a.lost": "code-none! code-none!", "a.prose": "prose prose", "a.text": "prose-none! ", "a.other": " ",
	} {
		list := func(candidates []Candidate) string {
			var ids []string
			for _, c := range candidates {
				id := c.Definition.ID
				if c.Unavailable != nil {
					id += "!"
				}
				ids = append(ids, id)
			}
			return strings.Join(ids, ",")
		}
		candidates := f.Candidates(filepath.Join(f.opts.Root, file))
		if got := list(candidates) + " " + list(Missed(candidates)); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}

// A server that must be named in the configuration is none for its files until
// then.
func TestOptInServersMustBeNamed(t *testing.T) {
	servers := lsptest.Kinds()[:1]
	servers[0].OptIn = true
	if f := open(t, "-- x --\n", Options{Servers: servers, LookPath: lsptest.LookKinds}); len(f.Candidates(filepath.Join(f.opts.Root, "a.code"))) != 0 {
		t.Error("it runs although nobody named it")
	}
}

// Of a group of which none is there the two best are named, with their reasons.
func TestMissingGroupsNameTheBest(t *testing.T) {
	f := open(t, "-- x.py --\n", Options{Servers: registry.Builtin(), LookPath: func(string) (string, error) { return "", exec.ErrNotFound }})
	const want = "pyright! unavailable: pyright-langserver not found in PATH; basedpyright! unavailable: basedpyright-langserver not found in PATH"
	if got := chosen(f, "x.py"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	// One further down the order is enough where it is the only one, and is the one to name where it may not run.
	for trusted, want := range map[bool]string{true: "pylsp . ", false: "pylsp! untrusted: this checkout is not trusted, and it runs " +
		"plug-ins of mypy and others that setup.cfg and pyproject.toml name, and packages of the project's environment"} {
		f = open(t, "-- x.py --\n", Options{Servers: registry.Builtin(), Trusted: trusted, LookPath: func(name string) (string, error) {
			if name == "pylsp" {
				return found(name)
			}
			return "", exec.ErrNotFound
		}})
		if got := chosen(f, "x.py"); got != want {
			t.Errorf("with pylsp alone, trusted %v: %q", trusted, got)
		}
	}
}
