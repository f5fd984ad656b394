package hostclient

import (
	"context"
	"encoding/json"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/remote"
	"github.com/lspine/lspine/internal/result"
)

// Call runs any operation in the service, by its name in docs/reference/operations.md. It makes the
// client a [github.com/lspine/lspine/pkg/types.Caller]: host.New(client) has methods for checks,
// context and turns. Unlike the other methods, it returns errors, whose kind says what went wrong.
// Only ctx limits its time.
func (c *Client) Call(ctx context.Context, name string, req, res any) error {
	if !c.Alive() {
		return &result.Error{Kind: result.Unavailable, Message: c.UnavailableReason(), Hint: "go on without it"}
	}
	params, err := json.Marshal(req)
	if err != nil {
		return err
	}
	answer, err := c.connection().Call(ctx, "lspine/"+name, params)
	if err != nil {
		return remote.Restated(ctx, err)
	}
	return json.Unmarshal(answer, res)
}

// connection returns the connection of a client that was started.
func (c *Client) connection() *jsonrpc.Conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conn
}
