package gate

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strconv"
)

// Listen listens on a port of an address of this machine; 0 chooses a port. 0.0.0.0 is every address of
// IPv4, and none of IPv6; :: is every address.
func Listen(ctx context.Context, address netip.Addr, port int) (net.Listener, error) {
	var config net.ListenConfig
	network := "tcp"
	if address.Is4() {
		network = "tcp4"
	}
	return config.Listen(ctx, network, net.JoinHostPort(address.String(), strconv.Itoa(port)))
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
