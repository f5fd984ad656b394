package config

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A typing mistake is known by few edits: a letter too many, too few, another one, or two neighbours
// swapped. The longer a word, the more of them are forgiven, up to four.
func TestNearestWord(t *testing.T) {
	for _, c := range []struct {
		name  string
		known []string
		want  string
	}{
		{"gopls", []string{"pyright", "gopls"}, "gopls"},
		{"GOPLS", []string{"gopls"}, "gopls"},
		{"golps", []string{"gopls"}, "gopls"}, // swapped
		{"ogpls", []string{"gopls"}, "gopls"},
		{"gopsl", []string{"gopls"}, "gopls"},
		{"gopl", []string{"gopls"}, "gopls"},
		{"ggopls", []string{"gopls"}, "gopls"},
		{"gaplz", []string{"gopls"}, ""}, // two of five
		{"ab", []string{"ac"}, "ac"},
		{"ab", []string{"cd"}, ""},
		{"pyrite", []string{"pyright"}, ""},
		{"pyrite", []string{"pyrith"}, "pyrith"},
		{"abcdef", []string{"abxdyf"}, "abxdyf"}, // two of six
		{"abcdef", []string{"abxdyz"}, ""},
		{"abcdefghijklmno", []string{"ABCDEFGHIJK1234"}, "ABCDEFGHIJK1234"}, // four of fifteen
		{"abcdefghijklmno", []string{"abcdefghij12345"}, ""},
		{"one", []string{"ons", "onx"}, "ons"}, // the first of two as near
		{"ones", []string{"on", "one"}, "one"}, // the nearer
		{strings.Repeat("a", 64), []string{strings.Repeat("a", 63)}, strings.Repeat("a", 63)},
		{strings.Repeat("a", 63), []string{strings.Repeat("a", 64)}, strings.Repeat("a", 64)},
		{strings.Repeat("a", 65), []string{strings.Repeat("a", 64)}, ""},
		{strings.Repeat("a", 64), []string{strings.Repeat("a", 65)}, ""},
	} {
		if got := nearest(c.name, c.known); got != c.want {
			t.Errorf("nearest to %q of %q: %q, want %q", c.name, c.known, got, c.want)
		}
	}
}

