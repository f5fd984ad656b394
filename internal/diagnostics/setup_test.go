package diagnostics

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// missingLibrary is a set-up that lacks the library "lib", and nothing else.
var missingLibrary = &Setup{
	Symptoms: &registry.Symptoms{Missing: `^gone: no '([^']+)'`, Follows: `^unknown: `, Nearby: `^syntax: `},
	Lacks: func(path string, names []string) Lack {
		if !slices.Contains(names, "lib") {
			return Lack{}
		}
		return Lack{Missing: "there is no lib for " + path, Next: "get lib", Names: []string{"lib"}}
	},
}

// coded is an error with a code.
func coded(line int, text string) protocol.Diagnostic {
	code, message, _ := strings.Cut(text, ": ")
	return with(at(line, message), func(d *protocol.Diagnostic) { d.Code = code })
}

// Errors that come of what the project lacks are none of the text: they are set apart, the
// answer is partial, and the verdict unknown. Any other error still counts; and without
// something that is missing nothing follows from it.
func TestErrorsOfTheSetUpAreNoErrorsOfTheText(t *testing.T) {
	none := []protocol.Diagnostic{}
	for name, tt := range map[string]struct {
		old, now       []protocol.Diagnostic
		excused, shown string
		want           Verdict
	}{
		"missing":                  {none, []protocol.Diagnostic{coded(0, "gone: no 'lib'")}, "no 'lib'", "", Unknown},
		"missing from before":      {[]protocol.Diagnostic{coded(0, "gone: no 'lib'")}, []protocol.Diagnostic{coded(0, "gone: no 'lib'")}, "no 'lib'", "", Unknown},
		"and what follows":         {none, []protocol.Diagnostic{coded(0, "gone: no 'lib'"), coded(9, "unknown: f")}, "no 'lib', f", "", Unknown},
		"follows from nothing":     {none, []protocol.Diagnostic{coded(9, "unknown: f")}, "", "f", NewErrors},
		"missing by itself":        {none, []protocol.Diagnostic{coded(0, "gone: no 'typo'")}, "", "no 'typo'", NewErrors},
		"one of two":               {none, []protocol.Diagnostic{coded(0, "gone: no 'typo'"), coded(1, "gone: no 'lib'")}, "no 'lib'", "no 'typo'", NewErrors},
		"another kind beside it":   {none, []protocol.Diagnostic{coded(0, "gone: no 'lib'"), coded(1, "type: x")}, "no 'lib'", "x", NewErrors},
		"another kind from before": {[]protocol.Diagnostic{coded(1, "type: x")}, []protocol.Diagnostic{coded(0, "gone: no 'lib'"), coded(1, "type: x")}, "no 'lib'", "x", Unknown},
		"syntax beside it":         {none, []protocol.Diagnostic{coded(0, "gone: no 'lib'"), coded(1, "syntax: a"), coded(2, "syntax: b")}, "no 'lib', a, b", "", Unknown},
		"syntax elsewhere":         {none, []protocol.Diagnostic{coded(0, "gone: no 'lib'"), coded(2, "syntax: a")}, "no 'lib'", "a", NewErrors},
		"a warning":                {none, []protocol.Diagnostic{with(coded(0, "gone: no 'lib'"), func(d *protocol.Diagnostic) { d.Severity = protocol.SeverityWarning })}, "", "", WarningsOnly},
		"mended":                   {[]protocol.Diagnostic{coded(0, "gone: no 'lib'")}, none, "", "", Clean},
		"it was there before":      {none, []protocol.Diagnostic{coded(0, "gone: no 'lib'")}, "", "no 'lib'", NewErrors},
	} {
		t.Run(name, func(t *testing.T) {
			const text = "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n"
			a := answer("s", tt.old, tt.now, text)
			if name == "it was there before" {
				a.prior.text = []byte("use lib\n")
			}
			missingLibrary.excuse("/a", &a)
			r := judge(File{Path: "/a", Content: []byte(text)}, Request{}, []Answer{a}, nobodyTold)
			if r.Verdict != tt.want {
				t.Errorf("verdict %s, want %s", r.Verdict, tt.want)
			}
			if diff := cmp.Diff([]string{tt.excused, tt.shown}, []string{namesOf(r.Excused), namesOf(r.Diagnostics)}); diff != "" {
				t.Error(diff)
			}
			if partial := r.Answers[0].Freshness == Partial; partial != (tt.excused != "") {
				t.Errorf("the answer is %s", r.Answers[0].Freshness)
			}
		})
	}
}

