package navigation

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/refcache"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/scip"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// An Indexer writes indexes of the workspace for one caller.
type Indexer struct {
	*Navigator
	workspace *workspace.Workspace
	version   string
	resolve   func(path string) (string, error)
	permit    func(ctx context.Context, paths []string) error
}

// IndexerOptions are what an Indexer needs besides a Navigator.
type IndexerOptions struct {
	Workspace *workspace.Workspace
	// Version is that of this program.
	Version string
	// Resolve returns the absolute path of a file that the caller may write.
	Resolve func(path string) (string, error)
	// Permit fails if the policy does not allow to write files.
	Permit func(ctx context.Context, paths []string) error
}

// NewIndexer returns the Indexer of the caller of a Navigator.
func NewIndexer(n *Navigator, o IndexerOptions) *Indexer {
	return &Indexer{n, o.Workspace, o.Version, o.Resolve, o.Permit}
}

// An indexed is an index in the making.
type indexed struct {
	documents map[string]*scip.Document
	// symbols are those of all documents: of several things that would be called the same, none is kept.
	symbols map[string]int
	left    int
}

// ExportIndex asks servers what every file of the workspace declares, and where that is used, and writes it into a file. What a server
// cannot say in full is left out, and counted.
func (x *Indexer) ExportIndex(ctx context.Context, req api.ExportIndexRequest) (result.Done, error) {
	dest, err := x.dest(ctx, req.File)
	if err != nil {
		return result.Done{}, err
	}
	before, err := x.kept.Hashes(ctx)
	if err != nil {
		return result.Done{}, err
	}
	made := &indexed{documents: make(map[string]*scip.Document), symbols: make(map[string]int)}
	for name, hash := range before {
		if !refcache.IsInstalled(name) {
			made.documents[name] = &scip.Document{Path: name, Encoding: scip.UTF16, Hash: hash}
		}
	}
	sources, err := x.workspace.Sources(ctx)
	if err != nil {
		return result.Done{}, err
	}
	asked := 0
	for _, path := range sources {
		name := filepath.ToSlash(x.workspace.Relative(path))
		if made.documents[name] == nil || len(x.workspace.Searchers(filepath.Base(path))) == 0 {
			continue
		}
		if err := x.addFile(ctx, made, path, req.Limits); err != nil {
			return result.Done{}, err
		}
		asked++
	}
	if after, err := x.kept.Hashes(ctx); err != nil || !maps.Equal(before, after) {
		return result.Done{}, errors.Join(err, &changedError{})
	}
	if req.Text {
		if err := x.addTexts(made); err != nil {
			return result.Done{}, err
		}
	}
	occurrences, err := x.write(dest, made)
	if err != nil {
		return result.Done{}, fmt.Errorf("%s: %w", req.File, err)
	}
	done := fmt.Sprintf("wrote %d occurrences of the symbols that %d files declare", occurrences, asked)
	if made.left > 0 {
		done += fmt.Sprintf("; left out: %d symbols whose uses the servers do not know in full, or that are no single one", made.left)
	}
	return result.Done{Path: req.File, Done: done}, nil
}

// dest returns the file that is written. One that is there is only replaced if it is an index.
func (x *Indexer) dest(ctx context.Context, file string) (string, error) {
	const example = `for example "index.scip"`
	if file == "" {
		return "", &api.ArgumentError{Argument: "file", Reason: "it is missing", Advice: example}
	}
	path, err := x.resolve(file)
	if err != nil {
		return "", err
	}
	text, err := fspath.Read(path)
	if err == nil && len(text) > 0 {
		_, err = scip.NewReader(bytes.NewReader(text)).Next()
	}
	var malformed *scip.FormatError
	if errors.As(err, &malformed) || errors.Is(err, fspath.ErrNotRegular) {
		return "", &api.ArgumentError{Argument: "file", Reason: file + " is there, and is no index", Advice: "name a new file, " + example}
	}
	if x.kept == nil {
		return "", &refcache.OffError{}
	}
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return "", &api.ArgumentError{Argument: "file", Reason: "the folder of " + file + " is not there", Advice: "make it first"}
	}
	return path, x.permit(ctx, []string{path})
}

// A changedError says that files changed while an index was made.
type changedError struct{}

func (*changedError) Error() string { return "files changed while the index was made" }

// Hint says what to do then.
func (*changedError) Hint() string { return "try again while nothing writes files" }

// Kind returns result.Unavailable.
func (*changedError) Kind() result.Kind { return result.Unavailable }

// addFile adds what a file declares. What no server says of it is left out.
func (x *Indexer) addFile(ctx context.Context, made *indexed, path string, limits api.Limits) error {
	var declared []*symbols.Symbol
	_, err := overlay.Ask(ctx, x.view, limits, headOfPlaces, func(ctx context.Context, q *symbols.Inquiry) (none result.Places, err error) {
		o, err := q.Outline(ctx, path)
		if err == nil {
			tree, _ := o.Declarations()
			declared = flattened(tree)
		}
		return none, err
	})
	if err != nil {
		return ctx.Err() // a file that no server knows declares nothing
	}
	for _, s := range declared {
		if err := x.addSymbol(ctx, made, path, s, limits); err != nil {
			return err
		}
	}
	return nil
}

