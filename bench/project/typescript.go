package project

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

func writeTypeScript(_ context.Context, dir string) (Project, error) {
	files := map[string]string{
		"package.json": `{"name":"bench","version":"1.0.0","private":true}` + "\n",
		"tsconfig.json": `{"compilerOptions":{"strict":true,"target":"ES2020","module":"commonjs",` +
			`"moduleResolution":"node10","ignoreDeprecations":"6.0","noEmit":true,"types":[]},"include":["src"]}` + "\n",
	}
	const marker = "  //marker\n"
	imports := graph()
	for i := range imports {
		files[typeScriptName(i)+".ts"] = typeScriptModule(i, imports[i], marker)
	}
	hubFile := typeScriptName(hub) + ".ts"
	hubText := files[hubFile]
	for name, text := range files {
		if err := writeFile(dir, name, strings.Replace(text, marker, "", 1)); err != nil {
			return Project{}, err
		}
	}
	return Project{
		Root: dir,
		File: filepath.Join(dir, filepath.FromSlash(hubFile)),
		edit: probes(hubText, marker,
			func(name string) string { return fmt.Sprintf("  const %s: number = %q;\n", name, "no number") },
			func(name string) string { return fmt.Sprintf("  const %s: number = 1;\n", name) }),
	}, nil
}

func typeScriptName(i int) string { return fmt.Sprintf("src/area%02d/module%03d", folder(i), i) }

func typeScriptModule(i int, imports []int, marker string) string {
	var b strings.Builder
	for _, to := range imports {
		fmt.Fprintf(&b, "import { Item%d, Shelf%[1]d, combine%[1]d, score%[1]d } from '../area%02d/module%03d';\n", to, folder(to), to)
	}
	fmt.Fprintf(&b, `
export interface Item%[1]d {
  readonly id: string;
  readonly weight: number;
  tags: string[];
  parent?: Item%[1]d;
}

export type Visitor%[1]d<T> = (item: Item%[1]d, depth: number) => T;

export enum State%[1]d {
  Fresh = 'fresh',
  Used = 'used',
  Gone = 'gone',
}

export class Shelf%[1]d {
  private readonly items = new Map<string, Item%[1]d>();
  state: State%[1]d = State%[1]d.Fresh;

  constructor(readonly name: string, readonly capacity: number = 16) {}

  add(item: Item%[1]d): this {
    if (this.items.size >= this.capacity) {
      throw new RangeError(this.name + ' is full');
    }
    this.items.set(item.id, item);
    this.state = State%[1]d.Used;
    return this;
  }

  find(id: string): Item%[1]d | undefined {
    return this.items.get(id);
  }

  visit<T>(visitor: Visitor%[1]d<T>): T[] {
    return [...this.items.values()].map((item, depth) => visitor(item, depth));
  }
}

export function score%[1]d(item: Item%[1]d, factor: number = 1): number {
  let total = item.weight * factor;
  for (const tag of item.tags) {
    total += tag.length;
  }
  return item.parent ? total + score%[1]d(item.parent, factor / 2) : total;
}

export function combine%[1]d(left: Item%[1]d, right: Item%[1]d): Item%[1]d {
  return { id: left.id + '+' + right.id, weight: left.weight + right.weight, tags: [...left.tags, ...right.tags] };
}
`, i)
	for _, to := range imports {
		fmt.Fprintf(&b, `
export function from%d(item: Item%[1]d, shelf: Shelf%[1]d): Item%[2]d {
  const whole = combine%[1]d(item, shelf.find(item.id) ?? item);
  return { id: whole.id, weight: score%[1]d(whole, 2), tags: whole.tags.filter((tag) => tag.length > 1) };
}
`, to, i)
	}
	fmt.Fprintf(&b, `
export function summary%[1]d(shelf: Shelf%[1]d): Record<string, number> {
  const result: Record<string, number> = {};
  shelf.visit((item, depth) => {
    result[item.id] = score%[1]d(item) + depth;
  });
%[2]s  return result;
}
`, i, marker)
	return b.String()
}

// writeTypeScriptUsers edits the signature of a function of the hub, which 40
// modules call once each.
func writeTypeScriptUsers(ctx context.Context, dir string) (Project, error) {
	p, err := writeTypeScript(ctx, dir)
	if err != nil {
		return p, err
	}
	base := p.Edit(1, "").Text
	signature := fmt.Sprintf("combine%d(left: Item%[1]d, right: Item%[1]d", hub)
	p.Whole = true
	for i, imports := range graph() {
		if slices.Contains(imports, hub) {
			p.Users = append(p.Users, filepath.Join(dir, filepath.FromSlash(typeScriptName(i)+".ts")))
		}
	}
	p.edit = func(i int, salt string) Edit {
		e := Edit{}
		optional := "?"
		if i%2 == 0 {
			e.Errors, optional = len(p.Users), ""
		}
		e.Text = strings.Replace(base, "function "+signature, fmt.Sprintf("function %s, probe_%s_%d%s: number", signature, salt, i, optional), 1)
		return e
	}
	return p, nil
}
