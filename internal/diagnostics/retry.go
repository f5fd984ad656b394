package diagnostics

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/lspine/lspine/internal/jsonrpc"
)

// retriable reports whether a pull failed only because the server's state has changed meanwhile.
func retriable(err error) bool {
	var failure *jsonrpc.ResponseError
	if !errors.As(err, &failure) {
		return false
	}
	switch failure.Code {
	case jsonrpc.CodeContentModified:
		return true
	case jsonrpc.CodeServerCancelled:
		var data struct {
			RetriggerRequest *bool `json:"retriggerRequest"`
		}
		_ = json.Unmarshal(failure.Data, &data)
		return data.RetriggerRequest == nil || *data.RetriggerRequest
	}
	return false
}

// pause waits before the next attempt, so that a server that refuses at once is not flooded with
// retries.
func pause(ctx context.Context, attempt int) error {
	timer := time.NewTimer(time.Millisecond << min(attempt, 6))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
