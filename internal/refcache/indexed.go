package refcache

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/refcache/mentions"
	"github.com/lspine/lspine/internal/refcache/store"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/scip"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// An IndexedAnswer is an answer from an index.
type IndexedAnswer struct {
	Answer
	// Defined is where the index says that the symbol is defined.
	Defined symbols.Place
}

// A doubtError says why an index does not answer a question.
type doubtError struct{ reason string }

func (e *doubtError) Error() string { return e.reason }

func doubtful(format string, arguments ...any) error {
	return &doubtError{fmt.Sprintf(format, arguments...)}
}

// Indexed returns the answer that an imported index gives, nil if there is none that gives all of it. Why there is none is logged.
//
// An index answers only if nothing that its server reads has another text than the one that the index was made of, and each word in those texts that
// could be a use is accounted for: see docs/design/index.md.
func (q *Question) Indexed(ctx context.Context) *IndexedAnswer {
	if q == nil || q.cache.opts.NoIndexes {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer, err := q.indexed(ctx)
	if err != nil {
		slog.Debug("no index answers: " + err.Error())
		return nil
	}
	return answer
}

func (q *Question) indexed(ctx context.Context) (*IndexedAnswer, error) {
	c := q.cache
	indexes, err := c.store.Indexes(ctx)
	if err != nil || len(indexes) == 0 {
		return nil, errors.Join(err, doubtful("there is none"))
	}
	if same, err := q.view.OnDisk(ctx); err != nil || !same {
		return nil, errors.Join(err, doubtful("servers see texts that are not on disk"))
	}
	if err := q.needsIndex(ctx); err != nil {
		return nil, err
	}
	found, err := c.present(ctx)
	if err != nil {
		return nil, err
	}
	why := doubtful("no index has the file")
	for i := range indexes {
		a := &asking{cache: c, ctx: ctx, index: &indexes[i], found: found, documents: make(map[string]*scip.Document)}
		answer, err := a.answer(q)
		if err == nil {
			return answer, nil
		}
		if why = err; ctx.Err() != nil {
			break
		}
	}
	return nil, why
}

// needsIndex fails if the server that would answer runs and is not busy: it knows more, and is not slower.
func (q *Question) needsIndex(ctx context.Context) error {
	if q.cache.opts.AlwaysIndexes {
		return nil
	}
	access := q.view.Access()
	defer access.Close()
	inquiry, selector := symbols.New(symbols.OnlyTexts(access)), restate.Selector(q.selector)
	path, _ := inquiry.NamedIn(selector)
	if path == "" {
		t, err := inquiry.Resolve(ctx, selector)
		if err != nil {
			return err
		}
		path = t.Path
	}
	file, inside := q.cache.relative(path)
	if !inside {
		return doubtful("the file is not in the workspace")
	}
	primary, why := q.cache.answering(file)
	if why != "" {
		return doubtful("%s", why)
	}
	for _, s := range q.cache.opts.Workspace.Running() {
		if s.Definition().ID == primary.Definition.ID && s.Root() == primary.Key().Root && len(s.Works()) == 0 {
			return doubtful("%s runs", primary.Definition.ID)
		}
	}
	return nil
}

// An asking puts one question to one index.
type asking struct {
	cache *Cache
	//nolint:containedctx // it lives for one question
	ctx       context.Context
	index     *store.Index
	found     *scan
	documents map[string]*scip.Document
	// file is the one that is asked about, server the one that would answer.
	file   string
	server *registry.Definition
	// changed are the files whose texts are others than the index knows, and do not matter to what is asked about unless they have its name.
	changed []string
	// symbol and name are what is asked about.
	symbol string
	parsed scip.Symbol
	name   string
}

func (a *asking) answer(q *Question) (*IndexedAnswer, error) {
	t, err := a.target(q)
	if err != nil {
		return nil, err
	}
	if err := a.place(t); err != nil {
		return nil, err
	}
	if err := a.unchanged(); err != nil {
		return nil, err
	}
	answer := &IndexedAnswer{Answer: Answer{Target: t}}
	naming, err := a.naming()
	if err != nil {
		return nil, err
	}
	files, definitions := 0, 0
	for _, name := range naming {
		places, defined, err := a.usesIn(name)
		if err != nil {
			return nil, err
		}
		if len(places) > 0 {
			files++
		}
		for _, p := range places {
			if slices.Contains(defined, p) {
				answer.Defined = p
				definitions++
				if !q.declaration {
					continue
				}
			}
			answer.Places = append(answer.Places, p)
		}
	}
	if definitions != 1 {
		return nil, doubtful("%s has %d definitions", a.name, definitions)
	}
	slices.SortFunc(answer.Places, func(one, other symbols.Place) int {
		return cmp.Or(cmp.Compare(q.names.Relative(one.Path), q.names.Relative(other.Path)),
			cmp.Compare(one.Range.Start.Line, other.Range.Start.Line), cmp.Compare(one.Range.Start.Character, other.Range.Start.Character))
	})
	of := a.index.Commit
	if of == "" {
		of = a.index.Imported.UTC().Format("2006-01-02 15:04 UTC")
	}
	answer.From = fmt.Sprintf("from index of %s (%s, by %s), live (%s)", of[:min(12, len(of))], count(files, "file"), a.index.Tool,
		count(len(a.changed), "file"))
	return answer, nil
}

// document returns what the index says of a file. That it says nothing, or says it of another text, is an error.
func (a *asking) document(file string) (*scip.Document, error) {
	if d, known := a.documents[file]; known {
		return d, nil
	}
	f, err := a.cache.store.Indexed(a.ctx, a.index.Number, file)
	if err != nil {
		return nil, err
	}
	if f.Document == nil || a.found.hashes[file] != f.Hash {
		return nil, doubtful("%s is not as it is in the index", file)
	}
	d, err := unpack(f.Document)
	if err != nil {
		return nil, err
	}
	a.documents[file] = d
	return d, nil
}

// text returns the text of a file, which is the one that was scanned.
func (a *asking) text(file string) ([]byte, error) {
	text, err := fspath.Read(filepath.Join(a.cache.opts.Workspace.Root(), filepath.FromSlash(file)))
	if err == nil && hashOf(text) != a.found.hashes[file] {
		err = doubtful("%s changes", file)
	}
	return text, err
}

// installed are the names of folders into which packages are installed: what is in them uses nothing of the workspace.
var installed = []string{language.NodeFolder, "site-packages"}

// IsInstalled reports whether a file is in a package that was installed, which no index and no commit has.
func IsInstalled(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return slices.Contains(installed, part) })
}

