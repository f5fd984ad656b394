package diagnostics

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
)

var modes = []lsptest.Mode{
	lsptest.PushVersioned, lsptest.Push, lsptest.Pull, lsptest.PullDynamic, lsptest.PushAndPull, lsptest.Command, lsptest.Progress,
}

// A toy is a collector with one real scripted process.
type toy struct {
	t         *testing.T
	collector *Collector
	server    *lsp.Server
	key       Key
	root      string
	timeout   time.Duration
}

func startToy(t *testing.T, script lsptest.Script) *toy {
	t.Helper()
	root := lsptest.Workspace(t, "-- toy.root --\n-- lib.toy --\ndef helper\n"+
		"-- old.toy --\nx ERROR old\n-- user.toy --\nuse helper\n")
	d := script.Definition(t)
	y := &toy{t: t, collector: New(Options{}), key: Key{d.ID, root}, root: root, timeout: 20 * time.Second}
	t.Cleanup(y.collector.Close)
	var err error
	y.server, err = lsp.Start(t.Context(), d, root, lsp.Options{
		Binary: d.Commands[0].Binary, Env: os.Environ(), Observer: y.collector.Observe(y.key),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = y.server.Close(context.Background()) })
	return y
}

// check shows a text and returns the answer and the report.
func (y *toy) check(name, text string) (Answer, FileReport) {
	y.t.Helper()
	source := Source{Key: y.key, Obtain: func(context.Context) (Server, error) { return y.server, nil }}
	report, err := y.collector.Check(y.t.Context(), Request{
		Files:   []File{{Path: filepath.Join(y.root, name), Content: []byte(text), Sources: []Source{source}}},
		Timeout: y.timeout, FirstTouch: y.timeout,
	})
	if err != nil {
		y.t.Fatal(err)
	}
	return report.Files[0].Answers[0], report.Files[0]
}

// A chapter is a text and the truth about it.
type chapter struct{ text, truth string }

// story breaks, mends and breaks again, with and without a change.
var story = []chapter{
	{"def a\nx ERROR one\n", "one"},
	{"def a\nx ERROR one\n", "one"},
	{"def a\n", ""},
	{"def a\n\n", ""},
	{"use helper\nuse nothing\n", "undefined: nothing"},
	{"x ERROR two\ny ERROR three\n", "two, three"},
	{"x ERROR two\ny ERROR three\n\n", "two, three"},
	{"", ""},
	{"x ERROR last", "last"},
}

// truthOf leaves out what the script adds itself.
func truthOf(a Answer) string {
	var all []string
	for _, d := range a.Items {
		if !strings.HasPrefix(d.Message, "bad position") {
			all = append(all, d.Message)
		}
	}
	return strings.Join(all, ", ")
}

// With a server that keeps to its way, whichever that is, every answer is fresh
// and true.
func TestEveryModeTellsTheTruth(t *testing.T) {
	variants := map[string]lsptest.Script{
		"plain": {}, "silent": {Silent: true}, "late": {PublishDelay: 30}, "refresh": {Refresh: true},
		"greasy": {Grease: 5, Nulls: true, StringIDs: true}, "full text": {Sync: "full", PositionEncoding: "utf-8"},
	}
	for _, mode := range modes {
		for name, script := range variants {
			if name == "silent" && mode != lsptest.Pull && mode != lsptest.Command && mode != lsptest.Progress {
				continue // below: silence cannot be told from work
			}
			script.Mode = mode
			t.Run(string(mode)+" "+name, func(t *testing.T) {
				t.Parallel()
				y := startToy(t, script)
				for i, c := range story {
					if a, _ := y.check("a.toy", c.text); a.Freshness != Fresh || truthOf(a) != c.truth {
						t.Fatalf("chapter %d: %s (%s), want fresh: %s", i, said(a), a.Reason, c.truth)
					}
				}
			})
		}
	}
}

// aboutPull is the rudeness that only an answer to a pull can have.
var aboutPull = map[string]bool{
	"content modified": true, "cancelled": true, "modified for ever": true, "null": true, "lies about pull": true,
}

