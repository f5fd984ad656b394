// Package doctor reports on language servers: which ones the files of a workspace need, what state
// they are in, what they support, and why one does not answer. It starts, restarts and stops them
// on request.
package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/setup"
	"github.com/lspine/lspine/internal/workspace"
)

// Options configure the doctor of one caller.
type Options struct {
	Workspace *workspace.Workspace
	Names     workspace.Names
	View      *overlay.View
	Setup     *setup.Setup
	// Collector has statistics about the servers' answers.
	Collector *diagnostics.Collector
	// Config is the merged configuration; Problems is what is wrong with it.
	Config   *config.Config
	Problems []config.Problem
	// Only, if not empty, names the servers that may start.
	Only []string
}

// A Doctor reports on the servers of a workspace to one caller. It is safe for concurrent use.
type Doctor struct{ opts Options }

// New returns the Doctor of a caller.
func New(opts Options) *Doctor { return &Doctor{opts} }

const (
	// doctorTimeout limits a request that sets no deadline.
	doctorTimeout = 45 * time.Second
	// maxStarted limits how many servers are started for one request.
	maxStarted = 6
)

// A run is the state of one Examine request.
type run struct {
	*Doctor
	result result.Doctor
	files  []string // absolute
	// unreadable are those of the files that could not be read, which is reported.
	unreadable []string
	// whole bounds the call. work ends earlier, to leave time for shutting servers down.
	whole, work context.Context
	timeout     time.Duration
}

// A subject is a server to be examined.
type subject struct {
	roots.Examination
	// probe is the absolute path of a file to open in it; files is how many files need the server.
	probe string
	files int
	// stray says that the project is not set up for its files, and has more of others.
	stray bool
}

// Examine looks for problems with the configuration, with the project, and with each server for the
// files of a request, by default all files of the workspace. It starts each server in isolation,
// opens a file in it, and stops it again; it does not touch running servers.
func (doc *Doctor) Examine(ctx context.Context, req api.DoctorRequest) (result.Doctor, error) {
	if err := req.Limits.Valid(); err != nil {
		return result.Doctor{}, err
	}
	began := time.Now()
	timeout := cmp.Or(time.Duration(req.TimeoutMS)*time.Millisecond, max(doctorTimeout, doc.opts.Config.Settings.FirstTouchTimeout))
	whole, cancel := context.WithDeadline(ctx, began.Add(timeout))
	defer cancel()
	work, cancel := context.WithDeadline(ctx, began.Add(timeout-min(timeout/8, time.Second)))
	defer cancel()
	v := &run{Doctor: doc, whole: whole, work: work, timeout: timeout, result: result.Doctor{
		Root: doc.opts.Workspace.Root(), Languages: []string{}, Symptoms: []result.Symptom{}, Servers: []result.ServerReport{},
	}}
	v.configuration()
	subjects, err := v.admit(req.Files)
	if err != nil {
		return result.Doctor{}, err
	}
	v.examineAll(subjects)
	if err := call.Canceled(ctx); err != nil {
		return result.Doctor{}, err
	}
	v.silences(subjects)
	v.result.Judge()
	v.result.TookMS = time.Since(began).Milliseconds()
	return v.result, nil
}

// note adds a symptom that is not about a single server.
func (v *run) note(s result.Symptom) { v.result.Symptoms = append(v.result.Symptoms, s) }

// configuration adds symptoms for what is wrong with the configuration.
func (v *run) configuration() {
	for _, p := range v.opts.Problems {
		next := changing(config.Source{Layer: p.Layer, File: p.File, Line: p.Line, Name: p.Name})
		v.note(result.Symptom{Level: result.LevelProblem, Step: "configuration", Message: p.Error(), Next: next})
	}
	for _, u := range v.opts.Config.Untrusted {
		v.note(v.untrusted(u))
	}
	if !v.opts.Config.Settings.Enabled {
		source := v.opts.Config.Source("lsp")
		v.note(result.Symptom{
			Level: result.LevelProblem, Step: "configuration", Message: fmt.Sprintf("LSP is switched off (%s): no server is started", source), Next: changing(source),
		})
	}
}

// untrusted describes a value of the project's configuration that is not applied. It is a problem
// if the server is defined only by that value, otherwise a remark.
func (v *run) untrusted(u config.Untrusted) result.Symptom {
	s := result.Symptom{Level: result.LevelNote, Step: "configuration", Message: u.String()}
	if u.Field == "command" || u.Field == "connect" {
		s.Message = fmt.Sprintf("%s:%d: %s is untrusted: a project's file cannot say what runs, and this one says %s", u.File, u.Line, u.ID, u.Value)
	}
	if _, known := v.opts.Config.Servers.Get(u.ID); !known && u.ID != "" {
		s.Level = result.LevelProblem
	}
	for _, f := range v.opts.Config.Files {
		switch {
		case f.Layer != config.LayerUser:
		case u.ID != "":
			s.Next = "lspine trust"
			s.Details = []string{"it shows all that the project wants to run, and allows it; or put into " + f.Path + ":", ownEntry(u)}
		default:
			if s.Next = openEditor(f.Path, 0); !f.Found {
				s.Next = setup.Here.Then(setup.Here.MakeFolder(filepath.Dir(f.Path)), s.Next)
			}
			s.Details = []string{"to have it all the same, put it into your own file:", ownEntry(u)}
		}
	}
	return s
}

