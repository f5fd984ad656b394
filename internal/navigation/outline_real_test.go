package navigation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/result"
)

// drawnOutline is a tree, a line each: indented kind and name.
func drawnOutline(list []result.Symbol, indent string) string {
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "%s%s %s\n", indent, s.Kind, s.Name)
		b.WriteString(drawnOutline(s.Children, indent+" "))
	}
	return b.String()
}

const busyScript = `
-- package.json --
{"name": "busy", "private": true}
-- tsconfig.json --
{"compilerOptions": {"strict": true, "target": "es2022", "module": "esnext"}, "include": ["src"]}
-- src/other.ts --
export const helper = 1;
export type Shape = { a: number };
-- src/busy.ts --
import {helper as aid} from './other';
import type {
	Shape,
} from "./other";

export const limit = aid;
export const settings = {retries: 2, run() { const hidden = 1; return hidden; }};
export const arrow = async (x: number): Promise<number> => {
	const local = x + limit;
	return [local].map(y => y + 1)[0];
};
export class Client {
	#input = 1;
	static create(shape: Shape) {
		const options = {deep: {deeper: 1}};
		function inner() { const mine = 1; return mine; }
		setTimeout(() => { const late = 1; void late; }, inner());
		return options;
	}
	constructor(readonly name: string) {
		const first = this.#input;
		void first;
	}
}
describe('a story', () => {
	const told = 1;
	it('has a part', () => { void told; });
});
declare function describe(name: string, body: () => void): void;
declare function it(name: string, body: () => void): void;
`

// An outline tells what a file declares: neither what it imports, nor what is local to
// a function, nor callbacks without a name. With a kind it tells all of that kind.
func TestOutlineWithoutLocals(t *testing.T) {
	for _, server := range []string{"typescript", "typescript-language-server"} {
		t.Run(server, func(t *testing.T) {
			s := enginetest.OpenReal(t, busyScript, server)
			got := enginetest.Do(t, s, api.Outline, api.SymbolsRequest{File: "src/busy.ts"})
			lines := strings.Split(drawnOutline(got.Symbols, ""), "\n")
			var names []string
			for _, line := range lines {
				names = append(names, strings.TrimLeft(line, " ")[strings.LastIndex(strings.TrimLeft(line, " "), " ")+1:])
			}
			text := " " + strings.Join(names, " ") + " "
			for _, hidden := range []string{"aid", "Shape", "local", "hidden", "options", "deep", "mine", "late", "first", "told", "callback>", "<function>"} {
				if strings.Contains(text, " "+hidden+" ") {
					t.Errorf("it has %s:\n%s", hidden, drawnOutline(got.Symbols, ""))
				}
			}
			for _, shown := range []string{"limit", "settings", "arrow", "Client", "#input", "create", "inner", "describe", "it"} {
				if !strings.Contains(text, " "+shown+" ") {
					t.Errorf("it lacks %s:\n%s", shown, drawnOutline(got.Symbols, ""))
				}
			}
			flat := enginetest.Do(t, s, api.Outline, api.SymbolsRequest{File: "src/busy.ts", Format: "flat"})
			if got.Total != len(flat.Symbols) || got.Total+1 != len(lines) || len(got.Notes) != 1 {
				t.Errorf("%d and %d and %d symbols, %v", got.Total, len(flat.Symbols), len(lines)-1, got.Notes)
			}
			kinds := enginetest.Do(t, s, api.Outline, api.SymbolsRequest{File: "src/busy.ts", Kind: "variable", Format: "flat"})
			constants := enginetest.Do(t, s, api.Outline, api.SymbolsRequest{File: "src/busy.ts", Kind: "constant", Format: "flat"})
			if all := drawnOutline(append(kinds.Symbols, constants.Symbols...), ""); !strings.Contains(all, "local") {
				t.Errorf("a kind lists %s", all)
			}
		})
	}
	t.Run("pyright", func(t *testing.T) {
		s := enginetest.OpenReal(t, `
-- pyproject.toml --
-- busy.py --
import os
from sys import (
    argv,
)

LIMIT = 1

class Client:
    shared = 1

    def __init__(self):
        local = LIMIT
        self.field = local

def run(shape):
    options = [x for x in argv]
    def inner():
        mine = os.name
        return mine
    return options, inner
`, "pyright")
		got := enginetest.Do(t, s, api.Outline, api.SymbolsRequest{File: "busy.py"})
		const want = "constant LIMIT\nclass Client\n variable shared\n method __init__\n variable field\nfunction run\n function inner\n"
		if diff := cmp.Diff(want, drawnOutline(got.Symbols, "")); diff != "" {
			t.Error(diff)
		}
	})
}
