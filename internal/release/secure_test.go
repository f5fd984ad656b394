package release

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Releases come by https, or from this machine: another address is not asked, and one that leads to such an address is not
// followed.
func TestReleasesComeByHTTPS(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://releases.example/"+r.URL.Path, http.StatusFound)
	}))
	t.Cleanup(elsewhere.Close)
	for name, ask := range map[string]func() error{
		"the newest": func() error {
			_, err := (&Source{Base: "http://releases.example"}).Latest(t.Context())
			return err
		},
		"a file": func() error {
			_, err := (&Source{Base: "http://127.0.0.1.example", Key: "any"}).Fetch(t.Context(), "v1.2.3", Target{"linux", "amd64"})
			return err
		},
		"a file that is elsewhere": func() error {
			_, err := (&Source{Base: elsewhere.URL, Key: "any"}).Fetch(t.Context(), "v1.2.3", Target{"linux", "amd64"})
			return err
		},
		"another scheme": func() error {
			_, err := (&Source{Base: "ftp://127.0.0.1"}).Latest(t.Context())
			return err
		},
	} {
		var insecure *InsecureError
		if err := ask(); !errors.As(err, &insecure) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
