package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// Options configure [Run].
type Options struct {
	// Agent is the agent that runs the hook; "" means to detect it from the payload.
	Agent Agent
	// Files, if not empty, are checked instead of those that the payload names; the payload is then
	// not read.
	Files []string
	// Dir is the absolute folder that relative paths start from if the payload does not specify
	// one.
	Dir string
	// Environ is the environment, as KEY=value.
	Environ []string
	// Timeout limits the time to answer; 0 means what the agent allows. Allows returns how long the
	// agent waits for the hook of an event.
	Timeout time.Duration
	Allows  func(*Event) time.Duration
	// MaxBytes limits the length of the text. Report is one of ReportEach, ReportTurn and
	// ReportFull.
	MaxBytes int
	Report   string
	// Severities are those to report; if empty, those in the configuration.
	Severities []string
	// State is the folder for the memories and the log of hooks. If it is "", nothing is reported
	// to a session.
	State string
	// Open returns the Workspace that contains a folder, for the session of an agent ("" if it has
	// none). Run closes it.
	Open func(dir, session string) (Workspace, error)
}

// A Workspace checks the files below its root.
type Workspace struct {
	// Caller finds or starts an engine when it is first called.
	api.Caller
	// Root is absolute, with symbolic links resolved.
	Root string
	// Changed returns the files that may differ from a git commit; "" means the commit that is
	// checked out.
	Changed func(ctx context.Context, commit string) (Listing, error)
	// Start starts the servers that the workspace mainly needs, without waiting for them, and returns
	// their names. It is nil if they would end with the hook.
	Start func(ctx context.Context) ([]string, error)
	// Found returns what the user should be told of servers that start, once, "" for nothing.
	Found func(names []string) string
	// Quieted is what a checkout that is not trusted makes answers leave out, in words; nil for nothing.
	Quieted []string
	// Close ends it.
	Close func() error
}

// A Listing lists the files that may differ from a commit: what git says, and those of which it says
// nothing because it ignores them or because there is no repository.
type Listing struct {
	// Commit is the commit that is checked out, "" without one.
	Commit string
	// Files are absolute paths, including those of deleted files.
	Files []string
}

// The exit codes of hooks. Only the agent Text learns of findings from them.
const (
	exitSilent = 0
	exitFound  = 1
)

// maxPayload limits how much of a payload is read, in bytes. Payloads include the results of tools.
const maxPayload = 64 << 20

// Run answers one hook and returns the exit code. Whatever goes wrong, and why nothing is reported, is
// written to the log in Options.State, and does not fail the agent.
func Run(ctx context.Context, in io.Reader, out io.Writer, o Options) (code int) {
	e, err := o.event(in)
	if err != nil {
		o.log(err)
		return exitSilent
	}
	ctx, cancel := context.WithTimeout(ctx, o.budget(e))
	defer cancel()
	text, person, why := o.text(ctx, e)
	if why != nil {
		o.log(fmt.Errorf("%s %s: %w", e.Agent, e.Name, why))
	}
	if _, err := out.Write(answer(e, legible.Model(text), legible.Line(person))); err != nil {
		o.log(err)
	}
	if e.Agent == Text && text != "" {
		return exitFound
	}
	return exitSilent
}

// budget returns how long the hook of an event may take. Of what the agent allows, a tenth is left
// for the start and the end of the process.
func (o *Options) budget(e *Event) time.Duration {
	if o.Timeout > 0 {
		return o.Timeout
	}
	allowed := o.Allows(e)
	return allowed - min(max(allowed/10, time.Second), 5*time.Second, allowed/2)
}

// because returns a reason for reporting nothing, for the log.
func because(format string, args ...any) error { return fmt.Errorf(format, args...) }

// event returns the event that the hook is about.
func (o *Options) event(in io.Reader) (*Event, error) {
	if len(o.Files) > 0 {
		e := &Event{Agent: Text, Name: "edited", Moment: Edited, Dir: o.Dir}
		for _, name := range o.Files {
			e.addEdit(Edit{Path: name})
		}
		return e, nil
	}
	data, err := io.ReadAll(io.LimitReader(in, maxPayload))
	if err != nil {
		return nil, fmt.Errorf("the payload of the hook: %w", err)
	}
	e, err := Decode(data, o.Agent, o.Environ)
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(e.Dir) {
		e.Dir = o.Dir
		for i := range e.Edits {
			e.Edits[i].Path = e.path(e.Edits[i].Path)
		}
	}
	return e, nil
}

