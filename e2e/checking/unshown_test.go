package checking

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

// What uses a change and cannot be shown to a server, because it is in another encoding or over the limit, is not
// clean: the answer names it, and says why it was not checked. The compilers take such files.
func TestUserThatIsNotShown(t *testing.T) {
	const script = "-- tsconfig.json --\n" + `{"compilerOptions": {"strict": true, "noEmit": true, "types": []}}` + "\n"
	latin, long := "caf\xe9", strings.Repeat("x", 2<<20)
	for name, c := range map[string]struct {
		server, archive, file, before, after string
		// user is the text of a file that uses what changes, behind a comment.
		userName, comment, user string
	}{
		"Python":     {"pyright", "-- pyrightconfig.json --\n{}\n", "tax.py", "def rate() -> int:\n    return 1\n", "def rate(k: int) -> int:\n    return k\n", "legacy.py", "# -*- coding: latin-1 -*- ", "from tax import rate\n\nn = rate()\n"},
		"C":          {"clangd", "-- compile_flags.txt --\n-Wall\n", "api.h", "int area(int w);\n", "int area(int w, int h);\n", "main.c", "// ", "#include \"api.h\"\n\nint main(void) { return area(1); }\n"},
		"TypeScript": {"typescript", script, "a.ts", "export function one(n: number) { return n; }\n", "export function one(n: string) { return n; }\n", "b.ts", "// ", "import { one } from \"./a\";\n\nexport const two = one(2);\n"},
		"tsserver":   {"typescript-language-server", script, "a.ts", "export function one(n: number) { return n; }\n", "export function one(n: string) { return n; }\n", "b.ts", "// ", "import { one } from \"./a\";\n\nexport const two = one(2);\n"},
	} {
		for kind, u := range map[string]struct{ text, reason string }{
			"another encoding": {latin, "it is not valid UTF-8"},
			"over the limit":   {long, "bytes are over the limit of 2097152"},
		} {
			t.Run(name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				user := c.comment + u.text + "\n" + c.user
				s := enginetest.OpenReal(t, c.archive+"-- "+c.file+" --\n"+c.before+"-- "+c.userName+" --\n"+user, c.server)
				says := func(verdict string, unknown []string) string {
					all := strings.Join(unknown, "\n")
					if !strings.Contains(all, c.userName) || !strings.Contains(all, u.reason) {
						return verdict + ", not known: " + all
					}
					return verdict + ", names the file and the reason"
				}
				const want = "unknown, names the file and the reason"
				drafted := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: c.file, Content: &c.after}}, Writing: api.Writing{Mode: "preview"}})
				s.Write(c.file, c.after)
				checked := s.Check(api.CheckRequest{Files: []string{c.file}})
				got := []string{says(drafted.Verdict, drafted.Unknown), says(checked.Verdict, checked.Unknown)}
				if diff := cmp.Diff([]string{want, want}, got); diff != "" {
					t.Errorf("a draft, and a change by others (-want +got):\n%s", diff)
				}
			})
		}
	}
}
