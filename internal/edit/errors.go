package edit

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/lspine/lspine/internal/protocol"
)

// An InvalidEditError says that an edit makes no sense, and what to give instead.
type InvalidEditError struct {
	Path   string // "" if it is about no file
	Reason string
}

func (e *InvalidEditError) Error() string { return about(e.Path, e.Reason) }

// An OutsideError says that a path is outside all roots. Target is where a
// symbolic link on its way leads, "" if there is none.
type OutsideError struct {
	Path, Target string
	Roots        []string
}

func (e *OutsideError) Error() string {
	to := ""
	if e.Target != "" {
		to = " leads to " + e.Target + ", which"
	}
	return fmt.Sprintf("%s%s is outside %s", e.Path, to, strings.Join(e.Roots, ", "))
}

// A ProtectedError says that a path is in a folder that is not to be edited.
type ProtectedError struct {
	Path, Folder string
}

func (e *ProtectedError) Error() string {
	return fmt.Sprintf("%s is in %s, which is not edited", e.Path, e.Folder)
}

// A NotFoundError says that there is no such file. Nearest are files in its
// folder with names like it. It is a fs.ErrNotExist.
type NotFoundError struct {
	Path    string
	Nearest []string
}

func (e *NotFoundError) Error() string {
	if len(e.Nearest) == 0 {
		return e.Path + ": there is no such file"
	}
	return fmt.Sprintf("%s: there is no such file; near it: %s", e.Path, strings.Join(e.Nearest, ", "))
}

func (e *NotFoundError) Unwrap() error { return fs.ErrNotExist }

// An ExistsError says that there is something where a file or folder was to be
// made. It is a fs.ErrExist.
type ExistsError struct{ Path string }

func (e *ExistsError) Error() string { return e.Path + " exists already" }
func (e *ExistsError) Unwrap() error { return fs.ErrExist }

// An IsDirectoryError says that a folder stands where a file is needed.
type IsDirectoryError struct{ Path string }

func (e *IsDirectoryError) Error() string { return e.Path + " is a directory; name a file" }

// A NotRegularError says that a path is neither a file nor a folder, or that it
// is a symbolic link where only the file itself can be meant.
type NotRegularError struct{ Path, What string }

func (e *NotRegularError) Error() string { return fmt.Sprintf("%s is %s", e.Path, e.What) }

// A BinaryError says that a file is not UTF-8 text, or would not be after the edit.
type BinaryError struct{ Path, Reason string }

func (e *BinaryError) Error() string { return about(e.Path, "no text: "+e.Reason) }

// A TooLargeError says that a file is over the limit. Sizes are in bytes.
type TooLargeError struct {
	Path        string
	Size, Limit int64
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s: its %d bytes are over the limit of %d", e.Path, e.Size, e.Limit)
}

// A RangeError says that a range is not in the text. Lines is how many lines
// the text has.
type RangeError struct {
	Path   string
	Range  protocol.Range // as given
	Lines  int
	Reason string
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("%s: the range %d:%d to %d:%d %s", e.Path, int64(e.Range.Start.Line)+1, int64(e.Range.Start.Character)+1,
		int64(e.Range.End.Line)+1, int64(e.Range.End.Character)+1, e.Reason)
}

// A StaleError says that a file is not what the caller saw. Got is the hash of its content, "" if
// there is no file.
type StaleError struct {
	Path      string
	Want, Got string // hashes, Want as given
}

func (e *StaleError) Error() string {
	got := "there is no such file"
	if e.Got != "" {
		got = "it is now " + e.Got
	}
	return fmt.Sprintf("%s changed since it was read: expected %s, %s; read it again", e.Path, e.Want, got)
}

// A NoMatchError says that a text to be replaced is not in the file.
type NoMatchError struct {
	Path    string
	Nearest []NearLines // the best first
	Hint    string      // what differs, "" if that cannot be said in short
	Diff    string      // from the best of Nearest (-) to what was sought (+)
}

func (e *NoMatchError) Error() string {
	return e.Path + ": the old text is not in the file" + describeNearest(e.Nearest, e.Hint, e.Diff)
}

// An AmbiguousMatchError says that a text to be replaced is in the file more than once. Lines are
// the 1-based lines where it begins.
type AmbiguousMatchError struct {
	Path  string
	Lines []int
}

func (e *AmbiguousMatchError) Error() string {
	return fmt.Sprintf("%s: the old text is there %d times, in lines %s: give more of the text around it, or replace all",
		e.Path, len(e.Lines), listLines(e.Lines))
}

// A PatchError says that a patch cannot be read. Line is 1-based, in the patch.
type PatchError struct {
	Line   int
	Reason string
}

func (e *PatchError) Error() string { return fmt.Sprintf("patch, line %d: %s", e.Line, e.Reason) }

// A HunkError says that a hunk of a patch fits nowhere in its file, or in more than one place.
type HunkError struct {
	Path       string
	Hunk       int // which of the file, 1-based
	Line       int // where the hunk begins in the patch, 1-based
	Reason     string
	Candidates []int // 1-based lines of the file, if there are several places
	Nearest    []NearLines
	Hint, Diff string // as of a NoMatchError
}

func (e *HunkError) Error() string {
	places := ""
	switch len(e.Candidates) {
	case 0:
	case 1:
		places = fmt.Sprintf(" (line %d)", e.Candidates[0])
	default:
		places = " (lines " + listLines(e.Candidates) + ")"
	}
	if e.Reason == notInFile {
		places = describeNearest(e.Nearest, e.Hint, e.Diff)
	}
	return fmt.Sprintf("%s: hunk %d (patch line %d): %s%s", e.Path, e.Hunk, e.Line, e.Reason, places)
}

func about(path, reason string) string {
	if path == "" {
		return reason
	}
	return path + ": " + reason
}

// listLines shows the first of many numbers.
func listLines(lines []int) string {
	const most = 20
	var b strings.Builder
	for i, n := range lines {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(lines)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}
