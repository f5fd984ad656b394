package protocol

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Numbers are read as far as they are exact, fractions cut off; what is none is none.
func TestNumbersOfJSON(t *testing.T) {
	for raw, want := range map[string]string{
		`7`: "7 true", `-7.9`: "-7 true", `1e3`: "1000 true", `9007199254740992`: "9007199254740992 true", `9007199254740994`: "0 false", `-9007199254740992`: "-9007199254740992 true",
		`-9007199254740994`: "0 false", ``: "0 false", `null`: "0 false", `"7"`: "0 false", `true`: "0 false", `[7]`: "0 false", ` 7 `: "7 true",
	} {
		n, ok := number(json.RawMessage(raw))
		if got := fmt.Sprint(n, " ", ok); got != want {
			t.Errorf("%q is %s, want %s", raw, got, want)
		}
	}
}

// A line or a column that no text has is moved to one that it may have.
func TestNumbersOfPlaces(t *testing.T) {
	const most = 1<<31 - 1
	for raw, want := range map[string]uint32{
		`0`: 0, `7`: 7, `999999999`: 999_999_999, `1000000000`: 1_000_000_000, `2147483647`: most, `2147483648`: most, `4294967296`: most, `1e99`: most,
		`-1`: 0, `0.9`: 0, `7.9`: 7, `null`: 0, `"7"`: 0, `1e2`: 100, `{}`: 0, `[1]`: 0, `true`: 0,
	} {
		var c clamped
		if err := json.Unmarshal([]byte(raw), &c); err != nil || uint32(c) != want || clamp(json.RawMessage(raw)) != want {
			t.Errorf("%s is %d and %d, %v; want %d", raw, c, clamp(json.RawMessage(raw)), err, want)
		}
	}
}

// A code is text however it is written: also as a number, and within an object.
func TestCodesAsText(t *testing.T) {
	for raw, want := range map[string]string{
		`"E1"`: "E1", `7`: "7", `7.0`: "7", `-1`: "-1", `{"value":"E1","target":"x"}`: "E1", `{"value":7}`: "7", `{"value":{"value":7}}`: "7",
		`""`: "", `null`: "", ``: "", `{}`: "", `{"value":null}`: "", `[]`: "", `true`: "",
	} {
		if got := codeText(json.RawMessage(raw)); got != want {
			t.Errorf("%s is %q, want %q", raw, got, want)
		}
	}
}

// A text is a string or the value of a markup; of neither there is none, which is not the empty one.
func TestTextsOfMarkup(t *testing.T) {
	for raw, want := range map[string]string{
		`"a"`: "a true", `""`: " true", `{"kind":"markdown","value":"a"}`: "a true", `{"value":""}`: " true", `{"kind":"markdown"}`: " false", `{"value":null}`: " false",
		`null`: " false", ``: " false", `7`: " false", `[]`: " false",
	} {
		text, ok := markupText(json.RawMessage(raw))
		if got := fmt.Sprint(text, " ", ok); got != want {
			t.Errorf("%s is %q, want %q", raw, got, want)
		}
	}
}

// A place is that of the name where a link has one, else of the whole; what has no file or no range is none.
func TestFormsOfALocation(t *testing.T) {
	ranged := func(line int) string {
		return fmt.Sprintf(`{"start":{"line":%d,"character":0},"end":{"line":%[1]d,"character":1}}`, line)
	}
	for raw, want := range map[string]string{
		`{"uri":"file:///a","range":` + ranged(1) + `}`:                                                         "file:///a 1 true",
		`{"targetUri":"file:///a","targetRange":` + ranged(1) + `,"targetSelectionRange":` + ranged(2) + `}`:    "file:///a 2 true",
		`{"targetUri":"file:///a","targetRange":` + ranged(1) + `}`:                                             "file:///a 1 true",
		`{"uri":"file:///a","range":` + ranged(1) + `,"targetUri":"file:///b","targetRange":` + ranged(2) + `}`: "file:///a 1 true",
		`{"uri":"file:///a","targetUri":"file:///b","targetRange":` + ranged(2) + `}`:                           "file:///b 2 true",
		`{"uri":"","range":` + ranged(1) + `}`:                                                                  " 0 false", `{"uri":"file:///a"}`: " 0 false", `{"targetUri":"file:///a"}`: " 0 false",
		`{"targetSelectionRange":` + ranged(1) + `}`: " 0 false", `{"targetRange":` + ranged(1) + `}`: " 0 false", `{}`: " 0 false",
	} {
		var w wireLocation
		if err := json.Unmarshal([]byte(raw), &w); err != nil {
			t.Fatal(err)
		}
		l, ok := w.Location()
		if got := fmt.Sprint(l.URI, " ", l.Range.Start.Line, " ", ok); got != want {
			t.Errorf("%s is %s, want %s", raw, got, want)
		}
	}
}

// The end of a range is not before its begin.
func TestRangesInOrder(t *testing.T) {
	for raw, want := range map[string]Range{
		`{"start":{"line":1,"character":2},"end":{"line":1,"character":2}}`: at(1, 2, 1, 2), `{"start":{"line":1,"character":2},"end":{"line":1,"character":1}}`: at(1, 2, 1, 2),
		`{"start":{"line":1,"character":2},"end":{"line":0,"character":9}}`: at(1, 2, 1, 2), `{"start":{"line":1,"character":2},"end":{"line":2,"character":0}}`: at(1, 2, 2, 0),
	} {
		var w wireRange
		if err := json.Unmarshal([]byte(raw), &w); err != nil || w.Range() != want {
			t.Errorf("%s is %+v, %v", raw, w.Range(), err)
		}
	}
}

