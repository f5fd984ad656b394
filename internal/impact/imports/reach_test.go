package imports

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/lspine/lspine/internal/lsptest"
)

// here returns a path of this system for one that a test writes with slashes.
func here(path string) string { return lsptest.Rooted(path) }

// forest is files in memory that count how often they are read.
type forest struct {
	files map[string]string
	reads atomic.Int64
}

func (f *forest) tree(archive string) Tree {
	var t Tree
	f.files = make(map[string]string)
	t.Paths = func() []string { return slices.Collect(maps.Keys(f.files)) }
	for _, file := range txtar.Parse([]byte(archive)).Files {
		f.files[here("/r/"+file.Name)] = string(file.Data)
	}
	t.Read = func(path string) ([]byte, error) {
		f.reads.Add(1)
		if text, ok := f.files[path]; ok {
			return []byte(text), nil
		}
		return nil, errors.New("no such file")
	}
	t.Stamp = func(path string) (Stamp, bool) { return Stamp{Size: int64(len(f.files[path]))}, true }
	return t
}

const scripts = `
-- lib/item.ts --
export interface Item { cents: number }
export function tax(n: number): number {
  return n;
}
export function gross(i: Item) {
  return tax(i.cents);
}
export default function main() {}
-- lib/index.ts --
export * from "./item";
-- lib/some.ts --
export { Item as Thing } from "./item";
-- use/sum.ts --
import { gross } from "../lib";
export const sum = (list) => list.map(gross);
-- use/typed.ts --
import { gross } from "../lib";
export function typed(list): number {
  return list.map(gross);
}
-- use/thing.ts --
import { Thing } from "../lib/some";
export class Box {
  constructor(readonly t: Thing) {}
}
-- use/box.tsx --
import { Box } from "./thing";
new Box({ cents: 1 });
-- use/last.ts --
import { sum } from "./sum";
import { typed } from "./typed";
sum([]);
-- use/typedlast.ts --
import { typed } from "./typed";
typed([]);
-- use/renamed.js --
const other = require("@scope/lib/item");
import start from "../lib/item.js";
start();
-- use/effect.ts --
import "../lib/item";
-- use/space.ts --
import * as item from "../lib/item";
export const all = [item];
-- use/far.ts --
import { all } from "./space";
all[0].tax(1);
-- use/later.ts --
export const later = import("../lib/item").then((m) => m.tax(1));
-- other/item.ts --
export const tax = 1;
-- other/use.ts --
import { tax } from "./item";
`

const pythons = `
-- shop/model/__init__.py --
from .item import Item
-- shop/model/item.py --
class Item:
    cents: int

def tax(n: int) -> int:
    return n

def rates():
    return tax(1)

TABLE = rates()
-- shop/use.py --
import shop.model as model

def show(i: model.Item): ...
-- shop/star.py --
from shop.model.item import *
-- shop/last.py --
from .star import TABLE as T
print(T)
-- shop/mod.py --
from .model import item
print(item.tax(1))
-- shop/whole.py --
import shop.model
shop.model.item.tax(1)
-- shop/none.py --
import os
`

const natives = `
-- src/item.h --
struct Item { int cents; };
int tax(int n);
inline auto gross(Item i) { return tax(i.cents); }
-- src/order.h --
#include "item.h"
class Order {
  Item first;
};
int count(int n) { return tax(n); }
-- src/a.cc --
#include "order.h"
Order o;
-- src/far.cc --
#include "order.h"
LIMIT(1)
-- src/b.cc --
#include <src/order.h>
int n = count(1);
-- src/c.cc --
#include "../src/item.h"
auto g = gross({1});
`

const gophers = `
-- go.mod --
module example.com/shop/v2

replace example.com/tax => ./tools/tax
-- item/item.go --
package item

type Item struct{ Cents int }

func Gross(i Item) int { return Tax(i.Cents) }

func Tax(n int) int { return n }

var Default = newItem()

func newItem() Item { return Item{} }
-- item/more.go --
package item

func more() int { return Tax(1) }
-- item/item_test.go --
package item_test

import "example.com/shop/v2/item"

var _ = item.Default.Cents
-- use/use.go --
package use

import i "example.com/shop/v2/item"

func Show() *i.Item { return nil }

func sum() int { return i.Tax(1) }
-- far/far.go --
package far

import "example.com/shop/v2/use"

var cents = use.Show().Cents
-- none/none.go --
package none

import "example.com/other/item"

var _ = item.Tax
-- tools/tax/go.mod --
module example.com/renamed
-- tools/tax/tax.go --
package tax

func Rate() int { return 1 }
-- use/rate.go --
package use

import "example.com/tax"

var rate = tax.Rate()
`

