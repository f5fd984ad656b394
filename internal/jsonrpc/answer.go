package jsonrpc

import (
	"context"
	"encoding/json"
	"errors"

	"go.lsp.dev/jsonrpc2"

	"github.com/lspine/lspine/internal/guard"
)

// Answer returns the response to one request that did not come over a connection. do answers it; its error, or its panic, is the
// response's. A body that is no request (a notification, a batch, a response, or no message at all) gets an error response without an
// id.
func Answer(ctx context.Context, body []byte, do func(ctx context.Context, method string, params json.RawMessage) (any, error)) ([]byte, error) {
	m, err := jsonrpc2.DecodeMessage(body)
	req, ok := m.(*jsonrpc2.Call)
	switch {
	case !json.Valid(body):
		return refuse(jsonrpc2.ParseError, "the body is not JSON")
	case err != nil || !ok:
		return refuse(jsonrpc2.InvalidRequest, "the body is not one request of JSON-RPC 2.0 with an id")
	}
	var answer []byte
	err = guard.Do(func() error {
		result, err := do(ctx, req.Method(), json.RawMessage(req.Params()))
		if err != nil {
			return err
		}
		answer, err = json.Marshal(result)
		return err
	})
	if err != nil {
		return jsonrpc2.EncodeMessage(jsonrpc2.NewResponse(req.ID(), nil, failureOf(req.Method(), err)))
	}
	return jsonrpc2.EncodeMessage(jsonrpc2.NewResponse(req.ID(), jsonrpc2.RawMessage(answer), nil))
}

// A refusal is the response to what has no id.
type refusal struct {
	Version string    `json:"jsonrpc"`
	ID      *struct{} `json:"id"` // null
	Error   struct {
		Code    jsonrpc2.Code `json:"code"`
		Message string        `json:"message"`
	} `json:"error"`
}

func refuse(code jsonrpc2.Code, why string) ([]byte, error) {
	r := refusal{Version: "2.0"}
	r.Error.Code, r.Error.Message = code, why
	return json.Marshal(r)
}

// failureOf returns an error as the response to a request has it.
func failureOf(method string, err error) *jsonrpc2.Error {
	failure := &jsonrpc2.Error{Code: jsonrpc2.InternalError, Message: err.Error()}
	var known *ResponseError
	switch {
	case errors.As(err, &known):
		failure = &jsonrpc2.Error{Code: jsonrpc2.Code(known.Code), Message: known.Message, Data: jsonrpc2.RawMessage(known.Data)}
	case errors.Is(err, ErrMethodNotFound):
		failure.Code, failure.Message = CodeMethodNotFound, "method not found: "+method
	}
	return failure
}
