package editing_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/editing"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
)

const (
	goUntidy = `
-- go.mod --
module m

go 1.24
-- a.go --
package m

import "os"

func F() {
	fmt.Println("é😀", undefinedName)
}

func G() int {
	x := 1 + 2
	return x
}
`
	scriptUntidy = `
-- tsconfig.json --
{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler"}, "include": ["src"]}
-- src/lib.ts --
export function load() { return 1; }
export function save() {}
-- src/a.ts --
import { save } from "./lib";
console.log("é😀", load());
async function f() {}
function g() { await f(); }
`
	cUntidy = `
-- compile_flags.txt --
-Wall
-- a.cc --
int main() {
  /* é😀 */ int x = 1
  return x;
}
`
)

// mending are projects in which servers offer to mend what is wrong in a line, and
// to tidy the whole file.
var mending = []struct {
	server, archive, file string
	diagnostic            string // a line or a part of a message
	title                 string // of the action that mends it
	mended                string // what the file then has
	tidy, tidied, gone    string // the same for a kind of action, and what the file then lacks
}{
	{"gopls", goUntidy, "a.go", "undefined: fmt", `Add import:  "fmt"`, `"fmt"`, "source.organizeImports", `"fmt"`, `"os"`},
	{"typescript", scriptUntidy, "src/a.ts", "2", `Update import from "./lib"`, "load, save", "source.organizeImports", "load()", "save"},
	{"typescript-language-server", scriptUntidy, "src/a.ts", "2", `Update import from "./lib"`, "load, save", "source.removeUnusedImports", "load()", "save"},
	{"clangd", cUntidy, "a.cc", "expected ';'", "insert ';'", "/* é😀 */ int x = 1;", "", "", ""},
}

// The list of fixes says what each mends and shows its diff; the same number and
// title apply exactly that, and the answer says what it mended.
func TestFixesMend(t *testing.T) {
	t.Parallel()
	for _, c := range mending {
		t.Run(c.server, func(t *testing.T) {
			s := enginetest.OpenReal(t, c.archive, c.server)
			before := s.Read(c.file)
			req := api.FixesRequest{Selector: api.Selector{File: c.file}, Diagnostic: c.diagnostic}
			list := enginetest.Do(t, s, api.Fixes, req)
			i := slices.IndexFunc(list.Actions, func(a result.FixAction) bool { return a.Title == c.title })
			if i < 0 {
				t.Fatal(render.Brief(&list))
			}
			if a := list.Actions[i]; a.Number != i+1 || len(a.Mends) != 1 || !strings.Contains(a.Diff, "+") || a.Server != c.server {
				t.Errorf("%+v", a)
			}
			if s.Read(c.file) != before {
				t.Error("the list wrote the file")
			}
			req.Apply, req.Title, req.Mode = api.OneBased(i+1), c.title, "preview"
			if preview := enginetest.Do(t, s, api.Fixes, req); preview.Edit.Applied || preview.Edit.Diff != list.Actions[i].Diff {
				t.Errorf("preview: %s\nlist: %s", render.Brief(&preview), list.Actions[i].Diff)
			}
			req.Mode = ""
			done := enginetest.Do(t, s, api.Fixes, req)
			if !done.Edit.Applied || !strings.Contains(s.Read(c.file), c.mended) || len(done.Edit.Files) != 1 || len(done.Edit.Files[0].Fixed) == 0 {
				t.Errorf("%s\n%s", render.Brief(&done), s.Read(c.file))
			}
			if c.tidy == "" {
				return
			}
			tidied := enginetest.Do(t, s, api.Fixes, api.FixesRequest{Selector: api.Selector{File: c.file}, Only: []string{c.tidy}, Apply: 1})
			if text := s.Read(c.file); !strings.Contains(text, c.tidied) || strings.Contains(text, c.gone) {
				t.Errorf("%s\n%s", render.Brief(&tidied), text)
			}
		})
	}
}

// What the request names wrongly is an error that lists what there is; nothing is
// written.
func TestFixesThatAreNotThere(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, goUntidy, "gopls")
	list := enginetest.Do(t, s, api.Fixes, api.FixesRequest{Selector: api.Selector{File: "a.go"}})
	if list.Total < 3 || list.Actions[0].Kind != "quickfix" {
		t.Errorf("%s", render.Brief(&list))
	}
	for name, c := range map[string]struct {
		req    api.FixesRequest
		reason string
	}{
		"a high number":      {api.FixesRequest{Apply: 99}, "there is no action 99"},
		"another title":      {api.FixesRequest{Apply: 1, Title: list.Actions[1].Title}, "is now action 2"},
		"an old title":       {api.FixesRequest{Apply: 1, Title: "gone"}, "the list has changed: action 1 is now"},
		"no such title":      {api.FixesRequest{Title: "gone"}, `no action is called "gone"`},
		"no diagnostic":      {api.FixesRequest{Diagnostic: "no such message"}, "no diagnostic of a.go"},
		"a command":          {api.FixesRequest{Title: `Browse documentation for package m`, Writing: api.Writing{Mode: "preview"}}, "there is no preview"},
		"a line too far":     {api.FixesRequest{Selector: api.Selector{File: "a.go", Line: 999}}, "past the end"},
		"a range and a name": {api.FixesRequest{Selector: api.Selector{File: "a.go", Symbol: "F"}, StartLine: 3}, "goes without a symbol"},
		"an end before":      {api.FixesRequest{Selector: api.Selector{File: "a.go", Line: 3}, EndLine: 2}, "before the start"},
		"no file":            {api.FixesRequest{Selector: api.Selector{Line: 3}}, "file"},
		"a file of nobody":   {api.FixesRequest{Selector: api.Selector{File: "go.sum"}}, "go.sum"},
	} {
		if c.req.File == "" && name != "no file" {
			c.req.File = "a.go"
		}
		if _, err := api.Fixes.Do(t.Context(), s.Engine, c.req); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v, want %s", name, err, c.reason)
		}
	}
	if !strings.Contains(s.Read("a.go"), `import "os"`) {
		t.Error("it was written")
	}
}

