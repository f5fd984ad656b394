package lsptest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/registry"
)

// outcome records how a test would have ended. Its methods return, so it is
// only for code whose last step is the one that ends the test.
type outcome struct {
	testing.TB
	said     string
	cleanups []func()
}

func (o *outcome) Cleanup(f func()) { o.cleanups = append(o.cleanups, f) }

// end does what testing does after a test.
func (o *outcome) end() {
	for _, f := range slices.Backward(o.cleanups) {
		f()
	}
}

func (o *outcome) Helper()                   {}
func (o *outcome) Fatalf(f string, _ ...any) { o.said += "fatal: " + f; panic(o) }
func (o *outcome) Skipf(f string, _ ...any)  { o.said += "skip: " + f; panic(o) }
func (o *outcome) Errorf(f string, _ ...any) { o.said += "error: " + f }
func (o *outcome) run(f func(testing.TB)) string {
	defer func() { _ = recover() }()
	f(o)
	return o.said
}

func ends(f func(testing.TB)) string {
	o := &outcome{}
	o.run(f)
	return o.said
}

// A missing server skips the test with the command that installs it, and fails
// it where it is required.
func TestRequireMissing(t *testing.T) {
	if err := toolsOnPath(); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir())
	require := func(t testing.TB) { Require(t, "gopls") }
	t.Setenv("LSPINE_REQUIRE_SERVERS", "pyright")
	if got := ends(require); !strings.HasPrefix(got, "skip:") || !strings.Contains(got, "make servers") {
		t.Errorf("not required: %q", got)
	}
	t.Setenv("LSPINE_REQUIRE_SERVERS", "pyright,gopls")
	if got := ends(require); !strings.HasPrefix(got, "fatal:") || !strings.Contains(got, "make servers") {
		t.Errorf("required: %q", got)
	}
	if got := ends(func(t testing.TB) { Require(t, "goopls") }); !strings.HasPrefix(got, "fatal:") {
		t.Errorf("unknown: %q", got)
	}
}

// A missing compiler skips what it would judge, by name, and fails where the server is
// required whose answers it judges.
func TestCompilerMissing(t *testing.T) {
	if err := toolsOnPath(); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir())
	compiler := func(t testing.TB) { Compiler(t, "clangd", "c++") }
	t.Setenv("LSPINE_REQUIRE_SERVERS", "gopls")
	if got := ends(compiler); got != "skip: there is no %s to hold %s against" {
		t.Errorf("not required: %q", got)
	}
	t.Setenv("LSPINE_REQUIRE_SERVERS", "gopls,clangd")
	if got := ends(compiler); !strings.HasPrefix(got, "fatal: %s is required here") {
		t.Errorf("required: %q", got)
	}
}

// A binary counts only if the package it belongs to is the wanted one.
func TestRequireLooksAtThePackage(t *testing.T) {
	root := Workspace(t, `
-- node_modules/typescript/package.json --
{"name":"typescript","version":"5.9.3"}
-- node_modules/typescript/lib/package.json --
{"type":"commonjs"}
-- node_modules/typescript/lib/tsc --
`)
	NeedLinks(t)
	link := filepath.Join(root, "tsc")
	if err := os.Symlink(filepath.Join(root, "node_modules/typescript/lib/tsc"), link); err != nil {
		t.Fatal(err)
	}
	for want, p := range map[bool]*registry.Package{
		true:  {Name: "typescript", MaxMajor: 5},
		false: {Name: "typescript", MinMajor: 7},
	} {
		if got := fitsPackage(link, p); got != want {
			t.Errorf("%+v: %t", *p, got)
		}
	}
}

// An archive becomes files below a real path; nothing gets outside.
func TestWorkspace(t *testing.T) {
	root := Workspace(t, "a comment\n-- a/b.toy --\ndef x\n-- toy.root --\n")
	if b, err := os.ReadFile(filepath.Join(root, "a", "b.toy")); err != nil || string(b) != "def x\n" {
		t.Errorf("%q, %v", b, err)
	}
	if real, err := filepath.EvalSymlinks(root); err != nil || real != root {
		t.Errorf("%s is really %s, %v", root, real, err)
	}
	o := &outcome{TB: t}
	if got := o.run(func(t testing.TB) { Workspace(t, "-- ../x --\n") }); !strings.HasPrefix(o.said, "fatal:") {
		t.Errorf("outside: %q", got)
	}
}
