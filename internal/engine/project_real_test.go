package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/render"
)

// seen is what a check told that depends on the version that judged.
type seen struct {
	Verdict, Server string
	Others          []string
}

func seenIn(r render.Check) seen {
	s := seen{Verdict: r.Verdict}
	for _, a := range r.Files[0].Servers {
		s.Server += a.Server
	}
	for _, o := range r.Others {
		s.Others = append(s.Others, o.Path)
	}
	return s
}

// A project is judged by the TypeScript that it has, where both servers are installed; and
// what a server thinks of its tsconfig.json is told for no file, in no run.
func TestTheProjectsTypeScriptJudges(t *testing.T) {
	// TypeScript 7 knows neither of these options any more.
	const files = `
-- tsconfig.json --
{"compilerOptions":{"strict":true,"baseUrl":".","module":"commonjs","moduleResolution":"node10"}}
-- a.ts --
export const a: number = 1;
-- b.ts --
import { a } from './a';
export const b = a;
-- broken.ts --
export const c: number = 'c';
`
	for version, server := range map[string]string{"5.9.3": "typescript-language-server", "7.0.2": "typescript"} {
		for range 3 {
			e := openReal(t, files+"-- node_modules/typescript/package.json --\n{\"name\":\"typescript\",\"version\":\""+version+"\"}\n",
				"typescript", "typescript-language-server")
			for _, name := range []string{"a.ts", "b.ts", "broken.ts"} {
				want := seen{Verdict: "clean", Server: server}
				if name == "broken.ts" {
					want.Verdict = "new_errors"
				}
				got := seenIn(do(t, e, Check, CheckRequest{Files: []string{name}, Baseline: "none"}))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("with %s, %s: %s", version, name, diff)
				}
			}
			if known := do(t, e, Diagnostics, DiagnosticsRequest{}); len(known.Files) != 1 || known.Files[0].Path != "broken.ts" {
				t.Errorf("with %s, known are %+v", version, known.Files)
			}
		}
	}
}

// answered is what matters of an answer here: which files it is about, and its notes.
type answered struct {
	Files, Others []string
	Notes         []string
}

func answeredBy(files, others []render.File, notes []string) answered {
	t := answered{Notes: notes}
	for _, f := range files {
		t.Files = append(t.Files, f.Path)
	}
	for _, f := range others {
		t.Others = append(t.Others, f.Path)
	}
	return t
}

// What a project leaves out is broken by no edit and part of no folder that is checked;
// asked for by name it is judged, and said to be left out. What the project imports all the
// same is a part of it.
func TestFilesThatTheProjectLeavesOut(t *testing.T) {
	const (
		scripts = `
-- tsconfig.json --
{"compilerOptions":{"strict":true},"include":["src"]}
-- src/a.ts --
export const a = 1;
-- src/b.ts --
import { c } from '../more/c';
export const b: number = c;
-- more/c.ts --
import { a } from '../src/a';
export const c: number = a;
-- test/t.ts --
import { a } from '../src/a';
export const t: number = a;
`
		snakes = `
-- pyrightconfig.json --
{"exclude": ["test"]}
-- src/__init__.py --
-- src/a.py --
a = 1
-- src/b.py --
from src.a import a
b: int = a
-- more/c.py --
from src.a import a
c: int = a
-- test/t.py --
from src.a import a
t: int = a
`
	)
	for _, c := range []struct {
		id, files, changed, before, after, test string
		all, broken                             []string
		note                                    string
	}{
		{
			"typescript", scripts, "src/a.ts", "a = 1", "a = 'x'", "test/t.ts",
			[]string{"more/c.ts", "src/a.ts", "src/b.ts"},
			[]string{"more/c.ts"},
			"test/t.ts is no part of the project: tsconfig.json leaves it out, so its own tools do not check it",
		},
		{
			"typescript-language-server", scripts, "src/a.ts", "a = 1", "a = 'x'", "test/t.ts",
			[]string{"more/c.ts", "src/a.ts", "src/b.ts"},
			[]string{"more/c.ts"},
			"test/t.ts is no part of the project: tsconfig.json leaves it out, so its own tools do not check it",
		},
		{
			"pyright", snakes, "src/a.py", "a = 1", "a = 'x'", "test/t.py",
			[]string{"more/c.py", "src/__init__.py", "src/a.py", "src/b.py"},
			[]string{"more/c.py", "src/b.py"},
			"test/t.py is no part of the project: pyrightconfig.json leaves it out, so its own tools do not check it",
		},
	} {
		e := openReal(t, c.files, c.id)
		all := do(t, e, Check, CheckRequest{Files: []string{"."}, Baseline: "none"})
		if diff := cmp.Diff(answered{Files: c.all}, answeredBy(all.Files, all.Others, all.Notes)); diff != "" {
			t.Errorf("%s, the folder: %s", c.id, diff)
		}
		edited := do(t, e, EditFiles, EditRequest{Edits: []FileEdit{{File: c.changed, OldText: &c.before, NewText: &c.after}}})
		if diff := cmp.Diff(answered{Files: []string{c.changed}, Others: c.broken}, answeredBy(edited.Files, edited.Others, edited.Notes)); diff != "" {
			t.Errorf("%s, the edit: %s", c.id, diff)
		}
		if edited.Verdict != "new_errors" {
			t.Errorf("%s, the edit: %s", c.id, edited.Verdict)
		}
		for _, name := range []string{c.test, "test"} { // there is nothing else in the folder
			test := do(t, e, Check, CheckRequest{Files: []string{name}, Baseline: "none"})
			if diff := cmp.Diff([]string{c.note}, test.Notes); diff != "" || test.Verdict != "new_errors" || len(test.Files) != 1 {
				t.Errorf("%s, %s: %s %s %+v", c.id, name, diff, test.Verdict, test.Files)
			}
		}
	}
}
