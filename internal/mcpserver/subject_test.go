package mcpserver

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/skills"
)

// The URI of a resource names a file of the workspace or, if that has none of the name, one by its whole path, and a
// place where the resource is of one; what is no number from 1 is refused by its name.
//
// Requirement: AGENT-30.
func TestWhatAResourceIsAbout(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project+"-- sub/x.toy --\n")
	type about struct {
		Scheme, File string
		Line, Column int
		Wrong        string
	}
	wrong := func(name, text string) string {
		return name + `: "` + text + `" is no 1-based number`
	}
	whole := filepath.ToSlash(d.root)
	if !strings.HasPrefix(whole, "/") {
		whole = "/" + whole
	}
	for uri, want := range map[string]about{
		"lsp-diagnostics:///":                         {Scheme: diagnosticsScheme},
		"lsp-diagnostics:///sub/x.toy":                {Scheme: diagnosticsScheme, File: "sub/x.toy"},
		"lsp-diagnostics:///gone.toy":                 {Scheme: diagnosticsScheme, File: "gone.toy"},
		"lsp-diagnostics://" + whole + "/main.toy":    {Scheme: diagnosticsScheme, File: filepath.Join(d.root, "main.toy")},
		"lsp-diagnostics:///main.toy?line=3&column=4": {Scheme: diagnosticsScheme, File: "main.toy", Line: 3, Column: 4},
		"lsp-hover:///main.toy?line=1&column=5":       {Scheme: hoverScheme, File: "main.toy", Line: 1, Column: 5},
		"lsp-hover:///main.toy?line=0&column=5":       {Wrong: wrong("line", "0")},
		"lsp-hover:///main.toy?line=1":                {Wrong: wrong("column", "")},
		"lsp-hover:///main.toy?line=1&column=x":       {Wrong: wrong("column", "x")},
		"lsp-diagnostics:///main.toy?line=-1":         {Wrong: wrong("line", "-1")},
		"lspine://status?line=x":                      {Scheme: "lspine"},
	} {
		of, err := d.server.subjectOf(t.Context(), nil, nil, uri)
		got := about{Scheme: of.scheme, File: filepath.ToSlash(of.file), Line: of.line, Column: of.column}
		if want.File = filepath.ToSlash(want.File); err != nil {
			got = about{Wrong: err.Error()}
		}
		if diff := cmp.Diff(want, got); diff != "" || err == nil && of.at.root != d.root {
			t.Errorf("%s of %s (-want +got):\n%s", uri, of.at.root, diff)
		}
	}
	var bad *jsonrpc.Error
	if _, err := d.server.subjectOf(t.Context(), nil, nil, "lsp-hover:///%zz"); !errors.As(err, &bad) || bad.Code != jsonrpc.CodeInvalidParams {
		t.Errorf("%v", err)
	}
}

// An argument of a skill may be as long as a name, and the text of the full profile begins with the names that tools have
// there. What is wrong is said with what to do, if that is known.
func TestPromptsOfSkills(t *testing.T) {
	skill, found := skills.Named("rename")
	if !found {
		t.Fatal("there is no skill rename")
	}
	for _, profile := range []string{"", profileFull} {
		s, err := New(Options{Profile: profile})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.prompt("rename", map[string]string{"symbol": strings.Repeat("x", maxSkillArgument), "new_name": "y"}); err != nil {
			t.Errorf("as long as allowed: %v", err)
		}
		_, err = s.prompt("rename", map[string]string{"symbol": strings.Repeat("x", maxSkillArgument+1)})
		want := &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "symbol: it has 2001 bytes\nat most 2000; leave it out, and say it in your own words"}
		if diff := cmp.Diff(want, err); diff != "" {
			t.Error(diff)
		}
		_, err = s.prompt("none", nil)
		want.Message = "name: there is no prompt \"none\"\nprompts/list lists them"
		if diff := cmp.Diff(want, err); diff != "" {
			t.Error(diff)
		}
		begins := s.translation(&skill)
		if (begins != "") != (profile == profileFull) || profile == profileFull && strings.Count(begins, "\n* `") != len(skill.Tools) {
			t.Errorf("%q begins with %q", profile, begins)
		}
	}
	for want, err := range map[string]error{"oh": errors.New("oh"), "at: it is odd\nlook": &api.ArgumentError{Argument: "at", Reason: "it is odd", Advice: "look"}} {
		if diff := cmp.Diff(&jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: want}, invalid(err)); diff != "" {
			t.Error(diff)
		}
	}
	for text, want := range map[string]string{"One. Two.": "One", "One.": "One", "One": "One", "v1.2 is. It": "v1.2 is"} {
		if got := firstSentence(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// Calls of both products that are written for a profile read that nothing is at a place; any other failure, and any
// other profile, is one.
func TestNothingAtAPlace(t *testing.T) {
	finishing := &tool{finish: saying(nothingFound, places)}
	at := arguments{"column": json.RawMessage("1")}
	missing := &result.Error{Kind: result.NotFound}
	for name, c := range map[string]struct {
		profile string
		of      *tool
		err     error
		args    arguments
		want    bool
	}{
		"llxprt":          {profileLLXPRT, finishing, missing, at, true},
		"opta":            {profileOpta, finishing, missing, at, true},
		"full":            {profileFull, finishing, missing, at, false},
		"no error":        {profileOpta, finishing, nil, at, false},
		"another tool":    {profileOpta, &tool{}, missing, at, false},
		"no place":        {profileOpta, finishing, missing, arguments{}, false},
		"another failure": {profileOpta, finishing, &result.Error{Kind: result.Timeout}, at, false},
		"a missing file":  {profileOpta, finishing, &result.Error{Kind: result.NotFound, Data: result.Data{Path: "a"}}, at, false},
	} {
		s := &Server{opts: Options{Profile: c.profile}}
		if got := s.nothingThere(c.of, c.err, c.args); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// An answer in the words of a product says what it has, or that it has nothing, and what is not known yet.
func TestWhatIsSaidInTheWordsOfAProduct(t *testing.T) {
	for name, c := range map[string]struct {
		of   result.Result
		want string
	}{
		"something":    {&result.Places{Files: []result.PlaceFile{{Path: "a.toy", Places: []result.Place{{Line: 1, Column: 2}, {Line: 3, Column: 4}}}}}, "a.toy:1:2\na.toy:3:4"},
		"nothing":      {&result.Places{}, nothingFound},
		"not yet":      {&result.Places{Head: result.Head{State: []string{"toy loads", "far starts"}, Cut: "3 more"}}, nothingFound + "\n(not known yet: toy loads; ask again)\n(not known yet: far starts; ask again)\n(3 more)"},
		"another kind": {&result.Check{}, nothingFound},
	} {
		got, err := saying(nothingFound, places)(t.Context(), nil, nil, []result.Result{c.of})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, answerOf(t, got).text); diff != "" || got.IsError {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
