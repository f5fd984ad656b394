package cli

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/lspine/lspine/internal/bridge"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/gate"
)

// runBridge connects a client on standard input and output to a server over HTTP, until the client leaves or ctx ends.
// token is the one in the environment, "" if there is none.
func (f *mcpFlags) runBridge(ctx context.Context, streams *Streams, token string) error {
	if f.http.on {
		return &usageError{"--url: it is for a client of a server over HTTP, --http for the server", "leave one of them out"}
	}
	level, err := logLevel(streams)
	if err != nil {
		return err
	}
	address, client, err := f.reach(streams)
	if err != nil {
		return err
	}
	if token, err = f.http.ownToken(streams, token); err != nil {
		return err
	}
	if token != "" && address.Scheme == "http" && !isLocal(address.Hostname()) {
		fmt.Fprintf(streams.Err, "lspine: --url: without TLS, the token can be read on its way to %s\n", address.Host)
	}
	return bridge.Run(ctx, bridge.Options{
		URL: address.String(), Token: token, In: streams.In, Out: streams.wire(), HTTP: client,
		Log: slog.New(slog.NewTextHandler(streams.Err, &slog.HandlerOptions{Level: level})),
	})
}

// reach returns the address that --url names, and a client that reaches it.
func (f *mcpFlags) reach(streams *Streams) (*url.URL, *http.Client, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 8
	client := &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // the token is for this address alone
	}
	if path, isSocket := strings.CutPrefix(f.url, "unix:"); isSocket {
		transport.Proxy = nil
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			var dialer net.Dialer
			return dialer.DialContext(ctx, "unix", from(streams, path))
		}
		return &url.URL{Scheme: "http", Host: "localhost", Path: "/mcp"}, client, nil
	}
	address, err := url.Parse(f.url)
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Host == "" || address.User != nil {
		return nil, nil, &usageError{fmt.Sprintf("--url: %q is no address of a server", f.url), "for example --url https://lspine.example/mcp, or --url unix:/run/user/1000/lspine.sock"}
	}
	return address, client, nil
}

// isLocal reports whether a host is this machine.
func isLocal(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// ownToken returns the one token that a client sends: that of the environment, of --token, or of --token-file, "" if
// there is none.
func (f *httpFlags) ownToken(streams *Streams, token string) (string, error) {
	token = cmp.Or(token, f.token)
	if f.tokenFile != "" {
		text, err := fspath.Read(from(streams, f.tokenFile))
		if err != nil {
			return "", &usageError{"--token-file: " + err.Error(), "name a file that holds the token"}
		}
		token = strings.TrimSpace(string(text))
	}
	if token == "" {
		return "", nil
	}
	if why := gate.CheckToken(token); why != "" {
		return "", &usageError{"the token cannot be used: " + why, "the server has it; a file for --token-file holds one token here"}
	}
	return token, nil
}