// text returns the text for the agent's model, and a line for its user. why says what is not known and, if there is no text,
// why.
func (o *Options) text(ctx context.Context, e *Event) (text, person string, why error) {
	switch {
	case e.Moment == Aside:
		return "", "", because("it is not about edits")
	case e.Aborted:
		return "", "", because("the user stopped the turn")
	case e.Moment == Settled && !hears(e.Agent, Settled):
		return "", "", because("this agent cannot be kept from ending its turn")
	}
	w, err := o.Open(e.Dir, e.Session)
	if err != nil {
		return "", "", err
	}
	e.resolve()
	r := &run{Options: o, event: e, workspace: w}
	text, why = r.handleEvent(ctx)
	return text, r.person, errors.Join(why, w.Close())
}

// A run is one hook that has something to check.
type run struct {
	*Options
	event     *Event
	workspace Workspace
	memory    *memory
	// person is what the agent's user should know, "" for nothing.
	person string
}

func (r *run) handleEvent(ctx context.Context) (text string, why error) {
	n := r.noteOfEvent()
	if r.event.Session == "" { // no later hook could refer to it
		r.memory = &memory{}
		r.memory.prepare()
		asked, err := r.takeIn(ctx, map[string]note{"": n}, "")
		return r.answerOwed(ctx, asked, err)
	}
	d, err := deskOf(r.State, r.workspace.Root+"\x00"+r.event.Session)
	if err != nil {
		return "", err
	}
	own := ""
	if !n.isEmpty() {
		if own, err = d.leave(n, time.Now()); err != nil {
			return "", err
		}
	}
	m, keep, letGo, err := d.remember(ctx)
	if err != nil {
		return r.unremembered(err)
	}
	defer letGo()
	r.memory = m
	text, why = r.handleRemembered(ctx, d, own, keep)
	return text, errors.Join(why, keep())
}

// handleRemembered continues the session that the run remembers. own is the file of the event's note, "" if
// there is none.
func (r *run) handleRemembered(ctx context.Context, d desk, own string, keep func() error) (text string, why error) {
	notes, err := d.notes()
	if err != nil {
		return "", err
	}
	first := !r.memory.Swept
	asked, missed := r.takeIn(ctx, notes, own)
	if ctx.Err() == nil { // else the next hook looks again
		if err := keep(); err != nil {
			return "", err
		}
		for file := range notes {
			_ = os.Remove(file) // otherwise the next hook takes it in again
		}
	}
	started := r.startServers(ctx, first)
	text, why = r.answerOwed(ctx, asked, missed)
	return r.quieted() + text, errors.Join(started, why)
}

// answerOwed returns the text about what the event's tools changed, and about what is owed. missed says why
// other changes are not known, nil if they are.
func (r *run) answerOwed(ctx context.Context, asked []string, missed error) (text string, why error) {
	switch r.event.Moment {
	case Settled:
		text, why = r.endTurn(ctx, missed)
	case Begun:
		forgetOld(r.State, time.Now())
		fallthrough
	default:
		text, why = r.checkOwed(ctx, asked)
	}
	return text, errors.Join(missed, why)
}

// noteOfEvent returns what the event's tools changed.
func (r *run) noteOfEvent() note {
	n := note{Sweep: r.event.Sweep}
	for _, path := range r.changedByTools() {
		n.Changes = append(n.Changes, change{path, r.textBefore(path)})
	}
	return n
}

