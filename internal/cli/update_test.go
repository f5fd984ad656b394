package cli

import (
	"net/http"
	"net/http/httptest"
	"path"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// Only an older program is replaced, or any if that is forced; --check only says whether there is a
// newer one. Else nothing is fetched.
func TestUpdateOnlyToWhatIsNewer(t *testing.T) {
	fetched := 0
	releases := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if path.Base(r.URL.Path) == "latest" {
			http.Redirect(w, r, "/tag/v1.2.0", http.StatusFound)
			return
		}
		fetched++
		http.NotFound(w, r)
	}))
	t.Cleanup(releases.Close)
	former, key := version, releaseKey
	t.Cleanup(func() { version, releaseKey = former, key })
	s := newShop(t, "", lsptest.Script{})
	s.change = func(streams *Streams) { streams.Environ = append(streams.Environ, releasesVariable+"="+releases.URL) }
	const newest = "v1.2.0 is the newest release"
	for name, c := range map[string]struct {
		version string
		args    []string
		stdout  string
		says    []string
		fetches bool
	}{
		"older, to be checked":  {"v1.0.0", []string{"--check"}, "v1.2.0\n", nil, false},
		"newest, to be checked": {"v1.2.0", []string{"--check"}, "", []string{newest}, false},
		"checked by force":      {"v1.2.0", []string{"--check", "--force"}, "", []string{newest}, false},
		"newest":                {"v1.2.0", nil, "", []string{newest}, false},
		"newer than that":       {"v1.3.0-rc.1", nil, "", []string{"v1.3.0-rc.1 is the newest release"}, false},
		"older":                 {"v1.0.0", nil, "", []string{"no checksums.txt"}, true},
		"forced":                {"v1.2.0", []string{"--force"}, "", []string{"no checksums.txt"}, true},
		"older, forced":         {"v1.3.0", []string{"--force"}, "", []string{"the newest release is said to be v1.2.0, and this is v1.3.0", "--allow-older"}, false},
		"older, allowed":        {"v1.3.0", []string{"--force", "--allow-older"}, "", []string{"no checksums.txt"}, true},
		"a build of one's own":  {"dev", nil, "", []string{"build of your own (dev)", "lspine update --force"}, false},
		"without a key":         {"v1.0.0", []string{"--force"}, "", []string{"this build has no key", "SECURITY.md"}, false},
	} {
		version, fetched, releaseKey = c.version, 0, "RWSome"
		if name == "without a key" {
			releaseKey = ""
		}
		got := s.run(append([]string{"update"}, c.args...)...)
		code := 0
		if c.fetches || c.version == "dev" || name == "older, forced" || releaseKey == "" {
			code = 2
		}
		s.expect(name, got, code, c.stdout, c.says...)
		if (fetched > 0) != c.fetches {
			t.Errorf("%s: %d files were fetched", name, fetched)
		}
	}
}
