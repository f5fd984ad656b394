package lsp

import (
	"errors"
	"fmt"
	"strings"
)

// An UnsupportedError says that a server declared no capability for a request.
// The request was not sent [INV-LSP-002].
type UnsupportedError struct {
	Server, Method string
}

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("%s does not support %s", e.Server, e.Method)
}

// A ServerError says that a server could not be started or has ended.
type ServerError struct {
	Server string
	// Phase is what was going on: "start", "connect to" an address, "initialize" or "run".
	Phase string
	Err   error
	// Stderr holds the last lines of the server's standard error, or "".
	Stderr string
}

func (e *ServerError) Error() string {
	message := fmt.Sprintf("%s: %s: %v", e.Server, e.Phase, e.Err)
	if e.Stderr != "" {
		message += "\n" + e.Stderr
	}
	return message
}

func (e *ServerError) Unwrap() error { return e.Err }

// A TextError says that some content cannot be sent as the text of a document.
type TextError struct {
	Path, Reason string
}

func (e *TextError) Error() string { return e.Path + ": " + e.Reason }

// lastLines returns at most n last non-empty lines of text, indented.
func lastLines(text string, n int) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimRight(line, "\r "); line != "" {
			lines = append(lines, "  "+line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// UnlessUnsupported returns nil if err is an *[UnsupportedError], and err otherwise.
func UnlessUnsupported(err error) error {
	var unsupported *UnsupportedError
	if errors.As(err, &unsupported) {
		return nil
	}
	return err
}
