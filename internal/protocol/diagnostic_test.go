package protocol

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// at is the range from 0-based line and character to line and character.
func at(line, from, endLine, to uint32) Range {
	return Range{Position{line, from}, Position{endLine, to}}
}

const plainRange = `"range":{"start":{"line":1,"character":2},"end":{"line":1,"character":5}}`

// Each way to write a diagnostic that servers have becomes one; what is odd
// costs no more than itself.
func TestOneDiagnostic(t *testing.T) {
	plain := Diagnostic{Range: at(1, 2, 1, 5), Severity: SeverityError, Message: "m"}
	with := func(change func(d *Diagnostic)) Diagnostic {
		d := plain
		change(&d)
		return d
	}
	position := func(start, end string) string {
		return `{"range":{"start":` + start + `,"end":` + end + `},"message":"m"}`
	}
	member := func(text string) string { return `{` + plainRange + `,"message":"m",` + text + `}` }
	for _, c := range []struct {
		name, json string
		want       Diagnostic
	}{
		{"the least", `{` + plainRange + `,"message":"m"}`, plain},
		{
			"the most", member(`"severity":2,"code":"E1","source":"lint","tags":[1,2],"codeDescription":{"href":"x"},"data":{"a":[]},
			"relatedInformation":[{"location":{"uri":"file:///b","range":{"start":{"line":7,"character":0},"end":{"line":7,"character":1}}},"message":"see"}]`),
			Diagnostic{
				at(1, 2, 1, 5), SeverityWarning, "E1", "lint", "m",
				[]Tag{Unnecessary, Deprecated},
				[]Related{{Location{"file:///b", at(7, 0, 7, 1)}, "see"}},
				nil,
			},
		},
		{"nulls everywhere", member(`"severity":null,"code":null,"source":null,"tags":null,"relatedInformation":null,"data":null`), plain},
		{"unknown members", member(`"grease":{"a":1},"":0`), plain},

		{"severity 1", member(`"severity":1`), plain},
		{"severity 3", member(`"severity":3`), with(func(d *Diagnostic) { d.Severity = SeverityInfo })},
		{"severity 4", member(`"severity":4`), with(func(d *Diagnostic) { d.Severity = SeverityHint })},
		{"severity 2.0", member(`"severity":2.0`), with(func(d *Diagnostic) { d.Severity = SeverityWarning })},
		{"severity 0", member(`"severity":0`), plain},
		{"severity 5", member(`"severity":5`), plain},
		{"severity -1", member(`"severity":-1`), plain},
		{"severity as text", member(`"severity":"warning"`), plain},

		{"a number as code", member(`"code":2304`), with(func(d *Diagnostic) { d.Code = "2304" })},
		{"a negative code", member(`"code":-7`), with(func(d *Diagnostic) { d.Code = "-7" })},
		{"a float as code", member(`"code":2304.0`), with(func(d *Diagnostic) { d.Code = "2304" })},
		{"a huge code", member(`"code":1e300`), plain},
		{"an object as code", member(`"code":{"value":"no-x","target":"file:///doc"}`), with(func(d *Diagnostic) { d.Code = "no-x" })},
		{"an object with a number", member(`"code":{"value":17,"target":""}`), with(func(d *Diagnostic) { d.Code = "17" })},
		{"an object without value", member(`"code":{"target":""}`), plain},
		{"a boolean as code", member(`"code":true`), plain},
		{"an empty code", member(`"code":""`), plain},
		{"a list as code", member(`"code":["x"]`), plain},

		{"markup", `{` + plainRange + `,"message":{"kind":"markdown","value":"m"}}`, plain},
		{"an empty message", `{` + plainRange + `,"message":""}`, with(func(d *Diagnostic) { d.Message = "" })},
		{"half a surrogate pair", `{` + plainRange + `,"message":"\ud83d!"}`, with(func(d *Diagnostic) { d.Message = "\ufffd!" })},
		{"a number as source", member(`"source":7`), plain},
		{"odd tags", member(`"tags":["x",1,null,{}]`), with(func(d *Diagnostic) { d.Tags = []Tag{Unnecessary} })},
		{"tags that are no list", member(`"tags":1`), plain},
		{
			"odd related information", member(`"relatedInformation":[null,7,{"message":"nowhere"},{"location":{"uri":"file:///b"},"message":"x"},
			{"location":{"uri":"file:///c",` + plainRange + `}}]`),
			with(func(d *Diagnostic) { d.Related = []Related{{Location: Location{"file:///c", at(1, 2, 1, 5)}}} }),
		},
		{"related information that is no list", member(`"relatedInformation":{"a":1}`), plain},

		{"negative", position(`{"line":-1,"character":-5}`, `{"line":0,"character":1}`), with(func(d *Diagnostic) { d.Range = at(0, 0, 0, 1) })},
		{
			"huge", position(`{"line":0,"character":0}`, `{"line":4294967295,"character":18446744073709551615}`),
			with(func(d *Diagnostic) { d.Range = at(0, 0, 1<<31-1, 1<<31-1) }),
		},
		{"fractions", position(`{"line":1.9,"character":2.5}`, `{"line":2.0,"character":0}`), with(func(d *Diagnostic) { d.Range = at(1, 2, 2, 0) })},
		{"the end first", position(`{"line":5,"character":3}`, `{"line":5,"character":1}`), with(func(d *Diagnostic) { d.Range = at(5, 3, 5, 3) })},
		{"null lines", position(`{"line":null,"character":3}`, `{"line":0,"character":4}`), with(func(d *Diagnostic) { d.Range = at(0, 3, 0, 4) })},
		{"text for numbers", position(`{"line":"2","character":"x"}`, `{"line":0,"character":0}`), with(func(d *Diagnostic) { d.Range = at(0, 0, 0, 0) })},
		{"no end", `{"range":{"start":{"line":3,"character":1}},"message":"m"}`, with(func(d *Diagnostic) { d.Range = at(3, 1, 3, 1) })},
		{"an empty range", `{"range":{},"message":"m"}`, with(func(d *Diagnostic) { d.Range = Range{} })},
	} {
		items, skipped, err := DecodeDiagnostics(json.RawMessage(`[` + c.json + `]`))
		if err != nil || skipped != 0 {
			t.Errorf("%s: %d skipped, %v", c.name, skipped, err)
		}
		if d := cmp.Diff([]Diagnostic{c.want}, items, withoutRaw); d != "" {
			t.Errorf("%s:\n%s", c.name, d)
		}
	}
}

