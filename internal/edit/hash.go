package edit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// shortestHash is how many hex digits name a content well enough.
const shortestHash = 8

// Hash returns the SHA-256 of content in lower-case hex digits: all bytes count,
// a byte order mark and line endings, too.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Expect fails unless the file on disk has the hash that the caller saw: all of
// [Hash] or its first 8 digits or more, in any case, "sha256:" before it or
// not. A file that differs, or is gone, is a *StaleError. The disk is meant, not
// what the plan made of it; in a further step ([Plan.Next]) what the steps before made.
func (p *Plan) Expect(path, hash string) error {
	return p.allOrNone(func() error {
		want := strings.ToLower(strings.TrimSpace(hash))
		want = strings.TrimPrefix(want, "sha256:")
		if len(want) < shortestHash || len(want) > 2*sha256.Size || strings.Trim(want, "0123456789abcdef") != "" {
			return &InvalidEditError{path, fmt.Sprintf("%q is no hash: give at least %d hex digits of its SHA-256", hash, shortestHash)}
		}
		f, err := p.load(path)
		if err != nil {
			return err
		}
		got := ""
		switch was, known := p.began[f.path]; {
		case known && was.exists:
			got = Hash(was.after)
		case !known && f.existed:
			got = Hash(f.before)
		}
		if !strings.HasPrefix(got, want) {
			return &StaleError{f.path, hash, got}
		}
		p.files[f.path] = f
		return nil
	})
}
