package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/api"
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
	// Timeout limits the time to answer, MaxBytes the length of the text. Report is one of
	// ReportEach, ReportTurn and ReportFull.
	Timeout  time.Duration
	MaxBytes int
	Report   string
	// Severities are those to report; if empty, those in the configuration.
	Severities []string
	// State is the folder for the memories and the log of hooks. If it is "", nothing is reported.
	State string
	// Open returns the Workspace that contains a folder, for the session of an agent ("" if it has
	// none). Run closes it.
	Open func(ctx context.Context, dir, session string) (Workspace, error)
}

// A Workspace checks the files below its root.
type Workspace struct {
	api.Caller
	// Root is absolute, with symbolic links resolved.
	Root string
	// Changed returns the files that may differ from a git commit; "" means the commit that is
	// checked out.
	Changed func(ctx context.Context, commit string) (Listing, error)
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

// Run answers one hook and returns the exit code. Whatever goes wrong is written to the log in
// Options.State, and does not fail the agent.
func Run(ctx context.Context, in io.Reader, out io.Writer, o Options) (code int) {
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	e, err := o.event(in)
	if err != nil {
		o.log(err)
		return exitSilent
	}
	text, err := o.text(ctx, e)
	if err != nil {
		o.log(fmt.Errorf("%s %s: %w", e.Agent, e.Name, err))
	}
	if _, err := out.Write(answer(e, text)); err != nil {
		o.log(err)
	}
	if e.Agent == Text && text != "" {
		return exitFound
	}
	return exitSilent
}

// event returns the event that the hook is about.
func (o *Options) event(in io.Reader) (*Event, error) {
	if len(o.Files) > 0 {
		e := &Event{Agent: Text, Name: "edited", Moment: Edited, Dir: o.Dir}
		for _, name := range o.Files {
			e.add(Edit{Path: name})
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

// text returns the text for the agent's model.
func (o *Options) text(ctx context.Context, e *Event) (string, error) {
	if e.Moment == Aside || e.Aborted || e.Moment == Settled && !canHold(e.Agent) {
		return "", nil
	}
	w, err := o.Open(ctx, e.Dir, e.Session)
	if err != nil {
		return "", err
	}
	e.resolve()
	r := &run{Options: o, event: e, workspace: w}
	text, err := r.do(ctx)
	return text, errors.Join(err, w.Close())
}

// A run is one hook that has something to check.
type run struct {
	*Options
	event     *Event
	workspace Workspace
	memory    *memory
}

func (r *run) do(ctx context.Context) (text string, err error) {
	m, keep, letGo, err := remember(ctx, r.State, r.workspace.Root+"\x00"+r.event.Session)
	if err != nil {
		return "", err
	}
	defer letGo()
	if r.memory = m; r.event.Session == "" { // no later hook could refer to it
		r.memory = &memory{Stamps: map[string]stamp{}, Before: map[string]string{}, Broken: map[string][]finding{}}
		keep = func() error { return nil }
	}
	switch r.event.Moment {
	case Begun:
		forgetOld(r.State, time.Now())
		_, err = r.sweep(ctx)
	case Settled:
		text, err = r.end(ctx)
	default:
		text, err = r.edited(ctx)
	}
	return text, errors.Join(err, keep())
}

// edited checks the files that tools changed.
func (r *run) edited(ctx context.Context) (string, error) {
	asked := r.changed()
	var swept []string
	var err error
	if r.event.Sweep || !r.memory.Swept {
		swept, err = r.sweep(ctx)
	}
	r.memory.see(asked)
	if r.event.Sweep {
		asked = union(asked, r.inside(swept))
	}
	for _, path := range asked {
		r.memory.touch(path, r.before(path))
	}
	if len(asked)+len(r.memory.Owed) == 0 || r.Report == ReportTurn {
		r.memory.owe(asked)
		return "", err
	}
	before := make(map[string]string)
	for _, path := range asked {
		if text := r.before(path); text != nil {
			before[path] = *text
		}
	}
	// Check the files with reported findings by name: only then is it certain which findings are
	// left.
	files := union(union(asked, r.memory.Owed), r.told())
	answer, failed := r.check(ctx, files, before)
	if failed != nil {
		r.memory.owe(asked)
		return "", errors.Join(err, failed)
	}
	report := report{dir: r.event.Dir, root: answer.Root}
	report.afterEdit(r.memory, &answer, asked)
	return report.text(r.Report, r.MaxBytes), errors.Join(err, report.silence(&answer))
}

// end checks everything that the session changed, at the end of a turn. The same findings keep the
// agent from ending its turn only once.
func (r *run) end(ctx context.Context) (string, error) {
	swept, err := r.sweep(ctx)
	for _, path := range r.inside(swept) {
		r.memory.touch(path, nil)
	}
	asked := union(r.memory.Touched, r.memory.Owed)
	if len(asked) == 0 {
		return "", err
	}
	answer, failed := r.check(ctx, union(asked, r.told()), r.memory.Before)
	if failed != nil {
		return "", errors.Join(err, failed)
	}
	report := report{dir: r.event.Dir, root: answer.Root}
	report.atEnd(r.memory, &answer, asked)
	err = errors.Join(err, report.silence(&answer))
	if len(report.listed)+len(report.open) == 0 {
		r.memory.Held = ""
		return "", err
	}
	if set := report.set(); set != r.memory.Held {
		r.memory.Held = set
		return report.text(r.Report, r.MaxBytes), err
	}
	return "", err
}

// sweep returns the files that changed on disk since the session last looked.
func (r *run) sweep(ctx context.Context) ([]string, error) {
	if r.workspace.Changed == nil {
		return nil, nil
	}
	listing, err := r.workspace.Changed(ctx, r.memory.Commit)
	if err != nil {
		return nil, fmt.Errorf("what changed on disk is not known: %w", err)
	}
	if !r.memory.Swept {
		r.memory.Commit = listing.Commit
	}
	return r.memory.sweep(listing), nil
}

// changed returns the files that the event's tools report as changed.
func (r *run) changed() (paths []string) {
	for _, edit := range r.event.Edits {
		paths = append(paths, edit.Path)
	}
	return r.inside(paths)
}

// inside returns the files below the root, without folders.
func (r *run) inside(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		relative, err := filepath.Rel(r.workspace.Root, path)
		if err != nil || !filepath.IsLocal(relative) {
			return true
		}
		info, err := os.Stat(path)
		return err == nil && !info.Mode().IsRegular()
	})
}

// before returns the text of a file before the event's tools changed it, nil if unknown.
func (r *run) before(path string) *string {
	i := slices.IndexFunc(r.event.Edits, func(e Edit) bool { return e.Path == path })
	if i < 0 {
		return nil
	}
	edit := r.event.Edits[i]
	if edit.Before != nil {
		return edit.Before
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	if text, ok := takeBack(string(content), edit.Undo); ok {
		return &text
	}
	return nil
}

// told returns the files with findings that were reported to the agent.
func (r *run) told() (paths []string) {
	for path := range r.memory.Broken {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// check checks files within the remaining time. before has the texts to compare with.
func (r *run) check(ctx context.Context, files []string, before map[string]string) (result.Check, error) {
	request := api.CheckRequest{Files: files, Before: before, Severities: r.Severities, MaxBytes: -1}
	if deadline, ok := ctx.Deadline(); ok {
		const grace = 100 * time.Millisecond // to print the answer
		request.TimeoutMS = int(max(time.Until(deadline)-grace, time.Millisecond).Milliseconds())
	}
	call := api.Call{Session: "hook " + r.event.Session}
	return api.Check.Do(call.In(ctx), r.workspace.Caller, request)
}

// union returns the names in both lists, each once.
func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, name := range b {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// maxLog limits the log, in bytes. A longer log is started over.
const maxLog = 1 << 20

// log records for people why nothing was reported.
func (o *Options) log(err error) {
	if o.State == "" || os.MkdirAll(o.State, 0o700) != nil {
		return // nobody else can be told
	}
	name := filepath.Join(o.State, "hook.log")
	if info, err := os.Stat(name); err == nil && info.Size() > maxLog {
		_ = os.Rename(name, name+".old")
	}
	f, opened := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if opened != nil {
		return
	}
	defer f.Close()
	fmt.Fprintf(f, "%s %s\n", time.Now().Format(time.RFC3339), strings.ReplaceAll(err.Error(), "\n", "; "))
}
