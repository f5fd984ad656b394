package diagnostics

import (
	"errors"

	"github.com/lspine/lspine/internal/jsonrpc"
)

// hush makes an answer partial for a reason, if there is one: that the server knows nothing
// wrong with the file, or refuses to speak of it, says nothing.
func (a *Answer) hush(why string) {
	var refused *jsonrpc.ResponseError
	if why == "" || a.Freshness != Fresh && !errors.As(a.Err, &refused) {
		return
	}
	a.Freshness, a.Reason, a.Err, a.quiet = Partial, why, nil, true
}
