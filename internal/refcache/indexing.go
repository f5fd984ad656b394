package refcache

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/refcache/mentions"
	"github.com/lspine/lspine/internal/refcache/store"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/scip"
	"github.com/lspine/lspine/internal/workspace"
)

// Bounds of what is taken over of an index that somebody made.
const (
	maxIndex    = 2 << 30  // bytes, when it is not compressed
	maxOdd      = 200_000  // symbols about which it is not believed
	maxTextOf   = 16 << 20 // bytes of the text that a document describes
	textsAtOnce = 500      // files whose former texts are read at once
)

// An indexing takes over one index.
type indexing struct {
	cache *Cache
	// root is that of the workspace, without links.
	root   string
	commit string
	// base are the hashes of the files that matter, at the commit.
	base  map[string]string
	files map[string]store.IndexedFile
	odd   map[string]bool
	bytes int
	out   leftOutOfIndex
}

// leftOutOfIndex counts what is not taken over of an index, by the reason.
type leftOutOfIndex struct{ paths, texts, occurrences int }

func (o *leftOutOfIndex) text() string {
	var parts []string
	add := func(n int, what, why string) {
		if n > 0 {
			parts = append(parts, count(n, what)+" "+why)
		}
	}
	add(o.paths, "document", "of paths that are no files of the workspace, or of several texts")
	add(o.texts, "document", "of which the text that they describe is not known")
	add(o.occurrences, "occurrence", "where no name stands")
	if len(parts) == 0 {
		return ""
	}
	return "; left out: " + strings.Join(parts, ", ")
}

// readBase reads which texts the files of the workspace had at the commit.
func (x *indexing) readBase(ctx context.Context, here map[string]string) error {
	if x.commit == "" {
		return nil
	}
	w := x.cache.opts.Workspace
	names, err := w.Git().FilesAt(ctx, x.commit)
	if err != nil {
		return err
	}
	for name := range here {
		names = append(names, name)
	}
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names), func(name string) bool { return !store.Inside(name) || !x.cache.mayMatter(name) })
	if len(names) > maxFiles {
		return errTooMuch
	}
	return x.eachTextAt(ctx, names, func(name string, text []byte) { x.base[name] = hashOf(text) })
}

// mayMatter reports whether a file of this name is one that scans look at.
func (c *Cache) mayMatter(name string) bool {
	base := filepath.Base(filepath.FromSlash(name))
	return c.opts.Workspace.Matters(base) ||
		slices.ContainsFunc(c.scanner.servers, func(d *registry.Definition) bool { return workspace.Reads(d, base) })
}

