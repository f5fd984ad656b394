package refcache_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/refcache"
	"github.com/lspine/lspine/internal/result"
)

func TestMain(m *testing.M) {
	slog.SetLogLoggerLevel(slog.LevelDebug) // it says why an answer is not kept
	enginetest.Main(m)
}

// bakery is a module in which names mean different things.
const bakery = `
-- go.mod --
module bakery

go 1.24
-- oven/oven.go --
package oven

// Oven bakes.
type Oven struct{ heat int }

func (o *Oven) Bake() int { return o.heat }

// Warm is used elsewhere.
func Warm(o *Oven) int { return o.Bake() }
-- shop/shop.go --
package shop

import "bakery/oven"

type Sign struct{}

func (Sign) Bake() int { return 1 }

func thing() *oven.Oven { return &oven.Oven{} }
-- shop/use.go --
package shop

import "bakery/oven"

func use() int { return thing().Bake() + oven.Warm(nil) }
-- README.md --
# Bread
`

// open opens an engine over a project, with the cache on.
func open(t *testing.T, archive string, more ...string) *enginetest.Shop {
	t.Helper()
	s := enginetest.OpenReal(t, archive, append(more, "gopls")...)
	closed(s)
	return s.Reopen(func(o *enginetest.Options) {
		o.Config = keeping(o.Config, config.ReferenceCacheOn)
	})
}

// keeping returns a configuration with which answers are kept, or not.
func keeping(c *config.Config, use config.ReferenceCacheUse) *config.Config {
	changed := *c
	changed.Settings.ReferenceCache = use
	return &changed
}

// again opens a new engine over the same files, as the next process does, with the cache of the first.
func again(s *enginetest.Shop) *enginetest.Shop {
	s.T.Helper()
	closed(s)
	return s.Reopen(func(*enginetest.Options) {})
}

// without opens an engine over the same files that keeps nothing.
func without(s *enginetest.Shop) *enginetest.Shop {
	s.T.Helper()
	return s.Reopen(func(o *enginetest.Options) { o.Config = keeping(o.Config, config.ReferenceCacheOff) })
}