// An element that is no diagnostic is skipped and counted; its neighbours
// stay, in order.
func TestBadElementsAreSkipped(t *testing.T) {
	const good = `{` + plainRange + `,"message":"good"}`
	for _, bad := range []string{
		`null`, `7`, `"x"`, `[]`, `{}`, `{"message":"no range"}`, `{` + plainRange + `}`, `{` + plainRange + `,"message":null}`,
		`{` + plainRange + `,"message":7}`, `{` + plainRange + `,"message":{"kind":"markdown"}}`, `{"range":null,"message":"m"}`,
		`{"range":5,"message":"m"}`, `{"range":{"start":5,"end":{}},"message":"m"}`,
	} {
		items, skipped, err := DecodeDiagnostics(json.RawMessage(`[` + good + `,` + bad + `,` + good + `]`))
		if err != nil || skipped != 1 || len(items) != 2 || items[0].Message != "good" || items[1].Message != "good" {
			t.Errorf("%s: %d items, %d skipped, %v", bad, len(items), skipped, err)
		}
	}
}

// Nothing is an empty list; what is no list at all is an error.
func TestListsOfDiagnostics(t *testing.T) {
	for _, raw := range []string{``, `null`, ` null `, `[]`} {
		if items, skipped, err := DecodeDiagnostics(json.RawMessage(raw)); len(items) != 0 || skipped != 0 || err != nil {
			t.Errorf("%q: %v, %d, %v", raw, items, skipped, err)
		}
	}
	for _, raw := range []string{`{}`, `7`, `"[]"`, `[`} {
		if _, _, err := DecodeDiagnostics(json.RawMessage(raw)); err == nil {
			t.Errorf("%q is a list", raw)
		}
	}
}

// Severities are named as in settings, and read back.
func TestSeverityNames(t *testing.T) {
	for s, name := range map[Severity]string{SeverityError: "error", SeverityWarning: "warning", SeverityInfo: "info", SeverityHint: "hint"} {
		if s.String() != name {
			t.Errorf("%d is %q, want %q", s, s, name)
		}
		if got, ok := ParseSeverity(name); got != s || !ok {
			t.Errorf("%q is %d, %t", name, got, ok)
		}
	}
	for _, odd := range []Severity{0, 5, -1} {
		if odd.String() != "error" {
			t.Errorf("%d is %q", int(odd), odd)
		}
	}
	for _, name := range []string{"", "Error", "fatal"} {
		if s, ok := ParseSeverity(name); ok {
			t.Errorf("%q is severity %d", name, s)
		}
	}
}

