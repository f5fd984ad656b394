package overlay

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// An Access opens files in their servers for one request of a caller. Whoever asked for it must
// close it.
type Access struct {
	texts   *Texts
	names   workspace.Names
	lacks   Lacks
	drafted map[string][]byte // of the view
	// beyond finds the files that may use what others declare.
	beyond func() BeyondSearch

	mu sync.Mutex
	// last is the server that was used last, by definition: it also reads the
	// files outside the workspace that it named.
	last map[string]*lsp.Server
	// about is the file that it was asked about.
	about map[string]string
	// outside are the files outside the workspace that it needs.
	outside map[outsider]bool
	// contents are what was read of files of the workspace; nil: they are read each time. See
	// [Access.Keep].
	contents map[string][]byte
	// notes say what the projects that it asked about lack.
	notes []string
	// partial says that a server was asked about all of a project that it does not know all of.
	partial bool
	// searched are the names that were searched for; failed says that a server could not be searched.
	searched []string
	failed   bool
	// renewed are the servers that were stopped if they had to start again.
	renewed map[roots.Key]bool

	detecting sync.Mutex
	// detection finds the servers of files; nil: each time a new one. See [Access.Keep].
	detection *roots.Detection // guarded by detecting
}

// Access returns access to files and servers for one request. The caller must close it.
func (v *View) Access() *Access {
	return &Access{
		texts: v.texts, names: v.names, lacks: v.lacks, drafted: v.drafted,
		last: make(map[string]*lsp.Server), about: make(map[string]string), outside: make(map[outsider]bool),
		renewed: make(map[roots.Key]bool), beyond: sync.OnceValue(v.texts.beyond),
	}
}

// Close closes the files outside the workspace that this request opened, unless another one uses
// them.
func (a *Access) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.texts.mu.Lock()
	defer a.texts.mu.Unlock()
	for g := range a.outside {
		if a.texts.outside[g]--; a.texts.outside[g] == 0 {
			delete(a.texts.outside, g)
			_, _ = g.server.CloseDocument(g.path) // a server that ended has none open
		}
	}
}

// A NoServerError says that no server answers for a file.
type NoServerError struct {
	Path, Method string
}

func (e *NoServerError) Error() string { return e.Path + ": no server knows this kind of file" }

// Kind returns result.Unavailable.
func (*NoServerError) Kind() result.Kind { return result.Unavailable }

// Data says which file it is.
func (e *NoServerError) Data() result.Data { return result.Data{Path: e.Path} }

// Hint says what can be done without one.
func (e *NoServerError) Hint() string {
	return "status lists the known servers; as text: grep -rn NAME " + filepath.ToSlash(filepath.Dir(e.Path))
}

// Open implements [symbols.Access].
func (a *Access) Open(ctx context.Context, path, method string) (symbols.Server, error) {
	s, err := a.OpenServer(ctx, path, method)
	if err != nil {
		return nil, err
	}
	return remembering{s, a.texts.outlines}, nil
}

// OpenServer opens a file in the server that answers a method for it, as [Access.Open] does, and
// returns the server itself.
func (a *Access) OpenServer(ctx context.Context, path, method string) (*lsp.Server, error) {
	if !a.texts.opts.Workspace.Contains(path) {
		return a.openOutside(path, method)
	}
	content, err := a.Text(path)
	if err != nil {
		return nil, err
	}
	candidates := a.candidatesFor(path)
	if len(candidates) == 0 {
		return nil, &NoServerError{a.names.Relative(path), method}
	}
	var failures []error
	for _, c := range candidates {
		a.renew(&c, path)
		s, err := a.texts.opts.Workspace.Server(ctx, c)
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, &symbols.NotReadyError{Server: c.Definition.ID, Loading: "starting"}
		}
		if err == nil {
			err = a.Show(s, path, content)
		}
		if err == nil && !Offers(s, method) {
			err = &lsp.UnsupportedError{Server: c.Definition.ID, Method: method}
		}
		if err != nil {
			failures = append(failures, err)
			continue
		}
		a.lack(&c, path, method)
		a.mu.Lock()
		a.last[c.Definition.ID], a.about[c.Definition.ID] = s, path
		a.mu.Unlock()
		return s, nil
	}
	return nil, MostTelling(failures)
}