// eachTextAt calls take for each of the files that are there at the commit.
func (x *indexing) eachTextAt(ctx context.Context, names []string, take func(name string, text []byte)) error {
	w := x.cache.opts.Workspace
	for chunk := range slices.Chunk(names, textsAtOnce) {
		paths := make([]string, len(chunk))
		for i, name := range chunk {
			paths[i] = filepath.Join(w.Root(), filepath.FromSlash(name))
		}
		texts, _, err := w.Git().TextsAt(ctx, x.commit, paths)
		if err != nil {
			return err
		}
		for i, path := range paths {
			if text, there := texts[path]; there {
				take(chunk[i], text)
			}
		}
	}
	return nil
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// read takes over the documents of an index, whose paths are relative to a folder of the root.
func (x *indexing) read(ctx context.Context, from *scip.Reader, folder string) error {
	var waiting []*scip.Document
	held := 0
	settle := func() error {
		err := x.takeAll(ctx, waiting)
		waiting, held = nil, 0
		return err
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		d, err := from.Next()
		if errors.Is(err, io.EOF) {
			return settle()
		}
		if err != nil {
			return err
		}
		d.Path = strings.TrimPrefix(folder+"/"+d.Path, "/")
		if !x.isOurs(d) {
			x.out.paths++
			continue
		}
		waiting = append(waiting, d)
		if held += len(d.Occurrences); len(waiting) == textsAtOnce || held > scip.MaxOccurrences {
			if err := settle(); err != nil {
				return err
			}
		}
	}
}

// isOurs reports whether a document may describe a file of the workspace: by its name, and no link leads to it.
func (x *indexing) isOurs(d *scip.Document) bool {
	if !store.Inside(d.Path) || !x.cache.mayMatter(d.Path) {
		return false
	}
	real, err := filepath.EvalSymlinks(filepath.Join(x.root, filepath.FromSlash(d.Path)))
	return errors.Is(err, os.ErrNotExist) || err == nil && real == filepath.Join(x.root, filepath.FromSlash(d.Path))
}

// takeAll takes over documents, with the texts that they describe: their own, else those at the commit, else those on disk if the index
// says their hashes.
func (x *indexing) takeAll(ctx context.Context, documents []*scip.Document) error {
	texts := make(map[string][]byte)
	var names []string
	for _, d := range documents {
		switch {
		case d.HasText:
			texts[d.Path] = d.Text
		default:
			names = append(names, d.Path)
		}
	}
	if x.commit != "" {
		if err := x.eachTextAt(ctx, names, func(name string, text []byte) { texts[name] = text }); err != nil {
			return err
		}
	}
	for _, d := range documents {
		text, known := texts[d.Path]
		if d.Hash != "" && (!known || hashOf(text) != d.Hash) {
			here, err := fspath.Read(filepath.Join(x.cache.opts.Workspace.Root(), filepath.FromSlash(d.Path)))
			text, known = here, err == nil && hashOf(here) == d.Hash
		}
		if !known || len(text) > maxTextOf {
			x.out.texts++
			continue
		}
		if err := x.take(d, text); err != nil {
			return err
		}
	}
	return nil
}

// take takes over one document, which describes a text.
func (x *indexing) take(d *scip.Document, text []byte) error {
	before, twice := x.files[d.Path]
	if twice && before.Hash != hashOf(text) { // of two texts, one is not there
		x.out.paths++
		return nil
	}
	file := store.IndexedFile{Path: d.Path, Hash: hashOf(text)}
	if !slices.ContainsFunc(d.Occurrences, func(o scip.Occurrence) bool { return o.Symbol != "" }) && d.Hash != "" {
		x.files[d.Path] = file // it says which text the file has, and no more
		return nil
	}
	kept := scip.Document{Path: d.Path, Encoding: scip.UTF16}
	x.relate(d)
	if hasPlainLines(text) {
		kept.Occurrences = x.checked(d, protocol.NewMapper(text))
	} else { // nobody knows which lines are counted
		x.out.occurrences += len(d.Occurrences)
		x.doubt(d)
	}
	if before.Document != nil { // some indexers write a document for each package that has the file
		earlier, err := unpack(before.Document)
		if err != nil {
			return err
		}
		x.bytes -= len(before.Document)
		kept.Occurrences = merged(earlier.Occurrences, kept.Occurrences)
	}
	packed, err := pack(kept.Encode())
	if err != nil {
		return err
	}
	if x.bytes += len(packed); x.bytes > store.MaxIndexes {
		return &scip.FormatError{Reason: fmt.Sprintf("it takes more than %d bytes when it is kept", store.MaxIndexes)}
	}
	if len(x.odd) > maxOdd {
		return &scip.FormatError{Reason: fmt.Sprintf("it has more than %d symbols with occurrences where another name, or none, stands", maxOdd)}
	}
	file.Document = packed
	x.files[d.Path] = file
	return nil
}

// hasPlainLines reports whether everybody counts the lines of a text alike, and the characters of the first one.
func hasPlainLines(text []byte) bool {
	return len(protocol.Text(text)) == len(text) &&
		!bytes.ContainsAny(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), protocol.UnusualEnds)
}

