package checking

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/render"
)

// If others change several files, what was wrong with one before is judged among the former texts of the others, also
// where these were judged before and that one was not, and where they are more than may be open: what their new texts
// break in it is new.
func TestFormerTextsTogether(t *testing.T) {
	for _, c := range []struct{ server, archive, base, lib, user, based, broken, used string }{
		{
			"typescript", scriptTogether, "src/base.ts", "src/lib.ts", "src/user.ts",
			"export const base: number = 2;\n", scriptBroken, scriptUsed,
		},
		{
			"typescript-language-server", scriptTogether, "src/base.ts", "src/lib.ts", "src/user.ts",
			"export const base: number = 2;\n", scriptBroken, scriptUsed,
		},
		{
			"gopls", "-- go.mod --\nmodule m\n\ngo 1.24\n-- base/base.go --\npackage base\n\nconst Base = 1\n-- lib/lib.go --\npackage lib\n\nimport \"m/base\"\n\nfunc Load() int { return base.Base }\n-- user/user.go --\npackage user\n\nimport \"m/lib\"\n\nvar U int = lib.Load()\n",
			"base/base.go", "lib/lib.go", "user/user.go",
			"package base\n\nconst Base int = 2\n", "package lib\n\nimport \"m/base\"\n\nfunc Load() string { return string(rune(base.Base)) }\n", "package user\n\nimport \"m/lib\"\n\n// U is used.\nvar U int = lib.Load()\n",
		},
		{
			"pyright", "-- pyproject.toml --\n[tool.pyright]\n-- base.py --\nbase = 1\n-- lib.py --\nfrom base import base\n\ndef load() -> int:\n    return base\n-- user.py --\nfrom lib import load\n\nload().bit_length()\n",
			"base.py", "lib.py", "user.py",
			"base: int = 2\n", "from base import base\n\ndef load() -> str:\n    return str(base)\n", "from lib import load\n\n# It is used.\nload().bit_length()\n",
		},
	} {
		for _, asked := range []struct {
			named []string
			most  int
		}{{[]string{c.user, c.lib}, 100}, {[]string{c.lib, c.user}, 100}, {nil, 100}, {[]string{c.user, c.lib}, 1}, {nil, 1}} {
			t.Run(c.server, func(t *testing.T) {
				s := enginetest.OpenReal(t, c.archive, c.server)
				s.Config.Settings.MaxOpenDocuments = asked.most
				s.Git("init", "-q", "-b", "main")
				s.Git("add", ".")
				s.Git("commit", "-qm", "one")
				s.Write(c.base, c.based)
				if first := s.Check(api.CheckRequest{Files: []string{c.base}, TimeoutMS: 60_000}); first.Verdict != "clean" {
					t.Fatalf("%s\n%+v", render.Brief(&first), first)
				}
				s.Write(c.lib, c.broken)
				s.Write(c.user, c.used)
				answer := s.Check(api.CheckRequest{Files: asked.named, TimeoutMS: 60_000})
				var broken []string
				for _, f := range slices.Concat(answer.Files, answer.Others) {
					if enginetest.HasNew(f) {
						broken = append(broken, f.Path)
					}
				}
				if diff := cmp.Diff([]string{c.user}, broken); diff != "" || answer.Verdict != "new_errors" {
					t.Errorf("%v: %s%s\n%+v", asked, diff, render.Brief(&answer), answer)
				}
			})
		}
	}
}

const (
	scriptTogether = `
-- tsconfig.json --
{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", "noEmit": true}, "include": ["src"]}
-- package.json --
{"name": "m", "type": "module"}
-- src/base.ts --
export const base = 1;
-- src/lib.ts --
import { base } from "./base";
export function load(): number { return base; }
-- src/user.ts --
import { load } from "./lib";
export const used = load().toFixed();
`
	scriptBroken = "import { base } from \"./base\";\nexport function load(): string { return String(base); }\n"
	scriptUsed   = "import { load } from \"./lib\";\n// It is used.\nexport const used = load().toFixed();\n"
)