// matters reports whether what a file says may change what the server says about the file that is asked about.
func (a *asking) matters(name string) bool {
	return workspace.Reads(a.server, filepath.Base(name)) || language.Of(name).Family != 0 && language.Of(name).Family == language.Of(a.file).Family
}

// mayUse reports whether a file may use what the file declares that is asked about.
func (a *asking) mayUse(name string) bool {
	if IsInstalled(name) || a.parsed.Local != "" && name != a.file {
		return false
	}
	if family := language.Of(name).Family; family != 0 && family == language.Of(a.file).Family {
		return true
	}
	_, speaks := a.server.LanguageID(name)
	return speaks || slices.Contains(a.server.Reads, filepath.Ext(name))
}

// maxChanged bounds the files that may have changed while an index still answers.
const maxChanged = 50

// unchanged fails if a file that matters has another text than the index knows, is new, or is gone. In Go, what is declared in a package or a
// function is found by scopes: a file that changed matters only if its imports changed, or if it has the name.
func (a *asking) unchanged() error {
	hashes, err := a.cache.store.Hashes(a.ctx, a.index.Number)
	if err != nil {
		return err
	}
	for name, hash := range a.found.hashes {
		if hashes[name] == hash || !a.matters(name) || IsInstalled(name) {
			continue
		}
		if hashes[name] == "" || a.parsed.IsMember() || !language.Is(name, language.Go) || !language.Is(a.file, language.Go) || len(a.changed) == maxChanged {
			return doubtful("%s is not as it was", name)
		}
		a.changed = append(a.changed, name)
	}
	for name := range hashes {
		if _, there := a.found.hashes[name]; !there && a.matters(name) {
			return doubtful("%s is gone", name)
		}
	}
	return a.keepScopes(hashes)
}

// keepScopes fails if a file that changed may give names to other things than before.
func (a *asking) keepScopes(hashes map[string]string) error {
	if len(a.changed) == 0 {
		return nil
	}
	if a.index.Commit == "" {
		return doubtful("it is not known how %s was", a.changed[0])
	}
	w := a.cache.opts.Workspace
	var paths []string
	for _, name := range a.changed {
		paths = append(paths, filepath.Join(w.Root(), filepath.FromSlash(name)))
	}
	former, _, err := w.Git().TextsAt(a.ctx, a.index.Commit, paths)
	if err != nil {
		return err
	}
	for i, name := range a.changed {
		now, err := a.text(name)
		if err != nil {
			return err
		}
		if hashOf(former[paths[i]]) != hashes[name] || !mentions.KeepsScopes(name, former[paths[i]], now) {
			return doubtful("%s is not as it was", name)
		}
	}
	return nil
}

