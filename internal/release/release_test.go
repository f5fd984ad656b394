package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// tarOf and zipOf make archives of files.
func tarOf(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	archive := tar.NewWriter(zipped)
	for name, text := range files {
		err := archive.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Mode: 0o755, Typeflag: tar.TypeReg})
		if _, failed := archive.Write([]byte(text)); err != nil || failed != nil {
			t.Fatal(err, failed)
		}
	}
	if err := errors.Join(archive.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipOf(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for name, text := range files {
		w, err := archive.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// publish serves releases: the newest is v1.2.3, with these files and their checksums, which are signed; a file
// whose name begins with ! has another content than its checksum says.
func publish(t *testing.T, files map[string][]byte) *Source {
	t.Helper()
	public, private := keys(t)
	mux := http.NewServeMux()
	mux.HandleFunc("/releases/latest", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/releases/tag/v1.2.3", http.StatusFound)
	})
	var sums strings.Builder
	for name, content := range files {
		wrong := strings.HasPrefix(name, "!")
		name = strings.TrimPrefix(name, "!")
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), name)
		if wrong {
			content = append([]byte("x"), content...)
		}
		mux.HandleFunc("/releases/download/v1.2.3/"+name, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(content) })
	}
	mux.HandleFunc("/releases/download/v1.2.3/checksums.txt", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(sums.String()))
	})
	mux.HandleFunc("/releases/download/v1.2.3/checksums.txt.minisig", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(sign(private, sums.String(), "lspine v1.2.3 checksums.txt"))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return &Source{Base: server.URL + "/releases", Client: server.Client(), Key: public}
}

