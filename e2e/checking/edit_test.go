package checking

import (
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

// breakages are small projects in which one edit breaks a file that nobody opened,
// and in which other errors were there before.
var breakages = []struct {
	server, archive string
	edit            api.FileEdit
	own             string   // file with an older error
	broken          []string // path: part of the message
	// preview is the same in a preview, where servers say it in other words.
	preview []string
}{
	{
		"gopls", `
-- go.mod --
module m

go 1.24
-- lib/lib.go --
package lib

func Sum(a, b int) int { return a + b }

var Old string = 1
-- app/app.go --
package app

import "m/lib"

var Older int = "x"

func Use() int { return lib.Sum(1, 2) }
`,
		enginetest.Replacing("lib/lib.go", "a, b int", "a, b, c int"), "lib/lib.go",
		[]string{"app/app.go: not enough arguments"},
		nil,
	},
	{
		"typescript", scriptProject, enginetest.Replacing("src/lib.ts", "b: number", "b: number, c: number"), "src/lib.ts", []string{"src/app.ts: Expected 3 arguments"}, nil,
	},
	{
		"typescript-language-server", scriptProject, enginetest.Replacing("src/lib.ts", "b: number", "b: number, c: number"), "src/lib.ts", []string{"src/app.ts: Expected 3 arguments"}, nil,
	},
	{
		"pyright", `
-- pyrightconfig.json --
{}
-- lib.py --
def total(a: int, b: int) -> int:
    return a + b


old: int = "x"
-- pkg/app.py --
from lib import total

older: str = 1
print(total(1, 2))
`,
		enginetest.Replacing("lib.py", "b: int)", "b: int, c: int)"), "lib.py",
		[]string{`pkg/app.py: Argument missing for parameter "c"`},
		nil,
	},
	{
		"clangd", `
-- lib.h --
#pragma once
int total(int a, int b);
-- lib.cc --
#include "lib.h"
int old = "x";
int total(int a, int b) { return a + b; }
-- app.cc --
#include "lib.h"
int older = "x";
int use() { return total(1, 2); }
`,
		enginetest.Replacing("lib.h", "int b)", "int b, int c)"), "",
		[]string{"app.cc: No matching function"},
		nil,
	},
	{
		"rust-analyzer", crate + `-- src/lib.rs --
pub mod app;
pub mod total;
-- src/total.rs --
pub fn total(a: i32, b: i32) -> i32 {
    a + b
}

pub const OLD: i32 = "x";
-- src/app.rs --
use crate::total::total;

pub const OLDER: i32 = "x";

pub fn print() -> i32 {
    total(1, 2)
}
`,
		enginetest.Replacing("src/total.rs", "b: i32)", "b: i32, _c: i32)"), "src/total.rs",
		[]string{"src/app.rs: this function takes 3 arguments but 2 arguments were supplied"},
		[]string{"src/app.rs: expected 3 arguments, found 2"},
	},
	{
		"jdtls", `
-- .project --
<?xml version="1.0" encoding="UTF-8"?>
<projectDescription><name>m</name>
<buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec>
<natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>
-- .classpath --
<?xml version="1.0" encoding="UTF-8"?>
<classpath><classpathentry kind="src" path="src"/>
<classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/>
<classpathentry kind="output" path="bin"/></classpath>
-- src/lib/Sum.java --
package lib;

public class Sum {
    static int old = "x";

    public static int total(int a, int b) {
        return a + b;
    }
}
-- src/app/App.java --
package app;

import lib.Sum;

public class App {
    int older = "x";

    int use() {
        return Sum.total(1, 2);
    }
}
`,
		enginetest.Replacing("src/lib/Sum.java", "int b)", "int b, int c)"), "src/lib/Sum.java",
		[]string{"src/app/App.java: The method total(int, int, int) in the type Sum is not applicable"},
		nil,
	},
}

const scriptProject = `
-- tsconfig.json --
{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler"}, "include": ["src"]}
-- src/lib.ts --
export function total(a: number, b: number): number {
  return a + b;
}
export const old: string = 1;
-- src/app.ts --
import { total } from "./lib";
export const older: number = "x";
console.log(total(1, 2));
`

// reversed takes a replacement back.
func reversed(f api.FileEdit) api.FileEdit {
	return api.FileEdit{File: f.File, OldText: f.NewText, NewText: f.OldText}
}

// An edit reports what it broke in files that nobody opened, and nothing that was
// broken before; taking it back reports that as fixed; a preview says the same and
// writes nothing.
func TestEditReportsWhatItBroke(t *testing.T) {
	for _, c := range breakages {
		t.Run(c.server, func(t *testing.T) {
			s := enginetest.OpenReal(t, c.archive, c.server)
			if c.server == "clangd" {
				s.Write("compile_commands.json", strings.ReplaceAll(`[{"directory":"ROOT","command":"c++ -I. -c lib.cc","file":"lib.cc"},
					{"directory":"ROOT","command":"c++ -I. -c app.cc","file":"app.cc"}]`, "ROOT", s.Folder))
			}
			result := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{c.edit}, Writing: api.Writing{Limits: api.Limits{TimeoutMS: 60_000}}})
			enginetest.ExpectBroken(t, result, c.broken)
			if !result.Applied || result.Verdict != "new_errors" {
				t.Errorf("applied %t, %s", result.Applied, result.Verdict)
			}
			for _, f := range result.Files {
				if f.Path == c.own && (len(f.Diagnostics) != 0 || f.Older != 1) {
					t.Errorf("%s: %+v", f.Path, f)
				}
			}
			back := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{reversed(c.edit)}})
			enginetest.ExpectBroken(t, back, nil)
			if len(back.Others) != len(c.broken) {
				t.Errorf("fixed in others: %+v", back.Others)
			}
			preview := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{c.edit}, Writing: api.Writing{Mode: "preview"}})
			if c.preview != nil {
				enginetest.ExpectBroken(t, preview, c.preview)
			} else {
				enginetest.ExpectBroken(t, preview, c.broken)
			}
			if preview.Applied || !strings.Contains(preview.Diff, *c.edit.NewText) || strings.Contains(s.Read(c.edit.File), *c.edit.NewText) {
				t.Errorf("preview: %s\n%s", preview.Diff, s.Read(c.edit.File))
			}
			enginetest.ExpectBroken(t, enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{c.edit}}), c.broken)
		})
	}
}
