package gate

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/go-cmp/cmp"
)

// An issuer is an authorization server.
type issuer struct {
	t   *testing.T
	url string
	key *ecdsa.PrivateKey
	// asked counts how often the keys were fetched.
	asked atomic.Int32
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	i := &issuer{t: t, key: key}
	point, err := key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	x, y := base64.RawURLEncoding.EncodeToString(point[1:33]), base64.RawURLEncoding.EncodeToString(point[33:])
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		i.asked.Add(1)
		fmt.Fprintf(w, `{"keys":[{"kty":"EC","crv":"P-256","kid":"k1","use":"sig","alg":"ES256","x":%q,"y":%q}]}`, x, y)
	}))
	t.Cleanup(server.Close)
	i.url = server.URL
	return i
}

// token signs what change makes of a token that is in order.
func (i *issuer) token(change func(c jwt.MapClaims, header map[string]any)) string {
	i.t.Helper()
	c := jwt.MapClaims{"iss": i.url, "aud": audience, "sub": "ada|1/2", "exp": time.Now().Add(time.Hour).Unix(), "scope": "tools other"}
	token := jwt.NewWithClaims(jwt.SigningMethodES256, c)
	token.Header["kid"] = "k1"
	if change != nil {
		change(c, token.Header)
	}
	text, err := token.SignedString(i.key)
	if err != nil {
		i.t.Fatal(err)
	}
	return text
}

const audience = "https://lspine.example/mcp"

// withIssuer serves behind a gate that accepts an issuer's tokens, and one that is in a file.
func (i *issuer) house(next http.HandlerFunc) *house {
	i.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	i.t.Cleanup(cancel)
	of := OAuth{Issuer: i.url, Audience: audience, Keys: i.url + "/keys", Scopes: []string{"tools"}}
	return open(i.t, next, func(g *Gate) {
		tokens, err := OpenIssuer(ctx, of, slog.New(slog.DiscardHandler))
		if err != nil {
			i.t.Fatal(err)
		}
		g.opts.Tokens, g.opts.OAuth = Either(Single(secret), tokens), &of
	})
}

