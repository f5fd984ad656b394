package diagnostics

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
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
		rust, _ := registry.Builtin().Get("rust-analyzer")
		answer := Answer{Freshness: Fresh, Items: now, prior: prior{known: true, text: text, items: before}, wording: rust.Wording}
		r := judge(File{Path: "/w/core/src/lib.rs", Content: text}, Request{}, []Answer{answer}, nobodyTold)
		return fmt.Sprintf("%d new, %d remaining, %d fixed", len(r.New), len(r.Remaining), len(r.Fixed))
	}
	relative, absolute := missing(0, "a", "src"), missing(0, "a", "/w/core/src")
	expect(t, reported([]protocol.Diagnostic{relative}, absolute), "0 new, 1 remaining, 0 fixed")
	expect(t, reported([]protocol.Diagnostic{absolute, relative}, relative), "0 new, 1 remaining, 0 fixed")
	expect(t, reported(nil, absolute, relative), "1 new, 0 remaining, 0 fixed")
	expect(t, reported([]protocol.Diagnostic{relative}, missing(0, "b", "src")), "1 new, 0 remaining, 1 fixed")
}

// A file of another is gone, and nobody could say what was wrong while it was there: what misses it is new, and of the
// rest it is not known whether it is. Where nothing else is wrong, all is known.
func TestNewBesideAMissingFile(t *testing.T) {
	const missing = `Import ".exc" could not be resolved`
	text := []byte("from .exc import a\nb\n")
	for name, c := range map[string]struct {
		items []protocol.Diagnostic
		want  string
	}{
		"it is missed":             {[]protocol.Diagnostic{at(0, missing)}, "new_errors: 1 new, doubtful false"},
		"another error beside":     {[]protocol.Diagnostic{at(0, missing), at(1, `"b" is not defined`)}, "new_errors: 1 new, doubtful true"},
		"another error alone":      {[]protocol.Diagnostic{at(1, `"b" is not defined`)}, "unknown: 0 new, doubtful true"},
		"a warning, which is none": {[]protocol.Diagnostic{warning(1, `"b" is not used`)}, "clean: 0 new, doubtful false"},
	} {
		file := File{Path: "/w/user.py", Content: text, Gone: []string{"/w/exc.py"}}
		r := judge(file, Request{}, []Answer{{Freshness: Fresh, Items: c.items}}, nobodyTold)
		if got := fmt.Sprintf("%s: %d new, doubtful %t", r.Verdict, len(r.New), r.Doubtful); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// What was wrong with a file before it moved is what was said of its former path alone, and not what was said of the new
// one, where the server was shown something in its place.
func TestFormerErrorsOfAMovedFile(t *testing.T) {
	key := Key{ID: "x"}
	m := &Moment{said: map[Key]map[string]statement{key: {"/w/new": {}}}}
	f := File{Path: "/w/new", From: "/w/old"}
	if p := m.priorOf(key, f); p.known {
		t.Errorf("known by the new path: %v", p.items)
	}
	m.said[key]["/w/old"] = statement{items: []protocol.Diagnostic{at(0, "old")}}
	if p := m.priorOf(key, f); !p.known || len(p.items) != 1 {
		t.Errorf("not known by the former path: %v", p.items)
	}
}
