package script

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// released is an archive with a program that says that it is the new one.
func released(t *testing.T) []byte {
	t.Helper()
	const program = "#!/bin/sh\necho the new one\n"
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	archive := tar.NewWriter(zipped)
	err := archive.WriteHeader(&tar.Header{Name: "lspine", Size: int64(len(program)), Mode: 0o755, Typeflag: tar.TypeReg})
	_, failed := archive.Write([]byte(program))
	if err := errors.Join(err, failed, archive.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A person is told of a newer release, and gets it in the place of the program that ran; a
// build of one's own only if that is wanted, and nothing where the checksum is another one.
func TestUpdate(t *testing.T) {
	name := fmt.Sprintf("lspine_9.9.9_%s_%s.tar.gz", runtime.GOOS, runtime.GOARCH)
	archive := released(t)
	right := fmt.Sprintf("%x", sha256.Sum256(archive))
	var sum atomic.Value // the checksum that the release names
	sum.Store(right)
	mux := http.NewServeMux()
	mux.HandleFunc("/latest", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/tag/v9.9.9", http.StatusFound) })
	mux.HandleFunc("/download/v9.9.9/checksums.txt", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, "%s  %s\n", sum.Load(), name) })
	mux.HandleFunc("/download/v9.9.9/"+name, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(archive) })
	server := httptest.NewServer(mux)
	defer server.Close()

	built, err := exec.LookPath("lspine")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(built)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "lspine")
	if err := os.WriteFile(program, text, 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		cmd := exec.Command(program, args...)
		cmd.Env = append(os.Environ(), "LSPINE_RELEASES="+server.URL)
		out, _ := cmd.CombinedOutput() // the exit code is told with it
		return strings.ReplaceAll(fmt.Sprintf("%s(exit code %d)", out, cmd.ProcessState.ExitCode()), program, "PROGRAM")
	}
	got := []string{run("update", "--check"), run("update")}
	sum.Store(strings.Repeat("0", len(right)))
	got = append(got, strings.ReplaceAll(run("update", "--force"), right, "SUM"))
	if now, err := os.ReadFile(program); err != nil || !bytes.Equal(now, text) {
		t.Errorf("it was replaced by what has another checksum: %v", err)
	}
	sum.Store(right)
	got = append(got, run("update", "--force"), run("version"))
	want := []string{
		"v9.9.9\n(exit code 0)",
		"lspine: this is a build of your own (dev); the newest release is v9.9.9\n  lspine update --force replaces it\n(exit code 2)",
		"lspine: " + name + " is not what the release says: its SHA-256 is SUM, not " + strings.Repeat("0", 64) + "\n  nothing was changed; try again, and tell the maintainers if it stays so\n(exit code 2)",
		"lspine: PROGRAM is v9.9.9 now (it was dev)\n(exit code 0)",
		"the new one\n(exit code 0)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
