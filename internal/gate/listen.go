package gate

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strconv"
)

// Listen listens on a port of an address of this machine.
func Listen(ctx context.Context, address netip.Addr, port int) (net.Listener, error) {
	var config net.ListenConfig
	return config.Listen(ctx, "tcp", net.JoinHostPort(address.String(), strconv.Itoa(port)))
}

// maxSocketPath is the maximum length of a socket path, in bytes, that every system supports: macOS
// allows 104 including the final zero.
const maxSocketPath = 103

// A SocketError says why a socket is not served.
type SocketError struct {
	Path   string
	Reason string
	// Advice is what to do, "" if that is clear.
	Advice string
}

func (e *SocketError) Error() string { return fmt.Sprintf("%s: %s", e.Path, e.Reason) }
