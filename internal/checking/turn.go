package checking

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/result"
)

// A turn is what a model does between two messages of its user. The mutex of memory guards rounds.
type turn struct {
	name   string
	began  time.Time
	commit string // "" without one
	files  map[string]fileStamp
	// texts are the texts of files that differ from the commit or, without a commit, of all files
	// that servers know.
	texts map[string][]byte
	// rounds is how many attempts to close it found new errors.
	rounds int
}

// A fileStamp tells whether a file changed.
type fileStamp struct {
	size     int64
	modified time.Time
	change   uint64 // see fspath.Change
}

// maxKept limits the size in bytes of the texts that a turn keeps.
const maxKept = 64 << 20

// BeginTurn records the files of the workspace as they are, for the session's next turn.
func (ch *Checker) BeginTurn(ctx context.Context, req api.BeginTurnRequest) (result.Turn, error) {
	if req.TimeoutMS < 0 {
		return result.Turn{}, &api.ArgumentError{Argument: "timeout_ms", Reason: "a deadline is at least 1 ms", Advice: "for example 5000"}
	}
	if ch.once {
		return result.Turn{}, &api.ArgumentError{Argument: "turn", Reason: "this process makes one call only", Advice: "begin and close a turn in one session: over MCP, or the service"}
	}
	if err := ch.overlay.Remember(ctx); err != nil {
		return result.Turn{}, err
	}
	t := &turn{began: time.Now().UTC(), commit: ch.workspace.Git().Commit(ctx)}
	var err error
	if t.files, err = ch.stamps(ctx); err != nil {
		return result.Turn{}, err
	}
	notes, err := ch.keepTexts(ctx, t)
	if err != nil {
		return result.Turn{}, err
	}
	ch.mu.Lock()
	defer ch.mu.Unlock()
	ch.session.turns++
	t.name = fmt.Sprintf("t%d", ch.session.turns)
	if open := ch.session.turn; open != nil {
		notes = append(notes, "turn "+open.name+" was not closed; it is given up")
	}
	ch.session.turn = t
	return result.Turn{Head: result.Head{Notes: notes}, Turn: t.name, Began: t.began, Commit: t.commit, Files: len(t.files), Kept: len(t.texts)}, nil
}

// stamps returns the stamps of all files of the workspace; outside a checkout, of all files that
// can matter to a server.
func (ch *Checker) stamps(ctx context.Context) (map[string]fileStamp, error) {
	disk, err := ch.workspace.Sweep(ctx, ch.overlay.Held())
	if ch.overlay.Noticed(disk); ctx.Err() != nil {
		return nil, errors.Join(err, ctx.Err())
	}
	paths, err := ch.workspace.Files(ctx)
	if err != nil {
		return nil, err
	}
	stamps := make(map[string]fileStamp, len(paths))
	for _, path := range paths {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			stamps[path] = fileStamp{info.Size(), info.ModTime(), fspath.Change(info)}
		}
	}
	return stamps, nil
}

// keepTexts keeps the texts of files that differ from the commit.
func (ch *Checker) keepTexts(ctx context.Context, t *turn) (notes []string, err error) {
	paths := slices.Sorted(maps.Keys(t.files))
	if t.commit != "" {
		changes, err := ch.workspace.Git().ChangesSince(ctx, t.commit)
		if err != nil {
			return nil, err
		}
		paths = changes.Present
	}
	t.texts = make(map[string][]byte)
	size, left := 0, 0
	isJudged := ch.judging(ctx)
	for _, path := range paths {
		if !isJudged(path) {
			continue
		}
		text, err := ch.workspace.Read(path)
		if err != nil {
			continue // it cannot be judged
		}
		if size += len(text); size > maxKept {
			left++
			continue
		}
		t.texts[path] = text
	}
	if left > 0 {
		notes = append(notes, fmt.Sprintf("%d files are not compared with what they are now: no commit has them, and there are too many", left))
	}
	return notes, ctx.Err()
}

// isFragment reports whether a file is judged only in those that include it, and some server judges such.
func (ch *Checker) isFragment(path string) bool {
	return language.IsFragment(path) && slices.ContainsFunc(language.FamilyEndings(language.Of(path).Family), func(ending string) bool {
		return len(roots.Missed(ch.workspace.Candidates(path+ending))) > 0
	})
}

// judging returns a function that reports whether some server judges files like this one, or the
// file configures a project, is data that others import, or is included by others by its name. The function is for one moment.
func (ch *Checker) judging(ctx context.Context) func(path string) bool {
	isImported, included := ch.finder.ImportedData(ctx), ch.finder.Includers(ctx)
	return func(path string) bool {
		return len(roots.Missed(ch.workspace.Candidates(path))) > 0 || ch.finder.IsManifest(path) || impact.Configures(path) || len(isImported(path)) > 0 ||
			ch.isFragment(path) || len(included.Of(path)) > 0
	}
}

