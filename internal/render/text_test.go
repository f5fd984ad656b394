package render

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/lspine/lspine/internal/result"
)

var update = flag.Bool("update", false, "write the golden files again")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// golden compares with testdata/name.golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("not as in %s (go test -update writes it):\n%s", file, got)
	}
}

func same(path string) string { return path }

func text(t *testing.T, c result.Check, style Style) string {
	t.Helper()
	if style.Path == nil {
		style.Path = same
	}
	var b bytes.Buffer
	if err := CheckText(&c, &b, style); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// finding makes a new diagnostic over the word in line, in UTF-16 columns.
func finding(severity, line, word string) result.Diagnostic {
	before, _, _ := strings.Cut(line, word)
	column := func(s string) (n uint32) {
		for _, r := range s {
			n++
			if r > 0xffff {
				n++
			}
		}
		return n + 1
	}
	return result.Diagnostic{
		Line: 3, Column: column(before), EndLine: 3, EndColumn: column(before + word),
		Severity: severity, Message: "wrong", SourceLine: line, New: true,
	}
}

func many(n int) (list []result.Diagnostic) {
	for i := range n {
		list = append(list, result.Diagnostic{Line: uint32(i + 1), Column: 1, Severity: "error", Message: fmt.Sprintf("message %d", i+1), New: true})
	}
	return list
}

// The text is what it was meant to be, character for character.
func TestText(t *testing.T) {
	older := result.Diagnostic{Line: 9, Column: 9, Severity: "error", Message: "old"}
	plain := result.Check{Files: []result.File{{Path: "a.go", Diagnostics: []result.Diagnostic{
		{Line: 1, Column: 2, EndLine: 1, EndColumn: 5, Severity: "error", Code: "E1", Message: "no\n  such\tthing\r\n", SourceLine: "a bcd e", New: true},
		{Line: 2, Column: 1, EndLine: 4, EndColumn: 2, Severity: "warning", Message: "many lines", SourceLine: "func f() {", New: true},
		{Line: 5, Column: 1, EndLine: 5, EndColumn: 1, Severity: "info", Message: "nothing marked", SourceLine: "x", New: true},
		{Line: 6, Column: 1, EndLine: 6, EndColumn: 1, Severity: "hint", Message: "no source line", New: true},
		{Line: 7, Column: 99, EndLine: 7, EndColumn: 120, Severity: "error", Message: "past the end", SourceLine: "short", New: true},
		{Line: 123456, Column: 1, EndLine: 123456, EndColumn: 2, Severity: "error", Message: "far down", SourceLine: "x", New: true},
	}}}}
	wide := result.Check{Files: []result.File{{Path: "b.go", Diagnostics: []result.Diagnostic{
		finding("error", "\tx := \tname", "name"),
		finding("error", "a 😀 b", "b"),
		finding("error", "a 😀😀 b", "😀😀"),
		finding("error", "e\u0301te\u0301 name", "name"),
		finding("error", "漢字 = name", "name"),
		finding("error", "漢字 = x", "漢字"),
		finding("error", "👩‍👩‍👧 name", "name"),
		finding("error", "bad\x1b[31m name", "name"),
		finding("error", "caf\xe9 name", "name"),
	}}}}
	others := result.Check{
		Files:  []result.File{{Path: "a.go", Diagnostics: many(3)}, {Path: "b.go", Baseline: "session", Diagnostics: append(many(1), older, older)}, {Path: "c.go", Baseline: "head", Diagnostics: []result.Diagnostic{older}}},
		Others: []result.File{{Path: "x.go", Diagnostics: many(2)}, {Path: "y.go", Diagnostics: many(1)}, {Path: "z.go", Diagnostics: many(1)}},
		Late:   []result.File{{Path: "l.go", Diagnostics: many(1)}},
	}
	for _, c := range []struct {
		name  string
		check result.Check
		style Style
	}{
		{"plain", plain, Style{}},
		{"source", plain, Style{Source: true}},
		{"colour", plain, Style{Colour: true}},
		{"colour_source", plain, Style{Colour: true, Source: true}},
		{"carets", wide, Style{Source: true}},
		{"others", others, Style{}},
		{"cap_per_file", others, Style{Caps: result.Caps{PerFile: 2}}},
		{"cap_exact", others, Style{Caps: result.Caps{PerFile: 3, OtherFiles: 3, TotalLines: 9}}},
		{"cap_other_files", others, Style{Caps: result.Caps{OtherFiles: 1}}},
		{"cap_total_in_file", others, Style{Caps: result.Caps{TotalLines: 2}}},
		{"cap_total_in_others", others, Style{Caps: result.Caps{TotalLines: 5}}},
		{"cap_total_between_others", others, Style{Caps: result.Caps{TotalLines: 6}}},
		{"paths", others, Style{Path: func(path string) string { return "../" + path }}},
	} {
		golden(t, c.name, text(t, c.check, c.style))
	}
}

// Nothing to say is no text at all, also with files that were not checked.
func TestCleanIsSilent(t *testing.T) {
	for _, c := range []result.Check{
		{},
		{Files: []result.File{{Path: "a"}}},
		{Files: []result.File{{Path: "a", Error: &result.Error{Kind: "not_found", Message: "m"}}}},
		{Files: []result.File{{Path: "a", Servers: []result.Answer{{Server: "s", Freshness: "timeout"}}}}, Others: []result.File{}},
		{Others: []result.File{{Path: "b", Fixed: many(1)}}, Late: []result.File{{Path: "c"}}},
	} {
		if got := text(t, c, Style{Source: true, Colour: true, Caps: result.Caps{PerFile: 1, OtherFiles: 1, TotalLines: 1}}); got != "" {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// What a server, or the name of a file, says cannot move a terminal's cursor
// nor pretend to be another line.
func TestControlCharactersAreDefused(t *testing.T) {
	evil := "a\x1b[2Jb\x00\x07\u009bc\nerror: d\re\u2028f\x7f"
	c := result.Check{Root: evil, Files: []result.File{
		{Path: evil, Baseline: evil, Diagnostics: []result.Diagnostic{
			{Line: 1, Column: 1, EndLine: 1, EndColumn: 9, Severity: "error", Code: evil, Message: evil, SourceLine: strings.ReplaceAll(evil, "\n", ""), New: true},
			{Line: 2, Column: 1, Severity: "error", Message: evil, New: true},
			{Line: 3, Severity: "error", Message: evil},
		}, Servers: []result.Answer{{Server: "s", Freshness: "unavailable", Reason: evil, Hint: evil}}},
	}, Others: []result.File{{Path: evil, Diagnostics: many(1)}}}
	got := text(t, c, Style{Source: true, Caps: result.Caps{PerFile: 1}})
	if lines := strings.Count(got, "\n"); lines != 7 {
		t.Errorf("%d lines, want finding, source, mark, overflow, older, title and finding:\n%s", lines, got)
	}
	var status bytes.Buffer
	s := result.Status{Servers: []result.Server{{ID: "s", State: "active", Root: evil, Reason: evil, Version: evil, Works: []string{evil}, Hint: evil}}, Problems: []string{evil}}
	if err := StatusText(&s, &status); err != nil {
		t.Fatal(err)
	}
	silence := strings.Join(Silence(&c, same), "\n")
	for name, got := range map[string]string{"text": got, "silence": silence, "status": status.String()} {
		for _, r := range got {
			if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
				t.Errorf("%s has the character %U:\n%q", name, r, got)
				break
			}
		}
	}
}

// A message of up to 400 characters is whole, a longer one is cut to that.
func TestLongMessagesAreCut(t *testing.T) {
	for n, want := range map[int]string{399: strings.Repeat("ü", 399), 400: strings.Repeat("ü", 400), 401: strings.Repeat("ü", 399) + "…", 9999: strings.Repeat("ü", 399) + "…"} {
		got := text(t, result.Check{Files: []result.File{{Path: "a", Diagnostics: []result.Diagnostic{{Line: 1, Column: 1, Severity: "error", Code: "E", Message: strings.Repeat("ü", n), New: true}}}}}, Style{})
		if got != "a:1:1: error: "+want+" (E)\n" {
			t.Errorf("of %d characters %d bytes are left: %q", n, len(got), got)
		}
	}
}

// The first error of the writer is returned.
func TestWriteErrors(t *testing.T) {
	full := errors.New("disk full")
	w := writerFunc(func([]byte) (int, error) { return 0, full })
	if err := CheckText((&result.Check{Files: []result.File{{Path: "a", Diagnostics: many(3)}}}), w, Style{Path: same}); !errors.Is(err, full) {
		t.Errorf("check: %v", err)
	}
	if err := StatusText((&result.Status{}), w); !errors.Is(err, full) {
		t.Errorf("status: %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// Every silence that does not mean "all is well" has a line with its reason and
// the way out; a fresh server has none, a missing one is told once.
func TestSilence(t *testing.T) {
	missing := result.Answer{Server: "gopls", Freshness: "unavailable", Reason: "gopls not found in PATH", Hint: "install it: go install x"}
	c := result.Check{Files: []result.File{
		{Path: "fresh.go", Servers: []result.Answer{{Server: "a", Freshness: "fresh"}}},
		{Path: "partial.go", Servers: []result.Answer{{Server: "a", Freshness: "partial", Reason: "no end signal"}}},
		{Path: "timeout.go", Servers: []result.Answer{{Server: "a", Freshness: "timeout", Reason: "no answer in 3s"}, {Server: "b", Freshness: "fresh"}}},
		{Path: "indexing.go", Servers: []result.Answer{{Server: "a", Freshness: "indexing", Reason: "loading"}}},
		{Path: "missing.go", Servers: []result.Answer{missing}},
		{Path: "missing2.go", Servers: []result.Answer{missing, {Server: "gopls", Freshness: "unavailable", Reason: "another reason"}}},
		{Path: "unsaid.go", Servers: []result.Answer{{Server: "a", Freshness: "timeout"}}},
		{Path: "unknown.xyz"},
		{Path: "error.go", Error: &result.Error{Kind: "not_found", Message: "m"}, Servers: []result.Answer{missing}},
	}}
	golden(t, "silence", strings.Join(Silence(&c, func(p string) string { return "./" + p }), "\n")+"\n")
}

// The status lists servers with what there is to tell of each.
func TestStatusText(t *testing.T) {
	s := result.Status{Root: "/r", Servers: []result.Server{
		{ID: "gopls", State: "active", Root: "/r/a", Pid: 42, Version: "v0.23.0", Works: []string{"Loading packages", "diagnosing x"}},
		{ID: "pyright", State: "stopped"},
		{ID: "typescript", State: "unavailable", Reason: "tsc not found in PATH", Hint: "install it: npm install x"},
		{ID: "toy", State: "broken", Root: "/r", Reason: "toy: run: killed by killed\n  last words"},
	}, Problems: []string{"config.jsonc:1:2: unknown key"}}
	var b bytes.Buffer
	if err := StatusText(&s, &b); err != nil {
		t.Fatal(err)
	}
	golden(t, "status", b.String())
	b.Reset()
	if err := StatusText((&result.Status{}), &b); err != nil || b.String() != "LSP server status:\n" {
		t.Errorf("of nothing: %q, %v", &b, err)
	}
}