// Where no word is near, a hint lists those that are known, unless they are many.
func TestSuggestion(t *testing.T) {
	six := []string{"one", "two", "three", "four", "five", "six"}
	got := []string{suggest("fvie", six), suggest("nothing-like-it", six), suggest("nothing-like-it", append(six, "seven"))}
	want := []string{`did you mean "five"?`, "known are one, two, three, four, five, six", ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// ${NAME} stands for a variable; after :- stands what counts where there is none, or an empty one.
// HOME is known by its other name, too.
func TestExpansion(t *testing.T) {
	l := &loader{environ: map[string]string{"A": "x", "EMPTY": "", "USERPROFILE": "/me"}}
	got := make(map[string]string)
	want := map[string]string{
		"plain": "plain", "": "", "${A}": "x", "a${A}b${A}c": "axbxc", "${EMPTY}": "", "${EMPTY:-y}": "y", "${NONE:-y}": "y", "${NONE:-}": "",
		"${A:-y}": "x", "${HOME}/bin": "/me/bin", "$A": "$A", "${A": "${A", "${A}${": "x${", "}${A}": "}x",
		"${NONE}": "the variable NONE is not set (set it, or write the value itself)",
	}
	for text := range want {
		value, err := l.expand(text)
		if err != nil {
			value = fmt.Sprintf("%v (%s)", err, err.(*valueError).hint)
		}
		got[text] = value
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The bounds of a number are allowed themselves, and nothing beyond.
func TestBounds(t *testing.T) {
	for text, want := range map[string]int{"0": 0, "100": 100} {
		c := layers{user: `{"lsp": {"maxRestarts": ` + text + `}}`}.silent(t)
		if c.Settings.MaxRestarts != want {
			t.Errorf("%s: %d", text, c.Settings.MaxRestarts)
		}
	}
	_, problems := layers{user: `{"lsp": {"maxRestarts": 101}}`}.load(t)
	if diff := cmp.Diff([]Problem{{Layer: LayerUser, File: "user", Line: 1, Column: 25, Key: "lsp.maxRestarts", Message: "must be from 0 to 100, not 101"}}, problems); diff != "" {
		t.Error(diff)
	}
}

// A file may be as large as allowed and its brackets nested as deep; of its mistakes the first
// hundred are told.
func TestLimitsOfAFile(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"as large as allowed": {"{}" + strings.Repeat(" ", maxConfigBytes-2), 0},
		"one byte more":       {"{}" + strings.Repeat(" ", maxConfigBytes-1), 1},
		"nested as allowed":   {`{"$schema": ` + strings.Repeat("[", maxNesting-1) + strings.Repeat("]", maxNesting-1) + "}", 0},
		"one deeper":          {`{"$schema": ` + strings.Repeat("[", maxNesting) + strings.Repeat("]", maxNesting) + "}", 1},
		"a hundred mistakes":  {`{"lsp": {` + strings.Repeat(`"x": 1,`, 100) + "}}", 100},
		"more than a hundred": {`{"lsp": {` + strings.Repeat(`"x": 1,`, 102) + "}}", 100},
	} {
		if _, problems := (layers{user: c.text}).load(t); len(problems) != c.want {
			t.Errorf("%s: %d problems, want %d", name, len(problems), c.want)
		}
	}
}

// The mistakes of all layers are told layer by layer, and of a file from its beginning, those too
// that are known only at the end.
func TestOrderOfProblems(t *testing.T) {
	_, problems := layers{
		user:    "{\"lsp\": {\"servers\": {\n\"own\": {\"command\": \"own\"},\n\"gopls\": {\"x\": 1}},\n\"maxRestarts\": -1}}",
		project: "{\"lsp\": {\"maxRestarts\": -1,\n\"servers\": {\"other\": {\"extensions\": [\".o\"]}}}}",
		environ: []string{"LSPINE_MAX_RESTARTS=-1"},
		flags:   []Flag{{"--restarts", "lsp.maxRestarts", "-1"}},
	}.load(t)
	var got []string
	for _, p := range problems {
		got = append(got, fmt.Sprintf("%s %s:%d %s", p.Layer, p.File, p.Line, p.Key))
	}
	want := []string{
		"user user:2 lsp.servers.own", "user user:3 lsp.servers.gopls.x", "user user:4 lsp.maxRestarts",
		"project project:1 lsp.maxRestarts", "project project:2 lsp.servers.other",
		"environment :0 lsp.maxRestarts", "flag :0 lsp.maxRestarts",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// In non-interactive use only servers that the user named may start; a project cannot name one.
//
// Requirement: SYN-3.
func TestUnregisteredServersAreOff(t *testing.T) {
	c := layers{
		user:    `{"lsp": {"policyMode": "non-interactive", "servers": {"gopls": {}}}}`,
		project: `{"lsp": {"servers": {"pyright": {"enabled": true}}}}`,
	}.silent(t)
	for id, want := range map[string]bool{"gopls": false, "pyright": true, "clangd": true} {
		if got := get(t, c, id).Disabled; got != want {
			t.Errorf("%s is disabled: %v, want %v", id, got, want)
		}
	}
}

// A file that cannot be read is told of with the reason; where it is not there, only if it was named.
func TestFilesThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ path, want string }{
		"a folder": {dir, dir + ": cannot be read: not a regular file"},
		"gone":     {filepath.Join(dir, "gone"), filepath.Join(dir, "gone") + ": cannot be read: no such file or directory"},
	} {
		_, problems := Load(Options{UserFile: c.path})
		var got []string
		for _, p := range problems {
			got = append(got, p.Error())
		}
		if filepath.Separator == '/' {
			if diff := cmp.Diff([]string{c.want}, got); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}
