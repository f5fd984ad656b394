package checking

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
)

// Whoever names another program under the id of a built-in server, by its name or behind a
// script, gets whole answers from it.
func TestAnotherProgramUnderTheIDOfAServer(t *testing.T) {
	program := lsptest.Require(t, "typescript-language-server")
	script := filepath.Join(t.TempDir(), "start")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexec "+program+" --stdio\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, command := range map[string]string{"by name": `"typescript-language-server"`, "behind a script": `["sh", "` + script + `"]`} {
		t.Run(name, func(t *testing.T) {
			root := lsptest.Workspace(t, "-- tsconfig.json --\n{\"compilerOptions\":{\"strict\":true}}\n-- a.ts --\nexport const n: number = 1;\n-- b.ts --\nimport { n } from './a';\nexport const s: string = n;\n")
			user := filepath.Join(t.TempDir(), "config.jsonc")
			if err := os.WriteFile(user, []byte(`{"lsp": {"servers": {"typescript": {"command": `+command+`}}}}`), 0o600); err != nil {
				t.Fatal(err)
			}
			cfg, problems := config.Load(config.Options{Root: root, UserFile: user, Environ: []string{"LSPINE_TRUST=always"}})
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			s := enginetest.OpenWith(t, enginetest.Options{Root: root, Config: cfg, Only: []string{"typescript"}, State: t.TempDir()})
			result := s.Check(api.CheckRequest{Files: []string{"b.ts"}})
			if a := result.Files[0].Servers[0]; a.Server != "typescript" || a.Freshness != "fresh" || result.Verdict != "new_errors" {
				t.Errorf("%+v\n%s", a, render.Brief(&result))
			}
			running := s.Workspace().Running()
			if len(running) != 1 || running[0].Definition().Runs() != "typescript-language-server" {
				t.Errorf("running: %v", running)
			}
		})
	}
}
