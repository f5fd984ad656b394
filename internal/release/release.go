package release

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// Releases is where those of lspine are.
const Releases = "https://github.com/lspine/lspine/releases"

// Bounds of what is read.
const (
	maxArchive   = 256 << 20
	maxChecksums = 1 << 20
	maxSignature = 8 << 10
)

// A Source is a place with releases, as GitHub has them.
type Source struct {
	// Base is its address: Base/latest leads to Base/tag/VERSION, and Base/download/VERSION/
	// holds the files.
	Base string
	// Key is the public key that its releases are signed with, in minisign's form; "" if none is known.
	Key string
	// Client is nil for the usual one.
	Client *http.Client
}

// A Target is the system that a program is for, in Go's words.
type Target struct{ OS, Arch string }

// archive returns the name of a release's archive for a system, as .goreleaser.yaml has it.
func (t Target) archive(version string) string {
	name := fmt.Sprintf("lspine_%s_%s_%s", strings.TrimPrefix(version, "v"), t.OS, t.Arch)
	if t.OS == "windows" {
		return name + ".zip"
	}
	return name + ".tar.gz"
}

// program returns the name of the program in the archive.
func (t Target) program() string {
	if t.OS == "windows" {
		return "lspine.exe"
	}
	return "lspine"
}

// built matches the end of the version of a build that is no release, as git describes it.
var built = lazyregexp.New(`(-\d+-g[0-9a-f]+|-dirty)$`)

// Is reports whether a version is that of a release, such as v0.3.1 or v0.4.0-rc.1.
func Is(version string) bool { return semver.IsValid(version) && !built.MatchString(version) }

// IsNewer reports whether a release is newer than a version; every release is newer than what
// is none, such as a build of one's own.
func IsNewer(release, version string) bool {
	return !Is(version) || semver.Compare(release, version) > 0
}

// IsOlder reports whether a release is older than a version, which is that of a release too.
func IsOlder(release, version string) bool {
	return Is(version) && semver.Compare(release, version) < 0
}

// Latest returns the version of the newest release, such as v0.3.1.
func (s *Source) Latest(ctx context.Context) (string, error) {
	client := http.Client{}
	if s.Client != nil {
		client = *s.Client
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := get(ctx, &client, s.Base+"/latest")
	if err != nil {
		return "", fmt.Errorf("the newest release is not known: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 3 {
		return "", fmt.Errorf("the newest release is not known: %s/latest: %s", s.Base, response.Status)
	}
	version := path.Base(response.Header.Get("Location"))
	if !Is(version) {
		return "", fmt.Errorf("the newest release is not known: %s/latest leads to %q", s.Base, response.Header.Get("Location"))
	}
	return version, nil
}

// Fetch returns the program of a release for a system. Without a key, nothing is fetched, with a [KeylessError]. A release whose
// checksums are not signed with the key, as those of this version, is refused with a [SignatureError], and an archive that does
// not have its checksum with a [ChecksumError].
func (s *Source) Fetch(ctx context.Context, version string, target Target) ([]byte, error) {
	if s.Key == "" {
		return nil, &KeylessError{}
	}
	name := target.archive(version)
	sums, err := s.signed(ctx, version)
	if err != nil {
		return nil, err
	}
	want, err := checksum(sums, name)
	if err != nil {
		return nil, err
	}
	archive, err := s.file(ctx, version, name, maxArchive)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(archive)
	if got := hex.EncodeToString(sum[:]); got != want {
		return nil, &ChecksumError{name, want, got}
	}
	program, err := extract(archive, target)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return program, nil
}

// signed returns the checksums of a release, whose signature is right.
func (s *Source) signed(ctx context.Context, version string) ([]byte, error) {
	sums, err := s.file(ctx, version, checksumsFile, maxChecksums)
	if err != nil {
		return nil, err
	}
	signature, err := s.file(ctx, version, signatureFile, maxSignature)
	var missing *UnreleasedError
	if errors.As(err, &missing) {
		return nil, &SignatureError{version, "it is not signed"}
	}
	if err != nil {
		return nil, err
	}
	if err := verify(s.Key, version, sums, signature); err != nil {
		return nil, err
	}
	return sums, nil
}

// Open returns the program of a release for a system out of the folder that the release was
// built in, and the name of the archive that it is in.
func Open(built fs.FS, version string, target Target) (program []byte, name string, err error) {
	name = target.archive(version)
	archive, err := fs.ReadFile(built, name)
	if err != nil {
		return nil, name, err
	}
	program, err = extract(archive, target)
	return program, name, err
}

// A ChecksumError says that a file is not the one of the release.
type ChecksumError struct{ Name, Want, Got string }

func (e *ChecksumError) Error() string {
	return fmt.Sprintf("%s is not what the release says: its SHA-256 is %s, not %s", e.Name, e.Got, e.Want)
}

// Hint says what to do.
func (e *ChecksumError) Hint() string {
	return "nothing was changed; try again, and tell the maintainers if it stays so"
}

// An UnreleasedError says that a release has nothing for a system.
type UnreleasedError struct{ Name string }

func (e *UnreleasedError) Error() string { return "the release has no " + e.Name }

// Hint says what to do.
func (e *UnreleasedError) Hint() string {
	return "go install github.com/lspine/lspine/cmd/lspine@latest builds it"
}

// checksum returns the SHA-256 of a file, in hexadecimal, from lines of sums and names.
func checksum(sums []byte, name string) (string, error) {
	lines := bufio.NewScanner(bytes.NewReader(sums))
	for lines.Scan() {
		if fields := strings.Fields(lines.Text()); len(fields) == 2 && strings.TrimPrefix(fields[1], "*") == name {
			return strings.ToLower(fields[0]), nil
		}
	}
	return "", &UnreleasedError{name}
}

// file returns a file of a release.
func (s *Source) file(ctx context.Context, version, name string, limit int64) ([]byte, error) {
	client := s.Client
	if client == nil {
		client = http.DefaultClient
	}
	response, err := get(ctx, client, s.Base+"/download/"+url.PathEscape(version)+"/"+name)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode == http.StatusNotFound:
		return nil, &UnreleasedError{name}
	case response.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%s: %s", name, response.Status)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s is longer than %d bytes", name, limit)
	}
	return data, nil
}

