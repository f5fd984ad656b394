package assembly

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// A gathering asks servers for all that may become an item. Its methods that put questions may be
// called at the same time.
type gathering struct {
	*Assembler
	q       *symbols.Inquiry
	include map[string]bool
	focus   focus

	// The items that there may be, by what they are worth, each list with the closest first.
	named, findings, types, definitions, signatures, summaries, hints, references []*candidate

	// slots bound the questions that servers are asked at a time.
	slots chan struct{}
	// asking are the questions for types of declarations. describeTypes waits for them.
	asking guard.Group

	mu       sync.Mutex
	notes    []string
	failures []result.ContextFailure
	servers  map[asked]*answering
	states   map[string]func() result.FileState
	outlines map[string]*fileOutline
}

// asked is what a server is looked for.
type asked struct{ path, method string }

// answering is the server that answers, or why there is none.
type answering struct {
	once        sync.Once
	id, version string
	err         error
}

// A fileOutline is what a file declares, with the record of the question.
type fileOutline struct {
	once    sync.Once
	outline *symbols.Outline // nil if it is not known
	record  result.ContextRecord
}

// newGathering begins a gathering; without q it puts no questions.
func newGathering(a *Assembler, q *symbols.Inquiry, include map[string]bool) *gathering {
	if q != nil {
		q.KeepServers()
	}
	return &gathering{
		Assembler: a, q: q, include: include, slots: make(chan struct{}, maxAsking),
		servers: make(map[asked]*answering), states: make(map[string]func() result.FileState), outlines: make(map[string]*fileOutline),
	}
}

// A candidate is an item that there may be, in one of several lengths.
type candidate struct {
	item result.ContextItem // without its text
	// texts are the forms that its text may have, the fullest first. There is at least one.
	texts []string
	// of is the declaration that it is about, nil for an item about a file.
	of *declaration
	// covers says that a reader of it needs no item about the type of the same declaration.
	covers bool
}

// A use is a name in the focus.
type use struct {
	symbols.CodeName
	path  string
	count int // how often it stands there
}

func (u *use) target() symbols.Target { return symbols.Target{Path: u.path, At: u.At, Name: u.Text} }

// A declaration is what names of the focus lead to, and what is not in view.
type declaration struct {
	place symbols.Place
	use   *use // the first of it; nil if the caller names it
	count int  // uses
	// distance says how far it is from the focus: in the same file, in the same folder, in the
	// workspace, or outside.
	distance int
	// typed is the record of the question that led here if no name of the focus does, but is the name
	// of something of this type; else nil.
	typed *result.ContextRecord
	// described is its type, nil if there is none. It is asked for while others are still looked
	// up, and to be read when that has ended (see gathering.asking).
	described *candidate
	// signature is that of a call at its first use, nil if there is none. It is asked for if called
	// is true: where the type does not show it.
	called    bool
	signature *candidate
}

// gather fills in all but the findings.
func (g *gathering) gather(ctx context.Context, req *api.AssembleRequest) error {
	if err := g.findFocus(ctx, req); err != nil {
		return err
	}
	g.giveNamed(ctx)
	var others guard.Group // what needs no declarations
	others.Go(func() { g.hint(ctx) })
	uses := g.uses()
	if g.include[result.ContextSignature] && slices.ContainsFunc(uses, func(u *use) bool { return u.Called }) {
		others.Go(func() { g.readOutlines(ctx, g.focus.files()) }) // what is called is told from what is declared by them
	}
	declared := g.declarations(ctx, uses)
	others.Go(func() {
		g.readOutlines(ctx, g.outlined(declared))
		g.excerpt(ctx, declared)
		g.summarize(ctx, declared)
	})
	g.describeTypes(declared)
	calls := g.signaturesOf(ctx, uses, declared)
	others.Wait()
	g.describeCalls(calls)
	g.refer(ctx)
	return ctxCanceled(ctx)
}