// A range has refactorings, the kinds that are asked for alone; one that is a
// command of the server is run, and the edit that it asks for is made and judged.
func TestRefactorings(t *testing.T) {
	t.Parallel()
	t.Run("gopls", func(t *testing.T) {
		s := enginetest.OpenReal(t, goUntidy, "gopls")
		list := enginetest.Do(t, s, api.Fixes, api.FixesRequest{Selector: api.Selector{At: "a.go:10"}, Only: []string{"refactor.extract"}})
		if list.Total == 0 || slices.ContainsFunc(list.Actions, func(a result.FixAction) bool { return !strings.HasPrefix(a.Kind, "refactor.extract") }) {
			t.Errorf("%s", render.Brief(&list))
		}
	})
	t.Run("typescript-language-server", func(t *testing.T) {
		s := enginetest.OpenReal(t, scriptUntidy, "typescript-language-server")
		req := api.FixesRequest{Selector: api.Selector{File: "src/lib.ts", Line: 2, Column: 17}, Only: []string{"refactor.move"}, Apply: 1}
		list := enginetest.Do(t, s, api.Fixes, api.FixesRequest{Selector: api.Selector{File: "src/lib.ts"}, StartLine: 2, StartColumn: 17, EndLine: 2, EndColumn: 21, Only: req.Only})
		if list.Total != 1 || list.Actions[0].Command == "" {
			t.Fatal(render.Brief(&list))
		}
		done := enginetest.Do(t, s, api.Fixes, req)
		if done.Edit == nil || !done.Edit.Applied || !s.Exists("src/save.ts") || strings.Contains(s.Read("src/lib.ts"), "save") {
			t.Error(render.Brief(&done))
		}
		if !strings.Contains(s.Read("src/a.ts"), `"./save"`) {
			t.Error(s.Read("src/a.ts"))
		}
	})
}

// A command that a server declares is executed when it is confirmed: what it asks
// for is edited, what it answers is told. One that is not declared is answered with
// the nearest that are.
func TestExecuteCommand(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, goUntidy, "gopls")
	argument := func(text string) []json.RawMessage {
		uri := string(protocol.URIFromPath(s.Folder + "/a.go"))
		return []json.RawMessage{json.RawMessage(strings.ReplaceAll(text, "$a", uri))}
	}
	req := api.CommandRequest{Command: "gopls.add_import", Arguments: argument(`{"ImportPath":"fmt","URI":"$a"}`), File: "a.go"}
	var unconfirmed *editing.UnconfirmedError
	if _, err := api.ExecuteCommand.Do(t.Context(), s.Engine, req); !errors.As(err, &unconfirmed) {
		t.Errorf("unconfirmed: %v", err)
	}
	req.Confirm, req.Mode = true, "preview"
	if preview := enginetest.Do(t, s, api.ExecuteCommand, req); preview.Edit == nil || preview.Edit.Applied || strings.Contains(s.Read("a.go"), `"fmt"`) {
		t.Errorf("preview: %s", render.Brief(&preview))
	}
	req.Mode, req.File = "", ""
	done := enginetest.Do(t, s, api.ExecuteCommand, req)
	if done.Edit == nil || !done.Edit.Applied || !strings.Contains(s.Read("a.go"), `"fmt"`) || len(done.Edit.Files[0].Fixed) == 0 {
		t.Errorf("%s\n%s", render.Brief(&done), s.Read("a.go"))
	}
	told := enginetest.Do(t, s, api.ExecuteCommand, api.CommandRequest{Command: "gopls.list_imports", Arguments: argument(`{"URI":"$a"}`), Server: "gopls", Confirm: true})
	if told.Edit != nil || !strings.Contains(told.Result, `"Path":"fmt"`) || !strings.Contains(told.Summary, "asked for no edit") {
		t.Errorf("%s", render.Brief(&told))
	}
	var unknown *editing.UnknownCommandError
	_, err := api.ExecuteCommand.Do(t.Context(), s.Engine, api.CommandRequest{Command: "gopls.addImport", Confirm: true})
	if !errors.As(err, &unknown) || unknown.Known[0] != "gopls.add_import" {
		t.Errorf("undeclared: %v (%s)", err, restate.Hint(err))
	}
	_, err = api.ExecuteCommand.Do(t.Context(), s.Engine, api.CommandRequest{Command: "gopls.list_imports", Arguments: argument(`{"URI":"file:///none"}`), Confirm: true})
	var refused interface{ Hint() string }
	if err == nil || !errors.As(err, &refused) {
		t.Errorf("refused: %v", err)
	}
}
