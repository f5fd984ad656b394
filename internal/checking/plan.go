package checking

import (
	"context"
	"fmt"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
)

// A checkPlan is a request with every path resolved and every file read.
type checkPlan struct {
	// request covers the files of the check and, from index own on, the files that their changes
	// affect.
	request diagnostics.Request
	own     int
	// probes are the files that the servers are shown first, in their texts from before.
	probes []diagnostics.File
	// told are files that did not change; see [subjects].
	told []string
	// files are the results, in the order of the request. Those with an error are complete; the
	// others are filled in order from the report.
	files []result.File
	// manifests are the indexes of those files that are manifests or silent, on which nothing is
	// reported. silent are files that no server judges: data that others import and, unless somebody
	// asks about it by name, configuration.
	manifests   map[int]bool
	silent      []diagnostics.File
	contents    map[string][]byte
	given       map[string]bool // the files whose text the request gives
	sourceLines bool
	limit       waitLimit
	// detection finds the servers for files; members knows which files projects leave out.
	detection *roots.Detection
	members   *dependants.Membership
	// late are the late answers that came while the probes were shown.
	late []diagnostics.FileReport
	// changes are what others did to the files since they were last judged, or since the revision.
	// search looks for the files that these affect, nil if they are not wanted; unknown is what
	// could not be found out.
	changes dependants.Changes
	search  *dependants.Search
	unknown []string
	// rest are the files by which servers are asked what the changes did to all others, where that
	// is done last.
	rest []diagnostics.File
	// doubted are other files that are asked about among the texts from before; see [checkPlan.unknownBefore].
	doubted []string
	// asked are the changes whose users only servers know; servers are asked while they are shown
	// the texts from before.
	asked []edit.Change
	// later are the changes whose text from before is not known; the users of everything that their
	// files declare now are looked for.
	later []edit.Change
	// includers knows which files include others by name.
	includers *dependants.Includers
	// before is the state that the check compares with.
	before formerState
	// revision is the commit that the check compares with. ignored are the files of which it is not known which errors are older
	// than that, each with a file that git ignores and that it may use.
	revision string
	ignored  map[string]string
	// listing returns what git says has changed.
	listing func() listing
	// unlimited says that all files are judged that the changes affect.
	unlimited bool
	// countOlder says that errors of the requested files count although they are not new.
	countOlder bool
	// allErrors says that older errors of other files are listed.
	allErrors bool
}

// acquire waits for the locks that a plan needs: one that shows servers a text that is not on disk
// must be the only user of the servers.
func (p *checkPlan) acquire(ctx context.Context, ch *Checker) (release func(), err error) {
	if len(p.probes) == 0 {
		return func() { ch.overlay.Shown.Unshare() }, ch.overlay.Shown.Share(ctx)
	}
	if err := ch.overlay.Writers.Lock(ctx); err != nil {
		return nil, err
	}
	if err := ch.overlay.Shown.Lock(ctx); err != nil {
		ch.overlay.Writers.Unlock()
		return nil, err
	}
	return func() {
		ch.overlay.Shown.Unlock()
		ch.overlay.Writers.Unlock()
	}, nil
}

// A formerState is the state before a change, as far as a check knows it.
type formerState struct {
	// byTexts says that it is one of texts, which servers can be shown; otherwise it is when the session
	// first asked. versioned says that they come from a commit.
	byTexts, versioned bool
	// noCommit says that a comparison with a commit was asked for, and that there is none.
	noCommit bool
	// texts are those of the files that changed, by path, as servers are shown them; known says that
	// those of all changes are, and shown are those that servers can be shown.
	texts map[string][]byte
	known bool
	shown map[string][]byte
	// shownTo are the ids of the servers that can be shown a text, by its path: no other one sees it.
	shownTo map[string][]string
	// untold are the texts of unchanged files of which servers have others, as they have not been told yet that
	// somebody took a change back; all are these and texts.
	untold, all map[string][]byte
	// decided are the former texts, nil for none, of files that changed beside those that a check is about and that decide what
	// is wrong with some of these. Servers read such files from disk.
	decided map[string][]byte
	// included are the former texts of changed files that others include by name, and that no server judges; includers are
	// these others, as far as the change matters to them, by the path of what they include.
	included  diagnostics.Included
	includers map[string][]string
	// includesCode says that one of these is a part of the program as a whole.
	includesCode bool
	// absent are those of the files that did not exist, gone those that no longer do; missing is the moment when
	// the absent ones did not exist.
	absent  []string
	gone    []string
	missing *diagnostics.Moment
	// usesC reports whether what is said of a Go file may depend on C, which servers cannot be shown; nil if no C changed that
	// Go packages read.
	usesC func(path string) bool
	// concerns reports whether what is said of a file may depend on another one that changed; nil if it always may. See [Checker.concerns].
	concerns func(file, path string) bool
	// words are those of the lines of each file that changed, once they are needed.
	words map[string]map[string]bool
}

