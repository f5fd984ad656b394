package checking_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/result"
)

// If the body of a function with an inferred result type changes, its users are affected if the
// type turns out to be different: then they are judged, and counted.
func TestUsersOfAnInferredType(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, `
-- tsconfig.json --
{"compilerOptions": {"strict": true}}
-- lib.ts --
export function f(n: number) {
  return n + 1;
}
-- user.ts --
import { f } from "./lib";
export const n: number = f(1);
`, "typescript")
	type outcome struct {
		Verdict string
		Broken  []string
		Checked int
	}
	for _, c := range []struct {
		body string
		want outcome
	}{
		{"  return n + 2;\n", outcome{result.Clean, nil, 0}},
		{"  return String(n);\n", outcome{result.NewErrors, []string{"user.ts"}, 1}},
	} {
		answer := enginetest.Do(t, s, api.EditFiles, api.EditRequest{
			Edits:   []api.FileEdit{enginetest.Writing("lib.ts", "export function f(n: number) {\n"+c.body+"}\n")},
			Writing: api.Writing{Mode: api.Preview, Limits: api.Limits{TimeoutMS: 60_000}},
		})
		got := outcome{Verdict: answer.Verdict, Checked: answer.Dependants.Checked}
		for _, f := range answer.Others {
			if enginetest.HasNew(f) {
				got.Broken = append(got.Broken, f.Path)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.body, diff)
		}
	}
}
