package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/lsptest"
)

// kept returns a shop whose commands keep their evidence in a file of the test.
func kept(t *testing.T) (s *shop, path string) {
	t.Helper()
	s = newShop(t, "-- main.toy --\nuse helper\n-- lib.toy --\ndef helper\n", lsptest.Script{})
	state := t.TempDir()
	s.change = func(streams *Streams) {
		streams.Environ = append(streams.Environ, "XDG_STATE_HOME="+state, "API_TOKEN=tok-in-the-environment")
	}
	return s, filepath.Join(state, "lspine", "evidence.jsonl")
}

var (
	moment = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`)
	took   = regexp.MustCompile(`\d+(\.\d)? ms`)
	sized  = regexp.MustCompile(`\d+ bytes`)
	pid    = regexp.MustCompile(`process \d+ (\S+) .*`)
)

// Commands leave a record of what they asked, whose chain is whole; show prints it from the
// beginning, tail from its end, and both only what is asked for.
func TestEvidenceOfCommands(t *testing.T) {
	t.Parallel()
	s, path := kept(t)
	if got := s.run("def", "main.toy:1:5"); got.code != 0 {
		t.Fatal(got.stderr)
	}
	if got := s.run("check", "lib.toy"); got.code != 0 {
		t.Fatal(got.stderr)
	}
	var report evidence.Report
	got := s.run("evidence", "verify", "--json")
	if err := json.Unmarshal([]byte(got.stdout), &report); err != nil || got.code != 0 {
		t.Fatal(err, got.stderr)
	}
	if report.Path != path || report.Last != report.Records || report.Records < 6 || len(report.Problems)+len(report.Notes) > 0 {
		t.Errorf("%+v", report)
	}
	shown := s.run("evidence", "show")
	text := took.ReplaceAllString(moment.ReplaceAllString(shown.stdout, "TIME"), "0 ms")
	text = pid.ReplaceAllString(sized.ReplaceAllString(text, "0 bytes"), "process 0 $1")
	for _, line := range []string{
		"1 TIME log_opened: process 0 definition\n",
		" TIME tool_call cli: definition main.toy, 0 ms\n",
		" TIME tool_call cli: check lib.toy, 0 ms\n",
		" TIME diagnostic_validation cli: check: clean, 1 files\n",
		" TIME log_closed: ",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("show does not say %q:\n%s", line, text)
		}
	}
	if n := strings.Count(shown.stdout, "\n"); uint64(n) != report.Records {
		t.Errorf("%d lines of %d records", n, report.Records)
	}
	about := s.run("evidence", "show", "--file", "lib.toy", "--json").stdout
	for line := range strings.Lines(about) {
		var r evidence.Record
		if err := json.Unmarshal([]byte(line), &r); err != nil || !r.About("lib.toy") {
			t.Errorf("%v: %s", err, line)
		}
	}
	if about == "" {
		t.Error("nothing is about lib.toy")
	}
	last := s.run("evidence", "tail", "--lines", "1").stdout
	if !strings.Contains(last, "log_closed") || strings.Count(last, "\n") != 1 {
		t.Errorf("the last record is %s", last)
	}
	s.expect("since", s.run("evidence", "show", "--since", "2100-01-01"), 0, "")
	s.expect("since what", s.run("evidence", "show", "--since", "yesterday"), 2, "", `--since: "yesterday" is no moment`, "for example --since 24h")
	s.expect("none", s.run("evidence", "tail", "--lines", "0"), 2, "", "--lines: at least one record is needed")
}

// verify names what is wrong, and fails.
func TestEvidenceVerify(t *testing.T) {
	s, path := kept(t)
	s.run("def", "main.toy:1:5")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, path, strings.Replace(string(text), `"client":"cli"`, `"client":"clj"`, 1))
	got := s.run("evidence", "verify")
	if got.code != 1 || !strings.Contains(got.stdout, "was changed\n") || !strings.Contains(got.stdout, "the chain is broken in 1 places\n") {
		t.Errorf("exit code %d: %s", got.code, got.stdout)
	}
	lsptest.WriteFile(t, path, string(text))
	if got := s.run("evidence", "verify"); got.code != 0 || !strings.HasSuffix(got.stdout, "the chain is whole\n") {
		t.Errorf("exit code %d: %s", got.code, got.stdout)
	}
}

// A hash that was kept elsewhere is found again, and a log that was cut since is not whole, even if more was written to it.
func TestEvidenceVerifyAgainst(t *testing.T) {
	s, path := kept(t)
	s.run("def", "main.toy:1:5")
	var report evidence.Report
	if err := json.Unmarshal([]byte(s.run("evidence", "verify", "--json").stdout), &report); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s.run("def", "main.toy:1:5")
	for _, against := range []string{report.Head, strings.ToUpper(report.Head), fmt.Sprint(report.Head, ":", report.Last)} {
		if got := s.run("evidence", "verify", "--against", against); got.code != 0 || !strings.HasSuffix(got.stdout, "\nthe chain is whole\n") {
			t.Errorf("%s: exit code %d: %s", against, got.code, got.stdout)
		}
	}
	if got := s.run("evidence", "verify", "--against", report.Head+":1"); got.code != 1 || !strings.Contains(got.stdout, "problem: "+path+": record 1 has another hash than the one that was kept: ") {
		t.Errorf("another number: exit code %d: %s", got.code, got.stdout)
	}
	for _, against := range []string{"5f0c", report.Head + ":", report.Head + ":x", report.Head + ":0", report.Head + "0"} {
		s.expect(against, s.run("evidence", "verify", "--against", against), 2, "", "--against: ")
	}
	cut := before[:bytes.LastIndexByte(bytes.TrimSuffix(before, []byte("\n")), '\n')+1]
	lsptest.WriteFile(t, path, string(cut))
	s.run("def", "main.toy:1:5")
	got := s.run("evidence", "verify", "--against", report.Head)
	for _, want := range []string{" were removed from the end, as was found when record ", ": no record has the hash " + report.Head, "the chain is broken in 2 places\n"} {
		if got.code != 1 || !strings.Contains(got.stdout, want) {
			t.Errorf("exit code %d, without %q: %s", got.code, want, got.stdout)
		}
	}
}

// The log is where --evidence says, with nothing of the secrets of the environment; off keeps none.
func TestEvidenceElsewhere(t *testing.T) {
	s, path := kept(t)
	s.run("--evidence", "own.jsonl", "def", "tok-in-the-environment")
	text, err := os.ReadFile(filepath.Join(s.root, "own.jsonl"))
	if err != nil || !strings.Contains(string(text), `"operation":"definition"`) || strings.Contains(string(text), "tok-in-the-environment") {
		t.Errorf("%v: %s", err, text)
	}
	s.run("--evidence", "off", "def", "main.toy:1:5")
	if _, err := os.Stat(path); err == nil {
		t.Error("a log was kept all the same")
	}
	s.expect("off", s.run("--evidence", "off", "evidence", "verify"), 2, "", "no evidence is kept")
	s.expect("empty", s.run("evidence", "verify"), 0, path+" has no records\nthe chain is whole\n")
}

// What the user trusts is on record, and that he does not any more.
func TestEvidenceOfTrust(t *testing.T) {
	s, path := kept(t)
	s.run("trust", "--yes")
	s.run("untrust")
	var got []evidence.Trust
	err := evidence.Read(path, func(r *evidence.Record) error {
		e, err := r.Decode()
		if of, is := e.(*evidence.Trust); is {
			of.Hash = map[bool]string{true: "some", false: ""}[of.Hash != ""]
			got = append(got, *of)
		}
		return err
	})
	want := []evidence.Trust{{Root: s.root, Trusted: true, Hash: "some"}, {Root: s.root}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

// A moment is a duration before now, or a time of the clock or of the calendar.
func TestSince(t *testing.T) {
	now := time.Date(2026, 5, 6, 7, 8, 9, 0, time.Local)
	for text, want := range map[string]time.Time{
		"":                     {},
		"90m":                  now.Add(-90 * time.Minute),
		"2026-01-31":           time.Date(2026, 1, 31, 0, 0, 0, 0, time.Local),
		"2026-01-31 10:00:01":  time.Date(2026, 1, 31, 10, 0, 1, 0, time.Local),
		"2026-01-31T10:00:01Z": time.Date(2026, 1, 31, 10, 0, 1, 0, time.UTC),
	} {
		if got, err := sinceOf(text, now); err != nil || !got.Equal(want) {
			t.Errorf("%q: %s, %v, want %s", text, got, err, want)
		}
	}
	if _, err := sinceOf("-1h", now); err == nil {
		t.Error("a moment to come is taken")
	}
}
