package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/gate"
	"github.com/lspine/lspine/internal/mcpserver"
	"github.com/lspine/lspine/internal/service"
	"github.com/lspine/lspine/internal/ui"
)

// httpFlags say where and how MCP is served over HTTP.
type httpFlags struct {
	on               bool
	listen           string
	port             int
	noAuth           bool
	token, tokenFile string
	hosts            []string
	cert, key        string
	workspaces       []string
	rpc              bool
	oauth            gate.OAuth
}

func (f *httpFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.on, "http", false, "serve HTTP instead of standard input and output")
	flags.StringVar(&f.listen, "listen", "127.0.0.1", "address of this machine to serve HTTP on, or unix:PATH, a socket for you alone")
	flags.StringVar(&f.listen, "listen-addr", "127.0.0.1", "another name of --listen")
	_ = flags.MarkHidden("listen-addr") // it exists
	flags.IntVar(&f.port, "port", 8080, "port to serve HTTP on; 0 chooses one")
	flags.StringVar(&f.tokenFile, "token-file", "", "file with the bearer token that clients must send, or with several, each with its own rules")
	flags.StringVar(&f.token, "token", "", "the bearer token itself; other users see it in the list of processes, so set LSPINE_TOKEN instead")
	flags.BoolVar(&f.noAuth, "no-auth", false, "let every user of this machine in")
	flags.StringArrayVar(&f.hosts, "host", nil, "another name under which clients reach the server, of a proxy for example: NAME or NAME:PORT; may be given several times")
	flags.StringVar(&f.cert, "tls-cert", "", "file with the certificate of the server and its chain, in PEM; read again when it changes")
	flags.StringVar(&f.key, "tls-key", "", "file with the private key of the certificate, in PEM")
	flags.StringVar(&f.oauth.Issuer, "oauth-issuer", "", "URL of an authorization server whose tokens (JWT) are accepted, too")
	flags.StringVar(&f.oauth.Audience, "oauth-audience", "", "URL under which clients reach this server, which its tokens must name")
	flags.StringVar(&f.oauth.Keys, "oauth-jwks", "", "URL of the keys that the authorization server signs with")
	flags.StringArrayVar(&f.oauth.Scopes, "oauth-scope", nil, "scope that such a token must have; may be given several times")
	flags.BoolVar(&f.rpc, "rpc", false, "serve each operation as the JSON-RPC method lspine/OPERATION at /rpc as well, for programs that do not speak MCP; --tools, --profile and --permission do not hold there")
	flags.StringArrayVar(&f.workspaces, "workspace", nil, "NAME=FOLDER: serve a workspace at /w/NAME/mcp; may be given several times")
}

// unused returns a flag that was given although nothing is served over HTTP and, if there is no client either, one of
// tokens; "" if there is none.
func (f *httpFlags) unused(client bool) string {
	for _, flag := range []struct {
		name  string
		given bool
	}{
		{"--token", f.token != "" && !client},
		{"--token-file", f.tokenFile != "" && !client},
		{"--no-auth", f.noAuth},
		{"--host", len(f.hosts) > 0},
		{"--tls-cert", f.cert != ""},
		{"--tls-key", f.key != ""},
		{"--workspace", len(f.workspaces) > 0},
		{"--rpc", f.rpc},
		{"--oauth-issuer", f.hasOAuth()},
	} {
		if flag.given && !f.on {
			return flag.name
		}
	}
	return ""
}

// tokenVariables hold the token of the HTTP server, the first one that is set: ours, and that of agent-lsp.
var tokenVariables = []string{"LSPINE_TOKEN", "AGENT_LSP_TOKEN"}

// takeToken returns the token in the environment, "" if there is none, and the streams without it: no
// program that we start needs it.
func takeToken(streams *Streams) (token string, without *Streams) {
	for _, name := range tokenVariables {
		token = cmp.Or(token, lookup(streams.Environ, name))
		if streams.Process {
			_ = os.Unsetenv(name) // a name without = and NUL
		}
	}
	with := *streams
	with.Environ = slices.DeleteFunc(slices.Clone(streams.Environ), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.ContainsFunc(tokenVariables, func(of string) bool { return strings.EqualFold(name, of) })
	})
	return token, &with
}

// A door is where clients come in over HTTP.
type door struct {
	listener net.Listener
	options  gate.Options
	served   mcpserver.HTTP
	// url is where clients connect to.
	url string
	// roots are the folders of workspaces that were named by flags.
	roots []string
}

