package cli

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// A verb that changed files exits like a check of them: what is not known is
// not clean.
func TestExitOfAChange(t *testing.T) {
	for _, c := range []struct {
		name string
		edit *result.Edit
		want error
	}{
		{"nothing was changed", nil, nil},
		{"clean", &result.Edit{Verdict: "clean"}, nil},
		{"broken", &result.Edit{Verdict: "new_errors"}, exit(exitDiagnostics)},
		{"no server", &result.Edit{Verdict: "lsp_unavailable"}, exit(exitUnavailable)},
		{"something is not known", &result.Edit{Verdict: "unknown"}, exit(exitUnavailable)},
		{"nothing was judged", &result.Edit{}, nil},
	} {
		if got := judged(c.edit, nil); !errors.Is(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	refused := errors.New("refused")
	if got := judged(&result.Edit{}, refused); !errors.Is(got, refused) {
		t.Errorf("an edit that is refused: %v", got)
	}
}

// Lines behind the name of a file are one or a range, from 1; other text is part of the name.
// A range that cannot be is refused with an example.
func TestLinesBehindAFile(t *testing.T) {
	type lines struct {
		File        string
		First, Last api.OneBased
		Err         string
	}
	refused := func(text, behind string) lines {
		return lines{Err: text + ":" + behind + ": " + behind + " is no range of lines|for example " + text + ":10-20; lines start at 1"}
	}
	for text, want := range map[string]lines{
		"a.go":         {File: "a.go"},
		"a.go:":        {File: "a.go:"},
		"a:b.go":       {File: "a:b.go"},
		`C:\a.go:7`:    {File: `C:\a.go`, First: 7, Last: 7},
		"a.go:1":       {File: "a.go", First: 1, Last: 1},
		"a.go:7-7":     {File: "a.go", First: 7, Last: 7},
		"a.go:10-20":   {File: "a.go", First: 10, Last: 20},
		"a.go:0":       refused("a.go", "0"),
		"a.go:20-19":   refused("a.go", "20-19"),
		"a.go:1-":      refused("a.go", "1-"),
		"a.go:-2":      refused("a.go", "-2"),
		"a.go:1-2-3":   refused("a.go", "1-2-3"),
		"a.go:3x":      {File: "a.go:3x"},
		"sub/a.go:2:3": {File: "sub/a.go:2", First: 3, Last: 3},
	} {
		var got lines
		var err error
		got.File, got.First, got.Last, err = linesOf(text)
		if usage := (*usageError)(nil); errors.As(err, &usage) {
			got.Err = usage.message + "|" + usage.hint
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// rename needs a symbol and its new name or, with --file, one new path; anything else is
// refused with an example of that way.
func TestArgumentsOfRename(t *testing.T) {
	s := newShop(t, "-- main.toy --\ndef helper\n", lsptest.Script{})
	const (
		symbol = "lspine: rename: a symbol and its new name are needed\n  for example lspine rename Config.Load Open\n"
		file   = "lspine: rename --file: one new path is needed\n  for example lspine rename --file src/a.ts src/b.ts\n"
	)
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, symbol},
		{[]string{"main.toy:1:5"}, symbol},
		{[]string{"--file", "main.toy"}, file},
		{[]string{"--file", "main.toy", "b.toy", "c.toy"}, file},
	} {
		got := s.run(append([]string{"rename"}, c.args...)...)
		if diff := cmp.Diff(outcomeOf{exitUsage, "", c.want}, got, cmp.AllowUnexported(outcomeOf{})); diff != "" {
			t.Errorf("rename %q: %s", c.args, diff)
		}
	}
}
