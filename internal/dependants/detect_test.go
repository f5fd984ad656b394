package dependants

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// What a search knows of the servers of files stays as it was, also when the marker of their project goes, until it is
// told to look anew.
func TestServersAreLookedForAnew(t *testing.T) {
	d := lsptest.Script{}.Definition(t)
	d.SingleFile = false
	root := lsptest.Workspace(t, lsptest.Project)
	w, err := workspace.Open(workspace.Options{Root: root, Servers: registry.Table{d}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(context.Background()) })
	search := &Search{Finder: &Finder{shared: &shared{workspace: w}}, detection: w.Detection()}
	available := func() bool {
		c := search.Detection().Candidates(filepath.Join(root, "main.toy"))
		return len(c) == 1 && c[0].Unavailable == nil
	}
	got := map[string]bool{"at first": available()}
	if err := os.Remove(filepath.Join(root, "toy.root")); err != nil {
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
