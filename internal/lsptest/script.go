package lsptest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/registry"
)

// A Script says how the scripted server behaves. The zero value is a polite
// server of the toy language that pushes diagnostics with their version.
//
// The toy language: a line with ERROR (or WARN) has an error (or warning) over
// that word, whose message is the rest of the line. A line "use NAME" has the
// error "undefined: NAME" over NAME unless some *.toy file of the root has a
// line "def NAME". An open document counts with its text; any other file with
// the disk as first read, or as it was at the last didChangeWatchedFiles or
// didSave that named it.
type Script struct {
	// ID is the id of the Definition; empty means "toy".
	ID string `json:"id,omitempty"`
	// Mode says how diagnostics are told; empty means PushVersioned.
	Mode Mode `json:"mode,omitempty"`
	// Silent keeps back a publish that would repeat the last one for the file.
	Silent bool `json:"silent,omitempty"`
	// PublishClosed publishes for files on disk that are not open, too.
	PublishClosed bool `json:"publishClosed,omitempty"`
	// NeedsSave publishes at didOpen and didSave, not at didChange.
	NeedsSave bool `json:"needsSave,omitempty"`
	// PublishDelay is the time from a change to its publish, in milliseconds.
	PublishDelay int `json:"publishDelay,omitempty"`
	// PositionEncoding is announced when set: utf-8, utf-16 or utf-32. Empty
	// means utf-16, not announced.
	PositionEncoding string `json:"positionEncoding,omitempty"`
	// Sync is what is announced: "incremental" (empty means that), "full" or
	// "none". Changes of both kinds are understood in any case.
	Sync string `json:"sync,omitempty"`
	// NoWatch leaves out the registration for didChangeWatchedFiles.
	NoWatch bool `json:"noWatch,omitempty"`
	// Refresh sends workspace/diagnostic/refresh after each change.
	Refresh bool `json:"refresh,omitempty"`
	// Capabilities is a JSON object whose members replace those announced: the
	// place for lies.
	Capabilities json.RawMessage `json:"capabilities,omitempty"`
	// Start is done before anything is read.
	Start []Action `json:"start,omitempty"`
	// Rules say when to be rude. All that match a message apply, in order.
	Rules []Rule `json:"rules,omitempty"`
	// Grease, if not 0, seeds unknown fields in every message, and unknown
	// notifications and requests between them.
	Grease uint64 `json:"grease,omitempty"`
	// Nulls writes null for every member that may be null.
	Nulls bool `json:"nulls,omitempty"`
	// StringIDs gives the server's own requests string ids instead of numbers.
	StringIDs bool `json:"stringIDs,omitempty"`
	// JournalFile, if set, gets each journal entry as a line of JSON at once:
	// for servers that do not live long enough to be asked. See [ReadJournal].
	JournalFile string `json:"journalFile,omitempty"`
	// IgnoreEOF keeps the server alive after the end of stdin.
	IgnoreEOF bool `json:"ignoreEOF,omitempty"`
	// IgnoreTerm ignores SIGTERM, SIGINT and SIGHUP.
	IgnoreTerm bool `json:"ignoreTerm,omitempty"`
	// MayOutlive allows processes of this server to be alive when the test
	// ends; they are killed, and the test does not fail for them.
	MayOutlive bool `json:"-"`
}

// Mode says how the scripted server tells diagnostics.
type Mode string

const (
	// PushVersioned publishes with the version of the document.
	PushVersioned Mode = "push-versioned"
	// Push publishes without a version.
	Push Mode = "push"
	// Pull answers textDocument/diagnostic and workspace/diagnostic.
	Pull Mode = "pull"
	// PullDynamic is Pull, registered after initialized.
	PullDynamic Mode = "pull-dynamic"
	// PushAndPull does both; a push has no version.
	PushAndPull Mode = "push-and-pull"
	// Command publishes only when workspace/executeCommand toy.diagnose [uri]
	// asks, before it answers.
	Command Mode = "command"
	// Progress is PushVersioned between the begin and the end of a $/progress
	// titled "diagnosing …", whose token was created first. A request that comes
	// after a change is answered after the begin.
	Progress Mode = "progress"
)

func (m Mode) pulls() bool { return m == Pull || m == PullDynamic || m == PushAndPull }

func (m Mode) pushes() bool {
	return m == PushVersioned || m == Push || m == PushAndPull || m == Progress
}

// A Rule chooses messages from the client, and what to do about them. The
// message is always understood first (a didChange changes the document); the
// actions concern what would be sent because of it.
type Rule struct {
	// On is a method, or "*" for any message with a method.
	On string `json:"on"`
	// Nth counts the messages On fits, from 1. 0 means each of them.
	Nth int `json:"nth,omitempty"`
	// Times says how many in a row, beginning with the Nth; 0 means one.
	Times int `json:"times,omitempty"`
	// Holding is text that the parameters of the message must have in them, as JSON.
	Holding string `json:"holding,omitempty"`
	// Once, if set, is a file that the first process makes for which the rule fits; there is
	// no such rule for those after it.
	Once string `json:"once,omitempty"`
	// Do is done in order; then the answer is sent, unless an action did so.
	Do []Action `json:"do"`
}

// With returns the rule for messages with a text in their parameters. Nth still counts all of the
// method.
func (r Rule) With(text string) Rule {
	r.Holding = text
	return r
}

