package dependants

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/lsptest"
)

// surface is a module with what TypeScript can declare, and what is hard to read.
const surface = `import type { A } from "./other";
/** Doc */
export interface Item<T = string> {
  name: string;
  readonly cents: number;
  m(a: number): { a: number };
  [key: string]: unknown;
}
interface Inner { x: number }
export type U = "a" | "b" |
  "c";
export enum E { one = 1, two }
export const n: number = 1 + 2;
export const obj = {
  a: 1,
  f(x: number): string {
    return ~x${x}}~;
  },
  g(x: number) {
    return x;
  },
  h: (x: number) => {
    return { v: x };
  },
  k: (x: number): Set<string[]> => {
    return new Set([["("]]);
  },
};
export function f(a: number): number;
export function f(a: string): string;
export function f(a: any): any {
  const r = /[/{"]/g;
  if (r.test(a)) {
    return 1;
  }
  return a;
}
export function g<T extends { x: number }>(t: T, cb: (a: T) => void = () => {}): Record<string, T> {
  const y = { ...t, z: 1 };
  return { y };
}
export function h(x: number) {
  if (x > 1) {
    return { s: ~a${x > 1 ? ~b${x}~ : "c}"}d~ };
  }
  return { s: "x" };
}
export function isA(x: unknown): x is string {
  return typeof x === "string";
}
export function check(x: unknown): asserts x is number {
  if (typeof x !== "number") throw new Error("no");
}
export abstract class K<T> {
  static count = 0;
  protected y: string = "a";
  private readonly z = [1, 2];
  #p = 1;
  constructor(readonly q: number, private r?: T) {
    this.y = "b";
  }
  abstract ab(): void;
  get v(): number {
    return this.#p;
  }
  set v(n: number) {
    this.#p = n;
  }
  m(): T | undefined {
    return this.r;
  }
  inferred(a = 1) {
    return [a, this.z.length] as const;
  }
  arrow = (a: number): boolean => {
    return a > 1;
  };
  arrow2 = (a: number) => {
    return a > 1 ? "x" : 1;
  };
}
function local() {
  return { deep: 1 };
}
export const made = local();
export const [d1, { d2 }] = [1, { d2: "x" }];
export let a1 = 1, a2 = "x"
export const cond = n > 1 ? (n) : (m: number) => {
  return m;
}
export const fn = function (x: number): string {
  return "" + x;
};
export const chain = [1, 2]
  .map((x) => x + 1)
  .filter((x): x is number => {
    return x > 1;
  });
export namespace N {
  export const inner = 1;
  export function nf(): number {
    return 1;
  }
}
export default class extends K<number> {
  ab(): void {}
}
export { local as renamed, type Inner };
export const tpl = ~${(() => { return "}"; })()}~;
export const satisfied = { a: 1 } satisfies object;
export declare const dc: A;
`

var surfaceWord = regexp.MustCompile(`[A-Za-z_]\w*|\d+|"[^"]*"`)

// mutated returns a text with one or two small mistakes or changes.
func mutated(rng *rand.Rand, text string) string {
	words := surfaceWord.FindAllString(text, -1)
	whole := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	extra := []string{"", "// a { comment", "/* x { */", "/**", "*/", "`", "{", "}", "(", "const q = 1;", "export const q2 = 2", "  ;"}
	var lines []string
	for _, line := range whole {
		if rng.IntN(len(whole)) > 1 {
			lines = append(lines, line)
			continue
		}
		switch rng.IntN(6) {
		case 0: // deleted
		case 1:
			lines = append(lines, whole[rng.IntN(len(whole))], line)
		case 2:
			lines = append(lines, extra[rng.IntN(len(extra))], line)
		case 3:
			at := rng.IntN(len(line) + 1)
			lines = append(lines, line[:at]+line[min(at+1, len(line)):])
		default:
			if all := surfaceWord.FindAllStringIndex(line, -1); len(all) > 0 {
				at := all[rng.IntN(len(all))]
				line = line[:at[0]] + words[rng.IntN(len(words))] + line[at[1]:]
			}
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// Of a change that is said to show nothing to users of a file, TypeScript does not
// declare anything else for the file, either; unless the file cannot be parsed, of which
// the answer tells.
func TestWhatIsProvenToBeTheSame(t *testing.T) {
	compiler := beside("typescript", "tsc")(t)
	const rounds = 300
	dir := t.TempDir()
	base := strings.ReplaceAll(surface, "~", "`")
	texts := map[string]string{"base": base}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range rounds {
		texts[fmt.Sprintf("m%d", i)] = mutated(rng, base)
	}
	for name, text := range texts {
		lsptest.WriteFile(t, filepath.Join(dir, name+".ts"), text)
	}
	lsptest.WriteFile(t, filepath.Join(dir, "other.ts"), "export type A = 1;\n")
	lsptest.WriteFile(t, filepath.Join(dir, "tsconfig.json"), `{"compilerOptions": {"strict": true, "declaration": true, "emitDeclarationOnly": true, "outDir": "out",
		"target": "es2022", "module": "esnext", "moduleResolution": "bundler", "types": [], "removeComments": true}}`)
	said := string(run(t, dir, compiler, "--pretty", "false", "-p", dir))
	declared := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, "out", name+".d.ts"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	same := 0
	for name, text := range texts {
		shows := showsUsers(base, text)
		if unparsed := strings.Contains(said, name+".ts(") && regexp.MustCompile(`(?m)^`+name+`\.ts\(\d+,\d+\): error TS1\d\d\d:`).MatchString(said); unparsed || shows {
			continue
		}
		same++
		if declared(name) != declared("base") {
			t.Errorf("%s is said to show what was shown before:\n%s", name, run(t, dir, "diff", "base.ts", name+".ts"))
		}
	}
	if same < rounds/20 {
		t.Errorf("of %d changes only %d show nothing: too few to tell", rounds, same)
	}
}

// showsUsers reports whether a user of a whole module is concerned by a change of it.
func showsUsers(before, after string) bool {
	files := map[string]string{"/r/base.ts": after, "/r/user.ts": "import * as base from \"./base\";\nexport const all = [base];\n"}
	texts := impact.TextsOf(new(impact.TextReader), impact.Tree{
		Paths: func() []string { return []string{"/r/base.ts", "/r/user.ts"} },
		Read:  func(path string) ([]byte, error) { return []byte(files[path]), nil },
		Stamp: func(string) (impact.Stamp, bool) { return impact.Stamp{}, false },
	})
	reach := impact.FindUsersByText(texts, []impact.Change{{Path: "/r/base.ts", Before: []byte(before), After: []byte(after)}})
	return len(reach.Files()) > 0
}
