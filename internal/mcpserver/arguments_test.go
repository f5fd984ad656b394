package mcpserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// argumentsOf reads arguments from their JSON.
func argumentsOf(t *testing.T, text string) (args arguments) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &args); err != nil {
		t.Fatal(err)
	}
	return args
}

// The form of a result and the format of a hook are taken out of the arguments, and nothing but their values is
// taken.
func TestArgumentsAboutTheAnswer(t *testing.T) {
	type said struct {
		Lean, Hook bool
		Left       int
		Wrong      string
	}
	check := &tool{operation: "check", lean: true}
	for _, c := range []struct {
		of   *tool
		args string
		want said
	}{
		{check, `{"x":1}`, said{Lean: true, Left: 1}},
		{&tool{}, `{"x":1}`, said{Left: 1}},
		{check, `{"structured":"full"}`, said{}},
		{&tool{}, `{"structured":"lean"}`, said{Lean: true}},
		{check, `{"structured":"","x":1}`, said{Left: 1, Wrong: `structured: it is ""`}},
		{check, `{"structured":7}`, said{Wrong: `structured: it is 7`}},
		{check, `{"format":"hook","x":1}`, said{Lean: true, Hook: true, Left: 1}},
		{check, `{"format":"text"}`, said{Lean: true, Wrong: `format: it is "text"`}},
		{&tool{operation: "symbols"}, `{"format":"hook"}`, said{Left: 1}},
		{&tool{operation: "check", parameters: []parameter{{name: "format"}}}, `{"format":"hook"}`, said{Left: 1}},
	} {
		args := argumentsOf(t, c.args)
		var got said
		var errs [2]error
		got.Lean, errs[0] = c.of.leanFor(args)
		got.Hook, errs[1] = c.of.isHook(args)
		if err := errors.Join(errs[:]...); err != nil {
			got.Wrong = err.Error()
		}
		got.Left = len(args)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.args, diff)
		}
	}
}

// A call has three minutes, or what its tool or its own time-out says, with five seconds to spare; its text has the
// budget that it asks for.
func TestLimitsOfACall(t *testing.T) {
	type limits struct {
		Deadline time.Duration
		Budget   int
	}
	short := &tool{deadline: 10 * time.Second}
	for _, c := range []struct {
		of   *tool
		args string
		want limits
	}{
		{&tool{}, `{}`, limits{3 * time.Minute, render.DefaultBytes}},
		{short, `{"max_bytes":0}`, limits{10 * time.Second, render.DefaultBytes}},
		{short, `{"timeout_ms":4000,"max_bytes":100}`, limits{10 * time.Second, 100}},
		{short, `{"timeout_ms":6000,"max_bytes":-1}`, limits{11 * time.Second, -1}},
		{&tool{}, `{"timeout_ms":600000,"max_bytes":"x"}`, limits{605 * time.Second, render.DefaultBytes}},
		{&tool{}, `{"timeout_ms":"x"}`, limits{3 * time.Minute, render.DefaultBytes}},
	} {
		args := argumentsOf(t, c.args)
		if diff := cmp.Diff(c.want, limits{c.of.deadlineOf(args), budgetOf(args)}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.args, diff)
		}
	}
}

