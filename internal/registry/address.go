package registry

import (
	"net"
	"path/filepath"
	"strconv"
	"strings"
)

// Address splits the address of a server that somebody else runs, host:port or unix:/path, into
// what package net calls network and address; ok is false where it is neither.
func Address(connect string) (network, address string, ok bool) {
	if path, isSocket := strings.CutPrefix(connect, "unix:"); isSocket {
		return "unix", path, filepath.IsAbs(path)
	}
	host, port, err := net.SplitHostPort(connect)
	n, err2 := strconv.Atoi(port)
	return "tcp", connect, err == nil && err2 == nil && host != "" && n >= 1 && n <= 65535
}