// open listens as the flags say. token is the one in the environment, "" if there is none. The caller must close
// the listener. Mistakes in the flags are *[usageError]s.
func (f *httpFlags) open(ctx context.Context, streams *Streams, token string, log *slog.Logger) (d *door, err error) {
	address, err := f.check(token)
	if err != nil {
		return nil, err
	}
	d = &door{served: mcpserver.HTTP{Guarded: true}}
	if f.rpc {
		d.served.Operation = service.AnswerOperation
	}
	d.options = gate.Options{
		IsStream: func(r *http.Request) bool { return mcpserver.IsStream(r) || ui.IsStream(r) },
		Route:    eitherRoute(mcpserver.Route, ui.Route), Public: ui.Static, Log: log, Metrics: gate.NewMetrics(),
	}
	if d.served.Workspaces, d.roots, err = f.named(streams); err != nil {
		return nil, err
	}
	if d.options.Tokens, err = f.tokens(streams, token, log); err != nil {
		return nil, err
	}
	if f.hasOAuth() {
		issuer, err := gate.OpenIssuer(ctx, f.oauth, log)
		if err != nil {
			return nil, err
		}
		d.options.Tokens, d.options.OAuth = gate.Either(d.options.Tokens, issuer), &f.oauth
	}
	if f.cert != "" {
		if d.options.Certificate, err = gate.OpenCertificate(from(streams, f.cert), from(streams, f.key), log); err != nil {
			return nil, ofFile("--tls-cert", err)
		}
	}
	if path, isSocket := strings.CutPrefix(f.listen, "unix:"); isSocket {
		d.listener, err = gate.ListenSocket(ctx, from(streams, path))
		if of := (*gate.SocketError)(nil); errors.As(err, &of) {
			return nil, &usageError{"--listen: " + of.Error(), of.Advice}
		}
	} else if d.listener, err = gate.Listen(ctx, address, f.port); err != nil {
		return nil, &usageError{"--port: " + err.Error(), "choose another port, or 0"}
	}
	if err != nil {
		return nil, err
	}
	d.options.Hosts = gate.NewHosts(d.listener.Addr(), f.hosts)
	scheme := "http"
	if f.cert != "" {
		scheme = "https"
	}
	d.url = fmt.Sprintf("%s://%s/mcp", scheme, d.listener.Addr())
	if !address.IsValid() {
		d.url = f.listen
	}
	f.warn(streams, address)
	return d, nil
}

// hasOAuth reports whether the tokens of an authorization server are accepted.
func (f *httpFlags) hasOAuth() bool {
	return f.oauth.Issuer != "" || f.oauth.Audience != "" || f.oauth.Keys != "" || len(f.oauth.Scopes) > 0
}

// warn tells the user what he may not have thought of.
func (f *httpFlags) warn(streams *Streams, address netip.Addr) {
	if f.token != "" {
		fmt.Fprintln(streams.Err, "lspine: --token: other users of this machine can see the token in the list of processes; set LSPINE_TOKEN or use --token-file instead")
	}
	if address.IsValid() && !address.IsLoopback() && f.cert == "" {
		fmt.Fprintf(streams.Err, "lspine: --listen: without TLS, tokens and code can be read on their way to %s; use --tls-cert and --tls-key, or a proxy that has TLS\n", address)
	}
}

// check returns the address to listen on, the zero Addr for a socket. It rejects flags that would give
// strangers access.
func (f *httpFlags) check(token string) (address netip.Addr, err error) {
	sources := 0
	for _, given := range []string{token, f.token, f.tokenFile} {
		if given != "" {
			sources++
		}
	}
	path, isSocket := strings.CutPrefix(f.listen, "unix:")
	if !isSocket {
		if address, err = netip.ParseAddr(f.listen); err != nil {
			return address, &usageError{fmt.Sprintf("--listen: %q is no IP address", f.listen), "for example --listen 127.0.0.1, or --listen unix:/run/user/1000/lspine.sock"}
		}
	}
	asks := sources > 0 || f.hasOAuth()
	switch {
	case isSocket && path == "":
		err = &usageError{"--listen: unix: names no socket", "for example --listen unix:/run/user/1000/lspine.sock"}
	case f.port < 0 || f.port > 65535:
		err = &usageError{fmt.Sprintf("--port: %d is no port", f.port), "ports are 1 to 65535; 0 chooses one"}
	case sources > 1:
		err = &usageError{"--token: there are several tokens: in " + strings.Join(tokenVariables, " or ") + ", --token or --token-file", "give one, or a --token-file with all of them"}
	case asks && f.noAuth:
		err = &usageError{"--no-auth: there is a token, too", "leave out one of them"}
	case f.noAuth && !isSocket && !address.IsLoopback():
		err = &usageError{fmt.Sprintf("--no-auth: %s can be reached from other machines", f.listen), "serve on 127.0.0.1 or ::1, or set a token: LSPINE_TOKEN=$(openssl rand -hex 32)"}
	case !asks && !f.noAuth && !isSocket: // nobody else can use a socket
		err = &usageError{"--http: nobody would be asked who he is", "set a token: LSPINE_TOKEN=$(openssl rand -hex 32), or --token-file FILE; or say --no-auth if every user of this machine may use it"}
	case f.hasOAuth() && f.oauth.Check() != "":
		err = &usageError{"--oauth-issuer: " + f.oauth.Check(), "for example --oauth-issuer https://login.example --oauth-jwks https://login.example/keys --oauth-audience https://lspine.example/mcp"}
	case (f.cert == "") != (f.key == ""):
		err = &usageError{"--tls-cert: a certificate and its key belong together", "give both --tls-cert and --tls-key"}
	}
	return address, err
}

