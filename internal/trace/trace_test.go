package trace

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// linesOf returns the lines of a trace without what differs from run to run.
func linesOf(t *testing.T, path string) (lines []Line) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var l Line
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if l.At.IsZero() || l.Process != os.Getpid() {
			t.Errorf("at %v, by process %d", l.At, l.Process)
		}
		l.At, l.Process = time.Time{}, 0
		lines = append(lines, l)
	}
	return lines
}

// A trace has messages and conclusions in their order, also those that are no JSON, and continues a file that is there.
func TestLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.jsonl")
	for range 2 {
		log, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		first, second := log.Conversation("gopls", "/a"), log.Conversation("gopls", "/b")
		first(true, []byte(`{"method":"initialize"}`))
		second(false, []byte("panic: no message"))
		log.Judge(&Judged{File: "/a/x.go", Server: "gopls", Baseline: "none", Findings: []Finding{{State: "new", Message: "m"}}})
		if err := log.Close(); err != nil {
			t.Error(err)
		}
		first(true, []byte(`{"method":"late"}`))
	}
	once := []Line{
		{Server: "gopls", Root: "/a", Connection: 1, Sent: json.RawMessage(`{"method":"initialize"}`)},
		{Server: "gopls", Root: "/b", Connection: 2, Received: json.RawMessage(`"panic: no message"`)},
		{Judged: &Judged{File: "/a/x.go", Server: "gopls", Baseline: "none", Findings: []Finding{{State: "new", Message: "m"}}}},
	}
	if diff := cmp.Diff(append(once, once...), linesOf(t, path)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/' {
		t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
}

// A file that has something else is left as it is; one that is empty becomes a trace, and keeps its mode.
func TestOpenOther(t *testing.T) {
	dir := t.TempDir()
	line := `{"at":"2026-01-02T03:04:05.678Z","process":7,"judged":null}` + "\n"
	for name, test := range map[string]struct {
		text  string
		other bool
	}{
		"empty":         {"", false},
		"trace":         {line, false},
		"full":          {`{"at":"2026-01-02T03:04:05Z","process":7}` + "\n", false},
		"source.ts":     {"export const a = 1\n", true},
		"other.jsonl":   {`{"at":"2026-01-02T03:04:05Z","user":"a"}` + "\n", true},
		"an empty line": {"\n" + line, true},
		"long.json":     {strings.Repeat("[", 1<<20), true},
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, []byte(test.text), 0o644), os.Chmod(path, 0o644)); err != nil {
			t.Fatal(err)
		}
		log, err := Open(path)
		if errors.Is(err, ErrOther) != test.other || err != nil != test.other {
			t.Errorf("%s: %v", name, err)
		}
		log.Judge(&Judged{File: "/a"})
		if err := log.Close(); err != nil {
			t.Error(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if rest, same := strings.CutPrefix(string(text), test.text); !same || (rest == "") != test.other {
			t.Errorf("%s has %.300q now", name, text)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o644 && filepath.Separator == '/' {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

// A trace ends before it fills the disk, and says so; nobody notices anything else.
func TestLogThatIsFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.jsonl")
	log, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	log.left = 300
	say := log.Conversation("gopls", "/a")
	for range 100 {
		say(true, []byte(`{"method":"textDocument/didChange"}`))
	}
	lines := linesOf(t, path)
	if last := lines[len(lines)-1]; len(lines) > 4 || !last.Full {
		t.Errorf("%d lines, the last %+v", len(lines), last)
	}
	if err := log.Close(); err != nil {
		t.Error(err)
	}
}

// Without a trace, nothing is written, and nothing is to be looked out for.
func TestNoLog(t *testing.T) {
	var none *Log
	if none.Conversation("gopls", "/a") != nil {
		t.Error("somebody listens")
	}
	none.Judge(&Judged{})
	if err := none.Close(); err != nil {
		t.Error(err)
	}
}
