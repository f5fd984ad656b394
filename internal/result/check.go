package result

import "strings"

// The verdicts on a file, and on all files of an answer, from best to worst.
const (
	Clean          = "clean"
	WarningsOnly   = "warnings_only"
	BaselineError  = "baseline_error"  // only errors that were there before
	Unknown        = "unknown"         // some server has not answered completely
	LSPUnavailable = "lsp_unavailable" // no server could judge it
	NewErrors      = "new_errors"
)

// A Check is the result of checking files. Paths are relative to the root,
// with slashes.
type Check struct {
	Root string `json:"root" jsonschema:"the workspace root"`
	// Verdict is the worst of the files'.
	Verdict string `json:"verdict" jsonschema:"clean, warnings_only, new_errors, baseline_error, unknown or lsp_unavailable"`
	// Reason says why it is lsp_unavailable, for hosts that know five classes; "" for others.
	Reason string `json:"reason,omitempty" jsonschema:"why it is lsp_unavailable, for hosts that know five classes"`
	// Incomplete says that some part is not known; the verdict is then unknown, or
	// new_errors, or lsp_unavailable.
	Incomplete bool   `json:"incomplete,omitempty" jsonschema:"some part of the answer is not known"`
	Files      []File `json:"files" jsonschema:"the requested files"`
	Others     []File `json:"others,omitempty" jsonschema:"other files with diagnostics, including those that the change broke or fixed"`
	Late       []File `json:"late,omitempty" jsonschema:"files broken by earlier changes, whose answers came after the deadline"`
	// Deleted are files that are gone, whose users were checked.
	Deleted []string `json:"deleted,omitempty" jsonschema:"deleted files; what this broke is listed with the others"`
	// Unknown says what could not be found out beside the servers' own answers.
	Unknown []string `json:"unknown,omitempty" jsonschema:"what could not be found out"`
	// Notes say what a reader should know of how the files were judged.
	Notes []string `json:"notes,omitempty" jsonschema:"how the files were judged, where that differs from the project's own settings"`
	// CountOlder and AllErrors repeat what was asked: that errors of the requested files count although
	// they are not new, and that older errors of other files are listed, too.
	CountOlder bool `json:"count_older,omitempty" jsonschema:"errors of the requested files also count if they were there before"`
	AllErrors  bool `json:"all_errors,omitempty" jsonschema:"older errors of other files are listed, too"`
	// OlderElsewhere counts the older errors of other files that are not listed, as far as servers
	// report on all files, and OlderFiles those files.
	OlderElsewhere int `json:"older_elsewhere,omitempty" jsonschema:"older errors of other files that are not listed"`
	OlderFiles     int `json:"older_files,omitempty" jsonschema:"how many files have these"`
	// Dependants says how many other files were checked because they use what changed.
	Dependants Dependants `json:"dependants,omitzero"`
	Epoch      uint64     `json:"epoch" jsonschema:"grows with every check and every publish"`
	// Cut says what was left out for a budget.
	Cut string `json:"cut,omitempty" jsonschema:"what was left out and how to get it"`
	// Budget bounds the text where leaving out parts of the result is not enough; 0 is
	// no bound.
	Budget int `json:"budget,omitempty" jsonschema:"size limit of the text in bytes, if leaving out parts was not enough"`
	// Counts are of all that was found; nil unless something of it was left out.
	Counts *Counts `json:"counts,omitempty" jsonschema:"how much was found, including what was left out for the budget"`
}

// Counts are the findings of a result before anything is left out for a budget.
type Counts struct {
	// Files is how many were judged; Broken those with new findings.
	Files  int `json:"files"`
	Broken int `json:"broken,omitempty" jsonschema:"files with new findings"`
	// New counts the new findings by severity.
	New map[string]int `json:"new,omitempty" jsonschema:"new findings by severity"`
	// Uncompared counts those of them in files of which it is not known what was wrong before.
	Uncompared map[string]int `json:"uncompared,omitempty" jsonschema:"those of the new findings that could be compared with nothing, by severity"`
	// Standing are errors of earlier changes in this session that are still there.
	Standing int `json:"standing,omitempty" jsonschema:"errors of earlier changes in this session that are still there"`
	Fixed    int `json:"fixed,omitempty"`
	Older    int `json:"older,omitempty"`
	// Doubtful are findings that are not known to be new, nor to be older.
	Doubtful int `json:"doubtful,omitempty" jsonschema:"findings of which it is not known whether they are new"`
	// Judged is how many files were compared with a baseline, Unjudged how many were
	// not judged completely.
	Judged   int `json:"judged,omitempty" jsonschema:"files that were compared with a baseline"`
	Unjudged int `json:"unjudged,omitempty" jsonschema:"files that were not judged completely"`
	// Others and Late are the other files with new findings, and the late ones.
	Others int `json:"others,omitempty" jsonschema:"other files with new findings"`
	Late   int `json:"late,omitempty" jsonschema:"files with new findings that came late"`
}

