package navigation

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
)

// What others change on disk counts in the very next answer: a use that is
// added, moved or deleted in a file that nobody opened, also in one whose time does not tell,
// and a new and a deleted file.
func TestNavigationIsFresh(t *testing.T) {
	for _, server := range []string{"gopls", "typescript", "typescript-language-server", "pyright", "clangd", "rust-analyzer", "jdtls"} {
		t.Run(server, func(t *testing.T) {
			lsptest.Require(t, server)
			lsptest.NeedTimesOfChange(t)
			e := begin(t, project{archive: txtar.Parse([]byte(hubProject(server)))}, server)
			user := map[string]string{
				"gopls": "p0/p.go", "pyright": "p0.py", "clangd": "p0.cc", "rust-analyzer": "src/p0.rs", "jdtls": "src/P0.java",
			}[server]
			hub := map[string]string{
				"gopls": "hub/hub.go Hub", "pyright": "hub.py hub", "clangd": "hub.h hub", "rust-analyzer": "src/center.rs hub", "jdtls": "src/Hub.java hub",
			}[server]
			if user == "" {
				user, hub = "src/p0.ts", "src/hub.ts hub"
			}
			path := filepath.Join(e.Root(), user)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			expect := func(total int, line uint32) {
				t.Helper()
				result, err := api.References.Do(t.Context(), e, api.ReferencesRequest{Selector: api.Selector{At: hub}})
				if err != nil {
					t.Fatal(err)
				}
				at := uint32(0)
				for _, f := range result.Files {
					if f.Path == user {
						at = f.Places[0].Line
					}
				}
				if result.Total != total || at != line {
					t.Errorf("%d references, in %s at line %d; want %d, at line %d", result.Total, user, at, total, line)
				}
			}
			first := uint32(1 + strings.Count(string(text[:strings.LastIndex(string(text), "ub(0)")]), "\n"))
			expect(users, first)
			old := time.Now().Add(-time.Hour).Truncate(time.Second)
			date := func() {
				t.Helper()
				if err := os.Chtimes(path, old, old); err != nil {
					t.Fatal(err)
				}
			}
			date()
			expect(users, first)
			lsptest.WriteFile(t, path, "\n"+string(text)) // moved, in a file that has the time that it had
			date()
			expect(users, first+1)
			lsptest.WriteFile(t, path, "\n\n"+string(text)) // moved
			expect(users, first+2)
			lsptest.WriteFile(t, path, strings.Replace(string(text), "ub(0)", "ub(0", 1)) // broken, still a use
			lsptest.WriteFile(t, path, string(text))
			expect(users, first)
			if server == "rust-analyzer" {
				return // a file that is in no crate belongs to nothing
			}
			if server == "clangd" { // a file that is in no compile_commands.json belongs to nothing
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				expect(users-1, 0)
				return
			}
			added := strings.Replace(user, "0", "new", 1)
			lsptest.WriteFile(t, filepath.Join(e.Root(), added), strings.ReplaceAll(string(text), "0", fmt.Sprint(users)))
			expect(users+1, first)
			if err := os.Remove(filepath.Join(e.Root(), added)); err != nil {
				t.Fatal(err)
			}
			expect(users, first)
		})
	}
}
