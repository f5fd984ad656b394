package diagnostics

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lspine/lspine/internal/protocol"
)

// answer is a complete one of a server, with a baseline if old is not nil.
func answer(server string, old, now []protocol.Diagnostic, oldText string) Answer {
	a := Answer{Server: server, Freshness: Fresh, Items: now}
	if old != nil {
		a.prior = prior{known: true, text: []byte(oldText), items: old}
	}
	return a
}

func with(d protocol.Diagnostic, change func(*protocol.Diagnostic)) protocol.Diagnostic {
	change(&d)
	return d
}

// over is an error from the begin of a line to that of a later one.
func over(from, to int, message string) protocol.Diagnostic {
	return with(at(from, message), func(d *protocol.Diagnostic) { d.Range.End.Line, d.Range.End.Character = uint32(to), 1 })
}

func warning(line int, message string) protocol.Diagnostic {
	return with(at(line, message), func(d *protocol.Diagnostic) { d.Severity = protocol.SeverityWarning })
}

// The verdict says what the edit did, by all findings, whatever is shown; who
// could not be asked is never clean.
func TestVerdict(t *testing.T) {
	const text = "one\ntwo\nthree\n"
	none := []protocol.Diagnostic{}
	old := []protocol.Diagnostic{at(0, "old")}
	freshness := func(f Freshness) Answer { return Answer{Server: "s", Freshness: f} }
	for name, tt := range map[string]struct {
		answers []Answer
		want    Verdict
	}{
		"clean":                   {[]Answer{answer("s", none, none, text)}, Clean},
		"clean without baseline":  {[]Answer{answer("s", nil, none, text)}, Clean},
		"new error":               {[]Answer{answer("s", none, old, text)}, NewErrors},
		"all new":                 {[]Answer{answer("s", nil, old, text)}, NewErrors},
		"old error":               {[]Answer{answer("s", old, old, text)}, BaselineError},
		"old and new":             {[]Answer{answer("s", old, []protocol.Diagnostic{at(0, "old"), at(1, "new")}, text)}, NewErrors},
		"new warning":             {[]Answer{answer("s", none, []protocol.Diagnostic{warning(0, "w")}, text)}, WarningsOnly},
		"old warning":             {[]Answer{answer("s", []protocol.Diagnostic{warning(0, "w")}, []protocol.Diagnostic{warning(0, "w")}, text)}, Clean},
		"new warning, old error":  {[]Answer{answer("s", old, []protocol.Diagnostic{at(0, "old"), warning(1, "w")}, text)}, BaselineError},
		"mended":                  {[]Answer{answer("s", old, none, text)}, Clean},
		"timeout":                 {[]Answer{freshness(Timeout)}, Unknown},
		"indexing":                {[]Answer{freshness(Indexing)}, Unknown},
		"partial":                 {[]Answer{freshness(Partial)}, Unknown},
		"unavailable":             {[]Answer{freshness(Unavailable)}, LSPUnavailable},
		"nobody applies":          {nil, LSPUnavailable},
		"one of two was asked":    {[]Answer{freshness(Timeout), answer("t", none, none, text)}, Unknown},
		"one of two is lost":      {[]Answer{freshness(Unavailable), answer("t", none, none, text)}, Unknown},
		"one is not missed":       {[]Answer{{Server: "s", Freshness: Unavailable, Dispensable: true}, answer("t", none, none, text)}, Clean},
		"nobody missed is there":  {[]Answer{{Server: "s", Freshness: Unavailable, Dispensable: true}}, LSPUnavailable},
		"partial, old errors":     {[]Answer{freshness(Partial), answer("t", old, old, text)}, Unknown},
		"partial, new errors":     {[]Answer{freshness(Partial), answer("t", none, old, text)}, NewErrors},
		"one of two, with errors": {[]Answer{freshness(Unavailable), answer("t", none, old, text)}, NewErrors},
	} {
		t.Run(name, func(t *testing.T) {
			if r := judge(File{Path: "/a", Content: []byte(text)}, Request{}, tt.answers, nobodyTold); r.Verdict != tt.want {
				t.Errorf("got %s, want %s", r.Verdict, tt.want)
			}
		})
	}
}

