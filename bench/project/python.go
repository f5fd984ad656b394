package project

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

func writePython(_ context.Context, dir string) (Project, error) {
	files := map[string]string{
		"pyproject.toml":        "[project]\nname = \"bench\"\nversion = \"0\"\n",
		"warehouse/__init__.py": "",
	}
	const marker = "    #marker\n"
	imports := graph()
	for i := range imports {
		files[fmt.Sprintf("warehouse/area%02d/__init__.py", folder(i))] = ""
		files[pythonName(i)] = pythonModule(i, imports[i], marker)
	}
	hubText := files[pythonName(hub)]
	for name, text := range files {
		if err := writeFile(dir, name, strings.Replace(text, marker, "", 1)); err != nil {
			return Project{}, err
		}
	}
	return Project{
		Root: dir,
		File: filepath.Join(dir, filepath.FromSlash(pythonName(hub))),
		edit: probes(hubText, marker,
			func(name string) string { return fmt.Sprintf("    %s: int = %q\n", name, "no number") },
			func(name string) string { return fmt.Sprintf("    %s: int = 1\n", name) }),
	}, nil
}

func pythonName(i int) string { return fmt.Sprintf("warehouse/area%02d/module%03d.py", folder(i), i) }

func pythonModule(i int, imports []int, marker string) string {
	var b strings.Builder
	b.WriteString(`from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeVar

`)
	for _, to := range imports {
		fmt.Fprintf(&b, "from warehouse.area%02d.module%03d import Item%[2]d, Shelf%[2]d, combine%[2]d, score%[2]d\n",
			folder(to), to)
	}
	fmt.Fprintf(&b, `
T = TypeVar("T")


class State%[1]d(Enum):
    FRESH = "fresh"
    USED = "used"
    GONE = "gone"


@dataclass
class Item%[1]d:
    """What lies on a shelf."""

    id: str
    weight: float
    tags: list[str] = field(default_factory=list)
    parent: Item%[1]d | None = None


class Shelf%[1]d:
    def __init__(self, name: str, capacity: int = 16) -> None:
        self.name = name
        self.capacity = capacity
        self.state = State%[1]d.FRESH
        self._items: dict[str, Item%[1]d] = {}

    def add(self, item: Item%[1]d) -> Shelf%[1]d:
        if len(self._items) >= self.capacity:
            raise OverflowError(f"{self.name} is full")
        self._items[item.id] = item
        self.state = State%[1]d.USED
        return self

    def find(self, id: str) -> Item%[1]d | None:
        return self._items.get(id)

    def visit(self, visitor: Callable[[Item%[1]d, int], T]) -> Iterator[T]:
        for depth, item in enumerate(self._items.values()):
            yield visitor(item, depth)


def score%[1]d(item: Item%[1]d, factor: float = 1) -> float:
    total = item.weight * factor
    for tag in item.tags:
        total += len(tag)
    return total + score%[1]d(item.parent, factor / 2) if item.parent else total


def combine%[1]d(left: Item%[1]d, right: Item%[1]d) -> Item%[1]d:
    return Item%[1]d(f"{left.id}+{right.id}", left.weight + right.weight, [*left.tags, *right.tags])
`, i)
	for _, to := range imports {
		fmt.Fprintf(&b, `

def from%d(item: Item%[1]d, shelf: Shelf%[1]d) -> Item%[2]d:
    whole = combine%[1]d(item, shelf.find(item.id) or item)
    return Item%[2]d(whole.id, score%[1]d(whole, 2), [tag for tag in whole.tags if len(tag) > 1])
`, to, i)
	}
	fmt.Fprintf(&b, `

def summary%[1]d(shelf: Shelf%[1]d) -> dict[str, float]:
    result: dict[str, float] = {}
    for id, value in shelf.visit(lambda item, depth: (item.id, score%[1]d(item) + depth)):
        result[id] = value
%[2]s    return result
`, i, marker)
	return b.String()
}