// takeIn records what notes, by file, say has changed, and what the disk says if any other file may
// have: all of it is owed. It returns the files of the event itself, whose note is own, those that a
// tool named first.
func (r *run) takeIn(ctx context.Context, notes map[string]note, own string) (asked []string, err error) {
	m, moment := r.memory, r.event.Moment
	sweeps := moment == Begun || moment == Settled || !m.Swept
	for _, n := range notes {
		sweeps = sweeps || n.Sweep
	}
	var swept []string
	if sweeps {
		swept, err = r.changedOnDisk(ctx)
	}
	if moment == Begun { // the session was not at work when this changed
		swept = nil
	}
	var named []string
	for _, file := range slices.Sorted(maps.Keys(notes)) {
		for _, c := range notes[file].Changes {
			m.recordChange(c.Path, c.Before)
			m.owe(c.Path, c.Before)
			if named = append(named, c.Path); file == own {
				asked = append(asked, c.Path)
			}
		}
	}
	m.recordStamps(named)
	for _, path := range r.belowRoot(swept) {
		if !slices.Contains(named, path) {
			m.recordChange(path, nil)
			m.owe(path, nil)
			asked = append(asked, path)
		}
	}
	return asked, err
}

// unremembered answers an event when what the session remembers cannot be had. The end of a turn
// admits it.
func (r *run) unremembered(err error) (string, error) {
	if r.event.Moment != Settled {
		return "", err
	}
	report := report{open: []opening{{what: "what this session changed", why: err.Error(), later: true}}}
	return report.text(r.Report, r.MaxBytes), err
}

// startLimit bounds the call that has servers started, because the agent waits for the hook.
const startLimit = 3 * time.Second

// startServers has the servers of the workspace started when a session begins, or with its first event if
// the agent does not announce it. It returns what came of it, for the log.
func (r *run) startServers(ctx context.Context, first bool) error {
	moment := r.event.Moment
	if r.workspace.Start == nil || moment != Begun && !(first && moment == Prompted) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	names, err := r.workspace.Start(ctx)
	if shows(r.event.Agent) { // else another agent tells him
		r.person = r.workspace.Found(names)
	}
	switch {
	case err != nil:
		return fmt.Errorf("servers are not started ahead: %w", err)
	case len(names) == 0:
		return because("no server is needed")
	}
	return because("servers start: %s", strings.Join(names, ", "))
}

// checkOwed checks the files that are owed: those that the event's tools changed, asked, and those of
// earlier events that could not be judged in time.
func (r *run) checkOwed(ctx context.Context, asked []string) (string, error) {
	m, moment := r.memory, r.event.Moment
	switch {
	case len(m.Owed) == 0 && moment == Edited:
		return "", because("no file of the workspace has changed")
	case len(m.Owed) == 0:
		return "", because("nothing is owed")
	case !hears(r.event.Agent, moment):
		return "", because("the agent does not show its model what this hook says: %d files are left to a later one", len(m.Owed))
	case moment == Edited && r.Report == ReportTurn:
		return "", because("it is reported at the end of the turn: %d files", len(m.Owed))
	}
	before := make(map[string]string)
	for path, text := range m.Owed {
		if text != nil {
			before[path] = *text
		}
	}
	// Check the files with reported findings by name: only then is it certain which findings are
	// left.
	answer, err := r.checkFiles(ctx, unionOf(m.told(), unionOf(asked, m.owed())), before)
	if err != nil {
		return "", err
	}
	report := report{dir: r.event.Dir, root: answer.Root}
	report.afterEdit(m, &answer, asked)
	if moment != Edited {
		report.ofEarlier()
	}
	text, why := report.text(r.Report, r.MaxBytes), report.unknown(&answer)
	if text == "" && why == nil {
		why = because("nothing is new: %d files judged", len(answer.Files))
	}
	return text, why
}

