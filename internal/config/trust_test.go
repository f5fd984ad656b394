package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// A folder is trusted if it is named, or lies below one that is, by whatever name; a
// neighbour whose name begins alike is not.
func TestTrusts(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	lsptest.NeedLinks(t)
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for _, dir := range []string{"a/b", "ab", "c"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(home, "c"), filepath.Join(home, "link")); err != nil {
		t.Fatal(err)
	}
	s := Settings{TrustedRoots: []string{filepath.Join(home, "gone"), "~/a", filepath.Join(home, "link")}}
	for dir, want := range map[string]bool{"a": true, "a/b": true, "ab": false, "": false, "c": true} {
		if got := s.Trusts(filepath.Join(home, dir)); got != want {
			t.Errorf("%q is trusted: %v", dir, got)
		}
	}
	if (&Settings{}).Trusts(home) {
		t.Error("a folder is trusted although none is named")
	}
}

// A project that the user trusts says what runs, as long as it says the same; never what may
// be written or which secrets servers get. Another project is not trusted with it.
func TestTrustedProject(t *testing.T) {
	home, root, other := t.TempDir(), t.TempDir(), t.TempDir()
	environ := []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home}
	wants := func(dir, command string) {
		t.Helper()
		text := `{"lsp": {"passEnv": ["A_TOKEN"], "allowRoots": ["/"], "servers": {"mine": {"command": "` + command + `", "extensions": [".x"]}}}}`
		if err := os.WriteFile(filepath.Join(dir, ".lspine.jsonc"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	type state struct {
		Runs           string
		Given, Changed bool
		Withheld       []string
		Folder         bool
	}
	load := func(dir string) (s state, hash string) {
		t.Helper()
		c, problems := Load(Options{Root: dir, Environ: environ})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if d, known := c.Servers.Get("mine"); known {
			s.Runs = d.Commands[0].Binary
		}
		for _, u := range c.Untrusted {
			s.Withheld = append(s.Withheld, u.Field)
		}
		s.Given, s.Changed = c.Trust.Given, c.Trust.Changed
		resolved, err := filepath.EvalSymlinks(dir)
		if err != nil {
			t.Fatal(err)
		}
		s.Folder = c.Settings.Trusts(resolved)
		return s, c.Trust.Hash
	}
	expect := func(about, dir string, want state) (hash string) {
		t.Helper()
		got, hash := load(dir)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", about, diff)
		}
		return hash
	}
	trust := func(dir, hash string, want bool) {
		t.Helper()
		if changed, err := SetTrust(environ, dir, hash); err != nil || changed != want {
			t.Errorf("trusted: %t %v", changed, err)
		}
	}
	all, own := []string{"passEnv", "allowRoots", "command"}, []string{"passEnv", "allowRoots"}
	wants(root, "first")
	wants(other, "first")
	hash := expect("at first", root, state{Withheld: all})
	trust(root, hash, true)
	trust(root, hash, false)
	expect("trusted", root, state{Runs: "first", Given: true, Withheld: own, Folder: true})
	expect("another project", other, state{Withheld: all})
	wants(root, "second")
	expect("changed", root, state{Changed: true, Withheld: all})
	if c, _ := Load(Options{Root: root, Environ: environ}); !strings.Contains(c.Untrusted[2].Hint, "has changed since you trusted it") || strings.Contains(c.Untrusted[0].Hint, "has changed") {
		t.Errorf("the hints are %q and %q", c.Untrusted[2].Hint, c.Untrusted[0].Hint)
	}
	wants(root, "first")
	expect("as it was", root, state{Runs: "first", Given: true, Withheld: own, Folder: true})
	trust(root, "", true)
	trust(root, "", false)
	expect("no longer", root, state{Withheld: all})

	if err := os.WriteFile(TrustFile(environ), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, problems := Load(Options{Root: root, Environ: environ})
	if len(problems) != 1 || problems[0].File != TrustFile(environ) || c.Trust.Given {
		t.Errorf("with a broken record: %v, %+v", problems, c.Trust)
	}
	if _, err := SetTrust(environ, root, hash); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("a broken record is written over: %v", err)
	}
}

// Trust that cannot be recorded is not given, and why is told: nothing changed.
func TestTrustThatCannotBeRecorded(t *testing.T) {
	for name, spoil := range map[string]func(file, root string) error{
		"the root is gone":         func(_, root string) error { return os.Remove(root) },
		"a file is in the way":     func(file, _ string) error { return os.WriteFile(filepath.Dir(file), nil, 0o600) },
		"it cannot be locked":      func(file, _ string) error { return os.MkdirAll(file+".lock", 0o700) },
		"it cannot be read":        func(file, _ string) error { return os.MkdirAll(file, 0o700) },
		"it cannot be written":     func(file, _ string) error { return os.MkdirAll(file+".new", 0o700) },
		"nobody knows where it is": nil,
	} {
		t.Run(name, func(t *testing.T) {
			home, root := t.TempDir(), filepath.Join(t.TempDir(), "project")
			if err := os.Mkdir(root, 0o700); err != nil {
				t.Fatal(err)
			}
			var environ []string
			if spoil != nil {
				environ = []string{"XDG_CONFIG_HOME=" + home}
				if err := spoil(TrustFile(environ), root); err != nil {
					t.Fatal(err)
				}
			}
			if changed, err := SetTrust(environ, root, "hash"); changed || err == nil {
				t.Errorf("changed %t, %v", changed, err)
			}
		})
	}
}
