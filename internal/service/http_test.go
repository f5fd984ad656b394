package service

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// answering is a caller that answers check and denies the rest; it remembers what goes with calls.
type answering struct{ calls []api.Call }

func (c *answering) Call(ctx context.Context, name string, _, res any) error {
	c.calls = append(c.calls, api.CallOf(ctx))
	if name != api.Check.Name {
		return &result.Error{Kind: result.Denied, Message: name + " is denied"}
	}
	res.(*result.Check).Verdict = "clean"
	return nil
}

// A request that came alone is an operation of the catalog; the host's own methods need a connection. The policy knows who asks.
func TestOperationThatCameAlone(t *testing.T) {
	caller := &answering{}
	for _, c := range []struct {
		client, method string
		code           int
		kind           result.Kind
	}{
		{"ada", "lspine/check", 0, ""},
		{"", "lspine/check", 0, ""},
		{"of/two parts", "lspine/edit", -32000, result.Denied},
		{"ada", "lspine/none", -32601, result.Unsupported},
		{"ada", "lspine/subscribe", -32601, result.Unsupported},
		{"ada", "lsp/shutdown", -32601, result.Unsupported},
	} {
		body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": c.method, "params": json.RawMessage(`{}`)})
		if err != nil {
			t.Fatal(err)
		}
		text, err := AnswerOperation(api.Call{Client: c.client, Session: "own"}.In(t.Context()), caller, body)
		var got struct {
			Result *result.Check `json:"result"`
			Error  struct {
				Code int          `json:"code"`
				Data result.Error `json:"data"`
			} `json:"error"`
		}
		if err != nil || json.Unmarshal(text, &got) != nil || got.Error.Code != c.code || got.Error.Data.Kind != c.kind || (got.Result != nil) != (c.code == 0) {
			t.Errorf("%s: %s, %v", c.method, text, err)
		}
	}
	want := []api.Call{
		{Client: "service/ada", Tool: "lspine/check", Session: "own"},
		{Client: "service", Tool: "lspine/check", Session: "own"},
		{Client: "service/of-two parts", Tool: "lspine/edit", Session: "own"},
	}
	if diff := cmp.Diff(want, caller.calls); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
