//go:build unix

package servers

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

var randomTexts = flag.Int("texts", 4, "how many random texts TestLines renames and formats in each server")

// A lined is a program of which each file has characters that some take for the end of a line. In
// its texts § stands where such a character may be, and # for the number of the file.
type lined struct {
	server string
	user   string // configuration
	beside map[string]string
	name   string // of a file
	// text declares mid#, then uses it, and has an error at bad#.
	text string
	// begin, lines and end make a random text: begin declares mid#, lines may use it.
	begin, end string
	lines      []string
	formats    bool
}

func linedTypeScript(server string) lined {
	return lined{
		server: server, beside: map[string]string{
			"package.json":  "{\"name\":\"t\",\"version\":\"1.0.0\"}\n",
			"tsconfig.json": "{\"compilerOptions\":{\"strict\":true,\"target\":\"ES2020\",\"module\":\"commonjs\",\"noEmit\":true,\"types\":[]},\"include\":[\"*.ts\"]}\n",
		},
		name: "t#.ts", text: "/* a§b */ export function mid#(n: number) { return n }\nexport const use# = [`§`, mid#(1)]\n/* § */ export const e# = bad#\n",
		begin: "/* a§b */ export function mid#(n: number): number { return n }",
		lines: []string{"/* é§§a */ mid#( 1 )", "mid#(mid#(2))  // §", "export const s@=`a§😀b§`+mid#( 3 )", "// a"}, formats: true,
	}
}

func linedPython(server string) lined {
	return lined{
		server: server, beside: map[string]string{"pyrightconfig.json": "{}\n"},
		name: "t#.py", text: "s# = \"\"\"a§b\"\"\"; mid# = 1\nuse# = [\"\"\"§\"\"\", mid#]\nprint(bad#)\n",
		begin: "s# = \"\"\"a§b\"\"\"; mid# = 1",
		lines: []string{"print(\"\"\"é§§a\"\"\", mid#)", "print(mid#, mid#)  # a", "print(\"\"\"a§😀b§\"\"\"*mid#)"},
	}
}

var linedPrograms = []lined{
	{
		server: "gopls", beside: map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n"},
		name: "t#.go", text: "package m\n\n/* a§b */ func mid#(n int) int { return n }\n\nvar use# = mid#(len(`§`))\n\nvar _ = bad#\n",
		begin: "package m\n\n/* a§b */ func mid#(n int) int { return n }\n",
		lines: []string{"/* é§§a */ var _ = mid#( 1 )", "var _ = mid#(mid#(2)) // §", "var _ =len(`a§😀b§`)+mid#(3)", "// a"}, formats: true,
	},
	linedTypeScript("typescript"),
	linedTypeScript("typescript-language-server"),
	linedPython("pyright"),
	linedPython("basedpyright"),
	{
		server: "clangd", beside: map[string]string{"compile_flags.txt": "-xc\n"},
		name: "t#.c", text: "/* a§b */ int mid#(int n) { return n; }\nint use#(void) { return mid#(1); }\n/* § */ int e#(void) { return bad#; }\n",
		begin: "/* a§b */ int mid#(int n) { return n; }",
		lines: []string{"/* é§§a */ int a@( void ) { return mid#(1); }", "int a@(void) { return mid#(mid#(2)); } // §", "// a"}, formats: true,
	},
	{
		server: "rust-analyzer",
		// It renames nothing where the machine has no source of the standard library.
		user: `{"lsp":{"servers":{"rust-analyzer":{"initializationOptions":{"cargo":{"sysroot":null}},"settings":{"rust-analyzer":{"cargo":{"sysroot":null}}}}}}}`,
		beside: map[string]string{
			"Cargo.toml": "[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
			"src/lib.rs": "mod t0;\nmod t1;\nmod t2;\nmod t3;\nmod t4;\nmod t5;\nmod t6;\n",
		},
		name: "src/t#.rs", text: "/* a§b */ pub fn mid#(n: i32) -> i32 { n }\npub fn use#() -> i32 { mid#(1) }\n/* § */ pub fn e#() -> i32 { bad#() }\n",
		begin: "/* a§b */ pub fn mid#(n: i32) -> i32 { n }",
		lines: []string{"/* é§§a */ pub fn a@( ) -> i32 { mid#(1) }", "pub fn a@() -> i32 { mid#(mid#(2)) } // a", "// a"}, formats: true,
	},
	{
		server: "jdtls", beside: map[string]string{".project": eclipseProject, ".classpath": eclipseClasspath},
		name: "T#.java", text: "class T# {\n/* a§b */ int mid#(int n) { return n; }\nint use#() { return mid#(1); }\n/* § */ int e#() { return bad#; }\n}\n",
		begin: "class T# {\n/* a§b */ int mid#(int n) { return n; }",
		lines: []string{"/* é§§a */ int a@( ) { return mid#(1); }", "int a@() { return mid#(mid#(2)); } // §", "// a"}, end: "}", formats: true,
	},
}

