package artefact

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A slowCoach is a store that is slow, and from some point on does nothing.
type slowCoach struct {
	*keeper
	// take are the bytes of a request that it reads, send those of its answer where path is in the address; -1 is all. pause is before
	// each of those that it sends.
	take, send int
	path       string
	pause      time.Duration
	// mute says that it does not answer at all.
	mute bool
}

func (s *slowCoach) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.mute {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	if r.Body != nil && s.take >= 0 {
		_, _ = io.CopyN(io.Discard, r.Body, int64(s.take)) // it may have less
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	response, err := (&internet{served: map[string]http.HandlerFunc{"https://a.example": s.ServeHTTP}}).RoundTrip(r)
	if err == nil && s.send >= 0 && strings.Contains(r.URL.Path, s.path) {
		from, to := io.Pipe()
		whole := response.Body
		go func() { to.CloseWithError(s.step(r.Context(), s.send, whole, to)) }() // ends with the body or the request
		response.Body = from
	}
	return response, err
}

// step copies n bytes, each after a pause; then it does nothing.
func (s *slowCoach) step(ctx context.Context, n int, from io.Reader, to io.Writer) error {
	for range n {
		select {
		case <-time.After(s.pause):
		case <-ctx.Done():
			return ctx.Err()
		}
		if _, err := io.CopyN(to, from, 1); err != nil {
			return err
		}
	}
	<-ctx.Done()
	return ctx.Err()
}

// A server that does nothing is not waited for; one that is slow is, for as long as it takes.
func TestStalled(t *testing.T) {
	const text = "what was found out"
	const often = progressLimit - time.Second
	digest := digestOf([]byte(text))
	for name, c := range map[string]struct {
		at     string
		keep   bool
		server slowCoach
		want   error
		after  time.Duration
	}{
		"no answer":                   {"https://a.example/plain", false, slowCoach{mute: true}, &StalledError{"did not answer", answerLimit}, answerLimit},
		"no answer of a registry":     {"oci:a.example/acme/cache:main", false, slowCoach{mute: true}, &StalledError{"did not answer", answerLimit}, answerLimit},
		"one byte":                    {"https://a.example/plain", false, slowCoach{take: -1, send: 1}, &StalledError{"sent nothing", progressLimit}, progressLimit},
		"one byte of a registry":      {"oci:a.example/acme/cache:main", false, slowCoach{take: -1, send: 1, path: "/blobs/"}, &StalledError{"sent nothing", progressLimit}, progressLimit},
		"slow":                        {"https://a.example/plain", false, slowCoach{take: -1, send: 100, pause: often}, nil, often * time.Duration(len(text)+1)},
		"slow, of a registry":         {"oci:a.example/acme/cache:main", false, slowCoach{take: -1, send: 100, path: "/blobs/", pause: often}, nil, often * time.Duration(len(text)+1)},
		"it takes one byte":           {"https://a.example/next", true, slowCoach{take: 1, send: -1}, &StalledError{"took nothing", progressLimit}, progressLimit},
		"it takes all, and no answer": {"https://a.example/next", true, slowCoach{take: 100, send: -1}, &StalledError{"did not answer", progressLimit}, progressLimit},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := &keeper{files: make(map[string][]byte), types: make(map[string]string)}
				all := &Store{Client: &http.Client{Transport: &slowCoach{keeper: k, take: -1, send: -1}}}
				for _, at := range []string{"https://a.example/plain", "oci:a.example/acme/cache:main"} {
					p, err := Parse(at)
					if err == nil {
						_, err = all.Keep(t.Context(), p, strings.NewReader(text), int64(len(text)), "application/gzip")
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				c.server.keeper = k
				store := &Store{Client: &http.Client{Transport: &c.server}}
				p, err := Parse(c.at)
				if err != nil {
					t.Fatal(err)
				}
				begun := time.Now() // of the bubble, in which nothing takes time but waiting
				var got bytes.Buffer
				if c.keep {
					_, err = store.Keep(t.Context(), p, strings.NewReader(text), int64(len(text)), "application/gzip")
				} else {
					var is string
					if is, err = store.Fetch(t.Context(), p, &got); err == nil && (is != digest || got.String() != text) {
						t.Errorf("%s: %q", is, got.String())
					}
				}
				var stalled *StalledError
				if errors.As(err, &stalled) {
					err = stalled
				}
				if diff := cmp.Diff([]any{c.want, c.after}, []any{err, time.Since(begun)}); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		})
	}
}
