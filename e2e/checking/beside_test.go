package checking

import (
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/render"
)

// unjudgedFiles are projects in which an edit of a file that no server is shown breaks
// another, which was clean.
var unjudgedFiles = []struct {
	server, archive string
	edit            api.FileEdit
	concerned, says string
}{
	{"typescript", looseScript, enginetest.Replacing("tsconfig.json", "false", "true"), "src/app.ts", "implicitly has an 'any' type"},
	{"typescript", looseScript, enginetest.Replacing("src/data.json", "1", `"x"`), "src/app.ts", "not assignable to type 'number'"},
	{"typescript-language-server", looseScript, enginetest.Replacing("tsconfig.json", "false", "true"), "src/app.ts", "implicitly has an 'any' type"},
	{"typescript-language-server", looseScript, enginetest.Replacing("src/data.json", "1", `"x"`), "src/app.ts", "not assignable to type 'number'"},
	{
		"pyright", `
-- pyrightconfig.json --
{"reportUnusedImport": "none"}
-- app.py --
import os
`, enginetest.Replacing("pyrightconfig.json", "none", "error"), "app.py", "is not accessed",
	},
	{
		"clangd", `
-- compile_flags.txt --
-DNUMBER=1
-- app.cc --
int number = NUMBER;
`, enginetest.Replacing("compile_flags.txt", "NUMBER=1", "NUMBER=one"), "app.cc", "undeclared identifier 'one'",
	},
	{
		"clangd", `
-- compile_flags.txt --
-I.
-- app.cc --
int codes[] = {
#define CODE(n) n,
#include "codes.def"
};
-- codes.def --
CODE(1)
CODE(2)
`, enginetest.Replacing("codes.def", "CODE(2)", "CODE(two)"), "app.cc", "undeclared identifier 'two'",
	},
}

const looseScript = `
-- tsconfig.json --
{"compilerOptions": {"strict": false, "resolveJsonModule": true, "module": "esnext", "moduleResolution": "bundler"}, "include": ["src"]}
-- src/app.ts --
import { n } from "./data.json";
export const twice = (x) => x + x;
export const number: number = n;
-- src/data.json --
{"n": 1}
`

// What an edit of a file does that no server is shown, a server knows at once; so
// it does when somebody else makes it.
func TestEditBesideWhatIsJudged(t *testing.T) {
	for _, c := range unjudgedFiles {
		t.Run(c.server+" "+c.edit.File, func(t *testing.T) {
			s := enginetest.OpenReal(t, c.archive, c.server)
			look := func(when string, want bool) {
				t.Helper()
				all := s.Check(api.CheckRequest{Files: []string{c.concerned}, TimeoutMS: 60_000}).Files[0].Diagnostics
				found := false
				for _, d := range all {
					found = found || strings.Contains(d.Message, c.says)
				}
				if found != want {
					t.Errorf("%s: %+v", when, all)
				}
			}
			look("before", false)
			old := s.Read(c.edit.File)
			result := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{c.edit}})
			look("edited\n"+render.Brief(&result), true)
			s.Write(c.edit.File, old)
			look("mended by somebody else", false)
			enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{c.edit}})
			look("edited again", true)
		})
	}
}
