package checking

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

const rustIncluding = `
-- .gitignore --
target
Cargo.lock
-- Cargo.toml --
[workspace]
resolver = "2"
members = ["old", "p"]
-- old/Cargo.toml --
[package]
name = "old"
version = "0.1.0"
edition = "2021"
-- old/src/lib.rs --
pub fn old() -> i32 { "committed" }
-- p/Cargo.toml --
[package]
name = "p"
version = "0.1.0"
edition = "2021"
-- p/src/lib.rs --
#![doc = include_str!("../README.md")]
pub mod code;
pub mod far;
pub mod texts;
-- p/src/far.rs --
pub fn far() -> i32 { crate::code::part::made() }
-- p/src/texts.rs --
pub const TEXT: &str = include_str!("data.txt");
pub const BYTES: [u8; 3] = *include_bytes!("../three.bin");
pub const TOOL: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tool.py"));
-- p/src/code.rs --
include!("gen.in");
#[path = "part.inc"]
pub mod part;
pub fn used() -> i32 { made() + part::made() }
-- p/src/data.txt --
text
-- p/three.bin --
12
-- p/tool.py --
x: int = "Python is not judged here"
-- p/src/gen.in --
pub fn made() -> i32 { 1 }
-- p/src/part.inc --
pub fn made() -> i32 { 1 }
-- p/README.md --
old
`

const nativeIncluding = `
-- compile_flags.txt --
-Iinclude
-- old.cpp --
int old = "committed";
-- m.cpp --
int a[] = {
#include "init.lua"
};
int main() { return a[0]; }
-- init.lua --
1, 2
-- h.h --
#pragma once
static int b[] = {
#include <shaders/s.frag>
};
-- include/shaders/s.frag --
1, 2
-- u.cpp --
#include "h.h"
int u = b[0];
-- e.cpp --
#if __has_include("config.html")
int e = 1;
#else
int e = missing;
#endif
-- config.html --
<html></html>
`

const goIncluding = `
-- go.mod --
module m

go 1.24
-- old/old.go --
package old

var Old int = "committed"
-- p/p.go --
package p

import _ "embed"

//go:embed data.bin
var Text string
-- p/data.bin --
text
`

