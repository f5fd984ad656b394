package imports

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const lookalikes = `
-- go.mod --
module example.com/shop
-- item/item.go --
package item

type Item struct{ Cents int }

func Tax(n int) int { return n }

const Rate = 2

func (Item) Discount() int { return Rate }

func Discount() int { return 1 }
-- fake/fake.go --
package fake

import "example.com/shop/item"

// Tax is not item's.
func Tax(item.Item) int { return 1 }

func Rate() int { return item.Item{}.Discount() }
-- faked/faked.go --
package faked

import "example.com/shop/fake"

var Taxed = fake.Tax
-- plain/plain.go --
package plain

import "example.com/shop/item"

var Taxed = item.Tax(item.Rate)
-- renamed/renamed.go --
package renamed

import goods "example.com/shop/item"

var Taxed = goods. // a comment
	Tax(goods./* two */Rate)
-- dotted/dotted.go --
package dotted

import . "example.com/shop/item"

var Taxed = Tax(Rate)
-- longer/longer.go --
package longer

import "example.com/shop/item"

var Taxed = item.TaxOf(item.RateOf)
-- passed/passed.go --
package passed

import "example.com/shop/plain"

var Twice = plain.Taxed
-- item/beside.go --
package item

func beside() int { return Tax(Rate) }
-- item/item_test.go --
package item_test

import "example.com/shop/item"

var taxed = item.Tax(item.Rate)
`

// A file that calls something of its own, or of a third package, what a changed function, variable or constant of a Go
// package is called does not use it, whatever else it uses of the package. With methods and types one cannot know.
func TestReachOfQualifiedNames(t *testing.T) {
	for _, c := range []struct{ name, changed, want string }{
		{"a function", "Tax", "item/beside.go item/item_test.go dotted/dotted.go plain/plain.go renamed/renamed.go passed/passed.go"},
		{"a constant", "Rate", "item/beside.go item/item_test.go dotted/dotted.go plain/plain.go renamed/renamed.go passed/passed.go"},
		{"a function that is called as a method is", "Discount", "fake/fake.go faked/faked.go"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &forest{}
			tree := f.tree(lookalikes)
			path := here("/r/item/item.go")
			text := []byte(f.files[path])
			reached, complete := new(Reader).Search(tree).Reach([]Change{{Path: path, Before: text, After: text, Names: []string{c.changed}}})
			got := make(map[string]bool)
			for _, r := range reached {
				relative, _ := filepath.Rel(here("/r"), r.Path)
				got[filepath.ToSlash(relative)] = true
			}
			want := make(map[string]bool)
			for _, path := range strings.Fields(c.want) {
				want[path] = true
			}
			if diff := cmp.Diff(want, got); diff != "" || !complete {
				t.Errorf("complete: %t; reached (-want +got):\n%s", complete, diff)
			}
		})
	}
}

// A function that becomes a method, or the reverse, may be meant by whoever has its name.
func TestReachOfAFunctionThatBecomesAMethod(t *testing.T) {
	f := &forest{}
	tree := f.tree(lookalikes)
	path := here("/r/item/item.go")
	before := []byte(f.files[path])
	after := []byte(strings.Replace(string(before), "func Tax(n int)", "func (Item) Tax(n int)", 1))
	reached, _ := new(Reader).Search(tree).Reach([]Change{{Path: path, Before: before, After: after, Names: []string{"Tax"}}})
	for _, r := range reached {
		if r.Path == here("/r/fake/fake.go") {
			return
		}
	}
	t.Errorf("fake.go, which may embed an Item, is not among %v", reached)
}
