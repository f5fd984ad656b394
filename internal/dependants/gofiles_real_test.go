package dependants_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

const manyBuilds = `
-- go.mod --
module example.com/x

go 1.24
-- a.go --
package x

func F(n int) int { return n }
-- use.go --
package x

var U = G()

func G() int { return 1 }
-- a_windows.go --
package x

var W = F(1)
-- other/o.go --
package other
-- other/o_darwin.go --
package other

import "example.com/x"

var O = x.F(1)
-- tagged.go --
//go:build integration

package x

var I = U
-- emb/e.go --
package emb

import _ "embed"

//go:embed data*.txt
var D string
-- emb/data1.txt --
hi
`

// An edit is judged for the other systems as well, as far as the server judges these; and
// to take it back is no error.
func TestGoFilesOfOtherSystems(t *testing.T) {
	t.Parallel()
	e := enginetest.OpenReal(t, manyBuilds, "gopls")
	edit := func(before, after string) enginetest.Answered {
		t.Helper()
		r := enginetest.Do(t, e, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: "a.go", OldText: &before, NewText: &after}}})
		return enginetest.AnsweredBy(r.Files, r.Others, append([]string{r.Verdict}, r.Unknown...))
	}
	want := enginetest.Answered{Files: []string{"a.go"}, Others: []string{"a_windows.go", "other/o_darwin.go"}, Notes: []string{"new_errors"}}
	if diff := cmp.Diff(want, edit("n int) int { return n }", "n string) int { return len(n) }")); diff != "" {
		t.Error("the edit:", diff)
	}
	want.Notes = []string{"clean"} // the others are mended
	if diff := cmp.Diff(want, edit("n string) int { return len(n) }", "n int) int { return n }")); diff != "" {
		t.Error("the edit that takes it back:", diff)
	}
}

// A file that is built with other tags is judged by nobody: the answer about it is not
// known, and neither is that about an edit of what it uses.
func TestGoFilesWithOtherTags(t *testing.T) {
	e := enginetest.OpenReal(t, manyBuilds, "gopls")
	const why = "it is built with //go:build integration, and no server judges it without these tags: start LSPine with them in GOFLAGS, or run go vet -tags"
	for _, scope := range []string{"", "file"} {
		r := enginetest.Do(t, e, api.Check, api.CheckRequest{Files: []string{"tagged.go"}, Scope: scope})
		if a := r.Files[0].Servers[0]; r.Verdict != "unknown" || a.Freshness != "partial" || a.Reason != why {
			t.Errorf("scope %q: %s: %+v", scope, r.Verdict, a)
		}
	}
	if r := enginetest.Do(t, e, api.Check, api.CheckRequest{Files: []string{"use.go"}}); r.Verdict != "clean" {
		t.Errorf("use.go: %s: %q", r.Verdict, r.Unknown)
	}
	before, after := "var U = G()", `var U = "x"`
	r := enginetest.Do(t, e, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: "use.go", OldText: &before, NewText: &after}}})
	wanted := []string{"what it did to files that use what changed and that are not built here, which no server judges: tagged.go; run go vet with their tags"}
	if diff := cmp.Diff(wanted, r.Unknown); diff != "" || r.Verdict != "unknown" {
		t.Errorf("the edit: %s: %s", r.Verdict, diff)
	}
	before, after = "return 1", "return 2"
	r = enginetest.Do(t, e, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: "use.go", OldText: &before, NewText: &after}}})
	if r.Verdict != "clean" {
		t.Errorf("an edit that is nobody's matter: %s: %q", r.Verdict, r.Unknown)
	}
	t.Setenv("GOFLAGS", "-tags=integration")
	e = enginetest.OpenReal(t, manyBuilds, "gopls")
	if r := enginetest.Do(t, e, api.Check, api.CheckRequest{Files: []string{"tagged.go"}}); r.Verdict != "clean" {
		t.Errorf("with the tag: %s: %+v", r.Verdict, r.Files)
	}
}

// Without cgo nobody judges a file that imports "C".
func TestGoFilesWithC(t *testing.T) {
	t.Setenv("CGO_ENABLED", "0")
	e := enginetest.OpenReal(t, "-- go.mod --\nmodule example.com/x\n-- c.go --\npackage x\n\n// int g(void);\nimport \"C\"\n\nvar G = C.g()\n", "gopls")
	r := enginetest.Do(t, e, api.Check, api.CheckRequest{Files: []string{"c.go"}})
	if a := r.Files[0].Servers[0]; r.Verdict != "unknown" || !strings.Contains(a.Reason, "cgo is off here") {
		t.Errorf("%s: %+v", r.Verdict, a)
	}
}

