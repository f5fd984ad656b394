package diagnostics

import (
	"context"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A Server is what the collector needs of a running language server; *lsp.Server implements it.
type Server interface {
	Definition() *registry.Definition
	Sync(path string, content []byte) (lsp.Synced, error)
	ShowBeside(texts map[string][]byte) error
	Reopen(path string) (lsp.Synced, error)
	Resend(path string, version int32) (synced lsp.Synced, sent bool, err error)
	Save(path string) error
	CloseDocument(path string) (bool, error)
	Document(path string) (version int32, text []byte, ok bool)
	Generation() uint64
	State() uint64
	// World identifies the texts that the server has, WorldWith those that it would have if some
	// files had these.
	World() lsp.World
	// Moves counts the changes of the world.
	Moves() uint64
	WorldWith(texts map[string][]byte) lsp.World
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
	// CPUTime is the processor time that the server's processes have used, false if unknown.
	CPUTime() (time.Duration, bool)
	// Owes notes that an answer is being waited for, until settled is called. Doubted reports
	// whether it is still undecided if the server hangs.
	Owes() (settled func(came bool))
	Doubted() bool
	// Missed notes that the server did not answer by the deadline.
	Missed()
	OpenDocuments() []string
	Works() []lsp.Work
	WorksChanged() <-chan struct{}
	Loaded() bool
	Losses() int
	Trouble() string
	// Complaints is what the server reports to be wrong with the project or with itself; Unable is
	// why it does not judge a file.
	Complaints() []string
	Unable(path string) string
	Done() <-chan struct{}
	Err() error
}

var _ Server = (*lsp.Server)(nil)

// A Key identifies a running server.
type Key struct {
	ID, Root string
}

// A Source is a server that applies to a file.
type Source struct {
	Key Key
	// Obtain returns the server, which it starts if need be. It returns ctx.Err() if ctx ends
	// first.
	Obtain func(ctx context.Context) (Server, error)
	// Quiet says why the server is known to report nothing about the file, which makes its answer
	// partial; "" if it does report.
	Quiet string
	// StartTime returns the processor time that the server has used so far while it is starting;
	// nil if that is not known.
	StartTime func() time.Duration
	// Setup recognizes errors that come from an incomplete set-up of the project; nil if nothing is
	// known about it.
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

// prior is what was known about a file at an earlier time.
type prior struct {
	known bool
	text  []byte
	items []protocol.Diagnostic
	// quick is what was reported before the check of the disk.
	quick []protocol.Diagnostic
	// unchanged says that the text is still the same; text may then be missing.
	unchanged bool
	// untold says that the server had not reported on the file at all.
	untold bool
	// imagined says that it was reported while files were shown that are no longer on disk. Servers
	// also look for these on disk, so errors in items may have been absent otherwise.
	imagined bool
	// sure are those of items that were reported for the same text before that.
	sure []protocol.Diagnostic
}

// An Answer is what one server reports about one file.
type Answer struct {
	// left are the findings that were not kept; see [HeardLimits].
	left         int
	Server, Root string
	// Version is the document version that the items hold for, or a later one; 0 if the file was
	// never shown to the server.
	Version   int32
	Freshness Freshness
	// Reason says why the answer is not fresh. Err is the underlying error, nil if there is none.
	Reason string
	Err    error
	// Waited is the time from the first byte sent to the server until the answer was final.
	Waited time.Duration
	Items  []protocol.Diagnostic
	// Note is what else there is to know about the answer, such as that the server crashed and was
	// restarted; "" for nothing.
	Note string
	// Says is what the server reports to be wrong with the project or with itself.
	Says []string
	// Dispensable says that the verdict does not depend on this answer: it comes from a linter that
	// is not installed.
	Dispensable bool
	// Excused are errors that may exist only because the set-up of the project is incomplete, as
	// described by Lack. They are not among the Items.
	Excused []protocol.Diagnostic
	Lack    Lack
	// Untrusted says that the answer is not whole only because the user does not trust the checkout.
	Untrusted bool

	// unloaded is the server's own reason why it could not load the project; "" if it gave none.
	unloaded string
	// removed are the names of things that the server once found for the file: if they are missing,
	// that does not come from the set-up.
	removed []string
	// done says that the answer is partial only because the set-up is incomplete: the server has
	// reported everything it has to say.
	done  bool
	prior prior
	// wording is how the server says the same finding in more than one way.
	wording registry.Wording
	// unfinished says that the server was still at work on it when the deadline came.
	unfinished bool
	// apart says that the file is in none of the server's projects, such as a Rust file in no
	// crate.
	apart bool
	// tellsAll says that the server reports on all files by itself.
	tellsAll bool
	// same says that no text differs from the baseline: whatever is wrong was wrong before.
	same bool
	// quiet says that the answer is partial for this file only: what the server has to say about
	// others is complete.
	quiet bool
	// quick says that the items are only what the server reports without its check of the files on
	// disk.
	quick bool
}

// A Diagnostic is one finding, with the server that made it.
type Diagnostic struct {
	protocol.Diagnostic
	Server string
}

// A Baseline says what findings are compared with to tell whether they are new.
type Baseline string

const (
	// None: everything is new.
	None Baseline = "none"
	// Session: what was known about the previous content.
	Session Baseline = "session"
	// Head: the content at git HEAD (or the revision asked for).
	Head Baseline = "head"
	// Before: the previous content, as given by the caller.
	Before Baseline = "before"
)

// A File is a file to check.
type File struct {
	// Path is absolute, links resolved.
	Path string
	// Content is the text to judge.
	Content []byte
	// Baseline names the content, shown by an earlier check of this collector, that the file is
	// compared with; "" means Session.
	Baseline Baseline
	// Former is the text in the baseline; nil means Content.
	Former []byte
	// NoFormer says that the text in the baseline is not known.
	NoFormer bool
	// Created says that the file does not exist in the baseline.
	Created bool
	// Probed says that servers were asked about the file among the texts from before the change: if
	// they did not answer in time, it is not known which findings are new.
	Probed bool
	// Gone are files of the baseline that no longer exist, and the packages that they were a part of, of which a server of
	// this file cannot be shown that they did: if it is not known what it said when they did, its findings that
	// miss one of them are new, and of its other ones nothing is known.
	Gone []string
	// Included are the names by which the text includes those of Gone: a finding on a line with such a name is one that misses it.
	Included []string
	// Lost are the names by which the text includes files that the changes took away: that one of these is missing does not come of an
	// incomplete set-up.
	Lost []string
	// Unconcerned says that nothing that changed matters to what is said of the file: what is wrong with it was wrong before.
	Unconcerned bool
	// From is the path of the file before it was renamed, whose findings are the baseline; "" if it
	// was not renamed.
	From string
	// Closed says that the file is checked because of a change to other files, with its text on
	// disk. A server that reports on closed files need not open it. A document opened for the check
	// is closed again when too many are open.
	Closed bool
	// Shown says that servers judge this file only while it is open.
	Shown bool
	// Everywhere says that all files of the workspace are checked as they are on disk: a server
	// that can report on all of them at once need not open this one.
	Everywhere bool
	// Narrow says that only diagnostics of this file are wanted, even if the request asks for those
	// of others.
	Narrow bool
	// Reported says that the server reports on the file without being asked: if nobody has asked
	// about the file before, the baseline is what the server published.
	Reported bool
	// Saved says that Content was just written to disk; servers that asked for didSave are
	// notified.
	Saved bool
	// Sources are the servers that apply to the file. Failures are the answers for servers that
	// would apply but are unavailable.
	Sources  []Source
	Failures []Answer
}

// A Request asks for a check of files under one deadline.
type Request struct {
	// Session identifies the conversation that makes the request. Each session has its own late
	// answers, findings it was told about, and texts it has answers for. "" stands for the only
	// session of a process.
	Session string
	Files   []File
	// Timeout limits the wait for servers that have answered before, FirstTouch for those that have
	// not; 0 means the collector's limit.
	Timeout, FirstTouch time.Duration
	// Follow limits the total wait, which may exceed those time-outs, for a server that is
	// demonstrably working: it publishes, or uses the processor. 0 means no longer wait.
	Follow time.Duration
	// Severities are the severities to report; empty means errors only.
	Severities []protocol.Severity
	// NoBaseline makes every finding new.
	NoBaseline bool
	// Same says that no text differs from the baseline, so that nothing is new.
	Same bool
	// SameBut has servers for which the only texts that differ from the baseline are ones that these files include by name: of all
	// other files, nothing is new.
	SameBut map[Key][]string
	// SinceBegan says that the baseline is what there was when the session began: what the session
	// was told of already is not new again, but counts in the verdict for as long as it is there.
	SinceBegan bool
	// Probed says that servers were asked what was wrong in all files among the texts from before the
	// change.
	Probed bool
	// Passing says that servers see the files only for this check: what is not known in time is owed
	// to nobody.
	Passing bool
	// Probe says that the files have their texts from before a change, to find out what was wrong
	// then. Nobody is told about the findings.
	Probe bool
	// Beside are texts, by path, that are not on disk, for servers that read the files for those that they judge.
	Beside map[string][]byte
	// Gone are the files that a Probe shows although they are no longer on disk.
	Gone []string
	// Aside says that this check does not report late answers: they are kept for the next one.
	Aside bool
	// OthersToo asks for reports on files that servers published for without being asked, except
	// those in Besides, which are checked elsewhere.
	OthersToo bool
	Besides   []File
	// Renamed are words that the edit removed from the code or added to it. They are ignored when
	// messages are compared to tell old findings from new ones.
	Renamed map[string]bool
	// Since is the moment that findings are compared with; nil means the beginning of the check.
	Since *Moment
	// Apart reports whether the difference between two texts of a file certainly causes no error,
	// in the file or elsewhere, that only the excused errors' missing set-up could hide. nil if
	// that is not known.
	Apart func(path string, before, after []byte, excused []protocol.Diagnostic) bool
	// until, if not nil, is closed when nobody waits for the answers any longer.
	until <-chan struct{}
	// Answered, if not nil, is called once for each of Files when its answer is final. Calls may
	// come from several goroutines at once.
	Answered func()
}

// A FileReport is what is known about one file after a check.
type FileReport struct {
	Path    string
	Answers []Answer
	// Diagnostics are those of all servers, merged, filtered and sorted. New and Remaining divide
	// them; Fixed are those of the baseline that are gone.
	Diagnostics, New, Fixed, Remaining []Diagnostic
	// Standing are those of Remaining of which the session was told when they were new.
	Standing []Diagnostic
	// Doubtful says that there are errors of which it is not known whether they are new, because servers
	// did not say in time what was wrong before. They are in neither New nor Remaining.
	Doubtful bool
	// Excused are errors that may come from an incomplete set-up of the project. They are in none
	// of the other lists.
	Excused []Diagnostic
	// Baseline is what New was compared with.
	Baseline Baseline
	// Judgement is what Verdict was computed from.
	Judgement Judgement
	Verdict   Verdict
	// Counts has how many findings there were and are, whichever severities are shown.
	Counts Counts
}

// Counts has how many errors and warnings there were in the baseline, and are now. Without a baseline, there were none.
type Counts struct {
	ErrorsBefore, ErrorsAfter, WarningsBefore, WarningsAfter int
}

// countsOf counts the findings of before and after.
func countsOf(before, after []Diagnostic) Counts {
	count := func(list []Diagnostic, severity protocol.Severity) int {
		return len(filter(list, func(d Diagnostic) bool { return d.Severity == severity }))
	}
	return Counts{
		count(before, protocol.SeverityError), count(after, protocol.SeverityError),
		count(before, protocol.SeverityWarning), count(after, protocol.SeverityWarning),
	}
}

func filter(list []Diagnostic, keep func(Diagnostic) bool) []Diagnostic {
	var kept []Diagnostic
	for _, d := range list {
		if keep(d) {
			kept = append(kept, d)
		}
	}
	return kept
}

// HasErrors reports whether servers report errors, whichever severities are shown.
func (f *FileReport) HasErrors() bool {
	return f.Judgement.NewErrors || f.Judgement.OldErrors || f.Doubtful
}

// Fresh reports whether at least one server applies and the answers of all are fresh.
func (f *FileReport) Fresh() bool {
	for _, a := range f.Answers {
		if a.Freshness != Fresh {
			return false
		}
	}
	return len(f.Answers) > 0
}

// OlderErrors returns how many errors were there before the change or, without a baseline, how many
// there are.
func (f *FileReport) OlderErrors() (n int) {
	list := f.Remaining
	if f.Baseline == None {
		list = f.Diagnostics
	}
	return len(filter(list, func(d Diagnostic) bool {
		return d.Severity == protocol.SeverityError && !slices.ContainsFunc(f.Standing, func(s Diagnostic) bool { return s.Range == d.Range && s.Message == d.Message })
	}))
}

// TellsAll reports whether all servers that answered about the file report on all files by themselves.
func (f *FileReport) TellsAll() bool {
	return !slices.ContainsFunc(f.Answers, func(a Answer) bool { return !a.tellsAll })
}

// Apart reports whether at least one server applies and all say that the file belongs to no
// project, so that no change to other files can break it.
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
	// Files are the files of the request, in its order.
	Files []FileReport
	// Others are the files that servers published for since the check began, sorted by path.
	Others []FileReport
	// Unkept says, for each server that published about more files than are kept, that its other findings are not known; nil
	// if Others are all.
	Unkept []string
	// Late are files of earlier checks of this collector that were answered only after the
	// deadline.
	Late  []FileReport
	Epoch uint64
}

// KeepNotes copies the notes from an earlier report on the same request, so that it is still said,
// for example, that a server was restarted for it.
func (r *Report) KeepNotes(earlier *Report) {
	for _, before := range earlier.Files {
		for i := range r.Files {
			if r.Files[i].Path == before.Path {
				r.Files[i].keepNotes(before.Answers)
			}
		}
	}
}

func (r *FileReport) keepNotes(earlier []Answer) {
	for _, former := range earlier {
		for n := range r.Answers {
			if a := &r.Answers[n]; a.Server == former.Server && a.Root == former.Root && a.Note == "" {
				a.Note = former.Note
			}
		}
	}
}

// Judgement returns the combined judgement of Files and Others. A report without files is not
// clean.
func (r *Report) Judgement() Judgement {
	var j Judgement
	for _, files := range [][]FileReport{r.Files, r.Others} {
		for i := range files {
			j = j.And(files[i].Judgement)
		}
	}
	j.Lacking = j.Lacking || len(r.Unkept) > 0
	return j
}
