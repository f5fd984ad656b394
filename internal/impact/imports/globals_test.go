package imports

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a change of a script means for files that do not import it: which words these mention, if any. It is told by what
// is in only one of the texts: the name of what is declared, and of the members that change. What is used without a name
// concerns all files.
func TestSpillOfAChange(t *testing.T) {
	const all = " (everybody)"
	global := func(inside string) string { return "export {};\ndeclare global {\n" + inside + "\n}\n" }
	for name, c := range map[string]struct{ file, before, after, want string }{
		"nothing":                        {"a.ts", global("interface A { x: string }"), global("interface A { x: string }") + "export const a = 1;\n", ""},
		"a member":                       {"a.ts", global("interface A { x: string; y: string }"), global("interface A { x: string; y?: string }"), "A y"},
		"a member more":                  {"a.ts", global("interface A {\n  x: string\n}"), global("interface A {\n  x: string\n  y(n: number): string\n}"), "A y"},
		"what is in a member":            {"a.ts", global("interface A { x: { y: string; z: number }; a: 1 }"), global("interface A { x: { y: number; z: number }; a: 1 }"), "A x"},
		"a name in quotes":               {"a.ts", global("interface A {}"), global("interface A { readonly 'my-el': string }"), "A el my"},
		"a type of several lines":        {"a.ts", global("interface A {\n  x:\n    | 1\n  y: 2\n}"), global("interface A {\n  x:\n    | 2\n  y: 2\n}"), "A x y"},
		"another declaration beside":     {"a.ts", global("interface A { x: string }\nconst b: number;"), global("interface A { x: string }\nconst b: string;"), "b"},
		"a namespace in it":              {"a.ts", global("namespace E { interface R { x: 1 } interface S { s: 1 } }"), global("namespace E { interface R { x: 1; user: 1 } interface S { s: 1 } }"), "E R user"},
		"a built-in type":                {"a.ts", global(""), global("interface Array<T> { zz: string }"), "Array zz" + all},
		"a built-in type that goes":      {"a.ts", global("interface String { zz: string }"), "export {};\n", "String zz" + all},
		"a built-in name elsewhere":      {"a.ts", global(""), global("namespace N { interface Array<T> { zz: string } }"), "Array N zz"},
		"any member":                     {"a.ts", global("interface Window {}"), global("interface Window { [name: string]: number }"), "Window" + all},
		"a call":                         {"a.ts", global("interface Call {}"), global("interface Call { (n: number): number }"), "Call" + all},
		"what a type inherits":           {"a.ts", global("interface Window {}"), global("interface Window extends Mine {}"), "Window" + all},
		"an element":                     {"a.ts", global("namespace JSX { interface IntrinsicElements { div: { a?: 1 } } }"), global("namespace JSX { interface IntrinsicElements { div: { a: 1 } } }"), "IntrinsicElements JSX div"},
		"any element":                    {"a.ts", global("namespace JSX { interface IntrinsicElements {} }"), global("namespace JSX { interface IntrinsicElements { [name: string]: { a: 1 } } }"), "IntrinsicElements JSX" + all},
		"every component":                {"a.ts", global("namespace JSX { interface IntrinsicAttributes {} }"), global("namespace JSX { interface IntrinsicAttributes { a: 1 } }"), "IntrinsicAttributes JSX a" + all},
		"markup of a module":             {"a.ts", "export {};\n", "export {};\ndeclare module 'react' {\n  namespace JSX { interface ElementClass { a: 1 } }\n}\n", "ElementClass JSX a [react]" + all},
		"a module":                       {"a.ts", "export {};\n", "export {};\ndeclare module \"vue\" {\n  interface Properties { $x: string }\n}\n", "$x Properties [vue]"},
		"modules of a kind":              {"a.d.ts", "declare module '*.svg' { const a: string; export default a; }\n", "declare module '*.svg' { const a: number; export default a; }\n", "a [*.svg]"},
		"a module of which all is any":   {"a.d.ts", "", "declare module 'old';\n", "[old]"},
		"a script":                       {"a.d.ts", "interface A { x: string }\ninterface Same { s: 1 }\n", "interface A { x: number }\ninterface Same { s: 1 }\n", "A x"},
		"a built-in type, by a script":   {"a.d.ts", "", "interface Promise<T> { zz: T }\n", "Promise zz" + all},
		"a namespace of a script":        {"a.d.ts", "declare namespace N.M { interface A { x: 1 } }\n", "declare namespace N.M { interface A { x: 2 } }\n", "A M N x"},
		"a module that is none any more": {"a.ts", "export interface A { x: 1 }\n", "interface A { x: 1 }\n", "A x"},
		"what is exported":               {"a.ts", "export interface Array { x: 1 }\n", "export interface Array { y: 1 }\n", ""},
		"a script that exports inside":   {"a.d.ts", "declare namespace N {\n  export interface A { x: 1 }\n}\n", "declare namespace N {\n  export interface A { x: 2 }\n}\n", "A N x"},
		"a module, at its end":           {"a.d.ts", "interface A { x: 1 } export {};\n", "interface A { x: 2 } export {};\n", ""},
		"what cannot be divided":         {"a.ts", global(""), "declare global {\n `", all},
	} {
		s := spillOf(scriptDeclarations(c.file, c.before), scriptDeclarations(c.file, c.after))
		got := strings.Join(s.names.sorted(), " ")
		if len(s.modules) > 0 {
			got = strings.TrimSpace(fmt.Sprint(got, " ", s.modules.sorted()))
		}
		if s.everybody {
			got += all
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

const spilling = `
-- globals.ts --
export {};
declare global {
  interface Window { own: Shape }
  interface Array<T> { zz: string }
}
-- shapes.ts --
declare global { interface Shape { kind: 1 } }
export {};
-- assets.d.ts --
declare module "*.svg" {
  const content: string;
  export default content;
}
-- logo.ts --
import logo from "./logo.svg";

export const source = logo;
-- user.ts --
import { source } from "./logo";

export const text: string = source;
-- window.ts --
export const own = window.own;
-- literal.ts --
export const list = ["a"];
`

// What is declared for everybody concerns the files that use it without an import, those that mention it first: what
// imports a module that it declares, by any name, with all who use that; and all files, if it is used without a name.
func TestSpillReaches(t *testing.T) {
	root, tree := plant(t, spilling)
	for name, c := range map[string]struct{ file, old, new, want string }{
		"a member":             {"globals.ts", "own: Shape", "own?: Shape", "window.ts:1"},
		"what a member is":     {"shapes.ts", "kind: 1", "kind: 2", "globals.ts:1 window.ts:2"},
		"a module":             {"assets.d.ts", "string", "number", "logo.ts:1 user.ts:2"},
		"something in a value": {"globals.ts", "zz: string", "zz: number", "assets.d.ts:1024 literal.ts:1024 logo.ts:1024 shapes.ts:1024 user.ts:1024 window.ts:1024"},
	} {
		path := filepath.Join(root, c.file)
		before := read(t, path)
		after := strings.Replace(before, c.old, c.new, 1)
		d := Between(path, []byte(before), []byte(after))
		reached, complete := new(Reader).Search(tree).Reach([]Change{{Path: path, Before: []byte(before), After: []byte(after), All: d.All, Names: d.Sure}})
		var got []string
		for _, r := range reached {
			got = append(got, fmt.Sprintf("%s:%d", filepath.Base(r.Path), r.Hops))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" || !complete {
			t.Errorf("%s, complete: %t (-want +got):\n%s", name, complete, diff)
		}
	}
}