// MostTelling returns one of several errors, of which there must be at least one: that of a
// running server, if there is such an error.
func MostTelling(failures []error) error {
	for _, err := range failures {
		var missing *roots.UnavailableError
		if !errors.As(err, &missing) {
			return err
		}
	}
	return failures[0]
}

// Offers reports whether a server answers a method. With "" it reports whether files can be
// opened in it.
func Offers(s *lsp.Server, method string) bool {
	switch method {
	case "":
		return true
	case "textDocument/semanticTokens":
		return s.Supports("textDocument/semanticTokens/full") || s.Supports("textDocument/semanticTokens/range")
	}
	return s.Supports(method)
}

// Show sends a server the current text of a file. While a check of a given text is in progress,
// that text stays.
func (a *Access) Show(s *lsp.Server, path string, content []byte) error {
	a.texts.mu.Lock()
	held := a.texts.held[path] > 0
	a.texts.mu.Unlock()
	if _, _, open := s.Document(path); held && open {
		return nil
	}
	_, err := s.Sync(path, content)
	return err
}

// openOutside opens a file outside the workspace, which only a server can have
// named, in a server of that language that this request has used.
func (a *Access) openOutside(path, method string) (*lsp.Server, error) {
	content, err := fspath.Read(path)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.last {
		if _, speaks := s.Definition().LanguageID(path); !speaks || !Offers(s, method) {
			continue
		}
		if g := (outsider{s, path}); !a.outside[g] {
			a.outside[g] = true
			a.texts.mu.Lock()
			a.texts.outside[g]++
			_, err = s.Sync(path, content) // under the lock: nobody closes it meanwhile
			a.texts.mu.Unlock()
			if err != nil {
				return nil, err
			}
		}
		return s, nil
	}
	return nil, &NoServerError{path, method}
}

// Text implements [symbols.Access].
func (a *Access) Text(path string) ([]byte, error) {
	if text, drafted := a.drafted[path]; drafted {
		if text == nil {
			return nil, &edit.NotFoundError{Path: path}
		}
		return text, nil
	}
	if text, given := a.texts.Given(path); given {
		return text, nil
	}
	if !a.texts.opts.Workspace.Contains(path) {
		return fspath.Read(path)
	}
	return a.read(path)
}

// Resolve implements [symbols.Access].
func (a *Access) Resolve(name string) (string, error) {
	return a.names.Resolve(name)
}

// Relative implements [symbols.Access].
func (a *Access) Relative(path string) string { return a.names.Relative(path) }

// Beyond implements [symbols.Access].
func (a *Access) Beyond(ctx context.Context, path, name string, within bool) (files []symbols.Beyond, all bool) {
	return a.beyond()(ctx, path, name, within)
}

// MaxSearchServers bounds how many servers are started to search for a name.
const MaxSearchServers = 4

// Searchable implements [symbols.Access].
func (a *Access) Searchable(ctx context.Context, language, name string) ([]symbols.Server, []error) {
	servers, failures := a.searchable(ctx, language, name)
	a.search(name, failures)
	return servers, failures
}

