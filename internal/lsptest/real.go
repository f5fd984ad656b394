package lsptest

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/registry"
)

// required is the environment variable with the ids of the servers that must be
// there. The project's own runs set it.
const required = "LSPINE_REQUIRE_SERVERS"

// Skip skips a test that the machine cannot run, or fails it where nothing may
// be missing: in the project's own runs, which name the servers they require.
func Skip(t testing.TB, why string) {
	t.Helper()
	if os.Getenv(required) != "" {
		t.Fatal("cannot run here: ", why)
	}
	t.Skip(why)
}

// NeedProcessorTime is for tests of what depends on the processor time of a server: unless it is known,
// they are skipped on systems that do not tell it, and fail on Linux and Windows, which do.
func NeedProcessorTime(t testing.TB, known bool) {
	t.Helper()
	if known {
		return
	}
	const why = "the processor time of a server is not known"
	if runtime.GOOS == "linux" || runtime.GOOS == "windows" {
		t.Fatal(why)
	}
	Skip(t, why)
}

// Compiler returns the path of a compiler of the machine that the answers of a server are
// held against. One that is missing skips the test, or fails it if LSPINE_REQUIRE_SERVERS
// names the server.
func Compiler(t testing.TB, id, command string) string {
	t.Helper()
	if err := toolsOnPath(); err != nil {
		t.Fatal(err)
	}
	path, err := exec.LookPath(command)
	switch {
	case err != nil && isRequired(id):
		t.Fatalf("%s is required here, and there is no %s to hold it against", id, command)
	case err != nil:
		t.Skipf("there is no %s to hold %s against", command, id)
	}
	return path
}

// Require returns the path of the real server with the id, and puts the
// checkout's .tools/bin at the head of PATH for the whole test process. A
// server that is missing skips the test, or fails it if the comma list
// LSPINE_REQUIRE_SERVERS names the id.
func Require(t testing.TB, id string) string {
	t.Helper()
	d, known := registry.Builtin().Get(id)
	if !known {
		t.Fatalf("the registry has no server %q", id)
	}
	if err := toolsOnPath(); err != nil {
		t.Fatal(err)
	}
	for _, c := range d.Commands {
		if path, err := exec.LookPath(c.Binary); err == nil && fitsPackage(path, c.Package) {
			return path
		}
	}
	if isRequired(id) {
		t.Fatalf("%s is required here, and not installed; run: make servers", id)
	}
	t.Skipf("%s is not installed; run: make servers", id)
	return ""
}

// Find is Require for a server that is started by a program of its own, whatever
// the registry says: it returns the path of that, or why it is not to be tested.
// LSPINE_REQUIRE_SERVERS=all requires every one.
func Find(t testing.TB, id, program string) (path, why string) {
	t.Helper()
	if err := toolsOnPath(); err != nil {
		t.Fatal(err)
	}
	list := os.Getenv(required)
	if list != "" && list != "all" && !isRequired(id) {
		return "", "not required here"
	}
	path, err := exec.LookPath(program)
	if err != nil && list != "" {
		t.Fatalf("%s is required here, and not installed; run: scripts/servers %s", id, id)
	}
	if err != nil {
		return "", "not installed"
	}
	return path, ""
}

func isRequired(id string) bool {
	return slices.Contains(strings.Split(os.Getenv(required), ","), id)
}

var toolsOnPath = sync.OnceValue(func() error {
	root, err := checkout()
	if err != nil {
		return err
	}
	path := filepath.Join(root, ".tools", "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	// cargo looks for what nobody needs in the net otherwise.
	return errors.Join(os.Setenv("PATH", path), os.Setenv("CARGO_NET_OFFLINE", "true"))
})

// checkout returns the directory of the go.mod above the current directory,
// which for a test is that of its package.
func checkout() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", os.ErrNotExist
		}
		dir = parent
	}
}

// fitsPackage reports whether the nearest package.json above the resolved
// binary meets the condition; no condition is always met.
func fitsPackage(binary string, want *registry.Package) bool {
	if want == nil {
		return true
	}
	binary, err := fspath.Program(binary)
	if err != nil {
		return false
	}
	for dir := filepath.Dir(binary); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		b, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err != nil {
			continue
		}
		var p struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		}
		if json.Unmarshal(b, &p) != nil || p.Name == "" {
			continue
		}
		head, _, _ := strings.Cut(p.Version, ".")
		major, err := strconv.Atoi(head)
		return err == nil && p.Name == want.Name && major >= want.MinMajor &&
			(want.MaxMajor == 0 || major <= want.MaxMajor)
	}
	return false
}

// Library returns the folder of an npm package that was installed with a program.
func Library(t testing.TB, program, name string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(program)
	if err != nil {
		t.Fatal(err)
	}
	for dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
		found := filepath.Join(dir, "node_modules", name)
		if _, err := os.Stat(filepath.Join(found, "package.json")); err == nil {
			return found
		}
	}
	t.Fatalf("%s is not installed with %s", name, program)
	return ""
}

// Examples are run only where the real server with the id is: a hook for [Main], as an example cannot
// be skipped. Where LSPINE_REQUIRE_SERVERS names it they run, and fail without it.
func Examples(id string) func() {
	return func() {
		if err := toolsOnPath(); err != nil || isRequired(id) {
			return
		}
		d, known := registry.Builtin().Get(id)
		there := known && slices.ContainsFunc(d.Commands, func(c registry.Command) bool {
			_, err := exec.LookPath(c.Binary)
			return err == nil
		})
		if !there {
			_ = flag.Set("test.skip", "^Example")
		}
	}
}