// What was missing before as well leaves an answer whole if the change is known to be apart
// from it: then a note says what is not judged, and neither an old nor a mended error comes of
// it. Anything that is missing anew, or may follow from it, leaves it partial.
func TestOldErrorsOfTheSetUpAreConfined(t *testing.T) {
	gone, other := coded(0, "gone: no 'lib'"), coded(1, "type: x")
	list := func(items ...protocol.Diagnostic) []protocol.Diagnostic { return items }
	for name, tt := range map[string]struct {
		old, now []protocol.Diagnostic
		apart    bool
		want     Verdict
	}{
		"as before":             {list(gone), list(gone), true, Clean},
		"elsewhere in the text": {list(gone), list(coded(7, "gone: no 'lib'")), true, Clean},
		"beside a new error":    {list(gone), list(gone, other), true, NewErrors},
		"beside an old one":     {list(gone, other), list(gone, other), true, BaselineError},
		"beside a mended one":   {list(gone, other), list(gone), true, Clean},
		"it may be concerned":   {list(gone), list(gone), false, Unknown},
		"once more":             {list(gone), list(gone, gone), true, Unknown},
		"once less":             {list(gone, gone), list(gone), true, Unknown},
		"anew":                  {nil, list(gone), true, Unknown},
		"with what follows":     {list(gone, coded(9, "unknown: f")), list(gone, coded(9, "unknown: f")), true, Unknown},
	} {
		const text = "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n"
		a := answer("s", tt.old, tt.now, text)
		a.prior.known = true
		f := File{Path: "/a", Content: []byte(text)}
		missingLibrary.excuse("/a", &a)
		gap := a.Reason
		missingLibrary.confine(func(path string, before, after []byte, excused []protocol.Diagnostic) bool {
			return tt.apart && path == "/a" && string(before) == text && string(after) == text && len(excused) > 0
		}, f, &a)
		r := judge(f, Request{}, []Answer{a}, nobodyTold)
		if r.Verdict != tt.want {
			t.Errorf("%s: verdict %s, want %s", name, r.Verdict, tt.want)
		}
		if slices.ContainsFunc(r.Fixed, func(d Diagnostic) bool { return d.Code == "gone" }) || len(r.Excused) == 0 {
			t.Errorf("%s: %d excused, fixed %s", name, len(r.Excused), namesOf(r.Fixed))
		}
		note, reason := "", gap
		if tt.want != Unknown {
			note, reason = gap+" (to fix it: get lib)", ""
		}
		if gap == "" || a.Note != note || a.Reason != reason {
			t.Errorf("%s: the note is %q, the reason %q; it was %q", name, a.Note, a.Reason, gap)
		}
	}
}

func namesOf(list []Diagnostic) string {
	var all []string
	for _, d := range list {
		all = append(all, d.Message)
	}
	return strings.Join(all, ", ")
}

// The reason names what is missing, the first error that comes of it, and how many more.
func TestTheReasonNamesWhatIsMissing(t *testing.T) {
	a := answer("s", nil, []protocol.Diagnostic{coded(4, "unknown: f"), coded(2, "gone: no 'lib'")}, "")
	missingLibrary.excuse("/a", &a)
	expect(t, a.Reason, "there is no lib for /a; not counted, as it may come of that: line 3: no 'lib', and 1 more")
	expect(t, a.Lack.Next, "get lib")
}

