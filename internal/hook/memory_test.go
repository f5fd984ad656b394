package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// A session remembers so many files that it changed; of more it forgets the first, with its text.
func TestBoundOfChangedFiles(t *testing.T) {
	m := &memory{Before: make(map[string]string)}
	text := "x"
	for i := range maxTouched {
		m.recordChange(fmt.Sprint(i), &text)
	}
	if m.Touched[0] != "0" || len(m.Touched) != maxTouched || m.Before["0"] != text {
		t.Errorf("of %d files it remembers %d, the first is %s", maxTouched, len(m.Touched), m.Touched[0])
	}
	m.recordChange("one more", &text)
	if _, kept := m.Before["0"]; kept || m.Touched[0] != "1" || len(m.Touched) != maxTouched || m.Before["one more"] != text {
		t.Errorf("of one more it remembers %d, the first is %s; the text of the first is kept: %t", len(m.Touched), m.Touched[0], kept)
	}
}

// What a session remembers is what it kept last; what cannot be read as a memory is forgotten, and where
// there is no place for one, that is an error.
func TestMemoryOfASession(t *testing.T) {
	remember := func(folder string) (m *memory, keep func() error, letGo func(), err error) {
		d, err := deskOf(folder, "s")
		if err != nil {
			return nil, nil, nil, err
		}
		return d.remember(t.Context())
	}
	again := func(folder string) (*memory, error) {
		m, keep, letGo, err := remember(folder)
		if err != nil {
			return nil, err
		}
		defer letGo()
		return m, keep()
	}
	empty := &memory{}
	empty.prepare()
	folder := filepath.Join(t.TempDir(), "sub", "state")
	m, keep, letGo, err := remember(folder)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(empty, m); diff != "" {
		t.Errorf("at first (-want +got):\n%s", diff)
	}
	m.Commit, m.Stamps["a"], m.Before["a"], m.Broken["a"] = "c", stamp{1, 2, 3}, "text", []result.Diagnostic{{Line: 3, Code: "E", Message: "bad"}}
	m.Owed["a"], m.Owed["b"], m.Held["Stop"] = new("old"), nil, held{"f", []string{"a"}}
	if err := keep(); err != nil {
		t.Fatal(err)
	}
	letGo()
	got, err := again(folder)
	if diff := cmp.Diff(m, got); diff != "" || err != nil {
		t.Errorf("the next time (-want +got):\n%s%v", diff, err)
	}

	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := os.WriteFile(files[0], []byte(`{"commit": "c", "swept": tr`), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err = again(folder)
	if diff := cmp.Diff(empty, got); diff != "" || err != nil {
		t.Errorf("when it was broken (-want +got):\n%s%v", diff, err)
	}

	if err := errors.Join(os.Remove(files[0]), os.Mkdir(files[0], 0o700)); err != nil {
		t.Fatal(err)
	}
	for name, folder := range map[string]string{"none": "", "below a file": filepath.Join(files[0]+".lock", "state"), "its file is a folder": folder} {
		if m, err := again(folder); m != nil || err == nil {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
}

// Memories that nobody has used for two weeks are removed; younger ones stay, and the log does.
func TestOldMemoriesAreForgotten(t *testing.T) {
	folder, now := t.TempDir(), time.Unix(1_700_000_000, 0)
	for name, age := range map[string]time.Duration{"old.json": maxAge + time.Second, "old.json.lock": 2 * maxAge, "just.json": maxAge, "new.json": 0, "hook.log": 2 * maxAge} {
		file := filepath.Join(folder, name)
		if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Chtimes(file, now.Add(-age), now.Add(-age))); err != nil {
			t.Fatal(err)
		}
	}
	forgetOld(folder, now)
	forgetOld(filepath.Join(folder, "none"), now)
	var left []string
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if diff := cmp.Diff([]string{"hook.log", "just.json", "new.json"}, left); diff != "" || err != nil {
		t.Errorf("(-want +got):\n%s%v", diff, err)
	}
}

// What an answer about a file leaves open: whether more may be wrong with it than is known, and whether
// to ask again will tell.
func TestWhatAnAnswerLeavesOpen(t *testing.T) {
	type open struct{ Doubtful, Later bool }
	failed := func(kind result.Kind) result.File { return result.File{Error: &result.Error{Kind: kind}} }
	said := func(verdict string, freshness ...string) result.File {
		f := result.File{Verdict: verdict}
		for _, how := range freshness {
			f.Servers = append(f.Servers, result.Answer{Server: "x", Freshness: how})
		}
		return f
	}
	for _, c := range []struct {
		file result.File
		want open
	}{
		{said(result.Clean, "fresh"), open{}},
		{said(result.NewErrors, "fresh"), open{}},
		{said(result.NewErrors, "fresh", "timeout"), open{Later: true}},
		{said(result.Unknown, "timeout"), open{true, true}},
		{said(result.Unknown, "indexing"), open{true, true}},
		{said(result.Unknown, "fresh", "partial"), open{true, true}},
		{said(result.LSPUnavailable, "unavailable"), open{Doubtful: true}},
		{said(result.LSPUnavailable), open{}},
		{said(result.Unknown), open{}},
		{failed(result.NotFound), open{}},
		{failed(result.Timeout), open{true, true}},
		{failed(result.NotReady), open{true, true}},
		{failed(result.Denied), open{Doubtful: true}},
	} {
		if diff := cmp.Diff(c.want, open{isDoubtful(c.file), comesLater(&c.file)}); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c.file, diff)
		}
	}
}

