package api

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What happened to a file is said in words or with the numbers of LSP, as numbers or as text; a
// number that means nothing is refused with those that do.
func TestKindsOfChanges(t *testing.T) {
	const refused = " is no type: 1 is created, 2 changed, 3 deleted"
	type read struct {
		Kind ChangeKind
		Err  string
	}
	for raw, want := range map[string]read{
		`1`:         {"created", ""},
		`2`:         {"changed", ""},
		`3`:         {"deleted", ""},
		`"3"`:       {"deleted", ""},
		`"1"`:       {"created", ""},
		`"deleted"`: {"deleted", ""},
		`"renamed"`: {"renamed", ""}, // the operation says what is wrong with it
		`0`:         {"", "0" + refused},
		`4`:         {"", "4" + refused},
		`-1`:        {"", "-1" + refused},
		`"4"`:       {"", "4" + refused},
		`[1]`:       {"", "json: cannot unmarshal array into Go value of type string"},
		`true`:      {"", "json: cannot unmarshal bool into Go value of type string"},
	} {
		var got read
		if err := got.Kind.UnmarshalJSON(json.RawMessage(raw)); err != nil {
			got.Err = err.Error()
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", raw, diff)
		}
	}
}

// A request comes as it is, or as the JSON of one, in which the operation's arguments are read; that
// of another operation is a mistake of the program and is said so.
func TestRequestOfACall(t *testing.T) {
	want := SymbolsRequest{File: "a.go", Depth: 2}
	for name, given := range map[string]any{
		"as it is": want, "as JSON": json.RawMessage(`{"file":"a.go","depth":2}`),
	} {
		got, err := Symbols.Request(given)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v: %s", name, err, diff)
		}
	}
	_, err := Symbols.Request(json.RawMessage(`{"deptf":2}`))
	if diff := cmp.Diff(error(&ArgumentError{"deptf", "there is no such argument", `did you mean "depth"?`}), err); diff != "" {
		t.Errorf("a wrong argument: %s", diff)
	}
	if _, err := Symbols.Request(CheckRequest{}); err == nil || err.Error() != "symbols: request is api.CheckRequest, want api.SymbolsRequest" {
		t.Errorf("a request of another operation: %v", err)
	}
}
