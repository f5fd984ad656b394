package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// The program runs the command of its arguments in the current folder and with the environment of the process, and
// prints without colours where nobody sees them.
func TestProgramOfTheProcess(t *testing.T) {
	s := newShop(t, "-- a.toy --\nERROR bad\n", lsptest.Script{})
	t.Chdir(s.root)
	home := filepath.Dir(s.configFile)
	for name, value := range map[string]string{
		"HOME": home, "USERPROFILE": home, "XDG_CONFIG_HOME": home, "LSPINE_DAEMON": "never", "LSPINE_EVIDENCE": "off", "NO_COLOR": "", "TERM": "xterm",
	} {
		t.Setenv(name, value)
	}
	in, out, errs := os.Stdin, os.Stdout, os.Stderr
	t.Cleanup(func() { os.Stdin, os.Stdout, os.Stderr = in, out, errs })
	main := func(args ...string) outcomeOf {
		t.Helper()
		dir := t.TempDir()
		var files []*os.File
		for _, name := range []string{"in", "out", "err"} {
			f, err := os.Create(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			files = append(files, f)
		}
		os.Stdin, os.Stdout, os.Stderr = files[0], files[1], files[2]
		code := Main(append([]string{"lspine", "--config", s.configFile}, args...))
		os.Stdin, os.Stdout, os.Stderr = in, out, errs
		return outcomeOf{code, read(t, files[1].Name()), read(t, files[2].Name())}
	}
	want := outcomeOf{exitDiagnostics, "a.toy:1:1: error: bad\n", "lspine: 1 error (1 file checked)\n"}
	if diff := cmp.Diff(want, main("check", "a.toy"), cmp.AllowUnexported(outcomeOf{})); diff != "" {
		t.Errorf("check (-want +got):\n%s", diff)
	}
	t.Setenv("LSPINE_LSP", "false")
	if diff := cmp.Diff(outcomeOf{exitClean, "LSP disabled by configuration\n", ""}, main("status"), cmp.AllowUnexported(outcomeOf{})); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
}
