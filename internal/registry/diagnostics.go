package registry

import (
	"encoding/json"
	"slices"
	"time"
)

// A Strategy is one way to know that diagnostics for a version are complete.
type Strategy string

const (
	// Pull: the response to textDocument/diagnostic.
	Pull Strategy = "pull"
	// DiagnosisCommand: the response to a command that only diagnoses.
	DiagnosisCommand Strategy = "command"
	// Progress: the end of a known $/progress begun after the change.
	Progress Strategy = "progress"
	// Barrier: a publish before, or just after, the answer to a queued read.
	Barrier Strategy = "barrier"
	// Versioned: a publish that carries the version.
	Versioned Strategy = "versioned"
	// Settled: a publish, then quiet for the server's own learnt gap.
	Settled Strategy = "settled"
)

// Strategies are all of them. Each has its words for documents (in a test) and for people (package doctor).
var Strategies = []Strategy{Pull, DiagnosisCommand, Progress, Barrier, Versioned, Settled}

// ClosedFiles says how a server tells about files that are not open.
type ClosedFiles string

const (
	ClosedPushes  ClosedFiles = "pushes"
	ClosedPull    ClosedFiles = "pull"
	ClosedCommand ClosedFiles = "command"
	ClosedOpen    ClosedFiles = "open"
)

// Outside says what makes a server see that another file changed on disk
// without us having it open.
type Outside string

const (
	// OutsideWatched: workspace/didChangeWatchedFiles is enough. The default.
	OutsideWatched Outside = ""
	// OutsideReload: the command in Diagnostics.Reload must be sent as well.
	OutsideReload Outside = "reload"
	// OutsideReopen: an unchanged open document must be closed and opened.
	OutsideReopen Outside = "reopen"
	// OutsideTouch: an unchanged open document must be sent again, as a change that
	// changes nothing. The server publishes for every sending of a document, so that
	// its publish is waited for as long as there is time.
	OutsideTouch Outside = "touch"
)

// Diagnostics says how a server's diagnostics are obtained.
type Diagnostics struct {
	// Strategies are tried in order; the first the server can do decides.
	// Empty: settled push, which believes a version where there is one.
	Strategies []Strategy
	// FileStrategies replace Strategies when only the file's own diagnostics
	// are wanted and not those of its dependants. Empty: the same.
	FileStrategies []Strategy
	// Unpulled are the ids of languages about whose files the server refuses to answer pulls:
	// what it publishes for them counts.
	Unpulled []string
	// AnnouncePull announces textDocument.diagnostic in the client
	// capabilities. Many servers stop pushing once it is announced, and some
	// answer empty reports when it was not, so it is sent only when wanted.
	AnnouncePull bool
	// FullReports asks for whole reports in every pull: the server says
	// "unchanged" by its own version of the file, although another file changed.
	FullReports bool
	// Quiet is how long after a publish another for the same text may come, of a
	// server for which [Settled] would take a shorter silence for the end.
	Quiet time.Duration
	// Commands are the synchronous diagnosis commands of [DiagnosisCommand].
	// They, Reload, Home and Search are the only workspace/executeCommand ever sent unasked.
	Commands []CommandCall
	// Reload makes the server read the disk again, for [OutsideReload].
	Reload *CommandCall
	// Home asks for the project by which the server judges a document, which it names under
	// body.configFileName; nil if it cannot be asked. Of a server that takes one of other folders
	// for it until it has read the disk again.
	Home *CommandCall
	// Search asks for symbols as tsserver's navto does, of a server that looks for workspace/symbol only in the project of the file that
	// it used last. [SearchQuery] stands for the query; nil: workspace/symbol looks everywhere.
	Search *CommandCall
	// ProgressTitle is the prefix of the $/progress title of [Progress].
	ProgressTitle string
	// BarrierMethod is the request whose answer is the barrier: of [Barrier]
	// and, to know that a progress has begun, of [Progress].
	BarrierMethod string
	// ProjectFiles are files of the root by which the server loads the project. An
	// error that it publishes for one says that it did not: then it finds only a
	// part of what is wrong with other files.
	ProjectFiles []string
	// Untold are names of files, or globs, that it publishes for and nobody is told: it
	// says so of its own accord, at no certain time, and cannot be asked.
	Untold []string
	// Omits are parts of messages that depend on what the server has found out by then, and not on texts: nobody is told.
	Omits []string
	// Unjudged names the codes by which the server says of a file that it does not
	// judge it, with what that means for people.
	Unjudged map[string]string
	// Hides names the codes of errors behind which the server does not see what is wrong
	// with files that use the one that has it, with what that means for people.
	Hides map[string]string
	// Unlisted is a code by which the server says that a project does not list a file, which
	// the message names in quotes: the lists are made of what is on disk, so it says nothing of
	// a document that is not there.
	Unlisted string
	// Disk is a check of the files on disk, nil if there is none.
	Disk *DiskCheck
	// Outside says how the server learns of changes on disk.
	Outside Outside
	// ClosedFiles says how the server tells about files that are not open; "" is
	// [ClosedOpen].
	ClosedFiles ClosedFiles
	// NeedsSave says that didSave must follow a change: the server judges what is on
	// disk then, whatever it was shown. So it is not asked about any other text.
	NeedsSave bool
	// Provocation is text that is an error below any text of the server's languages,
	// of the kind that it finds last. It publishes only what differs from what it
	// published before: when it is silent, it is shown the text with that and without
	// it, so that it has to say what it thinks of both. Empty: silence means nothing.
	Provocation string
	// Unsure says why what it pushes is never known to be all, where no time to wait
	// would do. Empty: it is known once it settled.
	Unsure string
}