// CloseTurn judges what changed since the session's turn began, whoever changed it. The turn is
// then over, unless it introduced errors that its model is to fix.
func (ch *Checker) CloseTurn(ctx context.Context, req api.CloseTurnRequest) (result.ClosedTurn, error) {
	t, err := ch.openTurn(req)
	if err != nil {
		return result.ClosedTurn{}, err
	}
	changed, err := ch.changedIn(ctx, t)
	if err != nil {
		return result.ClosedTurn{}, err
	}
	answer := result.ClosedTurn{Turn: t.name, Limit: ch.opts.Config.Settings.SelfCorrectionLimit, Files: []result.TurnFile{}}
	check := changed.request(ctx, ch, t, req)
	switch {
	case len(check.Files) > 0:
		if answer.Check, err = ch.check(ctx, check, true); err != nil {
			return result.ClosedTurn{}, err
		}
	default: // a check without files would be about other files
		answer.Check = result.Check{Root: ch.workspace.Root(), Verdict: result.Clean, Files: []result.File{}, Epoch: ch.collector.Epoch()}
		if len(changed) > 0 {
			answer.Check.Verdict = result.LSPUnavailable
			answer.Notes = append(answer.Notes, "no server judges the files that changed")
		}
	}
	changed.classify(ch, &answer)
	ch.endTurn(t, &answer)
	return answer, nil
}

// openTurn returns the turn that a request is about.
func (ch *Checker) openTurn(req api.CloseTurnRequest) (*turn, error) {
	if req.BudgetBytes < 0 {
		return nil, &api.ArgumentError{Argument: "budget_bytes", Reason: "a budget is at least 1 byte", Advice: "for example 8192"}
	}
	ch.mu.Lock()
	defer ch.mu.Unlock()
	switch t := ch.session.turn; {
	case t == nil:
		return nil, &api.ArgumentError{Argument: "turn", Reason: "no turn is open in this session", Advice: "begin one with begin_turn, before files are changed"}
	case req.Turn != "" && req.Turn != t.name:
		return nil, &api.ArgumentError{Argument: "turn", Reason: fmt.Sprintf("%q is not open", req.Turn), Advice: "the open turn is " + t.name}
	default:
		return t, nil
	}
}

// turnChanges are the files that changed in a turn, by absolute path, with how they changed.
type turnChanges map[string]string

// changedIn finds what changed since a turn began. A file that was rewritten with the same text did
// not change.
func (ch *Checker) changedIn(ctx context.Context, t *turn) (turnChanges, error) {
	now, err := ch.stamps(ctx)
	if err != nil {
		return nil, err
	}
	changed := make(turnChanges)
	var touched []string
	for path, stamp := range now {
		switch was, known := t.files[path]; {
		case !known:
			changed[path] = result.TurnCreated
		case was != stamp:
			touched = append(touched, path)
		}
	}
	for path := range t.files {
		if _, there := now[path]; !there {
			changed[path] = result.TurnDeleted
		}
	}
	committed := make(map[string][]byte)
	if t.commit != "" && len(touched) > 0 {
		if committed, _, err = ch.workspace.Git().TextsAt(ctx, t.commit, touched); err != nil {
			return nil, err
		}
	}
	for _, path := range touched {
		was, kept := t.texts[path]
		if !kept {
			was, kept = committed[path], committed[path] != nil
		}
		if text, err := fspath.Read(path); !kept || err != nil || !bytes.Equal(text, was) {
			changed[path] = result.TurnModified
		}
	}
	return changed, nil
}

// judged returns the paths of the files that servers judge, sorted.
func (c turnChanges) judged(ctx context.Context, ch *Checker) []string {
	isJudged := ch.judging(ctx)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(c)), func(path string) bool { return !isJudged(path) })
}

// request returns the request that checks the files against their state when the turn began.
func (c turnChanges) request(ctx context.Context, ch *Checker, t *turn, req api.CloseTurnRequest) api.CheckRequest {
	check := api.CheckRequest{Files: c.judged(ctx, ch), Before: make(map[string]string), Severities: req.Severities, TimeoutMS: req.TimeoutMS, MaxBytes: -1}
	if t.commit != "" {
		check.Baseline, check.Revision = api.BaselineHead, t.commit
	}
	for _, path := range check.Files {
		text, kept := t.texts[path]
		switch {
		case kept && c[path] == result.TurnModified:
			check.Before[path] = string(text)
		case t.commit == "" && c[path] == result.TurnCreated:
			check.Before[path] = ""
		}
	}
	return check
}

// classify records for each changed file how it was judged.
func (c turnChanges) classify(ch *Checker, answer *result.ClosedTurn) {
	judged := make(map[string]*result.File)
	for i := range answer.Check.Files {
		judged[answer.Check.Files[i].Path] = &answer.Check.Files[i]
	}
	for _, path := range slices.Sorted(maps.Keys(c)) {
		file := result.TurnFile{Path: ch.names.FromRoot(path), Change: c[path]}
		if f := judged[file.Path]; f != nil {
			file.Class, file.Baseline = result.ClassOf(f.Verdict), f.Baseline
			if file.Class == result.LSPUnavailable || f.Error != nil {
				file.Class, file.Reason = result.LSPUnavailable, f.WhyUnknown()
			}
		}
		answer.Files = append(answer.Files, file)
	}
	answer.Class = result.ClassOf(answer.Check.Verdict)
}

// endTurn decides whether a turn is over: with new errors it goes on, for as many rounds as are
// allowed.
func (ch *Checker) endTurn(t *turn, answer *result.ClosedTurn) {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	answer.Outcome = result.TurnClosed
	if answer.Class == result.NewErrors {
		t.rounds++
		if answer.Outcome = result.TurnSelfCorrect; t.rounds > answer.Limit {
			answer.Outcome = result.TurnEscalate
		}
	}
	answer.Round = t.rounds
	if answer.Outcome != result.TurnSelfCorrect && ch.session.turn == t {
		ch.session.turn = nil
	}
}
