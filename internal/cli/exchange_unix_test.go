//go:build unix

package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
)

// teamStore serves and keeps what a store of a team has, by path.
func teamStore(t *testing.T, files map[string]string) *httptest.Server {
	t.Helper()
	var mu sync.Mutex // guards files
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.Method == http.MethodPut {
			text, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			files[r.URL.Path] = string(text)
			return
		}
		text, ok := files[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = w.Write([]byte(text))
	}))
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		server.Close()
	})
	return server
}

// Credentials for registries are read for registries alone: what is wrong with them concerns nobody else.
func TestBrokenCredentialsForRegistries(t *testing.T) {
	s := newShop(t, "", lsptest.Script{})
	config := t.TempDir()
	lsptest.WriteFile(t, filepath.Join(config, "config.json"), "{")
	t.Setenv("DOCKER_CONFIG", config)
	store := teamStore(t, nil)
	s.expect("a server", s.run("cache", "import", store.URL+"/cache"), exitUsage, "", "the server answered 404 Not Found")
	s.expect("a registry", s.run("cache", "import", "oci:localhost:1/acme/cache:main"), exitUsage, "", "the credentials for registries: ")
}

// What a process that was killed has left in the exchange folder is removed a day later; what another one fetches stays.
func TestLeftByKilledProcesses(t *testing.T) {
	s := newShop(t, "", lsptest.Script{})
	cache := t.TempDir()
	s.change = func(streams *Streams) { streams.Environ = append(streams.Environ, "XDG_CACHE_HOME="+cache) }
	exchange := filepath.Join(cache, "lspine", api.ExchangeFolder)
	for name, age := range map[string]time.Duration{"LEFT": leftAfter + time.Hour, "FETCHED": leftAfter - time.Hour} {
		path := filepath.Join(exchange, name)
		lsptest.WriteFile(t, path, "")
		then := time.Now().Add(-age)
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
	}
	s.run("cache", "import", teamStore(t, nil).URL+"/cache")
	var names []string
	entries, err := os.ReadDir(exchange)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if diff := cmp.Diff([]string{"FETCHED"}, names); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// What is wrong with what a store has is told of the address that the user named, and not of the file it is put into meanwhile.
func TestErrorsNameTheAddress(t *testing.T) {
	s := newShop(t, "-- a.toy --\n", lsptest.Script{})
	cache := t.TempDir()
	s.change = func(streams *Streams) { streams.Environ = append(streams.Environ, "XDG_CACHE_HOME="+cache) }
	t.Setenv("XDG_CACHE_HOME", cache) // of the engine, too
	at := teamStore(t, map[string]string{"/cache": "something else"}).URL + "/cache"
	for _, args := range [][]string{{"cache", "import", at}, {"index", "import", at}, {"cache", "export", at}} {
		got := s.run(args...)
		if got.code != exitUsage || strings.Contains(got.stderr, api.ExchangeFolder) || args[1] == "import" && !strings.Contains(got.stderr, at+": ") {
			t.Errorf("%v: exit code %d\n%s", args, got.code, got.stderr)
		}
	}
}

// An index goes to a store and comes back from it, with a daemon as without one; nothing is left in the exchange folder.
func TestIndexGoesToAStore(t *testing.T) {
	s := newShop(t, "-- a.toy --\ndef a\n", lsptest.Script{})
	cache := t.TempDir()
	s.change = func(streams *Streams) { streams.Environ = append(streams.Environ, "XDG_CACHE_HOME="+cache) }
	t.Setenv("XDG_CACHE_HOME", cache) // of the engine, too
	store := teamStore(t, make(map[string]string))
	at := store.URL + "/index"
	for _, daemon := range []bool{false, true} {
		if daemon {
			s.withDaemon("XDG_CACHE_HOME=" + cache)
		}
		wrote := s.run("index", "--text", "--out", at)
		if wrote.code != exitClean || !strings.Contains(wrote.stdout, "; it is "+at+"#sha256=") {
			t.Errorf("written: %+v", wrote)
		}
		took := s.run("index", "import", at)
		if took.code != exitClean || !strings.Contains(took.stdout, "took over ") {
			t.Errorf("read: %+v", took)
		}
	}
	if left, err := os.ReadDir(filepath.Join(cache, "lspine", api.ExchangeFolder)); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