// merged returns occurrences, each once.
func merged(one, other []scip.Occurrence) []scip.Occurrence {
	known := make(map[scip.Occurrence]bool, len(one))
	for _, o := range one {
		known[o] = true
	}
	for _, o := range other {
		if !known[o] && len(one) < 2*scip.MaxOccurrences {
			known[o] = true
			one = append(one, o)
		}
	}
	return one
}

// doubt has nothing of a document believed about its symbols.
func (x *indexing) doubt(d *scip.Document) {
	for i := range d.Occurrences {
		x.odd[keyOf(d.Path, d.Occurrences[i].Symbol)] = true
	}
}

// keyOf returns what a symbol in a file is called in all of an index.
func keyOf(file, symbol string) string {
	if strings.HasPrefix(symbol, "local ") {
		return file + " " + symbol
	}
	return symbol
}

// relate has nothing believed about symbols whose uses are those of others, too.
func (x *indexing) relate(d *scip.Document) {
	for _, s := range d.Symbols {
		parsed, _ := scip.ParseSymbol(s.Symbol)
		for _, r := range s.Relationships {
			if r.Reference || r.Same || r.Implementation && parsed.Last().Suffix != scip.Type {
				x.odd[keyOf(d.Path, s.Symbol)], x.odd[keyOf(d.Path, r.Symbol)] = true, true
			}
		}
	}
}

// checked returns the occurrences that stand at names, with ranges as we count. A symbol with another occurrence is in doubt, and so is
// one that stands at another name than its own.
func (x *indexing) checked(d *scip.Document, text *protocol.Mapper) (kept []scip.Occurrence) {
	names := make(map[string]string)
	for _, o := range d.Occurrences {
		if o.Symbol == "" {
			continue // it says how to colour it
		}
		key := keyOf(d.Path, o.Symbol)
		r, at := rangeIn(text, o.Range, d.Encoding)
		if !mentions.IsName(at) {
			x.out.occurrences++
			x.odd[key] = true
			continue
		}
		if _, known := names[key]; !known {
			names[key] = string(at)
			if parsed, ok := scip.ParseSymbol(o.Symbol); !ok {
				x.odd[key] = true
			} else if parsed.Local == "" {
				names[key] = parsed.Last().Name
			}
		}
		if names[key] != string(at) {
			x.odd[key] = true
		}
		kept = append(kept, scip.Occurrence{Range: r, Symbol: o.Symbol, Roles: o.Roles & scip.Definition})
	}
	return kept
}

// encodings are those of the format, as we call them.
var encodings = map[scip.Encoding]protocol.Encoding{scip.UTF8: protocol.UTF8, scip.UTF16: protocol.UTF16, scip.UTF32: protocol.UTF32}

// rangeIn returns a range in one line as we count, and the text there, nil if it is none. If the index does not say how it counts,
// only what is the same in every encoding is one.
func rangeIn(text *protocol.Mapper, r [4]int32, encoding scip.Encoding) (counted [4]int32, at []byte) {
	if r[0] < 0 || r[1] < 0 || r[3] <= r[1] || r[2] != r[0] || int(r[0]) >= text.Lines() {
		return counted, nil
	}
	line := uint32(r[0])
	start, end := protocol.Position{Line: line, Character: uint32(r[1])}, protocol.Position{Line: line, Character: uint32(r[3])}
	of, known := encodings[encoding]
	if !known {
		of = protocol.UTF8
		if e := text.Offset(end, of); text.Offset(end, protocol.UTF32) != e {
			return counted, nil
		}
	}
	if end.Character > text.Width(line, of) {
		return counted, nil
	}
	from, to := text.Offset(start, of), text.Offset(end, of)
	first, last := text.Position(from, protocol.UTF16), text.Position(to, protocol.UTF16)
	if text.Position(from, of) != start || text.Position(to, of) != end { // within a character
		return counted, nil
	}
	return [4]int32{r[0], int32(first.Character), r[0], int32(last.Character)}, text.Content()[from:to]
}

