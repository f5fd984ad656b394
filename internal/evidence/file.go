package evidence

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/lspine/lspine/internal/fspath"
)

// A file is the end of the chain, as one process sees it. Who appends holds the lock beside it,
// and looks first whether another process has appended or begun another file meanwhile.
type file struct {
	path    string
	max     int64
	secrets [][]byte

	lock *flock.Flock
	open *os.File // nil until something is written
	head *os.File // where the end of the chain is noted; nil until it is
	// size is that of the file after our last write; last is the record that the chain ends with.
	size    int64
	last    link
	dirty   bool  // not all of it is on the disk
	failed  error // why the last write failed
	scratch bytes.Buffer
}

// A link is what the next record of a chain has to know of the one before it. It is kept in a file
// beside the log as well: that the end of a log is missing cannot be told by the rest.
type link struct {
	Seq  uint64 `json:"seq"`
	Hash string `json:"hash"`
}

func hashOf(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}

// lockPath and headPath are the files beside a log.
func lockPath(path string) string { return path + ".lock" }
func headPath(path string) string { return path + ".head" }

// lockRetry is how often a lock is tried that another process holds while it writes.
const lockRetry = 2 * time.Millisecond

// reason says why events were lost.
func (f *file) reason() string {
	if f.failed != nil {
		return f.failed.Error()
	}
	return "more came than could be written"
}

// append writes records of a run to the end of the chain: all, or none.
func (f *file) append(ctx context.Context, run string, records []*entry) (err error) {
	defer func() {
		if err != nil {
			f.failed = err
			f.forget()
		}
	}()
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return err
	}
	if f.lock == nil {
		f.lock = flock.New(lockPath(f.path), flock.SetPermissions(0o600))
	}
	if _, err := f.lock.TryLockContext(ctx, lockRetry); err != nil {
		return err
	}
	defer func() { _ = f.lock.Unlock() }()
	torn, cut, err := f.refresh()
	if err != nil {
		return err
	}
	if f.size >= f.max && len(torn) == 0 && cut == nil {
		if previous, rotated := f.rotate(); rotated {
			records = append([]*entry{{at: time.Now(), of: &Rotated{previous}}}, records...)
		}
	}
	f.scratch.Reset()
	if len(torn) > 0 {
		f.scratch.WriteByte('\n')
	}
	switch {
	case cut != nil:
		records = append([]*entry{{at: time.Now(), of: cut}}, records...)
	case len(torn) > 0:
		records = append([]*entry{{at: time.Now(), of: &Recovered{len(torn), hashOf(torn)}}}, records...)
	}
	last := f.last
	for _, r := range records {
		if err := f.encode(run, r, &last); err != nil {
			return err
		}
	}
	n, err := f.open.Write(f.scratch.Bytes())
	if err != nil {
		if n > 0 { // what there was room for is no record
			err = errors.Join(err, f.open.Truncate(f.size))
		}
		return err
	}
	f.size, f.last, f.dirty = f.size+int64(n), last, true
	f.writeHead()
	return nil
}

// encode adds the line of a record to what is written next.
func (f *file) encode(run string, e *entry, last *link) error {
	data, err := json.Marshal(e.of)
	if err != nil {
		return fmt.Errorf("%s: %w", e.of.Kind(), err)
	}
	line, err := json.Marshal(Record{
		Seq: last.Seq + 1, Time: e.at.UTC(), Prev: last.Hash, Run: run, Session: e.from.Session, Client: e.from.Client,
		Event: e.of.Kind(), Data: f.hide(data),
	})
	if err != nil {
		return fmt.Errorf("%s: %w", e.of.Kind(), err)
	}
	*last = link{last.Seq + 1, hashOf(line)}
	f.scratch.Write(line)
	f.scratch.WriteByte('\n')
	return nil
}

// hidden stands where a secret would.
const hidden = "(hidden)"

// minSecret is the length from which on a value of the environment is hidden: shorter ones stand in
// many a text by chance.
const minSecret = 6

