package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A text that a caller gave counts for that caller's question alone: the next
// sweep brings the document back to its file, or closes it where there is none,
// but leaves those in except as they are.
func TestSweepTakesBackGivenTexts(t *testing.T) {
	d := lsptest.Script{}.Definition(t)
	w := open(t, "-- toy.root --\n-- a.toy --\non disk\n-- b.toy --\nalso\n", Options{Servers: registry.Table{d}})
	w.takePicture()
	s, err := w.Server(t.Context(), only(t, w, "a.toy"))
	if err != nil {
		t.Fatal(err)
	}
	path := func(name string) string { return filepath.Join(w.Root(), name) }
	for _, name := range []string{"a.toy", "b.toy", "c.toy"} {
		if _, err := s.Sync(path(name), []byte("given")); err != nil {
			t.Fatal(err)
		}
	}
	sweep := func(told bool, except ...string) {
		t.Helper()
		swept, err := w.Sweep(t.Context(), except)
		if err != nil || swept.Told != told {
			t.Errorf("swept %+v, %v; want told %t", swept, err, told)
		}
	}
	text := func(name, want string) {
		t.Helper()
		_, got, open := s.Document(path(name))
		if !open {
			got = []byte("closed")
		}
		if string(got) != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	sweep(true, path("b.toy"))
	text("a.toy", "on disk\n")
	text("b.toy", "given")
	text("c.toy", "closed")
	sweep(true)
	text("b.toy", "also\n")
	sweep(false)

	// A file that became what is open already is no news to its reader.
	if _, err := s.Sync(path("a.toy"), []byte("next\n")); err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, path("a.toy"), "next\n")
	version, _, _ := s.Document(path("a.toy"))
	if _, err := w.Sweep(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if again, _, _ := s.Document(path("a.toy")); again != version {
		t.Errorf("version %d became %d without a change", version, again)
	}
	if err := os.Remove(path("a.toy")); err != nil {
		t.Fatal(err)
	}
	sweep(true)
	text("a.toy", "closed")
}
