package imports

import (
	"strings"
	"testing"
)

// What is not known of a script stays apart from a change if no part of it that uses what is
// absent changed, or mentions, however indirectly, what the change gives another meaning.
func TestApart(t *testing.T) {
	const (
		user = "import { read, write as put } from \"fs\";\nimport { area, side } from \"./shapes\";\nimport { middle } from \"./middle\";\n\n" +
			"export function save(name: string): void {\n  put(name, \"\");\n}\n\n" +
			"const text = read(\"a\");\nexport function show(): string {\n  return text;\n}\n\n" +
			"export function twice(): number {\n  if (process.env.MODE !== \"quick\" && side) {\n    return area(1);\n  }\n  return 2;\n}\n\n" +
			"import { Stream } from \"tty\";\nexport interface Held {\n  stream: Stream;\n}\n" +
			"export function hold(b: Box): void {\n  b.held.stream.write(side);\n}\n\n" +
			"export function both(): void {\n  put(String(middle()), \"\");\n}\n"
		shapes = "export function area(n: number): number {\n  return n;\n}\nexport const side: number = 1;\nexport const depth: number = 1;\n"
		box    = "import { Held } from \"./user\";\nexport interface Box {\n  held: Held;\n}\n"
		middle = "import { depth } from \"./shapes\";\nexport const middle = () => depth;\n"
	)
	files, mode := Absent{Module: "fs"}, Absent{Name: "process"}
	for _, c := range []struct {
		name   string
		absent []Absent
		// old is replaced by now in the user, or, with other, in shapes.
		other    bool
		old, now string
		want     bool
	}{
		{"nothing that uses it mentions what changed", []Absent{files, mode}, true, "area(n: number)", "area(n: string)", true},
		{"it is used beside what changed, by way of another file", []Absent{files}, true, "depth: number", "depth: string", false},
		{"its type comes back by way of another file", []Absent{{Module: "tty"}}, true, "side: number", "side: string", false},
		{"anything may mean something else", []Absent{files}, true, "export const side", "export * from \"./more\";\nexport const side", false},
		{"only compared, whatever changed", []Absent{mode}, true, "export const side", "export * from \"./more\";\nexport const side", true},
		{"a part without it", []Absent{files, mode}, false, "return 2;", "return 3;", true},
		{"a part with it", []Absent{files, mode}, false, "put(name, \"\")", "put(name, name)", false},
		{"a part with what follows from it", []Absent{files, mode}, false, "return text;", "return text + 1;", false},
		{"a part with it that is new", []Absent{files, mode}, false, "const text", "read(\"b\");\nconst text", false},
		{"a part with it that went", []Absent{files, mode}, false, "  put(name, \"\");\n", "", false},
		{"another name from there", []Absent{files, mode}, false, "{ read,", "{ read, stat,", false},
		{"another comparison", []Absent{mode}, false, "\"quick\"", "\"fast\"", false},
		{"no comparison any more", []Absent{mode}, false, "process.env.MODE !== \"quick\"", "process.env.MODE", false},
		{"an operand of more", []Absent{mode}, false, "process.env.MODE !== \"quick\"", "side + process.env.MODE !== \"quick\"", false},
		{"compared with what is compared", []Absent{mode}, false, "process.env.MODE !== \"quick\"", "side === process.env.MODE !== \"quick\"", false},
		{"what is assigned", []Absent{mode}, false, "return 2;", "const slow = process.env.MODE !== \"quick\";\n  return 2;", false},
		{"spoken of in another way", []Absent{files}, false, "return 2;", "return require(\"fs\");", false},
		{"nobody knows by which name", []Absent{{Module: "path"}}, false, "return 2;", "return 3;", false},
	} {
		before, now := user, user
		changes := []Edit{{here("/r/shapes.ts"), []byte(shapes), []byte(strings.Replace(shapes, c.old, c.now, 1))}}
		if !c.other {
			now = strings.Replace(user, c.old, c.now, 1)
			changes = []Edit{{here("/r/user.ts"), []byte(user), []byte(now)}}
		}
		if now == user && string(changes[0].After) == shapes {
			t.Fatal(c.name)
		}
		other := map[string][]byte{here("/r/box.ts"): []byte(box), here("/r/middle.ts"): []byte(middle), here("/r/shapes.ts"): changes[0].After}
		if got := Apart(here("/r/user.ts"), []byte(before), []byte(now), c.absent, changes, other); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	assigned := "export const quick = process.env.MODE === \"quick\" ? 1 : 2;\n"
	if !Apart(here("/r/b.ts"), []byte(assigned), []byte(assigned+"export {};\n"), []Absent{mode}, nil, nil) {
		t.Error("what is assigned, as before")
	}
	if Apart(here("/r/a.py"), nil, nil, nil, nil, nil) {
		t.Error("a language of which that is not known")
	}
}
