package protocol

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// decoders are the ways to read a long answer: at once, and element by element,
// which is the one to be equal to.
var decoders = map[string]struct {
	scan, each func(raw json.RawMessage) (any, int, error)
}{
	"locations": {
		func(raw json.RawMessage) (any, int, error) { return atOnce(raw, (*scanner).locations) },
		func(raw json.RawMessage) (any, int, error) { return eachLocation(raw) },
	},
	"symbols": {
		func(raw json.RawMessage) (any, int, error) { return atOnce(raw, (*scanner).symbols) },
		func(raw json.RawMessage) (any, int, error) {
			elements, err := splitArray(raw)
			symbols, skipped := eachSymbol(elements)
			return symbols, skipped, err
		},
	},
	"items": {
		func(raw json.RawMessage) (any, int, error) { return atOnce(raw, (*scanner).items) },
		func(raw json.RawMessage) (any, int, error) { return eachItem(raw) },
	},
	"calls": {
		func(raw json.RawMessage) (any, int, error) { return atOnce(raw, (*scanner).calls) },
		func(raw json.RawMessage) (any, int, error) { return eachCall(raw) },
	},
}

// atOnce returns -1 for what is odd.
func atOnce[T any](raw json.RawMessage, read func(*scanner) []T) (any, int, error) {
	var found []T
	if !scanned(raw, func(s *scanner) { found = read(s) }) {
		return nil, -1, nil
	}
	return found, 0, nil
}

// same fails unless what is read at once is also what is read element by
// element, and reports whether it was read at once.
func same(t interface{ Fatalf(string, ...any) }, name, raw string) bool {
	d := decoders[name]
	got, odd, _ := d.scan(json.RawMessage(raw))
	if odd != 0 {
		return false
	}
	want, skipped, err := d.each(json.RawMessage(raw))
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || skipped != 0 || err != nil {
		t.Fatalf("%s: %s\n%d skipped, %v\n%s", name, raw, skipped, err, diff)
	}
	return true
}

const (
	scannedRange    = `{"start":{"line":1,"character":2},"end":{"line":1,"character":5}}`
	scannedLocation = `{"uri":"file:///a","range":` + scannedRange + `}`
	scannedSymbol   = `{"name":"T","detail":"struct","kind":23,"tags":[1],"range":` + scannedRange + `,"selectionRange":` + scannedRange + `,"children":[{"name":"f","kind":8,"range":` + scannedRange + `}]}`
	scannedFlat     = `{"name":"g","kind":12,"containerName":"T","location":` + scannedLocation + `}`
	scannedItem     = `{"name":"f","kind":12,"detail":"p","uri":"file:///a","range":` + scannedRange + `,"selectionRange":` + scannedRange + `,"data":{"k":["]",{}]}}`
	scannedCall     = `{"from":` + scannedItem + `,"fromRanges":[` + scannedRange + `,` + scannedRange + `]}`
)

// What servers usually send is read at once.
func TestUsualAnswersAreScanned(t *testing.T) {
	for name, texts := range map[string][]string{
		"locations": {
			`[]`, " [ ] \n", `[` + scannedLocation + `]`, `[` + scannedLocation + ` , ` + scannedLocation + `]`, strings.ReplaceAll(`[`+scannedLocation+`]`, ":{", " : {\n\t"),
			`[{"range":{"end":{"character":5,"line":1},"start":{"character":9,"line":1}},"uri":"file:///\u00e9%20é\"","more":null}]`,
		},
		"symbols": {
			`[` + scannedSymbol + `]`, `[` + scannedFlat + `]`, `[` + scannedSymbol + `,` + scannedFlat + `]`, `[{"name":"g","kind":1,"location":{"uri":"file:///a"}}]`,
			`[{"name":"<é\ud83d\ude00","detail":null,"containerName":null,"children":null,"selectionRange":null,"kind":1,"range":` + scannedRange + `}]`,
		},
		"items": {`[` + scannedItem + `]`, `[ ` + scannedItem + ` ,` + scannedItem + ` ]`},
		"calls": {`[` + scannedCall + `]`, `[{"to":` + scannedItem + `}]`, `[{"to":` + scannedItem + `,"fromRanges":null}]`, `[{"fromRanges":[],"to":` + scannedItem + `}]`},
	} {
		for _, text := range texts {
			if !same(t, name, text) {
				t.Errorf("%s: %s is odd", name, text)
			}
		}
	}
}

