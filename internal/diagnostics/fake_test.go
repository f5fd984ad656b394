package diagnostics

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "8") // stories with rude servers wait most of their time
	lsptest.Main(m, func() { lsp.Supervise(os.Args) })
}

// fake is a server in memory. It does nothing by itself: the functions say what
// happens when it is shown or asked something. They must not call the observer
// before they return; later does.
type fake struct {
	key Key
	def registry.Definition
	out lsp.Observer

	shown func(path string, version int32)
	pull  func(ctx context.Context, path, identifier, previous string) (protocol.Report, error)
	// pullWorkspace answers workspace/diagnostic; touched are the files that are not pristine.
	pullWorkspace func(ctx context.Context, previous map[protocol.DocumentURI]string, said func([]protocol.WorkspaceReport)) error
	touched       map[string]bool
	command       func(ctx context.Context, path string) ([]protocol.Diagnostic, error)
	barrier       func(ctx context.Context, path string) error
	disk          func(ctx context.Context) error
	listed        map[string][]string // by the check of the disk
	trouble       string
	unable        string
	done          chan struct{}
	err           error

	mu         sync.Mutex
	cpu        time.Duration
	docs       map[string]fakeDocument
	moves      uint64 // of its world
	generation uint64
	state      uint64
	onDisk     map[string]string // what is known of the files, by path
	first      map[string]string // the first texts that were shown
	outside    map[string]uint64 // by the path that was saved, "" for others
	opened     int               // didOpen, those of Reopen counted
	saved      int
	missed     int // deadlines
	closed     []string
	// identifiers are what pull is offered under; registered is closed when
	// there are more.
	identifiers []string
	registered  chan struct{}
	loaded      bool
	losses      int
	readied     chan struct{}
}

type fakeDocument struct {
	version int32
	text    []byte
	sent    uint64
}

// newFake returns a server that is already started and observed.
func newFake(c *Collector, d registry.Diagnostics) *fake {
	f := &fake{
		key: Key{ID: "fake", Root: "/w"}, def: registry.Definition{ID: "fake", Diagnostics: d},
		docs: make(map[string]fakeDocument), first: make(map[string]string), outside: make(map[string]uint64), readied: make(chan struct{}), registered: make(chan struct{}), done: make(chan struct{}),
		shown:   func(string, int32) {},
		barrier: func(context.Context, string) error { return nil },
	}
	f.out = c.Observe(f.key)
	return f
}

func (f *fake) source() Source {
	return Source{Key: f.key, Obtain: func(context.Context) (Server, error) { return f, nil }}
}

func (f *fake) file(path, text string) File {
	return File{Path: path, Content: []byte(text), Sources: []Source{f.source()}}
}

// later does something when the time has come.
func later(after time.Duration, do func()) { time.AfterFunc(after, do) }

// push publishes messages as errors, one a line from the first; a version below
// 0 is left out.
func (f *fake) push(path string, version int32, messages ...string) {
	p := lsp.Published{Path: path, Items: errorsOf(messages...)}
	if version >= 0 {
		p.Version = &version
	}
	f.out.Published(p)
}

func errorsOf(messages ...string) []protocol.Diagnostic {
	items := make([]protocol.Diagnostic, 0, len(messages))
	for i, m := range messages {
		items = append(items, at(i, m))
	}
	return items
}

// at is an error over the first character of a line.
func at(line int, message string) protocol.Diagnostic {
	return protocol.Diagnostic{
		Range: protocol.Range{
			Start: protocol.Position{Line: uint32(line)},
			End:   protocol.Position{Line: uint32(line), Character: 1},
		},
		Severity: protocol.SeverityError, Message: message,
	}
}

func (f *fake) Owes() func(bool) { return func(bool) {} }
func (f *fake) Doubted() bool    { return false }
func (f *fake) Missed()          { f.mu.Lock(); defer f.mu.Unlock(); f.missed++ }

func (f *fake) Complaints() []string { return nil }
func (f *fake) Unable(string) string { return f.unable }

func (f *fake) CPUTime() (time.Duration, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.cpu, f.cpu > 0
}

func (f *fake) Definition() *registry.Definition { return &f.def }

func (f *fake) ShowBeside(map[string][]byte) error { return nil }

func (f *fake) Sync(path string, content []byte) (lsp.Synced, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	doc, open := f.docs[path]
	if open && bytes.Equal(doc.text, content) {
		return lsp.Synced{Version: doc.version, Generation: f.generation, Sent: doc.sent}, nil
	}
	if !open {
		f.opened++
	}
	if _, known := f.first[path]; !known {
		f.first[path] = string(content)
	}
	f.generation++
	if before, known := f.textLocked(path); known && before != string(content) {
		f.moves++
	}
	if text, known := f.onDisk[path]; open || !known || text != string(content) {
		f.state++
	}
	doc = fakeDocument{doc.version + 1, content, f.state}
	f.docs[path] = doc
	f.shown(path, doc.version)
	return lsp.Synced{Version: doc.version, Changed: true, Opened: !open, Generation: f.generation, Sent: f.state}, nil
}

func (f *fake) Reopen(path string) (lsp.Synced, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	doc := f.docs[path]
	doc.version++
	f.docs[path] = doc
	f.generation++
	f.opened++
	f.shown(path, doc.version)
	return lsp.Synced{Version: doc.version, Changed: true, Opened: true, Generation: f.generation}, nil
}

