package checking

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/result"
)

// Git moves a folder whose files use each other and are used by many, and moves it back: nothing
// was wrong in its files, so nothing is fixed in them; every user is broken, and then mended, and
// none is said to be broken still. To name the new places is enough to be told.
func TestFolderThatGitMovesAndMovesBack(t *testing.T) {
	const users = 30
	var archive strings.Builder
	archive.WriteString(`
-- tsconfig.json --
{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", "noEmit": true}}
-- lib/make.ts --
export function make(shape: (parent: string) => number): number { return shape(""); }
-- lib/one.ts --
import { make } from "./make";

export const one = make((parent) => parent.length);
`)
	for i := range users {
		fmt.Fprintf(&archive, "-- use/u%02d.ts --\nimport { one } from \"../lib/one\";\n\nexport const value = one + 1;\n", i)
	}
	for _, server := range []string{"typescript", "typescript-language-server"} {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			s := enginetest.OpenReal(t, archive.String(), server)
			commit := func(message string) {
				s.Git("add", ".")
				s.Git("commit", "-qm", message)
			}
			s.Git("init", "-q", "-b", "here")
			commit("one")
			s.Git("checkout", "-q", "-b", "there")
			s.Git("mv", "lib", "libs")
			commit("two")
			s.Git("checkout", "-q", "here")
			s = s.Reopen(func(*enginetest.Options) {}) // this session begins at the commit
			type told struct {
				Verdict               string
				Moved, Broken, Mended int
			}
			check := func(files ...string) (now told) {
				answer := s.Check(api.CheckRequest{Files: files, TimeoutMS: 60_000, MaxBytes: -1})
				if answer.Incomplete {
					t.Errorf("it is not complete: %v", answer.Unknown)
				}
				now.Verdict = answer.Verdict
				for _, f := range slices.Concat(answer.Files, answer.Others) {
					switch {
					case strings.HasPrefix(f.Path, "lib"):
						now.Moved += len(f.Diagnostics) + len(f.Fixed)
					case len(f.Diagnostics) > 0:
						now.Broken++
					case len(f.Fixed) > 0:
						now.Mended++
					}
				}
				return now
			}
			got := []told{check("use/u00.ts")}
			for _, branch := range []string{"there", "here", "there"} {
				s.Git("checkout", "-q", branch)
				files := []string{"lib/make.ts", "lib/one.ts"}
				switch {
				case len(got) == 1:
					files = nil
				case branch == "there": // what is at neither commit is a wrong name
					files = append(files, "libs/make.ts", "libs/one.ts")
				}
				got = append(got, check(files...))
			}
			s.Git("checkout", "-q", "here")
			s = s.Reopen(func(*enginetest.Options) {})
			got = append(got, check("use/u00.ts"))
			s.Git("checkout", "-q", "there")
			got = append(got, check("libs/make.ts", "libs/one.ts"))
			want := []told{
				{Verdict: result.Clean},
				{Verdict: result.NewErrors, Broken: users},
				{Verdict: result.Clean, Mended: users},
				{Verdict: result.NewErrors, Broken: users},
				{Verdict: result.Clean},
				{Verdict: result.NewErrors, Broken: users},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