// What could mean something else to encoding/json is odd.
func TestOddAnswersAreNotScanned(t *testing.T) {
	deep := strings.Repeat(`[{"name":"x","range":`+scannedRange+`,"children":`, 2000)
	for name, texts := range map[string][]string{
		"locations": {
			``, `null`, scannedLocation, `[null]`, `[` + scannedLocation, `[` + scannedLocation + `]]`, `[` + scannedLocation + `,]`, `[,` + scannedLocation + `]`,
			`[{"uri":"file:///a"}]`, `[{"uri":"","range":` + scannedRange + `}]`, `[{"uri":"file:///a","uri":"file:///b","range":` + scannedRange + `}]`,
			`[{"URI":"file:///a","uri":"file:///b","range":` + scannedRange + `}]`, `[{"\u0075ri":"file:///a","uri":"file:///b","range":` + scannedRange + `}]`,
			`[{"targetUri":"file:///a","uri":"file:///b","range":` + scannedRange + `}]`,
			strings.Replace(`[`+scannedLocation+`]`, ":1,", ":-1,", 1), strings.Replace(`[`+scannedLocation+`]`, ":1,", ":1.5,", 1), strings.Replace(`[`+scannedLocation+`]`, ":1,", ":01,", 1),
			strings.Replace(`[`+scannedLocation+`]`, ":1,", ":1e3,", 1), strings.Replace(`[`+scannedLocation+`]`, ":1,", ":1234567890,", 1), strings.Replace(`[`+scannedLocation+`]`, ":1,", ":,", 1),
			"[{\"uri\":\"file:///\n\",\"range\":" + scannedRange + `}]`, `[{"uri":"file:///a","range":` + scannedRange + `,"x":[}]`, `[{"uri":"file:///a","range":` + scannedRange + `,"x":tru}]`,
			`[{:1,"uri":"file:///a","range":` + scannedRange + `}]`, `[{"uri":"file:///a","range":` + scannedRange + `,"x":{:1}}]`,
		},
		"symbols": {
			`[{"name":"","kind":1,"range":` + scannedRange + `}]`, `[{"name":"x","kind":"1","range":` + scannedRange + `}]`, `[{"name":"x","kind":1}]`,
			`[{"name":"x","range":` + scannedRange + `,"location":` + scannedLocation + `}]`, `[{"name":"x","range":` + scannedRange + `,"children":[7]}]`,
			deep + `[]` + strings.Repeat(`}]`, 2000),
		},
		"items": {`[{"name":"x","uri":"file:///a"}]`, `[{"name":null,"uri":"file:///a","range":` + scannedRange + `}]`},
		"calls": {`[{}]`, `[{"from":null,"to":` + scannedItem + `}]`, `[{"from":` + scannedItem + `,"to":` + scannedItem + `}]`, `[{"from":` + scannedItem + `,"fromRanges":[null]}]`},
	} {
		for _, text := range texts {
			if same(t, name, text) {
				t.Errorf("%s: %.200s is not odd", name, text)
			}
		}
	}
}

// An answer that breaks off is odd wherever it does, also within a member that is passed over.
func TestCutAnswersAreNotScanned(t *testing.T) {
	for name, text := range map[string]string{
		"locations": `[` + strings.Replace(scannedLocation, "{", `{"x":{"k":["]",{}],"n":12},"y":"\"\\",`, 1) + `]`,
		"symbols":   `[` + scannedSymbol + `,` + scannedFlat + `]`,
		"items":     `[` + scannedItem + `]`,
		"calls":     `[` + scannedCall + `]`,
	} {
		if !same(t, name, text) {
			t.Errorf("%s: %s is odd", name, text)
		}
		for end := range text {
			if _, odd, _ := decoders[name].scan(json.RawMessage(text[:end])); odd == 0 {
				t.Errorf("%s: %s is not odd", name, text[:end])
			}
		}
	}
}

// What is no list has neither answers nor any that were skipped.
func TestAnswersThatAreNoLists(t *testing.T) {
	for name, d := range decoders {
		if found, skipped, err := d.each(json.RawMessage(`7`)); err == nil || skipped != 0 || reflect.ValueOf(found).Len() > 0 {
			t.Errorf("%s: %v, %d skipped, %v", name, found, skipped, err)
		}
	}
}

// However an answer is damaged: if it is read at once, it is read as element by
// element.
func TestScanIsTheSame(t *testing.T) {
	whole := map[string]string{
		"locations": `[` + scannedLocation + `,{"uri":"file:///b","range":` + scannedRange + `,"x":"é\\"}]`,
		"symbols":   `[` + scannedSymbol + `,` + scannedFlat + `]`,
		"items":     `[` + scannedItem + `,` + scannedItem + `]`,
		"calls":     `[` + scannedCall + `,{"to":` + scannedItem + `}]`,
	}
	pieces := []string{
		``, ` `, `null`, `0`, `7`, `-1`, `1.5`, `"x"`, `""`, `{}`, `[]`, `true`, `\`, `"`, `,`, `:`, `{`, `}`, `[`, `]`, "\n", "\x00", "\xff", `\u0000`, `\ud800`, `é`, `1e9`, `99999999999`,
		`"uri":`, `"URI":`, `"range":` + scannedRange, `"kind":3,`, `"name":"y",`, `"detail":null,`, `"location":{},`, `"from":{},`, `"line":3,`, `,"x":{"y":[1,"]"]}`,
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"locations", "symbols", "items", "calls"}).Draw(t, "decoder")
		text := whole[name]
		for i := range rapid.IntRange(1, 3).Draw(t, "damages") {
			from := rapid.IntRange(0, len(text)).Draw(t, fmt.Sprint("from", i))
			to := min(len(text), from+rapid.SampledFrom([]int{0, 0, 1, 2, 7, 30}).Draw(t, fmt.Sprint("length", i)))
			text = text[:from] + rapid.SampledFrom(pieces).Draw(t, fmt.Sprint("piece", i)) + text[to:]
		}
		same(t, name, text)
	})
}
