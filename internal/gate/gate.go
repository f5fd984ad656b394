package gate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"sync/atomic"
	"time"
)

// Limits of all requests together, and of each.
const (
	MaxBody = 4 << 20 // bytes

	headerTimeout = 10 * time.Second
	bodyTimeout   = 30 * time.Second
	answerTimeout = 60 * time.Second // for a client to read an answer, or a part of a stream
	idleTimeout   = 120 * time.Second
	drainTimeout  = 5 * time.Second
	placeTimeout  = 2 * time.Second // for a request to get its place among those of its client

	// maxConnections are served at once; maxRefused more are told that they are too many, and further ones wait.
	maxConnections = 256
	maxRefused     = 64
	maxHeader      = 64 << 10 // bytes
)

// Options configure a [Gate].
type Options struct {
	// Tokens says who asks. The zero Authority lets everybody in: only a listener that other users
	// cannot reach, or that the user opened for them, may have that.
	Tokens Authority
	// OAuth, if not nil, is what strangers are told about where to get tokens.
	OAuth *OAuth
	// Hosts are the names that requests may be addressed to.
	Hosts Hosts
	// IsStream reports whether a request asks for a stream that stays open until the client leaves.
	IsStream func(*http.Request) bool
	// Route returns the pattern that a path belongs to, "" if there is none, for the metrics.
	Route func(path string) string
	// Public returns what answers a path for everybody, nil if only clients may ask for it. It has no secrets, and takes GET alone.
	Public func(path string) http.Handler
	// Metrics, if not nil, count requests, and are served at /metrics to whoever has a token.
	Metrics *Metrics
	// Certificate encrypts connections; nil means that they are not encrypted.
	Certificate *Certificate
	// Log gets what a person who runs the server should know. It never gets a token.
	Log *slog.Logger
}

// times are the limits in time; tests shorten them.
type times struct{ header, body, answer, idle, drain, place time.Duration }

// A Gate is what requests pass. It is safe for concurrent use.
type Gate struct {
	opts  Options
	times times
	// maxConnections and maxRefused are the constants, except in tests.
	maxConnections, maxRefused int

	draining atomic.Bool
	calls    working // requests in progress, without streams
}

// New returns a Gate.
func New(opts Options) *Gate {
	return &Gate{
		opts: opts, times: times{headerTimeout, bodyTimeout, answerTimeout, idleTimeout, drainTimeout, placeTimeout},
		maxConnections: maxConnections, maxRefused: maxRefused,
	}
}

// Handler returns a handler that answers /health and /ready, and passes the requests of clients on to
// next with their whole body, which it reads first. The context of such a request has its client, see
// [ClientOf], and ends when the client's token is taken back.
func (g *Gate) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := newAnswer(w, g.times.answer)
		defer a.expect() // the end of a stream
		stream := g.opts.IsStream != nil && g.opts.IsStream(r)
		done := g.opts.Metrics.begin(r, g.route(r.URL.Path), stream)
		defer func() {
			done(a)
			g.tell(r, a.status)
		}()
		if !isSeated(r.Context()) {
			a.Header().Set("Connection", "close")
			refuseFor(a, http.StatusServiceUnavailable, fmt.Sprintf("%d connections are open, and no more are served", g.maxConnections), time.Second)
			return
		}
		// Whoever has no token keeps no connection from those who have one: the connection stays open only for what [Gate.admit] passes on.
		switch {
		case !isPlain(r):
			a.Header().Set("Connection", "close")
			refuse(a, http.StatusBadRequest, "the path is not a plain one")
		case r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost && r.Method != http.MethodDelete && r.Method != http.MethodOptions:
			a.Header().Set("Connection", "close")
			a.Header().Set("Allow", "GET, HEAD, POST, DELETE, OPTIONS")
			refuse(a, http.StatusMethodNotAllowed, "this method is not served")
		case r.URL.Path == "/health" || r.URL.Path == "/ready":
			g.probe(a, r)
		case g.isMetadata(r.URL.Path):
			g.describe(a, r)
		case g.public(r) != nil:
			g.show(a, r, g.public(r))
		default:
			g.admit(a, r, stream, next)
		}
	})
}

const metricsPath = "/metrics"

// route returns the pattern that a path belongs to, for the metrics.
func (g *Gate) route(path string) string {
	switch path {
	case "/health", "/ready", metricsPath, wellKnown:
		return path
	}
	if g.opts.Route != nil {
		if route := g.opts.Route(path); route != "" {
			return route
		}
	}
	return "other"
}

// tell logs that a request was refused: for an operator who wonders, or who looks for somebody who tries.
func (g *Gate) tell(r *http.Request, status int) {
	if status >= http.StatusBadRequest {
		g.log().Info("refused", "status", status, "method", r.Method, "path", g.route(r.URL.Path), "from", r.RemoteAddr)
	}
}

// isPlain reports whether the path of a request has no segments that lead elsewhere.
func isPlain(r *http.Request) bool {
	p := r.URL.EscapedPath()
	clean := path.Clean(p)
	return strings.HasPrefix(p, "/") && (p == clean || p == clean+"/") && !strings.ContainsAny(r.URL.Path, "\\\x00")
}

