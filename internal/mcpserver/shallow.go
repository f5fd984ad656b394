package mcpserver

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// property returns the operation's schema of an argument, nil if it has none.
func (t *tool) property(p *parameter) *jsonschema.Schema {
	if t.op.Input == nil {
		return nil
	}
	if member, ok := strings.CutPrefix(p.target(), inEdits); ok {
		if edits := t.op.Input().Properties["edits"]; edits != nil && edits.Items != nil {
			one := edits.Items
			if inner, ok := strings.CutPrefix(p.target(), inRange); ok {
				one, member = one.Properties["range"], inner
			}
			return one.Properties[member]
		}
	}
	return t.op.Input().Properties[p.target()]
}

// shallow returns the schema of those members of a result that are always present. A result may
// have more.
func shallow(result any) *schema {
	out := &schema{Type: "object", Properties: properties{}}
	t := reflect.TypeOf(result)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return out
	}
	for _, f := range reflect.VisibleFields(t) {
		name, how, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || f.Anonymous || name == "" || name == "-" || strings.HasPrefix(how, "omit") {
			continue
		}
		if kind := kindOf(f.Type); kind != "" {
			out.Properties[name] = &schema{Type: kind}
			if kind == "object" {
				out.Properties[name].Properties = properties{}
			}
		}
	}
	return out
}

// kindOf returns the JSON type of a Go type, "" if it may be any.
func kindOf(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[json.RawMessage]():
		return ""
	case reflect.TypeFor[time.Time]():
		return "string"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.Struct, reflect.Map:
		return "object"
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Float32, reflect.Float64:
		return "number"
	case reflect.Interface:
		return ""
	default:
		return "integer"
	}
}