func flattened(tree []*symbols.Symbol) (all []*symbols.Symbol) {
	for _, s := range tree {
		all = append(append(all, s), flattened(s.Children)...)
	}
	return all
}

// addSymbol adds where one thing is defined and used.
func (x *Indexer) addSymbol(ctx context.Context, made *indexed, path string, s *symbols.Symbol, limits api.Limits) error {
	suffix, is := suffixes[s.Kind]
	if !is || !symbols.IsName(s.Name) {
		made.left++
		return nil
	}
	name := x.symbolOf(path, s, suffix)
	if made.symbols[name]++; made.symbols[name] > 1 {
		made.left++
		return nil
	}
	t := symbols.Target{Path: path, At: s.Selection.Start, Name: s.Name, Symbol: s}
	var places []symbols.Place
	answer, err := overlay.Ask(ctx, x.view, limits, headOfPlaces, func(ctx context.Context, q *symbols.Inquiry) (none result.Places, err error) {
		uses, err := q.Uses(ctx, t, true)
		places = uses.Places
		return none, err
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	if err != nil || answer.Completeness != result.Complete || len(answer.State)+len(answer.Notes) > 0 {
		made.left++
		return nil
	}
	definition := symbols.Place{Path: path, Range: s.Selection}
	if !slices.Contains(places, definition) {
		places = append(places, definition)
	}
	for _, p := range places {
		d := made.documents[filepath.ToSlash(x.workspace.Relative(p.Path))]
		if d == nil {
			made.left++ // it is used in a library
			made.symbols[name]++
			return nil
		}
	}
	for _, p := range places {
		o := scip.Occurrence{Range: rangeOf(p.Range), Symbol: name}
		if p == definition {
			o.Roles, o.HasEnclosing, o.Enclosing = scip.Definition, true, rangeOf(s.Range)
		}
		d := made.documents[filepath.ToSlash(x.workspace.Relative(p.Path))]
		d.Occurrences = append(d.Occurrences, o)
	}
	d := made.documents[filepath.ToSlash(x.workspace.Relative(path))]
	d.Symbols = append(d.Symbols, scip.SymbolInformation{Symbol: name, DisplayName: s.Name})
	return nil
}

func rangeOf(r protocol.Range) [4]int32 {
	return [4]int32{int32(r.Start.Line), int32(r.Start.Character), int32(r.End.Line), int32(r.End.Character)}
}

// suffixes say what descriptors are for things of a kind. What has none is in no index.
var suffixes = map[string]scip.Suffix{
	"class": scip.Type, "interface": scip.Type, "struct": scip.Type, "enum": scip.Type,
	"function": scip.Method, "method": scip.Method,
	"variable": scip.Term, "constant": scip.Term, "property": scip.Term, "field": scip.Term, "enum member": scip.Term,
}

// symbolOf returns what a thing is called in the index: by its file, and by the names that hold it.
func (x *Indexer) symbolOf(path string, s *symbols.Symbol, suffix scip.Suffix) string {
	named := scip.Symbol{Scheme: "lspine", Descriptors: []scip.Descriptor{{Name: filepath.ToSlash(x.workspace.Relative(path)), Suffix: scip.Namespace}}}
	for i, part := range s.Path {
		if i == len(s.Path)-1 {
			named.Descriptors = append(named.Descriptors, scip.Descriptor{Name: part, Suffix: suffix})
		} else {
			named.Descriptors = append(named.Descriptors, scip.Descriptor{Name: part, Suffix: scip.Type})
		}
	}
	return named.String()
}

// addTexts adds the texts of the files, which are those that the index is of.
func (x *Indexer) addTexts(made *indexed) error {
	for name, d := range made.documents {
		text, err := fspath.Read(filepath.Join(x.workspace.Root(), filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		d.Text, d.HasText = text, true
	}
	return nil
}

// write writes the index, in the place of one that is there at the end or not at all, and returns how many occurrences it has.
func (x *Indexer) write(dest string, made *indexed) (occurrences int, err error) {
	draft, err := os.CreateTemp(filepath.Dir(dest), ".lspine-index-*")
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(draft.Name()) // nobody reads it
		}
	}()
	whole := bufio.NewWriter(draft)
	w := scip.NewWriter(whole, scip.Metadata{ToolName: "lspine", ToolVersion: x.version, ProjectRoot: string(protocol.URIFromPath(x.workspace.Root()))})
	for _, name := range slices.Sorted(maps.Keys(made.documents)) {
		d := made.documents[name]
		slices.SortFunc(d.Occurrences, func(a, b scip.Occurrence) int {
			return cmp.Or(slices.Compare(a.Range[:], b.Range[:]), cmp.Compare(a.Symbol, b.Symbol))
		})
		occurrences += len(d.Occurrences)
		if err := w.Add(d); err != nil {
			return 0, errors.Join(err, draft.Close())
		}
	}
	if err := errors.Join(w.Close(), whole.Flush(), draft.Chmod(0o644), draft.Sync()); err != nil {
		return 0, errors.Join(err, draft.Close())
	}
	if err := draft.Close(); err != nil {
		return 0, err
	}
	return occurrences, os.Rename(draft.Name(), dest)
}