// Whatever a server does wrong, an answer that is called fresh is the truth.
func TestRudenessNeverTurnsIntoClean(t *testing.T) {
	const change = "textDocument/didChange"
	every := func(do ...lsptest.Action) []lsptest.Rule {
		var rules []lsptest.Rule
		for _, method := range []string{"textDocument/didOpen", change, "textDocument/diagnostic", "workspace/executeCommand"} {
			rules = append(rules, lsptest.On(method, do...))
		}
		return rules
	}
	second := func(do ...lsptest.Action) []lsptest.Rule {
		return []lsptest.Rule{
			lsptest.OnNth(change, 2, do...),
			lsptest.OnNth("textDocument/diagnostic", 3, do...), lsptest.OnNth("workspace/executeCommand", 3, do...),
		}
	}
	for name, script := range map[string]lsptest.Script{
		"silent":              {Silent: true},
		"silent and late":     {Silent: true, PublishDelay: 60},
		"twice":               {Rules: every(lsptest.Twice())},
		"older versions":      {Rules: every(lsptest.ShiftVersion(-1))},
		"out of order":        {Rules: second(lsptest.DelayUntil(change))},
		"one is late":         {Rules: second(lsptest.Delay(250))},
		"one never comes":     {Rules: second(lsptest.Hang())},
		"none ever comes":     {Rules: every(lsptest.Hang())},
		"never ending":        {Rules: []lsptest.Rule{lsptest.On("textDocument/didOpen", lsptest.PublishForever(5))}},
		"bad elements":        {Rules: every(lsptest.BadElement())},
		"bad positions":       {Rules: every(lsptest.BadPositions())},
		"split":               {Rules: every(lsptest.SplitFrame(20))},
		"half":                {Rules: second(lsptest.HalfFrame())},
		"errors":              {Rules: every(lsptest.ReplyError(-32603, "no", ""))},
		"content modified":    {Rules: second(lsptest.ContentModified())},
		"cancelled":           {Rules: second(lsptest.ServerCancelled())},
		"modified for ever":   {Rules: every(lsptest.ContentModified())},
		"null":                {Rules: second(lsptest.Reply(`{"kind":"unchanged"}`))},
		"bad JSON":            {Rules: second(lsptest.BadJSON())},
		"asks":                {Rules: every(lsptest.AskAll())},
		"stalls":              {Rules: second(lsptest.Stall())},
		"stops reading":       {Rules: second(lsptest.StopReading())},
		"crashes":             {Rules: second(lsptest.Crash(3))},
		"pushes nothing":      {Capabilities: []byte(`{"diagnosticProvider":null}`), Rules: every(lsptest.Hang())},
		"lies about pull":     {Capabilities: []byte(`{"diagnosticProvider":null}`)},
		"lies about commands": {Capabilities: []byte(`{"executeCommandProvider":null}`)},
	} {
		for _, mode := range modes {
			if mode == lsptest.PullDynamic || mode == lsptest.PushAndPull || aboutPull[name] && mode != lsptest.Pull {
				continue // they differ from Pull in how it is offered
			}
			script.Mode = mode
			t.Run(string(mode)+" "+name, func(t *testing.T) {
				t.Parallel()
				y := startToy(t, script)
				y.timeout = 100 * time.Millisecond
				if name == "null" { // it is no lie as long as its turn comes where nothing changed
					y.timeout = time.Minute
				}
				for i, c := range story {
					a, r := y.check("a.toy", c.text)
					if a.Freshness == Fresh && truthOf(a) != c.truth {
						t.Errorf("chapter %d: %s, want %s", i, said(a), c.truth)
					}
					if a.Freshness != Fresh && r.Verdict != Unknown && r.Verdict != LSPUnavailable && (r.Verdict != NewErrors || len(a.Items) == 0) {
						t.Errorf("chapter %d: %s, verdict %s", i, said(a), r.Verdict)
					}
					if a.Freshness != Fresh && a.Reason == "" {
						t.Errorf("chapter %d: %s, and no reason", i, said(a))
					}
				}
			})
		}
	}
}

// A server that is asked again after others changed tells what is true then, in
// every mode, although the file itself did not change.
func TestCrossFileTruth(t *testing.T) {
	for _, mode := range modes {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			y := startToy(t, lsptest.Script{Mode: mode})
			use := func(want string) {
				t.Helper()
				a, _ := y.check("a.toy", "use fresh\n")
				if mode == lsptest.Push && a.Freshness == Partial && want == "" {
					return // an empty push may be that of a close
				}
				if a.Freshness != Fresh || truthOf(a) != want {
					t.Errorf("%s (%s), want fresh: %s", said(a), a.Reason, want)
				}
			}
			use("undefined: fresh")
			y.check("lib.toy", "def fresh\n")
			use("")
			y.check("lib.toy", "def other\n")
			use("undefined: fresh")
			use("undefined: fresh")
		})
	}
}

// The other files that a change broke are reported with it, as new, and those that
// it mended, once; those that were broken before are not.
func TestOthersBrokenByAChange(t *testing.T) {
	p := startToy(t, lsptest.Script{Mode: lsptest.Progress, PublishClosed: true})
	source := Source{Key: p.key, Obtain: func(context.Context) (Server, error) { return p.server, nil }}
	check := func(text string) Report {
		t.Helper()
		report, err := p.collector.Check(t.Context(), Request{
			Files:   []File{{Path: filepath.Join(p.root, "lib.toy"), Content: []byte(text), Sources: []Source{source}}},
			Timeout: p.timeout, FirstTouch: p.timeout, OthersToo: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	check("def helper\n")
	r := check("def renamed\n")
	var broken []string
	for _, o := range concerned(r.Others) {
		broken = append(broken, filepath.Base(o.Path)+": "+messages(o.New))
	}
	expect(t, strings.Join(broken, "; "), "user.toy: undefined: helper")
	r = check("def helper\n")
	if others := concerned(r.Others); len(others) != 1 || len(others[0].Diagnostics) != 0 || messages(others[0].Fixed) != "undefined: helper" {
		t.Errorf("others after it was mended: %+v", others)
	}
	if others := concerned(check("def helper\n# more\n").Others); len(others) != 0 {
		t.Errorf("others of a change that did nothing: %+v", others)
	}
}

// concerned returns the reports with something that is new or mended.
func concerned(reports []FileReport) []FileReport {
	return slices.DeleteFunc(slices.Clone(reports), func(r FileReport) bool { return len(r.New)+len(r.Fixed) == 0 })
}
