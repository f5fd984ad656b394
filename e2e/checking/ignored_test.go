package checking

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/render"
)

// An error where a file uses generated code that git ignores is older only if that code is: nobody has the text that it had in the
// commit, and a generator may just have broken what uses it.
func TestErrorsByIgnoredCode(t *testing.T) {
	const (
		archive = "-- .gitignore --\ngen/\n-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true}, \"include\": [\"src\", \"gen\"]}\n" +
			"-- src/a.ts --\nimport { get } from \"../gen/client\"\n\nexport const x: number = get(1)\n-- src/b.ts --\nexport const z: number = \"committed\"\n"
		broken   = "export function get(n: string): number { return 1 }\n"
		ofCommit = "2000-01-01T00:00:00Z"
		later    = "2099-01-01T00:00:00Z"
		doubtful = "not known yet: which errors are new, as it is not known what was wrong before: src/a.ts " +
			"(git ignores gen/client.ts, which it may use, so nobody knows what that was)"
	)
	for name, c := range map[string]struct {
		committed string // when
		file      string
		want      []string // of a check that counts older errors, and of one that looks for new ones
	}{
		"generated since the commit":                 {ofCommit, "src/a.ts", []string{"new_errors: 1 error; " + doubtful, "unknown: " + doubtful}},
		"generated before the commit":                {later, "src/a.ts", []string{"new_errors: 1 older error (1 file checked)", "baseline_error: no new errors, 1 older error not listed (1 file checked)"}},
		"a file that does not use what is generated": {ofCommit, "src/b.ts", []string{"new_errors: 1 older error (1 file checked)", "baseline_error: no new errors, 1 older error not listed (1 file checked)"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GIT_COMMITTER_DATE", c.committed)
			s := enginetest.OpenReal(t, archive, "typescript-language-server")
			s.Git("init", "-q")
			s.Git("add", "-A")
			s.Git("commit", "-qm", "old")
			s.Write("gen/client.ts", broken)
			for range 2 {
				var got []string
				for _, older := range []bool{true, false} {
					answer := s.Check(api.CheckRequest{Files: []string{c.file}, Baseline: api.BaselineHead, CountOlder: older, TimeoutMS: 240_000})
					got = append(got, answer.Verdict+": "+render.Conclusion(&answer))
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
		})
	}
}
