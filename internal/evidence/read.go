package evidence

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"
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
	e, err := r.Decode()
	if err != nil || e == nil {
		return line + ": " + string(r.Data)
	}
	return line + ": " + summary(e)
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
