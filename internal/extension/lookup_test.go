package extension

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What an extension has is found by its name in its own list, and no extension has anything.
func TestWhatAnExtensionHas(t *testing.T) {
	x := &Extension{
		Tools: []Tool{{Name: "a", Title: "a tool"}, {Name: "b", Title: "b tool"}}, Resources: []Resource{{Name: "a", Title: "a resource"}, {Name: "c", Title: "c resource"}},
		Subscriptions: []Subscription{{Name: "d"}, {Name: "e"}},
	}
	type found struct{ Tool, Resource, Subscription string }
	of := func(x *Extension, name string) (f found) {
		if tool := x.Tool(name); tool != nil {
			f.Tool = tool.Title
		}
		if resource := x.Resource(name); resource != nil {
			f.Resource = resource.Title
		}
		if subscription := x.Subscription(name); subscription != nil {
			f.Subscription = subscription.Name
		}
		return f
	}
	for name, want := range map[string]found{"a": {Tool: "a tool", Resource: "a resource"}, "b": {Tool: "b tool"}, "c": {Resource: "c resource"}, "d": {Subscription: "d"}, "e": {Subscription: "e"}, "f": {}} {
		if diff := cmp.Diff(want, of(x, name)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(found{}, of(nil, name)); diff != "" {
			t.Errorf("%s of none (-want +got):\n%s", name, diff)
		}
	}
}

// A file's language is told by its whole name before its ending; a set without that language has no extension for it.
func TestExtensionOfAFile(t *testing.T) {
	set := Set{"go": {Tools: []Tool{{Name: "of go"}}}, "go.mod": {Tools: []Tool{{Name: "of go.mod"}}}}
	for file, want := range map[string]string{"a.go": "of go", "src/a.go": "of go", "go.mod": "of go.mod", "src/go.mod": "of go.mod", "a.py": "", "a.unheard": "", "": "", "go": ""} {
		got := ""
		if x := set.Of(file); x != nil {
			got = x.Tools[0].Name
		}
		if got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	if (Set{}).Of("a.go") != nil || Set(nil).Of("a.go") != nil {
		t.Error("an empty set has an extension")
	}
}

// An extension is whole if each of its parts can do its work and has a name of its own in its list, whatever the other
// lists have.
//
// Requirement: AGENT-29.
func TestWholeExtensions(t *testing.T) {
	read := func(context.Context, *Call) (string, error) { return "", nil }
	watch := func(context.Context, *Call, func()) error { return nil }
	text := func(context.Context, map[string]string) (string, error) { return "", nil }
	whole := Extension{
		Tools: []Tool{{Name: "a", Run: run}, {Name: "b_2", Run: run, Input: json.RawMessage(" \n{}")}}, Resources: []Resource{{Name: "b", Read: read}, {Name: "a", Read: read}},
		Subscriptions: []Subscription{{Name: "a", Watch: watch}, {Name: "0-x", Watch: watch}}, Prompts: []Prompt{{Name: "a", Text: text}, {Name: "c", Text: text}},
	}
	if err := whole.check(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(x *Extension){
		`"b" is no name, or is used twice`:                                     func(x *Extension) { x.Resources = []Resource{{Name: "b", Read: read}, {Name: "b", Read: read}} },
		`"" is no name, or is used twice`:                                      func(x *Extension) { x.Subscriptions = []Subscription{{Watch: watch}} },
		`"-a" is no name, or is used twice`:                                    func(x *Extension) { x.Prompts = []Prompt{{Name: "-a", Text: text}} },
		`tool "a" has no Run, or an Input that is no JSON schema of an object`: func(x *Extension) { x.Tools = []Tool{{Name: "a", Input: json.RawMessage("{}")}} },
		`tool "c" has no Run, or an Input that is no JSON schema of an object`: func(x *Extension) { x.Tools = []Tool{{Name: "c", Run: run, Input: json.RawMessage("[]")}} },
	} {
		x := whole
		change(&x)
		if err := x.check(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
