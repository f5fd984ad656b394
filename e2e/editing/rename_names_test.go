package editing

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/render"
)

const hiddenScripts = `
-- tsconfig.json --
{"compilerOptions":{"strict":true,"noEmit":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","types":[]}}
-- a.ts --
function hidden() { return 2 }
export { hidden as shown };
export { hidden as default };
export function fn() { return hidden() }
-- b.ts --
import { shown } from "./a";
import * as a from "./a";
shown(); a.shown();
-- c.ts --
export { fn as g } from "./a";
export { shown as hidden } from "./a";
-- d.ts --
import { g, hidden } from "./c";
import { fn as x } from "./a";
import { fn } from "./a";
g(); hidden(); x(); fn();
`

const hiddenPython = `
-- pyproject.toml --
[tool.pyright]
-- m.py --
def f() -> int:
    return 1
-- b.py --
from m import f as g

g()
-- c.py --
from b import g

g()
`

const hiddenRust = `
-- .lspine.jsonc --
{"lsp": {"servers": {"rust-analyzer": {
  "initializationOptions": {"cargo": {"sysroot": null}}, "settings": {"rust-analyzer": {"cargo": {"sysroot": null}}}
}}}}
-- Cargo.toml --
[package]
name = "bakery"
version = "0.1.0"
edition = "2021"
-- src/lib.rs --
mod oven;
pub use oven::warm as heat;
pub fn twice() -> u32 { heat() + oven::warm() }
-- src/oven.rs --
pub fn warm() -> u32 { 1 }
`

// A rename changes the name that it is asked about, and leaves those that imports and exports give the symbol beside it.
func TestRenameLeavesOtherNames(t *testing.T) {
	const a = "function hidden() { return 2 }\nexport { hidden as shown };\nexport { hidden as default };\nexport function fn() { return hidden() }\n"
	for _, c := range []struct {
		servers           []string
		archive, at, name string
		want              map[string]string // the files that change
	}{
		{[]string{"typescript", "typescript-language-server"}, hiddenScripts, "a.ts hidden", "hid", map[string]string{"a.ts": strings.ReplaceAll(a, "hidden", "hid")}},
		{[]string{"typescript", "typescript-language-server"}, hiddenScripts, "a.ts fn", "fnn", map[string]string{
			"a.ts": strings.ReplaceAll(a, "fn()", "fnn()"),
			"c.ts": "export { fnn as g } from \"./a\";\nexport { shown as hidden } from \"./a\";\n",
			"d.ts": "import { g, hidden } from \"./c\";\nimport { fnn as x } from \"./a\";\nimport { fnn } from \"./a\";\ng(); hidden(); x(); fnn();\n",
		}},
		{[]string{"typescript", "typescript-language-server"}, hiddenScripts, "a.ts:2 shown", "seen", map[string]string{
			"a.ts": strings.ReplaceAll(a, "shown", "seen"),
			"b.ts": "import { seen } from \"./a\";\nimport * as a from \"./a\";\nseen(); a.seen();\n",
			"c.ts": "export { fn as g } from \"./a\";\nexport { seen as hidden } from \"./a\";\n",
		}},
		{[]string{"pyright"}, hiddenPython, "m.py f", "ff", map[string]string{"m.py": "def ff() -> int:\n    return 1\n", "b.py": "from m import ff as g\n\ng()\n"}},
		{[]string{"pyright"}, hiddenPython, "c.py:3 g", "h", map[string]string{"b.py": "from m import f as h\n\nh()\n", "c.py": "from b import h\n\nh()\n"}},
		{[]string{"rust-analyzer"}, hiddenRust, "src/oven.rs warm", "hot", map[string]string{
			"src/oven.rs": "pub fn hot() -> u32 { 1 }\n",
			"src/lib.rs":  "mod oven;\npub use oven::hot as heat;\npub fn twice() -> u32 { heat() + oven::hot() }\n",
		}},
	} {
		for _, server := range c.servers {
			t.Run(server+"/"+c.name, func(t *testing.T) {
				s := enginetest.OpenReal(t, c.archive, server)
				done := enginetest.Do(t, s, api.Rename, api.RenameRequest{Selector: api.Selector{At: c.at}, NewName: c.name})
				got := make(map[string]string)
				for _, change := range done.Changes {
					got[change.Path] = s.Read(change.Path)
				}
				if diff := cmp.Diff(c.want, got); diff != "" || done.Verdict == "new_errors" {
					t.Errorf("%s\n(-want +got):\n%s", render.Brief(&done), diff)
				}
			})
		}
	}
}
