package diagnostics

import (
	"context"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A Server is what collection needs of a running language server; *lsp.Server
// is one.
type Server interface {
	Definition() *registry.Definition
	Sync(path string, content []byte) (lsp.Synced, error)
	Reopen(path string) (lsp.Synced, error)
	Resend(path string, version int32) (synced lsp.Synced, sent bool, err error)
	Save(path string) error
	CloseDocument(path string) (bool, error)
	Document(path string) (version int32, text []byte, ok bool)
	Generation() uint64
	Outside(path string) uint64
	Supports(method string) bool
	SupportsCommand(command string) bool
	PullIdentifiers() (identifiers []string, more <-chan struct{})
	Pull(ctx context.Context, path, identifier, previous string) (protocol.Report, error)
	PullWorkspace(ctx context.Context, identifier string, previous map[protocol.DocumentURI]string, said func([]protocol.WorkspaceReport)) error
	Pristine(path string) bool
	Diagnose(ctx context.Context, call registry.CommandCall, path string) ([]protocol.Diagnostic, error)
	Barrier(ctx context.Context, method, path string) error
	BeginDiskCheck(ctx context.Context) (listed map[string][]string, err error)
	// CPUTime is the processor time that the server's processes used, false if unknown.
	CPUTime() (time.Duration, bool)
	// Owes notes that something is waited for, until settled is called; Doubted says that
	// it is not known yet whether the server hangs.
	Owes() (settled func(came bool))
	Doubted() bool
	// Missed notes that an answer was waited for until the deadline, and in vain.
	Missed()
	OpenDocuments() []string
	Works() []lsp.Work
	WorksChanged() <-chan struct{}
	Loaded() bool
	Losses() int
	Trouble() string
	// Complaints are what the server says is wrong with the project or with itself, Unable
	// why it does not judge a file.
	Complaints() []string
	Unable(path string) string
	Done() <-chan struct{}
	Err() error
}

var _ Server = (*lsp.Server)(nil)

// A Key names a running server.
type Key struct {
	ID, Root string
}

// A Source is a server that applies to a file.
type Source struct {
	Key Key
	// Obtain returns the server, started if need be. It returns ctx.Err() if
	// ctx ends first.
	Obtain func(ctx context.Context) (Server, error)
	// Quiet says why the server is known to report nothing about the file, "" if it is not: its
	// answer is then partial.
	Quiet string
	// StartTime returns the processor time that the server has used while it is being started;
	// nil if that is not known.
	StartTime func() time.Duration
	// Setup tells errors about the set-up of the project apart; nil: nothing is known.
	Setup *Setup
}

// A Freshness says how an answer relates to the version of the file that was asked about.
type Freshness string

const (
	// Fresh: complete for that version.
	Fresh Freshness = "fresh"
	// Partial: something for that version arrived, completeness is unknown.
	Partial Freshness = "partial"
	// Timeout: nothing for that version in time.
	Timeout Freshness = "timeout"
	// Indexing: the server is still starting or loading the project.
	Indexing Freshness = "indexing"
	// Unavailable: no binary, disabled, broken, unsupported, or an error.
	Unavailable Freshness = "unavailable"
)

// An Answer is what one server says about one file.
type Answer struct {
	Server, Root string
	// Version is the document version the items hold for, or a later one; 0 if
	// the server was never shown the file.
	Version   int32
	Freshness Freshness
	// Reason says why the answer is not fresh. Err is the error behind that, nil if there is
	// none.
	Reason string
	Err    error
	// Waited is the time from the first byte that was sent to the server until its answer was
	// decided on.
	Waited time.Duration
	Items  []protocol.Diagnostic
	// Note says what else to know of the answer, such as that the server ended and was started
	// again for it; "" for nothing.
	Note string
	// Says is what the server says is wrong with the project or with itself.
	Says []string
	// Dispensable says that the verdict does not need this answer: it is that of a linter that
	// is not installed.
	Dispensable bool
	// Excused are errors that may only be there because the project is not set up: it lacks
	// Lack. They are not among the Items.
	Excused []protocol.Diagnostic
	Lack    Lack

	// unloaded is why the server could not load the project, as it says itself; "" if it
	// did not say so.
	unloaded string
	// done says that it is partial for want of the set-up alone: the server said all that
	// it has to say.
	done  bool
	prior prior
	// origin is what was wrong before this session changed anything.
	origin prior
	// apart says that the file is in none of the server's projects: of no crate.
	apart bool
	// quiet says that it is partial for the file alone: the server said what it has to say
	// of others.
	quiet bool
	// quick says that the items are only what the server knows without its check
	// of the disk.
	quick bool
}

// A Diagnostic is one finding, with the server that made it.
type Diagnostic struct {
	protocol.Diagnostic
	Server string
}

// A Baseline says with what findings are compared to tell whether they are new.
type Baseline string

const (
	// None: everything is new.
	None Baseline = "none"
	// Session: what was known of the previous content.
	Session Baseline = "session"
	// Head: the content at git HEAD (or the revision asked for).
	Head Baseline = "head"
	// Before: the content the caller says was there before.
	Before Baseline = "before"
)

// A File is what to check.
type File struct {
	// Path is absolute, links resolved.
	Path string
	// Content is the text to be judged.
	Content []byte
	// Baseline names the content that an earlier check of this collector showed
	// to be judged against; "" means Session.
	Baseline Baseline
	// Created says that the file is new against the baseline.
	Created bool
	// From is the path that the file had before it was renamed: what was said of that
	// is its baseline. "" if it was not renamed.
	From string
	// Closed says that the file is checked because of others, with its text on disk. A server
	// that reports on closed files need not open it. A document that is opened for the check is
	// closed again when too many are open.
	Closed bool
	// Shown says that servers judge this file only while it is open.
	Shown bool
	// Everywhere says that all files of the workspace are checked, as they are on disk: a server that can judge all of them at once
	// need not open this one.
	Everywhere bool
	// Narrow says that only the file's own diagnostics are wanted, whatever the request
	// says of others.
	Narrow bool
	// Reported says that the server reports on the file without being asked: what it published
	// is the baseline if nobody asked about the file before.
	Reported bool
	// Saved says that Content was just written to disk; servers that ask for didSave are told.
	Saved bool
	// Sources are the servers that apply to the file. Failures are the answers of those that
	// would apply and cannot be had.
	Sources  []Source
	Failures []Answer
}

// A Request asks for a check of files under one deadline.
type Request struct {
	// Session is the conversation that asks: what came late of its changes, what it was told,
	// and the texts that it heard of are its own. "" is the only one of a process.
	Session string
	Files   []File
	// Timeout bounds the wait for servers that have answered before,
	// FirstTouch for those that have not; 0 means the collector's.
	Timeout, FirstTouch time.Duration
	// Follow bounds how long a server is waited for beyond those deadlines while it demonstrably
	// works: it publishes, or uses the processor. 0 means not at all.
	Follow time.Duration
	// Severities are the severities that are reported; empty means errors alone.
	Severities []protocol.Severity
	// NoBaseline makes every finding new.
	NoBaseline bool
	// Probe says that the files have their texts from before a change, to find out what was
	// wrong then. Nobody is told of it: its findings count as older than the session unless more
	// is known.
	Probe bool
	// Gone are the files that a Probe shows although they are no longer on disk.
	Gone []string
	// Aside says that this check does not report late answers: they are kept for the next one.
	Aside bool
	// OthersToo asks for reports on the files that servers published for without being asked,
	// except those in Besides, which are checked elsewhere.
	OthersToo bool
	Besides   []File
	// Renamed are words that the edit removed from the code or added to it. They are ignored
	// when messages are compared to tell old findings from new ones.
	Renamed map[string]bool
	// Since is the moment with which findings are compared; nil means that at which the check
	// begins.
	Since *Moment
	// Apart reports whether what came between two texts of a file, in it and elsewhere,
	// surely makes no error of which only the lack of these would tell, which come of what
	// the project is not set up with. nil: nobody knows.
	Apart func(path string, before, after []byte, excused []protocol.Diagnostic) bool
	// Answered, if not nil, is called once for each of Files when its answer is final, on
	// several goroutines.
	Answered func()
}

// A FileReport is what is known of one file after a check.
type FileReport struct {
	Path    string
	Answers []Answer
	// Diagnostics are merged over the servers, filtered and sorted. New and
	// Remaining divide them; Fixed are those of the baseline that are gone.
	Diagnostics, New, Fixed, Remaining []Diagnostic
	// Standing are those of Remaining that came after this session began: an earlier change
	// caused them, or an earlier answer listed them as new.
	Standing []Diagnostic
	// Excused are errors that may come of what the project is not set up with. They are in
	// none of the other lists.
	Excused []Diagnostic
	// Baseline is what New was judged against.
	Baseline Baseline
	// Judgement is what Verdict was computed from.
	Judgement Judgement
	Verdict   Verdict
}

// Fresh reports whether there are servers that apply, and all their answers are fresh.
func (f *FileReport) Fresh() bool {
	for _, a := range f.Answers {
		if a.Freshness != Fresh {
			return false
		}
	}
	return len(f.Answers) > 0
}

// Apart reports whether every server that applies says that the file belongs to no project, so
// that no change of other files can break it.
func (f *FileReport) Apart() bool {
	for _, a := range f.Answers {
		if !a.apart {
			return false
		}
	}
	return len(f.Answers) > 0
}

// Missing says what the project lacks for a server to judge the file; "" if it lacks nothing or
// that is not known.
func (f *FileReport) Missing() string {
	for _, a := range f.Answers {
		if a.Lack.Missing != "" {
			return a.Lack.Missing
		}
	}
	return ""
}

// A Report is the answer to a Request.
type Report struct {
	// Files are those asked for, in that order.
	Files []FileReport
	// Others are the files that servers published for since the check began, sorted by path.
	Others []FileReport
	// Late are files of earlier checks of this collector whose answers came after the deadline
	// then.
	Late  []FileReport
	Epoch uint64
}

// KeepNotes copies the notes of an earlier report of the same request: that a server was started
// again for that one should not get lost.
func (r *Report) KeepNotes(earlier *Report) {
	for i := range r.Files[:min(len(r.Files), len(earlier.Files))] {
		for _, former := range earlier.Files[i].Answers {
			for n := range r.Files[i].Answers {
				if a := &r.Files[i].Answers[n]; a.Server == former.Server && a.Root == former.Root && a.Note == "" {
					a.Note = former.Note
				}
			}
		}
	}
}

// Judgement returns the judgement of all files that were asked for and of the others. A report
// without files is not clean.
func (r *Report) Judgement() Judgement {
	var j Judgement
	for _, files := range [][]FileReport{r.Files, r.Others} {
		for i := range files {
			j = j.And(files[i].Judgement)
		}
	}
	return j
}
