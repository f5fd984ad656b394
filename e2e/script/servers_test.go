package script

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A server for which something is missing that nothing can provide is left out, in one line
// that says so; where it is required, that is an error. What can be had is not mentioned.
func TestServersThatCannotBeHad(t *testing.T) {
	bare := t.TempDir() // a machine without Debian's tools, cargo and java
	for _, name := range []string{"bash", "sh", "awk", "sed", "head", "tail", "tr", "uname", "dirname", "mkdir", "mktemp", "mkfifo", "rm", "cat", "ls"} {
		if path, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(path, filepath.Join(bare, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		ids, required string
		says          []string
		fails         bool
	}{
		{"rust-analyzer jdtls", "", []string{
			"rust-analyzer: left out with its tests: apt-get, which it is unpacked by, is not on PATH",
			"jdtls: left out with its tests: java is not on PATH",
		}, false},
		{"jdtls", "pyright,jdtls", []string{"jdtls is required here, and java is not on PATH"}, true},
		{"jdtls", "all", []string{"jdtls is required here, and java is not on PATH"}, true},
		{"jdtls", "jdt", []string{"jdtls: left out with its tests: java is not on PATH"}, false},
		{"nothing-like-it", "", []string{"unknown server nothing-like-it; scripts/servers --list names them"}, true},
	} {
		cmd := exec.Command(filepath.Join(bare, "bash"), append([]string{"../../scripts/servers"}, strings.Fields(c.ids)...)...)
		cmd.Env = []string{"PATH=" + bare, "LSPINE_CACHE=" + t.TempDir(), "LSPINE_REQUIRE_SERVERS=" + c.required}
		output, err := cmd.CombinedOutput()
		if diff := cmp.Diff(c.says, strings.Split(strings.TrimSpace(string(output)), "\n")); diff != "" || (err != nil) != c.fails {
			t.Errorf("%s, required %q: %v %s", c.ids, c.required, err, diff)
		}
	}
}