// RefusesPulls reports whether the server answers no pull about a file.
func (d *Definition) RefusesPulls(file string) bool {
	if len(d.Diagnostics.Unpulled) == 0 {
		return false
	}
	id, speaks := d.LanguageID(file)
	return speaks && slices.Contains(d.Diagnostics.Unpulled, id)
}

// Keeps reports whether nobody is told what the server publishes for a file.
func (d *Diagnostics) Keeps(file string) bool {
	return slices.ContainsFunc(d.Untold, func(pattern string) bool { return matchLength(pattern, baseName(file)) >= 0 })
}

// A DiskCheck is a check that a server makes of all files as they are on disk,
// when it is told to, and publishes. While an open document has another text,
// it says nothing of what the server was shown, and is not asked for.
type DiskCheck struct {
	// Method and Params are the message that begins it.
	Method string
	Params json.RawMessage
	// Title is the prefix of the title of its $/progress. Empty: it is a request,
	// and over when that is answered.
	Title string
	// Each is a request whose answer tells how many projects are checked, each with a
	// progress of its own, by what the regular expression Number finds in it. Empty:
	// one progress is for all.
	Each, Number string
	// NamesCrates says that each report of that progress names a crate that cargo has compiled. What it did not
	// compile it did not judge.
	NamesCrates bool
	// Whole says that what it publishes is all there is to say of a file, and the
	// strategies' answer but a part of that, known sooner. Else it only adds what
	// is to be said of files that are not open.
	Whole bool
	// Lacks says what is missing without it, where it is the whole.
	Lacks string
	// Sure is a regular expression for the codes of errors that the strategies know by themselves; others in a file that the check
	// did not judge may come of what kept it from that. Empty: none.
	Sure string
	// Saves says that didSave must come before it for what changed.
	Saves bool
	// List is how the server lists all errors at its end; nil if it does not. What it publishes
	// is waited for until it agrees with that: it may come after the answer.
	List *DiskList
}

// A DiskList is how a server lists the errors that its check of the disk found: it logs them
// before it answers.
type DiskList struct {
	// Clean and Broken are the answers, as JSON, if there are no errors and if there are. Any
	// other one says that the check failed.
	Clean, Broken string
	// Logged is a regular expression that finds each error in a message of the log, with the
	// groups "file", an absolute path, and "message".
	Logged string
}

// A CommandCall is a workspace/executeCommand, with its answer's shape.
type CommandCall struct {
	Command string
	// Arguments are JSON values; the strings "${path}" and "${uri}" inside
	// them stand for the file, "${uris}" for a list of it and one file of each project
	// that needs its own.
	Arguments []json.RawMessage
	// Result says how the response is read.
	Result CommandResult
}

// SearchQuery stands in the arguments of a command for what is searched for.
const SearchQuery = "${query}"

// CommandResult says what the response of a diagnosis command holds.
type CommandResult string

const (
	// ResultPublished: nothing; the diagnostics were published before it.
	ResultPublished CommandResult = "published"
	// ResultTSServer: tsserver's own diagnostics, 1-based, under body.
	ResultTSServer CommandResult = "tsserver"
)
