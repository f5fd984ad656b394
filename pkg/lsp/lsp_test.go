package lsp_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/pkg/lsp"
)

func TestMain(m *testing.M) { lsptest.Main(m, func() { lsp.Supervise(os.Args) }) }

const shop = "-- go.mod --\nmodule example.com/shop\n\ngo 1.24\n-- shop.go --\npackage shop\n\nfunc Sum(a, b int) int { return a + b }\n"

// One server is started, shown a file, and tells what that declares.
func TestOneServer(t *testing.T) {
	binary := lsptest.Require(t, "gopls")
	root := lsptest.Workspace(t, shop)
	definition, known := lsp.Builtin().Get("gopls")
	if !known {
		t.Fatal("gopls is not known")
	}
	server, err := lsp.Start(t.Context(), definition, root, lsp.Options{Binary: binary, Env: os.Environ()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close(context.Background()) }()
	path := filepath.Join(root, "shop.go")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.Sync(path, text); err != nil {
		t.Fatal(err)
	}
	symbols, err := server.Symbols(t.Context(), path)
	if err != nil || len(symbols) != 1 || symbols[0].Name != "Sum" {
		t.Errorf("it declares %+v (%v)", symbols, err)
	}
}

// A workspace says who serves a file, and starts that server; what nobody serves has no candidates.
func TestServersOfAWorkspace(t *testing.T) {
	lsptest.Require(t, "gopls")
	root := lsptest.Workspace(t, shop+"-- notes.unknown --\n")
	w, err := lsp.Open(lsp.WorkspaceOptions{Root: root, Servers: lsp.Builtin(), StateFolder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close(context.Background()) }()
	if list := w.Candidates(filepath.Join(w.Root(), "notes.unknown")); len(list) > 0 {
		t.Errorf("a file of no language is served by %+v", list)
	}
	list := w.Candidates(filepath.Join(w.Root(), "shop.go"))
	if len(list) == 0 || list[0].Definition.ID != "gopls" || list[0].Unavailable != nil {
		t.Fatalf("%+v", list)
	}
	server, err := w.Server(t.Context(), list[0])
	if err != nil || server.Root() != w.Root() || len(w.Statuses()) == 0 {
		t.Errorf("it runs in %v (%v)", server, err)
	}
}