// The newest release is found, and its program for each system; nothing else in an archive is
// taken for it.
func TestFetch(t *testing.T) {
	s := publish(t, map[string][]byte{
		"lspine_1.2.3_linux_amd64.tar.gz": tarOf(t, map[string]string{"README.md": "read", "lspine": "for linux", "x/lspine": "no"}),
		"lspine_1.2.3_windows_arm64.zip":  zipOf(t, map[string]string{"lspine": "no", "lspine.exe": "for windows"}),
	})
	version, err := s.Latest(t.Context())
	if err != nil || version != "v1.2.3" {
		t.Fatal(version, err)
	}
	got := make(map[Target]string)
	for _, target := range []Target{{"linux", "amd64"}, {"windows", "arm64"}} {
		program, err := s.Fetch(t.Context(), version, target)
		if err != nil {
			t.Fatal(err)
		}
		got[target] = string(program)
	}
	want := map[Target]string{{"linux", "amd64"}: "for linux", {"windows", "arm64"}: "for windows"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// What is not the file of the release, is not there, or is no archive with the program, is
// refused with the reason.
func TestFetchRefusals(t *testing.T) {
	s := publish(t, map[string][]byte{
		"!lspine_1.2.3_linux_amd64.tar.gz": tarOf(t, map[string]string{"lspine": "another"}),
		"lspine_1.2.3_linux_arm64.tar.gz":  tarOf(t, map[string]string{"README.md": "read"}),
		"lspine_1.2.3_darwin_arm64.tar.gz": []byte("no archive"),
		"lspine_1.2.3_windows_amd64.zip":   zipOf(t, map[string]string{"lspine": "not for windows"}),
		"lspine_1.2.3_windows_arm64.zip":   []byte("no archive"),
	})
	var wrong *ChecksumError
	if _, err := s.Fetch(t.Context(), "v1.2.3", Target{"linux", "amd64"}); !errors.As(err, &wrong) || wrong.Name != "lspine_1.2.3_linux_amd64.tar.gz" || wrong.Got == wrong.Want {
		t.Errorf("another content: %v", err)
	}
	var missing *UnreleasedError
	if _, err := s.Fetch(t.Context(), "v1.2.3", Target{"plan9", "amd64"}); !errors.As(err, &missing) || missing.Name != "lspine_1.2.3_plan9_amd64.tar.gz" {
		t.Errorf("a system without one: %v", err)
	}
	if _, err := s.Fetch(t.Context(), "v1.2.4", Target{"linux", "amd64"}); !errors.As(err, &missing) || missing.Name != "checksums.txt" {
		t.Errorf("a release that is not there: %v", err)
	}
	for target, want := range map[Target]string{
		{"linux", "arm64"}:   "lspine_1.2.3_linux_arm64.tar.gz: " + errNoProgram.Error(),
		{"darwin", "arm64"}:  "lspine_1.2.3_darwin_arm64.tar.gz: gzip: invalid header",
		{"windows", "amd64"}: "lspine_1.2.3_windows_amd64.zip: " + errNoProgram.Error(),
		{"windows", "arm64"}: "lspine_1.2.3_windows_arm64.zip: zip: not a valid zip file",
	} {
		if _, err := s.Fetch(t.Context(), "v1.2.3", target); err == nil || err.Error() != want {
			t.Errorf("%v: %v, want %s", target, err, want)
		}
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	if _, err := (&Source{Base: gone.URL}).Latest(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "the newest release is not known: ") {
		t.Errorf("nobody answers: %v", err)
	}
	for page, want := range map[string]string{"/nowhere": "404 Not Found", "/odd": `leads to "/releases"`} {
		mux := http.NewServeMux()
		mux.HandleFunc("/odd/latest", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/releases", http.StatusFound) })
		server := httptest.NewServer(mux)
		defer server.Close()
		if _, err := (&Source{Base: server.URL + page}).Latest(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "the newest release is not known: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", page, err)
		}
	}
}

// Which version is older than a release: a build of one's own always is, as nobody knows what
// is in it.
func TestIsNewer(t *testing.T) {
	for version, want := range map[string]bool{
		"v1.2.2": true, "v1.2.3": false, "v1.3.0": false, "v1.2.3-rc.1": true, "v1.10.0": false,
		"dev": true, "": true, "2d36186": true, "v1.2.3-4-g2d36186": true, "v1.2.4-4-g2d36186-dirty": true, "v1.2.3-dirty": true,
	} {
		if got := IsNewer("v1.2.3", version); got != want {
			t.Errorf("v1.2.3 is newer than %q: %t", version, got)
		}
	}
	for version, want := range map[string]bool{"v1.2.3": true, "v1.2.3-rc.1": true, "v1.2.3-4-g2d36186": false, "dev": false} {
		if Is(version) != want {
			t.Errorf("%q is a release: %t", version, !want)
		}
	}
}

// A program is replaced where a link leads, keeps its mode, and nothing is left beside it; where
// it cannot be replaced it stays.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	program, link := filepath.Join(dir, "lspine-1"), filepath.Join(dir, "lspine")
	lsptest.NeedLinks(t)
	if err := errors.Join(os.WriteFile(program, []byte("old"), 0o750), os.Symlink(program, link)); err != nil {
		t.Fatal(err)
	}
	if err := Replace(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(program)
	info, failed := os.Stat(program)
	if err != nil || failed != nil || string(text) != "new" || info.Mode().Perm() != 0o750 {
		t.Errorf("%q %v %v %v", text, info.Mode(), err, failed)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("left are %v %v", entries, err)
	}
	if err := Replace(filepath.Join(dir, "missing"), []byte("new")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
}

// Programs that a package manager installed are known by where they are.
func TestManagerOf(t *testing.T) {
	systems := func(file string) *Manager {
		if file == "/usr/bin/lspine" {
			return &Manager{"apt", "apt-get"}
		}
		return nil
	}
	got := make(map[string]string)
	for _, file := range []string{
		"/usr/bin/lspine", "/usr/local/bin/lspine", "/home/you/.local/bin/lspine", "/home/you/node_modules_too/lspine",
		"/usr/lib/node_modules/@lspine/linux-x64/bin/lspine", "/opt/homebrew/Cellar/lspine/1.2.3/bin/lspine",
		"/nix/store/abc-lspine/bin/lspine", "/home/you/nix/store/lspine", "/snap/lspine/current/lspine", "/home/you/scoop/apps/lspine/lspine.exe",
	} {
		got[file] = ""
		if m := ManagerOf(file, systems); m != nil {
			got[file] = m.Name
		}
	}
	want := map[string]string{
		"/usr/bin/lspine": "apt", "/usr/local/bin/lspine": "", "/home/you/.local/bin/lspine": "", "/home/you/node_modules_too/lspine": "",
		"/usr/lib/node_modules/@lspine/linux-x64/bin/lspine": "npm", "/opt/homebrew/Cellar/lspine/1.2.3/bin/lspine": "Homebrew",
		"/nix/store/abc-lspine/bin/lspine": "Nix", "/home/you/nix/store/lspine": "", "/snap/lspine/current/lspine": "snap", "/home/you/scoop/apps/lspine/lspine.exe": "Scoop",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Out of the folder that a release was built in comes the program for a system; what is not
// there, or is no archive with the program, is refused. The archive is named each time.
func TestOpen(t *testing.T) {
	built := fstest.MapFS{
		"lspine_1.2.3_linux_amd64.tar.gz": {Data: tarOf(t, map[string]string{"lspine": "for linux"})},
		"lspine_1.2.3_windows_arm64.zip":  {Data: []byte("no archive")},
	}
	type opened struct{ Program, Name, Err string }
	for target, want := range map[Target]opened{
		{"linux", "amd64"}:   {Program: "for linux", Name: "lspine_1.2.3_linux_amd64.tar.gz"},
		{"linux", "arm64"}:   {Name: "lspine_1.2.3_linux_arm64.tar.gz", Err: "open lspine_1.2.3_linux_arm64.tar.gz: file does not exist"},
		{"windows", "arm64"}: {Name: "lspine_1.2.3_windows_arm64.zip", Err: "zip: not a valid zip file"},
	} {
		program, name, err := Open(built, "v1.2.3", target)
		got := opened{Program: string(program), Name: name}
		if err != nil {
			got.Err = err.Error()
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v: %s", target, diff)
		}
	}
}