// escaped returns secrets as they stand in JSON.
func escaped(secrets []string) (all [][]byte) {
	for _, secret := range secrets {
		text, err := json.Marshal(secret)
		if err == nil && len(secret) >= minSecret {
			all = append(all, text[1:len(text)-1])
		}
	}
	return all
}

// hide replaces secrets in the strings of a JSON value, but for the names of members.
func (f *file) hide(data []byte) []byte {
	if !slices.ContainsFunc(f.secrets, func(secret []byte) bool { return bytes.Contains(data, secret) }) {
		return data
	}
	var out []byte
	for rest := data; len(rest) > 0; {
		begin := bytes.IndexByte(rest, '"')
		if begin < 0 {
			return append(out, rest...)
		}
		end := begin + 1
		for ; rest[end] != '"'; end++ {
			if rest[end] == '\\' {
				end++
			}
		}
		text := rest[begin+1 : end]
		if isName := end+1 < len(rest) && rest[end+1] == ':'; !isName {
			for _, secret := range f.secrets {
				text = bytes.ReplaceAll(text, secret, []byte(hidden))
			}
		}
		out = append(append(append(out, rest[:begin+1]...), text...), '"')
		rest = rest[end+1:]
	}
	return out
}

// refresh opens the file, and finds the end of the chain if another process has written since. It
// returns what stands behind the last whole line, and what is to be recorded if the file does not end as it was noted:
// the chain then goes on from the noted end, so that what is missing stays missing. The lock is held.
func (f *file) refresh() (torn []byte, cut *Truncated, err error) {
	if f.open != nil {
		there, err := os.Stat(f.path)
		ours, e := f.open.Stat()
		if err == nil && e == nil && os.SameFile(there, ours) && there.Size() == f.size {
			return nil, nil, nil
		}
		f.forget()
	}
	if f.open, err = openFile(f.path, os.O_CREATE); err != nil {
		return nil, nil, err
	}
	info, err := f.open.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s is no regular file", f.path)
	}
	f.size = info.Size()
	var whole bool
	if f.last, torn, whole, err = endOf(f.open, f.size); err != nil {
		return nil, nil, err
	}
	noted, known := readHead(f.path)
	switch {
	case !known && whole:
		cut = &Truncated{End: f.last.Seq, EndHash: f.last.Hash}
	case !known, f.last == noted:
	case f.last.Seq > noted.Seq: // a process may have ended before it noted what it wrote
		if !holds(f.open, f.size, noted) {
			cut = &Truncated{f.last.Seq, f.last.Hash, noted.Seq, noted.Hash}
		}
	case !whole && f.movedAway(noted):
		f.last = noted
	default:
		cut = &Truncated{f.last.Seq, f.last.Hash, noted.Seq, noted.Hash}
		f.last = noted
	}
	return torn, cut, nil
}

// movedAway reports whether a link is the end of the file before this one, which was moved away by a process that ended
// before it wrote to this one.
func (f *file) movedAway(end link) bool {
	before, err := fspath.Open(f.previous(end.Seq))
	if err != nil {
		return false
	}
	defer func() { _ = before.Close() }()
	info, err := before.Stat()
	if err != nil {
		return false
	}
	last, _, whole, err := endOf(before, info.Size())
	return err == nil && whole && last == end
}

// previous returns the name that the file gets when it is moved away after a record.
func (f *file) previous(seq uint64) string {
	ending := filepath.Ext(f.path)
	return fmt.Sprintf("%s-%012d%s", strings.TrimSuffix(f.path, ending), seq, ending)
}

// tailBytes is how much of a file's end is read at first.
const tailBytes = 64 << 10

