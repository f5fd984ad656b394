// Package index_test holds answers from SCIP indexes, which real indexers make of real projects, against those of real servers: whatever has
// changed since, they are the same.
package index_test

import (
	"context"
	"fmt"
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

// A project is of one language, and has what makes answers of an index differ from those of a server.
type project struct {
	server, indexer string
	// command makes index.scip in the folder that it runs in.
	command []string
	archive string
	// edits are texts that are exchanged for others, in any file that has them: the former for the latter, or back.
	edits [][2]string
	// fresh are files that come and go.
	fresh map[string]string
}

var projects = map[string]project{
	"Go": {
		server: "gopls", indexer: "scip-go", command: []string{"scip-go", "-q", "--module-version=1"},
		archive: `
-- go.mod --
module bakery

go 1.24
-- .gitignore --
index.scip
-- oven/oven.go --
package oven

import "io"

// Oven bakes. An Oven is not a Stove.
type Oven struct{ heat int }

func (o *Oven) Bake() int { return o.heat }

// Warm is used elsewhere, as "Warm".
func Warm(o *Oven) int { return o.Bake() }

type Baker interface{ Bake() int }

type Kitchen struct {
	Oven
	Name string
}

func Each[T any](list []T, do func(T)) {
	for _, x := range list {
		do(x)
	}
}

const Degrees = 200

var log io.Writer

func (k Kitchen) String() string { return k.Name }
-- oven/hot_windows.go --
package oven

const Hot = Degrees
-- oven/oven_test.go --
package oven_test

import (
	"testing"

	. "bakery/oven"
)

func TestWarm(t *testing.T) {
	if Warm(&Oven{}) != 0 {
		t.Error("Warm")
	}
}
-- shop/shop.go --
package shop

import (
	stove "bakery/oven"
)

type Sign struct{ Name string }

func (Sign) Bake() int { return 1 }

func thing() *stove.Oven { return &stove.Oven{} }

func pick(v any) string {
	switch name := v.(type) {
	case string:
		return name
	case fmtStringer:
		return name.String()
	}
	return ""
}

type fmtStringer interface{ String() string }
-- shop/use.go --
package shop

import "bakery/oven"

func use() int {
	Warm := 1
	k := oven.Kitchen{Name: "k"}
	oven.Each([]int{1}, func(int) {})
	_ = k.String() + Sign{Name: "s"}.Name + pick(k)
	return thing().Bake() + k.Bake() + k.Oven.Bake() + oven.Warm(nil) + Warm + oven.Degrees
}
`,
		edits: [][2]string{
			{"func thing() *stove.Oven { return &stove.Oven{} }", "func thing() Sign { return Sign{} }\n\nvar _ stove.Oven"},
			{"oven.Warm(nil) +", "oven.Warm(thing2()) +"},
			{"const Degrees = 200", "const Degrees = 200\n\nfunc more() int { return Degrees }"},
			{"// Warm is used", "// It is used"},
			{"type Baker interface{ Bake() int }", "type Baker interface{ Roast() int }"},
			{"Warm := 1", "warm := 1"},
			{"go 1.24", "go 1.23"},
		},
		fresh: map[string]string{
			"shop/more.go": "package shop\n\nimport \"bakery/oven\"\n\nfunc thing2() *oven.Oven { return nil }\n\nvar _ = oven.Warm(nil)\n",
			"oven/new.go":  "package oven\n\nfunc inner() int { return Degrees }\n",
		},
	},
	"TypeScript": {
		server: "typescript-language-server", indexer: "scip-typescript", command: []string{"scip-typescript", "index"},
		archive: `
-- package.json --
{"name": "bakery", "version": "1.0.0"}
-- tsconfig.json --
{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "node", "types": []}, "include": ["src"]}
-- .gitignore --
index.scip
-- src/oven.ts --
export function warm(x: number): number { return x }
export interface Baker { bake(): string }
export class Oven implements Baker { bake() { return "ready" } constructor(public heat: number) {} }
export default function open() { return warm(1) }
const inner = 3
export { inner as outer }
export enum Size { Small, Large }
export type Alias = Oven
export const only = 7 // only here
/* degrees are many */
export const degrees = 200
export function twice(n: number) { return n / 2 + degrees }
export namespace space { export const deep = 1 }
export interface Open { x: number }
export const Open = 1
-- src/use.ts --
import start, { warm, Oven as Stove, outer, only, Size, Open } from "./oven"
import * as all from "./oven"
export { warm } from "./oven"
export const x = warm(outer) + all.warm(2) + all.twice(only)
const d = new Stove(1); d.bake(); d["heat"]; const { heat } = d; const o = { heat, warm }
start(); o.warm(1) // warm
/** {@link warm} and only */
const s = "only", t = ` + "`only ${all.degrees} ${Size.Small} ${all.space.deep}`" + `
const re = /only"/
let opened: Open = { x: Open }
-- src/third.ts --
import { Size, only, type Alias } from "./oven"
export const big = Size.Large, copy = only
export function bake(a: Alias) { return a.bake() }
`,
		edits: [][2]string{
			{"const inner = 3", "const inner = 3\nconst own = inner + only"},
			{"all.twice(only)", "all.twice(outer)"},
			{"copy = only", "copy = 1"},
			{"export type Alias = Oven", "export type Alias = { bake(): number }"},
			{"// only here", "// here"},
			{`"strict": true`, `"strict": false`},
		},
		fresh: map[string]string{
			"src/new.ts":   "import { only, twice } from \"./oven\"\nexport const again = twice(only)\n",
			"src/plain.js": "import { degrees } from \"./oven\"\ndegrees\n",
		},
	},
	"Python": {
		server: "pyright", indexer: "scip-python", command: []string{"scip-python", "index", ".", "--project-name", "bakery", "--quiet"},
		archive: `
-- pyproject.toml --
[tool.pyright]
-- .gitignore --
index.scip
-- oven.py --
class Oven:
    heat = 1

    def bake(self) -> int:
        return self.heat

def warm(oven: Oven) -> int:
    return oven.bake()

DEGREES = 200  # DEGREES of heat
-- shop.py --
from oven import warm, Oven as Stove, DEGREES
import oven

class Sign:
    def bake(self): return DEGREES

def thing() -> "Stove":
    return Stove()

def use():
    return thing().bake() + oven.warm(thing()) + warm(Stove()) + Sign().bake()

def only():
    return oven.DEGREES
`,
		edits: [][2]string{{"return DEGREES", "return 1"}, {"# DEGREES of heat", "# of heat"}, {"return thing().bake()", "return only()"}},
		fresh: map[string]string{"more.py": "from shop import only\nprint(only())\n"},
	},
	"Rust": {
		server: "rust-analyzer", indexer: "rust-analyzer", command: []string{"rust-analyzer", "scip", "."},
		archive: `
-- Cargo.toml --
[package]
name = "bakery"
version = "0.1.0"
edition = "2021"
-- .gitignore --
index.scip
target
Cargo.lock
-- src/lib.rs --
pub mod shop;

pub struct Oven { pub heat: u32 }

impl Oven {
    pub fn bake(&self) -> u32 { self.heat }
}

pub fn warm(oven: &Oven) -> u32 { oven.bake() }

pub const DEGREES: u32 = 200;
-- src/shop.rs --
use crate::{warm, Oven, DEGREES};

pub fn thing() -> Oven { Oven { heat: DEGREES } }

pub fn used() -> u32 {
    let oven = thing();
    println!("{} {oven:p}", DEGREES, oven = &oven);
    warm(&oven) + crate::warm(&oven) + oven.bake()
}
`,
		edits: [][2]string{{"heat: DEGREES", "heat: 1"}, {"warm(&oven) + crate", "crate"}},
	},
}

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
		changed.Settings.ReferenceCache = config.ReferenceCacheOn
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
	lsptest.Indexer(t, p.indexer)
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
		for _, name := range slices.Sorted(mapsKeys(h.p.fresh)) {
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

func mapsKeys(m map[string]string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
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
		if len(want.State) > 0 { // where it lacks what it needs, such as a sysroot, it says so
			want.State, want.Completeness = nil, got.Completeness
		}
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

// Whatever happens to the files, while processes run and between them, what an index answers is what the server says.
func TestSameWithAndWithoutIndex(t *testing.T) {
	for name, p := range projects {
		t.Run(name, func(t *testing.T) {
			seed := uint64(time.Now().UnixNano())
			t.Logf("seed %d", seed)
			h := begin(t, p, seed)
			hits, asked, what := 0, 0, "the first state"
			for step := range 6 {
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
					places = places[:min(15, len(places))]
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
