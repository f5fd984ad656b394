package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A server's own folder is outside of the root, the same each time, another for
// another root, and of one holder alone.
func TestStateFolder(t *testing.T) {
	base := t.TempDir()
	w, err := Open(Options{Root: t.TempDir(), StateFolder: base})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(t.Context()) })
	fill := func(root string) (string, func()) {
		t.Helper()
		filled, err := w.fillIn(roots.Candidate{
			Definition: registry.Definition{ID: "toy"}, Root: root, Args: []string{"-data", registry.StateFolder + "/x"},
		})
		args := filled.args
		if err != nil || len(args) != 2 || args[0] != "-data" || !strings.HasPrefix(args[1], base) || filepath.Base(args[1]) != "x" {
			t.Fatalf("%q, %v", args, err)
		}
		return args[1], filled.release
	}
	first, release := fill("/w")
	second, releaseSecond := fill("/w")
	other, releaseOther := fill("/v")
	if first == second || first == other || second == other {
		t.Errorf("%s, %s, %s", first, second, other)
	}
	release()
	again, releaseAgain := fill("/w")
	if again != first {
		t.Errorf("%s, then %s", first, again)
	}
	releaseAgain()
	releaseSecond()
	releaseOther()
	filled, err := w.fillIn(roots.Candidate{Args: []string{"--stdio"}})
	if err != nil || len(filled.args) != 1 || filled.env != nil {
		t.Errorf("%+v, %v", filled, err)
	}
}

// What a server left in its folder is gone when it starts again, and not while another process uses it; that of another root
// stays.
func TestStateIsOfOneProcess(t *testing.T) {
	w, err := Open(Options{Root: t.TempDir(), StateFolder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(t.Context()) })
	key, other := roots.Key{ID: "toy", Root: "/w"}, roots.Key{ID: "toy", Root: "/v"}
	var folders []string
	var releases []func()
	for _, k := range []roots.Key{key, key, other} {
		folder, release, err := w.state(k)
		if err != nil {
			t.Fatal(err)
		}
		lsptest.WriteFile(t, filepath.Join(folder, "deep", "kept"), "x")
		folders, releases = append(folders, folder), append(releases, release)
	}
	releases[0]()
	if _, releases[0], err = w.state(key); err != nil {
		t.Fatal(err)
	}
	var kept []bool
	for _, folder := range folders {
		_, err := os.Stat(filepath.Join(folder, "deep", "kept"))
		kept = append(kept, err == nil)
	}
	if diff := cmp.Diff([]bool{false, true, true}, kept); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, release := range releases {
		release()
	}
}

// So many processes for one root are a mistake, which is said.
func TestStateFoldersAreBounded(t *testing.T) {
	w, err := Open(Options{Root: t.TempDir(), StateFolder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(t.Context()) })
	for range maxStates {
		_, release, err := w.state(roots.Key{ID: "toy", Root: "/w"})
		if err != nil {
			t.Fatal(err)
		}
		defer release()
	}
	if _, _, err := w.state(roots.Key{ID: "toy", Root: "/w"}); err == nil {
		t.Error("no error")
	}
}

// A server that reads configuration of the user gets a copy with what is added to it,
// and where there is none, that alone. The user's own is not touched.
func TestCopiedConfiguration(t *testing.T) {
	const own, addition = "own: 1", "---\nadded: 2\n"
	for name, c := range map[string]struct {
		variable bool // names the folder, which is not below the home folder then
		text     string
		want     string
	}{
		"in the default place":  {text: own, want: own + "\n" + addition},
		"where a variable says": {variable: true, text: own + "\n", want: own + "\n" + addition},
		"none":                  {want: addition},
	} {
		t.Run(name, func(t *testing.T) {
			home, state := t.TempDir(), t.TempDir()
			environ, folder := []string{"HOME=" + home}, filepath.Join(home, ".config")
			if c.variable {
				folder = filepath.Join(home, "elsewhere")
				environ = append(environ, "TOY_CONFIG="+folder)
			}
			file := filepath.Join(folder, "toy", "config.yaml")
			if c.text != "" {
				lsptest.WriteFile(t, file, c.text)
			}
			w, err := Open(Options{Root: t.TempDir(), StateFolder: state, Environ: environ})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = w.Close(t.Context()) })
			for range 2 {
				filled, err := w.fillIn(roots.Candidate{Definition: registry.Definition{ID: "toy", UserConfig: &registry.UserConfig{
					Variable: "TOY_CONFIG", Default: ".config", File: "toy/config.yaml", Addition: addition,
				}}, Root: "/w"})
				if err != nil || len(filled.env) != 1 {
					t.Fatalf("%+v, %v", filled, err)
				}
				copied, found := strings.CutPrefix(filled.env[0], "TOY_CONFIG="+state)
				if !found {
					t.Fatalf("the environment is %q", filled.env)
				}
				got, err := os.ReadFile(filepath.Join(state, copied, "toy", "config.yaml"))
				if err != nil || string(got) != c.want {
					t.Errorf("the copy is %q (%v), want %q", got, err, c.want)
				}
			}
			if got, _ := os.ReadFile(file); string(got) != c.text {
				t.Errorf("the user's own is now %q", got)
			}
		})
	}
}