// A publish is read with or without version; a bad one costs the version only.
func TestPublish(t *testing.T) {
	version := func(n int32) *int32 { return &n }
	const items = `"uri":"file:///a","diagnostics":[{` + plainRange + `,"message":"m"},7]`
	for _, c := range []struct {
		json string
		want *int32
	}{
		{`{` + items + `}`, nil},
		{`{"version":3,` + items + `}`, version(3)},
		{`{"version":0,` + items + `}`, version(0)},
		{`{"version":-2,` + items + `}`, version(-2)},
		{`{"version":3.0,` + items + `}`, version(3)},
		{`{"version":99999999999,` + items + `}`, version(1<<31 - 1)},
		{`{"version":-99999999999,` + items + `}`, version(-1 << 31)},
		{`{"version":null,` + items + `}`, nil},
		{`{"version":"3",` + items + `}`, nil},
	} {
		p, err := DecodePublish(json.RawMessage(c.json))
		if err != nil || p.URI != "file:///a" || len(p.Items) != 1 || p.Skipped != 1 {
			t.Errorf("%s: %+v, %v", c.json, p, err)
		}
		if d := cmp.Diff(c.want, p.Version); d != "" {
			t.Errorf("%s: version\n%s", c.json, d)
		}
	}
	for _, raw := range []string{`{"uri":"file:///a"}`, `{"uri":"file:///a","diagnostics":null}`} {
		if p, err := DecodePublish(json.RawMessage(raw)); err != nil || len(p.Items) != 0 {
			t.Errorf("%s: %+v, %v", raw, p, err)
		}
	}
	for _, raw := range []string{``, `[]`, `{"uri":7,"diagnostics":[]}`, `{"uri":"file:///a","diagnostics":{}}`} {
		if _, err := DecodePublish(json.RawMessage(raw)); err == nil {
			t.Errorf("%q is a publish", raw)
		}
	}
}

// tsserver's own diagnostics, 1-based, become ours.
func TestTSServerDiagnostics(t *testing.T) {
	items, skipped, err := DecodeTSServer(json.RawMessage(`{"seq":0,"type":"response","success":true,"body":[
		{"start":{"line":2,"offset":7},"end":{"line":2,"offset":10},"text":"no x","code":2304,"category":"error"},
		{"start":{"line":1,"offset":1},"end":{"line":1,"offset":2},"text":"unused","code":6133,"category":"suggestion","reportsUnnecessary":true,"reportsDeprecated":true,"source":"mine"},
		{"start":{"line":0,"offset":0},"end":{"line":0,"offset":0},"text":"odd","category":"who knows"},
		{"start":{"line":3,"offset":1},"end":{"line":3,"offset":2},"text":"w","category":"warning",
		 "relatedInformation":[{"message":"nowhere"},{"message":"here","span":{"file":"/b c.ts","start":{"line":5,"offset":2},"end":{"line":5,"offset":4}}}]},
		{"start":{"line":3,"offset":1},"end":{"line":3,"offset":2},"text":"i","category":"message"},
		{"text":"global","code":1,"category":"error"}, 7, null, {"start":{"line":-1,"offset":1},"end":{"line":1,"offset":1},"text":"x"}
	]}`))
	want := []Diagnostic{
		{Range: at(1, 6, 1, 9), Severity: SeverityError, Code: "2304", Source: "typescript", Message: "no x"},
		{Range: at(0, 0, 0, 1), Severity: SeverityHint, Code: "6133", Source: "mine", Message: "unused", Tags: []Tag{Unnecessary, Deprecated}},
		{Severity: SeverityError, Source: "typescript", Message: "odd"},
		{Range: at(2, 0, 2, 1), Severity: SeverityWarning, Source: "typescript", Message: "w", Related: []Related{{Location{"file:///b%20c.ts", at(4, 1, 4, 3)}, "here"}}},
		{Range: at(2, 0, 2, 1), Severity: SeverityInfo, Source: "typescript", Message: "i"},
	}
	if d := cmp.Diff(want, items, withoutRaw); d != "" || skipped != 4 || err != nil {
		t.Errorf("%d skipped, %v\n%s", skipped, err, d)
	}
	if items, skipped, err := DecodeTSServer(json.RawMessage(`{"body":[]}`)); len(items) != 0 || skipped != 0 || err != nil {
		t.Errorf("no diagnostics: %v, %d, %v", items, skipped, err)
	}
	// "No answer" is never "no diagnostics".
	for _, raw := range []string{``, `null`, `{}`, `{"success":false,"message":"No Project.","body":[]}`, `{"success":true,"body":null}`, `{"body":{}}`, `[]`} {
		if items, _, err := DecodeTSServer(json.RawMessage(raw)); err == nil {
			t.Errorf("%q means %v", raw, items)
		}
	}
}

