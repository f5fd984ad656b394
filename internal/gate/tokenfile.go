package gate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/legible"
)

// A FileError says what is wrong with a file, and where in it. It never contains a token.
type FileError struct {
	File string
	// Line is where, counted from 1; 0 if it is about the whole file.
	Line int
	// Key is what is wrong, such as tokens[0].rate; "" if it is about the whole file.
	Key    string
	Reason string
	// Advice is what to do, "" if that is clear.
	Advice string
}

func (e *FileError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Key != "" {
		fmt.Fprintf(&b, ": %s", e.Key)
	}
	return b.String() + ": " + e.Reason
}

// A tokenFile is the authority for the tokens in a file. It reads the file again when it has changed,
// which it looks for at each request, and while it is followed.
type tokenFile struct {
	path string
	log  *slog.Logger

	// mu guards the keys, the file as it was read last, and the complaint about it, "" if it was in order.
	mu        sync.Mutex
	keys      []key
	seen      stamp
	complaint string
}

// A stamp tells two states of a file apart; the zero stamp is a file that is not there.
type stamp struct {
	modified time.Time
	size     int64
	change   uint64
}

func stampOf(info fs.FileInfo) stamp { return stamp{info.ModTime(), info.Size(), fspath.Change(info)} }

// OpenTokens returns the authority for the tokens in a file, which other users must not be able to read. The
// file has one token, or is a JSON document; see the guide. It fails with a *[FileError]. When the file
// changes, it is read again before the next request, and by itself while a [Gate] serves; if it then cannot be read, the tokens
// stay as they were, and log is told. {"tokens": []} takes all of them back.
func OpenTokens(path string, log *slog.Logger) (Authority, error) {
	f := &tokenFile{path: path, log: log}
	info, err := os.Stat(path)
	if err == nil {
		f.seen = stampOf(info)
		f.keys, err = f.read(info, nil)
	}
	if err == nil && len(f.keys) == 0 {
		err = &FileError{File: path, Reason: "it has no tokens", Advice: `{"tokens": [{"name": "ci", "token": "…"}]}`}
	}
	if err != nil {
		return Authority{}, aboutFile(path, err)
	}
	return Authority{f}, nil
}

// aboutFile returns an error as one about a file.
func aboutFile(path string, err error) error {
	var of *FileError
	if errors.As(err, &of) {
		return of
	}
	reason := err.Error()
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		reason = failed.Err.Error()
	}
	return &FileError{File: path, Reason: legible.Hanging(reason)}
}

func (f *tokenFile) client(_ context.Context, token string) (admitted, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refreshLocked()
	return known(f.keys, token)
}

// refresh reads the file again if it has changed.
func (f *tokenFile) refresh() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refreshLocked()
}

// refreshLocked reads the file again if it has changed. Tokens that are not in it any more, or of which
// it says something else, are taken back.
func (f *tokenFile) refreshLocked() {
	var now stamp
	info, err := os.Stat(f.path)
	if err == nil {
		if now = stampOf(info); now == f.seen {
			return
		}
	}
	f.seen = now
	var keys []key
	if err == nil {
		keys, err = f.read(info, f.keys)
	}
	if err != nil {
		if said := aboutFile(f.path, err).Error(); said != f.complaint {
			f.complaint = said
			f.log.Error("the tokens stay as they were", "error", said)
		}
		return
	}
	f.complaint = ""
	kept := make(map[*Client]bool)
	for _, k := range keys {
		kept[k.client] = true
	}
	for _, k := range f.keys {
		if !kept[k.client] {
			k.client.recall()
		}
	}
	f.keys = keys
}

// read reads the file. Clients of which it says what it said before stay the same.
func (f *tokenFile) read(info fs.FileInfo, before []key) ([]key, error) {
	if why, advice := exposed(info); why != "" {
		return nil, &FileError{File: f.path, Reason: why, Advice: advice + f.path}
	}
	text, err := fspath.Read(f.path)
	if err != nil {
		return nil, err
	}
	if trimmed := bytes.TrimSpace(text); !bytes.HasPrefix(trimmed, []byte("{")) && !bytes.HasPrefix(trimmed, []byte("/")) {
		if why := CheckToken(string(trimmed)); why != "" {
			return nil, &FileError{File: f.path, Reason: "its text is not a token: " + why, Advice: `it holds one token, or {"tokens": [{"name": "ci", "token": "…"}]}`}
		}
		return kept([]declared{{name: "token", sole: true, sum: sha256.Sum256(trimmed), written: sha256.Sum256(trimmed)}}, before), nil
	}
	list, err := readTokens(f.path, text)
	return kept(list, before), err
}

// A declared token is one as it stands in a file.
type declared struct {
	name       string
	sole       bool // the file has this token itself, and no other
	sum        fingerprint
	workspaces []string
	rules      ruleList
	limits     Limits
	written    fingerprint // of all that the file says of it
}

// kept returns the keys for declared tokens. Clients of which the same is said as before stay as they are.
func kept(list []declared, before []key) (keys []key) {
	for _, d := range list {
		var of *Client
		for _, k := range before {
			if k.client.Name == d.name && k.client.written == d.written {
				of = k.client
			}
		}
		if of == nil {
			of = newClient(d.name, d.limits)
			of.Workspaces, of.Sole, of.rules.Rules, of.written = d.workspaces, d.sole, d.rules, d.written
		}
		keys = append(keys, key{d.sum, of})
	}
	return keys
}
