package simulation

import (
	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

// A project is a small program with a file that others use, and edits to judge, each by itself. An
// older error is in it that no edit makes.
type project struct {
	server, archive string
	edits           []edition
	// anew says that each edit is checked by a server of its own: clangd 22 now and then never
	// answers again after files under its documents came and went.
	anew bool
}

// An edition is what one session changes.
type edition struct {
	name string
	list []api.FileEdit
	// disk says that the server sees it only on disk: in memory it is not known.
	disk bool
}

var (
	replacing = enginetest.Replacing
	writing   = enginetest.Writing
)

func deleting(file string) api.FileEdit { return api.FileEdit{File: file, Delete: true} }

func moving(file, to string) api.FileEdit { return api.FileEdit{File: file, RenameTo: to} }

var goProject = project{server: "gopls", archive: `
-- go.mod --
module m

go 1.24
-- lib/lib.go --
package lib

func Sum(a, b int) int { return a + b }

func Half(a int) int { return a / 2 }

var Old string = 1
-- lib/more.go --
package lib

func Both(a int) int { return Sum(a, Half(a)) }
-- app/app.go --
package app

import "m/lib"

func Use() int { return lib.Sum(1, 2) }
-- app/two.go --
package app

import "m/lib"

var two = lib.Half(4) + Use()
-- cmd/main.go --
package main

import "m/lib"

func main() { println(lib.Both(3)) }
`, edits: []edition{
	{"own error", []api.FileEdit{replacing("app/app.go", "lib.Sum(1, 2)", `lib.Sum(1, "2")`)}, false},
	{"signature", []api.FileEdit{replacing("lib/lib.go", "a, b int", "a, b, c int")}, false},
	{"two files", []api.FileEdit{replacing("lib/lib.go", "a, b int", "a, b, c int"), replacing("app/app.go", "1, 2", "1, 2, 3")}, false},
	{"whole", []api.FileEdit{replacing("lib/lib.go", "Sum(a, b int)", "Sum(a, b, c int)"), replacing("app/app.go", "1, 2", "1, 2, 3"), replacing("lib/more.go", "Half(a))", "Half(a), 0)")}, false},
	{"mended", []api.FileEdit{replacing("lib/lib.go", "var Old string = 1", "var Old = 1")}, false},
	{"new file", []api.FileEdit{writing("lib/new.go", "package lib\n\nfunc New() int { return Sum(1, 2) }\n"), replacing("cmd/main.go", "lib.Both(3)", "lib.New()")}, false},
	{"new file that is wrong", []api.FileEdit{writing("lib/new.go", "package lib\n\nfunc New() string { return Sum(1, 2) }\n"), replacing("cmd/main.go", "lib.Both(3)", "lib.News()")}, false},
	{"five files", []api.FileEdit{
		replacing("lib/lib.go", "Half", "Halve"), replacing("lib/more.go", "Half(a))", "Halve(a))"), replacing("app/two.go", "lib.Half(4)", "lib.Half(5)"),
		replacing("cmd/main.go", "3", "4"), replacing("app/app.go", "1, 2", "2, 1"),
	}, false},
	{"deleted", []api.FileEdit{deleting("lib/more.go")}, true},
	{"renamed", []api.FileEdit{moving("app/two.go", "app/zwei.go"), replacing("app/app.go", "Use()", "Used()")}, true},
}}

const scripts = `
-- package.json --
{"name":"t","version":"1.0.0"}
-- tsconfig.json --
{"compilerOptions":{"strict":true,"target":"ES2020","module":"commonjs","noEmit":true},"include":["src/**/*.ts"]}
-- src/lib.ts --
export function sum(a: number, b: number): number { return a + b; }

export function half(a: number): number { return a / 2; }

export const old: string = 1;
-- src/more.ts --
import { half, sum } from "./lib";

export function both(a: number): number { return sum(a, half(a)); }
-- src/app.ts --
import { sum } from "./lib";

export const used = sum(1, 2);
-- src/two.ts --
import { used } from "./app";
import { half } from "./lib";

export const two = half(4) + used;
-- src/main.ts --
import { both } from "./more";

console.log(both(3));
`

func scriptProject(server string) project {
	return project{server: server, archive: scripts, edits: []edition{
		{"own error", []api.FileEdit{replacing("src/app.ts", "sum(1, 2)", `sum(1, "2")`)}, false},
		{"signature", []api.FileEdit{replacing("src/lib.ts", "b: number)", "b: number, c: number)")}, false},
		{"whole", []api.FileEdit{replacing("src/lib.ts", "b: number)", "b: number, c: number)"), replacing("src/app.ts", "1, 2", "1, 2, 3"), replacing("src/more.ts", "half(a))", "half(a), 0)")}, false},
		{"two files", []api.FileEdit{replacing("src/lib.ts", "b: number)", "b: number, c: number)"), replacing("src/app.ts", "1, 2", "1, 2, 3")}, false},
		{"mended", []api.FileEdit{replacing("src/lib.ts", "old: string", "old")}, false},
		{"new file", []api.FileEdit{writing("src/new.ts", "import { sum } from \"./lib\";\n\nexport const fresh = sum(1, 2);\n"), replacing("src/main.ts", "import { both } from \"./more\";", "import { fresh } from \"./new\";\nimport { both } from \"./more\";\nconsole.log(fresh);")}, false},
		{"new file that is wrong", []api.FileEdit{writing("src/new.ts", "import { sum } from \"./lib\";\n\nexport const fresh: string = sum(1, 2);\n")}, false},
		{"five files", []api.FileEdit{
			replacing("src/lib.ts", "function half", "function halve"), replacing("src/more.ts", "import { half, sum }", "import { halve, sum }"), replacing("src/two.ts", "half(4)", "half(5)"),
			replacing("src/main.ts", "3", "4"), replacing("src/app.ts", "1, 2", "2, 1"),
		}, false},
		{"deleted", []api.FileEdit{deleting("src/more.ts")}, true},
		{"renamed", []api.FileEdit{moving("src/lib.ts", "src/base.ts"), replacing("src/app.ts", "./lib", "./base")}, true},
	}}
}

var pythonProject = project{server: "pyright", archive: `
-- pyrightconfig.json --
{}
-- lib.py --
def total(a: int, b: int) -> int:
    return a + b


def half(a: int) -> int:
    return a // 2


old: int = "x"
-- more.py --
from lib import half, total


def both(a: int) -> int:
    return total(a, half(a))
-- pkg/app.py --
from lib import total

used = total(1, 2)
-- pkg/two.py --
from lib import half
from pkg.app import used

two = half(4) + used
-- main.py --
from more import both

print(both(3))
`, edits: []edition{
	{"own error", []api.FileEdit{replacing("pkg/app.py", "total(1, 2)", `total(1, "2")`)}, false},
	{"signature", []api.FileEdit{replacing("lib.py", "b: int)", "b: int, c: int)")}, false},
	{"whole", []api.FileEdit{replacing("lib.py", "b: int)", "b: int, c: int)"), replacing("pkg/app.py", "1, 2", "1, 2, 3"), replacing("more.py", "half(a))", "half(a), 0)")}, false},
	{"two files", []api.FileEdit{replacing("lib.py", "b: int)", "b: int, c: int)"), replacing("pkg/app.py", "1, 2", "1, 2, 3")}, false},
	{"mended", []api.FileEdit{replacing("lib.py", "old: int", "old: str")}, false},
	{"new file", []api.FileEdit{writing("fresh.py", "from lib import total\n\nnew = total(1, 2)\n"), replacing("main.py", "from more", "from fresh import new\nfrom more")}, true},
	{"new file that is wrong", []api.FileEdit{writing("fresh.py", "from lib import total\n\nnew: str = total(1, 2)\n")}, false},
	{"five files", []api.FileEdit{
		replacing("lib.py", "def half", "def halve"), replacing("more.py", "import half, total", "import halve, total"), replacing("pkg/two.py", "half(4)", "half(5)"),
		replacing("main.py", "3", "4"), replacing("pkg/app.py", "1, 2", "2, 1"),
	}, false},
	{"deleted", []api.FileEdit{deleting("more.py")}, true},
	{"renamed", []api.FileEdit{moving("lib.py", "base.py"), replacing("pkg/app.py", "from lib", "from base")}, true},
}}

var cppProject = project{server: "clangd", archive: `
-- lib.h --
#pragma once
int total(int a, int b);
int half(int a);
-- lib.cc --
#include "lib.h"
int old = "x";
int total(int a, int b) { return a + b; }
int half(int a) { return a / 2; }
-- app.cc --
#include "lib.h"
int use() { return total(1, 2); }
-- two.cc --
#include "lib.h"
int two() { return half(4); }
`, edits: []edition{
	{"own error", []api.FileEdit{replacing("app.cc", "total(1, 2)", `total(1, "2")`)}, false},
	{"mended", []api.FileEdit{replacing("lib.cc", `int old = "x"`, "int old = 1")}, false},
	{"body", []api.FileEdit{replacing("two.cc", "half(4)", "half(4, 5)")}, false},
	{"definition", []api.FileEdit{replacing("lib.cc", "return a + b", "return b - a")}, false},
	{"two files", []api.FileEdit{replacing("two.cc", "half(4)", "half()"), replacing("app.cc", "total(1, 2)", "total(1)")}, false},
	{"new file", []api.FileEdit{writing("new.cc", "#include \"lib.h\"\nint fresh() { return half(1, 2); }\n")}, false},
	{"header", []api.FileEdit{replacing("lib.h", "int total(int a, int b)", "int total(int a, int b, int c)")}, false},
	{"header and user", []api.FileEdit{replacing("lib.h", "int total(int a, int b)", "int total(int a, int b, int c)"), replacing("app.cc", "1, 2", "1, 2, 3")}, false},
	{"new header", []api.FileEdit{writing("new.h", "#pragma once\nint fresh();\n"), replacing("app.cc", "#include \"lib.h\"", "#include \"lib.h\"\n#include \"new.h\"\nint g() { return fresh(); }")}, false},
	{"deleted", []api.FileEdit{deleting("lib.h")}, true},
}, anew: true}

// Whatever cargo says is of what is on disk.
var rustProject = project{server: "rust-analyzer", archive: `
-- Cargo.toml --
[package]
name = "m"
version = "0.1.0"
edition = "2021"
-- src/lib.rs --
pub mod app;
pub mod total;
-- src/total.rs --
pub fn total(a: i32, b: i32) -> i32 {
    a + b
}

pub fn half(a: i32) -> i32 {
    a / 2
}
-- src/app.rs --
use crate::total::total;

pub fn used() -> i32 {
    total(1, 2)
}
`, edits: []edition{
	{"own error", []api.FileEdit{replacing("src/app.rs", "total(1, 2)", `total(1, "2")`)}, true},
	{"signature", []api.FileEdit{replacing("src/total.rs", "b: i32)", "b: i32, _c: i32)")}, true},
	{"whole", []api.FileEdit{replacing("src/total.rs", "b: i32)", "b: i32, _c: i32)"), replacing("src/app.rs", "1, 2", "1, 2, 3")}, true},
	{"new file", []api.FileEdit{writing("src/fresh.rs", "pub fn fresh() -> i32 {\n    crate::total::half(2)\n}\n"), replacing("src/lib.rs", "pub mod app;", "pub mod app;\npub mod fresh;")}, true},
	{"new file that is wrong", []api.FileEdit{writing("src/fresh.rs", "pub fn fresh() -> i32 {\n    \"x\"\n}\n"), replacing("src/lib.rs", "pub mod app;", "pub mod app;\npub mod fresh;")}, true},
	{"two files", []api.FileEdit{replacing("src/total.rs", "fn half(a: i32)", "fn half(a: i64)"), replacing("src/app.rs", "1, 2", "2, 1")}, true},
	{"five changes", []api.FileEdit{
		replacing("src/total.rs", "fn total", "fn sum"), replacing("src/app.rs", "total::total", "total::sum"), replacing("src/app.rs", "total(1, 2)", "sum(1, 2)"),
		replacing("src/lib.rs", "pub mod app;", "pub mod app;\npub mod more;"), writing("src/more.rs", "pub use crate::total::total;\n"),
	}, true},
	{"renamed", []api.FileEdit{moving("src/app.rs", "src/uses.rs"), replacing("src/lib.rs", "pub mod app", "pub mod uses")}, true},
	{"body", []api.FileEdit{replacing("src/app.rs", "total(1, 2)", "total(3)")}, true},
	{"deleted", []api.FileEdit{deleting("src/app.rs")}, true},
}}

var javaProject = project{server: "jdtls", archive: `
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
    int use() {
        return Sum.total(1, 2);
    }
}
`, edits: []edition{
	{"own error", []api.FileEdit{replacing("src/app/App.java", "total(1, 2)", `total(1, "2")`)}, false},
	{"signature", []api.FileEdit{replacing("src/lib/Sum.java", "int b)", "int b, int c)")}, false},
	{"whole", []api.FileEdit{replacing("src/lib/Sum.java", "int b)", "int b, int c)"), replacing("src/app/App.java", "1, 2", "1, 2, 3")}, false},
	{"mended", []api.FileEdit{replacing("src/lib/Sum.java", "static int old", "static String old")}, false},
	{"new file", []api.FileEdit{writing("src/app/Fresh.java", "package app;\n\nclass Fresh {\n    int fresh() {\n        return lib.Sum.total(1, 2);\n    }\n}\n"), replacing("src/app/App.java", "Sum.total(1, 2)", "new Fresh().fresh()")}, true},
	{"body", []api.FileEdit{replacing("src/lib/Sum.java", "return a + b", "return a + old")}, false},
	{"two files", []api.FileEdit{replacing("src/lib/Sum.java", "int b)", "long b)"), replacing("src/app/App.java", "total(1, 2)", "total(1, true)")}, false},
	{"new file that is wrong", []api.FileEdit{writing("src/app/Fresh.java", "package app;\n\nclass Fresh {\n    int fresh() {\n        return \"x\";\n    }\n}\n")}, true},
	{"renamed", []api.FileEdit{moving("src/app/App.java", "src/app/Uses.java"), replacing("src/app/Uses.java", "class App", "class Uses")}, true},
	{"deleted", []api.FileEdit{deleting("src/lib/Sum.java")}, true},
}}

// What it says is of each file by itself.
var lintProject = project{server: "eslint", archive: `
-- eslint.config.js --
module.exports = [{ rules: { "no-undef": "error", "no-debugger": "error", "prefer-const": "error" } }];
-- package.json --
{"name":"t","version":"1.0.0"}
-- lib.js --
export function total(a, b) { return a + b; }

old();
-- app.js --
import { total } from "./lib.js";

export const used = total(1, 2);
-- two.js --
export const two = 2;
`, edits: []edition{
	{"own error", []api.FileEdit{replacing("app.js", "total(1, 2)", "totals(1, 2)")}, false},
	{"signature", []api.FileEdit{replacing("lib.js", "a, b", "a, b, c")}, false},
	{"other rule", []api.FileEdit{replacing("two.js", "2;", "2;\ndebugger;")}, false},
	{"two files", []api.FileEdit{replacing("two.js", "2;", "none;"), replacing("app.js", "1, 2", "1, none")}, false},
	{"three files", []api.FileEdit{replacing("two.js", "2;", "none;"), replacing("app.js", "1, 2", "1, none"), replacing("lib.js", "a + b", "a + c")}, false},
	{"mended", []api.FileEdit{replacing("lib.js", "old();", "total();")}, false},
	{"new file", []api.FileEdit{writing("fresh.js", "export const fresh = 1;\n")}, false},
	{"new file that is wrong", []api.FileEdit{writing("fresh.js", "export let fresh = none;\n")}, false},
	{"deleted", []api.FileEdit{deleting("two.js")}, true},
	{"renamed", []api.FileEdit{moving("two.js", "zwei.js"), replacing("app.js", "1, 2", "1, none")}, true},
}}
