package navigation

import (
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

// What is declared in a library has a definition that can be read: in a file outside of the workspace, or in a document that only
// the server knows.
func TestDefinitionInALibrary(t *testing.T) {
	const java = "-- .project --\n<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<projectDescription><name>shop</name><buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec>" +
		"<natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>\n-- .classpath --\n<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<classpath><classpathentry kind=\"src\" path=\"src\"/>" +
		"<classpathentry kind=\"con\" path=\"org.eclipse.jdt.launching.JRE_CONTAINER\"/><classpathentry kind=\"output\" path=\"bin\"/></classpath>\n" +
		"-- src/shop/Cart.java --\npackage shop;\n\npublic class Cart extends java.util.ArrayList<String> {\n  public String name() { return \" x \".trim(); }\n}\n"
	for name, c := range map[string]struct {
		server, archive string
		at              api.Selector
		where, text     string
	}{
		"Java":       {"jdtls", java, api.Selector{File: "src/shop/Cart.java", Line: 4, Symbol: "trim"}, "jdt://contents/java.base/java.lang/String.class", "trim()"},
		"Go":         {"gopls", "-- go.mod --\nmodule a\n-- a.go --\npackage a\n\nimport \"strings\"\n\nvar X = strings.TrimSpace(\" x \")\n", api.Selector{File: "a.go", Line: 5, Symbol: "TrimSpace"}, "/strings/strings.go", "func TrimSpace("},
		"Python":     {"pyright", "-- a.py --\nimport os\n\nx = os.getcwd()\n", api.Selector{File: "a.py", Line: 3, Symbol: "getcwd"}, "os/__init__.pyi", "def getcwd()"},
		"TypeScript": {"typescript", "-- tsconfig.json --\n{}\n-- a.ts --\nexport const x = \" x \".trim();\n", api.Selector{File: "a.ts", Line: 1, Symbol: "trim"}, "lib.es5.d.ts", "trim(): string;"},
		"tsserver":   {"typescript-language-server", "-- tsconfig.json --\n{}\n-- a.ts --\nexport const x = \" x \".trim();\n", api.Selector{File: "a.ts", Line: 1, Symbol: "trim"}, "lib.es5.d.ts", "trim(): string;"},
		"C":          {"clangd", "-- compile_flags.txt --\n-Wall\n-- a.c --\n#include <stdlib.h>\n\nint main(void) { return abs(-1); }\n", api.Selector{File: "a.c", Line: 3, Symbol: "abs"}, "stdlib.h", "abs"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := enginetest.OpenReal(t, c.archive, c.server)
			for _, source := range []bool{false, true} {
				got := enginetest.Do(t, s, api.Definition, api.DefinitionRequest{Selector: c.at, WithSource: source})
				if len(got.Files) != 1 || len(got.Files[0].Places) != 1 {
					t.Fatalf("places: %+v", got)
				}
				place := got.Files[0].Places[0]
				text := place.Text
				if source && place.Source != nil {
					text = place.Source.Code
				}
				if !strings.Contains(got.Files[0].Path, c.where) || !strings.Contains(text, c.text) {
					t.Errorf("with source %t: %s: %q; want %s: %q", source, got.Files[0].Path, text, c.where, c.text)
				}
			}
			if name != "Java" {
				return
			}
			types := enginetest.Do(t, s, api.Hierarchy, api.HierarchyRequest{Selector: api.Selector{File: "src/shop/Cart.java", Symbol: "Cart"}, Direction: "supertypes"})
			found := enginetest.Do(t, s, api.FindSymbol, api.SymbolsRequest{Query: "StringBuilder"})
			if types.Total == 0 || found.Total == 0 {
				t.Errorf("supertypes: %+v\nsymbols: %+v", types, found)
			}
		})
	}
}
