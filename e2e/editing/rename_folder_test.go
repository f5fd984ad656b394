package editing

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/render"
)

const scriptFolders = `
-- package.json --
{"name":"m","main":"src/old/index.js"}
-- tsconfig.json --
{"compilerOptions":{"strict":true,"noEmit":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","types":[]}}
-- README.md --
-- globals.d.ts --
declare const jest: { mock(s: string): void }
-- src/help.ts --
export const help = 1
-- src/old/index.ts --
import { part } from "./sub/part"
import { help } from "../help"
jest.mock("./sub/part")
jest.mock("../help")
export const all = part + help
-- src/old/sub/part.ts --
export const part = 1
-- src/app.ts --
import { all } from "./old"
import { part } from "./old/sub/part"
jest.mock("./old/sub/part")
jest.mock("./older")
export const app = all + part
`

// The paths of tsconfig.json must begin with ./ where there is no baseUrl.
const mappedFolders = `
-- package.json --
{"name":"m"}
-- tsconfig.json --
{
  // "./src/lib/*" is where the library is
  "compilerOptions":{"strict":true,"noEmit":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","types":[],
    "paths":{"@lib/*":["./src/lib/*"],"@l":["./src/lib/index.ts"]}}
}
-- src/lib/index.ts --
export const lib = 1
-- src/lib/part.ts --
export const part = 1
-- src/lib/README.md --
# lib
-- src/app.ts --
import { lib } from "@l"
import { part } from "@lib/part"
export const app = lib + part
`

const goFolders = `
-- go.mod --
module ex/m

go 1.25

tool ex/m/lib/cmd
-- lib/lib.go --
package lib

import "ex/m/lib/part"

func All() int { return part.Part() }
-- lib/part/part.go --
package part

func Part() int { return 1 }

func hidden() int { return Part() }
-- lib/cmd/main.go --
package main

func main() {}
-- library/library.go --
package library
-- app/app.go --
package app

import (
	_ "ex/m/library"
	"ex/m/lib"
	other "ex/m/lib/part"
	_ "unsafe"
)

//go:linkname hidden ex/m/lib/part.hidden
func hidden() int

var app = lib.All() + other.Part() + hidden() // ex/m/lib
-- app/app.s --
`

const pythonFolders = `
-- pyproject.toml --
[tool.pyright]
-- pkg/__init__.py --
-- pkg/old/__init__.py --
-- pkg/old/part.py --
def part() -> int:
    return 1
-- main.py --
from pkg.old.part import part

part()
`

const javaFolders = `
-- .project --
<projectDescription><name>m</name>
<buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec>
<natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>
-- .classpath --
<classpath><classpathentry kind="src" path="src"/>
<classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/><classpathentry kind="output" path="bin"/></classpath>
-- src/ex/util/A.java --
package ex.util;

public class A { public static int f() { return 1; } }
-- src/ex/B.java --
package ex;

import ex.util.A;

class B { int g() { return A.f(); } }
`

// It works without the sources of the standard library, which the machine may not have.
const rustFolders = `
-- .lspine.jsonc --
{"lsp": {"servers": {"rust-analyzer": {
  "initializationOptions": {"cargo": {"sysroot": null}}, "settings": {"rust-analyzer": {"cargo": {"sysroot": null}}}
}}}}
-- Cargo.toml --
[package]
name = "m"
version = "0.1.0"
edition = "2021"
-- src/lib.rs --
mod old;
pub fn x() -> i32 { old::sub::f() + old::g() }
-- src/old/mod.rs --
pub mod sub;
pub fn g() -> i32 { 1 }
-- src/old/sub.rs --
pub fn f() -> i32 { crate::old::g() }
`

