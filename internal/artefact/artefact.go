// Package artefact moves files between this machine and stores that a team shares: HTTP servers, and registries of OCI artefacts,
// which keep what they have under the digest of its content. What comes from a store is data of strangers: it is bounded here, and
// whoever uses it checks what it says.
package artefact

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// MaxBytes bounds an artefact.
const MaxBytes = 2 << 30

// A Place is where a store has an artefact.
type Place struct {
	name string
	// address is that at an HTTP server, nil of a registry.
	address *url.URL
	// digest is the SHA-256 that the artefact must have, in hexadecimal digits, "" if any will do.
	digest string
	// reference is that in a registry: HOST/REPOSITORY:TAG or HOST/REPOSITORY@sha256:DIGEST.
	reference string
}

// String returns the place as it was named.
func (p *Place) String() string { return p.name }

// A PlaceError says why a name is of no place in a store.
type PlaceError struct{ Name, Reason, Advice string }

func (e *PlaceError) Error() string { return e.Name + ": " + e.Reason }

// Hint says how one is named.
func (e *PlaceError) Hint() string { return e.Advice }

// Forms says how places are named.
const Forms = "a file, https://HOST/PATH (with #sha256=DIGEST, if it must be that), or oci:HOST/REPOSITORY:TAG"

// scheme begins the name of a place in a registry.
const scheme = "oci:"

// cutScheme returns what follows a scheme, whose case does not matter (RFC 3986, 3.1), in a name; ok is false if the name has another one.
func cutScheme(name, scheme string) (rest string, ok bool) {
	if len(name) < len(scheme) || !strings.EqualFold(name[:len(scheme)], scheme) {
		return name, false
	}
	return name[len(scheme):], true
}

// InRegistry reports whether the place is in a registry.
func (p *Place) InRegistry() bool { return p.address == nil }

// Parse returns the place that a name means, nil if it is the name of a file.
func Parse(name string) (*Place, error) {
	if reference, ok := cutScheme(name, scheme); ok {
		reference = strings.TrimPrefix(reference, "//")
		if err := checkReference(reference); err != nil {
			return nil, &PlaceError{name, err.Error(), "for example oci:ghcr.io/acme/shop-cache:main"}
		}
		return &Place{name: name, reference: reference}, nil
	}
	_, plain := cutScheme(name, "http://")
	if _, encrypted := cutScheme(name, "https://"); !plain && !encrypted {
		return nil, nil
	}
	address, err := url.Parse(name)
	switch {
	case err != nil:
		return nil, &PlaceError{name, "it is no address", "name " + Forms}
	case address.Host == "":
		return nil, &PlaceError{name, "it names no host", "name " + Forms}
	case address.User != nil:
		return nil, &PlaceError{address.Redacted(), "it has a password, which others see in the list of processes", "set LSPINE_STORE_TOKEN to a token that is sent as a bearer"}
	case address.Scheme == "http" && !isHere(address.Hostname()):
		return nil, &PlaceError{name, "it is not encrypted: anybody on the way could change it", "use https"}
	}
	p := &Place{name: name, address: address}
	if address.Fragment != "" {
		digest, ok := strings.CutPrefix(address.Fragment, "sha256=")
		if raw, err := hex.DecodeString(digest); !ok || err != nil || len(raw) != sha256.Size {
			return nil, &PlaceError{name, "what follows # is no digest", "for example #sha256=" + strings.Repeat("0", 64)}
		}
		p.digest = strings.ToLower(digest)
		address.Fragment = ""
	}
	return p, nil
}

// isHere reports whether a host is this machine.
func isHere(host string) bool {
	return strings.EqualFold(host, "localhost") || host == "127.0.0.1" || host == "::1"
}

// A Store moves artefacts.
type Store struct {
	// Client sends the requests. Which redirects are followed is decided here.
	Client *http.Client
	// Token is sent to HTTP servers as a bearer, if it is not "".
	Token string
	// Registries has the credentials for registries, nil for none.
	Registries Credentials
}

// errTooLarge says that an artefact is larger than any that is taken.
var errTooLarge = fmt.Errorf("it has more than %d bytes", MaxBytes)

// Fetch writes an artefact to w, and returns its digest, as in sha256:DIGEST. What was written is of no use if it fails.
func (s *Store) Fetch(ctx context.Context, p *Place, w io.Writer) (digest string, err error) {
	if p.address == nil {
		return s.pull(ctx, p, w)
	}
	response, err := s.do(ctx, http.MethodGet, p, nil, 0)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }() // it was read
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, sum), io.LimitReader(response.Body, MaxBytes+1))
	switch got := hex.EncodeToString(sum.Sum(nil)); {
	case err != nil:
		return "", err
	case n > MaxBytes:
		return "", errTooLarge
	case p.digest != "" && got != p.digest:
		return "", fmt.Errorf("it is not what was meant: its SHA-256 is %s", got)
	default:
		return "sha256:" + got, nil
	}
}

// Keep gives the content of a file, of a size in bytes, to a store, and returns where it is by its content. media is its media type.
func (s *Store) Keep(ctx context.Context, p *Place, content io.ReadSeeker, size int64, media string) (address string, err error) {
	if p.digest != "" {
		return "", &PlaceError{p.name, "the digest follows from the content", "leave out what follows #"}
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, content); err != nil {
		return "", err
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	digest := hex.EncodeToString(sum.Sum(nil))
	if p.address == nil {
		return s.push(ctx, p, content, size, digest, media)
	}
	response, err := s.do(ctx, http.MethodPut, p, content, size)
	if err != nil {
		return "", err
	}
	if err := response.Body.Close(); err != nil {
		return "", err
	}
	return p.name + "#sha256=" + digest, nil
}

// do sends a request to an HTTP server, and returns its answer if it is a good one.
func (s *Store) do(ctx context.Context, method string, p *Place, body io.Reader, size int64) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, p.address.String(), body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		request.ContentLength = size
		request.Header.Set("Content-Type", "application/octet-stream")
	}
	if s.Token != "" {
		request.Header.Set("Authorization", "Bearer "+s.Token)
	}
	response, err := s.client().Do(request)
	if err != nil {
		var wrapped *url.Error // which repeats the address
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return nil, err
	}
	if response.StatusCode/100 != 2 {
		_ = response.Body.Close() // it is of no use
		return nil, fmt.Errorf("the server answered %s", response.Status)
	}
	return response, nil
}