// A server that says itself that it could not load the project is believed: what is missing
// in its answers need not be wrong, whatever the files of the project say; nor need what follows from
// a name that only another file would explain.
func TestAServerThatLoadedNothingIsExcused(t *testing.T) {
	for found, excused := range map[string]string{
		"gone: no 'anything', type: x": "no 'anything'", "unknown: f, type: x": "f", "unknown: f, syntax: a": "f, a", "type: x": "",
	} {
		var items []protocol.Diagnostic
		for i, text := range strings.Split(found, ", ") {
			items = append(items, coded(i, text))
		}
		a := answer("s", nil, items, "")
		a.unloaded, a.Freshness = "the project is not loaded: pom", Partial
		missingLibrary.excuse("/a", &a)
		var messages []string
		for _, d := range a.Excused {
			messages = append(messages, d.Message)
		}
		got := strings.Join(messages, ", ")
		if got != excused || len(a.Excused)+len(a.Items) != len(items) || strings.HasPrefix(a.Reason, "the project is not loaded: pom; not counted") != (excused != "") {
			t.Errorf("%s: excused %q: %+v", found, got, a)
		}
	}
}

// A server that says that it has a file in none of its projects is believed where there is a
// project that it could have loaded; a file by itself is in none.
func TestAFileInNoProject(t *testing.T) {
	s := *missingLibrary
	s.Symptoms = &registry.Symptoms{Missing: s.Symptoms.Missing, Apart: `^16: `}
	said := []protocol.Diagnostic{coded(0, "type: x"), coded(0, "16: a is a non-project file\nand more")}
	expect(t, s.apart("/a", said), "")
	s.Next = func(string) string { return "load it" }
	expect(t, s.apart("/a", said), "it is in no project that is loaded: a is a non-project file")
	expect(t, s.apart("/a", said[:1]), "")
}

// What a server publishes of other files counts although its own answer lacks the set-up:
// it said all that it has to say.
func TestASetUpThatLacksSettlesOtherFiles(t *testing.T) {
	a := answer("s", nil, []protocol.Diagnostic{coded(0, "gone: no 'lib'")}, "")
	missingLibrary.excuse("/a", &a)
	files := []File{{Path: "/a"}}
	if settled := settledBy([]FileReport{{Path: "/a", Answers: []Answer{a}}}, files); !settled[Key{"s", ""}] {
		t.Error("not settled")
	}
	a.done = false
	if settled := settledBy([]FileReport{{Path: "/a", Answers: []Answer{a}}}, files); settled[Key{"s", ""}] {
		t.Error("settled by an answer that is partial")
	}
}

// Nothing is confined where it is not known that all is as before: an answer with a gap of
// another kind, or one without a text from before, keeps its gap.
func TestWhatIsNotConfined(t *testing.T) {
	const text = "0\n1\n"
	gone, other := coded(0, "gone: no 'lib'"), coded(1, "type: x")
	always := func(string, []byte, []byte, []protocol.Diagnostic) bool { return true }
	type state struct {
		Freshness    Freshness
		Note, Reason string
	}
	for name, c := range map[string]struct {
		items  []protocol.Diagnostic
		apart  func(path string, before, after []byte, excused []protocol.Diagnostic) bool
		change func(a *Answer)
	}{
		"nothing is missing":               {[]protocol.Diagnostic{other}, always, func(a *Answer) { a.Freshness, a.Reason, a.done = Partial, "slow", true }},
		"more is to come":                  {[]protocol.Diagnostic{gone}, always, func(a *Answer) { a.done = false }},
		"nobody knows of the change":       {[]protocol.Diagnostic{gone}, nil, func(*Answer) {}},
		"what was there before is a draft": {[]protocol.Diagnostic{gone}, always, func(a *Answer) { a.prior.known = false }},
		"no text was there before":         {[]protocol.Diagnostic{gone}, always, func(a *Answer) { a.prior.text = nil }},
		"the project is not loaded":        {[]protocol.Diagnostic{gone}, always, func(a *Answer) { a.unloaded = "the project is not loaded" }},
	} {
		a := answer("s", c.items, c.items, text)
		missingLibrary.excuse("/a", &a)
		c.change(&a)
		before := state{a.Freshness, a.Note, a.Reason}
		missingLibrary.confine(c.apart, File{Path: "/a", Content: []byte(text)}, &a)
		if diff := cmp.Diff(before, state{a.Freshness, a.Note, a.Reason}); diff != "" || a.Freshness != Partial {
			t.Errorf("%s: %s (-before +after)\n%s", name, a.Freshness, diff)
		}
	}
}

