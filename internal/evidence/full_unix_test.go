//go:build unix

package evidence

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// fullVariable makes a process one whose files cannot grow for a while.
const fullVariable = "EVIDENCE_FULL"

func init() {
	if path := os.Getenv(fullVariable); path != "" {
		writeOnFullDisk(path)
	}
}

// writeOnFullDisk is the life of a process that records on a disk that is full, and has room again
// later.
func writeOnFullDisk(path string) {
	var before syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before)
	signal.Ignore(syscall.SIGXFSZ)
	l := Open(Options{Path: path})
	put := func(n int) {
		for _, e := range calls(n) {
			l.Record(Origin{}, e)
			if err == nil {
				err = l.Flush(context.Background()) // one by one, so that some fit
			}
		}
	}
	limit := before
	limit.Cur = 5000
	if err == nil {
		err = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)
	}
	put(100)
	if err == nil {
		err = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before)
	}
	put(1)
	l.Close(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// On a disk that is full nothing fails and nobody waits: what could not be written is counted, and
// when there is room again the loss is on record, in a chain that verifies.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), fullVariable+"="+path)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}

	var written, lost uint64
	reason := ""
	for _, r := range records(t, path) {
		e, err := r.Decode()
		if err != nil {
			t.Fatal(err)
		}
		switch e := e.(type) {
		case *ToolCall:
			written++
		case *Loss:
			lost, reason = lost+e.Events, e.Reason
		}
	}
	report := verified(t, path)
	if written+lost != 101 || lost < 50 || written < 5 || !strings.HasSuffix(reason, ": "+syscall.EFBIG.Error()) || len(report.Problems) > 0 {
		t.Errorf("%d written, %d lost (%s): %v", written, lost, reason, report.Problems)
	}
}
