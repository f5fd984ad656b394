package project

import (
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// A go.work above a root counts only if it uses the module of the root, or one in it.
func TestGoWorkOfOthers(t *testing.T) {
	root := lsptest.Workspace(t, "-- go.work --\ngo 1.23\n\nuse (\n\t.\n\t./other\n)\n-- go.mod --\nmodule around\n-- own/a.go --\n-- tree/go.mod --\nmodule around\n"+
		"-- inner/go.work --\ngo 1.23\n\nuse ./own/part\n-- inner/own/part/go.mod --\nmodule part\n"+
		"-- apart/go.work --\ngo 1.23\n\nuse ./one\n-- apart/one/go.mod --\nmodule one\n-- apart/one/below/a.go --\n-- apart/two/go.mod --\nmodule two\n-- apart/two/go.work.txt --\n-- apart/three/go.work --\ngo 1.23\n"+
		"-- broken/go.work --\nuse (\n-- broken/two/go.mod --\nmodule two\n")
	for name, want := range map[string]bool{"own": false, "tree": true, "inner/own": false, "inner/own/part": false, "apart/two": true, "apart/one/below": false, "apart/three": false, "broken/two": false} {
		if got := IgnoresGoWork(filepath.Join(root, filepath.FromSlash(name)), nil); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if IgnoresGoWork(filepath.Join(root, "apart", "two"), []string{"GOWORK=off"}) {
		t.Error("what the user says does not decide")
	}
}