// The collector knows of each server what its project lacks: what comes of that is no finding.
func TestCollectedWithASetUp(t *testing.T) {
	y := startToy(t, lsptest.Script{Mode: lsptest.Pull})
	path := filepath.Join(y.root, "main.toy")
	source := Source{
		Key: y.key, Obtain: func(context.Context) (Server, error) { return y.server, nil },
		Setup: &Setup{
			Symptoms: &registry.Symptoms{Missing: `(lib) is gone$`, Follows: `^$`, Nearby: `^$`},
			Lacks:    func(_ string, names []string) Lack { return Lack{Missing: "there is no lib", Names: names} },
		},
	}
	report, err := y.collector.Check(t.Context(), Request{
		Files: []File{{Path: path, Content: []byte("x ERROR lib is gone\ny ERROR wrong\n"), Sources: []Source{source}}}, Timeout: y.timeout, FirstTouch: y.timeout,
	})
	if err != nil {
		t.Fatal(err)
	}
	f := report.Files[0]
	expect(t, namesOf(f.Excused)+" beside "+namesOf(f.Diagnostics), "lib is gone beside wrong")
	expect(t, f.Missing(), "there is no lib")
}

// An error about something that the server once found in a file counts as long as it is reported,
// and so does its end; one about something that was never there is excused each time.
func TestWhatWasThereOnceIsNotExcused(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		var wrong []protocol.Diagnostic
		f := pulls(c, func(string) []protocol.Diagnostic { return wrong })
		var got []string
		ask := func(path string) {
			t.Helper()
			f.disturb()
			file := f.file(here(path), "use lib\n")
			file.Sources[0].Setup = missingLibrary
			_, r := check(t, c, file)
			known := 0
			for _, k := range c.Known(nil) {
				known += len(k.Diagnostics)
			}
			got = append(got, fmt.Sprintf("%d new, %d remain, %d fixed, %d excused; %d known", len(r.New), len(r.Remaining), len(r.Fixed), len(r.Excused), known))
		}
		ask("/w/a")
		wrong = []protocol.Diagnostic{coded(0, "gone: no 'lib'")}
		ask("/w/a")
		ask("/w/a")
		ask("/w/b")
		ask("/w/b")
		wrong = nil
		ask("/w/a")
		want := []string{
			"0 new, 0 remain, 0 fixed, 0 excused; 0 known",
			"1 new, 0 remain, 0 fixed, 0 excused; 1 known",
			"0 new, 1 remain, 0 fixed, 0 excused; 1 known",
			"0 new, 0 remain, 0 fixed, 1 excused; 1 known",
			"0 new, 0 remain, 0 fixed, 1 excused; 1 known",
			"0 new, 0 remain, 1 fixed, 0 excused; 0 known",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// Where a server refuses to answer, and a program is missing that it needs, that is the reason.
func TestRefusalForWantOfAProgram(t *testing.T) {
	y := startToy(t, lsptest.Script{Mode: lsptest.Pull, Rules: []lsptest.Rule{lsptest.On("textDocument/diagnostic", lsptest.ReplyError(-32603, "no views", ""))}})
	want := Lack{Missing: "toyc is not on PATH", Next: "get toyc"}
	source := Source{
		Key: y.key, Obtain: func(context.Context) (Server, error) { return y.server, nil },
		Setup: &Setup{Without: func(string, bool) Lack { return want }},
	}
	report, err := y.collector.Check(t.Context(), Request{
		Files: []File{{Path: filepath.Join(y.root, "main.toy"), Content: []byte("x\n"), Sources: []Source{source}}}, Timeout: y.timeout, FirstTouch: y.timeout,
	})
	if err != nil {
		t.Fatal(err)
	}
	a := report.Files[0].Answers[0]
	if diff := cmp.Diff(want, a.Lack); diff != "" || a.Freshness != Unavailable || !strings.HasPrefix(a.Reason, "toyc is not on PATH: ") || !strings.Contains(a.Reason, "no views") {
		t.Errorf("%s, %q\n%s", a.Freshness, a.Reason, diff)
	}
}

// What a server says without the program by which it judges is not known to be all, also when it is asked
// again and said it before.
func TestAnswerWithoutAHelper(t *testing.T) {
	y := startToy(t, lsptest.Script{Mode: lsptest.Pull})
	want := Lack{Missing: "toycheck is not installed", Next: "get toycheck"}
	missing := want
	handicap := func(string) (h Handicap) {
		if missing.Missing != "" {
			h = Handicap{Lack: missing, Reason: "not judged: " + missing.Missing}
		}
		return h
	}
	source := Source{
		Key: y.key, Obtain: func(context.Context) (Server, error) { return y.server, nil },
		Setup: &Setup{Handicap: handicap},
	}
	var got []Verdict
	for _, missing = range []Lack{want, want, {}} {
		report, err := y.collector.Check(t.Context(), Request{
			Files: []File{{Path: filepath.Join(y.root, "main.toy"), Content: []byte("\n"), Sources: []Source{source}}}, Timeout: y.timeout, FirstTouch: y.timeout,
		})
		if err != nil {
			t.Fatal(err)
		}
		a := report.Files[0].Answers[0]
		if diff := cmp.Diff(missing, a.Lack); diff != "" || missing.Missing != "" && a.Reason != "not judged: toycheck is not installed" {
			t.Errorf("%q %s", a.Reason, diff)
		}
		got = append(got, report.Files[0].Verdict)
	}
	if diff := cmp.Diff([]Verdict{Unknown, Unknown, Clean}, got); diff != "" {
		t.Error(diff)
	}
}

// The reason quotes the first of the errors that are not counted, by line and then as the server
// lists them, in one line and cut off, and says how many more there are.
func TestReasonQuotesTheFirstError(t *testing.T) {
	for _, c := range []struct {
		items []protocol.Diagnostic
		want  string
	}{
		{[]protocol.Diagnostic{at(2, "b"), at(1, "first\n of them"), at(1, "second")}, "no manifest; not counted, as it may come of that: line 2: first of them, and 2 more"},
		{[]protocol.Diagnostic{at(0, strings.Repeat("ä", 120))}, "no manifest; not counted, as it may come of that: line 1: " + strings.Repeat("ä", 120)},
		{[]protocol.Diagnostic{at(0, strings.Repeat("ä", 121))}, "no manifest; not counted, as it may come of that: line 1: " + strings.Repeat("ä", 120) + "…"},
	} {
		a := Answer{Items: c.items}
		excused := make([]bool, len(c.items))
		for i := range excused {
			excused[i] = true
		}
		a.conclude(Lack{Missing: "no manifest"}, excused)
		if diff := cmp.Diff(c.want, a.Reason); diff != "" || len(a.Items) > 0 {
			t.Errorf("%v besides (-want +got):\n%s", a.Items, diff)
		}
	}
}
