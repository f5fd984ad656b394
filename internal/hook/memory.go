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
	"slices"
	"time"

	"github.com/gofrs/flock"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/result"
)

// A memory is what the hooks of a session remember, in a file, from one process to the next. Paths
// are absolute.
type memory struct {
	// Commit is the git commit that was checked out when the session began. Stamps are those of the
	// files that may differ from it, as last seen. Swept reports that a sweep has taken place.
	Commit string           `json:"commit,omitempty"`
	Stamps map[string]stamp `json:"stamps,omitempty"`
	Swept  bool             `json:"swept,omitempty"`
	// Touched are the files that the session changed, in the order of their first change. Before
	// has their texts before that change, as far as known.
	Touched []string          `json:"touched,omitempty"`
	Before  map[string]string `json:"before,omitempty"`
	// Broken has, by path, the findings that were reported to the agent and still existed when
	// their files were last checked. A finding that occurs twice is listed twice.
	Broken map[string][]finding `json:"broken,omitempty"`
	// Owed are files whose check was not complete in time.
	Owed []string `json:"owed,omitempty"`
	// Held identifies the findings that last kept the agent from ending its turn.
	Held string `json:"held,omitempty"`
}

// A stamp identifies the state of a file without its content. The zero stamp means that there is no
// file.
type stamp struct {
	Size     int64 `json:"size"`
	Modified int64 `json:"modified"` // nanoseconds since 1970
	// Change tells states apart for which both are equal, see fspath.Change.
	Change uint64 `json:"change,omitempty"`
}

// A finding identifies a diagnostic, even if its lines have moved.
type finding struct {
	Code    string `json:"code,omitempty"`
	Message string `json:"message"`
}

func findingOf(d *result.Diagnostic) finding { return finding{d.Code, d.Message} }

// Limits of a memory.
const (
	maxTouched = 500     // files
	maxBefore  = 4 << 20 // bytes of all texts together
	maxAge     = 14 * 24 * time.Hour
)

// remember reads the memory of a session, which is empty the first time, and locks it until keep or
// letGo is called; keep also writes it. remember waits for other hooks of the session until ctx
// ends.
func remember(ctx context.Context, folder, session string) (m *memory, keep func() error, letGo func(), err error) {
	if folder == "" {
		return nil, nil, nil, errors.New("there is no folder to remember a session in")
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, nil, nil, err
	}
	sum := sha256.Sum256([]byte(session))
	name := filepath.Join(folder, hex.EncodeToString(sum[:12])+".json")
	lock := flock.New(name + ".lock")
	const poll = 5 * time.Millisecond // no event announces that the lock is free
	if _, err := lock.TryLockContext(ctx, poll); err != nil {
		return nil, nil, nil, fmt.Errorf("another hook of the session is still at work: %w", err)
	}
	letGo = func() { _ = lock.Close() }
	m = &memory{}
	data, err := os.ReadFile(name)
	if err == nil && json.Unmarshal(data, m) != nil { // the file was truncated; its content is lost
		m = &memory{}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		letGo()
		return nil, nil, nil, err
	}
	if m.Stamps == nil {
		m.Stamps = make(map[string]stamp)
	}
	if m.Before == nil {
		m.Before = make(map[string]string)
	}
	if m.Broken == nil {
		m.Broken = make(map[string][]finding)
	}
	keep = func() error { return m.write(name) }
	return m, keep, letGo, nil
}

// write replaces the file of the memory.
func (m *memory) write(name string) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	draft := name + ".new"
	if err := os.WriteFile(draft, data, 0o600); err != nil {
		return err
	}
	return os.Rename(draft, name)
}

// forgetOld removes the memories of sessions that have not been used for a long time.
func forgetOld(folder string, now time.Time) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return // there are none
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && filepath.Ext(entry.Name()) != ".log" && now.Sub(info.ModTime()) > maxAge {
			_ = os.Remove(filepath.Join(folder, entry.Name())) // otherwise next time
		}
	}
}

// touch records that the session changes a file. before is its text until then, nil if unknown.
func (m *memory) touch(path string, before *string) {
	if slices.Contains(m.Touched, path) {
		return
	}
	if m.Touched = append(m.Touched, path); len(m.Touched) > maxTouched {
		delete(m.Before, m.Touched[0])
		m.Touched = m.Touched[1:]
	}
	size := 0
	for _, text := range m.Before {
		size += len(text)
	}
	if before != nil && size+len(*before) <= maxBefore {
		m.Before[path] = *before
	}
}

// owe records files whose check is not yet complete.
func (m *memory) owe(paths []string) {
	for _, path := range paths {
		if !slices.Contains(m.Owed, path) {
			m.Owed = append(m.Owed, path)
		}
	}
}

// sweep returns the files that changed since the last sweep, none the first time.
func (m *memory) sweep(listing Listing) (changed []string) {
	now := make(map[string]stamp, len(listing.Files))
	for _, path := range listing.Files {
		now[path] = stampOf(path)
	}
	if m.Swept {
		for path, is := range now {
			if was, known := m.Stamps[path]; !known || was != is {
				changed = append(changed, path)
			}
		}
		for path, was := range m.Stamps {
			if _, listed := now[path]; listed {
				continue
			}
			switch is := stampOf(path); {
			case is != was: // it is back to its state when the session began, or it is gone
				changed = append(changed, path)
			case is != stamp{}: // it was committed, or git does not list it; later changes count
				now[path] = is
			}
		}
	}
	m.Stamps, m.Swept = now, true
	slices.Sort(changed)
	return changed
}

// see records the current state of files that are checked anyway, so that the next sweep does not
// return them.
func (m *memory) see(paths []string) {
	if !m.Swept {
		return
	}
	for _, path := range paths {
		m.Stamps[path] = stampOf(path)
	}
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime().UnixNano(), fspath.Change(info)}
}

// untold returns the indices of those diagnostics of a file that satisfy comes and have not been
// reported to the agent. Of several identical ones, as many count as reported as the memory has:
// first those that do not satisfy comes, then the others from the first on.
func (m *memory) untold(path string, list []result.Diagnostic, comes func(*result.Diagnostic) bool) (places []int) {
	knows := counted(m.Broken[path])
	for i := range list {
		if !comes(&list[i]) {
			knows[findingOf(&list[i])]--
		}
	}
	for i := range list {
		if !comes(&list[i]) {
			continue
		}
		if f := findingOf(&list[i]); knows[f] > 0 {
			knows[f]--
		} else {
			places = append(places, i)
		}
	}
	return places
}

// counted returns how often each finding is in a list.
func counted(list []finding) map[finding]int {
	times := make(map[finding]int)
	for _, f := range list {
		times[f]++
	}
	return times
}

// isBroken reports whether a diagnostic was reported to the agent.
func (m *memory) isBroken(path string, d *result.Diagnostic) bool {
	return slices.Contains(m.Broken[path], findingOf(d))
}
