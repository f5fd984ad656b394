package gate

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"strings"
	"time"
	"unicode"
)

// A fingerprint is the SHA-256 of a secret, which can be compared and kept without having the secret.
type fingerprint [sha256.Size]byte

// errUnknown says that a token belongs to nobody.
var errUnknown = errors.New("unknown token")

// An authority says whose a token is. It fails with errUnknown for a token that it does not know, with
// another error if it cannot say. It must be safe for concurrent use.
type authority interface {
	client(ctx context.Context, token string) (admitted, error)
}

// admitted is whose a token is, and when it expires; a zero time is never.
type admitted struct {
	*Client
	until time.Time
}

// A key is a token, as far as it must be known to recognize it.
type key struct {
	sum    fingerprint
	client *Client
}

// find returns whose a token is, nil if nobody's. How long it takes does not depend on how much of a
// token is right, nor on which one it is.
func find(keys []key, token string) *Client {
	sum := sha256.Sum256([]byte(token))
	var found *Client
	for _, k := range keys {
		if subtle.ConstantTimeCompare(sum[:], k.sum[:]) == 1 {
			found = k.client
		}
	}
	return found
}

// A single token is all there is.
type single struct{ keys []key }

// Single returns the authority for one token, whose client is called "token". The token must be one
// that [CheckToken] accepts.
func Single(token string) Authority {
	client := newClient("token", Limits{})
	client.Sole = true
	return Authority{single{[]key{{sha256.Sum256([]byte(token)), client}}}}
}

func (s single) client(_ context.Context, token string) (admitted, error) {
	return known(s.keys, token)
}

// known returns whose a token is, or errUnknown.
func known(keys []key, token string) (admitted, error) {
	if c := find(keys, token); c != nil {
		return admitted{Client: c}, nil
	}
	return admitted{}, errUnknown
}

// An Authority says whose a token is; the zero Authority knows nobody.
type Authority struct{ of authority }

// CheckToken returns why a text cannot be a token, "" if it can. The reason does not contain the text.
func CheckToken(token string) string {
	switch {
	case token == "":
		return "it is empty"
	case strings.ContainsFunc(token, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) || r == ' ' }):
		return "it has characters that no header of HTTP may have: only visible ASCII characters, without spaces, may be in a token"
	}
	return ""
}

// leastToken is how many characters a token should have at least: 16 random bytes in base 64.
const leastToken = 22

// IsShort reports whether a token is so short that it may be guessed.
func IsShort(token string) bool { return len(token) < leastToken }

// bearer returns the token in the header Authorization, "" if there is none.
func bearer(headers []string) string {
	if len(headers) != 1 {
		return ""
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	if !strings.EqualFold(scheme, "bearer") {
		return ""
	}
	return strings.TrimLeft(token, " ")
}