// A change concerns those that mention a changed name, in whatever they bring in by
// way of others, and those that mention what is declared by means of it.
func TestReach(t *testing.T) {
	for _, c := range []struct {
		name, archive, path string
		change              Change
		want                string
	}{
		{"a function, and what is inferred from it", scripts, "lib/item.ts", Change{Names: []string{"gross"}}, "space.ts:1 sum.ts:1 typed.ts:1 far.ts:2 last.ts:2"},
		{"a type under another name", scripts, "lib/item.ts", Change{Names: []string{"Item"}}, "some.ts:1 space.ts:1 sum.ts:1 typed.ts:1 far.ts:2 last.ts:2 thing.ts:2 box.tsx:3"},
		{"a function whose users write their types", scripts, "lib/item.ts", Change{Names: []string{"tax"}}, "later.ts:1 space.ts:1 sum.ts:1 typed.ts:1 far.ts:2 last.ts:2"},
		{"what is exported by default", scripts, "lib/item.ts", Change{Names: []string{"default"}}, "renamed.js:1 space.ts:1 far.ts:2"},
		{"a file that goes", scripts, "lib/item.ts", Change{All: true}, "index.ts:1 some.ts:1 effect.ts:1 later.ts:1 renamed.js:1 space.ts:1 far.ts:2 sum.ts:2 thing.ts:2 typed.ts:2 box.tsx:3 last.ts:3"},
		{"a name in one of two files of a name", scripts, "other/item.ts", Change{Names: []string{"tax"}}, "use.ts:1"},
		{"a name that nobody has, of a module as a value", scripts, "lib/item.ts", Change{Names: []string{"none"}}, "space.ts:1 far.ts:2"},
		{"a name that nobody has", scripts, "lib/some.ts", Change{Names: []string{"none"}}, ""},
		{"a Python class by its module", pythons, "shop/model/item.py", Change{Names: []string{"Item"}}, "__init__.py:1 use.py:2"},
		{"a Python function, by a table and a star", pythons, "shop/model/item.py", Change{Names: []string{"rates"}}, "last.py:1"},
		{"a member of a Python module", pythons, "shop/model/item.py", Change{Names: []string{"tax"}}, "last.py:1 mod.py:1 whole.py:1"},
		{"a field by way of a class", natives, "src/item.h", Change{Names: []string{"Item"}}, "c.cc:1 order.h:1 a.cc:2"},
		{"a function by way of what is deduced", natives, "src/item.h", Change{Names: []string{"tax"}}, "c.cc:1 order.h:1"},
		{"a macro by way of a header without it", natives, "src/item.h", Change{Names: []string{"LIMIT"}}, "far.cc:1"},
		{"a Go function, in its package and by its import", gophers, "item/item.go", Change{Names: []string{"Tax"}}, "more.go:1 use.go:1"},
		{"a Go type, by way of functions and variables", gophers, "item/item.go", Change{Names: []string{"Item"}}, "item_test.go:1 use.go:1 far.go:2"},
		{"a Go package of a replaced module", gophers, "tools/tax/tax.go", Change{Names: []string{"Rate"}}, "rate.go:1"},
		{"a Go file that goes", gophers, "item/more.go", Change{All: true}, "item.go:1 item_test.go:1 use.go:1 more.go:2 far.go:3"},
		{"a header that goes", natives, "src/item.h", Change{All: true}, "c.cc:1 order.h:1 a.cc:2 b.cc:2 far.cc:2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &forest{}
			tree := f.tree(c.archive)
			c.change.Path = here("/r/" + c.path)
			c.change.Before = []byte(f.files[c.change.Path])
			if !c.change.All {
				c.change.After = c.change.Before
			}
			reached, complete := new(Reader).Search(tree).Reach([]Change{c.change})
			var got []string
			for _, r := range reached {
				got = append(got, fmt.Sprintf("%s:%d", filepath.Base(r.Path), r.Hops))
			}
			if strings.Join(got, " ") != c.want || !complete {
				t.Errorf("reached %q, want %q", strings.Join(got, " "), c.want)
			}
		})
	}
}