// endTurn checks everything that the session changed, at the end of a turn. The same findings keep the
// agent from ending its turn only once, and so does what is not known. missed says why not all changes
// are known.
func (r *run) endTurn(ctx context.Context, missed error) (string, error) {
	m := r.memory
	asked := unionOf(m.told(), unionOf(m.owed(), m.Touched))
	if len(asked) == 0 {
		return "", because("this session has changed no file of the workspace")
	}
	report := report{dir: r.event.Dir, root: r.workspace.Root}
	was := m.Held[r.event.Name]
	answer, why := r.checkFiles(ctx, asked, m.Before)
	switch {
	case why == nil:
		report.root = answer.Root
		report.atEnd(m, &answer, was)
		why = report.unknown(&answer)
	case errors.Is(ctx.Err(), context.Canceled): // nobody reads the answer
		return "", why
	default:
		report.unanswered(m, asked, why)
	}
	if missed != nil {
		why := strings.TrimPrefix(missed.Error(), unknownOnDisk)
		report.open = append(report.open, opening{key: "disk", what: "what changed on disk", why: why})
	}
	now := report.holds()
	m.Held[r.event.Name] = now
	switch {
	case len(report.listed)+len(report.open) == 0:
		m.GivenUp = held{}
		return "", errors.Join(why, because("nothing that this session changed is broken: %d files judged", len(asked)))
	case now.isNews(was):
		m.GivenUp = held{}
		report.noteUntrusted(m, &answer)
		return report.text(r.Report, r.MaxBytes), why
	}
	errorsLeft := fmt.Sprintf("%d %s", count(report.listed), nounFor(count(report.listed), report.listed))
	if why == nil && missed == nil && len(report.open) == 0 && (held{Findings: now.Findings}).isNews(m.GivenUp) {
		m.GivenUp = now
		r.person = fmt.Sprintf("lspine: the turn ends with %s of its changes, which the agent was shown: %s",
			errorsLeft, render.Named(report.listed, report.shown))
	}
	return "", errors.Join(why, because("the same has kept the turn from ending before: %s, %d not known", errorsLeft, len(report.open)))
}

// unknownOnDisk begins the error of a look at the disk that failed.
const unknownOnDisk = "what changed on disk is not known: "

// changedOnDisk returns the files that changed on disk since the session last looked.
func (r *run) changedOnDisk(ctx context.Context) ([]string, error) {
	if r.workspace.Changed == nil {
		return nil, nil
	}
	listing, err := r.workspace.Changed(ctx, r.memory.Commit)
	if err != nil {
		return nil, fmt.Errorf(unknownOnDisk+"%w", err)
	}
	if !r.memory.Swept {
		r.memory.Commit = listing.Commit
	}
	return r.memory.changedSinceSweep(listing), nil
}

// changedByTools returns the files that the event's tools report as changed.
func (r *run) changedByTools() (paths []string) {
	for _, edit := range r.event.Edits {
		paths = append(paths, edit.Path)
	}
	return r.belowRoot(paths)
}

// belowRoot returns the files below the root, without folders.
func (r *run) belowRoot(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		relative, err := filepath.Rel(r.workspace.Root, path)
		if err != nil || !filepath.IsLocal(relative) {
			return true
		}
		info, err := os.Stat(path)
		return err == nil && !info.Mode().IsRegular()
	})
}

// textBefore returns the text of a file before the event's tools changed it, nil if unknown.
func (r *run) textBefore(path string) *string {
	i := slices.IndexFunc(r.event.Edits, func(e Edit) bool { return e.Path == path })
	if i < 0 {
		return nil
	}
	edit := r.event.Edits[i]
	if edit.Before != nil {
		return edit.Before
	}
	content, err := fspath.Read(path)
	if err != nil {
		return nil
	}
	if text, ok := takeBack(string(content), edit.Undo); ok {
		return &text
	}
	return nil
}

// checkFiles checks files within the remaining time. before has the texts to compare with.
func (r *run) checkFiles(ctx context.Context, files []string, before map[string]string) (result.Check, error) {
	request := api.CheckRequest{Files: files, Before: before, Severities: r.Severities, MaxBytes: -1}
	for _, path := range files { // it was there when a look or a tool of the agent told of it
		if _, known := before[path]; !known && stampOf(path) == (stamp{}) {
			request.Gone = append(request.Gone, path)
		}
	}
	if deadline, ok := ctx.Deadline(); ok {
		const grace = 100 * time.Millisecond // to print the answer
		request.TimeoutMS = int(max(time.Until(deadline)-grace, time.Millisecond).Milliseconds())
	}
	call := api.Call{Session: "hook " + r.event.Session}
	return api.Check.Do(call.In(ctx), r.workspace.Caller, request)
}
