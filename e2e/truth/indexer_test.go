package truth

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/scip"
)

// An indexer is the program that knows all places of a symbol, as its language's own tools do.
type indexer struct {
	program string
	// encoding is what its columns count where its documents do not say it.
	encoding scip.Encoding
	// runs returns what is run: the folder, and the arguments without the program. Each run writes index.scip there.
	runs func(w *world) []indexing
}

type indexing struct {
	folder string
	args   []string
}

// indexers are those of the servers that have one.
var indexers = map[string]indexer{
	"gopls": {program: "scip-go", encoding: scip.UTF8, runs: func(w *world) (all []indexing) {
		for _, folder := range w.foldersOf("go.mod") {
			all = append(all, indexing{folder, []string{"-q", "--module-version=1"}})
		}
		return all
	}},
	"typescript":                 scriptIndexer,
	"typescript-language-server": scriptIndexer,
	"pyright": {program: "scip-python", encoding: scip.UTF16, runs: func(*world) []indexing {
		return []indexing{{".", []string{"index", ".", "--project-name", "project", "--project-version", "1", "--quiet"}}}
	}},
	"rust-analyzer": {program: "rust-analyzer", encoding: scip.UTF8, runs: func(w *world) (all []indexing) {
		folders := w.foldersOf("Cargo.toml")
		if slices.Contains(folders, ".") {
			folders = []string{"."}
		}
		for _, folder := range folders {
			all = append(all, indexing{folder, []string{"scip", "."}})
		}
		return all
	}},
}

var scriptIndexer = indexer{program: "scip-typescript", encoding: scip.UTF16, runs: func(w *world) []indexing {
	return []indexing{{".", slices.Concat([]string{"index", "--no-progress-bar"}, w.foldersOf("tsconfig.json"))}}
}}

// foldersOf returns the folders that have a file of this name.
func (w *world) foldersOf(name string) (folders []string) {
	for _, file := range slices.Sorted(maps.Keys(w.Files)) {
		if path.Base(file) == name {
			folders = append(folders, path.Dir(file))
		}
	}
	return folders
}

// A place is where a name stands; 1-based, the column in UTF-16.
type place struct {
	file         string
	line, column int
}

func (p place) String() string { return fmt.Sprintf("%s:%d:%d", p.file, p.line, p.column) }

func comparePlaces(a, b place) int {
	return cmp.Or(strings.Compare(a.file, b.file), a.line-b.line, a.column-b.column)
}

// A symbol is what an index says of one.
type symbol struct {
	id, name string
	// module is the first of its descriptors.
	module, last scip.Descriptor
	// member says that it is declared in a type, local that only its file knows it.
	member, local   bool
	defined, places map[place]bool
}

// An index is what an indexer says of a project.
type index struct {
	symbols map[string]*symbol
	at      map[place][]string
}

// names returns the symbols that are declared in the project, sorted: without packages, which servers take for what their clauses and
// imports name.
func (x *index) names() (ids []string) {
	for _, id := range slices.Sorted(maps.Keys(x.symbols)) {
		if s := x.symbols[id]; len(s.defined) > 0 && s.last.Suffix != scip.Namespace {
			ids = append(ids, id)
		}
	}
	return ids
}

// index has the indexer of the server index the project, and reads what it says.
func (w *world) index(t *testing.T) *index {
	t.Helper()
	by := indexers[w.Server]
	program := lsptest.Program(t, by.program, "make indexers")
	x := &index{symbols: make(map[string]*symbol), at: make(map[place][]string)}
	defer w.nameFolders(t)()
	for _, run := range by.runs(w) {
		cmd := exec.CommandContext(t.Context(), program, run.args...)
		cmd.Dir = filepath.Join(w.Root, run.folder)
		cmd.Env = append(os.Environ(), "LC_ALL=C", "CARGO_NET_OFFLINE=true", "GOPROXY=off")
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", cmd, err, said)
		}
		file := filepath.Join(cmd.Dir, "index.scip")
		x.read(t, w, run.folder, file, by.encoding)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

// nameFolders gives each folder with a tsconfig.json a package.json, until the function that it returns is called: without one,
// scip-typescript gives a symbol another name in each project.
func (w *world) nameFolders(t *testing.T) (undo func()) {
	t.Helper()
	var made []string
	for _, folder := range w.foldersOf("tsconfig.json") {
		file := path.Join(folder, "package.json")
		if _, has := w.Files[file]; has || folder == "." {
			continue
		}
		made = append(made, filepath.Join(w.Root, file))
		lsptest.WriteFile(t, made[len(made)-1], fmt.Sprintf(`{"name": %q, "version": "1.0.0"}`, path.Base(folder)))
	}
	return func() {
		for _, name := range made {
			if err := os.Remove(name); err != nil {
				t.Error(err)
			}
		}
	}
}

func (x *index) read(t *testing.T, w *world, folder, file string, encoding scip.Encoding) {
	t.Helper()
	content, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	reader := scip.NewReader(content)
	for n := 0; ; n++ {
		document, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		name := path.Join(folder, document.Path)
		text, known := w.Files[name]
		if !known {
			continue
		}
		if document.Encoding != scip.UnknownEncoding {
			encoding = document.Encoding
		}
		lines := strings.Split(text, "\n")
		for _, o := range document.Occurrences {
			x.take(o, lines, name, n, encoding)
		}
	}
}

func (x *index) symbol(text, file string, n int) *symbol {
	id := text
	parsed, _ := scip.ParseSymbol(text)
	if parsed.Local != "" {
		id = fmt.Sprintf("%s %d %s", file, n, text)
	} else {
		parsed.Version = "" // a module has another one where others need it
		id = parsed.String()
	}
	s := x.symbols[id]
	if s == nil {
		s = &symbol{
			id: id, name: parsed.Last().Name, // until a declaration is found
			last: parsed.Last(), member: parsed.IsMember(), local: parsed.Local != "",
			defined: make(map[place]bool), places: make(map[place]bool),
		}
		if len(parsed.Descriptors) > 1 {
			s.module = parsed.Descriptors[0]
		}
		x.symbols[id] = s
	}
	return s
}

// take notes an occurrence in one line.
func (x *index) take(o scip.Occurrence, lines []string, file string, n int, encoding scip.Encoding) {
	line := int(o.Range[0])
	if o.Symbol == "" || o.Range[2] != o.Range[0] || line < 0 || line >= len(lines) {
		return
	}
	from, ok1 := offset(lines[line], int(o.Range[1]), encoding)
	to, ok2 := offset(lines[line], int(o.Range[3]), encoding)
	if !ok1 || !ok2 || from >= to {
		return
	}
	s := x.symbol(o.Symbol, file, n)
	p := place{file, line + 1, 1 + len(utf16.Encode([]rune(lines[line][:from])))}
	word := lines[line][from:to]
	if o.Roles&scip.Definition != 0 {
		s.defined[p] = true
		if identifier.FindString(word) == word {
			s.name = word
		}
	}
	s.places[p] = true
	if !slices.Contains(x.at[p], s.id) {
		x.at[p] = append(x.at[p], s.id)
	}
}

// offset returns the byte at which a character of a line begins.
func offset(line string, character int, encoding scip.Encoding) (int, bool) {
	if encoding == scip.UTF8 {
		return character, character >= 0 && character <= len(line)
	}
	n := 0
	for at, r := range line {
		if n >= character {
			return at, true
		}
		n++
		if encoding == scip.UTF16 && r > 0xffff {
			n++
		}
	}
	return len(line), n == character
}
