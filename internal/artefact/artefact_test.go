package artefact

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A keeper is a store: an HTTP server of files, and a registry as far as we need one (OCI distribution specification 1.1).
type keeper struct {
	mu    sync.Mutex
	files map[string][]byte // by path, or by digest
	types map[string]string
	token string
}

func newKeeper(t *testing.T) (*keeper, *Store, string) {
	k := &keeper{files: make(map[string][]byte), types: make(map[string]string)}
	server := httptest.NewServer(k)
	t.Cleanup(server.Close)
	return k, &Store{Client: server.Client()}, strings.TrimPrefix(server.URL, "http://")
}

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func (k *keeper) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	defer k.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	parts := strings.Split(r.URL.Path, "/")
	last := parts[len(parts)-1]
	switch {
	case err != nil:
		w.WriteHeader(http.StatusBadRequest)
	case k.token != "" && r.Header.Get("Authorization") != "Bearer "+k.token:
		w.WriteHeader(http.StatusUnauthorized)
	case r.Method == http.MethodPost:
		w.Header().Set("Location", r.URL.Path+"upload")
		w.WriteHeader(http.StatusAccepted)
	case r.Method == http.MethodPut && r.URL.Query().Get("digest") != "":
		k.files[r.URL.Query().Get("digest")] = body
		w.WriteHeader(http.StatusCreated)
	case r.Method == http.MethodPut:
		k.files[last], k.types[last] = body, r.Header.Get("Content-Type")
		k.files[digestOf(body)], k.types[digestOf(body)] = body, r.Header.Get("Content-Type")
		w.Header().Set("Docker-Content-Digest", digestOf(body))
		w.WriteHeader(http.StatusCreated)
	case k.files[last] == nil:
		w.WriteHeader(http.StatusNotFound)
	default:
		w.Header().Set("Content-Type", k.types[last])
		if len(parts) > 1 && parts[1] == "v2" && !strings.HasPrefix(last, "sha256:") {
			w.Header().Set("Docker-Content-Digest", digestOf(k.files[last]))
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(k.files[last]))
	}
}

// What is given to a store comes back from where the store says that it is, and says which content it is.
func TestKeptAndFetched(t *testing.T) {
	const text = "what was found out"
	for name, to := range map[string]func(host string) string{
		"an HTTP server": func(host string) string { return "http://" + host + "/cache/main" },
		"a registry":     func(host string) string { return "oci:" + host + "/acme/cache:main" },
		// schemes are case-insensitive
		"an HTTP server in capitals": func(host string) string { return "HTTP://" + host + "/cache/main" },
		"a registry in capitals":     func(host string) string { return "OCI:" + host + "/acme/cache:main" },
	} {
		t.Run(name, func(t *testing.T) {
			_, store, host := newKeeper(t)
			var at []string
			for range 2 {
				p, err := Parse(to(host))
				if err != nil {
					t.Fatal(err)
				}
				address, err := store.Keep(t.Context(), p, strings.NewReader(text), int64(len(text)), "application/gzip")
				if err != nil {
					t.Fatal(err)
				}
				at = append(at, address)
			}
			if at[0] != at[1] || !strings.Contains(at[0], "sha256") {
				t.Errorf("the same content is at %q", at)
			}
			for _, from := range []string{to(host), at[0]} {
				p, err := Parse(from)
				if err != nil {
					t.Fatal(err)
				}
				var got bytes.Buffer
				digest, err := store.Fetch(t.Context(), p, &got)
				if diff := cmp.Diff([]string{text, digestOf([]byte(text))}, []string{got.String(), digest}); err != nil || diff != "" {
					t.Errorf("%s: %v (-want +got):\n%s", from, err, diff)
				}
			}
		})
	}
}

// What is not what was meant, not there, or not for us, is an error.
func TestNotFetched(t *testing.T) {
	const text = "what was found out"
	other := strings.TrimPrefix(digestOf([]byte("another")), "sha256:")
	for name, c := range map[string]struct {
		from   string
		change func(k *keeper)
		want   string
	}{
		"another content":      {"http://HOST/main#sha256=" + other, nil, "it is not what was meant: its SHA-256 is " + strings.TrimPrefix(digestOf([]byte(text)), "sha256:")},
		"nothing":              {"http://HOST/none", nil, "the server answered 404 Not Found"},
		"no token":             {"http://HOST/main", func(k *keeper) { k.token = "t" }, "the server answered 401 Unauthorized"},
		"no credentials":       {"oci:HOST/acme/cache:kept", func(k *keeper) { k.token = "t" }, " wants credentials"},
		"nothing, of registry": {"oci:HOST/acme/cache:none", nil, "the registry has no such artefact"},
		"a changed file, of registry": {"oci:HOST/acme/cache:kept", func(k *keeper) {
			k.files[digestOf([]byte(text))] = []byte("what is a liar's..")
		}, "mismatch"},
		"a manifest of two": {"oci:HOST/acme/cache:two", func(k *keeper) {
			k.files["two"], k.types["two"] = []byte(`{"layers":[{},{}]}`), "application/vnd.oci.image.manifest.v1+json"
			k.files[digestOf(k.files["two"])], k.types[digestOf(k.files["two"])] = k.files["two"], k.types["two"]
		}, "it has 2 files, and not one"},
	} {
		k, store, host := newKeeper(t)
		for _, to := range []string{"http://" + host + "/main", "oci:" + host + "/acme/cache:kept"} {
			p, err := Parse(to)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := store.Keep(t.Context(), p, strings.NewReader(text), int64(len(text)), "application/gzip"); err != nil {
				t.Fatal(err)
			}
		}
		k.mu.Lock()
		if c.change != nil {
			c.change(k)
		}
		k.mu.Unlock()
		p, err := Parse(strings.Replace(c.from, "HOST", host, 1))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := store.Fetch(t.Context(), p, io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A token goes to HTTP servers, and an answer that asks for one is satisfied.
func TestToken(t *testing.T) {
	k, store, host := newKeeper(t)
	k.token, store.Token = "secret", "secret"
	p, err := Parse("http://" + host + "/main")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Keep(t.Context(), p, strings.NewReader("x"), 1, "text/plain"); err != nil {
		t.Error(err)
	}
}

// Names of files are of no place; what is wrong with other names is said.
func TestParse(t *testing.T) {
	for _, name := range []string{"refs.db.gz", "docs/https:/x", "oci", "C:\\refs.gz"} {
		if p, err := Parse(name); p != nil || err != nil {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
	for name, reason := range map[string]string{
		"oci:cache":                         "it names no repository in a registry",
		"oci:ghcr.io/acme/cache":            "it has no tag and no digest",
		"https://":                          "it names no host",
		"https://me:pass@example.com/x":     "it has a password, which others see in the list of processes",
		"http://example.com/x":              "it is not encrypted: anybody on the way could change it",
		"HTTP://example.com/x":              "it is not encrypted: anybody on the way could change it",
		"Oci:cache":                         "it names no repository in a registry",
		"https://example.com/x#sha256=12":   "what follows # is no digest",
		"https://example.com/x#md5=1234567": "what follows # is no digest",
	} {
		var wrong *PlaceError
		if _, err := Parse(name); !errors.As(err, &wrong) || wrong.Reason != reason || wrong.Hint() == "" || strings.Contains(err.Error(), "pass@") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
