package assembly_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/restate"
)

const consumer = `
-- go.mod --
module example.com/app

go 1.24

require example.com/m v0.0.0

replace example.com/m => %ROOT%
-- main.go --
package main

import "example.com/m/calc"

type Add struct{}

// Add is not that Add.
func main() { println("Add", calc.Add(1, 2)) }
-- unrelated.go --
package main

func Adding() {}
`

// Uses in another repository are found and told apart from those at home; what
// only has the same name is none. The server forgets the folder afterwards.
//
// Requirement: AGENT-13.
func TestCrossRepoReferences(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, enginetest.GoProject, "gopls")
	other := lsptest.Workspace(t, strings.ReplaceAll(consumer, "%ROOT%", filepath.ToSlash(s.Folder)))
	result := enginetest.Do(t, s, api.CrossRepoReferences, api.CrossRepoRequest{Selector: api.Selector{At: "calc/calc.go Add"}, ConsumerRoots: []string{other}})
	if r := result.Repositories; len(r) != 2 || r[0].Root != s.Folder || r[0].Total != 5 || r[1].Root != other || r[1].Total != 1 ||
		r[1].Files[0].Places[0].Line != 8 || r[1].Files[0].Places[0].Column != 35 {
		t.Errorf("%s", render.Brief(&result))
	}
	folders := enginetest.Do(t, s, api.WorkspaceFolders, api.FoldersRequest{})
	if len(folders.Folders) != 1 || folders.Folders[0].Path != s.Folder {
		t.Errorf("folders afterwards: %+v", folders)
	}
	_, err := api.CrossRepoReferences.Do(t.Context(), s.Engine, api.CrossRepoRequest{Selector: api.Selector{At: "calc/calc.go Add"}, ConsumerRoots: []string{"/no/such"}})
	if !enginetest.Is[*api.ArgumentError](err) {
		t.Errorf("%T %v", err, err)
	}
}

// A server that takes no further folders cannot tell what they hold, and says so.
func TestCrossRepoNeedsFolders(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{Capabilities: json.RawMessage(`{"workspace":{}}`)}, lsptest.Project)
	_, err := api.CrossRepoReferences.Do(t.Context(), s.Engine, api.CrossRepoRequest{
		Selector: api.Selector{At: "main.toy:1:5"}, ConsumerRoots: []string{lsptest.Workspace(t, "-- a.toy --\n")},
	})
	if !enginetest.Is[*lsp.UnsupportedError](err) || restate.Hint(err) == "" {
		t.Errorf("%T %v", err, err)
	}
}

// Folders that are there are added, listed and removed; what a server does not
// take it is said to refuse.
//
// Requirement: AGENT-23.
func TestWorkspaceFolders(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, enginetest.GoProject, "gopls")
	other := lsptest.Workspace(t, "-- go.mod --\nmodule example.com/o\n")
	if result := enginetest.Do(t, s, api.WorkspaceFolders, api.FoldersRequest{Add: []string{other}}); len(result.Folders) != 0 || len(result.Notes) != 1 {
		t.Errorf("without a server: %+v", result)
	}
	enginetest.Do(t, s, api.Outline, api.SymbolsRequest{File: "calc/calc.go"})
	for _, step := range []struct {
		req  api.FoldersRequest
		want []string
	}{
		{api.FoldersRequest{}, []string{s.Folder}},
		{api.FoldersRequest{Add: []string{other}}, []string{s.Folder, other}},
		{api.FoldersRequest{}, []string{s.Folder, other}},
		{api.FoldersRequest{Remove: []string{other}}, []string{s.Folder}},
	} {
		var paths []string
		for _, f := range enginetest.Do(t, s, api.WorkspaceFolders, step.req).Folders {
			paths = append(paths, f.Path)
		}
		slices.Sort(step.want)
		if !slices.Equal(paths, step.want) {
			t.Errorf("%+v: %v, want %v", step.req, paths, step.want)
		}
	}
	for _, wrong := range []api.FoldersRequest{
		{Add: []string{"/no/such"}}, {Add: []string{""}}, {Add: []string{"calc/calc.go"}}, {Remove: []string{s.Folder}},
	} {
		if _, err := api.WorkspaceFolders.Do(t.Context(), s.Engine, wrong); !enginetest.Is[*api.ArgumentError](err) {
			t.Errorf("%+v: %T %v", wrong, err, err)
		}
	}
}

// A server that takes no folders is named as one that refused.
func TestWorkspaceFoldersRefused(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{Capabilities: json.RawMessage(`{"workspace":{}}`)}, lsptest.Project)
	s.Check(api.CheckRequest{Files: []string{"main.toy"}})
	other := lsptest.Workspace(t, "-- a.toy --\n")
	result := enginetest.Do(t, s, api.WorkspaceFolders, api.FoldersRequest{Add: []string{other}})
	if text := render.Brief(&result); !strings.Contains(text, other+" \n  toy takes no further folders") {
		t.Errorf("%s", text)
	}
}
