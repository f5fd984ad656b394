package large

import (
	"fmt"
	"strings"
)

// Python generates packages in one project, which import each other by their names.
func Python(s Size) *Tree {
	t := &Tree{
		Files:     map[string]string{"pyproject.toml": "[project]\nname = \"large\"\nversion = \"0\"\n"},
		Core:      pythonName(0, hub),
		signature: "def shared(left: Item3, right: Item3", parameter: ", %s: int", optional: ", %s: int = 0",
	}
	all := s.modules()
	for _, m := range all {
		name := pythonName(m.pack, m.number)
		t.Files[name] = pythonModule(all, m)
		if m.user {
			t.Users = append(t.Users, name)
		}
		index := fmt.Sprintf("pack%02d/__init__.py", m.pack)
		if m.number < 5 {
			t.Files[index] += fmt.Sprintf("from .module%03d import Item%d as Item%[2]d, combine%[2]d as combine%[2]d\n", m.number, m.pack*1000+m.number)
		}
		if m.pack == 0 && m.number == hub {
			t.Files[index] += fmt.Sprintf("from .module%03d import shared as shared\n", hub)
		}
	}
	return t
}

func pythonName(pack, number int) string { return fmt.Sprintf("pack%02d/module%03d.py", pack, number) }

func pythonModule(all []module, m module) string {
	var b strings.Builder
	b.WriteString("from __future__ import annotations\n\nfrom collections.abc import Callable\nfrom dataclasses import dataclass, field\nfrom typing import TypeVar\n\n")
	from := func(names string, other module) {
		switch {
		case other.pack == m.pack:
			fmt.Fprintf(&b, "from .module%03d import %s\n", other.number, names)
		case other.number < 5 && !m.user:
			fmt.Fprintf(&b, "from pack%02d import %s\n", other.pack, names)
		default:
			fmt.Fprintf(&b, "from pack%02d.module%03d import %s\n", other.pack, other.number, names)
		}
	}
	id := func(m module) int { return m.pack*1000 + m.number }
	for _, to := range m.imports {
		from(fmt.Sprintf("Item%d, combine%[1]d", id(all[to])), all[to])
	}
	if m.user {
		if m.pack != 0 && m.number%2 == 0 { // by the package, which passes it on
			b.WriteString("from pack00 import Item3 as Thing, shared\n")
		} else {
			from("Item3 as Thing, shared", all[hub])
		}
	}
	fmt.Fprintf(&b, `
T = TypeVar("T")


@dataclass
class Item%[1]d:
    id: str
    weight: float
    tags: list[str] = field(default_factory=list)


class Shelf%[1]d:
    def __init__(self) -> None:
        self._items: dict[str, Item%[1]d] = {}

    def add(self, item: Item%[1]d) -> Shelf%[1]d:
        self._items[item.id] = item
        return self

    def visit(self, visitor: Callable[[Item%[1]d, int], T]) -> list[T]:
        return [visitor(item, depth) for depth, item in enumerate(self._items.values())]


def combine%[1]d(left: Item%[1]d, right: Item%[1]d) -> Item%[1]d:
    return Item%[1]d(left.id + "+" + right.id, left.weight + right.weight, [*left.tags, *right.tags])
`, id(m))
	for _, to := range m.imports {
		fmt.Fprintf(&b, "\n\ndef into%d_%d(item: Item%[1]d) -> Item%[2]d:\n    whole = combine%[1]d(item, item)\n    return Item%[2]d(whole.id, whole.weight, whole.tags)\n", id(all[to]), id(m))
	}
	if m.pack == 0 && m.number == hub {
		b.WriteString("\n\ndef shared(left: Item3, right: Item3) -> Item3:\n    return combine3(left, right)\n")
	}
	if m.user {
		fmt.Fprintf(&b, "\n\ndef share%d(thing: Thing) -> float:\n    return shared(thing, thing).weight\n", id(m))
	}
	return b.String()
}