// What two servers say of the same place in the same words is said once, by the
// first; all is in the order of the text, and only the severities asked for.
func TestMergeAndFilter(t *testing.T) {
	same := at(1, "same")
	hint := with(at(0, "hint"), func(d *protocol.Diagnostic) { d.Severity = protocol.SeverityHint })
	wider := with(same, func(d *protocol.Diagnostic) { d.Range.End.Character = 9 })
	answers := []Answer{
		answer("first", nil, []protocol.Diagnostic{at(2, "late"), same, hint}, ""),
		answer("second", nil, []protocol.Diagnostic{same, warning(1, "another"), wider, at(0, "early")}, ""),
	}
	list := func(severities ...protocol.Severity) string {
		var all []string
		for _, d := range judge(File{}, Request{Severities: severities}, answers, nobodyTold).Diagnostics {
			all = append(all, fmt.Sprint(d.Server, " ", d.Message, " ", d.Severity))
		}
		return strings.Join(all, ", ")
	}
	expect(t, list(), "second early error, first same error, second same error, first late error")
	expect(t, list(protocol.SeverityWarning), "second another warning")
	expect(t, list(protocol.SeverityHint, protocol.SeverityWarning), "first hint hint, second another warning")
}

// Old findings are carried through the edit.
func TestBaselineMapping(t *testing.T) {
	for name, tt := range map[string]struct {
		old, now               string // texts
		before, after          []protocol.Diagnostic
		unseen, remains, fixed string
	}{
		"insert above": {
			"a\nb\n", "x\ny\na\nb\n", errorsOf("", "e")[1:], []protocol.Diagnostic{at(3, "e")}, "", "e", "",
		},
		"delete above": {"x\na\n", "a\n", []protocol.Diagnostic{at(1, "e")}, []protocol.Diagnostic{at(0, "e")}, "", "e", ""},
		"a message that names a line moves with it": {
			"a\nb\n", "x\na\nb\n",
			[]protocol.Diagnostic{at(1, "redeclared, see line 1")},
			[]protocol.Diagnostic{at(2, "redeclared, see line 2")},
			"", "redeclared, see line 2", "",
		},
		"an error is explained otherwise": {
			"a\nb\n", "x\na\nb\n",
			[]protocol.Diagnostic{at(1, "A does not fit B.\n  No a in B.")},
			[]protocol.Diagnostic{at(2, "A does not fit B.\n  No b in B.\n    It has c.")},
			"", "A does not fit B.\n  No b in B.\n    It has c.", "",
		},
		"another error is explained in the same place": {
			"a\nb\n", "a\nb\n",
			[]protocol.Diagnostic{at(1, "A does not fit B.\n  No a in B.")},
			[]protocol.Diagnostic{at(1, "A does not fit C.\n  No a in C.")},
			"A does not fit C.\n  No a in C.", "", "A does not fit B.\n  No a in B.",
		},
		"an error is explained otherwise in another place": {
			"a\nb\nc\n", "a\nb\nc\n",
			[]protocol.Diagnostic{at(1, "A does not fit B.\n  No a in B.")},
			[]protocol.Diagnostic{at(2, "A does not fit B.\n  No b in B.")},
			"A does not fit B.\n  No b in B.", "", "A does not fit B.\n  No a in B.",
		},
		"what follows the first line is a part of the error": {
			"a\nb\n", "a\nb\n",
			[]protocol.Diagnostic{at(1, "wrong type\nfound A")},
			[]protocol.Diagnostic{at(1, "wrong type\nfound B\n  a note")},
			"wrong type\nfound B\n  a note", "", "wrong type\nfound A",
		},
		"one of the two is not explained": {
			"a\nb\n", "a\nb\n",
			[]protocol.Diagnostic{at(1, "wrong type")},
			[]protocol.Diagnostic{at(1, "wrong type\n  found B")},
			"wrong type\n  found B", "", "wrong type",
		},
		"a union is listed in another order": {
			"a\nb\n", "x\na\nb\n",
			[]protocol.Diagnostic{at(0, "'A | B' is no 'C'."), at(1, "'{ a: \"x\" | \"y\"; } | D' does not fit B.\n  No a in B.")},
			[]protocol.Diagnostic{at(1, "'B | A' is no 'C'."), at(2, "'D | { a: \"y\" | \"x\"; }' does not fit B.\n  No b in B.")},
			"", "'B | A' is no 'C'., 'D | { a: \"y\" | \"x\"; }' does not fit B.\n  No b in B.", "",
		},
		"a union has another member, and an error without one another order": {
			"a\nb\n", "a\nb\n",
			[]protocol.Diagnostic{at(0, "'A | B' is no 'C'."), at(1, "A is no B.")},
			[]protocol.Diagnostic{at(0, "'B | C' is no 'C'."), at(1, "B is no A.")},
			"'B | C' is no 'C'., B is no A.", "", "'A | B' is no 'C'., A is no B.",
		},
		"the line is written anew, the error is the same": {
			"a\nb\n", "a\nc\n", []protocol.Diagnostic{at(1, "e")}, []protocol.Diagnostic{at(1, "e")}, "", "e", "",
		},
		"the line is written anew, the error is another": {
			"a\nb\n", "a\nc\n", []protocol.Diagnostic{at(1, "e")}, []protocol.Diagnostic{at(1, "f")}, "f", "", "e",
		},
		"one more of the same": {
			"a\nb\n", "a\nc\nd\n", []protocol.Diagnostic{at(1, "e")}, []protocol.Diagnostic{at(1, "e"), at(2, "e")}, "e", "e", "",
		},
		"the same message in an untouched line is new": {
			"a\nb\n", "a\nb\nc\n", []protocol.Diagnostic{at(0, "e")}, []protocol.Diagnostic{at(1, "e")}, "e", "", "e",
		},
		"the line is written anew, an untouched one has the same error now": {
			"a\nb\nc\n", "a\nB\nc\n", []protocol.Diagnostic{at(1, "e")}, []protocol.Diagnostic{at(2, "e")}, "e", "", "e",
		},
		"the line is gone, an untouched one has the same error now": {
			"a\nb\nc\n", "a\nc\n", []protocol.Diagnostic{at(1, "e")}, []protocol.Diagnostic{at(1, "e")}, "e", "", "e",
		},
		"the end of its place is written anew": {
			"a\nb\nc\n", "a\nB\nc\n", []protocol.Diagnostic{over(0, 1, "e")}, []protocol.Diagnostic{at(0, "e")}, "", "e", "",
		},
		"another code": {
			"a\n", "a\n",
			[]protocol.Diagnostic{at(0, "e")},
			[]protocol.Diagnostic{with(at(0, "e"), func(d *protocol.Diagnostic) { d.Code = "7" })},
			"e", "", "e",
		},
		"a package is named by its path, because another has its name now": {
			"a\nb\n", "x\na\nb\n",
			[]protocol.Diagnostic{at(1, "have Load(model.Order) yaml.Node")},
			[]protocol.Diagnostic{at(2, `have Load("shop/model".Order) "example.org/yaml.v3".Node`)},
			"", `have Load("shop/model".Order) "example.org/yaml.v3".Node`, "",
		},
		"a package is named by its path, in a line that is written anew": {
			"a\nb\n", "a\nc\n",
			[]protocol.Diagnostic{at(1, `have "shop/model".Order`)},
			[]protocol.Diagnostic{at(1, "have model.Order")},
			"", "have model.Order", "",
		},
		"it was said of the file as a whole, and a line comes before it": {
			"a\nb\n", "x\na\nb\n", []protocol.Diagnostic{at(0, "no licence")}, []protocol.Diagnostic{at(0, "no licence")}, "", "no licence", "",
		},
		"it moved with the first line, and another is said of the new one": {
			"a\nb\n", "x\na\nb\n", []protocol.Diagnostic{at(0, "e")}, []protocol.Diagnostic{at(0, "e"), at(1, "e")}, "e", "e", "",
		},
		"it was said of the end, and more comes there": {
			"a\nb\n", "a\nb\nc\n", []protocol.Diagnostic{at(2, "no end")}, []protocol.Diagnostic{at(2, "no end")}, "", "no end", "",
		},
		"it was said of the end, and text moved there": {
			"a\nb\nc\n", "c\na\nb\n\n", []protocol.Diagnostic{at(3, "no end")}, []protocol.Diagnostic{at(0, "no end")}, "", "no end", "",
		},
		"it was said of the last line, and more comes behind that": {
			"a\nb\n", "a\nb\nc\nd\n", []protocol.Diagnostic{at(1, "no end")}, []protocol.Diagnostic{at(3, "no end")}, "", "no end", "",
		},
		"it was said of the last line, and is said of one that comes behind it": {
			"a\nb\n", "a\nb\nc\nd\n", []protocol.Diagnostic{at(1, "e")}, []protocol.Diagnostic{at(2, "e")}, "e", "", "e",
		},
		"it was said of the line before the last, and is said of the last": {
			"a\nb\n", "a\nb\nc\n", []protocol.Diagnostic{at(0, "e")}, []protocol.Diagnostic{at(2, "e")}, "e", "", "e",
		},
		"it was said of the end, and is said of what stood": {
			"a\nb\n", "x\na\nb\n", []protocol.Diagnostic{at(2, "no end")}, []protocol.Diagnostic{at(1, "no end")}, "no end", "", "no end",
		},
		"another package": {
			"a\nb\n", "x\na\nb\n",
			[]protocol.Diagnostic{at(1, "have model.Order")},
			[]protocol.Diagnostic{at(2, `have "shop/models".Order`)},
			`have "shop/models".Order`, "", "have model.Order",
		},
		"a suggestion that is made no more": {
			"a\nb\n", "x\na\nb\n",
			[]protocol.Diagnostic{coded(1, "2551: No 'old' in T. Did you mean 'olds'?\n  No 'old' in U."), coded(1, `2724: '"./m"' has no exported member named 'f'. Did you mean 'g'?`)},
			[]protocol.Diagnostic{coded(2, "2339: No 'old' in T.\n  No 'old' in U."), coded(2, `2305: Module '"./m"' has no exported member 'f'.`)},
			"", "Module '\"./m\"' has no exported member 'f'., No 'old' in T.\n  No 'old' in U.", "",
		},
		"explained by another member of a union": {
			"a\nb\n", "x\na\nb\n",
			[]protocol.Diagnostic{coded(1, "2339: Property 'a' does not exist on type 'U'.\n  Property 'a' does not exist on type 'V'."), coded(0, "2339: Property 'b' does not exist on type 'U'.")},
			[]protocol.Diagnostic{coded(2, "2551: Property 'a' does not exist on type 'U'. Did you mean 'aX'?\n  Property 'a' does not exist on type 'W'."), coded(1, "2339: Property 'c' does not exist on type 'U'.")},
			"Property 'c' does not exist on type 'U'.", "Property 'a' does not exist on type 'U'. Did you mean 'aX'?\n  Property 'a' does not exist on type 'W'.", "Property 'b' does not exist on type 'U'.",
		},
		"fixes that the server knows only now": {
			"a\nb\n", "x\na\nb\n",
			[]protocol.Diagnostic{at(0, "no 'A'"), at(1, "no 'B' (fix available)\n\nnote: c")},
			[]protocol.Diagnostic{at(1, "no 'A' (fix available)"), at(2, "no 'B' (fixes available)\n\nnote: c")},
			"", "no 'A' (fix available), no 'B' (fixes available)\n\nnote: c", "",
		},
		"a name that clang has nothing like any more": {
			"a\nb\n", "x\na\nb\n",
			[]protocol.Diagnostic{coded(0, "suggest: no 'A'; did you mean 'B'? (fix available)"), coded(1, "plain: no 'C'\n\nnote: c")},
			[]protocol.Diagnostic{coded(1, "plain: no 'A'"), coded(2, "suggest: no 'C'; did you mean simply 'D'? (fixes available)\n\nnote: c"), coded(0, "suggest: no 'E'; did you mean 'B'?")},
			"no 'E'; did you mean 'B'?", "no 'A', no 'C'; did you mean simply 'D'? (fixes available)\n\nnote: c", "",
		},
		"clang means another name instead of another one": {
			"a\nb\n", "x\na\nb\n",
			[]protocol.Diagnostic{coded(0, "suggest: no 'A'; did you mean 'B'?")},
			[]protocol.Diagnostic{coded(1, "suggest: no 'B'; did you mean 'A'?")},
			"no 'B'; did you mean 'A'?", "", "no 'A'; did you mean 'B'?",
		},
		"a name that the module no longer has even for itself": {
			"a\nb\n", "x\na\nb\n",
			[]protocol.Diagnostic{coded(1, `2459: Module '"./m"' declares 'f' locally, but it is not exported.`), coded(0, `2460: Module '"./m"' declares 'g' locally, but it is exported as 'h'.`)},
			[]protocol.Diagnostic{coded(2, `2305: Module '"./m"' has no exported member 'f'.`), coded(1, `2305: Module '"./m"' has no exported member 'k'.`)},
			`Module '"./m"' has no exported member 'k'.`, `Module '"./m"' has no exported member 'f'.`, `Module '"./m"' declares 'g' locally, but it is exported as 'h'.`,
		},
		"another code is another error": {
			"a\nb\n", "x\na\nb\n", []protocol.Diagnostic{coded(1, "1: e")}, []protocol.Diagnostic{coded(2, "2: e")}, "e", "", "e",
		},
		"with a suggestion it is another of another name": {
			"a\nb\n", "x\na\nb\n",
			[]protocol.Diagnostic{coded(1, "2551: No 'old' in T. Did you mean 'olds'?")},
			[]protocol.Diagnostic{coded(2, "2339: No 'new' in T.")},
			"No 'new' in T.", "", "No 'old' in T. Did you mean 'olds'?",
		},
		"mended":     {"a\nb\n", "a\n", []protocol.Diagnostic{at(1, "e")}, nil, "", "", "e"},
		"line moved": {"a\nb\nc\n", "b\nc\na\n", []protocol.Diagnostic{at(0, "e")}, []protocol.Diagnostic{at(2, "e")}, "", "e", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := judge(File{Content: []byte(tt.now)}, Request{}, []Answer{answer("s", tt.before, tt.after, tt.old)}, nobodyTold)
			expect(t, fmt.Sprintf("new %s; remaining %s; fixed %s", messages(r.New), messages(r.Remaining), messages(r.Fixed)),
				fmt.Sprintf("new %s; remaining %s; fixed %s", tt.unseen, tt.remains, tt.fixed))
			expect(t, string(r.Baseline), string(Session))
		})
	}
}