// ownEntry returns the lines for the user's own configuration that have the same effect as a value
// that is not applied.
func ownEntry(u config.Untrusted) string {
	if u.ID == "" {
		return fmt.Sprintf(`{"lsp": {%q: %s}}`, u.Field, u.Value)
	}
	return fmt.Sprintf(`{"lsp": {"servers": {%q: {%q: %s}}}}`, u.ID, u.Field, u.Value)
}

// admit returns the servers to examine: those for the given files or, if there are none, for the
// workspace.
func (v *run) admit(names []string) ([]subject, error) {
	if len(names) == 0 {
		return v.admitWorkspace()
	}
	var subjects []subject
	for _, name := range names {
		path, err := v.opts.Names.Resolve(name)
		if err != nil {
			return nil, err
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return nil, &api.ArgumentError{Argument: "files", Reason: name + " is a folder", Advice: "name a file, or none for the whole workspace"}
		}
		v.files = append(v.files, path)
		v.result.Files = append(v.result.Files, v.opts.Names.Relative(path))
		if _, err := v.opts.Workspace.Read(path); err != nil {
			var missing *workspace.NotFoundError
			if errors.As(err, &missing) {
				return nil, err
			}
			v.note(result.Symptom{Level: result.LevelProblem, Step: "file", Message: err.Error(), Next: v.unread(err)})
			v.unreadable = append(v.unreadable, path)
			continue
		}
		subjects = v.admitFile(subjects, path)
	}
	return subjects, nil
}

// unread returns what to do about a file that is never opened in a server.
func (v *run) unread(err error) string {
	var left *workspace.NotDiagnosedError
	if errors.As(err, &left) && strings.HasPrefix(left.Reason, "the ignore list") {
		return changing(v.opts.Config.Source("lsp.ignore"))
	}
	return restate.Hint(err)
}

// admitFile adds the servers for a file that are not yet among the subjects.
func (v *run) admitFile(subjects []subject, path string) []subject {
	for _, x := range v.opts.Workspace.Examine(path) {
		if language, ok := x.Definition.LanguageID(path); ok && !slices.Contains(v.result.Languages, language) && x.Passed == roots.Asked {
			v.result.Languages = append(v.result.Languages, language)
		}
		if x.Passed != roots.Asked {
			if len(v.files) > 0 {
				v.pass(x)
			}
			continue
		}
		switch {
		case len(v.files) == 0 && x.Definition.Optional && x.Unavailable != nil:
			continue // nobody misses it
		case len(v.files) == 0 && x.Unavailable != nil && slices.ContainsFunc(subjects, func(p subject) bool { return p.standsIn(&x) }):
			continue // one of them is enough
		case len(v.opts.Only) > 0 && !slices.Contains(v.opts.Only, x.Definition.ID):
			continue
		}
		if !slices.ContainsFunc(subjects, func(p subject) bool { return p.Key() == x.Key() }) {
			subjects = append(subjects, subject{Examination: x, probe: path})
		}
	}
	return subjects
}

// standsIn reports whether a server answers in the place of another one.
func (p *subject) standsIn(x *roots.Examination) bool {
	return p.Definition.Group != "" && p.Definition.Group == x.Definition.Group && p.Root == x.Root
}

// pass records a skipped server.
func (v *run) pass(x roots.Examination) {
	p := result.PassedOver{ID: x.Definition.ID, Reason: whyPassed(x)}
	if !slices.ContainsFunc(v.result.Passed, func(o result.PassedOver) bool { return o.ID == p.ID }) {
		v.result.Passed = append(v.result.Passed, p)
	}
}

// whyPassed says why a server is skipped, "" if it is not.
func whyPassed(x roots.Examination) string {
	switch x.Passed {
	case roots.Asked:
		return ""
	case roots.NotNamed:
		return fmt.Sprintf(`only for those who name it: {"lsp": {"servers": {%q: {}}}}`, x.Definition.ID)
	case roots.OutOfScope:
		return fmt.Sprintf("the file is outside of lsp.servers.%s.scope: %s", x.Definition.ID, strings.Join(x.Definition.Within, ", "))
	case roots.Excluded:
		return "not for files below " + x.By
	case roots.Unconfigured:
		return "no " + workspace.AnyOf(x.Definition.Requires) + " in or above the file's folder"
	}
	reason := "others come before it"
	if x.By != "" {
		reason = x.By + " is asked in its place"
	}
	for _, search := range x.Searched {
		if search.Obstacle != "" && !strings.HasSuffix(search.Obstacle, "not found in PATH") {
			reason += ": " + search.Obstacle
		}
	}
	return reason
}