// A script without imports and exports declares for everybody.
func TestReachOfAScript(t *testing.T) {
	f := &forest{}
	tree := f.tree("-- global.d.ts --\ndeclare const version: string;\n-- a.ts --\nexport const v = version;\n-- b.ts --\nexport const w = 1;\n")
	text := []byte(f.files[here("/r/global.d.ts")])
	reached, _ := new(Reader).Search(tree).Reach([]Change{{Path: here("/r/global.d.ts"), Before: text, After: text, Names: []string{"version"}}})
	if len(reached) != 1 || reached[0].Path != here("/r/a.ts") {
		t.Error(reached)
	}
}

// So does a stub of Python's built-in names, with what these are made of.
func TestReachOfPythonGlobals(t *testing.T) {
	f := &forest{}
	tree := f.tree("-- __builtins__.pyi --\nfrom kinds import Kind\n\ndef log(text: str) -> Kind: ...\ndef other() -> None: ...\n-- kinds.py --\nclass Kind: ...\n-- a.py --\nk = log('a')\n-- b.py --\nother()\n-- c.py --\nfrom a import k\n")
	for changed, c := range map[string]struct{ name, want string }{
		"__builtins__.pyi": {"log", "a.py:1 c.py:2"},
		"kinds.py":         {"Kind", "__builtins__.pyi:1 a.py:2 c.py:3"},
	} {
		text := []byte(f.files[here("/r/"+changed)])
		reached, _ := new(Reader).Search(tree).Reach([]Change{{Path: here("/r/" + changed), Before: text, After: text, Names: []string{c.name}}})
		var got []string
		for _, r := range reached {
			got = append(got, fmt.Sprintf("%s:%d", filepath.Base(r.Path), r.Hops))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", changed, diff)
		}
	}
}

// A name that a script exports now, or no longer, may be that of another one in a file that passes
// on all of both, and in those that pass on all of that; a name that stays is not.
func TestReachOfAPassedOnName(t *testing.T) {
	f := &forest{}
	tree := f.tree("-- a.ts --\nexport const first = 1;\nconst second = 2;\n-- all.ts --\nexport * from \"./a\";\nexport * from \"./b\";\n-- more.ts --\nexport type * from './all'\n" +
		"-- space.ts --\nexport * as whole from \"./a\";\n-- some.ts --\nexport { first } from \"./all\";\n-- none.ts --\nimport \"./a\";\n")
	was := f.files[here("/r/a.ts")]
	for _, c := range []struct {
		name, is string
		names    []string
		want     []Reached
	}{
		{"it comes", was + "export function third() {}\n", []string{"third"}, []Reached{{here("/r/all.ts"), 1}, {here("/r/more.ts"), 1}}},
		{"it goes", "const second = 2;\n", []string{"first"}, []Reached{{here("/r/all.ts"), 1}, {here("/r/more.ts"), 1}, {here("/r/some.ts"), 1}}},
		{"it is exported from now on", was + "export { second as other };\n", []string{"second", "other"}, []Reached{{here("/r/all.ts"), 1}, {here("/r/more.ts"), 1}}},
		{"it means something else", strings.Replace(was, "1", "'1'", 1), []string{"first"}, []Reached{{here("/r/some.ts"), 1}}},
		{"it is the file's own", was + "const third = 1;\n", []string{"third"}, nil},
	} {
		f.files[here("/r/a.ts")] = c.is
		reached, _ := new(Reader).Search(tree).Reach([]Change{{Path: here("/r/a.ts"), Before: []byte(was), After: []byte(c.is), Names: c.names}})
		if diff := cmp.Diff(c.want, reached); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", c.name, diff)
		}
	}
}

// What stays as it is is read once to see what it brings in.
func TestReadOnce(t *testing.T) {
	f := &forest{}
	tree := f.tree(scripts)
	var r Reader
	none := []Change{{Path: here("/r/lib/item.ts"), Before: []byte("x"), After: []byte("x"), Names: []string{"none"}}}
	r.Search(tree).Reach(none)
	first := f.reads.Swap(0)
	r.Search(tree).Reach(none)
	if again := f.reads.Load(); first-again != int64(len(tree.Paths())) {
		t.Errorf("read %d, then %d files", first, again)
	}
	f.files[here("/r/other/use.ts")] = `import "../lib/item"`
	reached, _ := r.Search(tree).Reach([]Change{{Path: here("/r/lib/item.ts"), Before: []byte("x")}})
	if len(reached) != 0 {
		t.Error("All is not said, and nobody mentions a name")
	}
	reached, _ = r.Search(tree).Reach([]Change{{Path: here("/r/lib/item.ts"), All: true}})
	found := false
	for _, to := range reached {
		found = found || to.Path == here("/r/other/use.ts")
	}
	if !found {
		t.Errorf("a file that changed was not read again: %v", reached)
	}
}
