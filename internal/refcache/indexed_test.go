package refcache_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/refcache"
	"github.com/lspine/lspine/internal/refcache/store"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/scip"
)

// versioned opens an engine over the bakery, which is committed.
func versioned(t *testing.T) *enginetest.Shop {
	t.Helper()
	s := open(t, bakery+"-- .gitignore --\n*.scip*\n")
	closed(s)
	s = indexing(s, config.IndexesAlways)
	s.Git("init", "-q")
	s.Git("add", "-A")
	s.Git("commit", "-q", "-m", "first")
	settle(t)
	return s
}

// indexing opens another engine over the same files, with another use of indexes.
func indexing(s *enginetest.Shop, use config.IndexesUse) *enginetest.Shop {
	s.T.Helper()
	return s.Reopen(func(o *enginetest.Options) {
		changed := *o.Config
		changed.Settings.Indexes = use
		o.Config = &changed
	})
}

// symbols of the bakery.
const (
	warm  = "toy . bakery . oven/Warm()."
	other = "toy . bakery . oven/Other()."
)

// at returns the occurrence of a symbol at the n-th place of its name in a text.
func at(t *testing.T, text, name string, n int, symbol string, roles scip.Role) scip.Occurrence {
	t.Helper()
	for line, of := range strings.Split(text, "\n") {
		for from := 0; ; {
			i := strings.Index(of[from:], name)
			if i < 0 {
				break
			}
			from += i
			if n--; n == 0 {
				return scip.Occurrence{Range: [4]int32{int32(line), int32(from), int32(line), int32(from + len(name))}, Symbol: symbol, Roles: roles}
			}
			from += len(name)
		}
	}
	t.Fatalf("%s is not there so often", name)
	return scip.Occurrence{}
}

// honest returns an index that says the truth about Warm.
func honest(s *enginetest.Shop) (oven, use *scip.Document) {
	s.T.Helper()
	oven = &scip.Document{Path: "oven/oven.go", Occurrences: []scip.Occurrence{at(s.T, s.Read("oven/oven.go"), "Warm", 2, warm, scip.Definition)}}
	use = &scip.Document{Path: "shop/use.go", Occurrences: []scip.Occurrence{at(s.T, s.Read("shop/use.go"), "Warm", 1, warm, 0)}}
	return oven, use
}

