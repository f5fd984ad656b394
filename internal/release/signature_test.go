package release

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"aead.dev/minisign"
	"github.com/google/go-cmp/cmp"
)

// keys makes a key to sign with, and returns the public one as it is in a program.
func keys(t *testing.T) (public string, private minisign.PrivateKey) {
	t.Helper()
	p, private, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return p.String(), private
}

// sign signs a text as minisign -S does.
func sign(private minisign.PrivateKey, text, comment string) []byte {
	r := minisign.NewReader(strings.NewReader(text))
	if _, err := io.Copy(io.Discard, r); err != nil {
		panic(err)
	}
	return r.SignWithComments(private, comment, "signature of a test")
}

// The checksums of a release count only with a signature of theirs, for that version, made with our key: everything else is refused
// before an archive is asked for.
func TestReleasesAreSigned(t *testing.T) {
	ours, private := keys(t)
	_, another := keys(t)
	const sums = "00  lspine_1.2.3_linux_amd64.tar.gz\n"
	const comment = "lspine v1.2.3 checksums.txt"
	right := string(sign(private, sums, comment))
	lines := strings.Split(right, "\n")
	older := string(sign(private, "00  lspine_1.2.2_linux_amd64.tar.gz\n", "lspine v1.2.2 checksums.txt"))
	const refused = "what is said to be the release v1.2.3 is none of ours: "
	for name, c := range map[string]struct {
		key, sums, signature string // no signature: there is no such file
		want                 string
	}{
		"none":                        {ours, sums, "", refused + "it is not signed"},
		"an empty one":                {ours, sums, " ", refused + "its signature cannot be read"},
		"no signature":                {ours, sums, "<html>not found</html>", refused + "its signature cannot be read"},
		"of another key":              {ours, sums, string(sign(another, sums, comment)), refused + "it is signed with the key "},
		"of another key, by our name": {ours, sums, renamed(t, sign(another, sums, comment), private), refused + "its signature is not one of its checksums"},
		"of other checksums":          {ours, sums + "11  more\n", right, refused + "its signature is not one of its checksums"},
		"of an archive":               {ours, sums, string(sign(private, "an archive", comment)), refused + "its signature is not one of its checksums"},
		"of an older release":         {ours, "00  lspine_1.2.2_linux_amd64.tar.gz\n", older, refused + `its signature is that of "lspine v1.2.2 checksums.txt", not of "lspine v1.2.3 checksums.txt"`},
		"of an older one, renamed":    {ours, "00  lspine_1.2.2_linux_amd64.tar.gz\n", strings.Replace(older, "v1.2.2", "v1.2.3", 1), refused + "its signature is not one of its checksums"},
		"of something else of ours":   {ours, sums, string(sign(private, sums, "timestamp:1")), refused + `its signature is that of "timestamp:1"`},
		"cut":                         {ours, sums, strings.Join(lines[:2], "\n"), refused + "its signature cannot be read"},
		"no key":                      {"", sums, right, "this build has no key to check the signature of a release with"},
		"no key at all":               {"not a key", sums, right, "the key of releases in this program: "},
		"right":                       {ours, sums, right, "the archive was asked for"},
	} {
		asked := false
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasSuffix(r.URL.Path, ".minisig") && c.signature != "":
				_, _ = w.Write([]byte(c.signature))
			case strings.HasSuffix(r.URL.Path, "/checksums.txt"):
				_, _ = w.Write([]byte(c.sums))
			default:
				asked = asked || strings.HasSuffix(r.URL.Path, ".tar.gz")
				http.NotFound(w, r)
			}
		}))
		program, err := (&Source{Base: server.URL, Key: c.key}).Fetch(t.Context(), "v1.2.3", Target{"linux", "amd64"})
		server.Close()
		says := fmt.Sprint(err)
		if asked {
			says = "the archive was asked for"
		}
		if !strings.HasPrefix(says, c.want) || program != nil {
			t.Errorf("%s: %q, want %q", name, says, c.want)
		}
	}
}

// renamed returns a signature that claims to be of another key.
func renamed(t *testing.T, signature []byte, key minisign.PrivateKey) string {
	t.Helper()
	var s minisign.Signature
	if err := s.UnmarshalText(signature); err != nil {
		t.Fatal(err)
	}
	s.KeyID = key.ID()
	return s.String()
}

// The key in the program is what the file of minisign has below its comment; where releases are made by others, theirs.
func TestKeyOfTheProgram(t *testing.T) {
	for file, want := range map[string]string{
		"untrusted comment: minisign public key: 1\nRWQ=\n": "RWQ=", "RWQ=": "RWQ=", "untrusted comment: none\n": "", "": "", "\r\n": "",
		"untrusted comment: one\r\nRWQ=\r\n": "RWQ=",
	} {
		if got := keyIn(file); got != want {
			t.Errorf("%q: %q", file, got)
		}
	}
	if key := Key(); key != "" { // a release is built with this file
		var public minisign.PublicKey
		if err := public.UnmarshalText([]byte(key)); err != nil {
			t.Errorf("minisign.pub: %v", err)
		}
	}
	former := ownKey
	defer func() { ownKey = former }()
	if ownKey = "mine"; Key() != "mine" {
		t.Errorf("the key is %q", Key())
	}
}

// What is refused is said with what to do.
func TestWordsAboutSignatures(t *testing.T) {
	hints := map[string]string{}
	for _, err := range []interface {
		error
		Hint() string
	}{&SignatureError{"v1.2.3", "it is not signed"}, &KeylessError{}} {
		hints[err.Error()] = err.Hint()
		if errors.Unwrap(err) != nil {
			t.Errorf("%v wraps", err)
		}
	}
	want := map[string]string{
		"what is said to be the release v1.2.3 is none of ours: it is not signed":                         "nothing was changed; if it stays so, tell the maintainers in private, as SECURITY.md says",
		"this build has no key to check the signature of a release with, so it replaces itself with none": "download a release and check it by hand, as SECURITY.md says, or: go install github.com/lspine/lspine/cmd/lspine@latest",
	}
	if diff := cmp.Diff(want, hints); diff != "" {
		t.Error(diff)
	}
}