// That an embedded file is gone, or there again, is seen by a server that begins to look,
// and by no other: so it begins anew.
func TestEmbeddedFilesThatGo(t *testing.T) {
	t.Parallel()
	e := enginetest.OpenReal(t, manyBuilds, "gopls")
	e.Git("init", "--quiet")
	e.Git("add", ".")
	e.Git("commit", "--quiet", "--message", "x")
	if r := enginetest.Do(t, e, api.Check, api.CheckRequest{Files: []string{"emb/e.go"}}); r.Verdict != "clean" {
		t.Fatalf("%s: %+v", r.Verdict, r)
	}
	text := "hi"
	r := enginetest.Do(t, e, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: "emb/data1.txt", Delete: true}}, Writing: api.Writing{Mode: "preview"}})
	if diff := cmp.Diff([]string{"what gopls reads only when it loads the files: emb/e.go; apply the edit to know"}, r.Unknown); diff != "" || r.Verdict != "unknown" {
		t.Errorf("a preview: %s: %s", r.Verdict, diff)
	}
	for _, c := range []struct {
		name    string
		edit    api.FileEdit
		verdict string
	}{
		{"taken away", api.FileEdit{File: "emb/data1.txt", Delete: true}, "new_errors"},
		{"another one", api.FileEdit{File: "emb/data2.txt", Content: &text}, "clean"},
		{"moved", api.FileEdit{File: "emb/data2.txt", RenameTo: "emb/text2.txt"}, "new_errors"},
		{"and back", api.FileEdit{File: "emb/text2.txt", RenameTo: "emb/data1.txt"}, "clean"},
	} {
		r := enginetest.Do(t, e, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{c.edit}})
		if diff := cmp.Diff(enginetest.Answered{Others: []string{"emb/e.go"}}, enginetest.AnsweredBy(nil, r.Others, r.Unknown)); diff != "" || r.Verdict != c.verdict {
			t.Errorf("%s: %s: %s", c.name, r.Verdict, diff)
		}
	}
	e.Remove("emb/data1.txt")
	if r := enginetest.Do(t, e, api.Check, api.CheckRequest{}); r.Verdict != "new_errors" || len(r.Deleted) != 1 {
		t.Errorf("by others: %+v", r)
	}
	e.Write("emb/data1.txt", "hi")
	if r := enginetest.Do(t, e, api.Check, api.CheckRequest{}); r.Verdict != "clean" {
		t.Errorf("by others, and back: %+v", r)
	}
	// It is the same where the file that embeds is named, which did not change itself.
	named := func(when, want string) {
		t.Helper()
		for range 2 {
			if r := enginetest.Do(t, e, api.Check, api.CheckRequest{Files: []string{"emb/e.go"}, Baseline: "none"}); r.Verdict != want {
				t.Errorf("named, %s: %s, want %s", when, r.Verdict, want)
			}
		}
	}
	named("and back", "clean")
	e.Remove("emb/data1.txt")
	named("taken away", "new_errors")
	e.Write("emb/data1.txt", "hi")
	named("and back again", "clean")
}

// A project that wants a newer go command is judged with the one there is, or not at all;
// nothing is downloaded for it, and the answer says so.
func TestGoProjectsThatWantANewerGo(t *testing.T) {
	t.Setenv("GOTOOLCHAIN", "auto")
	t.Setenv("GOPROXY", "off") // who asks fails
	const file = "-- a.go --\npackage x\n\nvar X = 1\n"
	e := enginetest.OpenReal(t, "-- go.mod --\nmodule example.com/x\n\ngo 1.24\n\ntoolchain go1.99.0\n"+file, "gopls")
	for _, note := range []string{"prefers go1.99.0, which is not downloaded without being asked", ""} { // said once
		r := enginetest.Do(t, e, api.Check, api.CheckRequest{Files: []string{"a.go"}, Baseline: "none"})
		if notes := strings.Join(r.Notes, "; "); r.Verdict != "clean" || !strings.Contains(notes, note) || note == "" && notes != "" {
			t.Errorf("preferred: %s: %q, want %q", r.Verdict, notes, note)
		}
	}
	e = enginetest.OpenReal(t, "-- go.mod --\nmodule example.com/x\n\ngo 1.99.0\n"+file, "gopls")
	r := enginetest.Do(t, e, api.Check, api.CheckRequest{Files: []string{"a.go"}, Baseline: "none"})
	if a := r.Files[0].Servers[0]; a.Freshness != "partial" || !strings.HasPrefix(a.Reason, "go.mod needs go1.99.0, and go1.") {
		t.Errorf("needed: %s: %+v", r.Verdict, a)
	}
	for _, o := range r.Others { // an error of go.mod is what the go command says, too
		if o.Path != "go.mod" || !strings.Contains(o.Diagnostics[0].Message, "go.mod requires go >= 1.99.0") {
			t.Errorf("needed: %+v", o)
		}
	}
	if r.Verdict != "unknown" && len(r.Others) == 0 {
		t.Errorf("needed: %s", r.Verdict)
	}
}

// Packages in a vendor folder are judged as the go command takes them.
func TestGoProjectsWithAVendorFolder(t *testing.T) {
	t.Parallel()
	const files = `
-- go.mod --
module example.com/x

go 1.24

require example.com/dep v1.0.0
-- vendor/modules.txt --
# example.com/dep v1.0.0
## explicit; go 1.24
example.com/dep
-- vendor/example.com/dep/d.go --
package dep

func Give() int { return 1 }
-- a.go --
package x

import "example.com/dep"

var X `
	for text, verdict := range map[string]string{"int = dep.Give()": "clean", "string = dep.Give()": "new_errors"} {
		e := enginetest.OpenReal(t, files+text+"\n", "gopls")
		if r := enginetest.Do(t, e, api.Check, api.CheckRequest{Files: []string{"a.go"}, Baseline: "none"}); r.Verdict != verdict {
			t.Errorf("%s: %s: %+v", text, r.Verdict, r.Files)
		}
	}
}
