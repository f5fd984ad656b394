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

// Options say how hooks are answered.
type Options struct {
	// Agent is who asks; "" finds out by the payload.
	Agent Agent
	// Files are checked instead of those that a payload names, which is not read then.
	Files []string
	// Dir is the folder for relative names where the payload names none; absolute.
	Dir string
	// Environ is the environment, as KEY=value.
	Environ []string
	// Timeout bounds the answer, MaxBytes its text. Report is one of the Reports.
	Timeout  time.Duration
	MaxBytes int
	Report   string
	// Severities are what is told; none: as configured.
	Severities []string
	// State is the folder for what hooks remember, and for their log; "" is none, and
	// silence.
	State string
	// Open returns who answers a session of an agent for the workspace around a folder.
	// Session is "" if the agent names none.
	Open func(ctx context.Context, dir, session string) (Workspace, error)
}

// A Workspace answers for the files below its root.
type Workspace struct {
	api.Caller
	// Root has its links resolved.
	Root string
	// Changed lists what differs from a commit, "" being the present one. It fails where
	// nothing is under version control.
	Changed func(ctx context.Context, commit string) (Listing, error)
	// Close ends it.
	Close func() error
}

// A Listing is what differs from a commit.
type Listing struct {
	// Commit is the present one.
	Commit string
	// Files are absolute; those that are gone are among them.
	Files []string
}

// The exit codes of hooks. Only for nobody's agent, Text, findings are told by it.
const (
	exitSilent = 0
	exitFound  = 1
)

// maxPayload bounds what is read of a payload; the tools' own results are part of it.
const maxPayload = 64 << 20

// Run answers one hook and returns the exit code. Whatever goes wrong is written to the log
// and is no error for the agent.
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

// event returns what the hook is about.
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
	}
	return e, nil
}

// text returns what the agent's model is to be told.
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

// A run is one hook that has something to do.
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
	if r.memory = m; r.event.Session == "" { // nobody could be meant by it again
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

// edited checks what tools have changed.
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
	// What was told before is asked by name: only so it is certain what is left of it.
	files := union(union(asked, r.memory.Owed), r.told())
	answer, failed := r.check(ctx, files, before)
	if failed != nil {
		r.memory.owe(asked)
		return "", errors.Join(err, failed)
	}
	report := report{dir: r.event.Dir, root: answer.Root}
	report.afterEdit(r.memory, &answer, asked)
	return report.text(r.Report, r.MaxBytes), err
}

// end checks all that the session has changed, at the end of its turn. The same findings
// hold a turn back once.
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
	if len(report.listed) == 0 {
		r.memory.Held = ""
		return "", err
	}
	if set := report.set(); set != r.memory.Held {
		r.memory.Held = set
		return report.text(r.Report, r.MaxBytes), err
	}
	return "", err
}

// sweep returns what changed on disk since the session last looked.
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

// changed returns the files that the event's tools name as changed.
func (r *run) changed() (paths []string) {
	for _, edit := range r.event.Edits {
		paths = append(paths, edit.Path)
	}
	return r.inside(paths)
}

// inside returns the files that are below the root; folders are none.
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

// before returns the text of a file before the event's tools changed it, nil if it is not
// known.
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

// told returns the files with findings that the agent knows of.
func (r *run) told() (paths []string) {
	for path := range r.memory.Broken {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// check asks what is wrong, within what is left of the time.
func (r *run) check(ctx context.Context, files []string, before map[string]string) (result.Check, error) {
	request := api.CheckRequest{Files: files, Before: before, Severities: r.Severities, MaxBytes: -1}
	if deadline, ok := ctx.Deadline(); ok {
		const grace = 100 * time.Millisecond // for saying it
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

// maxLog bounds the log, in bytes; then it begins anew.
const maxLog = 1 << 20

// log writes why nothing was said, where a person finds it.
func (o *Options) log(err error) {
	if o.State == "" || os.MkdirAll(o.State, 0o700) != nil {
		return // there is nobody else to tell
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
