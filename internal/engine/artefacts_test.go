package engine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsptest"
)

// The exchange folder is outside of the workspace. Only the command line reads and writes there, and only files that it has put there.
func TestExchangeFolderIsForTheCommandLine(t *testing.T) {
	state := t.TempDir()
	exchange := filepath.Join(state, api.ExchangeFolder)
	there, link := filepath.Join(exchange, "THERE"), filepath.Join(exchange, "LINK")
	lsptest.WriteFile(t, there, "")
	lsptest.WriteFile(t, filepath.Join(exchange, "sub", "FILE"), "")
	if err := os.Symlink(there, link); err != nil {
		link = filepath.Join(exchange, "NONE") // some users may make no links on Windows
	}
	cfg, problems := config.Load(config.Options{Environ: []string{"LSPINE_TRUST=always"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	e, err := New(Options{Root: t.TempDir(), Config: cfg, State: state})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close(t.Context()) }()
	got := make(map[[2]string]bool)
	for _, client := range []string{"cli", "", "mcp", "mcp/cli", "service", "service/cli", "ui", "hook"} {
		for _, path := range []string{there, filepath.Join(exchange, "NEW"), link, filepath.Join(exchange, "sub", "FILE"), exchange} {
			if resolved, err := e.forCaller(api.Call{Client: client}).resolveArtefact(path); err == nil {
				got[[2]string{client, resolved}] = true
			}
		}
	}
	if diff := cmp.Diff(map[[2]string]bool{{"cli", there}: true}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
