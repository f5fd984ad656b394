package release

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"strings"

	"aead.dev/minisign"
)

// keyFile is the public key that releases are signed with, as minisign writes it. A file without a key is one of a build that
// cannot tell a release from something else.
//
//go:embed minisign.pub
var keyFile string

// ownKey, if not "", is there instead: who makes releases of their own builds with -ldflags "-X …/internal/release.ownKey=KEY".
var ownKey string

// Key returns the public key of releases, "" if this program has none.
func Key() string { return cmp.Or(ownKey, keyIn(keyFile)) }

// keyIn returns the key in a file of minisign, "" if there is only the comment.
func keyIn(file string) string {
	for line := range strings.Lines(file) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "untrusted comment:") {
			return line
		}
	}
	return ""
}

// Files of a release that are not archives.
const (
	checksumsFile = "checksums.txt"
	signatureFile = checksumsFile + ".minisig"
)

// signedAs returns what a signature must say that it is of: the version is in it, so that the signature of an old release is none
// of a new one. It is what .goreleaser.yaml has minisign write.
func signedAs(version string) string { return "lspine " + version + " " + checksumsFile }

// verify returns a *[SignatureError] unless the checksums of a release are signed with a key, as those of this version.
func verify(key, version string, sums, signature []byte) error {
	refuse := func(format string, args ...any) error {
		return &SignatureError{version, fmt.Sprintf(format, args...)}
	}
	var public minisign.PublicKey
	if err := public.UnmarshalText([]byte(key)); err != nil {
		return fmt.Errorf("the key of releases in this program: %w", err)
	}
	var s minisign.Signature
	if err := s.UnmarshalText(bytes.TrimSpace(signature)); err != nil {
		return refuse("its signature cannot be read")
	}
	switch {
	case s.KeyID != public.ID():
		return refuse("it is signed with the key %X, and ours is %X", s.KeyID, public.ID())
	case !minisign.Verify(public, sums, signature):
		return refuse("its signature is not one of its checksums")
	case s.TrustedComment != signedAs(version):
		return refuse("its signature is that of %q, not of %q", s.TrustedComment, signedAs(version))
	}
	return nil
}

// A SignatureError says that a release is not signed as it has to be: it is not one of ours, or somebody on the way has changed it.
type SignatureError struct{ Version, Reason string }

func (e *SignatureError) Error() string {
	return fmt.Sprintf("what is said to be the release %s is none of ours: %s", e.Version, e.Reason)
}

// Hint says what to do.
func (e *SignatureError) Hint() string {
	return "nothing was changed; if it stays so, tell the maintainers in private, as SECURITY.md says"
}

// A KeylessError says that this program has no key to check releases with.
type KeylessError struct{}

func (*KeylessError) Error() string {
	return "this build has no key to check the signature of a release with, so it replaces itself with none"
}

// Hint says what to do.
func (*KeylessError) Hint() string {
	return "download a release and check it by hand, as SECURITY.md says, or: go install github.com/lspine/lspine/cmd/lspine@latest"
}