// A report of a pull is full or unchanged, has what related documents say, and
// counts what it could not use.
func TestReports(t *testing.T) {
	const item = `{` + plainRange + `,"message":"m"}`
	items := []Diagnostic{{Range: at(1, 2, 1, 5), Severity: SeverityError, Message: "m"}}
	for _, c := range []struct {
		name, json string
		want       Report
	}{
		{"full", `{"kind":"full","resultId":"r1","items":[` + item + `]}`, Report{ResultID: "r1", Items: items}},
		{"unchanged", `{"kind":"unchanged","resultId":"r1"}`, Report{Unchanged: true, ResultID: "r1"}},
		{"empty", `{"kind":"full","items":[]}`, Report{}},
		{"null", `null`, Report{}},
		{"nothing", ``, Report{}},
		{"no kind", `{"items":[` + item + `]}`, Report{Items: items}},
		{"an odd kind", `{"kind":7,"items":[` + item + `]}`, Report{Items: items}},
		{"no items", `{"kind":"full"}`, Report{}},
		{"null items", `{"kind":"full","items":null,"resultId":null}`, Report{}},
		{"a number as result id", `{"kind":"full","items":[],"resultId":7}`, Report{}},
		{"bad elements", `{"kind":"full","items":[7,` + item + `,{}]}`, Report{Items: items, Skipped: 2}},
		{
			"related", `{"kind":"full","items":[],"relatedDocuments":{"file:///b":{"kind":"full","resultId":"r2","items":[` + item + `]},"file:///c":{"kind":"unchanged","resultId":"r3"}}}`,
			Report{Related: map[DocumentURI]Report{"file:///b": {ResultID: "r2", Items: items}, "file:///c": {Unchanged: true, ResultID: "r3"}}},
		},
		{"a bad related one", `{"kind":"full","items":[` + item + `],"relatedDocuments":{"file:///b":7,"file:///c":{"items":{}}}}`, Report{Items: items, Skipped: 2}},
		{"related as an empty list", `{"kind":"full","items":[` + item + `],"relatedDocuments":[]}`, Report{Items: items}},
		{"related as something else", `{"kind":"full","items":[` + item + `],"relatedDocuments":"x"}`, Report{Items: items, Skipped: 1}},
	} {
		r, err := DecodeReport(json.RawMessage(c.json))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if d := cmp.Diff(c.want, r, cmpopts.EquateEmpty(), withoutRaw); d != "" {
			t.Errorf("%s:\n%s", c.name, d)
		}
	}
	for _, raw := range []string{`7`, `[]`, `"full"`, `{"kind":"full","items":{}}`} {
		if _, err := DecodeReport(json.RawMessage(raw)); err == nil {
			t.Errorf("%q is a report", raw)
		}
	}
}

// Progress is read whatever the token is; odd members cost only themselves, so
// that an end is never missed.
func TestProgress(t *testing.T) {
	for _, c := range []struct {
		json string
		want ProgressEvent
	}{
		{`{"token":"t","value":{"kind":"begin","title":"Indexing","message":"0/9","percentage":0,"cancellable":true}}`, ProgressEvent{"t", "begin", "Indexing", "0/9", 0}},
		{`{"token":7,"value":{"kind":"report","percentage":50.9}}`, ProgressEvent{"7", "report", "", "", 50}},
		{`{"token":7.0,"value":{"kind":"end"}}`, ProgressEvent{"7", "end", "", "", -1}},
		{`{"token":"t","value":{"kind":"end","title":null,"message":null,"percentage":null}}`, ProgressEvent{"t", "end", "", "", -1}},
		{`{"token":"t","value":{"kind":"end","title":{},"message":7,"percentage":"x"}}`, ProgressEvent{"t", "end", "", "", -1}},
		{`{"token":"t","value":null}`, ProgressEvent{"t", "", "", "", -1}},
		{`{"token":"t"}`, ProgressEvent{"t", "", "", "", -1}},
		{`{"value":{"kind":"end"}}`, ProgressEvent{"", "end", "", "", -1}},
	} {
		got, err := DecodeProgress(json.RawMessage(c.json))
		if got != c.want || err != nil {
			t.Errorf("%s is %+v, %v; want %+v", c.json, got, err, c.want)
		}
	}
	for _, raw := range []string{``, `[]`, `7`} {
		if _, err := DecodeProgress(json.RawMessage(raw)); err == nil {
			t.Errorf("%q is progress", raw)
		}
	}
}
