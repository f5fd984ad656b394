package gate

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Hosts are the names under which a listener may be addressed. A page of another site can have its own
// name resolve to this machine (DNS rebinding), and the browser then sends that name.
type Hosts struct {
	// address is where the listener listens. Not valid: a socket, which no browser reaches.
	address netip.AddrPort
	// Names are further ones, of proxies for example: NAME for every port, or NAME:PORT.
	names []string
}

// NewHosts returns the names of a listener and further ones; of each further one, the port may be left
// out, which means any.
func NewHosts(listener net.Addr, further []string) Hosts {
	h := Hosts{}
	if tcp, ok := listener.(*net.TCPAddr); ok {
		h.address = tcp.AddrPort()
		h.address = netip.AddrPortFrom(h.address.Addr().Unmap(), h.address.Port())
	}
	for _, name := range further {
		h.names = append(h.names, strings.ToLower(name))
	}
	return h
}

// has reports whether a request may be addressed to a host, which is NAME or NAME:PORT.
func (h Hosts) has(host string) bool {
	if !h.address.IsValid() {
		return true
	}
	host = strings.ToLower(host)
	name, port := host, ""
	if n, p, err := net.SplitHostPort(host); err == nil {
		name, port = n, p
	}
	name = strings.Trim(name, "[]")
	if slices.Contains(h.names, host) || slices.Contains(h.names, name) {
		return true
	}
	if port != strconv.Itoa(int(h.address.Port())) && (port != "" || h.address.Port() != 80 && h.address.Port() != 443) {
		return false
	}
	own := h.address.Addr()
	if name == "localhost" {
		return own.IsLoopback() || own.IsUnspecified()
	}
	asked, err := netip.ParseAddr(name)
	switch asked = asked.Unmap(); {
	case err != nil: // a name, which anybody could have
		return false
	case own.IsUnspecified(): // no name is resolved, so nobody can have it resolve to another address
		return true
	case own.IsLoopback():
		return asked.IsLoopback()
	}
	return asked == own
}

// isForeign reports whether a request comes from a page of another site.
func isForeign(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host)
}