// Only a complete answer says that something was mended.
func TestNothingIsFixedBySilence(t *testing.T) {
	for _, f := range []Freshness{Partial, Timeout, Indexing, Unavailable} {
		a := answer("s", []protocol.Diagnostic{at(0, "old")}, nil, "a\n")
		a.Freshness = f
		if r := judge(File{Content: []byte("a\n")}, Request{}, []Answer{a}, nobodyTold); len(r.Fixed) > 0 {
			t.Errorf("%s: fixed %s", f, messages(r.Fixed))
		}
	}
}

// However the lines around old errors are edited, no old error in an untouched
// line becomes new, and each new one does.
func TestEditsNeverMakeOldErrorsNew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Each line of the old text is its own; some have an error.
		type line struct {
			text     string
			old, new string // messages
		}
		var before []line
		for i := range rapid.IntRange(1, 20).Draw(t, "lines") {
			l := line{text: fmt.Sprintf("line %d", i)}
			if rapid.Bool().Draw(t, "error") {
				l.old = rapid.SampledFrom([]string{"undefined: x", "wrong type", "unused"}).Draw(t, "message")
			}
			before = append(before, l)
		}
		after := slices.Clone(before)
		for n := range rapid.IntRange(0, 8).Draw(t, "edits") {
			i := rapid.IntRange(0, len(after)).Draw(t, "where")
			if i < len(after) && rapid.Bool().Draw(t, "delete") {
				after = slices.Delete(after, i, i+1)
				continue
			}
			l := line{text: fmt.Sprintf("inserted %d", n)}
			if rapid.Bool().Draw(t, "new error") {
				l.new = "new: " + l.text
			}
			after = slices.Insert(after, i, l)
		}
		state := func(lines []line) (text string, items []protocol.Diagnostic, added int) {
			items = []protocol.Diagnostic{}
			for i, l := range lines {
				text += l.text + "\n"
				if l.old != "" {
					items = append(items, at(i, l.old))
				}
				if l.new != "" {
					items = append(items, at(i, l.new))
					added++
				}
			}
			return text, items, added
		}
		oldText, old, _ := state(before)
		newText, now, added := state(after)
		r := judge(File{Content: []byte(newText)}, Request{}, []Answer{answer("s", old, now, oldText)}, nobodyTold)
		for _, d := range r.New {
			if !strings.HasPrefix(d.Message, "new: ") {
				t.Fatalf("%q in line %d became new\nbefore:\n%safter:\n%s", d.Message, d.Range.Start.Line, oldText, newText)
			}
		}
		if len(r.New) != added {
			t.Fatalf("%d new, want %d", len(r.New), added)
		}
		if len(r.New)+len(r.Remaining) != len(r.Diagnostics) {
			t.Fatalf("%d new and %d remaining of %d", len(r.New), len(r.Remaining), len(r.Diagnostics))
		}
		if len(r.Remaining)+len(r.Fixed) != len(old) {
			t.Fatalf("%d remaining and %d fixed of %d old", len(r.Remaining), len(r.Fixed), len(old))
		}
	})
}

