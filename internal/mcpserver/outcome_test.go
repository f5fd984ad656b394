package mcpserver

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// wholeAnswer compares answers with what only the SDK sets in them.
var wholeAnswer = cmp.AllowUnexported(mcp.CallToolResult{})

// failing is what fail returns for a failure of a kind.
func failing(kind result.Kind, message, hint, text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}},
		StructuredContent: failure{result.Error{Kind: kind, Message: message, Hint: hint}},
	}
}

// A failure is told with its hint; where no server can tell, the text search takes the place of the hint's own.
// The details of the error are not told.
func TestFailuresAreTold(t *testing.T) {
	const search = `grep -rnw "Load" .`
	long := strings.Repeat("long ", render.DefaultBytes)
	cut := render.Shortened(long, "", render.DefaultBytes)
	for name, c := range map[string]struct {
		err    error
		search string
		want   *mcp.CallToolResult
	}{
		"plain":                      {errors.New("oh"), "", failing(result.Failed, "oh", "", "oh")},
		"nothing to search":          {&result.Error{Kind: result.Unsupported, Message: "no", Hint: "a; as text: b"}, "", failing(result.Unsupported, "no", "a; as text: b", "no\na; as text: b")},
		"unsupported":                {&result.Error{Kind: result.Unsupported, Message: "no", Hint: "a; as text: b"}, search, failing(result.Unsupported, "no", "a\nas text: "+search, "no\na\nas text: "+search)},
		"unavailable without a hint": {&result.Error{Kind: result.Unavailable, Message: "no"}, search, failing(result.Unavailable, "no", "as text: "+search, "no\nas text: "+search)},
		"not found":                  {&result.Error{Kind: result.NotFound, Message: "no", Hint: "a"}, search, failing(result.NotFound, "no", "a", "no\na")},
		"details":                    {&result.Error{Kind: result.Argument, Message: "no", Data: result.Data{Argument: "at"}}, search, failing(result.Argument, "no", "", "no")},
		"long":                       {errors.New(long), "", failing(result.Failed, cut, "", cut)},
	} {
		if diff := cmp.Diff(c.want, fail(c.err, c.search), wholeAnswer); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The hints of failures name the tools of the profile; answers, questions and failures without a hint stay as they are.
func TestFailuresInTheWordsOfTheProfile(t *testing.T) {
	server, err := New(Options{Profile: "full"})
	if err != nil {
		t.Fatal(err)
	}
	const said, told = "symbols with this file lists what it declares", "list_symbols with this file lists what it declares"
	question := &mcp.CallToolResult{RequestState: "{}"}
	for name, c := range map[string]struct{ given, want *mcp.CallToolResult }{
		"a hint":           {failing(result.NotFound, "no", said, "no\n"+said), failing(result.NotFound, "no", told, "no\n"+told)},
		"nothing is left":  {failing(result.NotFound, "no", "status shows how far it is", "no\nstatus shows how far it is"), failing(result.NotFound, "no", "", "no")},
		"no hint":          {failing(result.NotFound, "no", "", "as it was"), failing(result.NotFound, "no", "", "as it was")},
		"an answer":        {succeed(said, failure{result.Error{Hint: said}}), succeed(said, failure{result.Error{Hint: said}})},
		"another failure":  {&mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: said}}}, &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: said}}}},
		"a question":       {question, &mcp.CallToolResult{RequestState: "{}"}},
		"outside a folder": {failing(result.Outside, "no", "", "no"), failing(result.Outside, "no", "", "no")},
	} {
		if diff := cmp.Diff(c.want, server.worded(c.given), wholeAnswer); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The text search is for the last part of the name that a call gives, or for the word where it points; there is none
// where that is no name.
func TestNamesToSearchFor(t *testing.T) {
	root := t.TempDir()
	lsptest.WriteFile(t, filepath.Join(root, "a.toy"), "use one\n  tw$_2(three)\nünï\n\n")
	lsptest.WriteFile(t, filepath.Join(root, "odd.toy"), "one\xff\n")
	for given, want := range map[string]string{
		`{"symbol":"Config.Load","query":"other"}`:    "Load",
		`{"query":"pkg/Load","at":"a.toy:1:5"}`:       "Load",
		`{"symbol":"","query":"","at":"a.toy:1 one"}`: "one",
		`{"symbol":"A#b"}`:                            "b",
		`{"symbol":"Load[2]"}`:                        "Load",
		`{"symbol":"operator +"}`:                     "",
		`{"symbol":"a(b"}`:                            "",
		`{"symbol":7,"at":"a.toy:1:5"}`:               "one",
		`{"at":"Config.Load"}`:                        "Load",
		`{"at":"a.toy:1"}`:                            "",
		`{"at":"a.toy:1:5"}`:                          "one",
		`{"at":"a.toy:1:8"}`:                          "one",
		`{"at":"a.toy:1:4"}`:                          "use",
		`{"at":"a.toy:1:99"}`:                         "one",
		`{"at":"a.toy:2:1"}`:                          "",
		`{"at":"a.toy:2:3"}`:                          "tw$_2",
		`{"at":"a.toy:2:7"}`:                          "tw$_2",
		`{"at":"a.toy:2:9"}`:                          "three",
		`{"at":"a.toy:3:2"}`:                          "ünï",
		`{"at":"a.toy:4:1"}`:                          "",
		`{"at":"a.toy:5:1"}`:                          "",
		`{"at":"a.toy:6:1"}`:                          "",
		`{"at":"a.toy:0:1"}`:                          "",
		`{"at":"a.toy:1:0"}`:                          "",
		`{"at":"odd.toy:1:1"}`:                        "",
		`{"at":"gone.toy:1:1"}`:                       "",
		`{"file":"a.toy","line":1,"column":5}`:        "one",
		`{"file":"` + filepath.ToSlash(root) + `/a.toy","line":1,"column":1}`: "use",
		`{"file":"a.toy"}`: "",
		`{}`:               "",
	} {
		var args arguments
		if err := json.Unmarshal([]byte(given), &args); err != nil {
			t.Fatal(err)
		}
		command := ""
		if want != "" {
			command = `grep -rnw "` + want + `" .`
		}
		if diff := cmp.Diff([]string{want, command}, []string{plainName(root, args), textSearch(root, args)}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", given, diff)
		}
	}
}

// The next steps and the notes of answers name the tools of the profile; in the full one hints take the place of the
// next steps.
func TestNextStepsInTheWordsOfTheProfile(t *testing.T) {
	const said, told = "symbols with this file lists what it declares", "list_symbols with this file lists what it declares"
	for profile, want := range map[string]result.Head{
		"":     {Next: said, Notes: []string{"a note", said}},
		"full": {Notes: []string{"a note", told}},
	} {
		server, err := New(Options{Profile: profile})
		if err != nil {
			t.Fatal(err)
		}
		replies := []result.Result{&result.Places{Head: result.Head{Next: said, Notes: []string{"a note", said}}}, &result.Places{Head: result.Head{Next: said}}}
		server.follow(replies)
		got := []result.Head{replies[0].(*result.Places).Head, replies[1].(*result.Places).Head}
		if diff := cmp.Diff([]result.Head{want, {Next: want.Next}}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", profile, diff)
		}
	}
}
