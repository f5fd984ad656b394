package artefact

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An internet is all servers that there are: each request is answered by the function of its scheme and host.
type internet struct {
	mu     sync.Mutex
	served map[string]http.HandlerFunc
	// asked are the requests: the address, and behind it the Authorization and Referer that were sent.
	asked []string
}

func (i *internet) RoundTrip(r *http.Request) (*http.Response, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.asked = append(i.asked, strings.Join(append([]string{r.URL.String()}, append(r.Header["Authorization"], r.Header["Referer"]...)...), " "))
	answer := httptest.NewRecorder()
	if r.Body == nil { // a server has one
		r = r.Clone(r.Context())
		r.Body = http.NoBody
	}
	if serve := i.served[r.URL.Scheme+"://"+r.URL.Host]; serve != nil {
		serve(answer, r)
	} else {
		answer.WriteHeader(http.StatusNotFound)
	}
	response := answer.Result()
	response.Request = r
	return response, nil
}

// sendTo redirects to an address.
func sendTo(address string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, address, http.StatusTemporaryRedirect)
	}
}

// A redirect is followed where it is encrypted, or stays on this machine; the token goes to no other server than the one that the user
// named, and to no other port of it.
func TestRedirects(t *testing.T) {
	content := func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("kept")) }
	for name, c := range map[string]struct {
		from string
		to   map[string]http.HandlerFunc
		want []string
		err  string
	}{
		"the same server": {"https://a.example/x", map[string]http.HandlerFunc{
			"https://a.example":     sendTo("https://a.example:443/y"),
			"https://a.example:443": content,
		}, []string{"https://a.example/x Bearer t", "https://a.example:443/y Bearer t https://a.example/x"}, ""},
		"clear text": {
			"https://a.example/x",
			map[string]http.HandlerFunc{"https://a.example": sendTo("http://a.example/x"), "http://a.example": content},
			[]string{"https://a.example/x Bearer t"},
			"the server redirects to http://a.example, which is not encrypted",
		},
		"clear text of this machine": {
			"https://a.example/x",
			map[string]http.HandlerFunc{"https://a.example": sendTo("http://localhost:1/x"), "http://localhost:1": content},
			[]string{"https://a.example/x Bearer t"},
			"the server redirects to http://localhost:1, which is not encrypted",
		},
		"clear text of another machine": {
			"http://localhost/x",
			map[string]http.HandlerFunc{"http://localhost": sendTo("http://a.example/x"), "http://a.example": content},
			[]string{"http://localhost/x Bearer t"},
			"the server redirects to http://a.example, which is not encrypted",
		},
		"another port": {
			"http://localhost:1/x",
			map[string]http.HandlerFunc{"http://localhost:1": sendTo("http://localhost:2/x"), "http://localhost:2": content},
			[]string{"http://localhost:1/x Bearer t", "http://localhost:2/x"},
			"",
		},
		"another scheme": {
			"http://localhost/x",
			map[string]http.HandlerFunc{"http://localhost": sendTo("https://localhost/x"), "https://localhost": content},
			[]string{"http://localhost/x Bearer t", "https://localhost/x"},
			"",
		},
		"a subdomain, and back": {"https://a.example/x", map[string]http.HandlerFunc{
			"https://a.example": func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/x" {
					sendTo("https://b.a.example/x")(w, r)
				} else {
					content(w, r)
				}
			},
			"https://b.a.example": sendTo("https://a.example/y"),
		}, []string{"https://a.example/x Bearer t", "https://b.a.example/x", "https://a.example/y"}, ""},
		"a file": {
			"https://a.example/x",
			map[string]http.HandlerFunc{"https://a.example": sendTo("file:///etc/passwd")},
			[]string{"https://a.example/x Bearer t"},
			"the server redirects to file:, which is no HTTP",
		},
		"a circle": {
			"https://a.example/x",
			map[string]http.HandlerFunc{"https://a.example": sendTo("/x")},
			append([]string{"https://a.example/x Bearer t"}, repeated("https://a.example/x Bearer t https://a.example/x", 9)...),
			"the server redirects more than 10 times",
		},
		"a blob of a registry": {
			"oci:r.example/acme/cache@" + digestOf([]byte("kept")),
			map[string]http.HandlerFunc{"https://r.example": sendTo("http://r.example/x"), "http://r.example": content},
			[]string{"https://r.example/v2/acme/cache/manifests/" + digestOf([]byte("kept"))},
			"the server redirects to http://r.example, which is not encrypted",
		},
	} {
		p, err := Parse(c.from)
		if err != nil {
			t.Fatal(err)
		}
		all := &internet{served: c.to}
		store := &Store{Client: &http.Client{Transport: all}, Token: "t"}
		var got bytes.Buffer
		_, err = store.Fetch(t.Context(), p, &got)
		if diff := cmp.Diff(c.want, all.asked); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if c.err == "" && (err != nil || got.String() != "kept") || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: %q, %v", name, got.String(), err)
		}
	}
}

func repeated(text string, times int) (list []string) {
	for range times {
		list = append(list, text)
	}
	return list
}
