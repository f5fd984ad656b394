package install

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// A tool runs in the folder of its job, with the environment of the job and what is added to it.
func TestWhereToolsRun(t *testing.T) {
	lsptest.NeedShell(t)
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	j := &job{tool: shell, dir: dir, environ: []string{"OWN=own", "BOTH=own"}}
	got, err := j.output(t.Context(), []string{"BOTH=added"}, "-c", `pwd -P; echo "$OWN $BOTH"`)
	if err != nil {
		t.Fatal(err)
	}
	if want := dir + "\nown added\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
