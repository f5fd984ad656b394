package fspath_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
)

// What npm, pnpm and yarn write for cmd.exe leads to the program in its package, below their folder
// or beside it; any other script is itself.
func TestProgramsBehindShims(t *testing.T) {
	root := lsptest.Workspace(t, `
-- node_modules/.bin/npm.cmd --
@ECHO off
IF EXIST "%dp0%\node.exe" (
  SET "_prog=%dp0%\node.exe"
) ELSE (
  SET "_prog=node"
)
endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\..\typescript\bin\tsc" %*
-- node_modules/.bin/native.CMD --
@"%dp0%\..\typescript\bin\tsc"   %*
-- node_modules/.bin/pnpm.cmd --
@IF EXIST "%~dp0\node.exe" (
  "%~dp0\node.exe"  "%~dp0\..\typescript\bin\tsc" %*
) ELSE (
  node  "%~dp0\..\typescript\bin\tsc" %*
)
-- global.cmd --
@node  "%~dp0\node_modules\typescript\bin\tsc" %*
-- gone.cmd --
@node  "%~dp0\node_modules\gone\x" %*
-- own.cmd --
@node "%~dp0\x.js"
-- plain --
"%~dp0\node_modules\typescript\bin\tsc" %*
-- node_modules/typescript/bin/tsc --
`)
	got := make(map[string]string)
	for _, name := range []string{
		"node_modules/.bin/npm.cmd", "node_modules/.bin/native.CMD", "node_modules/.bin/pnpm.cmd", "global.cmd", "gone.cmd", "own.cmd", "plain", "node_modules/typescript/bin/tsc",
	} {
		program, err := fspath.Program(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		relative, err := filepath.Rel(root, program)
		if err != nil {
			t.Fatal(err)
		}
		got[name] = filepath.ToSlash(relative)
	}
	const tsc = "node_modules/typescript/bin/tsc"
	want := map[string]string{
		"node_modules/.bin/npm.cmd": tsc, "node_modules/.bin/native.CMD": tsc, "node_modules/.bin/pnpm.cmd": tsc, "global.cmd": tsc,
		"gone.cmd": "gone.cmd", "own.cmd": "own.cmd", "plain": "plain", tsc: tsc,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if program, err := fspath.Program(filepath.Join(root, "none.cmd")); err == nil {
		t.Errorf("what is not there is %s", program)
	}
}
