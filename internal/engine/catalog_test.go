package engine

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/render"
)

// Every operation has a name, a title, a doc, schemas that all clients of MCP
// can read, and a result that a model can read.
func TestCatalogIsComplete(t *testing.T) {
	seen := make(map[string]bool)
	for _, op := range api.Operations() {
		if op.Name == "" || op.Title == "" || op.Doc == "" || seen[op.Name] {
			t.Errorf("operation %q: a name, a title and a doc are needed, each name once", op.Name)
		}
		seen[op.Name] = true
		render.Fit(op.New(), 100) // must not fail for want of content
		_ = render.Brief(op.New())
		for part, schema := range map[string]*jsonschema.Schema{"input": op.Input(), "output": op.Output()} {
			text, err := json.Marshal(schema)
			if err != nil {
				t.Fatal(err)
			}
			for _, rejected := range []string{`"type":[`, `"$ref"`, `"null"`} {
				if strings.Contains(string(text), rejected) {
					t.Errorf("%s: the %s schema has %s, which some clients reject: %s", op.Name, part, rejected, text)
				}
			}
		}
	}
}

// Every operation that is declared is carried out, and none besides.
func TestEveryOperationIsBound(t *testing.T) {
	var declared, bound []string
	for _, op := range api.Operations() {
		declared = append(declared, op.Name)
	}
	for _, op := range catalog {
		bound = append(bound, op.name)
	}
	if diff := cmp.Diff(declared, bound); diff != "" {
		t.Error(diff)
	}
}