func (f *fake) Resend(path string, version int32) (lsp.Synced, bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	doc := f.docs[path]
	if doc.version != version {
		return lsp.Synced{}, false, nil
	}
	doc.version++
	doc.sent = f.state
	f.docs[path] = doc
	f.shown(path, doc.version)
	return lsp.Synced{Version: doc.version, Changed: true, Generation: f.generation, Sent: f.state}, true, nil
}

func (f *fake) Save(path string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.saved++
	f.outside[path]++
	f.generation++
	return nil
}

func (f *fake) CloseDocument(path string) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	doc, open := f.docs[path]
	delete(f.docs, path)
	if after, known := f.textLocked(path); known && after != string(doc.text) {
		f.moves++
	}
	f.closed = append(f.closed, path)
	f.generation++
	return open, nil
}

// disturb is what a sweep does: something the server reads has changed.
func (f *fake) disturb() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.generation++
	f.state++
	f.outside[""]++
}

func (f *fake) Outside(path string) (n uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for saved, times := range f.outside {
		if saved != path {
			n += times
		}
	}
	return n
}

func (f *fake) Document(path string) (int32, []byte, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	doc, ok := f.docs[path]
	return doc.version, doc.text, ok
}

func (f *fake) Generation() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.generation
}

func (f *fake) State() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state
}

func (f *fake) World() lsp.World { return f.WorldWith(nil) }

func (f *fake) Moves() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.moves
}

// textLocked returns the text that the server has of a file.
func (f *fake) textLocked(path string) (text string, known bool) {
	if doc, open := f.docs[path]; open {
		return string(doc.text), true
	}
	if text, known = f.onDisk[path]; !known {
		text, known = f.first[path]
	}
	return text, known
}

// WorldWith identifies the texts that differ from those on disk or, where these are not known, from
// the first that were shown.
func (f *fake) WorldWith(texts map[string][]byte) lsp.World {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make(map[string]string)
	for path, doc := range f.docs {
		all[path] = string(doc.text)
	}
	for path, text := range texts {
		all[path] = string(text)
	}
	sum := fnv.New64a()
	for _, path := range slices.Sorted(maps.Keys(all)) {
		first, known := f.onDisk[path]
		if !known {
			first, known = f.first[path]
		}
		if !known || first != all[path] {
			fmt.Fprintf(sum, "%q %q\n", path, all[path])
		}
	}
	return lsp.World(sum.Sum64())
}

func (f *fake) Supports(method string) bool { return method != "" }

func (f *fake) SupportsCommand(string) bool { return f.command != nil }

func (f *fake) PullIdentifiers() ([]string, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.identifiers, f.registered
}

func (f *fake) Pull(ctx context.Context, path, identifier, previous string) (protocol.Report, error) {
	return f.pull(ctx, path, identifier, previous)
}

func (f *fake) PullWorkspace(ctx context.Context, _ string, previous map[protocol.DocumentURI]string, said func([]protocol.WorkspaceReport)) error {
	return f.pullWorkspace(ctx, previous, said)
}

func (f *fake) Pristine(path string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return !f.touched[path]
}

func (f *fake) Diagnose(ctx context.Context, _ registry.CommandCall, path string) ([]protocol.Diagnostic, error) {
	return f.command(ctx, path)
}

func (f *fake) Barrier(ctx context.Context, _, path string) error { return f.barrier(ctx, path) }

func (f *fake) Works() []lsp.Work { return nil }

func (f *fake) BeginDiskCheck(ctx context.Context) (map[string][]string, error) {
	return f.listed, f.disk(ctx)
}
func (f *fake) Trouble() string { return f.trouble }

func (f *fake) OpenDocuments() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Collect(maps.Keys(f.docs))
}

func (f *fake) WorksChanged() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.readied
}

func (f *fake) Loaded() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.loaded
}

func (f *fake) Losses() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.losses
}

// ready makes the server loaded, or no longer.
func (f *fake) ready(loaded bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.loaded && !loaded {
		f.losses++
	}
	f.loaded = loaded
	close(f.readied)
	f.readied = make(chan struct{})
}

func (f *fake) Done() <-chan struct{} { return f.done }
func (f *fake) Err() error            { return f.err }

// crash ends the server.
func (f *fake) crash() {
	f.err = &lsp.ServerError{Server: "fake", Phase: "run", Err: fmt.Errorf("exited with code 3")}
	f.out.Ended(f.err)
	close(f.done)
}

// check checks one file and returns the only answer and the report.
func check(t *testing.T, c *Collector, f File) (Answer, FileReport) {
	t.Helper()
	report, err := c.Check(t.Context(), Request{Files: []File{f}})
	if err != nil {
		t.Fatal(err)
	}
	return report.Files[0].Answers[0], report.Files[0]
}

// said states an answer in one line: freshness, version, messages.
func said(a Answer) string {
	var messages []string
	for _, d := range a.Items {
		messages = append(messages, d.Message)
	}
	return fmt.Sprintf("%s %d: %s", a.Freshness, a.Version, strings.Join(messages, ", "))
}

func expect(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// elapsed is how much of the fake time has passed.
func expectElapsed(t *testing.T, since time.Time, want time.Duration) {
	t.Helper()
	if got := time.Since(since); got != want {
		t.Errorf("it ended after %v, want exactly %v", got, want)
	}
}

func messages(list []Diagnostic) string {
	var all []string
	for _, d := range list {
		all = append(all, d.Message)
	}
	return strings.Join(all, ", ")
}

// nobodyTold is what a session was told of at its beginning.
func nobodyTold(string) []Diagnostic { return nil }
