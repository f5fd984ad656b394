package symbols

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// An Inquiry answers the questions of one request. It keeps the texts and outlines that it has
// read, so that all answers are about the same texts, and collects notes for the caller. It is safe
// for concurrent use.
type Inquiry struct {
	access Access

	mu       sync.Mutex
	contents map[string][]byte
	texts    map[string]*protocol.Mapper
	outlines map[string]*Outline
	notes    []string
	// gone says of files that servers named whether they are gone.
	gone map[string]bool
	// naming are the servers that named documents which are no files: only they know these.
	naming map[string]Server
	// unfounded says why it means nothing that a search found nothing; nil if it does mean
	// something.
	unfounded *NotReadyError
	states    []string
	// shown are the projects that were opened because their files may use a symbol.
	shown map[string]bool
	// byText are the places that are uses by their text alone.
	byText []Place
	// unmeasured are servers that were asked, of which it is not known where a line ends for them.
	unmeasured []*registry.Definition
	// completeness is that of the answer, "" if it is not about all of a project.
	completeness result.Completeness
	// servers are those that were opened, nil if they are not kept.
	servers map[opening]Server
}

// An opening is a file that was opened to be asked about by a method.
type opening struct{ path, method string }

// New returns an Inquiry. The contexts of its methods should have a deadline: a server that is not
// ready is waited for until then, and what it has said by then counts.
func New(access Access) *Inquiry {
	return &Inquiry{
		access: access, contents: make(map[string][]byte), texts: make(map[string]*protocol.Mapper), outlines: make(map[string]*Outline), gone: make(map[string]bool),
		shown: make(map[string]bool),
	}
}

// KeepServers has further questions of the same method about a file go to the server that was found
// for the first: for who puts many, before the disk is looked at again.
func (q *Inquiry) KeepServers() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.servers = make(map[opening]Server)
	if keeps, can := q.access.(interface{ Keep() }); can {
		keeps.Keep()
	}
}

// Bytes returns a file as servers are shown it: all its bytes, also those that [Inquiry.Text]
// replaces.
func (q *Inquiry) Bytes(path string) ([]byte, error) { return q.access.Text(path) }

// open returns the server for a question.
func (q *Inquiry) open(ctx context.Context, path, method string) (Server, error) {
	q.mu.Lock()
	known := cmp.Or(q.naming[path], q.servers[opening{path, method}])
	q.mu.Unlock()
	if known != nil {
		return known, nil
	}
	s, err := q.access.Open(ctx, path, method)
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.servers != nil {
		q.servers[opening{path, method}] = s
	}
	return s, nil
}

// forget drops a server that was kept: it has ended.
func (q *Inquiry) forget(ended Server) {
	q.mu.Lock()
	defer q.mu.Unlock()
	maps.DeleteFunc(q.servers, func(_ opening, s Server) bool { return s == ended })
}

// Notes returns what the caller should know about how the request was understood, such as a column
// that was corrected; each once, in the order of events.
func (q *Inquiry) Notes() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	notes := slices.Clone(q.notes)
	if len(q.byText) > 0 {
		notes = append(notes, q.noteOfTextLocked())
	}
	notes = append(notes, q.notesOfLinesLocked()...)
	gone := 0
	for _, is := range q.gone {
		if is {
			gone++
		}
	}
	switch gone {
	case 0:
		return notes
	case 1:
		return append(notes, "a server still knows a file that is gone; what it says of that is left out")
	}
	return append(notes, fmt.Sprintf("a server still knows %d files that are gone; what it says of them is left out", gone))
}

// notesOfLinesLocked says in which of the files that were read the servers may count lines otherwise.
func (q *Inquiry) notesOfLinesLocked() (notes []string) {
	for _, d := range q.unmeasured {
		for _, path := range slices.Sorted(maps.Keys(q.contents)) {
			if end := lsp.Doubtful(d, q.contents[path]); end != 0 {
				notes = append(notes, fmt.Sprintf("%s has %s, and it is not known whether that ends a line for %s: lines below it may be wrong",
					q.access.Relative(path), protocol.EndName(end), d.ID))
			}
		}
	}
	return notes
}

