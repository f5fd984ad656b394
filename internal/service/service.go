// Package service serves a program that embeds us, over a stream of framed JSON-RPC 2.0: a
// [Host] speaks the words of LLxprt's LSP service, and runs each operation of the catalog.
package service

import (
	"encoding/json"

	"github.com/lspine/lspine/internal/jsonrpc"
)

// deaf handles what is no request: the service is told nothing.
type deaf struct{}

func (deaf) Notification(string, json.RawMessage) {}

func (deaf) Request(string, json.RawMessage) (any, error) { return nil, jsonrpc.ErrMethodNotFound }
