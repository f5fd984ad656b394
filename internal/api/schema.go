package api

import (
	"encoding/json"
	"reflect"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/lspine/lspine/internal/result"
)

// schemaOptions give the types that inference cannot do: 1-based numbers, and
// trees, which hold themselves.
var schemaOptions = &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[OneBased]():        {Type: "integer", Minimum: jsonschema.Ptr(1.0)},
	reflect.TypeFor[ChangeKind]():      {Type: "string"},
	reflect.TypeFor[json.RawMessage](): {},
	reflect.TypeFor[result.Symbol]():   {Type: "object", Description: "name, kind, line, column, end_line, children"},
	reflect.TypeFor[result.Node]():     {Type: "object", Description: "name, path, line, column, sites, nodes"},
}}

// schemas are those made so far, by type: each call looks at one. All of them take several megabytes.
var schemas sync.Map

// ForgetSchemas drops the schemas made so far; those that are used again are made again. It is for processes that looked at
// many to list them.
func ForgetSchemas() { schemas.Clear() }

// schemaOf returns the JSON schema of a type, in the subset that all clients of
// MCP read: no unions of types, no references. It is shared.
func schemaOf[T any]() *jsonschema.Schema {
	of := reflect.TypeFor[T]()
	if s, made := schemas.Load(of); made {
		return s.(*jsonschema.Schema)
	}
	s, err := jsonschema.For[T](schemaOptions)
	if err != nil { // a type of ours that has no schema; a test sees each
		panic(err)
	}
	simplify(s)
	schemas.Store(of, s)
	return s
}

// simplify removes what some clients reject: a list or an object that may be
// null, and empty sub-schemas.
func simplify(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Types) > 0 {
		for _, t := range s.Types {
			if t != "null" {
				s.Type = t
			}
		}
		s.Types = nil
	}
	for _, p := range s.Properties {
		simplify(p)
	}
	simplify(s.Items)
	if s.AdditionalProperties != nil && s.AdditionalProperties.Type != "" {
		simplify(s.AdditionalProperties)
	}
}
