package index_test

// A project is of one language, and has what makes answers of an index differ from those of a server.
type project struct {
	server, indexer string
	// command makes index.scip in the folder that it runs in; nil: we make it ourselves.
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

const label = "a"

var _ = table{label: 1}
-- shop/kinds.go --
package shop

type table map[string]int

type plate = table
`,
		edits: [][2]string{
			{"func thing() *stove.Oven { return &stove.Oven{} }", "func thing() Sign { return Sign{} }\n\nvar _ stove.Oven"},
			{"oven.Warm(nil) +", "oven.Warm(thing2()) +"},
			{"const Degrees = 200", "const Degrees = 200\n\nfunc more() int { return Degrees }"},
			{"// Warm is used", "// It is used"},
			{"type Baker interface{ Bake() int }", "type Baker interface{ Roast() int }"},
			{"Warm := 1", "warm := 1"},
			{"type table map[string]int", "type table struct{ a int }"}, // label is no field, and none of its uses either
			{"type plate = table", "type plate struct{ table }\n\nfunc helper() plate { return plate{} }"},
			{"do(x)", "do(x"},
			{"package shop\n\ntype table", "package store\n\ntype table"},
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
		// It works without the sources of the standard library, which the machine may not have.
		archive: `
-- .lspine.jsonc --
{"lsp": {"servers": {"rust-analyzer": {
  "initializationOptions": {"cargo": {"sysroot": null}}, "settings": {"rust-analyzer": {"cargo": {"sysroot": null}}}
}}}}
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
