package dependants

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// What a search knows of the servers of files stays as it was, also when the marker of their project goes, until it is
// told to look anew.
func TestServersAreLookedForAnew(t *testing.T) {
	d := lsptest.Script{}.Definition(t)
	d.SingleFile = false
	w := openProject(t, d, lsptest.Project)
	search := &Search{Finder: &Finder{shared: &shared{workspace: w}}, detection: w.Detection()}
	available := func() bool {
		c := search.Detection().Candidates(filepath.Join(w.Root(), "main.toy"))
		return len(c) == 1 && c[0].Unavailable == nil
	}
	got := map[string]bool{"at first": available()}
	if err := os.Remove(filepath.Join(w.Root(), "toy.root")); err != nil {
		t.Fatal(err)
	}
	got["the marker is gone"] = available()
	search.DetectAnew()
	got["looked anew"] = available()
	want := map[string]bool{"at first": true, "the marker is gone": true, "looked anew": false}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("a server is available (-want +got):\n%s", diff)
	}
}