// Findings are the same in whatever order and lines, and others with another file, code or message.
func TestSameFindings(t *testing.T) {
	bad := result.Diagnostic{Line: 3, Code: "E", Message: "bad", Severity: "error"}
	worse := result.Diagnostic{Line: 9, Code: "E", Message: "worse", Severity: "warning"}
	moved := bad
	moved.Line = 7
	other := bad
	other.Code = "F"
	set := func(files ...result.File) string { return (&report{root: "/", listed: files}).fingerprint() }
	first := set(fileWith("a", "", bad, worse), fileWith("b", "", worse))
	for name, c := range map[string]struct {
		set  string
		same bool
	}{
		"the same":        {set(fileWith("a", "", bad, worse), fileWith("b", "", worse)), true},
		"in other order":  {set(fileWith("b", "", worse), fileWith("a", "", worse, moved)), true},
		"of another file": {set(fileWith("a", "", bad), fileWith("b", "", worse, worse)), false},
		"another code":    {set(fileWith("a", "", other, worse), fileWith("b", "", worse)), false},
		"one less":        {set(fileWith("a", "", bad, worse)), false},
	} {
		if (c.set == first) != c.same {
			t.Errorf("%s: %s and %s", name, first, c.set)
		}
	}
	for want, list := range map[string][]result.Diagnostic{"error": {bad}, "errors": {bad, moved}, "findings": {bad, worse}, "finding": {worse}} {
		if got := nounFor(len(list), []result.File{fileWith("a", "", list...)}); got != want {
			t.Errorf("%d are called %q, want %q", len(list), got, want)
		}
	}
}

// Files that a caller names are judged as after an edit, for no session: nothing is remembered of them,
// no payload is read, and that something is wrong is told by the exit code.
func TestFilesByName(t *testing.T) {
	p := newPlace(t)
	p.session, p.o.Files = "", []string{"a.go", filepath.Join("sub", "b.go")}
	p.answer = result.Check{Files: []result.File{fileWith("a.go", result.NewErrors, fresh(3, "bad"))}}
	unread := iotest.ErrReader(errors.New("it was read"))
	run := func(wantCode int, want string) {
		t.Helper()
		var out strings.Builder
		if code := Run(t.Context(), unread, &out, p.o); code != wantCode || out.String() != want {
			t.Errorf("code %d, %q; want code %d, %q", code, out.String(), wantCode, want)
		}
	}
	run(1, "a.go:3:1: error: bad\n")
	run(1, "a.go:3:1: error: bad\n")
	p.answer = result.Check{Files: []result.File{fileWith("a.go", result.Clean)}}
	run(0, "")
	if diff := cmp.Diff([]string{filepath.Join(p.root, "a.go"), filepath.Join(p.root, "sub", "b.go")}, p.asked[0].Files); diff != "" || len(p.asked) != 3 {
		t.Errorf("asked %d times:\n%s", len(p.asked), diff)
	}
	log, err := os.ReadFile(filepath.Join(p.o.State, "hook.log"))
	if err != nil || !strings.HasSuffix(string(log), " text edited: nothing is new: 1 files judged\n") || strings.Count(string(log), "\n") != 1 {
		t.Errorf("the log says %s, %v", log, err)
	}
}

