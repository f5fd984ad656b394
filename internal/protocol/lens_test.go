package protocol

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An element without a range is no lens: it is counted and left out, and the others stay,
// each with all that the server needs to resolve it.
func TestDecodeCodeLenses(t *testing.T) {
	const good = `{"range":{"start":{"line":1,"character":2},"end":{"line":1,"character":3}},"data":7}`
	lenses, skipped, err := DecodeCodeLenses(json.RawMessage(`[{"data":1},` + good + `,null]`))
	want := []CodeLens{{Range: Range{Start: Position{Line: 1, Character: 2}, End: Position{Line: 1, Character: 3}}, Raw: json.RawMessage(good)}}
	if diff := cmp.Diff(want, lenses); diff != "" || skipped != 2 || err != nil {
		t.Errorf("%d skipped, %v\n%s", skipped, err, diff)
	}
	if lenses, skipped, err := DecodeCodeLenses(json.RawMessage(`{}`)); err == nil || lenses != nil || skipped != 0 {
		t.Error(lenses, skipped, err)
	}
}
