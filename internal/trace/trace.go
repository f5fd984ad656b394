// Package trace keeps what LSPine and language servers said to each other, and what LSPine concluded from it, in a
// file: one JSON object a line. It is for whoever looks for the cause of a wrong answer; room replay answers from it in the place
// of servers.
package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// MaxBytes is how much one process writes at most. The line that would be beyond it is replaced by one that says so, and
// is the last.
const MaxBytes = 1 << 30

// A Line is one line of a trace: a message or a conclusion.
type Line struct {
	At time.Time `json:"at"`
	// Process is the id of the process that wrote it: several may write into one file.
	Process int `json:"process"`
	// Server and Root say which server it is, and Connection which of the connections of this process, from 1.
	Server     string `json:"server,omitempty"`
	Root       string `json:"root,omitempty"`
	Connection int64  `json:"connection,omitempty"`
	// Sent is a message to the server, Received one from it; each is a whole message of JSON-RPC.
	Sent     json.RawMessage `json:"sent,omitempty"`
	Received json.RawMessage `json:"received,omitempty"`
	Judged   *Judged         `json:"judged,omitempty"`
	// Full says that the trace has as much as it may have, and ends.
	Full bool `json:"full,omitempty"`
}

// A Judged says how the findings of one server about one file were divided into new and older ones.
type Judged struct {
	File   string `json:"file"`
	Server string `json:"server"`
	// Text is the start of the SHA-256 of the text that was judged, in hexadecimal digits; "" if it did not change, and was not read.
	Text string `json:"text,omitempty"`
	// Freshness and Reason are those of the server's answer.
	Freshness string `json:"freshness"`
	Reason    string `json:"reason,omitempty"`
	// Baseline says what the text is compared with, "none" if nothing is known of any text before; Before is the
	// start of the hash of that text, if it is another one, and its number of findings is Known, which is nil if the server
	// has not said what was wrong with it.
	Baseline string    `json:"baseline"`
	Before   string    `json:"before,omitempty"`
	Known    *int      `json:"known,omitempty"`
	Findings []Finding `json:"findings,omitempty"`
}

// A Finding is one of a server's, with the reason why it is older if it is. Lines and columns are 0-based, columns in
// UTF-16 units, as servers say them.
type Finding struct {
	// State is new, older, gone: the text before had it, or uncompared: nobody knows what was wrong before.
	State    string `json:"state"`
	Severity string `json:"severity"`
	Line     uint32 `json:"line"`
	Column   uint32 `json:"column"`
	Code     string `json:"code,omitempty"`
	Message  string `json:"message"`
	// Was is the line that an older one had in the text before, and Rule what makes it the same.
	Was  *uint32 `json:"was,omitempty"`
	Rule string  `json:"rule,omitempty"`
}

// A Log writes a trace. A nil Log writes nothing. It is safe for concurrent use.
type Log struct {
	connections atomic.Int64
	now         func() time.Time
	heard       func(Line)

	mu   sync.Mutex
	file *os.File // nil after Close, and once it is full
	left int64    // bytes
	err  error    // why it ended early
}

// ErrOther says that a file has something else than a trace.
var ErrOther = errors.New("its first line is no line of a trace")

// Open opens a file to write at its end; others may do so as well. The caller must call Close. Only the user may
// read a file that did not exist: it will have the texts of files. One that exists keeps its mode, and must be a trace, or empty: else the
// error is ErrOther.
func Open(path string) (*Log, error) {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		if err := begins(path); err != nil {
			return nil, fmt.Errorf("%s is not written: %w", path, err)
		}
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the trace cannot be written: %w", err)
	}
	return &Log{file: file, left: MaxBytes, now: time.Now}, nil
}

// start is how each line of a trace starts, and startBytes how long that is at most.
var start = lazyregexp.New(`^\{"at":"[^"]+","process":\d+[,}]`)

const startBytes = 128

// begins returns an error unless a file begins as traces do.
func begins(path string) error {
	file, err := fspath.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // nothing was written
	head, err := io.ReadAll(io.LimitReader(file, startBytes))
	if err != nil {
		return err
	}
	if !start.Match(head) {
		return ErrOther
	}
	return nil
}

// Hear returns a Log that hands each line to a function, which must not wait, and writes it to another Log if that is not nil. To close it is
// to close the other one.
func Hear(heard func(Line), written *Log) *Log {
	if written == nil {
		written = &Log{now: time.Now}
	}
	written.heard = heard
	return written
}

// Close ends the trace, and returns why it ended early, if it did.
func (l *Log) Close() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		l.endLocked(nil)
	}
	return l.err
}

func (l *Log) endLocked(why error) {
	err := l.file.Close()
	l.file = nil
	if why == nil {
		why = err
	}
	l.err = why
}

// Conversation returns a function that notes the messages of a new connection to a server; nil if l is nil. body is
// not kept.
func (l *Log) Conversation(server, root string) func(sent bool, body []byte) {
	if l == nil {
		return nil
	}
	connection := l.connections.Add(1)
	return func(sent bool, body []byte) {
		line := Line{Server: server, Root: root, Connection: connection}
		if !json.Valid(body) { // some servers write what is no JSON
			body, _ = json.Marshal(string(body)) // strings are never refused
		}
		if sent {
			line.Sent = body
		} else {
			line.Received = body
		}
		l.write(line)
	}
}

// Judge notes a conclusion.
func (l *Log) Judge(j *Judged) {
	if l != nil {
		l.write(Line{Judged: j})
	}
}

func (l *Log) write(line Line) {
	line.At, line.Process = l.now(), os.Getpid()
	if l.heard != nil {
		l.heard(line)
	}
	text, err := json.Marshal(line)
	if err != nil { // JSON in JSON is never refused
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return
	}
	full := int64(len(text))+1 > l.left
	if full {
		text, err = json.Marshal(Line{At: line.At, Process: line.Process, Full: true})
		if err != nil {
			return
		}
	}
	l.left -= int64(len(text)) + 1
	if _, err := l.file.Write(append(text, '\n')); err != nil {
		l.endLocked(err)
	} else if full {
		l.endLocked(nil)
	}
}
