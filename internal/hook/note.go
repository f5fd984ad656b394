package hook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/lspine/lspine/internal/fspath"
)

// A note says what the tools of one event changed. A hook leaves it before it does anything that may
// fail or take long, without waiting for other hooks of the session, so that the change is known to
// the next hook even if this one is killed.
type note struct {
	Changes []change `json:"changes,omitempty"`
	// Sweep reports that any other file may have changed too.
	Sweep bool `json:"sweep,omitempty"`
}

func (n note) isEmpty() bool { return len(n.Changes) == 0 && !n.Sweep }

// A change is one file that a tool changed, and its text before that, nil if unknown. Path is absolute.
type change struct {
	Path   string  `json:"path"`
	Before *string `json:"before,omitempty"`
}

// A desk is the place where the hooks of one session leave notes and keep their memory.
type desk struct {
	// file is the path of the memory without its extension, which all paths of the session begin with.
	file string
}

// deskOf returns the desk of a session, whose folder it creates.
func deskOf(folder, session string) (desk, error) {
	if folder == "" {
		return desk{}, errors.New("there is no folder to remember a session in")
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return desk{}, err
	}
	sum := sha256.Sum256([]byte(session))
	return desk{filepath.Join(folder, hex.EncodeToString(sum[:12]))}, nil
}

// leave writes a note for the next hook that reads the session's memory, and returns its file.
func (d desk) leave(n note, now time.Time) (file string, err error) {
	data, err := json.Marshal(n)
	if err != nil {
		return "", err
	}
	draft, err := os.CreateTemp(filepath.Dir(d.file), filepath.Base(d.file)+".*.draft")
	if err != nil {
		return "", err
	}
	_, err = draft.Write(data)
	if err = errors.Join(err, draft.Close()); err != nil {
		return "", errors.Join(err, os.Remove(draft.Name()))
	}
	unique := strings.TrimSuffix(strings.TrimPrefix(draft.Name(), d.file+"."), ".draft")
	file = fmt.Sprintf("%s.%020d-%s.note", d.file, now.UnixNano(), unique) // notes are read in the order of their names
	return file, os.Rename(draft.Name(), file)
}

// notes returns the notes that were left, by file.
func (d desk) notes() (map[string]note, error) {
	entries, err := os.ReadDir(filepath.Dir(d.file))
	if err != nil {
		return nil, err
	}
	notes := make(map[string]note)
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), filepath.Base(d.file)+".") || filepath.Ext(entry.Name()) != ".note" {
			continue
		}
		file := filepath.Join(filepath.Dir(d.file), entry.Name())
		data, err := fspath.Read(file)
		if err != nil {
			return nil, err
		}
		var n note
		_ = json.Unmarshal(data, &n) // if this fails, the file was truncated; its content is lost
		notes[file] = n
	}
	return notes, nil
}

// remember reads the memory of the session, which is empty the first time, and locks it until keep or
// letGo is called; keep also writes it. It waits for other hooks of the session until ctx ends.
func (d desk) remember(ctx context.Context) (m *memory, keep func() error, letGo func(), err error) {
	lock := flock.New(d.file + ".json.lock")
	const poll = 5 * time.Millisecond // no event announces that the lock is free
	if _, err := lock.TryLockContext(ctx, poll); err != nil {
		return nil, nil, nil, fmt.Errorf("another hook of the session is still at work: %w", err)
	}
	letGo = func() { _ = lock.Close() }
	m = &memory{}
	data, err := fspath.Read(d.file + ".json")
	if err == nil && json.Unmarshal(data, m) != nil { // the file was truncated; its content is lost
		m = &memory{}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		letGo()
		return nil, nil, nil, err
	}
	m.prepare()
	return m, func() error { return m.writeFile(d.file + ".json") }, letGo, nil
}

// forgetOld removes what belongs to sessions that have not been used for a long time.
func forgetOld(folder string, now time.Time) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return // there are none
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && !strings.HasPrefix(entry.Name(), logName) && now.Sub(info.ModTime()) > maxAge {
			_ = os.Remove(filepath.Join(folder, entry.Name())) // otherwise next time
		}
	}
}
