package config

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/tailscale/hujson"

	"github.com/lspine/lspine/internal/lsptest"
)

//go:generate go test . -run Fresh -update

var update = flag.Bool("update", false, "write the generated files")

// docs returns what the comments of the fields of Settings say, by the key. "Enabled"
// says what "lsp" is.
func docs(t *testing.T) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "config.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Name.Name != "Settings" {
			return true
		}
		for _, f := range spec.Type.(*ast.StructType).Fields.List {
			name := f.Names[0].Name
			key := strings.ToLower(name[:1]) + name[1:]
			var p comment.Parser
			text := string(new(comment.Printer).Text(p.Parse(f.Doc.Text())))
			text = strings.TrimPrefix(strings.Join(strings.Fields(text), " "), name+" ")
			text = strings.TrimPrefix(strings.TrimPrefix(text, "is "), "are ")
			all[key] = strings.ToUpper(text[:1]) + text[1:]
		}
		return false
	})
	return all
}

// The schema of the file is what the keys and their comments say.
func TestSchemaIsFresh(t *testing.T) {
	comments := docs(t)
	made, err := json.MarshalIndent(fileSchema(func(name string) string {
		if comments[name] == "" {
			t.Errorf("%s has no comment", name)
		}
		return comments[name]
	}), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	lsptest.Fresh(t, "schema.json", string(made)+"\n", *update)
}

// The page of the settings is what the keys and their comments say.
func TestSettingsPageIsFresh(t *testing.T) {
	comments := docs(t)
	var b strings.Builder
	b.WriteString(settingsHead)
	for _, k := range keys[1:] {
		fmt.Fprintf(&b, "### `%s`\n\n%s Must be %s", k.Path, comments[k.name()], k.Kind)
		if s := k.schema(); s.Minimum != nil {
			fmt.Fprintf(&b, " from %.0f to %.0f", *s.Minimum, *s.Maximum)
		}
		fmt.Fprintf(&b, ". Default: `%s`. Variable: `%s`.\n\n", k.get(defaults()), k.Variable)
	}
	b.WriteString(serversHead)
	for _, f := range fields {
		trust := ""
		if f.needsTrust {
			trust = "yes"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.name, f.kind, f.doc, trust)
	}
	lsptest.Fresh(t, "../../docs/reference/settings.md", b.String(), *update)
}

const settingsHead = `# Settings

Generated from ` + "`internal/config` by `make generate`. `lspine config`" + ` shows the current values and where each
comes from; ` + "`lspine config schema`" + ` prints the JSON schema for an editor.

Settings come in layers, of which later ones win: built-in values; the user's file (` + "`lspine/config.jsonc`" + ` in the system's configuration
folder, or the file given with ` + "`--config` or `LSPINE_CONFIG`" + `); the project's file (` + "`.lspine.jsonc` or `.lspine/config.jsonc`" + `
at the root); the environment; flags. Files are JSON with comments and trailing commas. Mistakes are reported with line, key and
the most similar key, and everything else is used.

## In the object ` + "`lsp`" + `

` + "`\"lsp\": false`" + ` (variable: ` + "`LSPINE_LSP`" + `) disables everything. Lists in variables are separated by commas.

`

const serversHead = `## Servers

` + "`lsp.servers`" + ` is an object of entries by id: fields for a built-in id override only those fields, any other id adds a server,
which needs ` + "`command` or `connect`, and `extensions`" + `. It may also be an array of entries with ` + "`id`" + `. Fields that could run
something (last column) are ignored in a project's file.

| field | must be | what | not from a project |
|---|---|---|---|
`

// An editor that holds a file against the schema marks what loading would refuse,
// and nothing that it takes.
func TestSchemaAgreesWithLoading(t *testing.T) {
	var schema jsonschema.Schema
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		`{}`, `{"$schema": "x", "lsp": {}}`, `{"lsp": false}`, `{"lsp": true}`, `{"lsp": 1}`, `{"maxRestarts": 1}`,
		`{"lsp": {"diagnosticTimeout": 1, "ignore": ["dist/**"], "passEnv": [], "includeSeverities": ["hint"], "autoDetect": false}}`,
		`{"lsp": {"diagnosticTimout": 1}}`, `{"lsp": {"diagnosticTimeout": "3s"}}`, `{"lsp": {"diagnosticTimeout": 0}}`, `{"lsp": {"diagnosticTimeout": 0.5}}`,
		`{"lsp": {"maxRestarts": -1}}`, `{"lsp": {"maxRestarts": null}}`, `{"lsp": {"autoDetect": 1}}`, `{"lsp": {"ignore": ["a", 1]}}`,
		`{"lsp": {"includeSeverities": "error"}}`, `{"lsp": {"includeSeverities": ["warn"]}}`, `{"lsp": {"includeSeverities": []}}`,
		`{"lsp": {"servers": 1}}`, `{"lsp": {"servers": [1]}}`, `{"lsp": {"servers": [{"command": "x"}]}}`, `{"lsp": {"servers": {"gopls": false}}}`,
		`{"lsp": {"servers": {"My Server": {}}}}`, `{"lsp": {"servers": {"gopls": {"comand": "x"}}}}`, `{"lsp": {"servers": {"gopls": {"command": {}}}}}`,
		`{"lsp": {"servers": {"gopls": {"command": []}}}}`, `{"lsp": {"servers": {"gopls": {"args": "-x"}}}}`, `{"lsp": {"servers": {"gopls": {"env": {"A": 1}}}}}`,
		`{"lsp": {"servers": {"gopls": {"connect": "9999"}}}}`, `{"lsp": {"servers": {"gopls": {"extensions": ["*.go"]}}}}`,
		`{"lsp": {"servers": {"gopls": {"extensions": []}}}}`, `{"lsp": {"servers": {"gopls": {"settings": []}}}}`, `{"lsp": {"servers": {"gopls": {"enabled": "no"}}}}`,
		`{"lsp": {"servers": {"gopls": {"command": "g", "args": ["-x"], "env": {"A": "b"}, "roots": ["go.mod"], "settings": {"a": 1}, "initializationOptions": 7, "enabled": true}}}}`,
		`{"lsp": {"servers": [{"id": "mine", "command": ["x", "y"], "extensions": ["x"]}, {"language_id": "gopls", "connect": "h:1"}]}}`,
	} {
		var file any
		standard, err := hujson.Standardize([]byte(text))
		if err == nil {
			err = json.Unmarshal(standard, &file)
		}
		if err != nil {
			t.Fatal(err)
		}
		_, problems := layers{user: text}.load(t)
		if refused := resolved.Validate(file); (refused == nil) != (len(problems) == 0) {
			t.Errorf("%s: the schema says %v, loading %v", text, refused, problems)
		}
	}
}