// naming returns the files that may use the symbol and have its name, sorted. They are read by as many goroutines as run at once.
func (a *asking) naming() ([]string, error) {
	var files []string
	for name := range a.found.hashes {
		if a.mayUse(name) {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	has := make([]bool, len(files))
	failed := make([]error, runtime.GOMAXPROCS(0))
	var next atomic.Int64
	var readers guard.Group
	for n := range failed {
		readers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(files) && failed[n] == nil; i = int(next.Add(1)) - 1 {
				text, err := a.text(files[i])
				has[i], failed[n] = bytes.Contains(text, []byte(a.name)), errors.Join(err, a.ctx.Err())
			}
		})
	}
	readers.Wait()
	if err := errors.Join(failed...); err != nil {
		return nil, err
	}
	var naming []string
	for i, name := range files {
		if has[i] {
			naming = append(naming, name)
		}
	}
	return naming, nil
}

// usesIn returns where a file uses, or defines, the symbol. It fails if a word may be a use that the index does not know.
func (a *asking) usesIn(file string) (places, defined []symbols.Place, err error) {
	text, err := a.text(file)
	if err != nil {
		return nil, nil, err
	}
	words := mentions.Of(file, text, a.name)
	if len(words) == 0 {
		return nil, nil, nil
	}
	var d *scip.Document
	m := protocol.NewMapper(text)
	path := filepath.Join(a.cache.opts.Workspace.Root(), filepath.FromSlash(file))
	at := make(map[protocol.Range][]scip.Occurrence)
	for _, word := range words {
		if d == nil {
			if d, err = a.document(file); err != nil && !word.Harmless {
				return nil, nil, err
			}
			if d != nil {
				for _, o := range d.Occurrences {
					at[protocolRange(o.Range)] = append(at[protocolRange(o.Range)], o)
				}
			}
		}
		r := protocol.Range{Start: m.Position(word.Offset, protocol.UTF16), End: m.Position(word.Offset+len(a.name), protocol.UTF16)}
		is, err := a.isUse(at[r], word)
		if err != nil {
			return nil, nil, fmt.Errorf("%s:%d: %w", file, r.Start.Line+1, err)
		}
		if !is {
			continue
		}
		place := symbols.Place{Path: path, Range: r}
		places = append(places, place)
		if at[r][0].Roles&scip.Definition != 0 {
			defined = append(defined, place)
		}
	}
	if len(defined) > 0 && mentions.IsOpen(file, text) {
		return nil, nil, doubtful("what %s declares may be declared elsewhere, too", file)
	}
	return places, defined, nil
}

// isUse reports whether the symbol is what stands at a word. It fails if that is in doubt.
func (a *asking) isUse(at []scip.Occurrence, word mentions.Mention) (bool, error) {
	own := slices.ContainsFunc(at, func(o scip.Occurrence) bool { return o.Symbol == a.symbol })
	switch {
	case len(at) == 0 && word.Harmless:
		return false, nil
	case len(at) == 0:
		return false, doubtful("the index does not say what %s is", a.name)
	case own && len(at) > 1:
		return false, doubtful("several symbols of the index stand there")
	case own && word.Harmless:
		return false, doubtful("%s stands in a comment or a string there", a.name)
	case own && word.Key && len(a.changed) > 0:
		return false, doubtful("%s may be a field there", a.name)
	case own && word.Renames:
		return false, doubtful("%s may get another name there", a.name)
	case own:
		return true, nil
	}
	for _, o := range at {
		if err := a.isOther(o.Symbol); err != nil {
			return false, err
		}
	}
	return false, nil
}

// isOther fails if a symbol of the same name may be the one that is asked about after all: by what it inherits, implements or brings in. In Go,
// what is declared in a package, or in a function, is nothing else.
func (a *asking) isOther(symbol string) error {
	parsed, ok := scip.ParseSymbol(symbol)
	if ok && language.Is(a.file, language.Go) && (parsed.Local != "" || !a.parsed.IsMember()) {
		return nil
	}
	return doubtful("there is another %s: %s", a.name, symbol)
}
