package dependants_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// What a server sees of the disk decides what it can be shown: other files as saved, files that are
// gone, or nothing but the disk.
func TestWhatServersSeeOfTheDisk(t *testing.T) {
	root := lsptest.Workspace(t, "-- a/package.json --\n{}\n-- a/src/one.toy --\n-- a/src/two.toy --\n-- b/package.json --\n{}\n-- b/three.toy --\n-- four.toy --\n")
	pull := registry.Diagnostics{Strategies: []registry.Strategy{registry.Pull}}
	whole := registry.Diagnostics{Strategies: pull.Strategies, Disk: &registry.DiskCheck{Whole: true}}
	servers := registry.Table{
		{ID: "shown", Diagnostics: pull},
		{ID: "saved", Diagnostics: pull, Quirks: []registry.Quirk{registry.ReadsSaved}},
		{ID: "silent"}, // without a strategy it says nothing before a file is saved
		{ID: "finds", Diagnostics: pull, Quirks: []registry.Quirk{registry.FindsSaved}},
		{ID: "packages", Diagnostics: pull, Quirks: []registry.Quirk{registry.FindsPackagesSaved}},
		{ID: "disk", Role: registry.Primary, Diagnostics: whole},
		{ID: "adds", Diagnostics: registry.Diagnostics{Strategies: pull.Strategies, Disk: &registry.DiskCheck{}}},
		{ID: "linter", Role: registry.DiagnosticsOnly, Diagnostics: whole},
	}
	collector := diagnostics.New(diagnostics.Options{})
	t.Cleanup(collector.Close)
	f := dependants.New(dependants.Options{Collector: collector, Config: &config.Config{Servers: servers}})
	type sees struct{ AwaitsSave, ReadsDisk, MissesSibling, MissesOtherPackage, MissesNothing, JudgesDisk, Reported bool }
	for id, want := range map[string]sees{
		"shown":    {},
		"saved":    {AwaitsSave: true, ReadsDisk: true},
		"silent":   {AwaitsSave: true, ReadsDisk: true},
		"finds":    {MissesSibling: true, MissesOtherPackage: true},
		"packages": {MissesOtherPackage: true},
		"disk":     {AwaitsSave: true, JudgesDisk: true},
		"adds":     {AwaitsSave: true},
		"linter":   {AwaitsSave: true},
		"unknown":  {AwaitsSave: true, ReadsDisk: true},
	} {
		one := diagnostics.File{Path: filepath.Join(root, "a", "src", "one.toy"), Sources: []diagnostics.Source{{Key: diagnostics.Key{ID: "shown"}}, {Key: diagnostics.Key{ID: id}}}}
		misses := func(gone ...string) bool { return f.MissesGone(one, gone) }
		got := sees{
			AwaitsSave: f.AwaitsSave(one), ReadsDisk: f.ReadsDisk(one), JudgesDisk: f.JudgesDisk(id), Reported: f.JudgedOnDisk(&one),
			MissesSibling: misses(filepath.Join(root, "a", "src", "two.toy")), MissesNothing: misses(),
			MissesOtherPackage: misses(filepath.Join(root, "a", "src", "two.toy"), filepath.Join(root, "b", "three.toy")),
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
	if none := (diagnostics.File{Path: filepath.Join(root, "four.toy")}); f.JudgedOnDisk(&none) || f.ReadsDisk(none) {
		t.Error("a file without servers is judged from disk")
	}
}

// What a server published tells what was wrong before a change only of a file that was closed.
func TestReportsFromBefore(t *testing.T) {
	for _, c := range []struct{ reported, closed bool }{{true, true}, {true, false}, {false, true}} {
		if got := dependants.Reports(diagnostics.File{Reported: c.reported, Closed: c.closed}); got != (c.reported && c.closed) {
			t.Errorf("reported %t, closed %t: %t", c.reported, c.closed, got)
		}
	}
}
