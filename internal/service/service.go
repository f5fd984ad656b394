// Package service serves a program that embeds us, over a stream of framed JSON-RPC 2.0: a
// [Host] speaks the words of LLxprt's LSP service, and runs each operation of the catalog.
package service

import (
	"encoding/json"

	"github.com/lspine/lspine/internal/jsonrpc"
)

// requestsAlone handles messages that are no requests: hosts send none that concern us.
type requestsAlone struct{}

func (requestsAlone) Notification(string, json.RawMessage) {}

func (requestsAlone) Request(string, json.RawMessage) (any, error) {
	return nil, jsonrpc.ErrMethodNotFound
}
