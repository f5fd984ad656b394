package large

import (
	"fmt"
	"strings"
)

// TypeScript generates npm workspaces with one tsconfig.json, or one for each package: packages are found through
// links in node_modules, by what their package.json exports.
func TypeScript(s Size) *Tree {
	t := &Tree{
		Files: map[string]string{
			"package.json": `{"name":"large","version":"1.0.0","private":true,"workspaces":["packages/*"]}` + "\n",
		},
		Links:     make(map[string]string),
		Core:      typeScriptName(0, hub),
		signature: "export function shared(left: Item3, right: Item3", parameter: ", %s: number", optional: ", %s?: number",
	}
	const compiler = `"compilerOptions":{"strict":true,"target":"ES2022","module":"nodenext","moduleResolution":"nodenext",` +
		`"noEmit":true,"skipLibCheck":true,"types":[]}`
	if s.Projects {
		t.Files["tsconfig.base.json"] = "{" + compiler + "}\n"
	} else {
		t.Files["tsconfig.json"] = "{" + compiler + `,"include":["packages/*/src"]}` + "\n"
	}
	all := s.modules()
	indexes := make(map[int]*strings.Builder)
	for _, m := range all {
		name := typeScriptName(m.pack, m.number)
		t.Files[name] = typeScriptModule(all, m)
		if m.user {
			t.Users = append(t.Users, name)
		}
		if indexes[m.pack] == nil {
			indexes[m.pack] = &strings.Builder{}
		}
		fmt.Fprintf(indexes[m.pack], "export * from './module%03d.js';\n", m.number)
	}
	for pack, index := range indexes {
		folder := fmt.Sprintf("packages/pack%02d", pack)
		t.Files[folder+"/src/index.ts"] = index.String()
		t.Files[folder+"/package.json"] = fmt.Sprintf(`{"name":"@large/pack%02d","version":"1.0.0","type":"module","exports":{".":"./src/index.ts"}}`+"\n", pack)
		if s.Projects {
			t.Files[folder+"/tsconfig.json"] = `{"extends":"../../tsconfig.base.json","include":["src"]}` + "\n"
		}
		t.Links[fmt.Sprintf("node_modules/@large/pack%02d", pack)] = fmt.Sprintf("../../packages/pack%02d", pack)
	}
	return t
}

func typeScriptName(pack, number int) string {
	return fmt.Sprintf("packages/pack%02d/src/module%03d.ts", pack, number)
}

func typeScriptModule(all []module, m module) string {
	var b strings.Builder
	from := func(names string, other module) {
		if other.pack == m.pack {
			fmt.Fprintf(&b, "import { %s } from './module%03d.js';\n", names, other.number)
		} else {
			fmt.Fprintf(&b, "import { %s } from '@large/pack%02d';\n", names, other.pack)
		}
	}
	id := func(m module) int { return m.pack*1000 + m.number }
	for _, to := range m.imports {
		from(fmt.Sprintf("type Item%d, combine%[1]d", id(all[to])), all[to])
	}
	if m.user {
		from(fmt.Sprintf("shared, type Item%d as Thing", hub), all[hub])
	}
	fmt.Fprintf(&b, `
export interface Item%[1]d {
  readonly id: string;
  readonly weight: number;
  tags: string[];
}

export class Shelf%[1]d {
  private readonly items = new Map<string, Item%[1]d>();

  add(item: Item%[1]d): this {
    this.items.set(item.id, item);
    return this;
  }

  visit<T>(visitor: (item: Item%[1]d, depth: number) => T): T[] {
    return [...this.items.values()].map((item, depth) => visitor(item, depth));
  }
}

export function combine%[1]d(left: Item%[1]d, right: Item%[1]d): Item%[1]d {
  return { id: left.id + '+' + right.id, weight: left.weight + right.weight, tags: [...left.tags, ...right.tags] };
}
`, id(m))
	for _, to := range m.imports {
		fmt.Fprintf(&b, "\nexport function into%d_%d(item: Item%[1]d): Item%[2]d {\n  const whole = combine%[1]d(item, item);\n  return { ...whole };\n}\n", id(all[to]), id(m))
	}
	if m.pack == 0 && m.number == hub {
		b.WriteString("\nexport function shared(left: Item3, right: Item3): Item3 {\n  return combine3(left, right);\n}\n")
	}
	if m.user {
		fmt.Fprintf(&b, "\nexport function share%d(thing: Thing): number {\n  return shared(thing, thing).weight;\n}\n", id(m))
	}
	return b.String()
}