// fileOf returns a file of an archive.
func fileOf(archive, name string) string {
	for _, f := range txtar.Parse([]byte(archive)).Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// A folder moves with all in it, with what imports what is in it, and with what its files import; where a server does not say
// what must follow, it moves only if that breaks nothing.
func TestRenameOfAFolder(t *testing.T) {
	movedScripts := map[string]string{
		"package.json":           `{"name":"m","main":"src/new/place/index.js"}` + "\n",
		"src/old/index.ts":       "",
		"src/new/place/index.ts": "import { part } from \"./sub/part\"\nimport { help } from \"../../help\"\njest.mock(\"./sub/part\")\njest.mock(\"../../help\")\nexport const all = part + help\n",
		"src/app.ts": "import { all } from \"./new/place\"\nimport { part } from \"./new/place/sub/part\"\njest.mock(\"./new/place/sub/part\")\njest.mock(\"./older\")\n" +
			"export const app = all + part\n",
	}
	movedMapped := map[string]string{
		"tsconfig.json": strings.NewReplacer(`["./src/lib/*"]`, `["./src/core/kit/*"]`, "./src/lib/index.ts", "./src/core/kit/index.ts").Replace(
			fileOf(mappedFolders, "tsconfig.json")),
		"src/lib/README.md": "", "src/core/kit/README.md": "# lib\n", "src/core/kit/index.ts": "export const lib = 1\n",
	}
	for _, c := range []struct {
		server, archive, from, to string
		verdict                   string
		want                      map[string]string // "" is no file
	}{
		{"typescript", scriptFolders, "src/old", "src/new/place", "clean", movedScripts},
		{"typescript-language-server", scriptFolders, "src/old", "src/new/place", "clean", movedScripts},
		{"typescript", mappedFolders, "src/lib", "src/core/kit", "clean", movedMapped},
		{"typescript-language-server", mappedFolders, "src/lib", "src/core/kit", "clean", movedMapped},
		{"gopls", goFolders, "lib", "store/lib", "clean", map[string]string{
			"lib/lib.go": "", "store/lib/part/part.go": "package part\n\nfunc Part() int { return 1 }\n\nfunc hidden() int { return Part() }\n",
			"go.mod":           "module ex/m\n\ngo 1.25\n\ntool ex/m/store/lib/cmd\n",
			"store/lib/lib.go": "package lib\n\nimport \"ex/m/store/lib/part\"\n\nfunc All() int { return part.Part() }\n",
			"app/app.go": "package app\n\nimport (\n\t_ \"ex/m/library\"\n\t\"ex/m/store/lib\"\n\tother \"ex/m/store/lib/part\"\n\t_ \"unsafe\"\n)\n\n" +
				"//go:linkname hidden ex/m/store/lib/part.hidden\nfunc hidden() int\n\nvar app = lib.All() + other.Part() + hidden() // ex/m/lib\n",
		}},
		{"gopls", goFolders, "lib", "store/internal/lib", "new_errors", map[string]string{ // app may not import that
			"store/internal/lib/lib.go": "", "lib/part/part.go": "package part\n\nfunc Part() int { return 1 }\n\nfunc hidden() int { return Part() }\n",
		}},
		{"jdtls", javaFolders, "src/ex/util", "src/ex/tools", "clean", map[string]string{
			"src/ex/util/A.java": "", "src/ex/tools/A.java": "package ex.tools;\n\npublic class A { public static int f() { return 1; } }\n",
			"src/ex/B.java": "package ex;\n\nimport ex.tools.A;\n\nclass B { int g() { return A.f(); } }\n",
		}},
		{"rust-analyzer", rustFolders, "src/old", "src/new", "clean", map[string]string{
			"src/old/mod.rs": "", "src/new/mod.rs": "pub mod sub;\npub fn g() -> i32 { 1 }\n", "src/new/sub.rs": "pub fn f() -> i32 { crate::new::g() }\n",
			"src/lib.rs": "mod new;\npub fn x() -> i32 { new::sub::f() + new::g() }\n",
		}},
		{"pyright", pythonFolders, "pkg/old", "pkg/new", "new_errors", map[string]string{
			"pkg/new/part.py": "", "main.py": "from pkg.old.part import part\n\npart()\n",
		}},
	} {
		t.Run(c.server+"/"+c.to, func(t *testing.T) {
			s := enginetest.OpenReal(t, c.archive, c.server)
			done := enginetest.Do(t, s, api.Rename, api.RenameRequest{Selector: api.Selector{File: c.from}, NewPath: c.to})
			got := make(map[string]string)
			for name := range c.want {
				if got[name] = ""; s.Exists(name) {
					got[name] = s.Read(name)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" || done.Verdict != c.verdict || done.Applied != (c.verdict == "clean") {
				t.Errorf("%s\n(-want +got):\n%s", render.Brief(&done), diff)
			}
		})
	}
}