// A version that does not fit is the nearest that does, in both kinds of messages that have one.
func TestVersionsThatDoNotFit(t *testing.T) {
	for raw, want := range map[string]string{
		`7`: "7", `-1`: "-1", `2147483647`: "2147483647", `2147483648`: "2147483647", `-2147483648`: "-2147483648", `-2147483649`: "-2147483648", `null`: "none", `"7"`: "none", `{}`: "none",
	} {
		shown := func(version *int32) string {
			if version == nil {
				return "none"
			}
			return fmt.Sprint(*version)
		}
		p, err := DecodePublish(json.RawMessage(`{"uri":"file:///a","version":` + raw + `,"diagnostics":[]}`))
		if err != nil || shown(p.Version) != want {
			t.Errorf("published with %s: %s, %v; want %s", raw, shown(p.Version), err, want)
		}
		reports, _, err := DecodeWorkspaceReports(json.RawMessage(`{"items":[{"kind":"full","uri":"file:///a","version":` + raw + `,"items":[]}]}`))
		if err != nil || len(reports) != 1 || shown(reports[0].Version) != want {
			t.Errorf("reported with %s: %+v, %v; want %s", raw, reports, err, want)
		}
	}
}

// A pull of the workspace names what was reported before, and its partial results; without anything before it says that.
func TestParametersOfAWorkspacePull(t *testing.T) {
	for want, params := range map[string]any{
		`{"previousResultIds":[],"partialResultToken":"t"}`:                                                 WorkspacePullParams("", nil, "t"),
		`{"identifier":"i","previousResultIds":[{"uri":"file:///a","value":"r"}],"partialResultToken":"t"}`: WorkspacePullParams("i", map[DocumentURI]string{"file:///a": "r"}, "t"),
	} {
		raw, err := json.Marshal(params)
		if string(raw) != want || err != nil {
			t.Errorf("%s, %v; want %s", raw, err, want)
		}
	}
}

// What is read wrongly says of which message it is.
func TestErrorsNameTheMessage(t *testing.T) {
	bad := json.RawMessage(`{"items":7,"diagnostics":7,"body":7}`)
	_, publish := DecodePublish(bad)
	_, noPublish := DecodePublish(json.RawMessage(`7`))
	_, report := DecodeReport(bad)
	_, _, workspace := DecodeWorkspaceReports(bad)
	_, _, tsserver := DecodeTSServer(bad)
	_, progress := DecodeProgress(json.RawMessage(`7`))
	_, _, tokens := DecodeSemanticTokens(json.RawMessage(`7`), TokenLegend{})
	_, initialize := DecodeInitializeResult(json.RawMessage(`7`))
	for want, err := range map[string]error{
		"publishDiagnostics: ": publish, "publishDiagnostics: json": noPublish, "diagnostic report: ": report, "workspace diagnostic report: ": workspace,
		"tsserver response: ": tsserver, "progress: ": progress, "semantic tokens: ": tokens, "initialize result: ": initialize,
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s…", err, want)
		}
	}
	_, _, silent := DecodeTSServer(json.RawMessage(`{"success":false,"message":"No Project."}`))
	if diff := cmp.Diff("tsserver has no diagnostics to give: No Project.", fmt.Sprint(silent)); diff != "" {
		t.Error(diff)
	}
}

// One object is a list of one; in blanks it is still one.
func TestOneObjectOrMany(t *testing.T) {
	for raw, want := range map[string]int{`{}`: 1, ` {"a":[]} `: 1, `[]`: 0, `[{},{}]`: 2, `null`: 0, ``: 0} {
		elements, err := oneOrMany(json.RawMessage(raw))
		if len(elements) != want || err != nil {
			t.Errorf("%q has %d elements, %v", raw, len(elements), err)
		}
	}
	if _, err := oneOrMany(json.RawMessage(`7`)); err == nil {
		t.Error("a number is a list")
	}
}

// The lines of a text are found wherever their ends stand among eight bytes.
func TestStartsOfLines(t *testing.T) {
	for length := range 20 {
		for end := range length + 1 {
			text := []byte(strings.Repeat("\x0b", length))
			want := []int{0}
			if end < length {
				text[end] = '\n'
				want = append(want, end+1)
			}
			if diff := cmp.Diff(want, appendLines([]int{0}, text, 0)); diff != "" {
				t.Errorf("%q: %s", text, diff)
			}
		}
	}
	if diff := cmp.Diff([]int{4, 5, 6, 9}, appendLines(nil, []byte("\n\nx\n\n\nab\n"), 3)); diff != "" {
		t.Errorf("from an offset on: %s", diff)
	}
	for length := range 40 {
		for odd := range length {
			text := []byte(strings.Repeat("\x7f", length))
			if !isASCII(text) {
				t.Errorf("%d letters are not ASCII", length)
			}
			if text[odd] = 0x80; isASCII(text) {
				t.Errorf("with one at %d of %d they are ASCII", odd, length)
			}
		}
	}
}