// A check that is repeated is judged like the first one: what that one found
// new is new, and so are the other files.
func TestRepeatedCheckKeepsTheBaseline(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only("versioned"))
		f.shown = func(path string, version int32) {
			messages := []string{"old"}
			if f.docs[path].text[0] == '2' {
				messages = append(messages, "new")
				later(ms/2, func() { f.push("/w/other", -1, "broken by it") })
			}
			later(ms, func() { f.push(path, version, messages...) })
		}
		check(t, c, f.file("/w/a", "1\n\n"))
		req := Request{Files: []File{f.file("/w/a", "2\n\n")}, OthersToo: true, Since: c.Now()}
		first, err := c.Check(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		f.disturb()
		again, err := c.Check(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []Report{first, again} {
			if len(r.Others) != 1 {
				t.Fatalf("others: %+v", r.Others)
			}
			expect(t, fmt.Sprintf("%s: %s; %s", r.Files[0].Verdict, messages(r.Files[0].New), messages(r.Others[0].New)),
				"new_errors: new; broken by it")
		}
	})
}

// The baseline is a text, also when somebody else (a sweep) has shown the new one already.
func TestBaselineSurvivesASweep(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only("versioned"))
		f.shown = func(path string, version int32) {
			found := []string{"old", "new"}[:min(int(version), 2)]
			later(ms, func() { f.push(path, version, found...) })
		}
		check(t, c, f.file("/w/a", "1\n\n"))
		if _, err := f.Sync("/w/a", []byte("2\n\n")); err != nil {
			t.Fatal(err)
		}
		file := f.file("/w/a", "2\n\n")
		file.Former = []byte("1\n\n")
		report, err := c.Check(t.Context(), Request{Files: []File{file}, Since: c.At(map[string][]byte{"/w/a": file.Former})})
		if err != nil {
			t.Fatal(err)
		}
		r := report.Files[0]
		expect(t, fmt.Sprintf("%s, new %s", r.Baseline, messages(r.New)), "session, new new")
	})
}