// A payload without a folder is about the folder in which the hook runs, from which its files are named; one that cannot be read, and an
// answer that cannot be written, are told in the log.
func TestPayloadsOfNoFolder(t *testing.T) {
	p := newPlace(t)
	p.write("a.go", "a new text")
	p.answer = result.Check{Files: []result.File{fileWith("a.go", result.NewErrors, fresh(3, "bad"))}}
	p.says(strings.ReplaceAll(editedA, `"cwd":"ROOT",`, ""), "a.go:3:1: error: bad\n")
	p.answer.Files[0].Diagnostics[0].Message = "worse"
	p.says(strings.ReplaceAll(editedA, `"cwd":"ROOT",`, `"cwd":"elsewhere",`), "a.go:3:1: error: worse\n")
	p.answer.Files[0].Diagnostics[0].Message = "worst"
	p.says(strings.NewReplacer(`"cwd":"ROOT",`, "", "ROOT/a.go", "a.go").Replace(editedA), "a.go:3:1: error: worst\n")
	if diff := cmp.Diff([]string{filepath.Join(p.root, "a.go")}, p.asked[len(p.asked)-1].Files); diff != "" {
		t.Errorf("a file that is named from the folder (-want +got):\n%s", diff)
	}
	if code := Run(t.Context(), iotest.ErrReader(errors.New("no payload")), io.Discard, p.o); code != 0 {
		t.Errorf("exit code %d", code)
	}
	reader, writer := io.Pipe()
	if err := reader.CloseWithError(errors.New("nobody listens")); err != nil {
		t.Fatal(err)
	}
	if code := Run(t.Context(), strings.NewReader(strings.ReplaceAll(editedA, "ROOT", lsptest.InJSON(p.root))), writer, p.o); code != 0 {
		t.Errorf("exit code %d", code)
	}
	log, err := os.ReadFile(filepath.Join(p.o.State, "hook.log"))
	for _, want := range []string{"the payload of the hook: no payload", "nobody listens"} {
		if err != nil || !strings.Contains(string(log), want) {
			t.Errorf("no %q in the log: %s, %v", want, log, err)
		}
	}
}