func (a *Access) searchable(ctx context.Context, language, name string) ([]symbols.Server, []error) {
	samples, err := a.texts.opts.Workspace.Samples(ctx, language)
	if err != nil {
		return nil, []error{err}
	}
	if len(samples) == 0 {
		return nil, []error{&NoServerError{"the workspace" + OfLanguage(language), "workspace/symbol"}}
	}
	samples, failures := a.concerned(ctx, samples, name)
	if len(samples) > MaxSearchServers {
		var left []string
		for _, s := range samples[MaxSearchServers:] {
			left = append(left, s.Candidate.Definition.ID+" for "+a.Relative(s.Candidate.Root))
		}
		failures = append(failures, fmt.Errorf("%s: only the %d servers with the most files are asked", strings.Join(left, ", "), MaxSearchServers))
		samples = samples[:MaxSearchServers]
	}
	type outcome struct {
		server symbols.Server
		err    error
	}
	outcomes := make([]outcome, len(samples))
	var started guard.Group
	for i, sample := range samples {
		started.Go(func() {
			s, err := a.ready(ctx, sample, name)
			if err == nil {
				outcomes[i].server = s
			}
			outcomes[i].err = err
		})
	}
	started.Wait()
	var servers []symbols.Server
	for _, o := range outcomes {
		if o.err != nil {
			failures = append(failures, o.err)
			continue
		}
		servers = append(servers, o.server)
	}
	return servers, failures
}

// concerned returns the samples of servers that run or in whose files a name stands,
// each with such a file. If there are none it returns the first, of the most files, and
// says which are left out: a name may be of a library that no file mentions.
func (a *Access) concerned(ctx context.Context, samples []workspace.Sample, name string) ([]workspace.Sample, []error) {
	if len(samples) < 2 || name == "" {
		return samples, nil
	}
	runs := make(map[string]bool)
	for _, s := range a.texts.opts.Workspace.Running() {
		runs[s.Definition().ID] = true
	}
	mentioning := make([]string, len(samples))
	look := func(running bool) (found bool) {
		var scanned guard.Group
		for i := range samples {
			if runs[samples[i].Candidate.Definition.ID] == running {
				scanned.Go(func() { mentioning[i] = samples[i].Mentioning(ctx, name) })
			}
		}
		scanned.Wait()
		return slices.ContainsFunc(mentioning, func(path string) bool { return path != "" })
	}
	stands := look(false)
	var wanted []workspace.Sample
	var others []string
	for i, sample := range samples {
		id := sample.Candidate.Definition.ID
		switch {
		case mentioning[i] != "":
			sample.Path = mentioning[i]
			wanted = append(wanted, sample)
		case runs[id]:
			wanted = append(wanted, sample)
		default:
			others = append(others, id)
		}
	}
	if len(wanted) == 0 {
		wanted = samples[:1]
	}
	asked := func(id string) bool {
		return slices.ContainsFunc(wanted, func(s workspace.Sample) bool { return s.Candidate.Definition.ID == id })
	}
	slices.Sort(others)
	if others = slices.DeleteFunc(slices.Compact(others), asked); len(others) == 0 || stands || look(true) {
		return wanted, nil
	}
	return wanted, []error{fmt.Errorf("%s: no file of theirs has %q; a language searches there, too", strings.Join(others, ", "), name)}
}

// OfLanguage returns the id of a language in brackets, to be put behind a noun; "" for none.
func OfLanguage(language string) string {
	if language == "" {
		return ""
	}
	return " (" + language + ")"
}

// ready returns a running server that has a document open: some load nothing
// before.
func (a *Access) ready(ctx context.Context, sample workspace.Sample, name string) (*lsp.Server, error) {
	s, err := a.texts.opts.Workspace.Server(ctx, sample.Candidate)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = &symbols.NotReadyError{Server: sample.Candidate.Definition.ID, Loading: "starting"}
		}
		return nil, err
	}
	if !s.Supports("workspace/symbol") {
		return nil, &lsp.UnsupportedError{Server: sample.Candidate.Definition.ID, Method: "workspace/symbol"}
	}
	a.lack(&sample.Candidate, sample.Path, "workspace/symbol")
	if len(s.OpenDocuments()) == 0 {
		if err := a.showRead(ctx, s, sample.Path); err != nil {
			return nil, err
		}
	}
	if err := a.showProjects(ctx, s, &sample, name); err != nil {
		return nil, err
	}
	if name != "" && symbols.KnowsOpenFilesAlone(s) {
		a.showMentioning(ctx, s, &sample, name)
	}
	a.mu.Lock()
	a.last[sample.Candidate.Definition.ID] = s
	a.mu.Unlock()
	return s, nil
}