// endOf returns the last record of a file, and what stands behind its line. whole says that there
// is a record.
func endOf(file io.ReaderAt, size int64) (last link, torn []byte, whole bool, err error) {
	for length := int64(tailBytes); ; length *= 4 {
		begin := max(0, size-length)
		tail := make([]byte, size-begin)
		if _, err := file.ReadAt(tail, begin); err != nil && !errors.Is(err, io.EOF) {
			return link{}, nil, false, err
		}
		end := bytes.LastIndexByte(tail, '\n')
		torn = tail[end+1:]
		for ; end >= 0; end = bytes.LastIndexByte(tail[:end], '\n') {
			from := bytes.LastIndexByte(tail[:end], '\n') + 1
			if from == 0 && begin > 0 {
				break // not all of the line was read
			}
			var r Record
			if line := tail[from:end]; json.Unmarshal(line, &r) == nil && r.Seq > 0 {
				return link{r.Seq, hashOf(line)}, torn, true, nil
			}
		}
		if begin == 0 {
			return link{}, torn, false, nil
		}
	}
}

// holds reports whether a record is in a file or before it, unchanged.
func holds(file io.ReaderAt, size int64, of link) bool {
	for length := int64(tailBytes); ; length *= 4 {
		begin := max(0, size-length)
		tail := make([]byte, size-begin)
		if _, err := file.ReadAt(tail, begin); err != nil && !errors.Is(err, io.EOF) {
			return false
		}
		first := uint64(0)
		for line := range bytes.Lines(tail) {
			var r Record
			if json.Unmarshal(line, &r) != nil {
				continue // not all of the line was read
			}
			if r.Seq == of.Seq {
				return hashOf(bytes.TrimSuffix(line, []byte("\n"))) == of.Hash
			}
			if first == 0 {
				first = r.Seq
			}
			if r.Seq == of.Seq+1 && r.Prev == of.Hash {
				return true // it is in the file before this one, or was
			}
		}
		if begin == 0 || first != 0 && first <= of.Seq {
			return false
		}
	}
}

// rotate moves the file away and begins another. If that cannot be, the file just grows.
func (f *file) rotate() (previous string, rotated bool) {
	moved := f.previous(f.last.Seq)
	if _, err := os.Lstat(moved); !errors.Is(err, fs.ErrNotExist) {
		return "", false
	}
	if f.sync(); f.dirty {
		return "", false
	}
	if err := os.Rename(f.path, moved); err != nil {
		return "", false
	}
	next, err := openFile(f.path, os.O_CREATE|os.O_EXCL)
	if err != nil {
		_ = os.Rename(moved, f.path)
		return "", false
	}
	_ = f.open.Close()
	f.open, f.size = next, 0
	return filepath.Base(moved), true
}

// headBytes is the length of what is noted of the end of the chain: always the same, so that it
// is written over in one step.
const headBytes = 128

// writeHead notes the end of the chain beside the file. Where that fails, the end is not known when
// the log is verified; the log itself is whole.
func (f *file) writeHead() {
	text, err := json.Marshal(f.last)
	if err != nil {
		return
	}
	if f.head == nil {
		if f.head, err = os.OpenFile(headPath(f.path), os.O_WRONLY|os.O_CREATE, 0o600); err != nil {
			f.head = nil
			return
		}
	}
	_, _ = f.head.WriteAt(fmt.Appendf(nil, "%-*s\n", headBytes-1, text), 0)
}

// readHead returns the end of the chain as it was noted, and whether it was.
func readHead(path string) (head link, known bool) {
	text, err := fspath.Read(headPath(path))
	if err != nil || json.Unmarshal(text, &head) != nil || head.Seq == 0 {
		return link{}, false
	}
	return head, true
}

// sync puts what is written on the disk.
func (f *file) sync() {
	if f.open != nil && f.dirty && f.open.Sync() == nil {
		f.dirty = false
	}
}

// forget closes the file; the next append finds the end of the chain anew.
func (f *file) forget() {
	if f.open != nil {
		f.sync()
		_ = f.open.Close()
		f.open = nil
	}
	if f.head != nil {
		_ = f.head.Close()
		f.head = nil
	}
}

func (f *file) close() {
	f.forget()
	if f.lock != nil {
		_ = f.lock.Close()
	}
}