// A file that programs take in by a name in their text, of any language or of none, is judged in these: whatever happens to it, and
// however the question is asked, of a process that knew the files before or of one that starts, again and again.
func TestFilesThatProgramsInclude(t *testing.T) {
	for _, language := range []struct {
		server, archive, old string
		cases                []including
	}{
		{"rust-analyzer", rustIncluding, "old/src/lib.rs", []including{
			{"a text that is gone", "p/src/data.txt", "", []string{"p/src/texts.rs"}, false},
			{"a text that moves", "p/src/data.txt", "-> p/src/data2.txt", []string{"p/src/texts.rs"}, false},
			{"a file of another language that is gone", "p/tool.py", "", []string{"p/src/texts.rs"}, false},
			{"bytes of another number", "p/three.bin", "1\x00\xff4\n", []string{"p/src/texts.rs"}, false},
			{"code", "p/src/gen.in", "pub fn made() -> u8 { 1 }\n", []string{"p/src/code.rs"}, true},
			{"a module", "p/src/part.inc", "pub fn made() -> u8 { 1 }\n", []string{"p/src/code.rs", "p/src/far.rs"}, true},
			{"another text", "p/README.md", "new\n", nil, false},
		}},
		{"clangd", nativeIncluding, "old.cpp", []including{
			{"a part of a list", "init.lua", "x y\n", []string{"m.cpp"}, false},
			{"a part that is gone", "init.lua", "", []string{"m.cpp"}, false},
			{"a part of a header", "include/shaders/s.frag", "x y\n", []string{"h.h", "u.cpp"}, false},
			{"a part of a header that is gone", "include/shaders/s.frag", "", []string{"h.h", "u.cpp"}, false},
			{"a file that is asked for", "config.html", "", []string{"e.cpp"}, false},
		}},
		{"gopls", goIncluding, "old/old.go", []including{
			{"an embedded file that is gone", "p/data.bin", "", []string{"p/p.go"}, false},
			{"another text", "p/data.bin", "new\n", nil, false},
		}},
	} {
		t.Run(language.server, func(t *testing.T) {
			t.Parallel()
			s := enginetest.OpenReal(t, language.archive, language.server)
			s.Git("init", "-q")
			s.Git("add", "-A")
			s.Git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old")
			all := []string{"."}
			for range 2 { // cargo writes its lock file meanwhile
				if diff := cmp.Diff(map[string]string{language.old: "older"}, errorsIn(s, all)); diff != "" {
					t.Fatalf("as it was (-want +got):\n%s", diff)
				}
			}
			for _, c := range language.cases {
				t.Run(c.name, func(t *testing.T) {
					c.change(s)
					for _, of := range []struct {
						name string
						*enginetest.Shop
					}{{"a process that knew", s}, {"one that starts", s.Reopen(func(*enginetest.Options) {})}} {
						for i, asked := range [][]string{{c.file}, nil, all, c.broken, all} {
							if i == 3 && asked == nil {
								continue
							}
							want := make(map[string]string)
							for _, file := range c.broken {
								want[file] = "new"
							}
							if slices.Equal(asked, all) {
								want[language.old] = "older"
							}
							if c.spreads { // something is wrong, and what is in the file itself, nobody says
								want["not known"] = c.file
							}
							if of.Shop != s && c.spreads {
								want["not known"] = language.old
							}
							if diff := cmp.Diff(want, errorsIn(of.Shop, asked)); diff != "" {
								t.Errorf("%s, about %q (-want +got):\n%s", of.name, asked, diff)
							}
						}
					}
					s.Git("reset", "-q", "--hard")
					s.Git("clean", "-qfd")
					for range 2 {
						if diff := cmp.Diff(map[string]string{language.old: "older"}, errorsIn(s, all)); diff != "" {
							t.Errorf("as it was again (-want +got):\n%s", diff)
						}
					}
				})
			}
		})
	}
}

