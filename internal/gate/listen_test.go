package gate

import (
	"net/netip"
	"testing"
)

// Who asks for the addresses of IPv4 does not get those of IPv6, which other rules of a firewall are about.
func TestAddressesOfAListener(t *testing.T) {
	for _, text := range []string{"127.0.0.1", "0.0.0.0"} {
		listener, err := Listen(t.Context(), netip.MustParseAddr(text), 0)
		if err != nil {
			t.Fatal(err)
		}
		got, err := netip.ParseAddrPort(listener.Addr().String())
		if err != nil || got.Addr().String() != text || got.Port() == 0 {
			t.Errorf("%s: %v, %v", text, listener.Addr(), err)
		}
		_ = listener.Close()
	}
}