// TestLines holds what the registry says of the ends of lines against the servers: places are those
// of the file, whatever a server takes for a line, and so are edits, or they are refused.
func TestLines(t *testing.T) {
	for _, p := range linedPrograms {
		t.Run(p.server, func(t *testing.T) {
			lsptest.Require(t, p.server)
			d, _ := registry.Builtin().Get(p.server)
			files := make(map[string]string)
			for name, text := range p.beside {
				files[name] = text
			}
			l := linedStory{lined: p, torn: d.Lines.Torn}
			for i, end := range []rune(protocol.UnusualEnds) {
				f := linedFile{name: p.numbered(p.name, i), number: i, text: p.with(string(end), i)}
				l.files = append(l.files, f)
				files[f.name] = f.text
			}
			if random := p.numbered(p.name, len(l.files)); p.server == "rust-analyzer" { // it is named in lib.rs
				files[random] = ""
			}
			l.story = begin(t, project{server: p.server, user: p.user, files: files})
			l.trueOf(t, "as they are")
			for i, end := range []rune(protocol.UnusualEnds) {
				l.show(t, &l.files[i], p.with("x"+string(end)+string(end)+"x", i))
			}
			l.trueOf(t, "changed")
			for i := range l.files {
				l.renameIn(t, &l.files[i])
			}
			l.trueOf(t, "renamed")
			t.Run("random", l.random)
		})
	}
}

// numbered gives a text the number of its file.
func (lined) numbered(text string, n int) string { return strings.ReplaceAll(text, "#", fmt.Sprint(n)) }

// with returns the text of a file with those characters.
func (p lined) with(ends string, n int) string {
	return p.numbered(strings.ReplaceAll(p.text, "§", ends), n)
}

type linedFile struct {
	name, text string
	number     int
	declared   string // the name that is declared, if it is no longer mid
}

func (f *linedFile) symbol() string {
	if f.declared != "" {
		return f.declared
	}
	return fmt.Sprintf("mid%d", f.number)
}

// places are those of a word in the file.
func (f *linedFile) places(word string) (places []result.Place) {
	m := protocol.NewMapper([]byte(f.text))
	for from := 0; ; {
		i := strings.Index(f.text[from:], word)
		if i < 0 {
			return places
		}
		at := m.Position(from+i, protocol.UTF16)
		places = append(places, result.Place{Line: at.Line + 1, Column: at.Character + 1})
		from += i + len(word)
	}
}

type linedStory struct {
	lined
	*story
	files []linedFile
	torn  string
}

func (l *linedStory) show(t *testing.T, f *linedFile, text string) {
	t.Helper()
	f.text = text
	l.write(t, f.name, text)
}

// trueOf compares what the server says of each file with its text.
func (l *linedStory) trueOf(t *testing.T, when string) {
	t.Helper()
	for i := range l.files {
		f := &l.files[i]
		same := func(what string, want, got any) {
			t.Helper()
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %q, %s (-want +got):\n%s", when, f.text, what, diff)
			}
		}
		checked, err := api.Check.Do(t.Context(), l.engine, api.CheckRequest{Files: []string{f.name}, TimeoutMS: 60_000})
		if err != nil {
			t.Fatal(err)
		}
		var wrong []result.Place
		for _, d := range checked.Files[0].Diagnostics {
			if strings.Contains(d.Message, fmt.Sprintf("bad%d", f.number)) || strings.Contains(d.Message, "cannot find") {
				wrong = append(wrong, result.Place{Line: d.Line, Column: d.Column})
			}
		}
		same("errors", f.places(fmt.Sprintf("bad%d", f.number)), wrong)

		outline, err := api.Symbols.Do(t.Context(), l.engine, api.SymbolsRequest{File: f.name, Format: "flat"})
		if err != nil {
			t.Fatal(err)
		}
		all := f.places(f.symbol())
		var declared []result.Place
		for _, s := range outline.Symbols {
			if strings.Contains(s.Name, f.symbol()) {
				declared = append(declared, result.Place{Line: s.Line, Column: s.Column})
			}
		}
		same("outline", all[:1], declared)

		at := api.Selector{File: f.name, Line: api.OneBased(all[1].Line), Column: api.OneBased(all[1].Column)}
		defined, err := api.Definition.Do(t.Context(), l.engine, api.DefinitionRequest{Selector: at})
		if err != nil {
			t.Errorf("%s, %q: definition: %v", when, f.text, err)
		} else {
			same("definition", all[:1], starts(defined, f.name))
		}
		same("references", all, l.references(t, f))
	}
}

