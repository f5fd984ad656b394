package project

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// writeJavaScript writes modules for a linter, with its configuration. The linter's
// own library is the one installed beside its server; without it nothing is linted.
func writeJavaScript(_ context.Context, dir string) (Project, error) {
	files := map[string]string{
		"package.json":     `{"name":"bench","version":"1.0.0","private":true,"type":"module"}` + "\n",
		"eslint.config.js": "export default [{ files: ['**/*.js'], rules: { 'no-undef': 'error', 'no-debugger': 'error', 'no-unreachable': 'error' } }];\n",
	}
	const marker = "  //marker\n"
	imports := graph()
	for i := range imports {
		files[javaScriptName(i)] = javaScriptModule(i, imports[i], marker)
	}
	if library := besideServer("vscode-eslint-language-server"); library != "" {
		if err := os.Symlink(library, filepath.Join(dir, "node_modules")); err != nil {
			return Project{}, err
		}
	}
	return writeAround(dir, files, javaScriptName(hub), marker,
		func(name string) string { return fmt.Sprintf("  void %s;\n", name) },
		func(name string) string { return fmt.Sprintf("  const %s = 1;\n", name) })
}

// besideServer returns the node_modules that the program of a server lies in, or "".
func besideServer(command string) string {
	binary, err := exec.LookPath(command)
	if err == nil {
		binary, err = filepath.EvalSymlinks(binary)
	}
	if err != nil {
		return ""
	}
	for dir := binary; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "node_modules" {
			return dir
		}
	}
	return ""
}

func javaScriptName(i int) string { return fmt.Sprintf("src/area%02d/module%03d.js", folder(i), i) }

func javaScriptModule(i int, imports []int, marker string) string {
	var b strings.Builder
	for _, to := range imports {
		fmt.Fprintf(&b, "import { combine%d, score%[1]d } from '../area%02d/module%03d.js';\n", to, folder(to), to)
	}
	fmt.Fprintf(&b, `
export class Shelf%[1]d {
  #items = new Map();

  constructor(name, capacity = 16) {
    this.name = name;
    this.capacity = capacity;
  }

  add(item) {
    if (this.#items.size >= this.capacity) {
      throw new RangeError(this.name + ' is full');
    }
    this.#items.set(item.id, item);
    return this;
  }

  find(id) {
    return this.#items.get(id);
  }

  visit(visitor) {
    return [...this.#items.values()].map((item, depth) => visitor(item, depth));
  }
}

export function score%[1]d(item, factor = 1) {
  let total = item.weight * factor;
  for (const tag of item.tags) {
    total += tag.length;
  }
  return item.parent ? total + score%[1]d(item.parent, factor / 2) : total;
}

export function combine%[1]d(left, right) {
  return { id: left.id + '+' + right.id, weight: left.weight + right.weight, tags: [...left.tags, ...right.tags] };
}
`, i)
	for _, to := range imports {
		fmt.Fprintf(&b, `
export function from%d(item, shelf) {
  const whole = combine%[1]d(item, shelf.find(item.id) ?? item);
  return { id: whole.id, weight: score%[1]d(whole, 2), tags: whole.tags.filter((tag) => tag.length > 1) };
}
`, to)
	}
	fmt.Fprintf(&b, `
export function summary%[1]d(shelf) {
  const result = {};
  shelf.visit((item, depth) => {
    result[item.id] = score%[1]d(item) + depth;
  });
%[2]s  return result;
}
`, i, marker)
	return b.String()
}
