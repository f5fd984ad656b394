package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

const brokenFile = "-- broken.toy --\nfine\n\tünï ERROR no such thing\nWARN odd\nuse nothing\n"

// Nothing wrong is no output at all, and exit code 0.
func TestCleanCheckSaysNothing(t *testing.T) {
	t.Parallel()
	s := newShop(t, "-- a.toy --\ndef a\nWARN odd\n-- sub/b.toy --\nuse a\n", lsptest.Script{})
	s.expect("two files", s.run("check", "a.toy", "sub/b.toy"), 0, "", "lspine: no errors (2 files checked)")
	s.expect("by absolute path", s.run("check", filepath.Join(s.root, "a.toy")), 0, "", "no errors (1 file and 1 dependant checked)")
	s.change = func(st *Streams) { st.Dir = filepath.Join(s.root, "sub") }
	s.expect("from a folder below", s.run("check", "b.toy", "../a.toy", "--root", s.root), 0, "", "no errors (2 files checked)")
}

// Findings go to standard output, one a line, in the form of compilers, and
// make exit code 1.
func TestErrorsArePrinted(t *testing.T) {
	t.Parallel()
	s := newShop(t, brokenFile, lsptest.Script{})
	got := s.run("check", "broken.toy")
	golden(t, "check.golden", got.stdout)
	s.expect("errors", got, 1, got.stdout, "lspine: 2 errors (1 file checked)")
	got = s.run("check", "broken.toy", "--severity", "error,warning")
	golden(t, "check_warnings.golden", got.stdout)
	s.expect("warnings, too", got, 1, got.stdout, "2 errors, 1 warning (1 file checked)")
	s.expect("hints only", s.run("check", "broken.toy", "--severity", "hint"), 1, "", "there are new errors, but of other severities")
	s.change = func(st *Streams) { st.OutTerminal, st.Colour = true, true }
	got = s.run("check", "broken.toy")
	golden(t, "check_terminal.golden", got.stdout)
	s.change = func(st *Streams) { st.Dir = filepath.Dir(s.root) }
	above := s.run("check", filepath.Join(s.root, "broken.toy"), "--root", s.root)
	if want := filepath.Base(s.root) + "/broken.toy:2:6: error"; !strings.HasPrefix(above.stdout, want) {
		t.Errorf("from above: %q, want %s", above.stdout, want)
	}
}

// Messages are in JSON as servers wrote them: nobody puts it into a page.
func TestJSONIsNotEscapedForPages(t *testing.T) {
	t.Parallel()
	s := newShop(t, "-- a.toy --\nx ERROR no <b> & c\n", lsptest.Script{})
	if got := s.run("check", "a.toy", "--json"); !strings.Contains(got.stdout, `"message": "no <b> & c"`) {
		t.Error(got.stdout)
	}
}

// JSON has everything, and nothing else stands on standard output.
func TestErrorsAsJSON(t *testing.T) {
	t.Parallel()
	s := newShop(t, brokenFile, lsptest.Script{})
	got := s.run("check", "broken.toy", "missing.toy", "--json")
	s.expect("json", got, 2, got.stdout, "missing.toy")
	var check result.Check
	decoder := json.NewDecoder(strings.NewReader(got.stdout))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&check); err != nil || decoder.More() {
		t.Fatalf("not one JSON value: %v\n%s", err, got.stdout)
	}
	if check.Epoch == 0 {
		t.Error("the epoch is 0")
	}
	check.Epoch = 0
	for i := range check.Files {
		for j := range check.Files[i].Servers {
			check.Files[i].Servers[j].WaitedMS = 0
		}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(check); err != nil {
		t.Fatal(err)
	}
	golden(t, "check_json.golden", text.String())
}

// With - the names come from standard input, one a line, however it ends.
func TestNamesFromStandardInput(t *testing.T) {
	t.Parallel()
	s := newShop(t, brokenFile+"-- a b.toy --\nERROR bad\n", lsptest.Script{})
	s.stdin = "a b.toy\r\n\nbroken.toy"
	got := s.run("check", "-")
	s.expect("two names", got, 1, got.stdout, "3 errors in 2 files (2 files checked)")
	if strings.Count(got.stdout, "a b.toy:1:") != 1 || strings.Count(got.stdout, "broken.toy:") != 2 {
		t.Errorf("got %s", got.stdout)
	}
	s.stdin = ""
	s.expect("no names", s.run("check", "-"), 0, "", "nothing to check")
	s.stdin = "missing.toy\n"
	s.expect("a missing one", s.run("check", "-"), 2, "", "missing.toy")
}

