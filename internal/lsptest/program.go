package lsptest

import (
	"os/exec"
	"testing"
)

// Program returns the path of a program that is no server, such as an indexer or a browser, which a command installs, and puts the checkout's .tools/bin at
// the head of PATH, as [Require] does. One that is missing skips the test, or fails it if LSPINE_REQUIRE_SERVERS names it.
func Program(t testing.TB, name, install string) string {
	t.Helper()
	if err := toolsOnPath(); err != nil {
		t.Fatal(err)
	}
	path, err := exec.LookPath(name)
	switch {
	case err != nil && isRequired(name):
		t.Fatalf("%s is required here, and not installed; run: %s", name, install)
	case err != nil:
		t.Skipf("%s is not installed; run: %s", name, install)
	}
	return path
}
