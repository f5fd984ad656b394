// Package index_test holds answers from SCIP indexes, which real indexers make of real projects, against those of real servers: whatever has
// changed since, they are the same.
package index_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
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
	"github.com/lspine/lspine/internal/result"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

// history is what a test does to a project.
type history struct {
	t       *testing.T
	r       *rand.Rand
	p       project
	on, off *enginetest.Shop
	// commits are those that may be checked out.
	commits int
}

// using returns a configuration with which indexes answer, or nothing is kept at all.
func using(c *config.Config, index bool) *config.Config {
	changed := *c
	changed.Settings.ReferenceCache = config.ReferenceCacheOff
	if index {
		changed.Settings.ReferenceCache, changed.Settings.Indexes = config.ReferenceCacheOn, config.IndexesAlways
	}
	return &changed
}

func closed(s *enginetest.Shop) {
	s.T.Helper()
	if err := s.Close(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}

func begin(t *testing.T, p project, seed uint64) *history {
	t.Helper()
	if p.command != nil {
		lsptest.Program(t, p.indexer, "make indexers")
	}
	s := enginetest.OpenReal(t, p.archive, p.server)
	closed(s)
	h := &history{t: t, r: rand.New(rand.NewPCG(seed, 1)), p: p}
	s.Git("init", "-q", "-b", "main")
	h.on = s
	h.reopen()
	h.commit()
	h.index()
	return h
}

// reopen has new processes answer.
func (h *history) reopen() {
	if h.off != nil {
		closed(h.on)
		closed(h.off)
	}
	own := h.on
	h.on = own.Reopen(func(o *enginetest.Options) { o.Config = using(o.Config, true) })
	h.off = own.Reopen(func(o *enginetest.Options) { o.Config = using(o.Config, false) })
}

func (h *history) commit() {
	h.on.Git("add", "-A")
	h.on.Git("commit", "-q", "--allow-empty", "-m", "state")
	h.commits++
	h.on.Git("tag", fmt.Sprint("state", h.commits))
}

// index has the indexer make an index of what is committed, and imports it.
func (h *history) index() {
	h.t.Helper()
	if h.p.command == nil {
		h.t.Log(enginetest.Do(h.t, h.on, api.ExportIndex, api.ExportIndexRequest{File: "index.scip"}).Done)
		h.t.Log(enginetest.Do(h.t, h.on, api.ImportIndex, api.ImportIndexRequest{File: "index.scip"}).Done)
		return
	}
	command := exec.CommandContext(h.t.Context(), h.p.command[0], h.p.command[1:]...)
	command.Dir = h.on.Folder
	if said, err := command.CombinedOutput(); err != nil {
		h.t.Fatalf("%s: %v\n%s", h.p.command, err, said)
	}
	done := enginetest.Do(h.t, h.on, api.ImportIndex, api.ImportIndexRequest{File: "index.scip"})
	h.t.Log(done.Done)
}

// step changes something, and says what.
func (h *history) step() string {
	h.t.Helper()
	switch h.r.IntN(6) {
	case 0:
		h.commit()
		h.index()
		return "a commit, indexed"
	case 1:
		h.commit()
		state := fmt.Sprint("state", 1+h.r.IntN(h.commits))
		h.on.Git("checkout", "-q", "--detach", state)
		return "checked out " + state
	case 2:
		for _, name := range slices.Sorted(maps.Keys(h.p.fresh)) {
			if h.on.Exists(name) {
				h.on.Remove(name)
			} else {
				h.on.Write(name, h.p.fresh[name])
			}
			if h.r.IntN(2) == 0 {
				break
			}
		}
		return "files came or went"
	default:
		edit := h.p.edits[h.r.IntN(len(h.p.edits))]
		if h.r.IntN(3) == 0 {
			edit[0], edit[1] = edit[1], edit[0]
		}
		for _, name := range h.files() {
			if text := h.on.Read(name); strings.Contains(text, edit[0]) {
				h.on.Write(name, strings.Replace(text, edit[0], edit[1], 1))
				return fmt.Sprintf("%q in %s", edit[1], name)
			}
		}
		return "nothing"
	}
}

// files returns the files of the project, without those of git.
func (h *history) files() (names []string) {
	h.t.Helper()
	err := filepath.WalkDir(h.on.Folder, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "target"):
			return filepath.SkipDir
		case !d.IsDir() && d.Name() != "index.scip":
			name, _ := filepath.Rel(h.on.Folder, path)
			names = append(names, filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return names
}

// words returns the places of all names in the code, as selectors.
func (h *history) words() (places []string) {
	for _, name := range h.files() {
		switch filepath.Ext(name) {
		case ".go", ".ts", ".py", ".rs":
		default:
			continue
		}
		for n, line := range strings.Split(h.on.Read(name), "\n") {
			in := false
			for i, r := range line {
				is := r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
				if is && !in {
					places = append(places, fmt.Sprintf("%s:%d:%d", name, n+1, i+1))
				}
				in = is
			}
		}
	}
	return places
}

// settle returns when files that were written before count as unchanged.
func settle(t *testing.T) {
	t.Helper()
	for until := time.Now().Add(50 * time.Millisecond); time.Now().Before(until); {
		lsptest.Tick(t)
	}
}

// compare asks both engines where something is used and defined, and reports whether an index answered.
func (h *history) compare(what, at string) (indexed bool) {
	h.t.Helper()
	ctx := h.t.Context()
	selector := api.Selector{At: at}
	for _, declaration := range []bool{false, true} {
		request := api.ReferencesRequest{Selector: selector, IncludeDeclaration: declaration}
		got, err := api.References.Do(ctx, h.on, request)
		want, errOff := api.References.Do(ctx, h.off, request)
		indexed = h.same(what, at, &got, &want, err, errOff) || indexed
	}
	request := api.DefinitionRequest{Selector: selector}
	got, err := api.Definition.Do(ctx, h.on, request)
	want, errOff := api.Definition.Do(ctx, h.off, request)
	return h.same(what, at, &got, &want, err, errOff) || indexed
}

func (h *history) same(what, at string, got, want *result.Places, err, errOff error) (indexed bool) {
	h.t.Helper()
	from := got.From
	indexed = strings.HasPrefix(from, "from index of ")
	if indexed {
		if want.Completeness == result.Complete && got.Completeness == result.Indexed {
			got.Completeness = result.Complete
		}
		for i := range want.Files { // servers say more than the name in places
			for j := range want.Files[i].Places {
				if len(got.Files) > i && len(got.Files[i].Places) > j {
					got.Files[i].Places[j].EndLine, got.Files[i].Places[j].EndColumn = want.Files[i].Places[j].EndLine, want.Files[i].Places[j].EndColumn
				}
			}
		}
	}
	got.From = ""
	if diff := cmp.Diff(want, got); diff != "" || fmt.Sprint(err) != fmt.Sprint(errOff) {
		h.t.Fatalf("%s, %s, %s: %v and %v\n%s", what, at, from, errOff, err, diff)
	}
	return indexed
}

// long says that everything is asked, and not a part of it: LSPINE_TRUTH=long, as for the truth suite.
var long = os.Getenv("LSPINE_TRUTH") == "long"

// Whatever happens to the files, while processes run and between them, what an index answers is what the server says.
func TestSameWithAndWithoutIndex(t *testing.T) {
	all := maps.Clone(projects)
	for name, p := range projects { // the same with our own indexes
		if name != "Rust" {
			p.command = nil
			all[name+" by lspine"] = p
		}
	}
	for name, p := range all {
		t.Run(name, func(t *testing.T) {
			seed := uint64(time.Now().UnixNano())
			t.Logf("seed %d", seed)
			h := begin(t, p, seed)
			hits, asked, what := 0, 0, "the first state"
			steps, most := 4, 8
			if long {
				steps, most = 6, 15
			}
			for step := range steps {
				if step > 0 {
					what = h.step()
				}
				if h.r.IntN(3) == 0 {
					h.reopen()
					what += ", in a new process"
				}
				settle(t)
				places := h.words()
				h.r.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
				if step > 0 {
					places = places[:min(most, len(places))]
				}
				for _, at := range places {
					if asked++; h.compare(fmt.Sprintf("seed %d, step %d, %s", seed, step, what), at) {
						hits++
					}
				}
			}
			t.Logf("%d of %d answers came from an index", hits, asked)
			if hits == 0 {
				t.Error("no answer came from an index")
			}
		})
	}
}

// After each single change of a project in Go, every name means what the server says: there, an index answers although files have changed.
func TestEachChange(t *testing.T) {
	h := begin(t, projects["Go"], 1)
	indexed := 0
	for _, edit := range h.p.edits {
		for _, name := range h.files() {
			text := h.on.Read(name)
			if !strings.Contains(text, edit[0]) {
				continue
			}
			h.on.Write(name, strings.Replace(text, edit[0], edit[1], 1))
			settle(t)
			for i, at := range h.words() {
				if i%4 != 0 && !long {
					continue
				}
				if h.compare(edit[1], at) {
					indexed++
				}
			}
			h.on.Write(name, text)
		}
	}
	t.Logf("%d answers came from an index", indexed)
	if indexed == 0 {
		t.Error("no answer came from an index")
	}
}
