package script

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/lspine/lspine/internal/cli"
	"github.com/lspine/lspine/internal/lsptest"
)

func TestMain(m *testing.M) {
	lsptest.NoDaemon()
	lsptest.Trusting()
	testscript.Main(m, map[string]func(){
		"lspine": func() { os.Exit(cli.Main(os.Args)) },
	})
}

// TestStories runs every archive in testdata. The first words of an archive are
// the servers it needs; its comment says what it proves.
func TestStories(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, archive := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(archive), ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(archive)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(string(text), "\n")
			for _, server := range strings.Fields(strings.TrimPrefix(first, "# needs:")) {
				lsptest.Require(t, server)
			}
			testscript.Run(t, testscript.Params{
				Files:               []string{archive},
				RequireExplicitExec: true,
				Setup: func(e *testscript.Env) error {
					// The servers' caches outlive a story, its settings do not.
					e.Setenv("HOME", e.WorkDir+"/home")
					e.Setenv("LSPINE_DAEMON", os.Getenv("LSPINE_DAEMON"))
					e.Setenv("LSPINE_TRUST", os.Getenv("LSPINE_TRUST"))
					for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOFLAGS"} {
						e.Setenv(name, goEnv(t, name))
					}
					lspine, err := exec.LookPath("lspine")
					if err != nil {
						return err
					}
					e.Setenv("LSPINE", lspine)
					e.Setenv("STORE", storeOfFiles(t))
					return os.Mkdir(e.WorkDir+"/home", 0o755)
				},
			})
		})
	}
}

// storeOfFiles serves a store in which PUT keeps files for whoever has the token, and returns its address.
func storeOfFiles(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := filepath.Join(root, filepath.Base(r.URL.Path))
		switch {
		case r.Header.Get("Authorization") != "Bearer of the team":
			w.WriteHeader(http.StatusForbidden)
		case r.Method == http.MethodPut:
			text, err := io.ReadAll(r.Body)
			if err == nil {
				err = os.WriteFile(name, text, 0o600)
			}
			if err != nil {
				w.WriteHeader(http.StatusInternalServerError)
			}
		default:
			http.ServeFile(w, r, name)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	output, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(output))
}

// TestKilled proves that nothing is left when lspine itself is killed with
// SIGKILL while node, which pyright runs in, is at work.
func TestKilled(t *testing.T) {
	lsptest.Require(t, "pyright")
	root := lsptest.Workspace(t, "-- pyrightconfig.json --\n{}\n-- a.py --\nx: int = \"no\"\n")
	lspine := exec.Command("lspine", "check", "--root", root, filepath.Join(root, "a.py"))
	if path, err := exec.LookPath("lspine"); err != nil {
		t.Fatal(err)
	} else {
		lspine.Path = path
	}
	marker := "LSPTEST_KILLED=" + root
	lspine.Env = append(os.Environ(), marker)
	if err := lspine.Start(); err != nil {
		t.Fatal(err)
	}
	started := func() bool {
		for _, p := range lsptest.Marked(t, marker) {
			if strings.Contains(p.Command, "pyright-langserver") && !strings.Contains(p.Command, "__exec") {
				return true
			}
		}
		return false
	}
	lsptest.Eventually(t, 30*time.Second, started, "pyright does not start")
	if err := lspine.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = lspine.Wait()
	lsptest.Eventually(t, 10*time.Second, func() bool { return len(lsptest.Marked(t, marker)) == 0 },
		"left behind: %v", lsptest.Marked(t, marker))
}