// probe answers whoever looks after the process.
func (g *Gate) probe(a *answer, r *http.Request) {
	a.Header().Set("Connection", "close")
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		a.Header().Set("Allow", "GET, HEAD")
		refuse(a, http.StatusMethodNotAllowed, "this method is not served here")
	case r.URL.Path == "/ready" && g.draining.Load():
		refuseFor(a, http.StatusServiceUnavailable, "the server is ending", g.times.drain)
	default:
		a.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(a, `{"status":"ok"}`) // who does not read learns nothing
	}
}

// public returns what answers a request for everybody, nil if only clients may make it.
func (g *Gate) public(r *http.Request) http.Handler {
	if g.opts.Public == nil {
		return nil
	}
	return g.opts.Public(r.URL.Path)
}

// show has a request answered that everybody may make. It keeps no connection from those who have a token.
func (g *Gate) show(a *answer, r *http.Request, public http.Handler) {
	a.Header().Set("Connection", "close")
	switch {
	case !g.isMeant(a, r):
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		a.Header().Set("Allow", "GET, HEAD")
		refuse(a, http.StatusMethodNotAllowed, "this method is not served here")
	default:
		public.ServeHTTP(a, r)
	}
}

// isMeant reports whether a request is addressed to this server, by nobody's page but its own, while it serves. Otherwise it has
// refused the request.
func (g *Gate) isMeant(a *answer, r *http.Request) bool {
	switch {
	case !g.opts.Hosts.has(r.Host):
		a.Header().Set("Connection", "close")
		refuse(a, http.StatusForbidden, "the server is not served under this name (lspine mcp --host NAME adds one)")
	case isForeign(r):
		a.Header().Set("Connection", "close")
		refuse(a, http.StatusForbidden, "pages of other sites are not served")
	case g.draining.Load():
		a.Header().Set("Connection", "close")
		refuseFor(a, http.StatusServiceUnavailable, "the server is ending", g.times.drain)
	default:
		return true
	}
	return false
}

// admit passes a request on if it may be.
func (g *Gate) admit(a *answer, r *http.Request, stream bool, next http.Handler) {
	if !g.isMeant(a, r) {
		return
	}
	client, ok := g.identify(a, r)
	if !ok {
		return
	}
	letIn(r.Context())
	ctx := r.Context()
	if client.Client != nil {
		done, refused, after := client.begin(ctx, stream, g.times.place)
		if refused != "" {
			a.Header().Set("Connection", "close") // its body is not read
			refuseFor(a, http.StatusTooManyRequests, refused, after)
			return
		}
		defer done()
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(context.WithValue(ctx, clientKey{}, client.Client))
		defer cancel()
		if !client.until.IsZero() {
			defer time.AfterFunc(time.Until(client.until), cancel).Stop()
		}
		defer context.AfterFunc(client.valid, cancel)()
	}
	if !stream {
		defer g.calls.begin()()
	}
	if r.URL.Path == metricsPath && g.opts.Metrics != nil {
		next = g.opts.Metrics.handler()
	}
	if g.readBody(a, r) {
		next.ServeHTTP(a, r.WithContext(ctx))
	}
}

// identify returns the client that a request comes from, the zero value if nobody has to say who he is. ok is false if
// the request has been refused.
func (g *Gate) identify(a *answer, r *http.Request) (client admitted, ok bool) {
	if g.opts.Tokens.of == nil {
		return client, true
	}
	token := bearer(r.Header.Values("Authorization"))
	r.Header.Del("Authorization") // nobody behind the gate has a use for it
	client, err := g.opts.Tokens.of.client(r.Context(), token)
	if err == nil {
		return client, true
	}
	a.Header().Set("Connection", "close") // a stranger's body is not read
	switch {
	case errors.Is(err, errScope):
		g.challenge(a, "insufficient_scope")
		refuse(a, http.StatusForbidden, "insufficient_scope")
	case !errors.Is(err, errUnknown):
		g.log().Error("tokens cannot be checked", "error", err)
		refuseFor(a, http.StatusServiceUnavailable, "tokens cannot be checked at present", time.Second)
	case token == "":
		g.challenge(a, "")
		refuse(a, http.StatusUnauthorized, "unauthorized")
	default:
		g.challenge(a, "invalid_token")
		refuse(a, http.StatusUnauthorized, "unauthorized")
	}
	return client, false
}

// challenge says how a client can be let in, and what was wrong, in a word of RFC 6750, "" if nothing was said.
func (g *Gate) challenge(a *answer, problem string) {
	text := "Bearer"
	if g.opts.OAuth != nil {
		text = g.opts.OAuth.challenge(problem)
	}
	a.Header().Set("WWW-Authenticate", text)
}

// isMetadata reports whether a path is that of what clients are told about tokens.
func (g *Gate) isMetadata(path string) bool {
	if g.opts.OAuth == nil {
		return false
	}
	own, _ := g.opts.OAuth.metadata()
	return path == own || path == wellKnown
}

// describe tells a client where to get tokens, which is public.
func (g *Gate) describe(a *answer, r *http.Request) {
	a.Header().Set("Connection", "close")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		a.Header().Set("Allow", "GET, HEAD")
		refuse(a, http.StatusMethodNotAllowed, "this method is not served here")
		return
	}
	text, err := json.Marshal(g.opts.OAuth.resource())
	if err != nil {
		text = nil // strings always encode
	}
	a.Header().Set("Content-Type", "application/json")
	a.Header().Set("Access-Control-Allow-Origin", "*")
	_, _ = a.Write(text) // who does not read learns nothing
}

func (g *Gate) log() *slog.Logger {
	if g.opts.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return g.opts.Log
}