// imported writes an index and imports it.
func imported(s *enginetest.Shop, documents ...*scip.Document) (string, error) {
	s.T.Helper()
	var index bytes.Buffer
	w := scip.NewWriter(&index, scip.Metadata{ToolName: "toy", ToolVersion: "1\x1b[31m"})
	for _, d := range documents {
		if err := w.Add(d); err != nil {
			s.T.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		s.T.Fatal(err)
	}
	s.Write("index.scip", index.String())
	done, err := api.ImportIndex.Do(context.Background(), s, api.ImportIndexRequest{File: "index.scip"})
	return done.Done, err
}

// An index that says the truth answers, and says so, before any server runs; so does one that is compressed. Where a file has changed since, wherever it is, the
// server answers; where it is as before, the index does. It is listed and removed, and answers nothing when it is switched off.
func TestIndexAnswers(t *testing.T) {
	s := versioned(t)
	oven, use := honest(s)
	done, err := imported(s, oven, use)
	if err != nil || !strings.HasPrefix(done, "took over 2 documents by toy 1[31m, compared with commit ") || !strings.HasSuffix(done, "; 2 of them are as they are on disk") {
		t.Fatalf("%q, %v", done, err)
	}
	got := refs(s, "oven/oven.go Warm")
	if !strings.HasPrefix(got.From, "from index of ") || !strings.HasSuffix(got.From, " (2 files, by toy 1[31m), live (0 files)") || got.Completeness != result.Indexed {
		t.Fatalf("%+v", got)
	}
	want := []result.PlaceFile{{Path: "shop/use.go", Count: 1, Places: []result.Place{{Line: 5, Column: 47, Text: "func use() int { return thing().Bake() + oven.Warm(nil) }"}}}}
	if diff := cmp.Diff(want, got.Files); diff != "" {
		t.Error(diff)
	}
	defined := enginetest.Do(t, s, api.Definition, api.DefinitionRequest{Selector: api.Selector{At: "shop/use.go:5 Warm"}})
	if !strings.HasPrefix(defined.From, "from index of ") || defined.Total != 1 || defined.Files[0].Path != "oven/oven.go" {
		t.Errorf("%+v", defined)
	}
	if running := s.Workspace().Running(); len(running) > 0 {
		t.Errorf("%d servers run", len(running))
	}
	before := s.Read("shop/shop.go")
	for name, change := range map[string]func(){
		"the imports of a file did":  func() { s.Write("shop/shop.go", strings.Replace(before, "import ", "import _ \"io\"\nimport ", 1)) },
		"another file has the name":  func() { s.Write("shop/shop.go", before+"\nvar more = oven.Warm\n") },
		"there is a new file":        func() { s.Write("shop/new.go", "package shop\n") },
		"the module changed":         func() { s.Write("go.mod", "module bakery\n\ngo 1.23\n") },
		"there is another go.mod":    func() { s.Write("shop/go.mod", "module shop\n") },
		"the file that has a use is": func() { s.Write("shop/use.go", s.Read("shop/use.go")+"\n") },
		"a file is gone":             func() { s.Remove("shop/use.go") },
	} {
		change()
		settle(t)
		if got := refs(s, "oven/oven.go Warm"); got.From != "" {
			t.Errorf("%s, and it is %s", name, got.From)
		}
		s.Git("checkout", "-q", ".")
		s.Git("clean", "-q", "-f")
		settle(t)
	}
	s.Write("shop/shop.go", before+"\n// Warm is not used here.\nvar more = 1\n")
	settle(t)
	if got := refs(s, "oven/oven.go:9:6"); !strings.HasSuffix(got.From, ", live (1 file)") || got.Total != 1 {
		t.Errorf("another file changed, which has no use, and it is %+v", got)
	}
	if got := refs(s, "oven/oven.go Oven.Bake"); strings.HasPrefix(got.From, "from index") {
		t.Errorf("another file changed, by which a method may be another one, and it is from %q", got.From)
	}
	s.Git("checkout", "-q", ".")
	settle(t)
	if got := refs(s, "oven/oven.go:9:7"); !strings.HasPrefix(got.From, "from index") {
		t.Errorf("all is as it was, and it is from %q", got.From)
	}
	if got := refs(indexing(s, config.IndexesOff), "oven/oven.go:9:8"); strings.HasPrefix(got.From, "from index") {
		t.Error("it is switched off, and answers")
	}
	on := indexing(s, config.IndexesOn)
	if got := refs(on, "oven/oven.go  Warm"); !strings.HasPrefix(got.From, "from index") {
		t.Errorf("no server runs, and the answer is from %q", got.From)
	}
	refs(on, "shop/shop.go Sign") // which the index does not know
	awaitIdle(on)
	if got := refs(on, "oven/oven.go   Warm"); got.From != "" {
		t.Errorf("the server runs, and the answer is %s", got.From)
	}
	list := enginetest.Do(t, s, api.Indexes, api.IndexesRequest{})
	if !strings.HasPrefix(list.Done, "1: 2 documents of ") {
		t.Errorf("%q", list.Done)
	}
	enginetest.Do(t, s, api.Indexes, api.IndexesRequest{Remove: 1})
	if list := enginetest.Do(t, s, api.Indexes, api.IndexesRequest{}); list.Done != "no index is imported" {
		t.Errorf("%q", list.Done)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(s.Read("index.scip"))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s.Write("index.scip.gz", packed.String())
	enginetest.Do(t, s, api.ImportIndex, api.ImportIndexRequest{File: "index.scip.gz", Commit: "HEAD"})
	if got := refs(s, "oven/oven.go:9:9"); !strings.HasPrefix(got.From, "from index") {
		t.Errorf("it was compressed, and the answer is from %q", got.From)
	}
}

// What the files say is kept for the next process, whoever needed it: an import, and an answer from an index of what changed since.
func TestWhatFilesSayIsKept(t *testing.T) {
	s := versioned(t)
	oven, use := honest(s)
	if _, err := imported(s, oven, use); err != nil {
		t.Fatal(err)
	}
	s.Write("shop/shop.go", s.Read("shop/shop.go")+"\n// Nothing is used here.\n")
	for range 2 {
		settle(t)
		if got := refs(s, "oven/oven.go Warm"); !strings.HasPrefix(got.From, "from index") {
			t.Fatalf("it is from %q", got.From)
		}
		s = again(s)
	}
	closed(s)
	kept := store.New(refcache.Path(s.Options.State, s.Root()), func(text string) { t.Error(text) })
	files, err := kept.Files(t.Context())
	if err := errors.Join(err, kept.Close()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "oven/oven.go", "shop/shop.go", "shop/use.go"} {
		sum := sha256.Sum256([]byte(s.Read(name)))
		if files[name].Hash != hex.EncodeToString(sum[:]) {
			t.Errorf("of %s it is kept that it is %+v", name, files[name])
		}
	}
}

// awaitIdle waits until no server is busy.
func awaitIdle(s *enginetest.Shop) {
	s.T.Helper()
	for slices.ContainsFunc(s.Workspace().Running(), func(r *lsp.Server) bool { return len(r.Works()) > 0 }) {
		lsptest.Tick(s.T)
	}
}

// An index that lies about places costs nothing but time: what it leaves out, what it adds, what it misplaces and what cannot be has the
// server asked.
func TestIndexesThatLie(t *testing.T) {
	s := versioned(t)
	want := refs(without(s), "oven/oven.go Warm")
	ovenText, useText := s.Read("oven/oven.go"), s.Read("shop/use.go")
	sum := sha256.Sum256([]byte("package shop\n"))
	related := func(d *scip.Document, of, to string) {
		d.Symbols = append(d.Symbols, scip.SymbolInformation{Symbol: of, Relationships: []scip.Relationship{{Symbol: to, Reference: true}}})
	}
	question := " "
	for name, lie := range map[string]func(oven, use *scip.Document){
		"a use is left out": func(_, use *scip.Document) { use.Occurrences = nil },
		"a use in a comment": func(oven, _ *scip.Document) {
			oven.Occurrences = append(oven.Occurrences, at(t, ovenText, "Warm", 1, warm, 0))
		},
		"a use at another name": func(_, use *scip.Document) {
			use.Occurrences = append(use.Occurrences, at(t, useText, "thing", 1, warm, 0))
		},
		"two symbols at a place": func(_, use *scip.Document) {
			use.Occurrences = append(use.Occurrences, at(t, useText, "Warm", 1, other, 0))
		},
		"no definition":                         func(oven, _ *scip.Document) { oven.Occurrences[0].Roles = 0 },
		"two definitions":                       func(_, use *scip.Document) { use.Occurrences[0].Roles = scip.Definition },
		"a range of many lines":                 func(_, use *scip.Document) { use.Occurrences[0].Range[2] = 1 << 30 },
		"a line that is not there":              func(_, use *scip.Document) { use.Occurrences[0].Range = [4]int32{1 << 30, 0, 1 << 30, 4} },
		"a column that is not there":            func(_, use *scip.Document) { use.Occurrences[0].Range[3] = 1 << 30 },
		"a range that ends before":              func(_, use *scip.Document) { use.Occurrences[0].Range[3] = 1 },
		"a symbol that is malformed":            func(oven, use *scip.Document) { oven.Occurrences[0].Symbol, use.Occurrences[0].Symbol = "Warm", "Warm" },
		"a cycle of relationships":              func(oven, _ *scip.Document) { related(oven, warm, other); related(oven, other, warm) },
		"a relationship to itself":              func(oven, _ *scip.Document) { related(oven, warm, warm) },
		"another text":                          func(_, use *scip.Document) { use.HasText, use.Text = true, []byte("package shop\n\nfunc Warm() {}\n") },
		"the hash of another text":              func(_, use *scip.Document) { use.Hash = hex.EncodeToString(sum[:]) },
		"a hash that is none":                   func(_, use *scip.Document) { use.Hash = "x" },
		"a path above the root":                 func(_, use *scip.Document) { use.Path = "../shop/use.go" },
		"an absolute path":                      func(_, use *scip.Document) { use.Path = s.Folder + "/shop/use.go" },
		"a path that is not in its normal form": func(_, use *scip.Document) { use.Path = "shop/./use.go" },
		"an encoding that there is not":         func(oven, use *scip.Document) { oven.Encoding, use.Encoding = 99, 99; use.Occurrences = nil },
	} {
		t.Run(name, func(t *testing.T) {
			oven, use := honest(s)
			lie(oven, use)
			if _, err := imported(s, oven, use); err != nil {
				t.Fatal(err)
			}
			question += " " // each is another one, of which no answer is kept
			got := refs(s, "oven/oven.go"+question+"Warm")
			if got.From != "" {
				t.Errorf("it answers: %s", got.From)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What an index can lie about is which symbol stands at a place of the name, if all else fits. Then it answers; but never as if it were
// complete, and nothing that changes or judges files goes by it.
func TestIndexThatNamesAnotherSymbol(t *testing.T) {
	s := versioned(t)
	oven, use := honest(s)
	use.Occurrences[0].Symbol = other
	if _, err := imported(s, oven, use); err != nil {
		t.Fatal(err)
	}
	got := refs(s, "oven/oven.go Warm")
	if got.Total != 0 || got.Completeness != result.Indexed || !strings.HasPrefix(got.From, "from index of ") {
		t.Errorf("%+v", got)
	}
	renamed := enginetest.Do(t, s, api.Rename, api.RenameRequest{Selector: api.Selector{At: "oven/oven.go Warm"}, NewName: "Heat"})
	if text := s.Read("shop/use.go"); !strings.Contains(text, "oven.Heat(nil)") {
		t.Errorf("%+v\n%s", renamed, text)
	}
}

// What is no index is refused, with the argument and the way out, and leaves the one from before as it was.
func TestWhatIsNoIndex(t *testing.T) {
	s := versioned(t)
	oven, use := honest(s)
	if _, err := imported(s, oven, use); err != nil {
		t.Fatal(err)
	}
	whole := s.Read("index.scip")
	if err := os.Mkdir(filepath.Join(s.Folder, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, file, commit, want string }{
		"nothing":                  {"", "", "", "file: it is missing"},
		"no file":                  {"", "none.scip", "", "there is no such file"},
		"a folder":                 {"", "folder", "", ""},
		"text":                     {"package a\n", "x.scip", "", "it is no SCIP index"},
		"a part":                   {whole[:len(whole)-2], "x.scip", "", "it ends within a message"},
		"no document":              {"", "x.scip", "", "no document of it describes a known text"},
		"a part of what is packed": {"\x1f\x8bxx", "x.scip", "", "it cannot be unpacked"},
		"no commit":                {whole, "x.scip", "none", "commit: there is no such revision none"},
		"an option for a commit":   {whole, "x.scip", "--all", "commit: --all is no revision"},
	} {
		if c.file == "x.scip" {
			s.Write(c.file, c.text)
		}
		_, err := api.ImportIndex.Do(context.Background(), s, api.ImportIndexRequest{File: c.file, Commit: c.commit})
		var failed *result.Error
		if !errors.As(err, &failed) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := refs(s, "oven/oven.go Warm"); !strings.HasPrefix(got.From, "from index of ") {
		t.Errorf("the index from before does not answer: %+v", got)
	}
}

// Columns are those of the encoding that a document says; if it says none, a place counts only where all encodings agree.
func TestEncodingsOfAnIndex(t *testing.T) {
	s := versioned(t)
	s.Write("shop/use.go", strings.Replace(s.Read("shop/use.go"), "return thing", "return len(\"é𝄞\") + thing", 1))
	s.Git("commit", "-q", "-a", "-m", "second")
	settle(t)
	oven, use := honest(s)
	bytesBefore := use.Occurrences[0].Range[1]
	question := " "
	for _, c := range []struct {
		encoding scip.Encoding
		less     int32 // columns than bytes
		answers  bool
	}{{scip.UTF8, 0, true}, {scip.UTF16, 3, true}, {scip.UTF32, 4, true}, {scip.UTF16, 0, false}, {scip.UTF32, 3, false}, {scip.UnknownEncoding, 0, false}, {scip.UnknownEncoding, 3, false}} {
		use.Encoding = c.encoding
		use.Occurrences[0].Range[1], use.Occurrences[0].Range[3] = bytesBefore-c.less, bytesBefore-c.less+4
		if _, err := imported(s, oven, use); err != nil {
			t.Fatal(err)
		}
		question += " " // each is another one, of which no answer is kept
		got := refs(s, "oven/oven.go"+question+"Warm")
		if strings.HasPrefix(got.From, "from index") != c.answers || got.Total != 1 || int32(got.Files[0].Places[0].Column) != bytesBefore-3+1 {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// A link in the workspace is no document of an index.
func TestIndexOfALink(t *testing.T) {
	lsptest.NeedLinks(t)
	s := versioned(t)
	if err := os.Symlink("use.go", filepath.Join(s.Folder, "shop", "link.go")); err != nil {
		t.Fatal(err)
	}
	oven, use := honest(s)
	link := *use
	link.Path = "shop/link.go"
	link.HasText, link.Text = true, []byte(s.Read("shop/use.go"))
	done, err := imported(s, oven, use, &link)
	if err != nil || !strings.Contains(done, "left out: 1 document of paths that are no files") {
		t.Errorf("%q, %v", done, err)
	}
}
