package engine

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsptest"
)

// Where every file is named absolutely, the folders above the workspace do not make
// its files tests, and names that were relative become whole.
func TestAbsoluteNames(t *testing.T) {
	root := filepath.Join(lsptest.Workspace(t, "-- tests/project/main.py --\n"), "tests", "project")
	cfg, _ := config.Load(config.Options{Root: root, Environ: []string{}})
	e, err := New(Options{Root: root, Config: cfg, State: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(t.Context()) })
	abroad := e.namingAbsolutely()
	type names struct {
		Relative, FromRoot string
		Shown              []string
		Main, Test         bool
	}
	of := func(e *Engine) names {
		main, test := filepath.Join(root, "main.py"), filepath.Join(root, "main_test.py")
		return names{e.relative(main), e.fromRoot(main), e.shown([]string{"a/b.py", "/c.py"}), e.isTest(e.relative(main)), e.isTest(e.relative(test))}
	}
	main := filepath.Join(root, "main.py")
	if diff := cmp.Diff(names{"main.py", "main.py", []string{"a/b.py", "/c.py"}, false, true}, of(e)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(names{main, main, []string{filepath.Join(root, "a", "b.py"), "/c.py"}, false, true}, of(abroad)); diff != "" {
		t.Error(diff)
	}
}