// At the end of a turn the disk is looked at as well: what changed there without a word is the session's. If it
// cannot be judged, that is admitted. If nobody can say what changed, that is admitted there, and silence before, with the
// reason in the log.
func TestEndOfTurnLooksAtTheDisk(t *testing.T) {
	p := newPlace(t)
	p.changed = []string{}
	p.hook(started)
	p.write("c.go", "text")
	p.changed = []string{"c.go"}
	p.answer = result.Check{Files: []result.File{fileWith("c.go", result.NewErrors, fresh(3, "bad"))}}
	p.err = errors.New("no judge")
	want := string(answer(&Event{Agent: Claude, Name: "Stop", Moment: Settled}, "not judged yet, the next hook of this session reports on it: c.go (no judge)\n", ""))
	if diff := cmp.Diff(want, p.hook(stopped)); diff != "" {
		t.Errorf("what was not judged (-want +got):\n%s", diff)
	}
	p.err = nil
	want = string(answer(&Event{Agent: Claude, Name: "Stop", Moment: Settled}, "1 error of this session's changes remains:\nc.go:3:1: error: bad\n", ""))
	if diff := cmp.Diff(want, p.hook(stopped)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	open := p.o.Open
	p.o.Open = func(dir, session string) (Workspace, error) {
		w, err := open(dir, session)
		w.Changed = func(context.Context, string) (Listing, error) { return Listing{}, errors.New("no git") }
		return w, err
	}
	if got := p.hook(ranShell); got != "" {
		t.Errorf("after a look that failed: %q", got)
	}
	want = string(answer(&Event{Agent: Claude, Name: "Stop", Moment: Settled}, "1 error of this session's changes remains:\nc.go:3:1: error: bad\nnot known: what changed on disk (no git)\n", ""))
	if diff := cmp.Diff(want, p.hook(stopped)); diff != "" {
		t.Errorf("at the end after such a look (-want +got):\n%s", diff)
	}
	log, err := os.ReadFile(filepath.Join(p.o.State, "hook.log"))
	for _, want := range []string{"claude Stop: no judge", "what changed on disk is not known: no git"} {
		if err != nil || !strings.Contains(string(log), want) {
			t.Errorf("no %q in the log: %s, %v", want, log, err)
		}
	}
}

// A sweep finds the files that came, changed, went or are again as committed since the last one, which is none the
// first time; what was seen in between is not found. A file that is no longer listed and is as it was, because it was
// committed, or because git does not list it and a tool named it, is found when it changes again.
func TestSweepOfTheDisk(t *testing.T) {
	dir := t.TempDir()
	a, b, c := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "c")
	m := &memory{}
	m.recordStamps([]string{a})
	lsptest.WriteFile(t, a, "a")
	got := [][]string{m.changedSinceSweep(Listing{Files: []string{a}}), m.changedSinceSweep(Listing{Files: []string{a}})}
	lsptest.WriteFile(t, a, "a longer")
	lsptest.WriteFile(t, b, "b")
	lsptest.WriteFile(t, c, "c")
	m.recordStamps([]string{c})
	got = append(got, m.changedSinceSweep(Listing{Files: []string{c, b, a}}))
	if err := os.Remove(b); err != nil {
		t.Fatal(err)
	}
	got = append(got, m.changedSinceSweep(Listing{Files: []string{a, b, c}}), m.changedSinceSweep(Listing{Files: []string{b, c}}))
	lsptest.WriteFile(t, a, "a")
	got = append(got, m.changedSinceSweep(Listing{Files: []string{b, c}}), m.changedSinceSweep(Listing{Files: []string{b}}))
	lsptest.WriteFile(t, c, "c longer")
	got = append(got, m.changedSinceSweep(Listing{Files: []string{b}}))
	if diff := cmp.Diff([][]string{nil, nil, {a, b}, {b}, nil, {a}, nil, {c}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A file that another of the same size and time took the place of, as tar and cp -p do, has changed.
func TestSweepFindsWhatGotItsTimeBack(t *testing.T) {
	lsptest.NeedTimesOfChange(t)
	file := filepath.Join(t.TempDir(), "a")
	long := time.Now().Add(-time.Hour)
	m := &memory{}
	var got [][]string
	for _, text := range []string{"1", "2"} {
		lsptest.WriteFile(t, file, text)
		if err := os.Chtimes(file, long, long); err != nil {
			t.Fatal(err)
		}
		got = append(got, m.changedSinceSweep(Listing{Files: []string{file}}), m.changedSinceSweep(Listing{Files: []string{file}}))
		lsptest.Tick(t)
	}
	if diff := cmp.Diff([][]string{nil, nil, {file}, nil}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A report lists what is wrong with the files of the event, and what came late; of others it names the files or, in
// full, lists that as well. What is listed is shown also if it is not new.
func TestTextOfAReport(t *testing.T) {
	file := func(path string) []result.File {
		return keptOfFiles([]result.File{{Path: path, Diagnostics: []result.Diagnostic{{Line: 3, Column: 1, Severity: "error", Message: "bad"}, {Line: 4, Severity: "error", Message: "left out"}}}, {Path: "none"}}, eachAlone(func(_ *result.File, d *result.Diagnostic) bool { return d.Line == 3 }))
	}
	unsure := file("d")
	unsure[0].Baseline = api.BaselineNone
	const unsureSays = "d:3:1: error: bad\n"
	const own, late, others = "a:3:1: error: bad\n", "of earlier edits, answered late:\nb:3:1: error: bad\n", "also broken now:\nc:3:1: error: bad\n"
	const fixed = "all fixed: nothing that this session's changes broke is left\n"
	for name, c := range map[string]struct {
		report report
		mode   string
		want   string
	}{
		"its own":               {report{own: file("a")}, ReportEach, own},
		"its own, in full":      {report{own: file("a")}, ReportFull, own},
		"others":                {report{own: file("a"), others: file("c")}, ReportEach, own + "also broken now: c (1)\n"},
		"others, in full":       {report{own: file("a"), others: file("c")}, ReportFull, own + others},
		"late":                  {report{late: file("b")}, ReportEach, late},
		"all is fixed":          {report{allFixed: true}, ReportEach, fixed},
		"all is fixed, in full": {report{allFixed: true}, ReportFull, fixed},
		"fixed, but others":     {report{allFixed: true, others: file("c")}, ReportEach, "also broken now: c (1)\n"},
		"one remains":           {report{listed: file("a")}, ReportEach, "1 error of this session's changes remains:\n" + own},
		"one remains, of whoever": {
			report{listed: unsure}, ReportEach, "1 error remains, and it is not known whether of this session's changes:\n" + unsureSays,
		},
		"two remain, one of whoever": {
			report{listed: append(file("a"), unsure...)}, ReportEach, "2 errors remain, and of 1 it is not known whether of this session's changes:\n" + own + unsureSays,
		},
		"nothing is to be told": {report{}, ReportFull, ""},
		"not known": {report{open: []opening{
			{what: "a", why: "slow", later: true}, {what: "b", why: "slower", later: true}, {what: "c", why: "missing"}, {what: "users of\na: d"}, {what: "e", why: "slow", later: true},
		}}, ReportEach, "not judged yet, the next hook of this session reports on it: a, e (slow), b (slower); not known: c (missing), users of a: d\n"},
		"more is not known": {report{open: []opening{
			{what: "a", why: "slow"}, {what: "b", why: "slow"}, {what: "c", why: "slow"}, {what: "d", why: "slow"}, {what: "e", why: "slow"}, {what: "f", why: "slow"}, {what: "g", why: "else"},
		}}, ReportEach, "not known: a, b, c, d, e and 2 more (slow)\n"},
	} {
		c.report.dir, c.report.root = lsptest.Rooted("/r"), lsptest.Rooted("/r")
		if diff := cmp.Diff(c.want, c.report.text(c.mode, 0)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