// references are those that the server knows in the file.
func (l *linedStory) references(t *testing.T, f *linedFile) []result.Place {
	t.Helper()
	found, err := api.References.Do(t.Context(), l.engine, api.ReferencesRequest{
		Selector: api.Selector{File: f.name, Symbol: f.symbol()}, IncludeDeclaration: true,
	})
	if err != nil {
		t.Errorf("%q: references: %v", f.text, err)
	}
	return starts(found, f.name)
}

func starts(places result.Places, file string) (starts []result.Place) {
	for _, f := range places.Files {
		for _, p := range f.Places {
			if f.Path == file {
				starts = append(starts, result.Place{Line: p.Line, Column: p.Column})
			}
		}
	}
	return starts
}

// renameIn renames what a file declares: at each place, or not at all, which is said, if the
// server's edits are known to be wrong.
func (l *linedStory) renameIn(t *testing.T, f *linedFile) {
	t.Helper()
	old := f.symbol()
	name := "mud" + strings.TrimLeft(old, "mid")
	at := f.places(old)[1]
	_, err := api.Rename.Do(t.Context(), l.engine, api.RenameRequest{
		Selector: api.Selector{File: f.name, Line: api.OneBased(at.Line), Column: api.OneBased(at.Column)}, NewName: name,
	})
	if protocol.Disputed([]byte(f.text), "", l.torn) != 0 {
		if err == nil {
			t.Errorf("%q: the rename is not refused", f.text)
		}
	} else if err != nil {
		t.Errorf("%q: rename: %v", f.text, err)
	} else {
		f.text, f.declared = strings.ReplaceAll(f.text, old, name), name
	}
	if diff := cmp.Diff(f.text, l.read(t, f.name)); diff != "" {
		t.Errorf("rename (-want +got):\n%s", diff)
	}
}

func (l *linedStory) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(l.root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// random has the server rename and format random texts. A rename is exact; formatting changes
// nothing but blanks; and what the server then says of the text is true of it.
func (l *linedStory) random(t *testing.T) {
	for seed := range *randomTexts {
		n := len(l.files)
		f := linedFile{name: l.numbered(l.name, n), number: n}
		l.show(t, &f, l.text(n, uint64(seed)))
		l.renameIn(t, &f)
		if diff := cmp.Diff(f.places(f.symbol()), l.references(t, &f)); diff != "" {
			t.Errorf("%d: references in %q (-want +got):\n%s", seed, f.text, diff)
		}
		if !l.formats {
			continue
		}
		_, err := api.Format.Do(t.Context(), l.engine, api.FormatRequest{Area: api.Area{File: f.name}})
		torn := protocol.Disputed([]byte(f.text), "", l.torn) != 0
		formatted := l.read(t, f.name)
		if torn && (err == nil || formatted != f.text) || !torn && err != nil {
			t.Errorf("%d: format: %v", seed, err)
		}
		if diff := cmp.Diff(visible(f.text), visible(formatted)); diff != "" {
			t.Errorf("%d: format of %q (-want +got):\n%s", seed, f.text, diff)
		}
		f.text = formatted
		if diff := cmp.Diff(f.places(f.symbol()), l.references(t, &f)); diff != "" {
			t.Errorf("%d: references in the formatted %q (-want +got):\n%s", seed, f.text, diff)
		}
	}
}

// text returns a random text.
func (l *linedStory) text(n int, seed uint64) string {
	random := rand.New(rand.NewPCG(seed, 43))
	lines := []string{l.begin}
	for i := range 3 + random.IntN(5) {
		lines = append(lines, strings.ReplaceAll(l.lines[random.IntN(len(l.lines))], "@", fmt.Sprintf("%d_%d", n, i)))
	}
	lines = append(lines, strings.ReplaceAll(l.lines[0], "@", fmt.Sprintf("%d_", n)), l.end)
	var text strings.Builder
	for _, r := range l.numbered(strings.Join(lines, "\n"), n) {
		if r == '§' {
			ends := append([]rune(protocol.UnusualEnds), '~', '~')
			r = ends[random.IntN(len(ends))]
		}
		text.WriteRune(r)
	}
	if seed%2 == 1 {
		return strings.ReplaceAll(text.String(), "\n", "\r\n")
	}
	return text.String()
}

// visible leaves out what formatters may change.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '*' {
			return -1
		}
		return r
	}, text)
}

