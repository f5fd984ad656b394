package evidence

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/fspath"
)

// ErrEnough ends a [Read] without an error.
var ErrEnough = errors.New("enough")

// Read calls f for each record of a log, the oldest first. Lines that are no records are left out:
// [Verify] tells of them.
func Read(path string, f func(*Record) error) error {
	files, err := Files(path)
	if err != nil {
		return err
	}
	for _, file := range files {
		err := eachLine(file, func(_ int, line []byte, whole bool) error {
			var r Record
			if !whole || strictly(line, &r) != nil {
				return nil
			}
			return f(&r)
		})
		if errors.Is(err, ErrEnough) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lastBytes bounds how much of the end of a log [Last] reads.
const lastBytes = 1 << 20

// Last returns the newest records after one with a number, the oldest first: at most n, and only those in the last MiB of the file
// that is written to, so that it takes no longer for a longer log. A log that does not exist has none.
func Last(path string, after uint64, n int) (list []*Record, err error) {
	file, err := fspath.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	begin := max(0, info.Size()-lastBytes)
	text, err := io.ReadAll(io.NewSectionReader(file, begin, lastBytes))
	if err != nil {
		return nil, err
	}
	lines := bytes.Split(text, []byte("\n"))
	if begin > 0 {
		lines = lines[1:] // it may begin in the middle of one
	}
	for _, line := range lines[:max(0, len(lines)-1)] { // what has no end is being written
		var r Record
		if strictly(line, &r) == nil && r.Seq > after {
			list = append(list, &r)
		}
	}
	return list[max(0, len(list)-n):], nil
}

// Size returns how long all files of a log are together, in bytes.
func Size(path string) (total int64, err error) {
	files, err := Files(path)
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			total += info.Size()
		}
	}
	return total, err
}

// About reports whether a record is about a file: it, or one in it, stands in the event.
func (r *Record) About(file string) bool {
	e, err := r.Decode()
	if err != nil || e == nil {
		return false
	}
	for _, named := range filesOf(e) {
		if named == file || strings.HasPrefix(named, strings.TrimSuffix(file, "/")+"/") || strings.HasSuffix(named, "/"+file) {
			return true
		}
	}
	return false
}

// filesOf returns the files that an event names.
func filesOf(e Event) (files []string) {
	switch e := e.(type) {
	case *QueryBatch:
		return e.Targets
	case *ToolCall:
		return e.Files
	case *Validation:
		for _, f := range e.Files {
			files = append(files, f.File)
		}
	case *Regression:
		for _, f := range e.Errors {
			files = append(files, f.File)
		}
	case *GivenUp:
		return e.Files
	case *Applied:
		for _, f := range e.Files {
			files = append(files, f.File)
		}
	case *Decision:
		return []string{e.Path}
	}
	return files
}

// Line writes a record for people, in one line.
func (r *Record) Line() string {
	line := fmt.Sprintf("%d %s %s", r.Seq, r.Time.Local().Format(time.DateTime), r.Event)
	if r.Client != "" {
		line += " " + r.Client
	}
	return line + ": " + r.Summary()
}

// Summary says what a record is about, without when and whose it is.
func (r *Record) Summary() string {
	e, err := r.Decode()
	if err != nil || e == nil {
		return string(r.Data)
	}
	return summary(e)
}

// summary says what an event is about.
func summary(e Event) string {
	switch e := e.(type) {
	case *QueryBatch:
		var asked []string
		for _, q := range e.Queries {
			asked = append(asked, fmt.Sprintf("%d %s", q.Count, q.Method))
		}
		return fmt.Sprintf("%s %s: %s, %d bytes, %.1f ms", e.Server, strings.Join(asked, ", "), e.Outcome, e.Bytes, e.DurationMS)
	case *ToolCall:
		name := cmp.Or(e.Operation, e.Tool)
		if e.Tool != "" && name != e.Tool {
			name += " (" + e.Tool + ")"
		}
		text := strings.TrimSpace(name + " " + strings.Join(e.Files, " "))
		if e.Edit != "" {
			text += ": " + e.Edit
		}
		if e.NetDelta != nil {
			text += fmt.Sprintf(", %+d errors", *e.NetDelta)
		}
		if !e.Success {
			text += ": " + e.ErrorKind + ": " + e.Error
		}
		return fmt.Sprintf("%s, %d ms", text, e.DurationMS)
	case *Validation:
		return fmt.Sprintf("%s: %s, %d files", e.Operation, e.Verdict, len(e.Files)+e.More)
	case *Regression:
		f := e.Errors[0]
		return fmt.Sprintf("%s made %d errors, the first at %s:%d:%d: %s", e.Operation, len(e.Errors)+e.More, f.File, f.Line, f.Column, f.Message)
	case *GivenUp:
		return fmt.Sprintf("%s: after %d rounds there are errors in %d files: %s", e.Operation, e.Rounds, len(e.Files)+e.More, strings.Join(e.Files, " "))
	case *Lifecycle:
		return strings.TrimSuffix(fmt.Sprintf("%s %s (%s): %s", e.Server, e.Change, e.Root, e.Reason), ": ")
	case *Decision:
		return e.summary()
	case *Trust:
		if e.Trusted {
			return e.Root + " is trusted"
		}
		return e.Root + " is no longer trusted"
	case *Applied:
		return fmt.Sprintf("%s wrote %s", e.Operation, strings.Join(filesOf(e), " "))
	case *Simulated:
		return strings.TrimSpace(fmt.Sprintf("%s %s %s, %+d errors", e.Simulation, e.Action, e.Verdict, e.NetDelta))
	case *Opened:
		return strings.TrimSpace(fmt.Sprintf("process %d %s %s", e.PID, e.Program, e.Version))
	case *Closed:
		return fmt.Sprintf("%d events", e.Events)
	case *Loss:
		return fmt.Sprintf("%d events: %s", e.Events, e.Reason)
	case *Rotated:
		return "after " + e.Previous
	case *Recovered:
		return fmt.Sprintf("after %d bytes of a record that was cut off", e.Bytes)
	case *Truncated:
		return e.summary()
	}
	return ""
}

func (e *Decision) summary() string {
	text := e.Operation
	if e.Path != "" {
		text += " of " + e.Path
	}
	if e.Server != "" {
		text += " " + e.Server
	}
	if e.Command != "" {
		text += ", command " + e.Command
	}
	text += ": " + e.Action
	if e.Said != "" {
		text += ", " + e.Said + " was said"
	}
	if e.Allowed {
		text += ", allowed"
	} else {
		text += ", not allowed"
	}
	if e.Rule > 0 {
		text += fmt.Sprintf(" by rule %d (%s)", e.Rule, e.Source)
	}
	return text
}