// tokens returns whose tokens are accepted; token is the one in the environment.
func (f *httpFlags) tokens(streams *Streams, token string, log *slog.Logger) (gate.Authority, error) {
	if f.tokenFile != "" {
		tokens, err := gate.OpenTokens(from(streams, f.tokenFile), log)
		return tokens, ofFile("--token-file", err)
	}
	if token = cmp.Or(token, f.token); token == "" {
		return gate.Authority{}, nil
	}
	if why := gate.CheckToken(token); why != "" {
		return gate.Authority{}, &usageError{"the token cannot be used: " + why, "for example the output of: openssl rand -hex 32"}
	}
	if gate.IsShort(token) {
		fmt.Fprintln(streams.Err, "lspine: the token is so short that it may be guessed; make one: openssl rand -hex 32")
	}
	return gate.Single(token), nil
}

// named returns the workspaces that flags give names to, and their folders.
func (f *httpFlags) named(streams *Streams) (names map[string]string, roots []string, err error) {
	names = make(map[string]string)
	for _, given := range f.workspaces {
		name, dir, ok := strings.Cut(given, "=")
		if !ok || name == "" || strings.ContainsAny(name, `/\`) {
			return nil, nil, &usageError{fmt.Sprintf("--workspace: %q gives no name to a folder", given), "for example --workspace shop=/home/you/shop"}
		}
		if names[name] != "" {
			return nil, nil, &usageError{fmt.Sprintf("--workspace: %q names two folders", name), "choose another name"}
		}
		if dir, err = folder(streams, "--workspace", dir); err != nil {
			return nil, nil, err
		}
		names[name] = dir
		roots = append(roots, dir)
	}
	return names, roots, nil
}

// from returns the absolute path of a file that a flag names.
func from(streams *Streams, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(streams.Dir, path)
}

// ofFile returns an error about a file that a flag names.
func ofFile(flag string, err error) error {
	if of := (*gate.FileError)(nil); errors.As(err, &of) {
		return &usageError{flag + ": " + of.Error(), of.Advice}
	}
	return err
}

// observe returns what counts calls, nil if nobody does.
func (d *door) observe() func(operation, outcome string) {
	if d == nil {
		return nil
	}
	return d.options.Metrics.Call
}

// serve serves a server until ctx ends.
func (d *door) serve(ctx context.Context, server *mcpserver.Server, engines *engines, streams *Streams) error {
	d.options.Metrics.Servers(engines.states)
	d.options.Metrics.Sessions(server.Sessions)
	fmt.Fprintf(streams.Err, "lspine: serving MCP at %s\n", d.url)
	return gate.New(d.options).Serve(ctx, d.listener, introduced(server.Handler(d.served)), server.Close)
}

// states returns how many servers of the open backends are in which state, without those of a backend that is just being
// opened, or does not answer before ctx ends.
func (s *engines) states(ctx context.Context) map[gate.State]int {
	s.mu.Lock()
	all := slices.Collect(maps.Values(s.open))
	s.mu.Unlock()
	counts := make(map[gate.State]int)
	for _, o := range all {
		if !o.mu.TryLock() {
			continue
		}
		caller := o.backend
		o.mu.Unlock()
		if caller == nil {
			continue
		}
		status, err := api.Status.Do(api.Own(ctx), caller, api.StatusRequest{Scope: "running"})
		if err != nil {
			continue // whoever calls something there is told
		}
		for _, server := range status.Servers {
			counts[gate.State{Server: server.ID, State: server.State}]++
		}
	}
	return counts
}

// introduced returns a handler that tells the next one who a request comes from.
func introduced(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &mcpserver.Visitor{Alone: true}
		if c := gate.ClientOf(r.Context()); c != nil {
			v = &mcpserver.Visitor{Name: c.Name, Alone: c.Sole, Roots: c.Workspaces, Permission: func(operation string, class api.Class) api.Permission {
				return permissionBy(c, operation, class)
			}}
		}
		next.ServeHTTP(w, r.WithContext(v.In(r.Context())))
	})
}

// permissionBy returns what a client's own rules say of an operation.
func permissionBy(c *gate.Client, operation string, class api.Class) api.Permission {
	d, ok := c.Rule(operation, class.String())
	if !ok {
		return api.Permission{}
	}
	return api.Permission{
		Action: d.Action, Fallback: d.Fallback, Source: "the rules of the token " + c.Name,
		Advice: cmp.Or(d.Rule.Reason, "who runs the server can change what this token may do"),
	}
}
