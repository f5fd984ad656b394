//go:build unix

package agents

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// script is what the model says. Each main request (one that offers tools) takes the next turn; after the last
// one the model only says "Done.".
type script struct {
	Turns []turn `json:"turns"`
	// Side is the answer to requests without tools, by which agents ask for titles, summaries and the like.
	Side string `json:"side"`
}

// turn is one answer.
type turn struct {
	Text  string `json:"text"`
	Calls []call `json:"calls"`
	// Optional turns are left out when a tool that they call is not offered.
	Optional bool `json:"optional"`
	// Does says for people what the turn does.
	Does string `json:"-"`
}

// call is one call of a tool.
type call struct {
	// Tool is a regular expression; the first tool offered whose whole name it matches is called.
	Tool string `json:"tool"`
	// Args is the object of arguments, or a string for tools that take free text.
	Args json.RawMessage `json:"args"`
}

// resolve finds the tools that a turn calls among those that the request offers.
func (t turn) resolve(number int, offered []tool) answer {
	a := answer{Text: t.Text, Does: t.Does}
	for i, c := range t.Calls {
		wanted := regexp.MustCompile("^(?:" + c.Tool + ")$")
		found := false
		for _, o := range offered {
			if wanted.MatchString(o.Name) || wanted.MatchString(o.qualified()) {
				a.Calls = append(a.Calls, resolved{ID: fmt.Sprintf("call_%d_%d", number, i), Tool: o, Args: c.Args})
				found = true
				break
			}
		}
		if !found {
			a.Missing = append(a.Missing, c.Tool)
		}
	}
	if len(a.Missing) > 0 {
		a.Text += "No tool offered is named " + strings.Join(a.Missing, ", ") + "."
	}
	if a.Text == "" && len(a.Calls) == 0 {
		a.Text = "Done."
	}
	return a
}

// example makes the smallest value that a JSON schema allows, for requests that want JSON and no prose.
func example(schema map[string]any) any {
	if enum, ok := schema["enum"].([]any); ok && len(enum) > 0 {
		return enum[len(enum)-1]
	}
	kind, _ := schema["type"].(string)
	switch strings.ToLower(kind) {
	case "object":
		object := map[string]any{}
		properties, _ := schema["properties"].(map[string]any)
		for name, property := range properties {
			inner, _ := property.(map[string]any)
			object[name] = example(inner)
		}
		return object
	case "array":
		return []any{}
	case "number", "integer":
		return 1
	case "boolean":
		return false
	}
	return "ok"
}
