package navigation

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

// Where a server has no hierarchy of types, the types that a declaration derives from are found, and not
// those that it only gives to others.
func TestTypesThatAreDerivedFrom(t *testing.T) {
	for _, c := range []struct {
		server, archive, file string
		super, sub            map[string][]string
	}{
		{
			"typescript", `
-- tsconfig.json --
{"compilerOptions":{"strict":true,"noEmit":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","types":[]}}
-- a.ts --
export interface Shape { area(): number }
export interface Named<T> { name: T }
export class Arg {}
export abstract class Base<T, U = {}> { t?: T; u?: U }
export class Square extends Base<Arg, { x: Arg; f: (a: Arg) => Arg }> implements Shape, Named<Array<Arg>> { name: Arg[] = []; area() { return 1 } }
export interface Solid extends Shape, Named<Arg> {}
export class Box<T extends Shape> { t?: T }
-- b.ts --
import { Shape as S } from "./a"
export class Circle
  implements S {
  area(): number { return 2 }
}
`, "a.ts",
			map[string][]string{"Square": {"Base", "Named", "Shape"}, "Solid": {"Named", "Shape"}, "Box": nil},
			map[string][]string{"Shape": {"Circle", "Solid", "Square"}, "Named": {"Solid", "Square"}, "Base": {"Square"}, "Arg": nil},
		},
		{
			"pyright", `
-- pyproject.toml --
[tool.pyright]
-- a.py --
from typing import Generic, TypeVar

T = TypeVar("T")


class Arg: ...


class Meta(type): ...


class Base(Generic[T]): ...


class Square(Base[Arg]): ...


class Solid(
    Base[list[Arg]],
):
    pass
`, "a.py",
			map[string][]string{"Square": {"Base"}, "Solid": {"Base"}},
			map[string][]string{"Base": {"Solid", "Square"}, "Arg": nil},
		},
	} {
		t.Run(c.server, func(t *testing.T) {
			s := enginetest.OpenReal(t, c.archive, c.server)
			for direction, want := range map[string]map[string][]string{"supertypes": c.super, "subtypes": c.sub} {
				got := make(map[string][]string)
				for name := range want {
					answer := enginetest.Do(t, s, api.Hierarchy, api.HierarchyRequest{Selector: api.Selector{At: c.file + " " + name}, Direction: direction})
					got[name] = nil
					for _, n := range answer.Nodes {
						got[name] = append(got[name], n.Name)
					}
					slices.Sort(got[name])
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", direction, diff)
				}
			}
		})
	}
}