// pack compresses what is kept of a document, unpack is its inverse.
func pack(message []byte) ([]byte, error) {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(message)
	err = errors.Join(err, w.Close())
	return packed.Bytes(), err
}

func unpack(packed []byte) (*scip.Document, error) {
	const most = 4 * scip.MaxDocument
	message, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), most))
	if err != nil {
		return nil, err
	}
	return scip.DecodeDocument(message)
}

// opened returns the bytes of an index in a file, which may be compressed by gzip. The caller closes the file.
func opened(path string) (from io.Reader, file *os.File, err error) {
	if file, err = fspath.Open(path); err != nil {
		return nil, nil, err
	}
	whole := bufio.NewReader(file)
	from = whole
	if begin, _ := whole.Peek(2); bytes.Equal(begin, []byte{0x1f, 0x8b}) {
		if from, err = gzip.NewReader(whole); err != nil {
			_ = file.Close() // nothing was written
			return nil, nil, &scip.FormatError{Reason: "it cannot be unpacked: " + err.Error()}
		}
	}
	return &bounded{from, maxIndex}, file, nil
}

// bounded is a reader that fails after so many bytes.
type bounded struct {
	from io.Reader
	left int64
}

func (b *bounded) Read(into []byte) (int, error) {
	n, err := b.from.Read(into)
	if b.left -= int64(n); b.left < 0 {
		return 0, &scip.FormatError{Reason: fmt.Sprintf("it has more than %d bytes", maxIndex)}
	}
	if errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) {
		err = &scip.FormatError{Reason: "it cannot be unpacked: " + err.Error()}
	}
	return n, err
}

// finished returns the files that the index knows, and the symbols about which it is not believed.
func (x *indexing) finished() (files []store.IndexedFile, odd []string, documents int) {
	for name, hash := range x.base {
		if _, known := x.files[name]; !known {
			files = append(files, store.IndexedFile{Path: name, Hash: hash})
		}
	}
	for _, f := range x.files {
		files = append(files, f)
		if f.Document != nil {
			documents++
		}
	}
	for symbol := range x.odd {
		odd = append(odd, symbol)
	}
	return files, odd, documents
}

// takeOver reads an index from a file into the store, and returns what there is to say of it.
func (c *Cache) takeOver(ctx context.Context, path, source, commit string) (index store.Index, out leftOutOfIndex, counting int, err error) {
	found, err := c.scanned(ctx)
	if err != nil {
		return index, out, 0, fmt.Errorf("the files of the workspace: %w", err)
	}
	x := &indexing{cache: c, commit: commit, base: make(map[string]string), files: make(map[string]store.IndexedFile), odd: make(map[string]bool)}
	if x.root, err = filepath.EvalSymlinks(c.opts.Workspace.Root()); err != nil {
		return index, out, 0, err
	}
	from, file, err := opened(path)
	if err != nil {
		return index, out, 0, err
	}
	defer func() { _ = file.Close() }() // nothing was written
	if err := x.readBase(ctx, found.hashes); err != nil {
		return index, out, 0, err
	}
	reader := scip.NewReader(from)
	if err := x.read(ctx, reader, ""); err != nil {
		return index, out, 0, err
	}
	tool := strings.TrimSpace(reader.Metadata.ToolName + " " + reader.Metadata.ToolVersion)
	index = store.Index{Source: source, Tool: shortened(tool), Commit: commit, Imported: time.Now()}
	files, odd, documents := x.finished()
	if index.Documents = documents; documents == 0 {
		return index, x.out, 0, nil
	}
	for name, f := range x.files {
		if f.Document != nil && found.hashes[name] == f.Hash {
			counting++
		}
	}
	if err := c.settleIn(); err != nil {
		return index, x.out, 0, err
	}
	return index, x.out, counting, c.store.AddIndex(ctx, index, files, odd)
}

// shortened returns a text of a stranger that is named in answers.
func shortened(text string) string {
	const most = 60
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, text)
	if text == "" {
		return "an unknown tool"
	}
	return text[:min(most, len(text))]
}