// closed ends an engine, after what it keeps is kept.
func closed(s *enginetest.Shop) {
	s.T.Helper()
	if err := s.Close(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}

// refs asks where a symbol is used.
func refs(s *enginetest.Shop, at string) result.Places {
	s.T.Helper()
	return enginetest.Do(s.T, s, api.References, api.ReferencesRequest{Selector: api.Selector{At: at}})
}

// cached reports whether an answer came from the cache, and checks that it says so.
func cached(t *testing.T, p result.Places) bool {
	t.Helper()
	if p.From != "" && (!strings.HasPrefix(p.From, "from the reference cache (nothing changed since 20") || !strings.HasSuffix(p.From, ")") || !strings.Contains(p.From, "UTC, gopls v")) {
		t.Errorf("it says %q", p.From)
	}
	return p.From != ""
}

// settle returns when files that were written before count as unchanged by what is asked then: they do not right after, because the clocks
// of file systems tick.
func settle(t *testing.T) {
	t.Helper()
	for until := time.Now().Add(50 * time.Millisecond); time.Now().Before(until); {
		lsptest.Tick(t)
	}
}

// The next process has the answer without a server, by a place, by a name in a file and by a name alone, with and without the declaration;
// it is the same one. A change anywhere has the servers asked, and when it is undone the answer is there again.
//
// Requirement: CACHE-3.
func TestNextProcessHasTheAnswers(t *testing.T) {
	s := open(t, bakery)
	settle(t)
	ask := func(s *enginetest.Shop) (answers []result.Places) {
		for _, at := range []string{"oven/oven.go:6:16", "oven/oven.go Oven.Bake", "Oven.Bake", "Warm", "shop/use.go:5 thing"} {
			answers = append(answers, refs(s, at),
				enginetest.Do(t, s, api.References, api.ReferencesRequest{Selector: api.Selector{At: at}, IncludeDeclaration: true}))
		}
		return answers
	}
	first := ask(s)
	s = again(s)
	second := ask(s)
	for i := range second {
		if cached(t, first[i]) || !cached(t, second[i]) {
			t.Errorf("%s: first from %q, then from %q", first[i].Symbol, first[i].From, second[i].From)
		}
		second[i].From = ""
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Error(diff)
	}
	if running := s.Workspace().Running(); len(running) > 0 {
		t.Errorf("%d servers run", len(running))
	}
	before := s.Read("shop/shop.go")
	s.Write("shop/shop.go", strings.Replace(before, "return &oven.Oven{}", "return nil", 1))
	settle(t)
	s = again(s)
	if changed := refs(s, "Oven.Bake"); cached(t, changed) {
		t.Errorf("a file changed, and the answer is %q", changed.From)
	}
	s.Write("shop/shop.go", before)
	if s = again(s); !cached(t, refs(s, "Oven.Bake")) {
		t.Error("the texts are the former ones, and servers were asked")
	}
}

// While a process runs, the answer is given again and again, until a file changes; texts that are not on disk are neither answered from the
// cache nor kept in it.
func TestTextsThatAreNotOnDisk(t *testing.T) {
	s := open(t, bakery)
	settle(t)
	question := "oven/oven.go Oven.Bake"
	if first := refs(s, question); cached(t, first) || first.Total != 2 {
		t.Fatalf("%+v", first)
	}
	awaitKept(s, question)
	text := s.Read("shop/use.go") + "\nvar more = thing().Bake()\n"
	for range 10 { // an answer is kept some time after it is given, when the text may be closed
		enginetest.Do(t, s, api.Open, api.OpenRequest{File: "shop/use.go", Text: &text})
		for range 2 {
			if shown := refs(s, question); cached(t, shown) || shown.Total != 3 {
				t.Errorf("with another text open: %d places from %q", shown.Total, shown.From)
			}
		}
		enginetest.Do(t, s, api.Close, api.FileRequest{File: "shop/use.go"})
		for range 2 {
			if shown := refs(s, question); shown.Total != 2 {
				t.Errorf("with the text on disk: %d places from %q", shown.Total, shown.From)
			}
		}
	}
	s.Write("shop/use.go", text)
	if written := refs(s, question); cached(t, written) || written.Total != 3 {
		t.Errorf("with the other text written: %d places from %q", written.Total, written.From)
	}
}

// awaitKept asks until the answer comes from the cache.
func awaitKept(s *enginetest.Shop, question string) {
	s.T.Helper()
	deadline := time.Now().Add(time.Minute)
	for !cached(s.T, refs(s, question)) {
		if time.Now().After(deadline) {
			s.T.Fatalf("the answer to %q is not kept", question)
		}
	}
}

// What only others than the servers of a language know, or what needs an explanation, is asked each time.
func TestWhatIsNotKept(t *testing.T) {
	cgo := strings.Replace(bakery, "package oven\n", "package oven\n\n// int two() { return 2; }\nimport \"C\"\n", 1)
	named := bakery + "-- more.py --\n# It is warm.\n"
	replaced := strings.Replace(bakery, "go 1.24\n", "go 1.24\n\nreplace example.com/other => ../other\n", 1)
	for _, c := range []struct {
		name, archive, question string
		more                    []string
		touched                 string
	}{
		{"a package that needs a compiler of C", cgo, "shop/shop.go thing", nil, ""},
		{"a name that a file of another server has", named, "Warm", []string{"pyright"}, ""},
		{"a module outside of the root", replaced, "oven/oven.go Warm", nil, ""},
		{"a column beside the name", bakery, "oven/oven.go:9:5", nil, ""},
		{"while a file changes", bakery, "oven/oven.go Warm", nil, "shop/use.go"},
		{"while files come and go", bakery, "oven/oven.go Warm", nil, "shop"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, c.archive, c.more...)
			settle(t)
			if c.touched != "" { // as if it changed while it is asked
				later := time.Now().Add(time.Hour)
				if err := os.Chtimes(filepath.Join(s.Folder, filepath.FromSlash(c.touched)), later, later); err != nil {
					t.Fatal(err)
				}
			}
			refs(s, c.question)
			exported, err := api.ExportCache.Do(context.Background(), s, api.CacheRequest{File: "refs.db.gz"})
			if err == nil || !strings.Contains(err.Error(), "nothing to write") {
				t.Errorf("it was kept: %+v, %v", exported, err)
			}
		})
	}
}

