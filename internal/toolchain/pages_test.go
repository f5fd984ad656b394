package toolchain

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

const (
	structPage = `<html><body><main><pre class="rust item-decl"><code>pub struct Store { n: u32 }</code></pre>
<details class="toggle top-doc" open><summary class="hideme"><span>Expand</span></summary><div class="docblock"><p>A store&nbsp;of
numbers.</p><ul><li>small</li><li>quick</li></ul></div></details>
<span id="structfield.n" class="structfield section-header"><a href="#structfield.n" class="anchor field">§</a><code>n: u32</code></span><div class="docblock"><p>How many.</p></div>
<span id="structfield.m" class="structfield section-header"><code>m: u32</code></span><span id="structfield.o"><code>o: u32</code></span><div class="docblock"><p>Of o.</p></div>
<div id="implementations-list"><details class="toggle method-toggle"><summary><section id="method.get" class="method"><a class="src rightside" href="s">Source</a><h4 class="code-header">pub fn get(&amp;self) -&gt; u32</h4></section></summary><div class="docblock"><p>Gets it.</p></div></details>
<section id="method.bare" class="method"><h4 class="code-header">pub fn bare()</h4></section>
<details><summary><section id="associatedtype.T"><h4>type T</h4></section></summary></details></div></main></body></html>`
	modulePage   = `<html><body><pre class="item-decl">mod inner</pre><details class="top-doc"><div class="docblock"><p>Inner parts.</p></div></details></body></html>`
	functionPage = `<html><body><pre class="item-decl">pub fn make()</pre></body></html>`
)