// A draft that takes away or changes what a program includes is not clean: a preview says that it is not known, and only the files on
// disk show what it breaks.
func TestDraftsOfFilesThatProgramsInclude(t *testing.T) {
	for _, c := range []struct {
		server, archive string
		edit            api.FileEdit
		preview, broken string
	}{
		{"rust-analyzer", rustIncluding, api.FileEdit{File: "p/tool.py", Delete: true}, "unknown", "p/src/texts.rs"},
		{"clangd", nativeIncluding, enginetest.Writing("include/shaders/s.frag", "x y\n"), "lsp_unavailable", "h.h u.cpp"}, // nor is there a server for shaders,
		{"clangd", nativeIncluding, api.FileEdit{File: "init.lua", RenameTo: "start.lua"}, "lsp_unavailable", "m.cpp"},     // nor one for Lua
	} {
		t.Run(c.server+", "+c.edit.File, func(t *testing.T) {
			t.Parallel()
			s := enginetest.OpenReal(t, c.archive, c.server)
			was := s.Read(c.edit.File)
			says := func(mode string) []string {
				r := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{c.edit}, Writing: api.Writing{Mode: mode, Limits: api.Limits{TimeoutMS: 180_000}}})
				var broken []string
				for _, f := range r.Others {
					if len(f.Diagnostics) > 0 {
						broken = append(broken, f.Path)
					}
				}
				return []string{mode, r.Verdict, strings.Join(broken, " ")}
			}
			for range 2 {
				want := [][]string{{"preview", c.preview, ""}, {"apply_if_clean", "new_errors", c.broken}}
				if diff := cmp.Diff(want, [][]string{says("preview"), says("apply_if_clean")}); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(was, s.Read(c.edit.File)); diff != "" {
					t.Errorf("the file (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// including is a change of an included file: its new text, "" if it is gone, or "->" and the path to which it moves; and the files that
// are broken then.
type including struct {
	name, file, to string
	broken         []string
	// spreads says that the server judges all files together, and cannot be shown what it was: of errors elsewhere it is not known
	// whether they are new.
	spreads bool
}

func (c including) change(s *enginetest.Shop) {
	switch to, moves := strings.CutPrefix(c.to, "-> "); {
	case moves:
		s.Git("mv", c.file, to)
	case c.to == "":
		s.Remove(c.file)
	default:
		s.Write(c.file, c.to)
	}
}

// errorsIn checks files and returns which files have errors, and whether one of these is new; "not known" is what is not known.
func errorsIn(s *enginetest.Shop, files []string) map[string]string {
	s.T.Helper()
	r := s.Check(api.CheckRequest{Files: files, Baseline: api.BaselineHead, TimeoutMS: 180_000, WaitLimitMS: 180_000})
	found := make(map[string]string)
	for _, f := range slices.Concat(r.Files, r.Others) {
		for _, d := range f.Diagnostics {
			if found[f.Path] = "older"; d.New {
				found[f.Path] = "new"
				break
			}
		}
	}
	isNew := slices.Contains(slices.Collect(maps.Values(found)), "new")
	if len(r.Unknown) > 0 {
		what := strings.Join(r.Unknown, "; ")
		found["not known"] = what[strings.LastIndexByte(what, ' ')+1:]
	}
	if isNew != (r.Verdict == "new_errors") {
		found["verdict"] = r.Verdict
	}
	return found
}

// A file that changes together with what it brings in is not compared with what is said of its former text beside the present text of
// that: an error that came of both is not older.
func TestFilesThatChangeWithWhatTheyBringIn(t *testing.T) {
	const script = "import en from \"./en.json\";\nexport const h: string = en.hello;\n"
	const options = `-- tsconfig.json --
{"compilerOptions": {"strict": true, "noEmit": true, "resolveJsonModule": true, "module": "esnext", "moduleResolution": "bundler", "types": []}}
`
	for name, c := range map[string]struct {
		server, archive string
		file, text      string
		brings, becomes string
	}{
		"data":            {"typescript-language-server", options + "-- en.json --\n{\"hello\": \"x\"}\n-- a.ts --\n" + script, "a.ts", script + "export const t = 1;\n", "en.json", "{\"hello\": 2}\n"},
		"a fragment":      {"clangd", "-- n.def --\nconstexpr int N = 1;\n-- a.cpp --\n#include \"n.def\"\nint f() { return N; }\n", "a.cpp", "#include \"n.def\"\nint f() { return N; }\n// t\n", "n.def", "constexpr int Q = 1;\n"},
		"of no language":  {"clangd", "-- n.xyz --\nconstexpr int N = 1;\n-- a.cpp --\n#include \"n.xyz\"\nint f() { return N; }\n", "a.cpp", "#include \"n.xyz\"\nint f() { return N; }\n// t\n", "n.xyz", "constexpr int Q = 1;\n"},
		"through another": {"clangd", "-- n.def --\nconstexpr int N = 1;\n-- h.h --\n#include \"n.def\"\n-- a.cpp --\n#include \"h.h\"\nint f() { return N; }\n", "a.cpp", "#include \"h.h\"\nint f() { return N; }\n// t\n", "n.def", "constexpr int Q = 1;\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := enginetest.OpenReal(t, c.archive, c.server)
			s.Git("init", "-q")
			s.Git("add", "-A")
			s.Git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old")
			for round := range 2 { // cold, and after the former state was judged
				s.Write(c.file, c.text)
				s.Write(c.brings, c.becomes)
				for _, asked := range [][]string{nil, {c.file}, {"."}, nil} {
					if diff := cmp.Diff("new", errorsIn(s, asked)[c.file]); diff != "" {
						t.Errorf("round %d, about %q (-want +got):\n%s", round, asked, diff)
					}
				}
				s.Git("checkout", "-q", ".")
				if diff := cmp.Diff(map[string]string{}, errorsIn(s, []string{"."})); diff != "" {
					t.Errorf("round %d, as it was (-want +got):\n%s", round, diff)
				}
			}
		})
	}
}
