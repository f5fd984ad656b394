package symbols

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake is files under /r and the server for them in one. Its answers are given
// by functions; what it is not told to answer panics.
type fake struct {
	Server
	texts    map[string]string // by path
	outlines map[string][]protocol.Symbol
	virtual  map[string]string // by URI
	def      registry.Definition
	opened   time.Time

	opens      func() error
	locations  func(method, path string, at protocol.Position) ([]protocol.Location, error)
	references func(ctx context.Context, path string, at protocol.Position) ([]protocol.Location, error)
	beyond     func(path, name string, within bool) ([]Beyond, bool)
	search     func(query string) ([]protocol.Symbol, error)
	others     []Server // beside itself, for searches
	failures   []error
	prepared   []protocol.HierarchyItem
	types      []protocol.HierarchyItem // prepared for types, if others than for calls
	calls      func(direction Direction, item protocol.HierarchyItem) ([]protocol.Call, error)

	mu      sync.Mutex
	works   []lsp.Work
	begun   map[string]int
	unknown bool // it has not said that it knows the files of the project
	losses  int  // how often it knew them and then did not
	changed chan struct{}
}

// newFake has files, as root-relative paths with their texts.
func newFake(files ...string) *fake {
	f := &fake{
		texts: make(map[string]string), outlines: make(map[string][]protocol.Symbol),
		def: registry.Definition{ID: "fakels"}, changed: make(chan struct{}), begun: make(map[string]int),
	}
	for i := 0; i < len(files); i += 2 {
		f.texts[here("/r/"+files[i])] = files[i+1]
	}
	return f
}

func (f *fake) Open(context.Context, string, string) (Server, error) {
	if f.opens != nil {
		if err := f.opens(); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (f *fake) Resolve(name string) (string, error) {
	if filepath.IsAbs(name) {
		return name, nil
	}
	return here("/r/" + name), nil
}

func (f *fake) Relative(path string) string {
	return filepath.ToSlash(strings.TrimPrefix(path, here("/r/")))
}

func (f *fake) Text(path string) ([]byte, error) {
	text, ok := f.texts[path]
	if !ok {
		return nil, errors.New(path + ": no such file")
	}
	return []byte(text), nil
}

func (f *fake) VirtualText(_ context.Context, uri protocol.DocumentURI) ([]byte, error) {
	text, ok := f.virtual[string(uri)]
	if !ok {
		return nil, errors.New("no text")
	}
	return []byte(text), nil
}

func (f *fake) Beyond(_ context.Context, path, name string, within bool) ([]Beyond, bool) {
	if f.beyond == nil {
		return nil, true
	}
	return f.beyond(path, name, within)
}

func (f *fake) Searchable(context.Context, string, string) ([]Server, []error) {
	if f.search == nil {
		return f.others, f.failures
	}
	return append([]Server{f}, f.others...), f.failures
}

func (f *fake) Definition() *registry.Definition { return &f.def }
func (f *fake) FirstOpened() time.Time           { return f.opened }

func (f *fake) Works() []lsp.Work {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.works
}

func (f *fake) WorksChanged() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.changed
}

func (f *fake) Begins() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.begun)
}

func (f *fake) Loaded() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return !f.unknown
}

func (f *fake) Losses() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.losses
}

// loads makes the server say whether it knows the files of the project.
func (f *fake) loads(known bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !known && !f.unknown {
		f.losses++
	}
	f.unknown = !known
	close(f.changed)
	f.changed = make(chan struct{})
}

// work makes the server do things with these titles, and nothing else.
func (f *fake) work(titles ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.works = nil
	for _, title := range titles {
		f.begun[title]++
		f.works = append(f.works, lsp.Work{Title: title})
	}
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *fake) Symbols(_ context.Context, path string) ([]protocol.Symbol, error) {
	return f.outlines[path], nil
}

func (f *fake) WorkspaceSymbols(_ context.Context, query string) ([]protocol.Symbol, error) {
	return f.search(query)
}

func (f *fake) Locations(_ context.Context, method, path string, at protocol.Position) ([]protocol.Location, error) {
	if f.locations == nil {
		return nil, nil
	}
	return f.locations(method, path, at)
}

func (f *fake) References(ctx context.Context, path string, at protocol.Position, _ bool) ([]protocol.Location, error) {
	return f.references(ctx, path, at)
}

func (f *fake) PrepareCallHierarchy(context.Context, string, protocol.Position) ([]protocol.HierarchyItem, error) {
	return f.prepared, nil
}

func (f *fake) PrepareTypeHierarchy(context.Context, string, protocol.Position) ([]protocol.HierarchyItem, error) {
	if f.types != nil {
		return f.types, nil
	}
	return f.prepared, nil
}

func (f *fake) IncomingCalls(_ context.Context, item protocol.HierarchyItem) ([]protocol.Call, error) {
	return f.calls(Callers, item)
}

func (f *fake) OutgoingCalls(_ context.Context, item protocol.HierarchyItem) ([]protocol.Call, error) {
	return f.calls(Callees, item)
}

func (f *fake) Supertypes(_ context.Context, item protocol.HierarchyItem) ([]protocol.HierarchyItem, error) {
	return items(f.calls(Supertypes, item))
}

func (f *fake) Subtypes(_ context.Context, item protocol.HierarchyItem) ([]protocol.HierarchyItem, error) {
	return items(f.calls(Subtypes, item))
}

func items(calls []protocol.Call, err error) (list []protocol.HierarchyItem, _ error) {
	for _, c := range calls {
		list = append(list, c.Item)
	}
	return list, err
}

// The numbers of LSP's kinds.
const (
	namespaceKind, classKind, methodKind, functionKind, variableKind = 3, 5, 6, 12, 13
)

func span(fromLine, from, toLine, to uint32) protocol.Range {
	return protocol.Range{Start: protocol.Position{Line: fromLine, Character: from}, End: protocol.Position{Line: toLine, Character: to}}
}

// sym is a symbol on whole lines, 0-based; its selection begins the first one.
func sym(kind int, name string, first, last uint32, children ...protocol.Symbol) protocol.Symbol {
	return protocol.Symbol{
		Name: name, Kind: kind, Range: span(first, 0, last, 200), SelectionRange: span(first, 0, first, 200), Children: children,
	}
}

// place is where a word stands first in a file of the fake.
func (f *fake) place(t *testing.T, file, word string) Place {
	t.Helper()
	before, _, ok := strings.Cut(f.texts[here("/r/"+file)], word)
	if !ok {
		t.Fatalf("%s has no %s", file, word)
	}
	line := uint32(strings.Count(before, "\n"))
	column := uint32(len(before) - strings.LastIndexByte(before, '\n') - 1)
	return Place{here("/r/" + file), span(line, column, line, column+uint32(len(word)))}
}

func (f *fake) target(t *testing.T, file, word string) Target {
	p := f.place(t, file, word)
	return Target{Path: p.Path, At: p.Range.Start, Name: word}
}

func located(places ...Place) (list []protocol.Location) {
	for _, p := range places {
		list = append(list, protocol.Location{URI: protocol.URIFromPath(p.Path), Range: p.Range})
	}
	return list
}

// here returns the path on this system of a file that a test names for all systems.
func here(path string) string { return lsptest.Rooted(path) }