// TestLinesElsewhere asks from one file about another, which only clangd needs to have open: places in
// it, and edits of it, are those of the file as well.
func TestLinesElsewhere(t *testing.T) {
	for _, c := range []struct {
		server string
		files  map[string]string
		asking string // a file, whose line uses mid
		line   api.OneBased
		other  string
		torn   bool
	}{
		{"gopls", map[string]string{
			"go.mod": "module example.com/m\n\ngo 1.24\n",
			"a.go":   "package m\n\n/* a\rb\u2028c */ func mid() int { return 1 }\n\nvar a = mid()\n", "b.go": "package m\n\nvar b = mid()\n",
		}, "b.go", 3, "a.go", false},
		{"typescript-language-server", map[string]string{
			"tsconfig.json": "{\"compilerOptions\":{\"strict\":true,\"noEmit\":true,\"types\":[]},\"include\":[\"*.ts\"]}\n",
			"a.ts":          "/* a\u2028b\rc\vd */ export function mid() { return 1 }\nexport const a = mid()\n", "b.ts": "import { mid } from './a'\nmid()\n",
		}, "b.ts", 2, "a.ts", false},
		{"clangd", map[string]string{
			"compile_flags.txt": "-xc\n", "a.h": "int mid(void);\n",
			"a.c": "#include \"a.h\"\n/* a\rb */ int mid(void) { return 1; }\nint a(void) { return mid(); }\n", "b.c": "#include \"a.h\"\nint b(void) { return mid(); }\n",
		}, "b.c", 2, "a.c", true},
	} {
		t.Run(c.server, func(t *testing.T) {
			lsptest.Require(t, c.server)
			s := begin(t, project{server: c.server, files: c.files})
			f, at := linedFile{name: c.other, text: c.files[c.other]}, api.Selector{File: c.asking, Line: c.line, Symbol: "mid"}
			if c.server == "clangd" {
				if _, err := api.Check.Do(t.Context(), s.engine, api.CheckRequest{Files: []string{c.other}, TimeoutMS: 60_000}); err != nil {
					t.Fatal(err)
				}
			}
			found, err := api.References.Do(t.Context(), s.engine, api.ReferencesRequest{
				Selector: at, IncludeDeclaration: true,
			})
			if diff := cmp.Diff(f.places("mid"), starts(found, c.other)); diff != "" || err != nil {
				t.Errorf("references: %v (-want +got):\n%s", err, diff)
			}
			_, err = api.Rename.Do(t.Context(), s.engine, api.RenameRequest{Selector: at, NewName: "mud"})
			want := strings.ReplaceAll(f.text, "mid", "mud")
			if c.torn {
				want = f.text
			}
			if refused := err != nil && strings.Contains(err.Error(), "edits in wrong places"); refused != c.torn || !refused && err != nil {
				t.Errorf("rename: %v", err)
			}
			got, err := os.ReadFile(filepath.Join(s.root, c.other))
			if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
				t.Errorf("renamed: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// TestLinterLines holds the same against a linter, which counts in its edits otherwise than in what
// it reports.
func TestLinterLines(t *testing.T) {
	program := lsptest.Require(t, "eslint")
	files := map[string]string{
		"package.json":     "{\"name\":\"t\",\"version\":\"1.0.0\"}\n",
		"eslint.config.js": "module.exports = [{ files: ['t*.js'], rules: { 'no-var': 'error' } }];\n",
	}
	name := func(i int) string { return fmt.Sprintf("t%d.js", i) }
	for i, end := range []rune(protocol.UnusualEnds) {
		files[name(i)] = strings.ReplaceAll("/* a§b */ export const a = `§`\n/* § */ var b = a\nexport { b }\n", "§", string(end))
	}
	s := begin(t, project{server: "eslint", files: files})
	linkESLint(t, program, s.root)
	for i := range []rune(protocol.UnusualEnds) {
		f := linedFile{name: name(i), text: files[name(i)]}
		checked, err := api.Check.Do(t.Context(), s.engine, api.CheckRequest{Files: []string{f.name}, TimeoutMS: 60_000})
		if err != nil {
			t.Fatal(err)
		}
		var wrong []result.Place
		for _, d := range checked.Files[0].Diagnostics {
			wrong = append(wrong, result.Place{Line: d.Line, Column: d.Column})
		}
		if diff := cmp.Diff(f.places("var"), wrong); diff != "" {
			t.Errorf("%q: errors (-want +got):\n%s", f.text, diff)
			continue
		}
		_, err = api.Fixes.Do(t.Context(), s.engine, api.FixesRequest{
			Selector: api.Selector{File: f.name, Line: api.OneBased(wrong[0].Line)}, Title: "Fix this no-var problem",
		})
		if err != nil {
			t.Errorf("%q: fix: %v", f.text, err)
		}
		text, err := os.ReadFile(filepath.Join(s.root, f.name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Replace(f.text, "var", "let", 1), string(text)); diff != "" {
			t.Errorf("%q: fixed (-want +got):\n%s", f.text, diff)
		}
	}
}
