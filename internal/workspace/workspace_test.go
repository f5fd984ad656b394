package workspace

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
)

func TestMain(m *testing.M) {
	lsptest.Main(m, func() { lsp.Supervise(os.Args) })
}

// open returns a workspace for the files of an archive; it is closed when the
// test ends.
func open(t *testing.T, archive string, opts Options) *Workspace {
	t.Helper()
	if opts.Root == "" {
		opts.Root = lsptest.Workspace(t, archive)
	}
	w, err := Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return w
}

func symlink(t *testing.T, target, link string) {
	t.Helper()
	lsptest.NeedLinks(t)
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
}

func found(name string) (string, error) { return lsptest.Rooted("/opt/bin/" + name), nil }

// A workspace is opened for a folder, by whatever name; nothing else is one.
func TestOpen(t *testing.T) {
	root := lsptest.Workspace(t, "-- a.toy --\n")
	link := filepath.Join(t.TempDir(), "link")
	symlink(t, root, link)
	for _, name := range []string{root, link, filepath.Join(root, "x", "..")} {
		if w := open(t, "", Options{Root: name}); w.Root() != root {
			t.Errorf("the root of %s is %s, want %s", name, w.Root(), root)
		}
	}
	for _, name := range []string{filepath.Join(root, "a.toy"), filepath.Join(root, "missing")} {
		if _, err := Open(Options{Root: name}); err == nil {
			t.Errorf("%s is a workspace", name)
		}
	}
}

// What looks like a secret does not reach a server, unless it is named.
func TestSecretsAreKept(t *testing.T) {
	environ := []string{
		"PATH=/bin", "HOME=/h", "GITHUB_TOKEN=1", "token=1", "AWS_REGION=x", "MY_API_KEY=1", "DB_PASSWORD=a=b", "x_private_key=1",
		"GOOGLE_CREDENTIALS=1", "CLIENT_SECRET=1", "TOKENIZERS=1", "SECRETARY=1", "GOFLAGS=-x", "EMPTY=", "PASS_TOKEN=1",
		"DATABASE_URL=postgres://me:word@host/db", "GITHUB_PAT=1", "PGPASSWORD=1", "OPENAI_KEY=1", "SECRET_KEY_BASE=1", "SSH_AUTH_SOCK=/s", "MYSQL_PWD=1", "NPM_AUTHTOKEN=1",
		"AWS_SECRET_ACCESS_KEY=1", "AWS_CA_BUNDLE=/ca", "AWS_PROFILE=me", "PWD=/w", "OLDPWD=/w", "HTTP_PROXY=http://proxy:80", "GIT_CONFIG_KEY_0=core.fsmonitor", "KEYBOARD=us", "AUTHOR=me", "MINE=1",
	}
	want := map[string]bool{
		"PATH=/bin": true, "HOME=/h": true, "TOKENIZERS=1": true, "SECRETARY=1": true, "GOFLAGS=-x": true, "EMPTY=": true,
		"PASS_TOKEN=1": true, "AWS_REGION=x": true, "AWS_CA_BUNDLE=/ca": true, "AWS_PROFILE=me": true, "PWD=/w": true, "OLDPWD=/w": true,
		"HTTP_PROXY=http://proxy:80": true, "GIT_CONFIG_KEY_0=core.fsmonitor": true, "KEYBOARD=us": true, "AUTHOR=me": true,
	}
	w := open(t, "", Options{Root: t.TempDir(), Environ: environ, Trusted: true, PassEnv: []string{"PASS_TOKEN", "AWS_REGION", "NOT_THERE"}, HideEnv: []string{"MINE", "PASS_TOKEN"}})
	kept := make(map[string]bool)
	for _, v := range w.Finder.Environ() {
		kept[v] = true
	}
	for _, v := range environ {
		if kept[v] != want[v] {
			t.Errorf("%s reaches servers: %t", v, kept[v])
		}
	}
	if len(w.Finder.Environ()) != len(want) {
		t.Errorf("%d variables, want %d: %q", len(w.Finder.Environ()), len(want), w.Finder.Environ())
	}
}