// An answer that comes at the deadline is judged against the baseline too.
func TestPartialAnswerHasABaseline(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only("versioned"))
		f.shown = func(path string, version int32) {
			if version > 1 {
				version = -1
			}
			later(ms, func() { f.push(path, version, "old") })
		}
		check(t, c, f.file("/w/a", "1\n"))
		a, r := check(t, c, f.file("/w/a", "2\n"))
		expect(t, said(a), "partial 2: old")
		expect(t, fmt.Sprintf("%s, new %s, remaining %s", r.Verdict, messages(r.New), messages(r.Remaining)), "unknown, new , remaining old")
	})
}

// An old error that speaks of a symbol is the same error when an edit has renamed the
// symbol, quoted or not; one that speaks of another name is new.
func TestRenamedNamesAreNoNewErrors(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"call of Load has 1 argument", "call of Fetch has 1 argument", "new , remaining call of Fetch has 1 argument"},
		{"'Load' has 1 argument", "'Fetch' has 1 argument", "new , remaining 'Fetch' has 1 argument"},
		{"no 'Load' in T\n  none in A", "no 'Fetch' in T\n  none in B", "new , remaining no 'Fetch' in T\n  none in B"},
		{"call of Load has 1 argument", "call of Fetched has 1 argument", "new call of Fetched has 1 argument, remaining "},
	} {
		inBubble(t, func(t *testing.T, col *Collector) {
			f := newFake(col, only("versioned"))
			f.shown = func(path string, version int32) {
				later(ms, func() { f.push(path, version, []string{c.before, c.after}[version-1]) })
			}
			check(t, col, f.file("/w/a", "Load(1)\n"))
			report, err := col.Check(t.Context(), Request{
				Files: []File{f.file("/w/a", "Fetch(1)\n")}, Renamed: map[string]bool{"Load": true, "Fetch": true},
			})
			if err != nil {
				t.Fatal(err)
			}
			r := report.Files[0]
			expect(t, fmt.Sprintf("new %s, remaining %s", messages(r.New), messages(r.Remaining)), c.want)
		})
	}
}