// OnceIn returns the rule for one process of the server: the first that it fits makes the file.
func (r Rule) OnceIn(file string) Rule {
	r.Once = file
	return r
}

// first reports whether the rule counts for this process, which it fits.
func (r Rule) first() bool {
	if r.Once == "" {
		return true
	}
	f, err := os.OpenFile(r.Once, os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return false
	}
	return f.Close() == nil
}

func (r Rule) fits(method string, nthOfMethod, nthOfAll int) bool {
	n := nthOfMethod
	if r.On == "*" {
		n = nthOfAll
	} else if r.On != method {
		return false
	}
	return r.Nth == 0 || n >= r.Nth && n < r.Nth+max(r.Times, 1)
}

// On makes the rule that does the actions for each message with the method.
func On(method string, do ...Action) Rule { return Rule{On: method, Do: do} }

// OnNth makes the rule that does the actions for the nth message (from 1) with
// the method.
func OnNth(method string, n int, do ...Action) Rule { return Rule{On: method, Nth: n, Do: do} }

// Definition describes the scripted server for a client: the test binary, told
// to be it through its environment. At the end of the test (after the cleanups
// registered later than this call) all processes of the server that are still
// there are killed, and fail the test unless MayOutlive is set.
func (s Script) Definition(t testing.TB) registry.Definition {
	t.Helper()
	MustHaveMain(t)
	if s.ID == "" {
		s.ID = "toy"
	}
	if s.Mode == "" {
		s.Mode = PushVersioned
	}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatalf("the script is not JSON: %v", err)
	}
	marker := newMarker()
	t.Cleanup(func() { endMarked(t, marker, s.MayOutlive) })
	return registry.Definition{
		ID:        s.ID,
		Languages: []registry.Language{{ID: "toy", Patterns: []string{".toy"}}},
		Commands:  []registry.Command{{Binary: binary}},
		Env: []string{
			scriptVariable + "=" + string(text),
			markerVariable + "=" + marker,
			"GORACE=atexit_sleep_ms=0", // else the race detector exits a second late
		},
		Roots:       []string{"toy.root"},
		Role:        registry.Primary,
		Diagnostics: s.diagnostics(),
		Tested:      registry.CI,
	}
}

// Marker returns what [Marked] finds the processes of a definition by.
func Marker(d registry.Definition) string {
	for _, e := range d.Env {
		if len(e) > len(markerVariable) && e[:len(markerVariable)+1] == markerVariable+"=" {
			return e
		}
	}
	return ""
}

// diagnostics tells the truth about the mode, as the registry does of servers.
func (s Script) diagnostics() registry.Diagnostics {
	d := registry.Diagnostics{ClosedFiles: registry.ClosedOpen, NeedsSave: s.NeedsSave}
	if s.PublishClosed {
		d.ClosedFiles = registry.ClosedPushes
	}
	switch s.Mode {
	case Push:
		d.Strategies = []registry.Strategy{registry.Settled}
	case Pull, PullDynamic:
		d.Strategies = []registry.Strategy{registry.Pull}
		d.AnnouncePull, d.ClosedFiles = true, registry.ClosedPull
	case PushAndPull:
		d.Strategies = []registry.Strategy{registry.Pull, registry.Settled}
		d.AnnouncePull, d.ClosedFiles = true, registry.ClosedPull
	case Command:
		d.Strategies = []registry.Strategy{registry.DiagnosisCommand}
		d.ClosedFiles = registry.ClosedCommand
		d.Commands = []registry.CommandCall{{
			Command:   "toy.diagnose",
			Arguments: []json.RawMessage{json.RawMessage(`"${uri}"`)},
			Result:    registry.ResultPublished,
		}}
	case Progress:
		d.Strategies = []registry.Strategy{registry.Progress, registry.Versioned}
		d.ProgressTitle, d.BarrierMethod = "diagnosing ", "textDocument/foldingRange"
	default:
		d.Strategies = []registry.Strategy{registry.Versioned}
	}
	if s.Silent && s.Mode != Progress && s.PublishDelay == 0 && s.Mode.pushes() && !s.Mode.pulls() {
		// A publish comes before the answer to the next request, or not at all.
		d.Strategies = append([]registry.Strategy{registry.Barrier}, d.Strategies...)
		d.BarrierMethod = "textDocument/documentSymbol"
	}
	return d
}

// ReadJournal reads what a server with the JournalFile has written so far; a
// missing file is an empty journal.
func ReadJournal(t testing.TB, file string) []Entry {
	t.Helper()
	f, err := os.Open(filepath.Clean(file))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var entries []Entry
	for dec := json.NewDecoder(f); dec.More(); {
		var e Entry
		if err := dec.Decode(&e); err != nil {
			break // the last line of a killed server may be cut
		}
		entries = append(entries, e)
	}
	return entries
}

// An Entry is one thing the server received, in order; [Script.JournalFile]
// and the request toy/journal (no params, answers an array of these) tell them.
type Entry struct {
	// Kind is "request", "notification", "response" (to a request of the
	// server) or "violation" (the client broke the protocol; see Text).
	Kind string `json:"kind"`
	// Method is, for a response, that of the request it answers.
	Method string `json:"method,omitempty"`
	// ID, Params and Result are as they came; nil if the member was absent.
	ID     json.RawMessage `json:"id,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *ResponseError  `json:"error,omitempty"`
	Text   string          `json:"text,omitempty"`
}

// A ResponseError is the error member of a response.
type ResponseError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *ResponseError) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }
