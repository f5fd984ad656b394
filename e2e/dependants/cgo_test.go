package dependants

import (
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
)

// What is wrong in the C of a Go file is known when the file is edited, and when it is
// mended.
func TestGoFilesWithBrokenC(t *testing.T) {
	e := enginetest.OpenReal(t, "-- go.mod --\nmodule example.com/x\n-- c.go --\npackage x\n\n// static int g(void) { return 1; }\nimport \"C\"\n\nvar G = int(C.g())\n-- d.go --\npackage x\n\nvar H string = \"\" // of a user\n", "gopls")
	if _, err := exec.LookPath("gcc"); err != nil {
		lsptest.Skip(t, "no compiler for C")
	}
	edit := func(before, after string) string {
		t.Helper()
		return enginetest.Do(t, e, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: "c.go", OldText: &before, NewText: &after}}}).Verdict
	}
	var verdicts []string
	for _, change := range [][2]string{
		{"return 1", "return one"},
		{"return one", "return 1"},
		{"int g", "int h"},
		{"int h", "int g"},
		{"// static", "// #include \"nope.h\"\n// static"},
		{"// #include \"nope.h\"\n", ""},
	} {
		verdicts = append(verdicts, edit(change[0], change[1]))
	}
	if diff := cmp.Diff([]string{"new_errors", "clean", "new_errors", "clean", "new_errors", "clean"}, verdicts); diff != "" {
		t.Error(diff)
	}
}