// newCheckPlan validates a request except for its files.
func (ch *Checker) newCheckPlan(req api.CheckRequest) (*checkPlan, diagnostics.Baseline, error) {
	severities, err := ch.severitiesOf(req.Severities)
	if err != nil {
		return nil, "", err
	}
	baseline, err := baselineNamed(req.Baseline)
	if err != nil {
		return nil, "", err
	}
	if req.MaxBytes < -1 {
		return nil, "", &api.ArgumentError{Argument: "max_bytes", Reason: "a budget is at least 1 byte", Advice: "for example 12000; -1 is none"}
	}
	if req.WaitLimitMS < 0 {
		return nil, "", &api.ArgumentError{Argument: "wait_limit_ms", Reason: "a limit is at least 1 ms", Advice: "for example 25000"}
	}
	if req.TimeoutMS < 0 {
		return nil, "", &api.ArgumentError{Argument: "timeout_ms", Reason: "a deadline is at least 1 ms", Advice: "for example 5000"}
	}
	switch req.Scope {
	case "", "file", "dependants", "workspace":
	default:
		return nil, "", &api.ArgumentError{Argument: "scope", Reason: fmt.Sprintf("%q is no scope", req.Scope), Advice: "scopes are file, dependants and workspace"}
	}
	timeout := time.Duration(req.TimeoutMS) * time.Millisecond
	return &checkPlan{
		request: diagnostics.Request{
			Session: ch.session.name,
			Timeout: timeout, FirstTouch: timeout, Severities: severities,
			NoBaseline: baseline == diagnostics.None && len(req.Before) == 0, OthersToo: req.Scope != "file",
			SinceBegan: baseline == diagnostics.Session && len(req.Before) == 0,
		},
		countOlder: req.CountOlder, allErrors: req.AllErrors,
		contents: make(map[string][]byte), given: make(map[string]bool), sourceLines: req.SourceLines,
	}, baseline, nil
}

func baselineNamed(name string) (diagnostics.Baseline, error) {
	switch b := diagnostics.Baseline(name); b {
	case "":
		return diagnostics.Session, nil
	case diagnostics.Session, diagnostics.Head, diagnostics.None:
		return b, nil
	}
	return "", &api.ArgumentError{Argument: "baseline", Reason: fmt.Sprintf("%q is no baseline", name), Advice: "baselines are session, head and none"}
}

// addSilent notes that the check is about a file that no server judges, on which nothing is reported.
func (p *checkPlan) addSilent(file diagnostics.File) {
	if p.manifests == nil {
		p.manifests = make(map[int]bool)
	}
	p.manifests[len(p.files)-1] = true
	file.Failures = nil
	p.silent = append(p.silent, file)
}

// addManifest notes that the check is about a manifest: its change is judged, and nothing is
// reported on the file itself.
func (p *checkPlan) addManifest(path string, content []byte) {
	if p.manifests == nil {
		p.manifests = make(map[int]bool)
	}
	p.manifests[len(p.files)-1] = true
	p.changes = append(p.changes, edit.Change{Path: path, After: content})
}

// lines returns a mapper for a file's text, nil if no source lines are wanted.
func (p *checkPlan) lines(path string) *protocol.Mapper {
	if !p.sourceLines {
		return nil
	}
	content, ok := p.contents[path]
	if !ok {
		return mapperOfDisk(path)
	}
	return protocol.NewMapper(content)
}

func mapperOfDisk(path string) *protocol.Mapper {
	content, err := fspath.Read(path)
	if err != nil {
		return nil
	}
	return protocol.NewMapper(content)
}