// No arguments are none; what is no object is refused.
func TestArgumentsAreAnObject(t *testing.T) {
	for text, want := range map[string]int{"": 0, " \n": 0, "{}": 0, `{"a":1,"b":2}`: 2, "null": 0} {
		if got, err := decode(json.RawMessage(text)); err != nil || len(got) != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	want := &api.ArgumentError{Argument: "arguments", Reason: "they are no JSON object", Advice: `for example {"file":"src/a.go"}`}
	for _, text := range []string{"7", "[1]", `"x"`} {
		_, err := decode(json.RawMessage(text))
		if diff := cmp.Diff(want, err); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// Each kind of argument becomes what the operation takes, or is refused with what it may be.
func TestArgumentsForOperations(t *testing.T) {
	seconds := parameter{name: "wait", to: "timeout_ms", seconds: true}
	zero := parameter{name: "character", to: "column", plus: 1}
	one := parameter{name: "line", atLeast: 1}
	way := parameter{name: "way", to: "direction", values: []value{{"in", `"callers"`}, {"true", `"both"`}, {"as is", ""}}, also: []value{{"old", `"callees"`}}}
	nothing := parameter{name: "way", to: toNothing, values: []value{{name: "in"}}, advice: "it may be in alone"}
	for _, c := range []struct {
		of         parameter
		raw        string
		want       string
		wrong      string
		advice     string
		workspaces string
	}{
		{of: seconds, raw: "0.5", want: `{"timeout_ms":500}`},
		{of: seconds, raw: "0.0001", want: `{"timeout_ms":1}`},
		{of: seconds, raw: "3600", want: `{"timeout_ms":3600000}`},
		{of: seconds, raw: "3600.1", wrong: "wait: it is 3600.1", advice: "a number of seconds, at most 3600, for example wait: 60"},
		{of: seconds, raw: "0", wrong: "wait: it is 0", advice: "a number of seconds, at most 3600, for example wait: 60"},
		{of: seconds, raw: `"1"`, wrong: `wait: it is "1"`, advice: "a number of seconds, at most 3600, for example wait: 60"},
		{of: zero, raw: "0", want: `{"column":1}`},
		{of: zero, raw: "7", want: `{"column":8}`},
		{of: zero, raw: "-1", wrong: "character: it is -1", advice: "a whole number, from 0"},
		{of: zero, raw: "1.5", wrong: "character: it is 1.5", advice: "a whole number, from 0"},
		{of: zero, raw: `"1"`, wrong: `character: it is "1"`, advice: "a whole number, from 0"},
		{of: zero, raw: "2147483648", wrong: "character: it is 2147483648", advice: "a whole number, from 0"},
		{of: one, raw: "2147483647", want: `{"line":2147483647}`},
		{of: one, raw: "0", want: `{"line":1}`},
		{of: one, raw: "2", want: `{"line":2}`},
		{of: workspaceParameter, raw: `"/a"`, want: `{}`, workspaces: "/a"},
		{of: workspaceParameter, raw: `7`, wrong: "workspace: it is no string; the folder is needed"},
		{of: way, raw: `"in"`, want: `{"direction":"callers"}`},
		{of: way, raw: ` true `, want: `{"direction":"both"}`},
		{of: way, raw: `"as is"`, want: `{"direction":"as is"}`},
		{of: way, raw: `"old"`, want: `{"direction":"callees"}`},
		{of: way, raw: `"new"`, wrong: `way: it is "new"`, advice: "it may be in, true, as is"},
		{of: nothing, raw: `"in"`, want: `{}`},
		{of: nothing, raw: `"out"`, wrong: `way: it is "out"`, advice: "it may be in alone"},
		{of: parameter{name: "old", to: toNothing}, raw: `7`, want: `{}`},
		{of: parameter{name: "filter", refused: "leave it out"}, raw: `7`, wrong: "filter: it cannot be chosen here", advice: "leave it out"},
		{of: fileAlone, raw: `"a"`, want: `{"files":["a"]}`},
		{of: fileAlone, raw: ` ["a","b"]`, want: `{"files":["a","b"]}`},
		{of: filePath, raw: `"a"`, want: `{"file":"a"}`},
	} {
		out, workspace := make(arguments), ""
		err := (&tool{}).pass(&c.of, json.RawMessage(c.raw), out, &workspace)
		var wrong, advice string
		if err != nil {
			e := result.ErrorOf(err)
			wrong, advice = e.Message, e.Hint
		}
		if err == nil && c.want != "" {
			text, _ := json.Marshal(out)
			if diff := cmp.Diff([]string{c.want, c.workspaces}, []string{string(text), workspace}); diff != "" {
				t.Errorf("%s %s (-want +got):\n%s", c.of.name, c.raw, diff)
			}
		}
		if diff := cmp.Diff([]string{c.wrong, c.advice}, []string{wrong, advice}); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.of.name, c.raw, diff)
		}
	}
}

// The file of a call is in its selector, its only file, the first of its files, or that of its first edit.
func TestFileOfACall(t *testing.T) {
	for args, want := range map[string]string{
		`{"file":"a.go","at":"b.go:1"}`: "a.go", `{"file":"","at":"b.go:1 x"}`: "b.go", `{"edits.file":"c.go"}`: "c.go",
		`{"files":["d.go","e.go"],"edits":[{"file":"f.go"}]}`: "d.go", `{"files":[],"edits":[{"file":"f.go"},{"file":"g.go"}]}`: "f.go",
		`{"edits":[]}`: "", `{"files":"d.go"}`: "", `{}`: "",
	} {
		if got := namedFile(argumentsOf(t, args)); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

// An error about an argument names it as the caller did, also where it shows an example; other errors stay.
func TestErrorsNameArgumentsOfTheCaller(t *testing.T) {
	of := &tool{parameters: []parameter{{name: "level"}, filePath}}
	wrong := func(argument, reason, hint string) *result.Error {
		return result.ErrorOf(&api.ArgumentError{Argument: argument, Reason: reason, Advice: hint})
	}
	other := &result.Error{Kind: result.NotFound, Message: "file", Data: result.Data{Argument: "file"}}
	for _, c := range []struct{ given, want *result.Error }{
		{wrong("file", "it is missing", "for example file: a"), wrong("file_path", "it is missing", "for example file_path: a")},
		{wrong("level", "it is odd", "for example level: a"), wrong("level", "it is odd", "for example level: a")},
		{wrong("", "it is odd", ""), wrong("", "it is odd", "")},
		{other, other},
	} {
		if diff := cmp.Diff(c.want, of.retold(c.given)); diff != "" {
			t.Error(diff)
		}
	}
}

// A rule is one of three words; only a question has another rule for clients that cannot ask.
func TestRulesOfPermissions(t *testing.T) {
	for text, want := range map[string]api.Permission{
		"allow": {Action: api.Allow, Fallback: api.Deny}, "deny": {Action: api.Deny, Fallback: api.Deny}, "ask": {Action: api.Ask, Fallback: api.Deny},
		"ask:allow": {Action: api.Ask, Fallback: api.Allow}, "ask:deny": {Action: api.Ask, Fallback: api.Deny},
	} {
		got, err := ParsePermission(text)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", text, err, diff)
		}
	}
	for _, text := range []string{"", "maybe", "ask:ask", "ask:", "allow:deny", "deny:allow", "allow:allow"} {
		got, err := ParsePermission(text)
		want := &api.ArgumentError{Argument: "permission", Reason: fmt.Sprintf("there is no rule %q", text), Advice: "rules are allow, deny, ask, and ask:allow, which allows it where the client cannot ask"}
		if diff := cmp.Diff(want, err); diff != "" || got != (api.Permission{}) {
			t.Errorf("%s: %+v %s", text, got, diff)
		}
	}
}
