package workspace

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/registry"
)

// kinds are servers for code and for prose, of which those with "none" in their
// name cannot be found.
func kinds() registry.Table {
	server := func(id, pattern string, optional bool) registry.Definition {
		return registry.Definition{
			ID: id, Languages: []registry.Language{{ID: "x", Patterns: []string{pattern}}}, Commands: []registry.Command{{Binary: id}},
			SingleFile: true, Role: registry.Primary, Optional: optional,
		}
	}
	return registry.Table{
		server("code", ".code", false), server("code-none", ".lost", false), server("prose", ".prose", true), server("prose-none", ".text", true),
		server("words-none", ".code", true),
	}
}

func lookKinds(name string) (string, error) {
	if strings.HasSuffix(name, "-none") {
		return "", exec.ErrNotFound
	}
	return found(name)
}

// A server that is optional and not there is a candidate, so that it can be
// named, but nobody misses it; one that is there counts like any other.
func TestOptionalServersAreNotMissed(t *testing.T) {
	w := open(t, "-- x --\n", Options{Servers: kinds(), LookPath: lookKinds})
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
		candidates := w.Candidates(filepath.Join(w.Root(), file))
		if got := list(candidates) + " " + list(Missed(candidates)); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}

// The servers that a workspace needs are those of its code first, however much
// prose there is; an optional one that is missing is not needed.
func TestSamplesAreOfCodeFirst(t *testing.T) {
	w := open(t, "-- a.code --\n-- 1.prose --\n-- 2.prose --\n-- 3.prose --\n-- 1.text --\n-- 2.text --\n-- a.lost --\n", Options{Servers: kinds(), LookPath: lookKinds})
	w.takePicture()
	samples, err := w.Samples(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range samples {
		got = append(got, s.Candidate.Definition.ID)
	}
	if strings.Join(got, " ") != "code code-none prose" {
		t.Errorf("the samples are of %q", got)
	}
}

// A server that must be named in the configuration is none for its files until
// then.
func TestOptInServersMustBeNamed(t *testing.T) {
	servers := kinds()[:1]
	servers[0].OptIn = true
	if w := open(t, "-- x --\n", Options{Servers: servers, LookPath: lookKinds}); len(w.Candidates(filepath.Join(w.Root(), "a.code"))) != 0 {
		t.Error("it runs although nobody named it")
	}
}

// Of a group of which none is there the two best are named, with their reasons.
func TestMissingGroupsNameTheBest(t *testing.T) {
	w := open(t, "-- x.py --\n", Options{Servers: registry.Builtin(), LookPath: func(string) (string, error) { return "", exec.ErrNotFound }})
	const want = "pyright! unavailable: pyright-langserver not found in PATH; basedpyright! unavailable: basedpyright-langserver not found in PATH"
	if got := chosen(w, "x.py"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	// One further down the order is enough where it is the only one, and is the one to name where it may not run.
	for trusted, want := range map[bool]string{true: "pylsp . ", false: "pylsp! untrusted: this checkout is not trusted, and it runs " +
		"plug-ins of mypy and others that setup.cfg and pyproject.toml name, and packages of the project's environment"} {
		w = open(t, "-- x.py --\n", Options{Servers: registry.Builtin(), Trusted: trusted, LookPath: func(name string) (string, error) {
			if name == "pylsp" {
				return found(name)
			}
			return "", exec.ErrNotFound
		}})
		if got := chosen(w, "x.py"); got != want {
			t.Errorf("with pylsp alone, trusted %v: %q", trusted, got)
		}
	}
}
