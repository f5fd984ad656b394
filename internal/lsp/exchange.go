package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/lspine/lspine/internal/protocol"
)

// An Exchange is a request that was sent to a server, and what came of it.
type Exchange struct {
	// ID, Version and Root are those of the server.
	ID, Version, Root string
	Method            string
	// Path is the file that the request is about, "" if it is about none.
	Path string
	// Bytes is the length of the result as JSON.
	Bytes int
	Took  time.Duration
	Err   error
}

// exchanged tells who wants to know of a request that is over.
func (s *Server) exchanged(ctx context.Context, began time.Time, method string, params, result json.RawMessage, err error) {
	if s.opts.Exchanged == nil {
		return
	}
	s.opts.Exchanged(ctx, Exchange{
		ID: s.def.ID, Version: s.capabilities().ServerVersion, Root: s.root, Method: method, Path: subjectOf(params),
		Bytes: len(result), Took: time.Since(began), Err: err,
	})
}

// subjectOf returns the file that the parameters of a request name, or "".
func subjectOf(params json.RawMessage) string {
	if !bytes.Contains(params, []byte(`"textDocument"`)) {
		return ""
	}
	var about struct {
		TextDocument struct {
			URI protocol.DocumentURI `json:"uri"`
		} `json:"textDocument"`
	}
	if json.Unmarshal(params, &about) != nil || about.TextDocument.URI == "" {
		return ""
	}
	path, err := about.TextDocument.URI.Path()
	if err != nil {
		return ""
	}
	return path
}
