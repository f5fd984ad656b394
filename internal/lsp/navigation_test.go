package lsp_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A desk is a real server with one file open, whose places are named by the
// text that stands there.
type desk struct {
	*lsp.Server
	t    *testing.T
	path string
	ctx  context.Context
}

// sit starts a real server in a workspace and opens a file of it.
func sit(t *testing.T, id, archive, file string, args ...string) *desk {
	t.Helper()
	return sitIn(t, id, lsptest.Workspace(t, archive), file, args...)
}

// sitIn is sit in a workspace that exists.
func sitIn(t *testing.T, id, root, file string, args ...string) *desk {
	t.Helper()
	t.Parallel()
	binary := lsptest.Require(t, id)
	def, _ := registry.Builtin().Get(id)
	ctx, cancel := context.WithTimeout(t.Context(), 3*patience)
	t.Cleanup(cancel)
	server, err := lsp.Start(ctx, def, root, lsp.Options{
		Binary: binary, Args: append(registry.FillJobs(def.Commands[0].Args), args...), Env: os.Environ(), ClientVersion: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close(context.Background()) })
	d := &desk{Server: server, t: t, path: filepath.Join(root, file), ctx: ctx}
	content, err := os.ReadFile(d.path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.Sync(d.path, content); err != nil {
		t.Fatal(err)
	}
	return d
}

// at returns the place where the nth (from 1) of a text begins.
func (d *desk) at(text string, nth int) protocol.Position {
	d.t.Helper()
	content, mapper := d.read(d.path)
	offset := -1
	for range nth {
		next := strings.Index(content[offset+1:], text)
		if next < 0 {
			d.t.Fatalf("%s does not have %d times %q", d.path, nth, text)
		}
		offset += 1 + next
	}
	return mapper.Position(offset, protocol.UTF16)
}

func (d *desk) read(path string) (string, *protocol.Mapper) {
	d.t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(content), protocol.NewMapper(content)
}

// name states a range as "file:line text", the line from 1.
func (d *desk) name(path string, r protocol.Range) string {
	d.t.Helper()
	content, mapper := d.read(path)
	text := content[mapper.Offset(r.Start, protocol.UTF16):mapper.Offset(r.End, protocol.UTF16)]
	return fmt.Sprintf("%s:%d %s", filepath.Base(path), r.Start.Line+1, text)
}

func (d *desk) nameURI(uri protocol.DocumentURI, r protocol.Range) string {
	d.t.Helper()
	path, err := uri.Path()
	if err != nil {
		d.t.Fatal(err)
	}
	return d.name(path, r)
}

// names states what a request gave, sorted; an error fails the test.
func names[T any](d *desk, list []T, err error, name func(T) string) string {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
	var all []string
	for _, element := range list {
		all = append(all, name(element))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func (d *desk) highlights(at protocol.Position) string {
	d.t.Helper()
	list, err := d.Highlights(d.ctx, d.path, at)
	return names(d, list, err, func(h protocol.Highlight) string { return d.name(d.path, h.Range) })
}

func (d *desk) symbols(query string) string {
	d.t.Helper()
	list, err := d.WorkspaceSymbols(d.ctx, query)
	return names(d, list, err, func(s protocol.Symbol) string { return s.Name + " " + d.nameURI(s.URI, s.SelectionRange) })
}

func (d *desk) itemName(i protocol.HierarchyItem) string { return d.nameURI(i.URI, i.SelectionRange) }

// tokens states the tokens that touch a range as "text type".
func (d *desk) tokens(r *protocol.Range) string {
	d.t.Helper()
	list, err := d.SemanticTokens(d.ctx, d.path, r)
	return names(d, list, err, func(t protocol.SemanticToken) string { return d.name(d.path, t.Range) + " " + t.Type })
}

// only is the one item that a request gave.
func (d *desk) only(items []protocol.HierarchyItem, err error) protocol.HierarchyItem {
	d.t.Helper()
	if len(items) != 1 || err != nil {
		d.t.Fatalf("%d items, want one; %v", len(items), err)
	}
	return items[0]
}

// becomes waits until an index has caught up.
func (d *desk) becomes(want string, state func() string) {
	d.t.Helper()
	var got string
	lsptest.Eventually(d.t, patience, func() bool { got = state(); return got == want || d.ctx.Err() != nil }, "%s", want)
	expect(d.t, got, want)
}

// callers and callees state the calls of an item: the other end and the calls.
func (d *desk) callers(item protocol.HierarchyItem) string {
	d.t.Helper()
	calls, err := d.IncomingCalls(d.ctx, item)
	return names(d, calls, err, func(c protocol.Call) string { return d.itemName(c.Item) + d.callsIn(c.Item.URI, c) })
}

func (d *desk) callees(item protocol.HierarchyItem) string {
	d.t.Helper()
	calls, err := d.OutgoingCalls(d.ctx, item)
	return names(d, calls, err, func(c protocol.Call) string { return d.itemName(c.Item) + d.callsIn(item.URI, c) })
}

func (d *desk) callsIn(uri protocol.DocumentURI, c protocol.Call) string {
	d.t.Helper()
	text := " by"
	for _, r := range c.Ranges {
		text += " " + d.nameURI(uri, r)
	}
	return text
}

const goText = `
-- go.mod --
module example.com/m

go 1.21
-- main.go --
package main

type animal interface{ speak() string }

// greet says é.
func greet(whom string, times int) string { return /* é😀 */ whom + shout(whom) }

func main() {
	println(/* 😀 */ greet("é", 2))
}
-- dog.go --
package main

type dog struct{}

func (dog) speak() string { return /* é😀 */ greet("dog", 1) }

func shout(s string) string { return s }
`

// With gopls a place leads to what is said about it and to what it is tied to,
// in files that are open and in others.
func TestNavigationGopls(t *testing.T) {
	d := sit(t, "gopls", goText, "main.go")
	call := d.at("greet", 3)

	hover, err := d.HoverAt(d.ctx, d.path, call)
	if err != nil || !strings.Contains(hover.Text, "greet says é.") || hover.Range == nil || d.name(d.path, *hover.Range) != "main.go:9 greet" {
		t.Errorf("hover: %+v, %v", hover, err)
	}
	help, err := d.SignatureHelp(d.ctx, d.path, d.at("2))", 1))
	if err != nil || help == nil || help.Signatures[0].Parameters[help.Signatures[0].Active].Label != "times int" {
		t.Errorf("signature help: %+v, %v", help, err)
	}
	list, err := d.Completions(d.ctx, d.path, protocol.Position{Line: call.Line, Character: call.Character + 3})
	if err != nil || len(list.Items) == 0 || list.Items[0].Label != "greet" || !strings.HasPrefix(list.Items[0].InsertText, "greet") {
		t.Errorf("completions: %+v, %v", list, err)
	}
	expect(t, d.highlights(call), "main.go:6 greet, main.go:9 greet")
	foldings, err := d.FoldingRanges(d.ctx, d.path)
	expect(t, names(d, foldings, err, func(f protocol.FoldingRange) string { return fmt.Sprint(f.StartLine, f.EndLine) }), "7 8")
	expect(t, d.symbols("dog"), "dog dog.go:3 dog, dog.speak dog.go:5 speak")
	hints, err := d.InlayHints(d.ctx, d.path, protocol.Range{End: protocol.Position{Line: 11}})
	expect(t, names(d, hints, err, func(h protocol.InlayHint) string { return fmt.Sprint(h.Position.Line+1, " ", h.Label) }), "6 s:, 9 times:, 9 whom:")

	greet := d.only(d.PrepareCallHierarchy(d.ctx, d.path, call))
	expect(t, d.itemName(greet), "main.go:6 greet")
	expect(t, d.callers(greet), "dog.go:5 speak by dog.go:5 greet, main.go:8 main by main.go:9 greet")
	expect(t, d.callees(greet), "dog.go:7 shout by main.go:6 shout")

	animal := d.only(d.PrepareTypeHierarchy(d.ctx, d.path, d.at("animal", 1)))
	subtypes, err := d.Subtypes(d.ctx, animal)
	expect(t, names(d, subtypes, err, d.itemName), "dog.go:3 dog")
	supertypes, err := d.Supertypes(d.ctx, subtypes[0])
	expect(t, names(d, supertypes, err, d.itemName), "main.go:3 animal")
}

const cppText = `
-- compile_flags.txt --
-std=c++17
-- main.cpp --
struct Animal { virtual void speak(); };
/* é😀 */ struct Dog : Animal { void speak() override; };
/* é😀 */ int greet(const char *whom, int times) { return times; }
int main() {
  /* é😀 */ return greet("é😀", 2);
}
`

// clangd counts in UTF-8 if it is made to, and every place is still named as we count: what is
// asked about stands behind characters whose width is not the same in both.
func TestNavigationClangd(t *testing.T) {
	d := sit(t, "clangd", cppText, "main.cpp", "--offset-encoding=utf-8")
	if encoding := d.Info().Encoding; encoding != protocol.UTF8 {
		t.Errorf("clangd counts in %s; this test wants utf-8", encoding)
	}
	call := d.at("greet", 2)
	hover, err := d.HoverAt(d.ctx, d.path, call)
	if err != nil || !strings.Contains(hover.Text, "greet") || hover.Range == nil || d.name(d.path, *hover.Range) != "main.cpp:5 greet" {
		t.Errorf("hover: %+v, %v", hover, err)
	}
	help, err := d.SignatureHelp(d.ctx, d.path, d.at("2);", 1))
	if err != nil || help == nil || help.Signatures[0].Parameters[help.Signatures[0].Active].Label != "int times" {
		t.Errorf("signature help: %+v, %v", help, err)
	}
	list, err := d.Completions(d.ctx, d.path, protocol.Position{Line: call.Line, Character: call.Character + 3})
	if err != nil || !slices.ContainsFunc(list.Items, func(i protocol.CompletionItem) bool { return i.InsertText == "greet(const char *whom, int times)" }) {
		t.Errorf("completions: %+v, %v", list, err)
	}
	expect(t, d.highlights(call), "main.cpp:3 greet, main.cpp:5 greet")

	hints, err := d.InlayHints(d.ctx, d.path, protocol.Range{Start: call, End: d.at("}", 4)})
	expect(t, names(d, hints, err, func(h protocol.InlayHint) string {
		return h.Label + d.name(d.path, protocol.Range{Start: h.Position, End: protocol.Position{Line: h.Position.Line, Character: 99}})
	}), `times:main.cpp:5 2);, whom:main.cpp:5 "é😀", 2);`)

	line := protocol.Range{Start: protocol.Position{Line: call.Line}, End: protocol.Position{Line: call.Line + 1}}
	expect(t, d.tokens(&line), "main.cpp:5 greet function")
	if all := d.tokens(nil); !strings.Contains(all, "main.cpp:2 Dog class") || !strings.Contains(all, "main.cpp:5 greet function") {
		t.Errorf("tokens: %s", all)
	}

	d.becomes("greet main.cpp:3 greet", func() string { return d.symbols("greet") })
	greet := d.only(d.PrepareCallHierarchy(d.ctx, d.path, call))
	d.becomes("main.cpp:4 main by main.cpp:5 greet", func() string { return d.callers(greet) })

	animal := d.only(d.PrepareTypeHierarchy(d.ctx, d.path, d.at("Animal", 2)))
	expect(t, d.itemName(animal), "main.cpp:1 Animal")
	d.becomes("main.cpp:2 Dog", func() string {
		subtypes, err := d.Subtypes(d.ctx, animal)
		return names(d, subtypes, err, d.itemName)
	})
	dog := d.only(d.PrepareTypeHierarchy(d.ctx, d.path, d.at("Dog", 1)))
	supertypes, err := d.Supertypes(d.ctx, dog)
	expect(t, names(d, supertypes, err, d.itemName), "main.cpp:1 Animal")
}

const tsText = `
-- tsconfig.json --
{"compilerOptions":{"lib":["es5"],"types":[]},"files":["main.ts"]}
-- main.ts --
/** greet é */
function greet(whom: string, times: number) { return "é😀" + whom; }
function main() {
  return "é😀" + greet("é", 2);
}
`

// typescript-language-server answers for a range of tokens and for all, and
// ties calls together.
func TestNavigationTypeScript(t *testing.T) {
	d := sit(t, "typescript-language-server", tsText, "main.ts")
	call := d.at("greet", 3)
	help, err := d.SignatureHelp(d.ctx, d.path, d.at("2);", 1))
	if err != nil || help == nil || help.Signatures[0].Parameters[help.Signatures[0].Active].Label != "times: number" {
		t.Errorf("signature help: %+v, %v", help, err)
	}
	list, err := d.Completions(d.ctx, d.path, protocol.Position{Line: call.Line, Character: call.Character + 3})
	if err != nil || !slices.ContainsFunc(list.Items, func(i protocol.CompletionItem) bool { return i.InsertText == "greet" }) {
		t.Errorf("%d completions without greet, %v", len(list.Items), err)
	}
	line := protocol.Range{Start: protocol.Position{Line: call.Line}, End: protocol.Position{Line: call.Line + 1}}
	expect(t, d.tokens(&line), "main.ts:4 greet function")
	if all := d.tokens(nil); !strings.Contains(all, "main.ts:2 greet function, main.ts:2 times parameter, main.ts:2 whom parameter") {
		t.Errorf("tokens: %s", all)
	}
	expect(t, d.highlights(call), "main.ts:2 greet, main.ts:4 greet")
	greet := d.only(d.PrepareCallHierarchy(d.ctx, d.path, call))
	expect(t, d.callers(greet), "main.ts:3 main by main.ts:4 greet")
}

const pythonText = `
-- pyrightconfig.json --
{}
-- main.py --
def greet(whom: str, times: int) -> str:
    return "é😀" + whom
def main():
    return "é😀" + greet("é", 2)
class Zebra: pass
def nothing(): pass
nothing(1)
`

// pyright answers what it declares, and is not asked the rest.
func TestNavigationPyright(t *testing.T) {
	d := sit(t, "pyright", pythonText, "main.py")
	call := d.at("greet", 2)
	help, err := d.SignatureHelp(d.ctx, d.path, d.at("2)", 1))
	if err != nil || help == nil || help.Signatures[0].Parameters[help.Signatures[0].Active].Label != "times: int" {
		t.Errorf("signature help: %+v, %v", help, err)
	}
	help, err = d.SignatureHelp(d.ctx, d.path, d.at("1)", 1))
	if err != nil || help == nil || help.Signatures[0].Active != -1 {
		t.Errorf("signature help without parameters: %+v, %v", help, err)
	}
	expect(t, d.highlights(call), "main.py:1 greet, main.py:4 greet")
	expect(t, d.symbols("Zebra"), "Zebra main.py:5 Zebra")
	greet := d.only(d.PrepareCallHierarchy(d.ctx, d.path, call))
	expect(t, d.callers(greet), "main.py:3 main by main.py:4 greet")
	if offered := d.Offered(); slices.Contains(offered, "textDocument/inlayHint") || !slices.Contains(offered, "callHierarchy/incomingCalls") {
		t.Errorf("pyright offers %q", offered)
	}
}
