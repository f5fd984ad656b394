package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A server that must be shown a file to know of it is shown those it would miss, and no others: of a
// folder that had no such file, the first, because the others come with it.
func TestWantsOpen(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, name := range []string{"new/a.toy", "new/b.toy", "new/c.txt", "old/a.toy", "old/b.toy"} {
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// In old, only b.toy is new; a.toy of it was changed.
	var events []protocol.FileEvent
	for name, change := range map[string]protocol.ChangeType{
		"new/a.toy": protocol.Created, "new/b.toy": protocol.Created, "old/b.toy": protocol.Created, "old/a.toy": protocol.Changed,
	} {
		events = append(events, protocol.FileEvent{URI: protocol.URIFromPath(at(name)), Type: change})
	}
	toy := []registry.Language{{ID: "toy", Patterns: []string{".toy"}}}
	changes := map[string]protocol.ChangeType{"created": protocol.Created, "changed": protocol.Changed, "deleted": protocol.Deleted}
	got := make(map[string][]string)
	for _, quirk := range []registry.Quirk{"", registry.OpenChanged, registry.OpenCreated, registry.OpenNewFolders} {
		d := &registry.Definition{Languages: toy, Quirks: []registry.Quirk{quirk}}
		for _, name := range []string{"new/a.toy", "new/b.toy", "new/c.txt", "old/a.toy", "old/b.toy", "gone/a.toy"} {
			for _, how := range []string{"created", "changed", "deleted"} {
				if wantsOpen(d, at(name), changes[how], events) {
					got[string(quirk)] = append(got[string(quirk)], how+" "+name)
				}
			}
		}
	}
	want := map[string][]string{
		"openChanged": {
			"created new/a.toy", "changed new/a.toy", "created new/b.toy", "changed new/b.toy", "created old/a.toy", "changed old/a.toy",
			"created old/b.toy", "changed old/b.toy", "created gone/a.toy", "changed gone/a.toy",
		},
		"openCreated":    {"created new/a.toy", "created new/b.toy", "created old/a.toy", "created old/b.toy", "created gone/a.toy"},
		"openNewFolders": {"created new/a.toy"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
