package lsp

import (
	"os"
	"path/filepath"
	"testing"
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