// admitWorkspace returns the servers that the files of the workspace need, each with a small file
// to open.
func (v *run) admitWorkspace() ([]subject, error) {
	samples, err := v.opts.Workspace.Samples(v.work, "")
	if err == nil && len(samples) == 0 {
		v.note(result.Symptom{
			Level: result.LevelProblem, Step: "workspace", Message: "no file here is of a kind that needs a server", Next: "lspine servers",
		})
	}
	var files []string
	if err == nil {
		files, err = v.opts.Workspace.Files(v.work)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		v.note(result.Symptom{
			Level: result.LevelProblem, Step: "workspace", Message: fmt.Sprintf("the files could not be listed within %v", v.timeout), Next: v.again("", 4),
		})
		return nil, nil
	case err != nil:
		return nil, err
	}
	var subjects []subject
	for i, s := range samples {
		before, path := len(subjects), s.Path
		if i < maxStarted { // only these are started and need a small file
			path = v.probe(files, s)
		}
		subjects = v.admitFile(subjects, path)
		for i := range subjects[before:] {
			p := &subjects[before+i]
			p.files, p.stray = s.Files, before > 0 && p.Marker == "" && len(p.Definition.Roots) > 0
		}
	}
	return subjects, nil
}

// maxLooked limits how many files are searched for a small one.
const maxLooked = 200

// probe returns the smallest of the files that a server handles, preferably one in its first
// language.
func (v *run) probe(files []string, s workspace.Sample) string {
	best, smallest, looked := s.Path, int64(1<<62), 0
	d := &s.Candidate.Definition
	for _, path := range files {
		language, _ := d.LanguageID(path)
		if language != d.Languages[0].ID || !fspath.Below(s.Candidate.Root, path) {
			continue
		}
		if looked++; looked > maxLooked {
			break
		}
		info, err := os.Stat(path)
		if err != nil || info.Size() == 0 || info.Size() >= smallest {
			continue
		}
		ours := func(c roots.Candidate) bool { return c.Key() == s.Candidate.Key() }
		if _, err := v.opts.Workspace.Read(path); err == nil && slices.ContainsFunc(v.opts.Workspace.Candidates(path), ours) {
			best, smallest = path, info.Size()
		}
	}
	return best
}

// examineAll examines the subjects concurrently, so that a hanging server does not delay the
// others.
func (v *run) examineAll(subjects []subject) {
	started, kept := 0, subjects[:0:0]
	var left []string
	for _, p := range subjects {
		if p.Unavailable == nil {
			if started++; started > maxStarted {
				left = append(left, p.Definition.ID+" for "+v.opts.Names.Relative(p.Root))
				continue
			}
		}
		kept = append(kept, p)
	}
	if len(left) > 0 {
		v.note(result.Symptom{
			Level: result.LevelNote, Step: "workspace", Message: fmt.Sprintf("only the %d servers for the most files are started; left out: %s", maxStarted, strings.Join(left, ", ")),
			Next: "lspine doctor FILE",
		})
	}
	v.result.Servers = make([]result.ServerReport, len(kept))
	var all guard.Group
	for i, p := range kept {
		all.Go(func() { v.result.Servers[i] = v.examine(p) })
	}
	all.Wait()
}

// silences adds a symptom for the files for which no server reports diagnostics.
func (v *run) silences(subjects []subject) {
	for i, path := range v.files {
		if slices.Contains(v.unreadable, path) {
			continue // already reported
		}
		known, judged := false, false
		var servers []string // the ids of those that know this kind of file
		for _, p := range subjects {
			if _, ok := p.Definition.LanguageID(path); ok {
				known, judged = true, judged || p.Unavailable == nil
				servers = append(servers, p.Definition.ID)
			}
		}
		switch name := v.result.Files[i]; {
		case judged:
		case !known && len(v.opts.Workspace.Examine(path)) == 0:
			v.note(result.Symptom{
				Level: result.LevelProblem, Step: "file", Message: fmt.Sprintf("%s: no server knows this kind of file", name), Next: "lspine servers",
				Details: []string{fmt.Sprintf(`a server of your own: {"lsp": {"servers": {"ID": {"command": "PROGRAM", "extensions": [%q]}}}}`, cmp.Or(filepath.Ext(path), "."+filepath.Base(path)))},
			})
		default:
			v.note(result.Symptom{Level: result.LevelProblem, Step: "file", Message: name + ": no server judges it; see below why", Next: cmp.Or(v.firstNext(servers), "lspine servers "+setup.Quoted(name))})
		}
	}
}

// firstNext returns the first command that may fix one of the servers with these ids.
func (v *run) firstNext(servers []string) string {
	for _, p := range v.result.Servers {
		for _, s := range p.Symptoms {
			if s.Next != "" && slices.Contains(servers, p.ID) {
				return s.Next
			}
		}
	}
	return ""
}
