package daemon

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsptest"
)

// A step is taken by the process that it is meant for alone, and no program that it starts sees it.
func TestNoStepOfAStart(t *testing.T) {
	for _, step := range []string{"", "another"} {
		t.Setenv(stepVariable, step)
		if starter := Detach(); starter != nil {
			t.Errorf("%q: there is a pipe", step)
		}
		if left, there := os.LookupEnv(stepVariable); there {
			t.Errorf("%q: %q is left", step, left)
		}
	}
}

// Identities differ by what they are made of, each part apart from the others; how the root is spelled
// and what only says whether there is to be a daemon are no parts.
func TestPartsOfAnIdentity(t *testing.T) {
	root, home := t.TempDir(), t.TempDir()
	link := root
	if lsptest.HasLinks() {
		link = filepath.Join(t.TempDir(), "link")
		must(t, os.Symlink(root, link))
	}
	own := filepath.Join(home, "own.jsonc")
	for _, file := range []string{filepath.Join(root, ".lspine.jsonc"), own} {
		must(t, os.WriteFile(file, []byte("{}"), 0o600))
	}
	key := func(root string, change func(i *Identity)) Key {
		t.Helper()
		environ := []string{"HOME=" + home}
		cfg, problems := config.Load(config.Options{Root: root, UserFile: own, Environ: environ})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		i := Identity{Root: root, Config: cfg, Environ: environ}
		change(&i)
		key, err := i.Key()
		must(t, err)
		return key
	}
	same := func(*Identity) {}
	base := key(root, same)
	for name, k := range map[string]Key{
		"again": key(root, same), "by a link": key(link, same),
	} {
		if k != base {
			t.Errorf("%s: another key", name)
		}
	}
	hook := func(i *Identity) {
		i.Environ = append(i.Environ, "GIT_INDEX_FILE=.git/index.lock", "GIT_PREFIX=sub/", "GIT_CONFIG_PARAMETERS='user.name'='a'", "GIT_EXEC_PATH=/lib/git")
	}
	if key(root, hook) != base {
		t.Error("in a hook of git: another key")
	}
	if one, other := key(root, func(i *Identity) { i.Only = []string{"a", "b"} }), key(root, func(i *Identity) { i.Only = []string{"b", "a"} }); one != other {
		t.Error("the order of servers makes another key")
	}
	seen := map[Key]string{base: "the first"}
	for name, change := range map[string]func(i *Identity){
		"spelling":          func(i *Identity) { i.Opta = true },
		"a server":          func(i *Identity) { i.Only = []string{"ab"} },
		"two servers":       func(i *Identity) { i.Only = []string{"a", "b"} },
		"trust":             func(i *Identity) { i.Config.Trust.Given = !i.Config.Trust.Given },
		"no file":           func(i *Identity) { i.Config.Files = nil },
		"evidence":          func(i *Identity) { i.Config.Settings.Evidence = filepath.Join(home, "evidence") },
		"a passed variable": func(i *Identity) { i.Config.Settings.PassEnv = []string{"X"} },
		"its value":         func(i *Identity) { i.Config.Settings.PassEnv, i.Environ = []string{"X"}, append(i.Environ, "X=1") },
		"git's repository":  func(i *Identity) { i.Environ = append(i.Environ, "GIT_DIR=/dotfiles") },
		"git's setting": func(i *Identity) {
			i.Environ = append(i.Environ, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=a.b", "GIT_CONFIG_VALUE_0=c")
		},
		"git's other": func(i *Identity) {
			i.Environ = append(i.Environ, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=a.b", "GIT_CONFIG_VALUE_0=d")
		},
		"a language": func(i *Identity) { i.Environ = append(i.Environ, "LANG=de") },
	} {
		k := key(root, change)
		if former, known := seen[k]; known {
			t.Errorf("%s: the key of %s", name, former)
		}
		seen[k] = name
	}
	must(t, os.WriteFile(filepath.Join(root, ".lspine.jsonc"), []byte("{ }"), 0o600))
	if former, known := seen[key(root, same)]; known {
		t.Errorf("the project's file: the key of %s", former)
	}
	i := Identity{Root: filepath.Join(root, "gone")}
	if k, err := i.Key(); k != "" || !os.IsNotExist(err) {
		t.Errorf("no root: %s, %v", k, err)
	}
}
