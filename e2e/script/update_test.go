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

	"aead.dev/minisign"
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

// builtWith returns this program, built by somebody who signs releases with a key, and that key.
func builtWith(t *testing.T) (program string, private minisign.PrivateKey) {
	t.Helper()
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(t.TempDir(), "lspine")
	cmd := exec.Command("go", "build", "-buildvcs=false", "-ldflags", "-X github.com/lspine/lspine/internal/release.ownKey="+public.String(), "-o", program, "../../cmd/lspine")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program, private
}

// A person is told of a newer release, and gets it in the place of the program that ran; a
// build of one's own only if that is wanted, and nothing where the checksum is another one, or the signature.
//
// Requirement: AGENT-7.
func TestUpdate(t *testing.T) {
	name := fmt.Sprintf("lspine_9.9.9_%s_%s.tar.gz", runtime.GOOS, runtime.GOARCH)
	archive := released(t)
	right := fmt.Sprintf("%x", sha256.Sum256(archive))
	program, private := builtWith(t)
	var sum, signedAs atomic.Value // the checksum that the release names, and what its signature is of
	sum.Store(right)
	signedAs.Store("lspine v9.9.9 checksums.txt")
	sums := func() string { return fmt.Sprintf("%s  %s\n", sum.Load(), name) }
	mux := http.NewServeMux()
	mux.HandleFunc("/latest", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/tag/v9.9.9", http.StatusFound) })
	mux.HandleFunc("/download/v9.9.9/checksums.txt", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, sums()) })
	mux.HandleFunc("/download/v9.9.9/checksums.txt.minisig", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(minisign.SignWithComments(private, []byte(sums()), signedAs.Load().(string), "by a test"))
	})
	mux.HandleFunc("/download/v9.9.9/"+name, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(archive) })
	server := httptest.NewServer(mux)
	defer server.Close()

	text, err := os.ReadFile(program)
	if err != nil {
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
	sum.Store(right)
	signedAs.Store("lspine v9.9.8 checksums.txt")
	got = append(got, run("update", "--force"))
	if now, err := os.ReadFile(program); err != nil || !bytes.Equal(now, text) {
		t.Errorf("it was replaced by what has another checksum, or an older signature: %v", err)
	}
	signedAs.Store("lspine v9.9.9 checksums.txt")
	got = append(got, run("update", "--force"), run("version"))
	want := []string{
		"v9.9.9\n(exit code 0)",
		"lspine: this is a build of your own (dev); the newest release is v9.9.9\n  lspine update --force replaces it\n(exit code 2)",
		"lspine: " + name + " is not what the release says: its SHA-256 is SUM, not " + strings.Repeat("0", 64) + "\n  nothing was changed; try again, and tell the maintainers if it stays so\n(exit code 2)",
		"lspine: what is said to be the release v9.9.9 is none of ours: its signature is that of \"lspine v9.9.8 checksums.txt\", not of \"lspine v9.9.9 checksums.txt\"\n" +
			"  nothing was changed; if it stays so, tell the maintainers in private, as SECURITY.md says\n(exit code 2)",
		"lspine: PROGRAM is v9.9.9 now (it was dev)\n(exit code 0)",
		"the new one\n(exit code 0)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
