package editing

import (
	"errors"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

// A declaration is not renamed to a word that none can have as its name, whether its server refuses that or not; a member is, where its
// language allows that.
func TestRenameToAWordOfTheLanguage(t *testing.T) {
	const (
		script = "-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"types\": []}}\n" +
			"-- a.ts --\nexport function load(a: number) { return a }\nload(1);\nexport class K { run(a: number) { return a } }\nnew K().run(1);\n"
		python = "-- a.py --\ndef load(a: int) -> int:\n    return a\n\n\nload(1)\n"
	)
	for _, c := range []struct {
		server, files, file, symbol, name string
		refused                           bool
	}{
		{"typescript", script, "a.ts", "load", "class", true},
		{"typescript-language-server", script, "a.ts", "load", "class", true},
		{"typescript-language-server", script, "a.ts", "load", "type", false},
		{"typescript-language-server", script, "a.ts", "K.run", "delete", false},
		{"pyright", python, "a.py", "load", "def", true},
		{"pyright", python, "a.py", "load", "match", false},
		{"gopls", "-- go.mod --\nmodule m\n\ngo 1.24\n-- a.go --\npackage m\n\nfunc load() {}\n", "a.go", "load", "func", true},
		{"clangd", "-- a.cpp --\nint load() { return 1; }\n", "a.cpp", "load", "while", true},
	} {
		t.Run(c.server+" "+c.name, func(t *testing.T) {
			s := enginetest.OpenReal(t, c.files, c.server)
			before := s.Read(c.file)
			_, err := api.Rename.Do(t.Context(), s.Engine, api.RenameRequest{Selector: api.Selector{File: c.file, Symbol: c.symbol}, NewName: c.name})
			var wrong *api.ArgumentError
			switch {
			case (err != nil) != c.refused, c.refused == (s.Read(c.file) != before):
				t.Errorf("%v; %q", err, s.Read(c.file))
			case errors.As(err, &wrong) && wrong.Argument != "new_name":
				t.Errorf("it is about %s", wrong.Argument)
			}
		})
	}
}
