package release

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The checksum of a file stands beside its whole name, with or without the sign of a binary one; other lines do not
// count.
func TestChecksumsOfFiles(t *testing.T) {
	const sums = "AB  one\ncd *two\nef three more\n\n12\n34  one\n56  ones\n"
	for name, want := range map[string]string{"one": "ab", "two": "cd", "ones": "56"} {
		if got, err := checksum([]byte(sums), name); err != nil || got != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"three", "more", "12", "four", "*two"} {
		_, err := checksum([]byte(sums), name)
		if diff := cmp.Diff(&UnreleasedError{name}, err); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A file is read up to its limit; a longer one, and an answer that is none, are refused with the name of the file.
func TestFilesOfARelease(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.EscapedPath())
		switch {
		case strings.HasSuffix(r.URL.Path, "/broken"):
			w.WriteHeader(http.StatusInternalServerError)
		case strings.HasSuffix(r.URL.Path, "/cut"):
			w.Header().Set("Content-Length", "20")
			_, _ = w.Write([]byte("less"))
		case strings.HasSuffix(r.URL.Path, "/moved"):
			w.WriteHeader(http.StatusNoContent)
		default:
			_, _ = w.Write([]byte("0123456789"))
		}
	}))
	defer server.Close()
	for _, source := range []*Source{{Base: server.URL}, {Base: server.URL, Client: server.Client()}} {
		for _, c := range []struct {
			name  string
			limit int64
			want  string
			fails string
		}{
			{"file", 10, "0123456789", ""},
			{"file", 11, "0123456789", ""},
			{"file", 9, "", "file is longer than 9 bytes"},
			{"broken", 10, "", "broken: 500 Internal Server Error"},
			{"moved", 10, "", "moved: 204 No Content"},
			{"cut", 30, "", "cut: unexpected EOF"},
		} {
			got, err := source.file(t.Context(), "v1.0.0/x", c.name, c.limit)
			fails := ""
			if err != nil {
				fails = err.Error()
			}
			if diff := cmp.Diff([]string{c.want, c.fails}, []string{string(got), fails}); diff != "" {
				t.Errorf("%s, %d (-want +got):\n%s", c.name, c.limit, diff)
			}
		}
	}
	if asked[0] != "/download/v1.0.0%2Fx/file" {
		t.Errorf("asked for %s", asked[0])
	}
	for _, source := range []*Source{{Base: "http://\x7f"}, {Base: "none://here"}} {
		if got, err := source.file(t.Context(), "v1.0.0", "file", 10); err == nil || got != nil {
			t.Errorf("%s: %q, %v", source.Base, got, err)
		}
	}
}

// What is wrong with a release is said with what to do.
func TestWordsAboutReleases(t *testing.T) {
	for name, c := range map[string]struct {
		err interface {
			error
			Hint() string
		}
		want []string
	}{
		"another": {&ChecksumError{"a", "1", "2"}, []string{"a is not what the release says: its SHA-256 is 2, not 1", "nothing was changed; try again, and tell the maintainers if it stays so"}},
		"missing": {&UnreleasedError{"a"}, []string{"the release has no a", "go install github.com/lspine/lspine/cmd/lspine@latest builds it"}},
	} {
		if diff := cmp.Diff(c.want, []string{c.err.Error(), c.err.Hint()}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if _, err := fromTar(tarOf(t, map[string]string{"other": "x"})[:20], "other"); err == nil || errors.Is(err, errNoProgram) {
		t.Errorf("an archive that ends early: %v", err)
	}
}
