//go:build unix

package daemon

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// A log is continued until it is too long; then it is kept under another name and a new one begins,
// to which standard output and standard error go. What cannot be begun leaves them as they are.
func TestLogsRotate(t *testing.T) {
	p := anyPlace(t)
	path := filepath.Join(p.dir, logFile)
	sizes := func() (sizes []int64) {
		for _, name := range []string{path, path + ".1"} {
			info, err := os.Stat(name)
			if err != nil {
				sizes = append(sizes, -1)
				continue
			}
			sizes = append(sizes, info.Size())
		}
		return sizes
	}
	open := func() {
		t.Helper()
		log, err := openLog(p)
		must(t, err)
		_, err = log.WriteString("x")
		must(t, err, log.Close())
	}
	var got [][]int64
	open()
	got = append(got, sizes())
	must(t, os.Truncate(path, maxLog-1))
	open()
	got = append(got, sizes())
	open()
	got = append(got, sizes())
	if diff := cmp.Diff([][]int64{{1, -1}, {maxLog, -1}, {1, maxLog}}, got); diff != "" {
		t.Errorf("sizes: %s", diff)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}

	at := func() (ids [2]os.FileInfo) {
		for i, fd := range []int{1, 2} {
			copied, err := unix.Dup(fd)
			must(t, err)
			f := os.NewFile(uintptr(copied), "copy")
			ids[i], err = f.Stat()
			must(t, err, f.Close())
		}
		return ids
	}
	var saved [2]int
	for i, fd := range []int{1, 2} {
		var err error
		saved[i], err = unix.Dup(fd)
		must(t, err)
	}
	restore := func() {
		for i, fd := range []int{1, 2} {
			must(t, unix.Dup2(saved[i], fd))
		}
	}
	defer func() {
		for _, fd := range saved {
			_ = unix.Close(fd)
		}
	}()
	before := at()
	must(t, os.Truncate(path, maxLog-3))
	r := &rotating{place: p, written: maxLog - 3}
	log, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err, unix.Dup2(int(log.Fd()), 2), log.Close())
	var counts []int64
	for _, said := range []string{"ab", "c", "de", "f"} {
		n, err := r.Write([]byte(said))
		if n != len(said) || err != nil {
			counts = append(counts, -1)
		}
		counts = append(counts, r.written)
	}
	after := at()
	restore()
	if diff := cmp.Diff([]int64{maxLog - 1, maxLog, 2, 3}, counts); diff != "" {
		t.Errorf("written: %s", diff)
	}
	now, err := os.Stat(path)
	if text, read := os.ReadFile(path); string(text) != "def" || read != nil || err != nil || !os.SameFile(now, after[0]) || !os.SameFile(now, after[1]) {
		t.Errorf("the new log has %q, %v, %v; standard output and error go to it: %t, %t", text, read, err, os.SameFile(now, after[0]), os.SameFile(now, after[1]))
	}
	if text, err := os.ReadFile(path + ".1"); len(text) != maxLog || !strings.HasSuffix(string(text), "\x00abc") || err != nil {
		t.Errorf("the former log has %d bytes, %v", len(text), err)
	}

	must(t, os.Remove(path), os.Mkdir(path, 0o700))
	r.written = maxLog
	beginLog(p)
	same := at()
	restore()
	if !os.SameFile(before[0], same[0]) || !os.SameFile(before[1], same[1]) {
		t.Error("standard output or error goes to a log that could not begin")
	}
	if _, err := openLog(p); err == nil {
		t.Error("a folder is opened as a log")
	}
	must(t, os.Remove(path+".1"), os.MkdirAll(filepath.Join(path+".1", "full"), 0o700), os.Remove(path), os.WriteFile(path, make([]byte, maxLog), 0o600))
	if _, err := openLog(p); err == nil {
		t.Error("a log is opened that is too long, and cannot be renamed")
	}
	must(t, os.RemoveAll(path+".1"), os.Remove(path), os.Symlink(filepath.Join(p.dir, "elsewhere"), path))
	if _, err := openLog(p); err == nil {
		t.Error("a link is opened as a log")
	}
}

// How much is in a log already counts.
func TestLogThatIsThere(t *testing.T) {
	stderr := os.Stderr
	defer func() { os.Stderr = stderr }()
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	must(t, err)
	defer file.Close()
	_, err = file.WriteString("12345")
	must(t, err)
	os.Stderr = file
	p := place{dir: "d"}
	r := newRotating(p)
	os.Stderr = stderr
	if r.written != 5 || r.place != p {
		t.Errorf("%d bytes of %+v", r.written, r.place)
	}
}
