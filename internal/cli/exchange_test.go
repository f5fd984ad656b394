package cli

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// teamStore serves what a store of a team has, by path.
func teamStore(t *testing.T, files map[string]string) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
