package editing

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/editing"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/render"
)

// Each server formats as its language has it, with the indentation of the file;
// the line endings stay as they are, and what is formatted is said to be.
//
// Requirement: AGENT-18.
func TestFormat(t *testing.T) {
	for _, c := range []struct{ server, archive, file, text, want string }{
		{"gopls", "-- go.mod --\nmodule m\n", "a.go", "package m\n\nfunc  F( )   {\n  G(  \"é😀\"  )\n}\n", "package m\n\nfunc F() {\n\tG(\"é😀\")\n}\n"},
		{"typescript", "-- tsconfig.json --\n{}\n", "a.ts", "function f()   {\n  if (true) {\n  g(  \"é😀\" )\n  }\n}\n", "function f() {\n  if (true) {\n    g(\"é😀\")\n  }\n}\n"},
		{"typescript-language-server", "-- tsconfig.json --\n{}\n", "a.ts", "function f()   {\n\tif (true) {\n\tg(  \"é😀\" )\n\t}\n}\n", "function f() {\n\tif (true) {\n\t\tg(\"é😀\")\n\t}\n}\n"},
		{"clangd", "-- compile_flags.txt --\n-Wall\n-- .clang-format --\nBasedOnStyle: LLVM\n", "a.cc", "int  f( )   {\n      return g(  \"é😀\" );\n}\n", "int f() { return g(\"é😀\"); }\n"},
	} {
		for _, ending := range []string{"\n", "\r\n"} {
			t.Run(c.server+strings.ReplaceAll(ending, "\r\n", " CRLF"), func(t *testing.T) {
				s := enginetest.OpenReal(t, c.archive, c.server)
				text, want := strings.ReplaceAll(c.text, "\n", ending), strings.ReplaceAll(c.want, "\n", ending)
				s.Write(c.file, text)
				req := api.FormatRequest{Area: api.Area{File: c.file}, Writing: api.Writing{Mode: "preview"}}
				if preview := enginetest.Do(t, s, api.Format, req); preview.Applied || preview.Diff == "" || s.Read(c.file) != text {
					t.Errorf("preview: %s", render.Brief(&preview))
				}
				req.Mode = ""
				if done := enginetest.Do(t, s, api.Format, req); !done.Applied || s.Read(c.file) != want {
					t.Errorf("%s\n%s", render.Brief(&done), cmp.Diff(want, s.Read(c.file)))
				}
				again := enginetest.Do(t, s, api.Format, req)
				if again.Applied || again.Summary != c.file+" is already formatted." || render.Brief(&again) != again.Summary {
					t.Errorf("again: %s", render.Brief(&again))
				}
			})
		}
	}
}

// A range is formatted alone; where a server formats no ranges, or nothing, that is
// said with a way out.
//
// Requirement: AGENT-18.
func TestFormatOfARange(t *testing.T) {
	s := enginetest.OpenReal(t, "-- tsconfig.json --\n{}\n-- a.ts --\nconst a   = 1\nconst b   = 2\n", "typescript")
	enginetest.Do(t, s, api.Format, api.FormatRequest{Area: api.Area{File: "a.ts", StartLine: 2, EndLine: 2}})
	if got := s.Read("a.ts"); got != "const a   = 1\nconst b = 2\n" {
		t.Errorf("%q", got)
	}
	var none *editing.NoFormatterError
	_, err := api.Format.Do(t.Context(), s.Engine, api.FormatRequest{Area: api.Area{File: "a.ts", StartLine: 9}})
	if err == nil || errors.As(err, &none) {
		t.Errorf("past the end: %v", err)
	}
	s = enginetest.OpenReal(t, "-- go.mod --\nmodule m\n-- a.go --\npackage m\n", "gopls")
	_, err = api.Format.Do(t.Context(), s.Engine, api.FormatRequest{Area: api.Area{File: "a.go", StartLine: 1}})
	if !errors.As(err, &none) || !strings.Contains(none.Hint(), "without a range") {
		t.Errorf("gopls: %v", err)
	}
	s = enginetest.OpenReal(t, pythonNames, "pyright")
	_, err = api.Format.Do(t.Context(), s.Engine, api.FormatRequest{Area: api.Area{File: "lib.py"}})
	if !errors.As(err, &none) || none.Hint() != "run a formatter of the language: ruff format lib.py   or   black lib.py" {
		t.Errorf("pyright: %v", err)
	}
}
