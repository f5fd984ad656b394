package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// A request is typed, or JSON that is read strictly; whatever is wrong with it
// is named, with a way out.
func TestRequests(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	var caller api.Caller = s.Engine
	call := func(name, request string) (result.Check, error) {
		var result result.Check
		err := caller.Call(t.Context(), name, json.RawMessage(request), &result)
		return result, err
	}
	answer, err := call("check", `{"files":["main.toy"],"contents":{"main.toy":"x ERROR json"},"timeout_ms":20000}`)
	if err != nil || enginetest.Told(answer.Files[0]) != "main.toy new_errors +1:3 json" || answer.Verdict != "new_errors" {
		t.Errorf("%+v, %v", answer, err)
	}
	for request, names := range map[string]string{
		`{"files":["main.toy"],"flies":1}`:               "flies",
		`{"files":7}`:                                    "files",
		`{"files":["main.toy"],"severities":["fatal"]}`:  "fatal",
		`{"files":["main.toy"],"baseline":"yesterday"}`:  "yesterday",
		`{"files":["main.toy"],"scope":"universe"}`:      "universe",
		`{"files":["main.toy"],"timeout_ms":-1}`:         "timeout_ms",
		`{"files":["main.toy"]`:                          "arguments",
		`{"files":["main.toy"],"timeout_ms":"forever"}`:  "timeout_ms",
		`{"files":["main.toy"],"contents":["main.toy"]}`: "contents",
	} {
		var argument *api.ArgumentError
		if _, err := call("check", request); !errors.As(err, &argument) || !strings.Contains(err.Error(), names) {
			t.Errorf("%s: %v, want an ArgumentError that names %s", request, err, names)
		}
	}
	var unknown *api.UnknownOperationError
	if _, err := call("chekc", `{}`); !errors.As(err, &unknown) || unknown.Name != "chekc" {
		t.Errorf("unknown operation: %v", err)
	}
	var wrong int
	if err := caller.Call(t.Context(), "check", api.CheckRequest{Files: []string{"main.toy"}}, &wrong); err == nil {
		t.Error("a result of another type was taken")
	}
	if err := caller.Call(t.Context(), "check", api.StatusRequest{}, &result.Check{}); err == nil {
		t.Error("a request of another type was taken")
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := api.Check.Do(gone, caller, api.CheckRequest{Files: []string{"main.toy"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Close leaves no process, and what is asked after it is no clean file.
func TestCloseLeavesNothing(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	s.Expect("main.toy clean")
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if left := lsptest.Descendants(t); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	s.Expect("main.toy lsp_unavailable (unavailable)")
}
