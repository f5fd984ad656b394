package disk

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/fspath"
)

// What tools keep for themselves is neither watched nor looked at; sources that they make are, beside it.
func TestScratchIsLeftOut(t *testing.T) {
	a := seat(t, "-- target/.rustc_info.json --\n-- target/debug/.fingerprint/c/a.toy --\n-- target/debug/incremental/c/s/a.toy --\n"+
		"-- target/debug/deps/a.toy --\n-- target/debug/examples/a.toy --\n-- target/debug/build/c/out/gen.toy --\n-- src/__pycache__/a.toy --\n-- src/gen/a.toy --\n")
	a.write("target/debug/incremental/c/s/a.toy", "1")
	a.write("target/debug/incremental/c/t/b.toy", "1")
	a.write("src/__pycache__/a.toy", "1")
	a.look()
	a.write("target/debug/build/c/out/gen.toy", "1")
	a.write("src/gen/a.toy", "1")
	a.look("changed src/gen/a.toy", "changed target/debug/build/c/out/gen.toy")

	if x := a.watcher; x != nil {
		var watched []string
		for _, folder := range slices.Sorted(maps.Keys(x.watched)) {
			watched = append(watched, fspath.Relative(a.Root, folder))
		}
		want := []string{".", "src", "src/gen", "target", "target/debug", "target/debug/build", "target/debug/build/c", "target/debug/build/c/out"}
		if diff := cmp.Diff(want, watched); diff != "" {
			t.Errorf("watched (-want +got):\n%s", diff)
		}
	}
}

// A folder that turns out to be one that only a tool uses is left out from then on. Nobody is told that its files are gone, as they
// are not.
func TestFoldersBecomeScratch(t *testing.T) {
	a := seat(t, "-- out/deps/sub/a.toy --\n-- out/build/b.toy --\n-- out/examples/notes --\n")
	a.write("out/deps/sub/a.toy", "1")
	a.look("changed out/deps/sub/a.toy")
	a.write("out/.fingerprint/c/a.toy", "1")
	a.look()
	a.write("out/deps/sub/a.toy", "22")
	a.look()
	a.remove("out/.fingerprint")
	a.look("created out/deps/sub/a.toy")
}