// A token of the issuer lets its subject in, and one of ours is still accepted. Any other is refused, with where to
// get a better one; invented keys do not have the issuer asked again and again.
//
// Requirement: HTTP-11.
func TestTokensOfAnIssuer(t *testing.T) {
	i := newIssuer(t)
	h := i.house(hello)
	ask := func(token string) reply {
		t.Helper()
		return h.ask(http.MethodPost, "/", "x", "Authorization", token)
	}
	for token, want := range map[string]string{i.token(nil): `oauth:ada%7C1%2F2 says "x" with ""`, secret: `token says "x" with ""`} {
		if got := ask("Bearer " + token); got.Status != 200 || got.Body != want {
			t.Errorf("%+v", got)
		}
	}
	none := jwt.NewWithClaims(jwt.SigningMethodNone, jwt.MapClaims{"iss": i.url, "aud": audience, "sub": "eve", "exp": time.Now().Add(time.Hour).Unix(), "scope": "tools"})
	unsigned, err := none.SignedString(jwt.UnsafeAllowNoneSignatureType)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := jwt.NewWithClaims(jwt.SigningMethodHS256, none.Claims).SignedString([]byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	for name, token := range map[string]string{
		"of another issuer": i.token(func(c jwt.MapClaims, _ map[string]any) { c["iss"] = "https://evil.example" }),
		"for another":       i.token(func(c jwt.MapClaims, _ map[string]any) { c["aud"] = "https://other.example/mcp" }),
		"expired":           i.token(func(c jwt.MapClaims, _ map[string]any) { c["exp"] = time.Now().Add(-time.Hour).Unix() }),
		"for ever":          i.token(func(c jwt.MapClaims, _ map[string]any) { delete(c, "exp") }),
		"of nobody":         i.token(func(c jwt.MapClaims, _ map[string]any) { delete(c, "sub") }),
		"not yet":           i.token(func(c jwt.MapClaims, _ map[string]any) { c["nbf"] = time.Now().Add(time.Hour).Unix() }),
		"changed":           strings.Replace(i.token(nil), ".", ".e", 1),
		"unsigned":          unsigned, "with a shared secret": shared, "no token": "a.b.c",
		"with an invented key":    i.token(func(_ jwt.MapClaims, h map[string]any) { h["kid"] = "k2" }),
		"with another such key":   i.token(func(_ jwt.MapClaims, h map[string]any) { h["kid"] = "k3" }),
		"with a third such key":   i.token(func(_ jwt.MapClaims, h map[string]any) { h["kid"] = "k4" }),
		"of the issuer's own key": newIssuer(t).token(nil),
	} {
		const challenge = `Bearer resource_metadata="https://lspine.example/.well-known/oauth-protected-resource/mcp", scope="tools", error="invalid_token"`
		if got := ask("Bearer " + token); got.Status != http.StatusUnauthorized || got.Body != `{"error":"unauthorized"}` || got.Header.Get("Www-Authenticate") != challenge {
			t.Errorf("a token %s: %+v", name, got)
		}
	}
	if got := ask(""); got.Status != http.StatusUnauthorized || strings.Contains(got.Header.Get("Www-Authenticate"), "error") {
		t.Errorf("no token: %+v", got)
	}
	weak := i.token(func(c jwt.MapClaims, _ map[string]any) { c["scope"] = "other" })
	if got := ask("Bearer " + weak); got.Status != http.StatusForbidden || !strings.Contains(got.Header.Get("Www-Authenticate"), `error="insufficient_scope"`) {
		t.Errorf("without the scope: %+v", got)
	}
	if n := i.asked.Load(); n > 2 { // at the start, and for one invented key
		t.Errorf("the issuer was asked %d times", n)
	}
}

// Everybody can learn where to get a token, also pages of other sites.
//
// Requirement: HTTP-11.
func TestWhereTokensAre(t *testing.T) {
	i := newIssuer(t)
	h := i.house(hello)
	for _, path := range []string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"} {
		got := h.ask(http.MethodGet, path, "", "Authorization", "", "Origin", "https://client.example")
		var said resource
		if err := json.Unmarshal([]byte(got.Body), &said); err != nil || got.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %+v, %v", path, got, err)
		}
		if diff := cmp.Diff(resource{audience, []string{i.url}, []string{"header"}, []string{"tools"}, "LSPine"}, said); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	if got := open(t, hello).ask(http.MethodGet, "/.well-known/oauth-protected-resource", "", "Authorization", ""); got.Status != http.StatusUnauthorized {
		t.Errorf("without an issuer: %+v", got)
	}
}

// A stream ends when the token that opened it expires.
func TestStreamOfAnExpiredToken(t *testing.T) {
	i := newIssuer(t)
	ended := make(chan struct{})
	h := i.house(func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		close(ended)
	})
	token := i.token(func(c jwt.MapClaims, _ map[string]any) { c["exp"] = time.Now().Add(2*time.Second - clockLeeway).Unix() })
	if got := h.ask(http.MethodGet, "/stream", "", "Authorization", "Bearer "+token); got.Status != 200 {
		t.Errorf("%+v", got)
	}
	<-ended
}

// What would have others make tokens, or is no URL, is refused.
func TestMistakesInOAuth(t *testing.T) {
	const issuer, keys = "https://login.example", "https://login.example/keys"
	for _, c := range []struct {
		of   OAuth
		want string
	}{
		{OAuth{Issuer: issuer, Audience: audience, Keys: keys}, ""},
		{OAuth{Issuer: "http://localhost:1", Audience: "http://10.0.0.1:8080/mcp", Keys: "http://127.0.0.1:1/keys"}, ""},
		{OAuth{Audience: audience, Keys: keys}, `the issuer "" is no URL`},
		{OAuth{Issuer: issuer, Audience: "lspine", Keys: keys}, `the audience "lspine" is no URL`},
		{OAuth{Issuer: issuer, Audience: audience, Keys: "http://login.example/keys"}, `the keys "http://login.example/keys" is not reached by https, so anybody on the way could make tokens`},
	} {
		if got := c.of.Check(); got != c.want {
			t.Errorf("%+v: %s", c.of, got)
		}
	}
}
