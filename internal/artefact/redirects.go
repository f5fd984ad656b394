package artefact

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// maxRedirects is how often a store may send a request on to another address.
const maxRedirects = 10

// client returns what sends requests to stores: it follows redirects as far as that is safe, and does not wait for a server that does
// nothing.
func (s *Store) client() *http.Client {
	client := *s.Client
	if client.Transport == nil {
		client.Transport = http.DefaultTransport
	}
	client.Transport = progressing{client.Transport}
	client.CheckRedirect = checkRedirect
	return &client
}

// checkRedirect has a redirect followed, which may lead to another host, as registries do it, if it is encrypted, or stays on
// this machine. A token, and which address was asked for, is for the server that the user named: for the same scheme, host and port. Once
// a request has left it, it is not sent there again.
func checkRedirect(next *http.Request, via []*http.Request) error {
	first := via[0].URL
	switch to := next.URL; {
	case len(via) >= maxRedirects:
		return fmt.Errorf("the server redirects more than %d times", maxRedirects)
	case to.Scheme == "https":
	case to.Scheme != "http":
		return fmt.Errorf("the server redirects to %s:, which is no HTTP", to.Scheme)
	case first.Scheme != "http" || !isHere(to.Hostname()):
		return fmt.Errorf("the server redirects to http://%s, which is not encrypted", to.Host)
	}
	left := !isSameOrigin(first, next.URL)
	for _, request := range via {
		left = left || !isSameOrigin(first, request.URL)
	}
	if left {
		next.Header.Del("Authorization")
		next.Header.Del("Referer")
	}
	return nil
}

// isSameOrigin reports whether two addresses are of the same server: have the same scheme, host and port.
func isSameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && portOf(a) == portOf(b)
}

func portOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	return map[string]string{"http": "80", "https": "443"}[u.Scheme]
}
