package config

import (
	_ "embed"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaJSON is made by a test from the keys and from the comments of [Settings].
//
//go:embed schema.json
var schemaJSON []byte

// Schema returns the JSON schema of a configuration file, for editors. What it
// allows is used, but for what only shows when it is: variables that are not set,
// globs that are none.
func Schema() []byte { return schemaJSON }

// fileSchema makes the schema. doc returns what is said of a setting, by its key
// within "lsp".
func fileSchema(doc func(name string) string) *jsonschema.Schema {
	settings := make(map[string]*jsonschema.Schema)
	for _, k := range keys[1:] { // the first is "lsp" itself
		s := k.schema()
		s.Description, s.Default = doc(k.name()), k.get(defaults())
		settings[k.name()] = s
	}
	entry := serverSchema()
	listed := serverSchema()
	listed.AnyOf = []*jsonschema.Schema{{Required: []string{"id"}}, {Required: []string{"language_id"}}}
	settings["servers"] = &jsonschema.Schema{
		Description: "Servers by id: built-in ones to change, others to add. Or an array of entries with their id.",
		AnyOf: []*jsonschema.Schema{
			{Type: "object", PropertyNames: &jsonschema.Schema{Pattern: validID.String()}, AdditionalProperties: entry},
			{Type: "array", Items: listed},
		},
	}
	off := any(false)
	top := closed(map[string]*jsonschema.Schema{
		"$schema": {Type: "string"},
		"lsp": {
			Description: "All of LSPine; false disables it.",
			AnyOf:       []*jsonschema.Schema{{Const: &off}, closed(settings)},
		},
	})
	top.Schema, top.Title = "https://json-schema.org/draft/2020-12/schema", "Configuration of LSPine"
	return top
}

// serverSchema is that of one entry below servers.
func serverSchema() *jsonschema.Schema {
	members := make(map[string]*jsonschema.Schema)
	for _, f := range fields {
		s := f.schema()
		s.Description = f.doc
		members[f.name] = s
	}
	return closed(members)
}

func defaults() *Settings {
	s := Defaults()
	return &s
}