// An InsecureError says that an address does not begin with https, so that whoever is on the way could send another program, and
// the checksum of that.
type InsecureError struct{ Address string }

func (e *InsecureError) Error() string { return e.Address + " is not an address of https" }

// Hint says what to do.
func (e *InsecureError) Hint() string {
	return "name a mirror by https; only this machine's own may do without"
}

// secure returns an *[InsecureError] for an address that is neither of https nor of this machine.
func secure(address *url.URL) error {
	ip := net.ParseIP(address.Hostname())
	if address.Scheme == "https" || address.Scheme == "http" && (address.Hostname() == "localhost" || ip != nil && ip.IsLoopback()) {
		return nil
	}
	return &InsecureError{address.Redacted()}
}

// get asks for an address, and for those that it leads to, unless one of them is not secure.
func get(ctx context.Context, client *http.Client, address string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if err := secure(request.URL); err != nil {
		return nil, err
	}
	careful := *client
	careful.CheckRedirect = func(next *http.Request, before []*http.Request) error {
		const most = 10
		switch {
		case client.CheckRedirect != nil:
			return client.CheckRedirect(next, before)
		case len(before) >= most:
			return errors.New("it leads from one address to the next without end")
		}
		return secure(next.URL)
	}
	return careful.Do(request)
}

// errNoProgram is why an archive is of no use.
var errNoProgram = errors.New("the program is not in it")

// extract returns the program out of an archive.
func extract(archive []byte, target Target) ([]byte, error) {
	if target.OS == "windows" {
		return fromZip(archive, target.program())
	}
	return fromTar(archive, target.program())
}

func fromZip(archive []byte, name string) ([]byte, error) {
	files, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	for _, f := range files.File {
		if f.Name != name {
			continue
		}
		content, err := f.Open()
		if err != nil {
			return nil, err
		}
		defer content.Close()
		return whole(content)
	}
	return nil, errNoProgram
}

func fromTar(archive []byte, name string) ([]byte, error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	for files := tar.NewReader(unzipped); ; {
		header, err := files.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil, errNoProgram
		case err != nil:
			return nil, err
		case header.Name == name && header.Typeflag == tar.TypeReg:
			return whole(files)
		}
	}
}

// whole returns all of a program.
func whole(content io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(content, maxArchive+1))
	if err == nil && len(data) > maxArchive {
		return nil, fmt.Errorf("the program is longer than %d bytes", maxArchive)
	}
	return data, err
}
