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