// What a server says twice of one place was there once, and is not fixed while it is said.
func TestSaidTwiceIsNotFixed(t *testing.T) {
	twice := []protocol.Diagnostic{at(0, "declared again"), at(0, "declared again"), at(1, "other")}
	answer := Answer{Freshness: Fresh, Items: twice, prior: prior{known: true, text: []byte("a\nb\n"), items: twice}}
	r := judge(File{Path: "/w/a", Content: []byte("a\nb\n")}, Request{}, []Answer{answer}, nobodyTold)
	if len(r.New)+len(r.Fixed) > 0 || len(r.Remaining) != 2 {
		t.Errorf("new %s, fixed %s, remaining %s", messages(r.New), messages(r.Fixed), messages(r.Remaining))
	}
}

// A compiler that runs in two folders names the file to create from each of them: that is one
// error, and the same one when only one of them says it. Another module is another error.
func TestToCreateFromTwoFolders(t *testing.T) {
	missing := func(line int, module, folder string) protocol.Diagnostic {
		return at(line, fmt.Sprintf("no file for module\nto create it, create file \"%s/%s.rs\" or \"%s/%[2]s/mod.rs\"\nor import it", folder, module, folder))
	}
	text := []byte("mod a;\nmod b;\n")
	reported := func(before []protocol.Diagnostic, now ...protocol.Diagnostic) string {
		answer := Answer{Freshness: Fresh, Items: now, prior: prior{known: true, text: text, items: before}}
		r := judge(File{Path: "/w/core/src/lib.rs", Content: text}, Request{}, []Answer{answer}, nobodyTold)
		return fmt.Sprintf("%d new, %d remaining, %d fixed", len(r.New), len(r.Remaining), len(r.Fixed))
	}
	relative, absolute := missing(0, "a", "src"), missing(0, "a", "/w/core/src")
	expect(t, reported([]protocol.Diagnostic{relative}, absolute), "0 new, 1 remaining, 0 fixed")
	expect(t, reported([]protocol.Diagnostic{absolute, relative}, relative), "0 new, 1 remaining, 0 fixed")
	expect(t, reported(nil, absolute, relative), "1 new, 0 remaining, 0 fixed")
	expect(t, reported([]protocol.Diagnostic{relative}, missing(0, "b", "src")), "1 new, 0 remaining, 1 fixed")
}