// A File is what is known of one file.
type File struct {
	Path        string       `json:"path"`
	Verdict     string       `json:"verdict,omitempty"`
	Reason      string       `json:"reason,omitempty" jsonschema:"why it is lsp_unavailable, for hosts that know five classes"`
	Baseline    string       `json:"baseline,omitempty" jsonschema:"what new is compared with: none, session, head or before"`
	Diagnostics []Diagnostic `json:"diagnostics"`
	// Doubtful says that nobody knows whether those of its errors that are not new are older.
	Doubtful bool `json:"doubtful,omitempty" jsonschema:"it is not known whether those of its errors that are not new are older"`
	// More counts the diagnostics that were left out for a budget.
	More     int          `json:"more,omitempty" jsonschema:"diagnostics that were left out for the budget"`
	Fixed    []Diagnostic `json:"fixed,omitempty" jsonschema:"diagnostics of the baseline that are gone"`
	Older    int          `json:"older,omitempty" jsonschema:"diagnostics that were there before and are not listed"`
	Standing int          `json:"standing,omitempty" jsonschema:"errors of earlier changes in this session that are still there and are not listed"`
	Excused  []Diagnostic `json:"excused,omitempty" jsonschema:"errors that may come from an incomplete set-up of the project: neither counted nor listed in the text"`
	Servers  []Answer     `json:"servers,omitempty"`
	ByUsers  bool         `json:"by_users,omitempty" jsonschema:"no server judges the file itself, such as a manifest: what its change does is judged in the files that it concerns"`
	// Error says why the file was not checked at all.
	Error *Error `json:"error,omitempty"`
}

// An Answer says how far one server's word on a file can be trusted.
type Answer struct {
	Server    string `json:"server"`
	Root      string `json:"root,omitempty"`
	Version   int32  `json:"version,omitempty" jsonschema:"the document version the diagnostics hold for"`
	Freshness string `json:"freshness" jsonschema:"fresh, partial, timeout, indexing or unavailable"`
	Reason    string `json:"reason,omitempty"`
	Hint      string `json:"hint,omitempty"`
	WaitedMS  int64  `json:"waited_ms"`
	// Note is what there is to know beside a complete answer.
	Note string `json:"note,omitempty" jsonschema:"what else there is to know, such as that the server was restarted for the answer"`
	// Says is what the server says is wrong with the project or with itself.
	Says []string `json:"says,omitempty" jsonschema:"what the server says is wrong with the project or with itself"`
	// Untrusted says that the answer lacks what only the user's trust in the checkout gives: asking again changes nothing.
	Untrusted bool `json:"untrusted,omitempty" jsonschema:"the answer lacks what the server would have to run of the checkout for, which the user does not trust"`
	// Dispensable says that the verdict does not need this answer, as that of a linter that is
	// not installed.
	Dispensable bool `json:"dispensable,omitempty" jsonschema:"the verdict does not depend on this server"`
}

// Notes returns what there is to know beside the answer, in whole lines.
func (a *Answer) Notes() (notes []string) {
	if a.Note != "" {
		notes = append(notes, a.Server+": "+a.Note)
	}
	for _, said := range a.Says {
		if !strings.Contains(a.Reason, said) {
			notes = append(notes, a.Server+" says: "+said)
		}
	}
	return notes
}

// A Diagnostic is one finding. Lines and columns are 1-based, columns in UTF-16
// code units.
type Diagnostic struct {
	Line      uint32 `json:"line"`
	Column    uint32 `json:"column"`
	EndLine   uint32 `json:"end_line"`
	EndColumn uint32 `json:"end_column"`
	Severity  string `json:"severity"`
	Code      string `json:"code,omitempty"`
	Source    string `json:"source,omitempty"`
	Message   string `json:"message"`
	Server    string `json:"server"`
	New       bool   `json:"new" jsonschema:"not in the baseline"`
	Standing  bool   `json:"standing,omitempty" jsonschema:"in the baseline, but not before this session began: an error of an earlier change that is still there"`
	// SourceLine is the text of the line, if it was asked for.
	SourceLine string `json:"source_line,omitempty"`
}

// Caps bound how many findings are shown. 0 means no bound.
type Caps struct {
	PerFile    int `json:"per_file,omitempty"`
	OtherFiles int `json:"other_files,omitempty"`
	TotalLines int `json:"total_lines,omitempty"`
}
