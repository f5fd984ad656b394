package workspace

import (
	"path/filepath"
	"strings"
	"testing"

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
		args, release, err := w.fillIn(Candidate{
			Definition: registry.Definition{ID: "toy"}, Root: root, Args: []string{"-data", registry.StateFolder + "/x"},
		})
		if err != nil || len(args) != 2 || args[0] != "-data" || !strings.HasPrefix(args[1], base) || filepath.Base(args[1]) != "x" {
			t.Fatalf("%q, %v", args, err)
		}
		return args[1], release
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
	args, _, err := w.fillIn(Candidate{Args: []string{"--stdio"}})
	if err != nil || len(args) != 1 {
		t.Errorf("%q, %v", args, err)
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
		_, release, err := w.state(Key{"toy", "/w"})
		if err != nil {
			t.Fatal(err)
		}
		defer release()
	}
	if _, _, err := w.state(Key{"toy", "/w"}); err == nil {
		t.Error("no error")
	}
}
