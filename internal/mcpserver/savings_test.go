package mcpserver

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// What an answer saves is counted in tokens of four bytes, begun ones too, and is never less than nothing; there is
// nothing to count for failures, other tools, and files that are not there.
func TestSavingsAreCounted(t *testing.T) {
	root := t.TempDir()
	lsptest.WriteFile(t, filepath.Join(root, "a.toy"), strings.Repeat("x", 401))
	lsptest.WriteFile(t, filepath.Join(root, "empty.toy"), "")
	answer := func(texts ...string) *mcp.CallToolResult {
		a := &mcp.CallToolResult{}
		for _, text := range texts {
			a.Content = append(a.Content, &mcp.TextContent{Text: text})
		}
		return a
	}
	failed := answer("x")
	failed.IsError = true
	for name, c := range map[string]struct {
		of      tool
		answer  *mcp.CallToolResult
		replies []result.Result
		want    any
	}{
		"symbols":       {tool{saves: true}, answer("12345"), []result.Result{&result.Symbols{Path: "a.toy"}}, savings{2, 101, 99, 98}},
		"source":        {tool{saves: true}, answer("1234", "5678"), []result.Result{&result.Source{Path: filepath.Join(root, "a.toy")}}, savings{2, 101, 99, 98}},
		"context":       {tool{saves: true}, answer(strings.Repeat("y", 500)), []result.Result{&result.EditingContext{Path: "a.toy"}}, savings{125, 101, 0, 0}},
		"an empty file": {tool{saves: true}, answer("x"), []result.Result{&result.Source{Path: "empty.toy"}}, savings{1, 0, 0, 0}},
		"another tool":  {tool{}, answer("x"), []result.Result{&result.Source{Path: "a.toy"}}, nil},
		"a failure":     {tool{saves: true}, failed, []result.Result{&result.Source{Path: "a.toy"}}, nil},
		"no result":     {tool{saves: true}, answer("x"), nil, nil},
		"no file":       {tool{saves: true}, answer("x"), []result.Result{&result.Source{Path: "gone.toy"}}, nil},
	} {
		c.of.save(c.answer, root, c.replies)
		if diff := cmp.Diff(c.want, c.answer.Meta["token_savings"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A member goes to the end of an object, without escapes for HTML; what is no object stays.
func TestMembersAreAdded(t *testing.T) {
	for object, want := range map[string]string{
		"{}": `{"hint":"a <b> & \"c\""}`, `{"a":1}`: `{"a":1,"hint":"a <b> & \"c\""}`, "[1]": "[1]", "": "", `"}`: `",` + `"hint":"a <b> & \"c\""}`,
	} {
		given := []byte(object)
		got := withMember(given, "hint", `a <b> & "c"`)
		if diff := cmp.Diff([]string{want, object}, []string{string(got), string(given)}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", object, diff)
		}
	}
}

// A warning is a member of a text that is JSON, and a line of any other; no warning changes nothing.
func TestWarningsInAnswers(t *testing.T) {
	s := &Server{}
	raw := json.RawMessage(`{"a":1}`)
	told := json.RawMessage(`{"a":1,"skill_warning":"oh"}`)
	image := func() *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{}}}
	}
	for name, c := range map[string]struct {
		given   *mcp.CallToolResult
		warning string
		want    *mcp.CallToolResult
	}{
		"nothing":    {succeed("text", raw), "", succeed("text", raw)},
		"JSON":       {succeed(string(raw), raw), "oh", succeed(string(told), told)},
		"prose":      {succeed("text", raw), "oh", succeed("text\nwarning: oh", raw)},
		"no JSON":    {succeed("text", "text"), "oh", succeed("text\nwarning: oh", "text")},
		"no text":    {image(), "oh", image()},
		"JSON alone": {succeed(string(raw), raw), "", succeed(string(raw), raw)},
	} {
		if diff := cmp.Diff(c.want, s.warned(c.given, c.warning), wholeAnswer); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