// The declaration and the description of an item are found on its page, those of a member on the page of what holds it;
// of what has no page, or is not on it, nothing is said.
func TestPagesOfItems(t *testing.T) {
	folder := lsptest.Workspace(t, "-- doc/my_store/struct.Store.html --\n"+structPage+"\n-- doc/my_store/inner/index.html --\n"+modulePage+
		"\n-- doc/my_store/inner/fn.make.html --\n"+functionPage+"\n-- doc/my_store/.make.html --\n"+functionPage+"\n-- doc/my_store/struct.Store.txt --\n"+functionPage+"\n")
	type page struct{ Signature, Text string }
	store := page{"pub struct Store { n: u32 }", "pub struct Store { n: u32 }\n\nA store of\nnumbers.\n\n- small\n\n- quick"}
	for path, want := range map[string]page{
		"Store": store, "my_store Store": store, "other Store": {}, "doc my_store Store": store, "Stor": {}, "store": {},
		"Store n": {"n: u32", "n: u32\n\nHow many."}, "my_store Store n": {"n: u32", "n: u32\n\nHow many."}, "Store m": {"m: u32", "m: u32"}, "Store o": {"o: u32", "o: u32\n\nOf o."},
		"Store get": {"pub fn get(&self) -> u32", "pub fn get(&self) -> u32\n\nGets it."}, "Store bare": {"pub fn bare()", "pub fn bare()"}, "Store T": {"type T", "type T"}, "Store none": {}, "none get": {},
		"inner": {"mod inner", "mod inner\n\nInner parts."}, "inner make": {"pub fn make()", "pub fn make()"}, "make": {"pub fn make()", "pub fn make()"}, "other make": {}, "my_store make": {}, "get": {},
	} {
		signature, text := rustPage(filepath.Join(folder, "doc"), strings.Fields(path))
		if diff := cmp.Diff(want, page{signature, text}); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
	if signature, text := rustPage(filepath.Join(folder, "none"), []string{"Store"}); signature != "" || text != "" {
		t.Errorf("without pages: %q, %q", signature, text)
	}
}

// The text of a part of a page has its blocks on lines of their own, and nothing that is there to be clicked.
func TestTextInAPage(t *testing.T) {
	for page, want := range map[string]string{
		"<p>a</p><p>b</p>": "a\n\nb", "a<br>b": "a\n\nb", "<ul><li>a</li><li>b</li></ul>": "- a\n\n- b", "<div><div><div>a</div></div></div><p>b</p>": "a\n\nb", "a&nbsp;b": "a b",
		"<button>x</button>a": "a", `<a class="anchor">x</a>a`: "a", `<a class="doc-anchor other">x</a>a`: "a", `<a class="src">x</a>a`: "a", `<a class="sources">x</a>a`: "xa",
		"<details><summary>x</summary>a</details>": "xa", `<details><summary class="hideme">x</summary>a</details>`: "a", `<b class="hideme">x</b>a`: "xa", "": "",
	} {
		root, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		if got := textIn(root); got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
	if textIn(nil) != "" || first(nil, func(*html.Node) bool { return true }) != nil {
		t.Error("nothing has something")
	}
}

// A project is built as the nearest folder says, of one language or of any; nothing above the root counts.
func TestHowAProjectIsBuilt(t *testing.T) {
	tools, root := open(t, "-- go.mod --\n-- web/package.json --\n-- web/tsconfig.json --\n-- web/src/a.ts --\n-- native/build/CMakeCache.txt --\n-- native/a.cc --\n")
	for _, c := range []struct {
		folder   string
		language language.ID
		want     string
	}{
		{"web/src", "", "web tsc"},
		{"web/src", language.JavaScript, "web npm"},
		{"web", language.JavaScriptReact, "web npm"},
		{"web", language.TypeScriptReact, "web tsc"},
		{"web/src", language.Go, ". go"},
		{"native", "", "native cmake"},
		{"native", language.C, "native cmake"},
		{".", "", ". go"},
		{".", language.Rust, "./"},
		{"web", language.Rust, "web"},
		{"web", "cobol", `language: nothing is known of how to build "cobol"`},
	} {
		build, project, err := tools.buildOf(filepath.Join(root, filepath.FromSlash(c.folder)), c.language)
		got := ""
		switch none := (*NoProjectError)(nil); {
		case err == nil:
			folder, err := filepath.Rel(root, project)
			if err != nil {
				t.Fatal(err)
			}
			got = filepath.ToSlash(folder) + " " + build.Build[0]
		case is[*NoProjectError](err):
			none, _ = err.(*NoProjectError)
			got = none.Path
			if c.folder == "." {
				got = "./"
			}
		default:
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s of %q: %s, want %s", c.folder, c.language, got, c.want)
		}
	}
}

// A path names a folder, or that of a file; nothing, and all below, are the caller's own.
func TestFolderOfARequest(t *testing.T) {
	tools, root := open(t, "-- go.mod --\n-- sub/a.go --\n")
	for path, want := range map[string]string{"": ".", "./...": ".", "sub": "sub", "sub/a.go": "sub", "go.mod": "."} {
		folder, err := tools.folder(path)
		if got, outside := filepath.Rel(root, folder); err != nil || outside != nil || got != want {
			t.Errorf("%q is %s, %v; want %s", path, folder, err, want)
		}
	}
	_, err := tools.folder("none")
	want := &api.ArgumentError{Argument: "path", Reason: "none does not exist", Advice: `name a folder of the workspace, for example "src"`}
	if diff := cmp.Diff(error(want), err); diff != "" {
		t.Error(diff)
	}
}

// A project's own compiler is taken where it has one, and no other program of it.
func TestToolsOfAProject(t *testing.T) {
	tool := filepath.Join("node_modules", ".bin", "tsc")
	if runtime.GOOS == "windows" {
		tool += ".cmd"
	}
	with, without := lsptest.Workspace(t, ""), lsptest.Workspace(t, "")
	for _, name := range []string{tool, strings.Replace(tool, "tsc", "npm", 1)} {
		lsptest.WriteFile(t, filepath.Join(with, name), "")
	}
	got := []string{localTool(with, "tsc"), localTool(with, "npm"), localTool(without, "tsc")}
	if diff := cmp.Diff([]string{filepath.Join(with, tool), "npm", "tsc"}, got); diff != "" {
		t.Error(diff)
	}
}

// Of an output that names very many places and tests the first are kept; each is told as each tool writes it.
func TestFindingsOfAnOutput(t *testing.T) {
	tools, root := open(t, "-- toy.root --\n")
	var many strings.Builder
	for i := range 105 {
		fmt.Fprintf(&many, "a.go:%d: wrong\n--- FAIL: Test%d\n", i+1, i)
	}
	b := result.Build{Output: many.String()}
	tools.readOutput(&b, root)
	if len(b.Problems) != maxFindings || len(b.Failed) != maxFindings || b.Failed[99] != "Test99" {
		t.Errorf("%d places, %d tests", len(b.Problems), len(b.Failed))
	}
	if diff := cmp.Diff(result.Finding{Path: "a.go", Line: 100, Message: "wrong"}, b.Problems[99]); diff != "" {
		t.Error(diff)
	}
	b = result.Build{Output: "--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/sub (0.00s)\nFAILED test_a.py::test_b\ntest store::get ... FAILED\n  ✕ adds numbers (3 ms)\n  ✕ takes\n--- PASS: TestC\nok\n"}
	tools.readOutput(&b, root)
	if diff := cmp.Diff([]string{"TestA", "test_a.py::test_b", "store::get", "adds numbers", "takes"}, b.Failed); diff != "" {
		t.Error(diff)
	}
}

// The signature is the first line of a text that declares something.
func TestSignatureInAText(t *testing.T) {
	for text, want := range map[string]string{
		"package a // import \"a\"\n\nfunc F()\n    F is F.\n": "func F()", "Help on function dumps in json:\n\njson.dumps = dumps(obj)\n": "json.dumps = dumps(obj)", "": "", "package a\n": "", "\n  x\n": "x",
	} {
		if got := signatureIn(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A request names a form that there is, and a name that is one.
func TestWrongRequestsForDocumentation(t *testing.T) {
	request := func(symbol, format string) api.DocumentationRequest {
		return api.DocumentationRequest{Selector: api.Selector{Symbol: symbol}, Format: format}
	}
	for want, r := range map[string]api.DocumentationRequest{
		"": request("encoding/json.Decoder", "markdown"), `format: "html" is no format`: request("x", "html"), `symbol: "a b" is no name`: request("a b", "text"), `symbol: "-x" is no name`: request("-x", ""),
	} {
		err := checkDocumentation(r)
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%+v: %v, want %s", r, err, want)
		}
	}
	for _, r := range []api.DocumentationRequest{request("", ""), request("(*T).Load", "text"), request("operator<", ""), request("é", "")} {
		if err := checkDocumentation(r); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// Where cargo is to be asked the nearest manifest in or above a folder counts, as long as that is in the workspace.
func TestManifestAroundAFolder(t *testing.T) {
	tools, root := open(t, "-- a/Cargo.toml --\n-- a/src/lib.rs --\n-- b/lib.rs --\n-- b/Cargo.toml/x --\n")
	for folder, want := range map[string]string{"a": "a/Cargo.toml", "a/src": "a/Cargo.toml", "a/none": "a/Cargo.toml", "b": "", ".": "", "..": ""} {
		got := tools.cargoManifest(filepath.Join(root, filepath.FromSlash(folder)))
		if want != "" {
			want = filepath.Join(root, filepath.FromSlash(want))
		}
		if got != want {
			t.Errorf("%s: %q, want %q", folder, got, want)
		}
	}
	for name, want := range map[string]string{"a b": `symbol: "a b" is no name of rust`, "Store": "cargo doc: no Cargo.toml around b"} {
		if answer, err := tools.cargoDoc(t.Context(), name, filepath.Join(root, "b")); err == nil || err.Error() != want || answer.Text != "" {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// What ends a build before it is one says what to do.
func TestErrorsOfBuilds(t *testing.T) {
	late, none := &BuildTimeoutError{"make", 7}, &NoProjectError{"doc"}
	want := []string{"make did not end within 7 ms", "give a longer timeout_ms, or a path to a part", "doc: no file there or above says how to build it", "such as go.mod, Cargo.toml, tsconfig.json, package.json, pom.xml, Makefile, pyproject.toml"}
	if diff := cmp.Diff(want, []string{late.Error(), late.Hint(), none.Error(), none.Hint()}); diff != "" {
		t.Error(diff)
	}
	hinted := &hoverOnlyError{none, "typescript"}
	const way = "typescript has no tool for documentation by name: hover is the way; name a place in a file where it is used"
	if diff := cmp.Diff([]string{way + "\n" + none.Hint(), way}, []string{hinted.Hint(), (&hoverOnlyError{os.ErrNotExist, "typescript"}).Hint()}); diff != "" {
		t.Error(diff)
	}
}