// Whatever is where the database would be, the answers are the same as without a cache, and whoever asks hears nothing of it.
//
// Requirement: CACHE-4.
func TestCacheThatIsOfNoUse(t *testing.T) {
	s := open(t, bakery)
	settle(t)
	want := refs(s, "oven/oven.go Warm")
	closed(s)
	path := refcache.Path(s.Options.State, s.Root())
	remove := func() {
		for _, name := range []string{path, path + "-wal", path + "-shm"} {
			if err := os.RemoveAll(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	damage := func() {
		remove() // what is in the way may be there still: it is put aside when an answer is kept
		lsptest.WriteFile(t, path, strings.Repeat("no database ", 1000))
	}
	block := func() {
		remove()
		lsptest.WriteFile(t, filepath.Join(path, "in the way"), "")
	}
	for name, spoil := range map[string]func(){"damaged": damage, "in the way": block} {
		spoil()
		s = s.Reopen(func(*enginetest.Options) {})
		for range 2 {
			got := refs(s, "oven/oven.go Warm")
			got.From = ""
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
		closed(s)
	}
}

// A history of random changes, while a process runs and while none does: an engine with the cache and one without it give the same
// answers, whole, but for where they come from.
//
// Requirement: CACHE-3.
func TestSameWithAndWithoutCache(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	with := open(t, bakery)
	off := without(with)
	h := &history{t: t, r: r, s: with, trees: []map[string]string{treeOf(t, with.Folder)}}
	questions := []string{"oven/oven.go Oven.Bake", "Oven.Bake", "oven/oven.go Warm", "Warm", "shop/shop.go Sign.Bake", "shop/shop.go:9:8", "Oven"}
	hits, asked := 0, 0
	for step := range 9 {
		did := h.step()
		settle(t)
		if r.IntN(3) == 0 {
			with, off = again(with), off.Reopen(func(*enginetest.Options) {})
			did += ", in a new process"
		}
		for range 2 {
			for _, question := range questions {
				got, err := ask(with, question)
				want, errOff := ask(off, question)
				if asked++; got.From != "" {
					hits++
				}
				got.From = ""
				if diff := cmp.Diff(want, got); diff != "" || fmt.Sprint(err) != fmt.Sprint(errOff) {
					t.Fatalf("seed %d, step %d (%s), %s: %v and %v\n%s", seed, step, did, question, errOff, err, diff)
				}
			}
		}
	}
	t.Logf("%d of %d answers came from the cache", hits, asked)
	if hits == 0 {
		t.Error("no answer came from the cache")
	}
}

// ask is refs for a question that may have no answer.
func ask(s *enginetest.Shop, at string) (result.Places, error) {
	return api.References.Do(context.Background(), s, api.ReferencesRequest{Selector: api.Selector{At: at}})
}

// A history changes the files of a project.
type history struct {
	t *testing.T
	r *rand.Rand
	s *enginetest.Shop
	// trees are the former states, each by path: branches.
	trees []map[string]string
	added int
}

// step makes a change, and says which.
func (h *history) step() string {
	h.t.Helper()
	goFiles := h.goFiles()
	file := goFiles[h.r.IntN(len(goFiles))]
	switch h.r.IntN(7) {
	case 0:
		h.added++
		h.s.Write(file, h.s.Read(file)+fmt.Sprintf("\nfunc added%d() int { return 0 }\n", h.added))
		return "more in " + file
	case 1:
		h.s.Write("shop/use.go", "package shop\n\nimport \"bakery/oven\"\n\nfunc use() int { return thing().Bake() + oven.Warm(nil) + oven.Warm(thing()) }\n")
		return "another use"
	case 2: // x.Bake() of an unchanged file means something else
		h.s.Write("shop/shop.go", strings.Replace(h.s.Read("shop/shop.go"), "func thing() *oven.Oven { return &oven.Oven{} }", "func thing() Sign { return Sign{} }\n\nvar _ oven.Oven", 1))
		return "another type"
	case 3:
		h.added++
		h.s.Write(fmt.Sprintf("shop/more%d.go", h.added), "package shop\n\nvar _ = thing().Bake()\n")
		return "a new file"
	case 4: // the same size, and the same time
		path := filepath.Join(h.s.Folder, filepath.FromSlash("shop/use.go"))
		info, err := os.Stat(path)
		if err != nil {
			return "nothing"
		}
		text := h.s.Read("shop/use.go")
		other := strings.Replace(text, "thing().Bake()", "Sign{}.Bake() ", 1)
		if other == text {
			other = strings.Replace(text, "Sign{}.Bake() ", "thing().Bake()", 1)
		}
		h.s.Write("shop/use.go", other)
		if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
			h.t.Fatal(err)
		}
		return "the same size and time"
	case 5:
		h.trees = append(h.trees, treeOf(h.t, h.s.Folder))
		h.checkOut(h.trees[h.r.IntN(len(h.trees))])
		return "another branch"
	default:
		h.s.Write("README.md", fmt.Sprintf("# Bread %d\n", h.r.IntN(3)))
		return "prose"
	}
}

func (h *history) goFiles() (files []string) {
	for name := range treeOf(h.t, h.s.Folder) {
		if strings.HasSuffix(name, ".go") {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	return files
}

// checkOut makes the files those of a tree, and writes those that differ only, as git does.
func (h *history) checkOut(tree map[string]string) {
	h.t.Helper()
	now := treeOf(h.t, h.s.Folder)
	for name := range now {
		if _, stays := tree[name]; !stays {
			if err := os.Remove(filepath.Join(h.s.Folder, filepath.FromSlash(name))); err != nil {
				h.t.Fatal(err)
			}
		}
	}
	for name, text := range tree {
		if now[name] != text {
			h.s.Write(name, text)
		}
	}
}

// treeOf returns the texts of the files in a folder.
func treeOf(t *testing.T, folder string) map[string]string {
	t.Helper()
	tree := make(map[string]string)
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		tree[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// The database is in the folder that is named, by the root, and never in the workspace.
//
// Requirement: CACHE-1.
func TestPlaceOfTheDatabase(t *testing.T) {
	s := open(t, bakery)
	settle(t)
	refs(s, "oven/oven.go Warm")
	closed(s)
	path := refcache.Path(s.Options.State, s.Root())
	if name := filepath.Base(filepath.Dir(path)); len(name) != 16 || filepath.Base(path) != "refs.db" {
		t.Errorf("it is %s", path)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	inside := s.Reopen(func(o *enginetest.Options) { o.State = filepath.Join(o.Root, ".cache") })
	refs(inside, "oven/oven.go Warm")
	closed(inside)
	if _, err := os.Stat(filepath.Join(inside.Folder, ".cache")); err == nil {
		t.Error("there is a database in the workspace")
	}
}