// measure notes that a server is asked about a file, and that no answer about a project is complete
// if nobody knows which line it was asked about.
func (q *Inquiry) measure(s Server, path, method string) {
	d := s.Definition()
	if d.Lines != nil {
		return
	}
	if text, err := q.content(path); err == nil && ofProject[method] && lsp.Doubtful(d, text) != 0 {
		q.judge(result.NotKnown)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if !slices.Contains(q.unmeasured, d) {
		q.unmeasured = append(q.unmeasured, d)
	}
}

// isGone reports whether there is no such file: the index of a server may still know of it.
func (q *Inquiry) isGone(path string) bool {
	q.mu.Lock()
	is, known := q.gone[path]
	q.mu.Unlock()
	if known {
		return is
	}
	if _, err := os.Lstat(path); err != nil { // it may be a text that somebody gave
		_, err := q.content(path)
		is = errors.Is(err, fs.ErrNotExist)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.gone[path] = is
	return is
}

// States returns what each server that was not ready was doing. If there are any the answer may be
// incomplete.
func (q *Inquiry) States() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.states)
}

// Note adds a note for the caller.
func (q *Inquiry) Note(text string) { q.note("%s", text) }

func (q *Inquiry) note(format string, args ...any) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if text := fmt.Sprintf(format, args...); !slices.Contains(q.notes, text) {
		q.notes = append(q.notes, text)
	}
}

func (q *Inquiry) unready(s Server, doing string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	text := s.Definition().ID + " is still loading: " + doing
	if strings.HasPrefix(doing, notAble) {
		text = s.Definition().ID + " is " + doing
	}
	if !slices.Contains(q.states, text) {
		q.states = append(q.states, text)
	}
}

// fruitless notes that a server found nothing, which means nothing because the server is not ready.
func (q *Inquiry) fruitless(why *NotReadyError) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.unfounded = why
}

// whyUnfounded returns the last reason that [Inquiry.fruitless] noted, nil if there is none.
func (q *Inquiry) whyUnfounded() *NotReadyError {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.unfounded
}

// hear notes the problems that a server reports of itself, unless its state says the same.
func (q *Inquiry) hear(s Server) {
	states := strings.Join(q.States(), "\n")
	for _, said := range complaints(s) {
		if !strings.Contains(states, said) {
			q.note("%s says: %s", s.Definition().ID, said)
		}
	}
}

// errVirtual is why a document that is no file, and was not fetched, has no text.
var errVirtual = errors.New("it is no file, and its text was not fetched")

// content returns the present text of a file; it is the same each time.
func (q *Inquiry) content(path string) ([]byte, error) {
	q.mu.Lock()
	known, ok := q.contents[path]
	q.mu.Unlock()
	if ok {
		return known, nil
	}
	if protocol.IsVirtual(path) {
		return nil, fmt.Errorf("%s: %w", protocol.VirtualName(path), errVirtual)
	}
	content, err := q.access.Text(path)
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if first, ok := q.contents[path]; ok {
		return first, nil
	}
	q.contents[path] = protocol.Text(content)
	return q.contents[path], nil
}

// Text returns the present text of a file, as a mapper of its positions.
func (q *Inquiry) Text(path string) (*protocol.Mapper, error) {
	q.mu.Lock()
	known := q.texts[path]
	q.mu.Unlock()
	if known != nil {
		return known, nil
	}
	content, err := q.content(path)
	if err != nil {
		return nil, err
	}
	m := protocol.NewMapper(content)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.texts[path] = m
	return m, nil
}

// Lines returns for each place the text of the line that it begins in, nil if it cannot be read.
// Files are read concurrently.
func (q *Inquiry) Lines(places []Place) [][]byte {
	byFile := make(map[string][]int) // the places
	for i := range places {
		byFile[places[i].Path] = append(byFile[places[i].Path], i)
	}
	texts := make([][]byte, len(places))
	files := make(chan []int, len(byFile))
	for _, ofFile := range byFile {
		files <- ofFile
	}
	close(files)
	var readers guard.Group
	for range min(len(byFile), runtime.GOMAXPROCS(0)) {
		readers.Go(func() {
			for ofFile := range files {
				q.linesOf(places, ofFile, texts)
			}
		})
	}
	readers.Wait()
	return texts
}

// linesOf sets the texts of places of one file, given by their indices.
func (q *Inquiry) linesOf(places []Place, indices []int, texts [][]byte) {
	content, err := q.content(places[indices[0]].Path)
	if err != nil {
		return
	}
	slices.SortFunc(indices, func(a, b int) int { return cmp.Compare(places[a].Range.Start.Line, places[b].Range.Start.Line) })
	lines := make([]uint32, len(indices))
	for i, index := range indices {
		lines[i] = places[index].Range.Start.Line
	}
	for i, text := range protocol.Lines(content, lines) {
		texts[indices[i]] = text
	}
}

