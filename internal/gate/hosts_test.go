package gate

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
)

// A page of another site comes with its own name, as the host or as the origin.
//
// Requirement: HTTP-9.
func TestPagesOfOthers(t *testing.T) {
	h := open(t, hello)
	_, port, _ := strings.Cut(strings.TrimPrefix(h.url, "http://"), ":")
	for _, c := range []struct {
		host, origin string
		status       int
	}{
		{"127.0.0.1:" + port, "", 200},
		{"localhost:" + port, "", 200},
		{"LocalHost:" + port, "", 200},
		{"[::1]:" + port, "", 200},
		{"localhost", "", 403},
		{"localhost:1", "", 403},
		{"evil.example:" + port, "", 403},
		{"localhost.evil.example:" + port, "", 403},
		{"127.0.0.1.evil.example:" + port, "", 403},
		{"192.0.2.1:" + port, "", 403},
		{"localhost:" + port, "http://localhost:" + port, 200},
		{"localhost:" + port, "http://evil.example", 403},
		{"localhost:" + port, "http://localhost:1", 403},
		{"localhost:" + port, "null", 403},
		{"evil.example:" + port, "http://evil.example:" + port, 403},
	} {
		for _, method := range []string{http.MethodPost, http.MethodGet} {
			if got := h.ask(method, "/", "", "Host", c.host, "Origin", c.origin); got.Status != c.status {
				t.Errorf("%s from %q to %q: %d %s", method, c.origin, c.host, got.Status, got.Body)
			}
		}
	}
}

// A listener on every address is reached by any address, by no name but those that the user gave.
func TestNamesOfAListener(t *testing.T) {
	tcp := func(text string) net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(text)) }
	for _, c := range []struct {
		listener net.Addr
		names    []string
		host     string
		want     bool
	}{
		{tcp("0.0.0.0:8080"), nil, "192.0.2.1:8080", true},
		{tcp("[::]:8080"), nil, "[2001:db8::1]:8080", true},
		{tcp("[::]:8080"), nil, "localhost:8080", true},
		{tcp("0.0.0.0:8080"), nil, "shop.example:8080", false},
		{tcp("0.0.0.0:8080"), []string{"Shop.example"}, "shop.example:8080", true},
		{tcp("0.0.0.0:8080"), []string{"shop.example"}, "shop.example", true},
		{tcp("0.0.0.0:8080"), []string{"shop.example:443"}, "shop.example:443", true},
		{tcp("0.0.0.0:8080"), []string{"shop.example:443"}, "shop.example:8080", false},
		{tcp("192.0.2.1:8080"), nil, "192.0.2.1:8080", true},
		{tcp("192.0.2.1:8080"), nil, "192.0.2.2:8080", false},
		{tcp("192.0.2.1:8080"), nil, "localhost:8080", false},
		{tcp("192.0.2.1:443"), nil, "192.0.2.1", true},
		{tcp("127.0.0.1:8080"), nil, "", false},
		{&net.UnixAddr{Name: "s", Net: "unix"}, nil, "anything", true},
	} {
		if got := NewHosts(c.listener, c.names).has(c.host); got != c.want {
			t.Errorf("%v %q: %q is served: %t", c.listener, c.names, c.host, got)
		}
	}
}