// Names are as programs print them: one a line, in git's quotes if it adds them, or each ended by NUL and then as they are. A
// file whose own name looks quoted is meant by that name.
func TestNamesThatGitQuotes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if runtime.GOOS != "windows" { // where no file has such a name
		lsptest.WriteFile(t, filepath.Join(dir, `"there.toy"`), "")
	}
	for stdin, want := range map[string][]string{
		"":                                      {},
		"a.toy\r\n\r\nb c.toy":                  {"a.toy", "b c.toy"},
		`"gr\303\266\303\237e.toy"` + "\nb.toy": {"größe.toy", "b.toy"},
		`"say \"hi\".toy"` + "\r\n":             {`say "hi".toy`},
		`"gone.toy"` + "\n":                     {"gone.toy"},
		"größe.toy\x00two\nlines.toy\x00\x00":   {"größe.toy", "two\nlines.toy"},
		"\"gone.toy\"\x00":                      {`"gone.toy"`},
	} {
		if diff := cmp.Diff(want, listedNames(dir, stdin)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", stdin, diff)
		}
	}
	if got := listedNames(dir, `"there.toy"`); isThere(filepath.Join(dir, `"there.toy"`)) && !slices.Equal(got, []string{`"there.toy"`}) {
		t.Errorf("the file %q is taken for %q", `"there.toy"`, got)
	}
	s := newShop(t, "-- größe.toy --\nERROR bad\n", lsptest.Script{})
	for _, stdin := range []string{`"gr\303\266\303\237e.toy"` + "\n", "größe.toy\x00"} {
		s.stdin = stdin
		s.expect(stdin, s.run("check", "-"), 1, "größe.toy:1:1: error: bad\n", "1 error (1 file checked)")
	}
}

// Other files that a server reports on come after those asked for, unless the
// scope is the file.
func TestOtherFiles(t *testing.T) {
	t.Parallel()
	s := newShop(t, "-- a.toy --\nfine\n-- user.toy --\nuse nothing\n", lsptest.Script{PublishClosed: true})
	got := s.run("check", "a.toy", "--scope", "file")
	s.expect("the file", got, 0, "", "no errors (1 file checked)")
	got = s.run("check", "a.toy")
	s.expect("and others", got, 0, "", "no errors, 1 error in 1 other file not listed")
	got = s.run("check", "a.toy", "--all-errors")
	s.expect("which are listed", got, 0, "other files with diagnostics (1 of 1 shown):\nuser.toy:1:5: error: undefined: nothing\n", "1 error (1 file checked)")
	got = s.run("check", "a.toy", "--scope", "nope")
	s.expect("no scope", got, 2, "", "nope", "dependants")
}

// A server that does not answer in time is never called clean.
func TestNoAnswerIsNotClean(t *testing.T) {
	t.Parallel()
	s := newShop(t, "-- a.toy --\nERROR bad\n", lsptest.Script{Rules: []lsptest.Rule{
		lsptest.On("textDocument/didOpen", lsptest.Hang()), lsptest.On("textDocument/documentSymbol", lsptest.Hang()),
	}})
	s.expect("no answer", s.run("check", "a.toy", "--timeout", "2s"), 3, "", "a.toy", "toy", "not checked")
	crash := newShop(t, "-- a.toy --\nERROR bad\n", lsptest.Script{Rules: []lsptest.Rule{
		lsptest.On("initialize", lsptest.Stderr("no licence"), lsptest.Crash(3)),
	}})
	crash.expect("a crash", crash.run("check", "a.toy"), 3, "", "a.toy", "toy", "no licence", "code 3")
}

// Ctrl-C ends a command that waits for a server, with the code shells use.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "journal")
	s := newShop(t, "-- a.toy --\n", lsptest.Script{JournalFile: journal, Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Hang())}})
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	result := make(chan outcomeOf)
	go func() { result <- s.runIn(ctx, "check", "a.toy") }()
	lsptest.Eventually(t, 30*time.Second, func() bool { return len(lsptest.ReadJournal(t, journal)) > 0 }, "the server was not started")
	interrupt()
	s.expect("interrupted", <-result, exitInterrupted, "", "interrupted")
}

// Programs get the result in their own forms, one at a time, also when there is
// nothing to tell; the exit code stays the same.
func TestFormsForPrograms(t *testing.T) {
	t.Parallel()
	s := newShop(t, brokenFile, lsptest.Script{})
	sarif := s.run("check", "broken.toy", "--sarif")
	s.expect("sarif", sarif, 1, sarif.stdout)
	if !strings.Contains(sarif.stdout, `"uri": "file://ROOT/"`) || strings.Count(sarif.stdout, `"ruleId"`) != 2 {
		t.Errorf("sarif:\n%s", sarif.stdout)
	}
	github := s.run("check", "broken.toy", "--github")
	s.expect("github", github, 1, github.stdout)
	if strings.Count(github.stdout, "::error file=broken.toy,line=") != 2 {
		t.Errorf("github:\n%s", github.stdout)
	}
	s.expect("two forms", s.run("check", "broken.toy", "--github", "--json"), 2, "", "none of the others can be")
	empty := newShop(t, "", lsptest.Script{})
	for form, want := range map[string]string{"--sarif": `"results": []`, "--json": `"files": []`, "--github": ""} {
		got := empty.run("check", "-", form)
		empty.expect(form, got, 0, got.stdout)
		if !strings.Contains(got.stdout, want) || form == "--github" && got.stdout != "" {
			t.Errorf("nothing to check, %s: %q", form, got.stdout)
		}
	}
}