// Outline returns what a file declares, by the server that answers for the file.
func (q *Inquiry) Outline(ctx context.Context, path string) (*Outline, error) {
	q.mu.Lock()
	known := q.outlines[path]
	q.mu.Unlock()
	if known != nil {
		return known, nil
	}
	content, err := q.content(path)
	if err != nil {
		return nil, err
	}
	answer, err := ask(ctx, q, path, "textDocument/documentSymbol", single(func(ctx context.Context, s Server) (*Outline, error) {
		if k, keeps := s.(Keeper); keeps && !protocol.IsVirtual(path) {
			return k.Outline(ctx, path, q.access.Relative(path), content)
		}
		reported, err := s.Symbols(ctx, path)
		return NewOutline(path, q.access.Relative(path), content, reported), err
	}))
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.outlines[path] = answer[0]
	return answer[0], nil
}

// Server returns the server that questions of a method about a file are put to, with the file open
// in it. Its errors are those of [Access].
func (q *Inquiry) Server(ctx context.Context, path, method string) (Server, error) {
	return q.open(ctx, path, method)
}

// maxAsked bounds how often a question is put to a server that keeps starting
// to load, changes its mind, or crashes.
const maxAsked = 4

// ask opens a file in a server that supports the method, and asks when the server is ready. What a
// server says while it loads the project is not relied on: it is asked again afterwards. If it is
// not ready in time the answer counts, with a state; an empty one is a *NotReadyError.
func ask[T any](ctx context.Context, q *Inquiry, path, method string, question func(context.Context, Server) ([]T, error)) ([]T, error) {
	for asked := 1; ; asked++ {
		s, err := q.open(ctx, path, method)
		if err != nil {
			return nil, err
		}
		q.measure(s, path, method)
		answer, err := askServer(ctx, q, s, method, question)
		var crashed *lsp.ServerError
		if asked == 1 && (errors.As(err, &crashed) || errors.Is(err, jsonrpc.ErrClosed)) && ctx.Err() == nil {
			q.forget(s)
			if crashed != nil {
				q.note("%s: %v; it was restarted", crashed.Server, crashed.Err)
			}
			continue // it may be started again
		}
		return answer, err
	}
}

func askServer[T any](ctx context.Context, q *Inquiry, s Server, method string, question func(context.Context, Server) ([]T, error)) ([]T, error) {
	defer q.hear(s)
	for asked := 1; ; asked++ {
		doing, began := awaitReady(ctx, s, method)
		if doing != "" && allOrNothing[method] {
			return nil, &NotReadyError{s.Definition().ID, doing}
		}
		answer, err := question(ctx, s)
		if err != nil {
			if again(err) && asked < maxAsked && ctx.Err() == nil {
				continue
			}
			return nil, explain(err, s, method, doing)
		}
		if ofOneFile[method] {
			return answer, nil
		}
		if missing := ofOpenFiles(s); missing != "" && ofProject[method] {
			q.note("%s knows only open files here: there is no %s", s.Definition().ID, missing)
			if method != "workspace/symbol" {
				q.judge(result.OfLoaded)
			}
		}
		if doing == "" {
			if interruptions(s) == began {
				return answer, nil
			}
			if asked < maxAsked {
				continue // it has begun to load meanwhile, or is not ready again
			}
			doing = "it begins anew with each question"
		}
		notReady := &NotReadyError{s.Definition().ID, doing}
		// A search by another name may find what this one did not.
		searches := method == "workspace/symbol" && notReady.hopeless()
		if len(answer) == 0 && !searches || allOrNothing[method] {
			return nil, notReady
		}
		q.unready(s, doing)
		if len(answer) == 0 {
			q.fruitless(notReady)
		}
		return answer, nil
	}
}

// again reports whether a server cancelled a question that it would answer now (LSP, ErrorCodes:
// ContentModified, ServerCancelled).
func again(err error) bool {
	var refused *jsonrpc.ResponseError
	return errors.As(err, &refused) && (refused.Code == -32801 || refused.Code == -32802)
}

// explain turns the end of the deadline into an error of its own.
func explain(err error, s Server, method, doing string) error {
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if doing == "" && !ofOneFile[method] {
		doing = loading(s)
	}
	if doing != "" {
		return &NotReadyError{s.Definition().ID, doing}
	}
	return &TimeoutError{s.Definition().ID, method}
}

// single turns a question with one answer into one with a list of them.
func single[T any](question func(context.Context, Server) (T, error)) func(context.Context, Server) ([]T, error) {
	return func(ctx context.Context, s Server) ([]T, error) {
		answer, err := question(ctx, s)
		return []T{answer}, err
	}
}