// showRead opens a file in a server, and waits until it is read: clangd finds nothing before.
func (a *Access) showRead(ctx context.Context, s *lsp.Server, path string) error {
	content, err := a.Text(path)
	if err == nil {
		err = a.Show(s, path, content)
	}
	if err == nil && s.Supports("textDocument/documentSymbol") {
		_, _ = s.Symbols(ctx, path)
	}
	return err
}

// maxProjects bounds the projects that are loaded to search for one name.
const maxProjects = 8

// showProjects has a server that judges several projects load those in whose files a name stands.
func (a *Access) showProjects(ctx context.Context, s *lsp.Server, sample *workspace.Sample, name string) error {
	if name == "" {
		return nil
	}
	found, more := sample.Projects(ctx, name, maxProjects)
	for _, p := range found {
		if _, err := a.texts.opts.Workspace.Server(ctx, p.Candidate); err != nil { // it becomes one of the server's folders
			return err
		}
		if err := a.showRead(ctx, s, p.Path); err != nil {
			return err
		}
		a.lack(&p.Candidate, p.Path, "workspace/symbol")
	}
	if more {
		a.note(fmt.Sprintf("%s was searched with only %d of the projects that have %q in their files loaded",
			sample.Candidate.Definition.ID, len(found), name))
	}
	return nil
}

// maxMentioning bounds the files that are opened for one name in a server that knows no
// others.
const maxMentioning = 20

// showMentioning opens the files that have the last word of a name in them. What cannot be
// opened is not found there.
func (a *Access) showMentioning(ctx context.Context, s *lsp.Server, sample *workspace.Sample, name string) {
	words := strings.FieldsFunc(name, func(r rune) bool {
		return r == '.' || r == ':' || r == '/' || r == '#' || r == '(' || r == ')' || r == '*'
	})
	if len(words) == 0 {
		return
	}
	for _, path := range sample.AllMentioning(ctx, words[len(words)-1], maxMentioning) {
		_ = a.showRead(ctx, s, path)
	}
}

// OpenIn opens a file in its servers, or in the one with the id if that is not "", and returns
// them. failures are the errors of those that could not be had.
func (a *Access) OpenIn(ctx context.Context, path, id string) (servers []*lsp.Server, failures []error) {
	content, err := a.Text(path)
	if err != nil {
		return nil, []error{err}
	}
	for _, c := range a.texts.opts.Workspace.Candidates(path) {
		if id != "" && c.Definition.ID != id {
			continue
		}
		s, err := a.texts.opts.Workspace.Server(ctx, c)
		if err == nil {
			err = a.Show(s, path, content)
		}
		if err != nil {
			failures = append(failures, err)
			continue
		}
		servers = append(servers, s)
	}
	return servers, failures
}

// Servers returns every server of a file that answers a method, with the file open in
// it, the primary one first.
func (a *Access) Servers(ctx context.Context, path, method string) (servers []symbols.Server, failures []error) {
	if s, err := a.Open(ctx, path, method); err != nil {
		failures = append(failures, err)
	} else {
		servers = append(servers, s)
	}
	content, err := a.Text(path)
	if err != nil {
		return nil, []error{err}
	}
	for _, c := range a.texts.opts.Workspace.Candidates(path) {
		if c.Definition.Role == registry.Primary || c.Unavailable != nil {
			continue
		}
		s, err := a.texts.opts.Workspace.Server(ctx, c)
		if err == nil {
			err = a.Show(s, path, content)
		}
		switch {
		case err != nil:
			failures = append(failures, err)
		case s.Supports(method):
			servers = append(servers, s)
		}
	}
	return servers, failures
}