// outlined are the files whose declarations excerpts and summaries are of.
func (g *gathering) outlined(declared []*declaration) []string {
	paths := g.summarized(declared)
	if g.include[result.ContextDefinition] {
		for _, d := range excerpted(declared) {
			paths = append(paths, d.place.Path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// readOutlines asks what files declare, for those who look it up then.
func (g *gathering) readOutlines(ctx context.Context, paths []string) {
	g.beside(len(paths), func(i int) { g.declared(ctx, paths[i]) })
}

func (g *gathering) note(format string, args ...any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.notes = append(g.notes, fmt.Sprintf(format, args...))
}

// maxFailures bounds the kinds of failures that are listed.
const maxFailures = 20

// fail notes a question that was not answered, with others that failed like it.
func (g *gathering) fail(server, method string, target result.ContextPlace, err error) {
	of := result.ErrorOf(err)
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.IndexFunc(g.failures, func(f result.ContextFailure) bool {
		return f.Server == server && f.Query == method && f.Error.Kind == of.Kind && f.Error.Message == of.Message
	})
	switch {
	case i >= 0:
		g.failures[i].Count++
	case len(g.failures) == maxFailures:
		g.failures[maxFailures-1].Count++
	default:
		g.failures = append(g.failures, result.ContextFailure{Server: server, Query: method, Target: target, Count: 1, QueriedAt: time.Now().UTC(), Error: *of})
	}
}

// put puts a question of a method about a place, and returns the record of its answer. ok is false
// if there is none: because no server can answer such questions, which is nothing to speak of, or
// because it failed, which is noted.
func (g *gathering) put(ctx context.Context, method string, at symbols.Place, question func() error) (record result.ContextRecord, ok bool) {
	record = result.ContextRecord{Query: method, Target: g.target(at), QueriedAt: time.Now().UTC()}
	g.dependOn(&record, at.Path)
	by := g.answering(ctx, at.Path, method)
	record.Server, record.Version = by.id, by.version
	err := by.err
	if err == nil {
		err = question()
	}
	if err != nil {
		if lsp.UnlessUnsupported(err) != nil && ctxCanceled(ctx) == nil {
			g.fail(by.id, method, record.Target, err)
		}
		return record, false
	}
	return record, true
}

// target restates a place.
func (g *gathering) target(p symbols.Place) result.ContextPlace {
	return result.ContextPlace{
		Path: g.names.Relative(p.Path), Line: p.Range.Start.Line + 1, Column: p.Range.Start.Character + 1, EndLine: p.Range.End.Line + 1,
	}
}

// answering finds the server that is asked, once for a file and a method.
func (g *gathering) answering(ctx context.Context, path, method string) *answering {
	g.mu.Lock()
	found := g.servers[asked{path, method}]
	if found == nil {
		found = new(answering)
		g.servers[asked{path, method}] = found
	}
	g.mu.Unlock()
	found.once.Do(func() {
		var s symbols.Server
		if s, found.err = g.q.Server(ctx, path, method); found.err != nil {
			return
		}
		found.id = s.Definition().ID
		if informed, informs := s.(interface{ Info() lsp.Info }); informs {
			found.version = informed.Info().Version
		}
	})
	return found
}

// dependOn adds a file to those that what is recorded depends on.
func (g *gathering) dependOn(record *result.ContextRecord, path string) {
	name := g.names.Relative(path)
	if slices.ContainsFunc(record.Files, func(f result.ContextFile) bool { return f.Path == name }) {
		return
	}
	state := g.state(path)
	record.Files = append(record.Files, result.ContextFile{Path: name, AtQuery: state, AtInjection: state})
}

// state returns how a file is, the same each time.
func (g *gathering) state(path string) result.FileState {
	g.mu.Lock()
	state := g.states[path]
	if state == nil {
		state = sync.OnceValue(func() result.FileState { return g.stateOf(path) })
		g.states[path] = state
	}
	g.mu.Unlock()
	return state()
}

// outline returns what a file declares, nil if it is not known.
func (g *gathering) outline(ctx context.Context, path string) *symbols.Outline {
	return g.declared(ctx, path).outline
}

// declared asks once what a file declares.
func (g *gathering) declared(ctx context.Context, path string) *fileOutline {
	g.mu.Lock()
	o := g.outlines[path]
	if o == nil {
		o = new(fileOutline)
		g.outlines[path] = o
	}
	g.mu.Unlock()
	o.once.Do(func() {
		record, ok := g.put(ctx, "textDocument/documentSymbol", symbols.Place{Path: path}, func() (err error) {
			o.outline, err = g.q.Outline(ctx, path)
			return err
		})
		if !ok {
			o.outline = nil
		}
		record.Target = result.ContextPlace{Path: g.names.Relative(path)}
		o.record = record
	})
	return o
}

// recordOf returns a record of its own for an answer about a part of the file.
func (o *fileOutline) recordOf(target result.ContextPlace) result.ContextRecord {
	record := o.record
	record.Target, record.Files = target, slices.Clone(record.Files)
	return record
}

// maxUses bounds the names of a focus that are looked up.
const maxUses = 240

// uses returns the names of the focus, each once with what it is selected from, in its order.
func (g *gathering) uses() (uses []*use) {
	type key struct{ path, of, name string }
	seen := make(map[key]*use)
	left := 0
	for i := range g.focus.areas {
		a := &g.focus.areas[i]
		text, err := g.q.Text(a.path)
		if err != nil {
			continue // it was read before
		}
		for _, n := range symbols.CodeNames(a.path, text, a.in) {
			k := key{a.path, n.Of, n.Text}
			if u := seen[k]; u != nil {
				if u.count++; !u.Called && n.Called {
					u.CodeName = n
				}
				continue
			}
			if len(uses) == maxUses {
				left++
				continue
			}
			seen[k] = &use{n, a.path, 1}
			uses = append(uses, seen[k])
		}
	}
	if left > 0 {
		g.note("the focus has many names: the first %d are looked up", maxUses)
	}
	return uses
}
