package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/lspine/lspine/internal/fspath"
)

// Trust is what the user said of a project: whether its file may say what runs, and what lies
// in its folder may run. It holds for what the file wants to run at that time, or, where a folder above
// is trusted with all below it, for whatever any project there wants.
type Trust struct {
	// Given says that the project is trusted as it is, Changed that it was trusted when it
	// wanted to run something else, Denied that the user was asked and said no.
	Given, Changed, Denied bool
	// By is the folder above that is trusted with all below it, "" if it is not by that.
	By string
	// Hash is that of what the project's file wants to run now.
	Hash string
}

// A trusted root is a folder of which the user said something: that it is trusted for what has a hash, that it is
// with all below it, or, if neither is set, that it is not.
type trustedRoot struct {
	Hash  string    `json:"hash,omitempty"`
	Below bool      `json:"below,omitempty"`
	When  time.Time `json:"when"`
}

// A trustRecord is the file of what the user trusts, by root.
type trustRecord struct {
	Roots map[string]trustedRoot `json:"roots"`
}

// TrustFile returns the path of the file of what the user trusts, beside that of [UserFile];
// "" if there is no folder for it.
func TrustFile(environ []string) string {
	file := UserFile(environ)
	if file == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(file), "trust.json")
}

func readTrust(path string) (trustRecord, error) {
	r := trustRecord{Roots: make(map[string]trustedRoot)}
	text, err := fspath.Read(path)
	if path == "" || errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		return trustRecord{}, fmt.Errorf("cannot be read: %w", rootCause(err))
	}
	return r, nil
}

// trustOf returns what the user said of the project of an untrusted configuration.
func trustOf(o Options, c *Config) (Trust, error) {
	t := Trust{Hash: c.hashOfWanted()}
	root, err := fspath.Real(o.Root)
	if o.Root == "" || err != nil {
		return t, nil
	}
	switch c.Settings.Trust {
	case TrustNever:
		return t, nil
	case TrustAlways:
		t.Given = true
		return t, nil
	}
	r, err := readTrust(TrustFile(o.Environ))
	if err != nil {
		return t, err
	}
	given, known := r.Roots[root]
	roots := []string{root}
	if main := mainCheckout(root); !known && main != "" { // a worktree is what its repository is
		given, known = r.Roots[main]
		roots = append(roots, main)
	}
	t.Given = given.Hash == t.Hash
	for _, folder := range roots {
		for above := ""; !t.Given && above != folder; folder = filepath.Dir(folder) {
			if above = folder; r.Roots[folder].Below {
				t.Given, t.By = true, folder
			}
		}
	}
	t.Changed, t.Denied = !t.Given && given.Hash != "", !t.Given && known && given.Hash == ""
	return t, nil
}

// hashOfWanted returns the hash of what the project's file wants to run.
func (c *Config) hashOfWanted() string {
	var wanted []string
	for _, u := range c.Untrusted {
		if u.ID != "" {
			wanted = append(wanted, fmt.Sprintf("%q %q %s", u.ID, u.Field, u.Value))
		}
	}
	slices.Sort(wanted)
	sum := sha256.Sum256([]byte(strings.Join(wanted, "\n")))
	return hex.EncodeToString(sum[:])
}

// remindOfTrust says of what is not applied that it is not what was trusted.
func (c *Config) remindOfTrust() {
	for i := range c.Untrusted {
		if c.Untrusted[i].ID != "" {
			c.Untrusted[i].Hint = "what the project wants to run has changed since you trusted it; lspine trust shows and allows it"
		}
	}
}

// SetTrust trusts a root for what has a hash, or, with "", trusts it no longer. It returns
// whether that changed anything.
func SetTrust(environ []string, root, hash string) (changed bool, err error) {
	return changeTrust(environ, root, func(r map[string]trustedRoot, root string) {
		if r[root] = (trustedRoot{Hash: hash, When: time.Now().Round(time.Second)}); hash == "" {
			delete(r, root)
		}
	})
}

// TrustBelow trusts a folder with all below it, whatever comes there later. It returns whether that changed anything.
func TrustBelow(environ []string, folder string) (changed bool, err error) {
	return changeTrust(environ, folder, func(r map[string]trustedRoot, folder string) {
		if !r[folder].Below {
			r[folder] = trustedRoot{Below: true, When: time.Now().Round(time.Second)}
		}
	})
}

// DenyTrust notes that the user was asked about a root and does not trust it, so that nobody asks again.
func DenyTrust(environ []string, root string) error {
	_, err := changeTrust(environ, root, func(r map[string]trustedRoot, root string) {
		r[root] = trustedRoot{When: time.Now().Round(time.Second)}
	})
	return err
}

// changeTrust changes what the user said of folders, and returns whether anything is different then.
func changeTrust(environ []string, root string, change func(roots map[string]trustedRoot, root string)) (changed bool, err error) {
	path := TrustFile(environ)
	if path == "" {
		return false, errors.New("there is no folder for your configuration")
	}
	if root, err = fspath.Real(root); err != nil {
		return false, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return false, err
	}
	lock := flock.New(path + ".lock")
	if err := lock.Lock(); err != nil {
		return false, err
	}
	defer lock.Close()
	r, err := readTrust(path)
	if err != nil {
		return false, fmt.Errorf("%s %w", path, err)
	}
	before := r.Roots[root]
	change(r.Roots, root)
	if after := r.Roots[root]; after.Hash == before.Hash && after.Below == before.Below && (after.When.IsZero() == before.When.IsZero()) {
		return false, nil
	}
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return false, err
	}
	draft := path + ".new"
	if err := os.WriteFile(draft, append(text, '\n'), 0o600); err != nil {
		return false, err
	}
	return true, os.Rename(draft, path)
}

// Trusts reports whether what lies in a folder, an absolute path with links resolved, may
// run: it is one of TrustedRoots or below one.
func (s *Settings) Trusts(folder string) bool {
	for _, root := range s.TrustedRoots {
		if rest, inHome := strings.CutPrefix(root, "~"); inHome {
			home, err := os.UserHomeDir()
			if err != nil {
				continue
			}
			root = filepath.Join(home, rest)
		}
		root, err := fspath.Real(root)
		if err != nil {
			continue
		}
		if relative, err := filepath.Rel(root, folder); err == nil && filepath.IsLocal(relative) {
			return true
		}
	}
	return false
}
