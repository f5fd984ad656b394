package checking

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

// Git changes a file that configures others, and that no server judges: what breaks in those is
// found, told once, and told to be mended when the file is as it was; also after an edit of ours.
func TestConfigurationThatNoServerJudges(t *testing.T) {
	const config = `{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", "noEmit": true, "paths": {"core": ["%s"]}}}` + "\n"
	right, wrong := fmt.Sprintf(config, "./src/core"), fmt.Sprintf(config, "./src/kernel")
	s := enginetest.OpenReal(t, `
-- tsconfig.json --
`+right+`-- src/core.ts --
export const one = 1;
-- src/use.ts --
import { one } from "core";

export const two = one + one;
-- src/free.ts --
export const free = 1;
`, "typescript")
	s.Git("init", "-q", "-b", "here")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	s.Git("checkout", "-q", "-b", "there")
	s.Write("tsconfig.json", wrong)
	s.Git("commit", "-qam", "two")
	s.Git("checkout", "-q", "here")
	s = s.Reopen(func(*enginetest.Options) {}) // this session begins at the commit
	check := func() (told []string) {
		answer := s.Check(api.CheckRequest{TimeoutMS: 60_000, MaxBytes: -1})
		told = append(told, fmt.Sprintf("%s, incomplete: %t", answer.Verdict, answer.Incomplete))
		for _, f := range append(answer.Files, answer.Others...) {
			if len(f.Diagnostics)+len(f.Fixed) > 0 {
				told = append(told, fmt.Sprintf("%s: %d errors, new: %t, %d fixed", f.Path, len(f.Diagnostics), enginetest.HasNew(f), len(f.Fixed)))
			}
		}
		return told
	}
	got := map[string][]string{"at first": check()}
	s.Git("checkout", "-q", "there")
	got["broken"], got["asked again"] = check(), check()
	s.Git("checkout", "-q", "here")
	got["mended"], got["at last"] = check(), check()
	enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{enginetest.Writing("tsconfig.json", wrong)}, Writing: api.Writing{Limits: api.Limits{TimeoutMS: 60_000}}})
	got["after an edit"] = check()
	want := map[string][]string{
		"at first":      {"clean, incomplete: false"},
		"broken":        {"new_errors, incomplete: false", "src/use.ts: 1 errors, new: true, 0 fixed"},
		"asked again":   {"new_errors, incomplete: false", "src/use.ts: 1 errors, new: false, 0 fixed"},
		"mended":        {"clean, incomplete: false", "src/use.ts: 0 errors, new: false, 1 fixed"},
		"at last":       {"clean, incomplete: false"},
		"after an edit": {"new_errors, incomplete: false", "src/use.ts: 1 errors, new: false, 0 fixed"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
