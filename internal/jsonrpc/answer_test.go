package jsonrpc

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A request that came alone is answered under its id, whatever becomes of it; what is no request is refused.
func TestAnswer(t *testing.T) {
	do := func(_ context.Context, method string, params json.RawMessage) (any, error) {
		switch method {
		case "echo":
			return params, nil
		case "fails":
			return nil, &ResponseError{Code: CodeInvalidParams, Message: "no", Data: json.RawMessage(`{"kind":"argument"}`)}
		case "breaks":
			return nil, errors.New("broken")
		case "panics":
			panic("kaboom")
		}
		return nil, ErrMethodNotFound
	}
	const none = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the body is not one request of JSON-RPC 2.0 with an id"}}`
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":[1]}}`: `{"jsonrpc":"2.0","id":1,"result":{"a":[1]}}`,
		`{"jsonrpc":"2.0","id":"x","method":"echo","params":{}}`:      `{"jsonrpc":"2.0","id":"x","result":{}}`,
		`{"jsonrpc":"2.0","id":2,"method":"fails"}`:                   `{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no","data":{"kind":"argument"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"breaks"}`:                  `{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"broken"}}`,
		`{"jsonrpc":"2.0","id":4,"method":"other"}`:                   `{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"method not found: other"}}`,
		`{"jsonrpc":"2.0","method":"echo"}`:                           none,
		`{"jsonrpc":"2.0","id":5,"result":{}}`:                        none,
		`[{"jsonrpc":"2.0","id":6,"method":"echo"}]`:                  none,
		`{}`:          none,
		`null`:        none,
		`{"jsonrpc":`: `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the body is not JSON"}}`,
		``:            `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the body is not JSON"}}`,
	} {
		got, err := Answer(t.Context(), []byte(body), do)
		if err != nil {
			t.Errorf("%s: %v", body, err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
	got, err := Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":7,"method":"panics"}`), do)
	if err != nil || !strings.HasPrefix(string(got), `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,`) {
		t.Errorf("a panic: %s, %v", got, err)
	}
}
