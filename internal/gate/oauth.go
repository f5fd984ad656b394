package gate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/time/rate"
)

const (
	// clockLeeway is how far the clocks of the issuer and of this machine may be apart.
	clockLeeway = time.Minute
	// keysTimeout limits how long the issuer may take to send its keys.
	keysTimeout = 10 * time.Second
	// keysAgain is how often the keys are fetched because of a token that names an unknown one: whoever
	// asks can invent such tokens.
	keysAgain = 30 * time.Second
	// maxSubjects is how many clients are remembered, for their limits.
	maxSubjects = 10_000
)

// signatures are the algorithms that tokens may be signed with: none with a shared secret.
var signatures = []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}

// OAuth says whose tokens are accepted, which an authorization server issues (RFC 6750, RFC 9728).
type OAuth struct {
	// Issuer is the URL of the authorization server, as its tokens name it.
	Issuer string
	// Audience is the URL under which clients reach this server, as the tokens must name it.
	Audience string
	// Keys is the URL of the keys (JWKS) that the tokens are signed with.
	Keys string
	// Scopes are those that a token must have.
	Scopes []string
}

// Check returns what is wrong, "" if nothing.
func (o OAuth) Check() string {
	for _, part := range [][2]string{{"issuer", o.Issuer}, {"audience", o.Audience}, {"keys", o.Keys}} {
		name, text := part[0], part[1]
		u, err := url.Parse(text)
		switch {
		case err != nil || u.Host == "" || u.Fragment != "" || u.User != nil || u.Scheme != "https" && u.Scheme != "http":
			return fmt.Sprintf("the %s %q is no URL", name, text)
		case u.Scheme == "http" && !isLoopback(u.Hostname()) && name != "audience":
			return fmt.Sprintf("the %s %q is not reached by https, so anybody on the way could make tokens", name, text)
		}
	}
	return ""
}

func isLoopback(host string) bool {
	return host == "localhost" || host == "127.0.0.1" || host == "::1"
}

// metadata returns the path and the URL at which clients learn where to get tokens (RFC 9728).
func (o OAuth) metadata() (path, address string) {
	u, err := url.Parse(o.Audience)
	if err != nil {
		return "", "" // Check says so
	}
	path = wellKnown + strings.TrimSuffix(u.Path, "/")
	return path, (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: path}).String()
}

const wellKnown = "/.well-known/oauth-protected-resource"

// A resource is this server, as clients see it (RFC 9728).
type resource struct {
	Resource string   `json:"resource"`
	Servers  []string `json:"authorization_servers"`
	Methods  []string `json:"bearer_methods_supported"`
	Scopes   []string `json:"scopes_supported,omitempty"`
	Name     string   `json:"resource_name"`
}

func (o OAuth) resource() resource {
	return resource{o.Audience, []string{o.Issuer}, []string{"header"}, o.Scopes, "LSPine"}
}

// challenge returns what WWW-Authenticate says to a request that is refused with an error of RFC 6750, "" if it had no
// token.
func (o OAuth) challenge(problem string) string {
	_, address := o.metadata()
	text := fmt.Sprintf("Bearer resource_metadata=%q", address)
	if len(o.Scopes) > 0 {
		text += fmt.Sprintf(", scope=%q", strings.Join(o.Scopes, " "))
	}
	if problem != "" {
		text += fmt.Sprintf(", error=%q", problem)
	}
	return text
}

// errScope says that a token is valid and has not all scopes.
var errScope = errors.New("insufficient scope")

// An issued authority accepts the tokens of an authorization server.
type issued struct {
	of     OAuth
	keys   keyfunc.Keyfunc
	parser *jwt.Parser
	log    *slog.Logger

	// mu guards the clients by subject.
	mu      sync.Mutex
	clients map[string]*Client
}

// OpenIssuer returns the authority for tokens that an authorization server issues. It fetches the keys, again every hour
// until ctx ends, and when a token names another one. That it cannot fetch them is only logged: nobody comes in until
// it can.
func OpenIssuer(ctx context.Context, of OAuth, log *slog.Logger) (Authority, error) {
	keys, err := keyfunc.NewDefaultOverrideCtx(ctx, []string{of.Keys}, keyfunc.Override{
		Client: &http.Client{Timeout: keysTimeout}, HTTPTimeout: keysTimeout,
		RefreshUnknownKID: rate.NewLimiter(rate.Every(keysAgain), 1),
		RateLimitWaitMax:  time.Millisecond, // who comes with an invented key does not wait, nor keep a connection
		RefreshErrorHandlerFunc: func(address string) func(context.Context, error) {
			return func(_ context.Context, err error) {
				log.Error("the keys of the issuer cannot be fetched", "url", address, "error", err)
			}
		},
	})
	if err != nil {
		return Authority{}, err
	}
	return Authority{&issued{
		of: of, keys: keys, log: log, clients: make(map[string]*Client),
		parser: jwt.NewParser(jwt.WithValidMethods(signatures), jwt.WithIssuer(of.Issuer), jwt.WithAudience(of.Audience), jwt.WithExpirationRequired(), jwt.WithLeeway(clockLeeway)),
	}}, nil
}

// claims are what a token says.
type claims struct {
	jwt.RegisteredClaims
	Scope string `json:"scope"`
}

func (i *issued) client(ctx context.Context, token string) (admitted, error) {
	var said claims
	if _, err := i.parser.ParseWithClaims(token, &said, i.keys.KeyfuncCtx(ctx)); err != nil {
		i.log.Debug("a token is not accepted", "reason", err)
		return admitted{}, errUnknown
	}
	if said.Subject == "" {
		i.log.Debug("a token is not accepted", "reason", "it has no subject")
		return admitted{}, errUnknown
	}
	granted := strings.Fields(said.Scope)
	for _, scope := range i.of.Scopes {
		if !slices.Contains(granted, scope) {
			return admitted{}, errScope
		}
	}
	return admitted{i.known(said.Subject), said.ExpiresAt.Add(clockLeeway)}, nil
}

// known returns the client of a subject.
func (i *issued) known(subject string) *Client {
	i.mu.Lock()
	defer i.mu.Unlock()
	c := i.clients[subject]
	if c == nil {
		if len(i.clients) >= maxSubjects {
			clear(i.clients)
		}
		c = newClient("oauth:"+url.PathEscape(subject), Limits{})
		i.clients[subject] = c
	}
	return c
}

// either is the first of two authorities that knows a token.
type either [2]authority

// Either returns an authority that asks a, and then b if a does not know a token. Either may be zero.
func Either(a, b Authority) Authority {
	switch {
	case a.of == nil:
		return b
	case b.of == nil:
		return a
	}
	return Authority{either{a.of, b.of}}
}

func (e either) client(ctx context.Context, token string) (admitted, error) {
	found, err := e[0].client(ctx, token)
	if errors.Is(err, errUnknown) {
		return e[1].client(ctx, token)
	}
	return found, err
}

// follow follows those of the two that can be followed.
func (e either) follow(ctx context.Context) {
	for _, of := range e {
		defer Authority{of}.follow(ctx)()
	}
	<-ctx.Done()
}
