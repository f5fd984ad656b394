package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// movers are projects with a file that is used, one that nobody uses, and an older error
// in the first.
var movers = []struct{ server, archive, used, moved, unused string }{
	{
		"gopls", "-- go.mod --\nmodule m\n\ngo 1.24\n-- lib/lib.go --\npackage lib\n\nfunc Load() int { return 1 }\n\nvar old int = \"old\"\n-- lib/more.go --\npackage lib\n-- app/app.go --\npackage app\n\nimport \"m/lib\"\n\nvar A = lib.Load()\n",
		"lib/lib.go", "lib/moved.go", "lib/more.go",
	},
	{
		"typescript", "-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"module\": \"esnext\", \"moduleResolution\": \"bundler\", \"noEmit\": true}}\n-- lib.ts --\nexport function load() { return 1; }\nexport const old: number = \"old\";\n-- more.ts --\nexport {};\n-- app.ts --\nimport { load } from \"./lib\";\nexport const a = load();\n",
		"lib.ts", "moved.ts", "more.ts",
	},
}

// A file that is deleted only if that breaks nothing is judged while it is gone, and comes
// back if it breaks something. A file that is renamed takes its older errors along, and
// no server sees it twice, in a preview either.
func TestMovingIfClean(t *testing.T) {
	for _, m := range movers {
		t.Run(m.server, func(t *testing.T) {
			s := openReal(t, m.archive, m.server)
			text := s.read(m.used)
			kept := do(t, s, EditFiles, EditRequest{Edits: []FileEdit{{File: m.used, Delete: true}}, Writing: Writing{Mode: modeIfClean}})
			if kept.Applied || kept.Verdict != "new_errors" || !slices.ContainsFunc(kept.Others, hasNew) || s.read(m.used) != text {
				t.Errorf("used: %s\n%+v", kept.Brief(), kept)
			}
			gone := do(t, s, EditFiles, EditRequest{Edits: []FileEdit{{File: m.unused, Delete: true}}, Writing: Writing{Mode: modeIfClean}})
			if _, err := os.Stat(filepath.Join(s.root, m.unused)); !gone.Applied || err == nil || strings.Contains(gone.Brief(), "ERROR") {
				t.Errorf("unused: %v\n%s\n%+v", err, gone.Brief(), gone)
			}
			move := []FileEdit{{File: m.used, RenameTo: m.moved}}
			seen := do(t, s, EditFiles, EditRequest{Edits: move, Writing: Writing{Mode: modePreview}})
			if len(seen.Files) != 1 || len(seen.Files[0].Diagnostics) != 0 || seen.Files[0].Older != 1 {
				t.Errorf("previewed: %s\n%+v", seen.Brief(), seen)
			}
			done := do(t, s, EditFiles, EditRequest{Edits: move})
			if len(done.Files) != 1 || len(done.Files[0].Diagnostics) != 0 || done.Files[0].Older != 1 {
				t.Errorf("renamed: %s\n%+v", done.Brief(), done)
			}
			if breaks := m.server == "typescript"; (len(done.Others) == 1) != breaks || (done.Verdict == "new_errors") != breaks {
				t.Errorf("renamed: %s\n%+v", done.Brief(), done)
			}
		})
	}
}
