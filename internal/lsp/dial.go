package lsp

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/lspine/lspine/internal/registry"
)

// dialTimeout bounds the wait for somebody who takes a connection.
const dialTimeout = 5 * time.Second

// A DialError says that nobody accepts connections at the address of a server that somebody else
// runs. It does not unwrap to Err: a time-out of dialling must not look like that of the caller.
type DialError struct {
	Address string
	Err     error
}

// Error does not name the address: the error around it does.
func (e *DialError) Error() string {
	var failed *net.OpError
	if errors.As(e.Err, &failed) {
		return failed.Err.Error()
	}
	return e.Err.Error()
}

// Hint says what to do.
func (e *DialError) Hint() string {
	return "start the server that listens at " + e.Address + `, or take "connect" out of the configuration (lspine config says where it is)`
}

// Dial connects to a server that somebody else runs, at def.Connect. Its process is never ended.
// The caller must Close it.
func Dial(ctx context.Context, def registry.Definition, root string, opts Options) (*Server, error) {
	dialer := net.Dialer{Timeout: dialTimeout}
	network, address, _ := registry.Address(def.Connect) // the configuration takes no other
	conn, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, &ServerError{Server: def.ID, Phase: "connect to " + def.Connect, Err: &DialError{def.Connect, err}}
	}
	return begin(ctx, def, root, opts, conn, nil, time.Now())
}
