// Package service serves a program that embeds lspine, over a stream of JSON-RPC 2.0 messages with
// Content-Length frames. A [Host] answers the methods of LLxprt's LSP service (lsp/...), and every
// operation of the catalog.
package service

import (
	"encoding/json"

	"github.com/lspine/lspine/internal/jsonrpc"
)

// requestsAlone ignores notifications, and rejects requests that a [Host] does not answer.
type requestsAlone struct{}

func (requestsAlone) Notification(string, json.RawMessage) {}

func (requestsAlone) Request(string, json.RawMessage) (any, error) {
	return nil, jsonrpc.ErrMethodNotFound
}
