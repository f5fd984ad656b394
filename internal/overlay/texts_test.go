package overlay

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/symbols"
)

// A text that is being written counts before one that a caller gave, and that before the disk; each as long as it is
// theirs. A file is held as long as anybody holds it, or gave a text for it.
func TestWhoseTextCounts(t *testing.T) {
	texts, w := openTexts(t)
	path := filepath.Join(w.Root(), "main.toy")
	type state struct {
		Text      string
		Given     bool
		All, Held []string
		Holds     bool
	}
	var got []state
	note := func() {
		text, given := texts.Given(path)
		all, held := texts.AllGiven(), texts.Held()
		slices.Sort(all)
		slices.Sort(held)
		got = append(got, state{string(text), given, slices.Compact(all), slices.Compact(held), texts.Holds(path)})
	}
	note()
	texts.give(path, []byte("given"))
	note()
	written := texts.Expect(map[string][]byte{path: []byte("written")})
	note()
	texts.takeBack(path)
	note()
	written()
	note()
	first, releaseFirst := texts.Hold(map[string][]byte{path: nil})
	_, releaseSecond := texts.Hold(map[string][]byte{path: nil})
	note()
	releaseFirst()
	note()
	releaseSecond()
	note()
	one := []string{path}
	want := []state{
		{},
		{"given", true, one, one, true},
		{"written", true, one, one, true},
		{"written", true, one, nil, false},
		{},
		{Held: one, Holds: true},
		{Held: one, Holds: true},
		{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(one, first); diff != "" {
		t.Errorf("held (-want +got):\n%s", diff)
	}
}

// A file that is opened with a text shows that until it is closed; where it cannot be opened, what counted before does
// again.
func TestTextsOfOpenedFiles(t *testing.T) {
	texts, w := openTexts(t, lsptest.Script{}.Definition(t))
	v := texts.View(w.Names(""), noLacks{})
	lsptest.WriteFile(t, filepath.Join(w.Root(), "a.none"), "")
	count := func(name string) string {
		text, given := texts.Given(filepath.Join(w.Root(), name))
		if !given {
			return "(disk)"
		}
		return string(text)
	}
	said := func(name string, text *string) string {
		done, err := v.Open(t.Context(), api.OpenRequest{File: name, Text: text})
		if err != nil {
			return "failed, " + count(name)
		}
		return done.Path + " " + done.Done + ", " + count(name)
	}
	closed := func(name string) string {
		done, err := v.Close(t.Context(), api.FileRequest{File: name})
		if err != nil {
			return "failed, " + count(name)
		}
		return done.Path + " " + done.Done + ", " + count(name)
	}
	one, two, binary := "def one\n", "def two\n", "\x00"
	got := []string{
		closed("main.toy"), said("main.toy", nil), said("main.toy", &one), said("main.toy", &binary), said("main.toy", &two), closed("main.toy"),
		said("a.none", &one), said("../x.toy", &one), closed("../x.toy"),
	}
	texts.give(filepath.Join(w.Root(), "a.none"), []byte("before"))
	got = append(got, said("a.none", &one))
	want := []string{
		"main.toy was not open, (disk)", "main.toy open in toy, (disk)", "main.toy open in toy, def one\n", "failed, def one\n", "main.toy open in toy, def two\n", "main.toy closed, (disk)",
		"failed, (disk)", "failed, (disk)", "failed, (disk)", "failed, before",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Of several failures that of a server that runs tells the most; else the first.
func TestMostTellingFailure(t *testing.T) {
	first, second, real := &roots.UnavailableError{ID: "a"}, &roots.UnavailableError{ID: "b"}, errors.New("real")
	for name, c := range map[string]struct {
		failures []error
		want     error
	}{
		"none runs": {[]error{first, second}, first}, "one runs": {[]error{first, real, second}, real}, "alone": {[]error{real}, real},
	} {
		if got := MostTelling(c.failures); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if OfLanguage("") != "" || OfLanguage("toy") != " (toy)" {
		t.Errorf("%q, %q", OfLanguage(""), OfLanguage("toy"))
	}
}

// A question about a former text is put to the server as it is: the server keeps what it was shown, and files without
// one are as they are.
func TestFormerTexts(t *testing.T) {
	texts, w := openTexts(t, lsptest.Script{}.Definition(t))
	a := texts.View(w.Names(""), noLacks{}).Access()
	defer a.Close()
	main, lib := filepath.Join(w.Root(), "main.toy"), filepath.Join(w.Root(), "lib.toy")
	f := a.Formerly(map[string][]byte{main: []byte("former\n")})
	shown := func(path string) string {
		t.Helper()
		if _, err := f.Open(t.Context(), path, symbols.Definition); err != nil {
			t.Fatal(err)
		}
		text, err := f.Text(path)
		if err != nil {
			t.Fatal(err)
		}
		_, document, open := w.Running()[0].Document(path)
		if !open {
			return string(text) + " closed"
		}
		return string(text) + " " + string(document)
	}
	if diff := cmp.Diff([]string{"former\n closed", "def helper\n def helper\n"}, []string{shown(main), shown(lib)}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var unsupported *lsp.UnsupportedError
	if _, err := f.Open(t.Context(), main, "textDocument/moniker"); !errors.As(err, &unsupported) {
		t.Errorf("a method that it does not answer: %v", err)
	}
	other := filepath.Join(w.Root(), "a.none")
	var none *NoServerError
	if _, err := a.Formerly(map[string][]byte{other: nil}).Open(t.Context(), other, ""); !errors.As(err, &none) || none.Path != "a.none" {
		t.Errorf("a file of no server: %v", err)
	}
}
