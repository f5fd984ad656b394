package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsptest"
)

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// What a killed daemon left is in nobody's way.
func TestStaleSocket(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	c := s.dial()
	first := c.Daemon()
	s.close(c)
	kill(t, first)
	s.isGone(first)
	p := s.place()
	must(t, ownSocket(p.socket))
	list, err := List(t.Context(), s.environ, "")
	if err != nil || len(list) != 1 || list[0].Problem != "it has ended without a word; the next one cleans up" {
		t.Errorf("%+v, %v", list, err)
	}
	next := s.dial()
	s.mustDef(next)
	if pid := next.Daemon(); pid == 0 || pid == first {
		t.Errorf("the next daemon is %d, after %d", pid, first)
	}
}

// Callers share a daemon if they would be answered the same, and only then.
func TestKeys(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	link := root
	if lsptest.HasLinks() {
		link = filepath.Join(t.TempDir(), "link")
		must(t, os.Symlink(root, link))
	}
	file := filepath.Join(t.TempDir(), "config.jsonc")
	key := func(root, text string, only []string, environ ...string) Key {
		must(t, os.WriteFile(file, []byte(text), 0o600))
		environ = append([]string{"HOME=/h", "PATH=/bin"}, environ...)
		cfg, _ := config.Load(config.Options{Root: root, UserFile: file, Environ: environ})
		i := Identity{Root: root, Config: cfg, Only: only, Environ: environ}
		key, err := i.Key()
		must(t, err)
		return key
	}
	const toy = `{"lsp": {"servers": {"toy": {"command": "toy", "extensions": [".toy"], "env": {"A": "${B}"}}}}}`
	base := key(root, "{}", nil)
	if len(base) != 24 { // it is a part of the path of a socket
		t.Errorf("the key %s has %d characters", base, len(base))
	}
	for name, k := range map[string]Key{
		"again":                        key(root, "{}", nil),
		"by a link":                    key(link, "{}", nil),
		"another terminal":             key(root, "{}", nil, "TERM=dumb", "PWD=/elsewhere"),
		"whether there is to be a one": key(root, "{}", nil, "LSPINE_DAEMON=auto"),
	} {
		if k != base {
			t.Errorf("%s: another key", name)
		}
	}
	seen := map[Key]string{base: "the first"}
	for name, k := range map[string]Key{
		"another root":               key(other, "{}", nil),
		"another configuration":      key(root, `{"lsp": {"maxRestarts": 3}}`, nil),
		"a variable that is setting": key(root, "{}", nil, "LSPINE_MAX_RESTARTS=3"),
		"fewer servers":              key(root, "{}", []string{"gopls"}),
		"another PATH":               key(root, "{}", nil, "PATH=/usr/bin"),
		"GOFLAGS":                    key(root, "{}", nil, "GOFLAGS=-tags=x"),
		"a virtual environment":      key(root, "{}", nil, "VIRTUAL_ENV=/v"),
		"a server":                   key(root, toy, nil),
		"a server, another variable": key(root, toy, nil, "B=b"),
	} {
		if former, same := seen[k]; same {
			t.Errorf("%s: the key of %s", name, former)
		}
		seen[k] = name
	}
}
