package registry

import (
	"slices"
	"testing"
)

// Of each entry it is said what its server runs of a project and how that is known, in one list only; what is restrained is
// restrained by something, or runs nothing without more.
func TestEveryEntrySaysWhatItRuns(t *testing.T) {
	table := Builtin()
	for id := range executing {
		if !IsBuiltin(id) || slices.Contains(readers, id) {
			t.Errorf("%s is no entry, or also said to run nothing", id)
		}
	}
	for _, id := range readers {
		if !IsBuiltin(id) {
			t.Errorf("%s is no entry", id)
		}
	}
	for _, d := range table {
		e := d.Executes
		if e.What == "" || e.Source == "" {
			t.Errorf("%s: %+v", d.ID, e)
		}
		runs := e.What == ExecutesLibraries || e.What == ExecutesBuilds
		if runs != (e.How != "") || !runs && e.Restraint != nil {
			t.Errorf("%s runs %q: %q", d.ID, e.What, e.How)
		}
	}
}

// A restrained server has other options, settings and variables, and makes no check of the disk; the entry that it was made from
// stays as it is.
func TestRestrainedDefinition(t *testing.T) {
	d, _ := Builtin().Get("rust-analyzer")
	r := d.Restrained()
	for name, differ := range map[string]bool{
		"options": string(r.InitializationOptions) != string(d.InitializationOptions), "settings": string(r.Settings) != string(d.Settings),
		"variables": len(r.Env) > len(d.Env), "check": d.Diagnostics.Disk != nil && r.Diagnostics.Disk == nil,
	} {
		if !differ {
			t.Errorf("the same %s", name)
		}
	}
	if again, _ := Builtin().Get("rust-analyzer"); string(again.Settings) != string(d.Settings) {
		t.Error("the entry changed")
	}
}
