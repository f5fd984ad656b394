package engine

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
)

//go:generate go test . -run TestReferenceIsFresh -update

var update = flag.Bool("update", false, "write the generated pages")

const referencePage = "../../docs/reference/operations.md"

// The reference of the operations is what the catalog says.
func TestReferenceIsFresh(t *testing.T) {
	lsptest.Fresh(t, referencePage, reference(t), *update)
}

func reference(t *testing.T) string {
	var b strings.Builder
	b.WriteString("# Operations\n\n" +
		"Everything LSPine can do, once: the tools of `lspine mcp`, the verbs of the command line and their JSON are\n" +
		"made of these. Generated from the catalog in `internal/api` (`make generate`).\n\n" +
		"Class: read looks, edit may write files of the workspace, admin starts, stops or reconfigures servers.\n" +
		"A symbol is named by `at` alone (`src/a.go:42:7`, `src/a.go:42 Load`, `src/a.go Config.Load`,\n" +
		"`Config.Load`, with `[1]` for the second overload), or by the separate fields.\n")
	for _, op := range api.Operations() {
		fmt.Fprintf(&b, "\n## %s\n\n%s (%s)\n", op.Name, op.Doc, []string{"read", "edit", "admin"}[op.Class])
		arguments(&b, op.Input)
		out, err := json.Marshal(op.Output)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, name := range propertyOrder(op.Output) {
			names = append(names, "`"+name+"`")
		}
		fmt.Fprintf(&b, "\nResult: %s\n\n<details><summary>JSON schema of the result</summary>\n\n```json\n%s\n```\n\n</details>\n",
			strings.Join(names, ", "), out)
	}
	return b.String()
}

func arguments(b *strings.Builder, s *jsonschema.Schema) {
	if len(s.Properties) == 0 {
		b.WriteString("\nNo arguments.\n")
		return
	}
	b.WriteString("\n| argument | type | |\n|---|---|---|\n")
	for _, name := range propertyOrder(s) {
		p := s.Properties[name]
		kind := p.Type
		if kind == "array" && p.Items != nil && p.Items.Type != "" {
			kind = "array of " + p.Items.Type
		}
		text := p.Description
		if slices.Contains(s.Required, name) {
			text = strings.TrimSpace("**needed** " + text)
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, kind, strings.ReplaceAll(text, "|", `\|`))
	}
}

// propertyOrder returns the properties in the order of the Go fields.
func propertyOrder(s *jsonschema.Schema) []string {
	if len(s.PropertyOrder) == len(s.Properties) {
		return s.PropertyOrder
	}
	var names []string
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
