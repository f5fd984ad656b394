package diagnostics

import (
	"errors"

	"github.com/lspine/lspine/internal/jsonrpc"
)

// hush makes an answer partial for a reason, if there is one: what the server says of the
// file, or that it refuses to speak of it, says nothing.
func (a *Answer) hush(why string) {
	var refused *jsonrpc.ResponseError
	if why == "" || a.Freshness != Fresh && !errors.As(a.Err, &refused) {
		return
	}
	a.Freshness, a.Reason, a.Err, a.quiet = Partial, why, nil, true
	a.Items, a.prior.items, a.origin.items = nil, nil, nil
}
