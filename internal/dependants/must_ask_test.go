package dependants

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// openProject opens a project for its only server.
func openProject(t *testing.T, d registry.Definition, archive string) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(workspace.Options{Root: lsptest.Workspace(t, archive), Servers: registry.Table{d}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(context.Background()) })
	return w
}

// Who uses a file must be asked unless its server reports on users by itself: of one that reads the
// disk that is so only once the change is there.
func TestWhoseUsersMustBeAskedFor(t *testing.T) {
	type answer struct{ Drafted, OnDisk bool }
	for name, c := range map[string]struct {
		reports registry.ClosedFiles
		disk    *registry.DiskCheck
		want    answer
	}{
		"only what it is asked":     {registry.ClosedOpen, nil, answer{true, true}},
		"everything":                {registry.ClosedPushes, nil, answer{false, false}},
		"everything, from the disk": {registry.ClosedPushes, &registry.DiskCheck{}, answer{true, false}},
	} {
		d := lsptest.Script{}.Definition(t)
		d.Diagnostics.ClosedFiles, d.Diagnostics.Disk = c.reports, c.disk
		w := openProject(t, d, lsptest.Project)
		search, lib := &Search{detection: w.Detection()}, filepath.Join(w.Root(), "lib.toy")
		got := answer{Drafted: search.MustAsk(lib)}
		search.ToDisk()
		got.OnDisk = search.MustAsk(lib)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if search.MustAsk(filepath.Join(w.Root(), "notes.txt")) {
			t.Errorf("%s: a file without a server has users to be asked for", name)
		}
	}
}
