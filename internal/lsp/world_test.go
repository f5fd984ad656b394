package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/lspine/lspine/internal/language"
)

// What cargo notes for itself in the folder into which it builds is no text that a server is judged by;
// sources that it generates there are, and so is a folder of that name in a project of another kind.
func TestWhatCargoNotesIsNoText(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, manifest := range []string{"crate/Cargo.toml", "maven/pom.xml"} {
		path := filepath.Join(folder, manifest)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]bool{
		"crate/target/debug/deps/m.d":         true,
		"crate/target/.rustc_info.json":       true,
		"crate/target/debug/build/out/gen.rs": false,
		"crate/src/data.json":                 false,
		"maven/target/classes/app.properties": false,
	} {
		if got := isCargoRecord(filepath.Join(folder, path)); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

// A world follows from the texts alone: after any history, two states with the same texts, and the same
// folders, are in one world, and two that differ are in two. It has moved whenever it was in another one
// meanwhile.
func TestWorldsFollowFromTexts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var w worlds
		paths := []string{"/a", "/b", "/crate/" + language.CargoLock}
		texts, folder := map[string]string{"/a": "1", "/b": "1", paths[2]: "lock"}, false
		for path, text := range texts {
			w.meet(path, digestOf([]byte(text)))
		}
		state := func() string {
			lock := texts[paths[2]]
			if lock == "" { // cargo makes it anew
				lock = "lock"
			}
			return fmt.Sprintf("%q %q %q %t", texts["/a"], texts["/b"], lock, folder)
		}
		if w.moves != 0 {
			rt.Fatalf("%d moves by what was there before", w.moves)
		}
		seen := map[string]World{state(): w.world()}
		for range rapid.IntRange(1, 20).Draw(rt, "steps") {
			before, moves := w.world(), w.moves
			if rapid.IntRange(0, 4).Draw(rt, "what") == 0 {
				folder = !folder
				w.toggle("/folder")
			} else {
				path := rapid.SampledFrom(paths).Draw(rt, "path")
				texts[path] = rapid.SampledFrom([]string{"", "1", "2"}).Draw(rt, "text")
				d := digest(0)
				if texts[path] != "" {
					d = digestOf([]byte(texts[path]))
				}
				w.set(path, d)
			}
			if (w.world() != before) != (w.moves != moves) {
				rt.Fatalf("from %d to %d in %d moves", before, w.world(), w.moves-moves)
			}
			if world, known := seen[state()]; known && world != w.world() {
				rt.Fatalf("%s is %d, and was %d", state(), w.world(), world)
			}
			for other, world := range seen {
				if other != state() && world == w.world() {
					rt.Fatalf("%s and %s are both %d", state(), other, world)
				}
			}
			seen[state()] = w.world()
		}
	})
}
