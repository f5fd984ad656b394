package gate

import (
	"context"
	"net"
)

// ListenSocket fails: on Windows, a socket cannot be kept from other users by its rights.
func ListenSocket(_ context.Context, path string) (net.Listener, error) {
	return nil, &SocketError{path, "sockets are not served on Windows", "listen on 127.0.0.1, with a token"}
}
