package assembly

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
)

// The forms of a text get shorter and shorter; one that does not is left out, as is one without
// words.
func TestForms(t *testing.T) {
	for _, c := range []struct{ texts, want []string }{
		{nil, nil},
		{[]string{"", " \n"}, nil},
		{[]string{"abc\n\n", "abc", "ab ", "abc", "", "ab", "a\r\n"}, []string{"abc\n", "ab\n", "a\n"}},
	} {
		if diff := cmp.Diff(c.want, forms(c.texts...)); diff != "" {
			t.Errorf("%q: %s", c.texts, diff)
		}
	}
}

// A text that is too long is cut between characters, and has its mark within the bound.
func TestCutText(t *testing.T) {
	for _, c := range []struct {
		text string
		max  int
		want string
	}{
		{"abcdef", 6, "abcdef"},
		{"abcdef", 5, "ab…"},
		{"abcdef", 3, "…"},
		{"aéöü", 7, "aéöü"},
		{"aéöü", 6, "aé…"},
		{"aéöüx", 7, "aé…"},
		{"ééé", 5, "é…"},
		{"ééé", 4, "…"},
	} {
		if got := cutText(c.text, c.max); got != c.want || len(got) > c.max {
			t.Errorf("%s within %d: %s, want %s", c.text, c.max, got, c.want)
		}
	}
	for _, c := range []struct {
		text string
		max  int
		want string
	}{
		{"one\ntwo", 7, "one\ntwo"},
		{"one\ntwo\nthree", 9, "one\ntwo\n…"},
		{"one\ntwo\nthree", 7, "one\n…"},
		{"onetwo\nthree", 6, "onetwo"},
		{"sevenxx\nthree", 6, "sev…"},
		{"\nonetwothree", 6, ""},
	} {
		if got := linesWithin(c.text, c.max); got != c.want {
			t.Errorf("lines of %q within %d: %q, want %q", c.text, c.max, got, c.want)
		}
	}
}

// Of the signatures of a call four are shown, or the one that fits alone; one that a server names
// beside them is the nearest that there is.
func TestSignatures(t *testing.T) {
	help := func(active, n int) *protocol.SignatureHelp {
		h := &protocol.SignatureHelp{Active: active}
		for i := range n {
			h.Signatures = append(h.Signatures, protocol.Signature{Label: fmt.Sprint("f", i)})
		}
		return h
	}
	for name, c := range map[string]struct {
		help *protocol.SignatureHelp
		want []string
	}{
		"one":              {help(0, 1), []string{"at f0\n"}},
		"two":              {help(1, 2), []string{"at f0\nf1\n", "at f1\n"}},
		"too many":         {help(4, 6), []string{"at f0\nf1\nf2\nf3\n", "at f4\n"}},
		"beyond the last":  {help(9, 2), []string{"at f0\nf1\n", "at f1\n"}},
		"before the first": {help(-1, 2), []string{"at f0\nf1\n", "at f0\n"}},
	} {
		if diff := cmp.Diff(c.want, signatureTexts("at ", c.help)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What a server says of a symbol is its code with the first words about it, the code alone, and its
// beginning; a server that gives no code is taken at its words, and one that says nothing is left out.
func TestTypeTexts(t *testing.T) {
	const hover = "```x\nfunc F(a int)\n```\n\n---\n# Head\n[docs](https://example.com/f)\nF is\nfirst.\n\nMore.\n"
	long := "```x\n" + strings.Repeat("line\n", 60) + "```"
	for name, c := range map[string]struct {
		hover string
		words bool
		want  []string
	}{
		"nothing":       {"\n", true, nil},
		"with words":    {hover, true, []string{"at func F(a int)\nF is first.\n", "at func F(a int)\n"}},
		"without words": {hover, false, []string{"at func F(a int)\n"}},
		"words alone":   {"F is\nfirst.", true, []string{"at F is first.\n"}},
		"long": {long, true, []string{
			"at " + strings.Repeat("line\n", 60), "at " + strings.Repeat("line\n", 48) + "…\n", "at " + strings.Repeat("line\n", 24) + "…\n",
		}},
	} {
		if diff := cmp.Diff(c.want, typeTexts("at ", c.hover, c.words)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for hover, want := range map[string]bool{"```x\nmodule a\n```": true, "```x\nmodule b\n```": false, "```x\nmodule a b\n```": false, "```x\nmodule a\n```\nwords": false} {
		if saysNoMore(hover, "a") != want {
			t.Errorf("%q says no more: %t", hover, !want)
		}
	}
}

// A request names something to be in focus, kinds that there are, a budget, and ranges with a file
// and an end behind their start; else it is told which argument is wrong. Without kinds all are
// wanted but the findings.
func TestRequestOfAssemble(t *testing.T) {
	files := []string{"a.toy"}
	in := func(list ...api.Range) api.AssembleRequest { return api.AssembleRequest{Ranges: list} }
	for name, c := range map[string]struct {
		req      api.AssembleRequest
		argument string
	}{
		"files":                   {api.AssembleRequest{Files: files}, ""},
		"symbols":                 {api.AssembleRequest{Symbols: []string{"a.toy f"}}, ""},
		"a range of git":          {api.AssembleRequest{GitRange: "HEAD"}, ""},
		"text":                    {api.AssembleRequest{Text: "f"}, ""},
		"a line":                  {in(api.Range{File: "a.toy", StartLine: 3}), ""},
		"one line":                {in(api.Range{File: "a.toy", StartLine: 3, EndLine: 3}), ""},
		"a file":                  {in(api.Range{File: "a.toy"}), ""},
		"nothing":                 {api.AssembleRequest{Text: " \n"}, "files"},
		"an unknown kind":         {api.AssembleRequest{Files: files, Include: []string{"types"}}, "include"},
		"less than nothing":       {api.AssembleRequest{Files: files, BudgetBytes: -1}, "budget_bytes"},
		"a range without a file":  {in(api.Range{File: "a.toy"}, api.Range{StartLine: 3}), "ranges"},
		"a range without a start": {in(api.Range{File: "a.toy", EndLine: 3}), "ranges"},
		"a range that is not one": {in(api.Range{File: "a.toy", StartLine: 4, EndLine: 3}), "ranges"},
		"in view without a file":  {api.AssembleRequest{Files: files, InView: []api.Range{{StartLine: 1}}}, "in_view"},
		"less than no time":       {api.AssembleRequest{Files: files, TimeoutMS: -1}, "timeout_ms"},
	} {
		_, err := checkAssemble(&c.req)
		var wrong *api.ArgumentError
		errors.As(err, &wrong)
		if wrong == nil {
			wrong = &api.ArgumentError{}
		}
		if wrong.Argument != c.argument {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []struct {
		given []string
		want  map[string]bool
	}{
		{nil, map[string]bool{
			result.ContextType: true, result.ContextDefinition: true, result.ContextSignature: true, result.ContextSummary: true,
			result.ContextHints: true,
		}},
		{[]string{result.ContextDiagnostics, result.ContextType}, map[string]bool{result.ContextDiagnostics: true, result.ContextType: true}},
	} {
		got, err := checkAssemble(&api.AssembleRequest{Files: files, Include: c.given})
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%v: %v: %s", c.given, err, diff)
		}
	}
}
