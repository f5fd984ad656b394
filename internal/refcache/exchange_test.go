package refcache_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

// Another checkout of the same texts takes over what is exported, and answers without a server, and says whose answer it is. It takes over
// nothing for other texts; and what a checkout contains is imported by nobody who was not asked to.
//
// Requirement: CACHE-7.
func TestArtefactOfAnotherCheckout(t *testing.T) {
	s := open(t, bakery)
	settle(t)
	first := refs(s, "oven/oven.go Oven.Bake")
	wrote := enginetest.Do(t, s, api.ExportCache, api.CacheRequest{File: "refs.db.gz"})
	if !strings.HasPrefix(wrote.Done, "wrote 1 answer, ") || wrote.Path != "refs.db.gz" {
		t.Errorf("%+v", wrote)
	}
	other := open(t, bakery)
	other.Write("refs.db.gz", s.Read("refs.db.gz"))
	took := enginetest.Do(t, other, api.ImportCache, api.CacheRequest{File: "refs.db.gz"})
	if took.Done != "took over 1 of 1 answer" {
		t.Errorf("%+v", took)
	}
	second := refs(other, "oven/oven.go Oven.Bake")
	if !strings.HasPrefix(second.From, "from an imported reference cache (") || len(other.Workspace().Running()) > 0 {
		t.Errorf("it is from %q, and %d servers run", second.From, len(other.Workspace().Running()))
	}
	second.From = ""
	if diff := cmp.Diff(first, second); diff != "" {
		t.Error(diff)
	}
	for name, changed := range map[string]struct{ file, text, want string }{
		"another file":     {"shop/more.go", "package shop\n", "took over 0 of 1 answer; left out: 1 of another state of the workspace, its set-up or lspine"},
		"its file differs": {"oven/oven.go", s.Read("oven/oven.go") + "\n", "took over 0 of 1 answer; left out: 1 of files that are others here"},
	} {
		third := open(t, bakery)
		third.Write("refs.db.gz", s.Read("refs.db.gz"))
		third.Write(changed.file, changed.text)
		if took := enginetest.Do(t, third, api.ImportCache, api.CacheRequest{File: "refs.db.gz"}); took.Done != changed.want {
			t.Errorf("%s: %q", name, took.Done)
		}
	}
}

// An export replaces nothing but an export, and an import nothing that we found out ourselves.
func TestExchangeReplacesNothingOfOthers(t *testing.T) {
	s := open(t, bakery)
	settle(t)
	refs(s, "oven/oven.go Oven.Bake")
	text := s.Read("oven/oven.go")
	var wrong *api.ArgumentError
	if _, err := api.ExportCache.Do(t.Context(), s, api.CacheRequest{File: "oven/oven.go"}); !errors.As(err, &wrong) || wrong.Argument != "file" || s.Read("oven/oven.go") != text {
		t.Errorf("a source: %v", err)
	}
	for range 2 {
		enginetest.Do(t, s, api.ExportCache, api.CacheRequest{File: "refs.db.gz"})
	}
	for name, text := range map[string]string{"precious.tar.gz": "precious", "precious.db.gz": "SQLite format 3\x00 of somebody else"} {
		var packed bytes.Buffer
		to := gzip.NewWriter(&packed)
		if _, err := to.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := to.Close(); err != nil {
			t.Fatal(err)
		}
		s.Write(name, packed.String())
		if _, err := api.ExportCache.Do(t.Context(), s, api.CacheRequest{File: name}); !errors.As(err, &wrong) || wrong.Argument != "file" || s.Read(name) != packed.String() {
			t.Errorf("%s: %v", name, err)
		}
	}
	enginetest.Do(t, s, api.ImportCache, api.CacheRequest{File: "refs.db.gz"})
	if answer := refs(s, "oven/oven.go Oven.Bake"); !strings.HasPrefix(answer.From, "from the reference cache (") {
		t.Errorf("after an import our own answer is from %q", answer.From)
	}
}

// What a checkout contains is imported by nobody who was not asked to, wherever it lies and whatever it is called.
func TestNobodyImportsByItself(t *testing.T) {
	s := open(t, bakery)
	settle(t)
	refs(s, "oven/oven.go Oven.Bake")
	enginetest.Do(t, s, api.ExportCache, api.CacheRequest{File: "refs.db.gz"})
	other := open(t, bakery)
	for _, name := range []string{"refs.db.gz", ".lspine/refs.db.gz", ".agent-lsp/refs.db.gz", ".lspine/refs.db", "lspine/refs.db"} {
		other.Write(name, s.Read("refs.db.gz"))
	}
	if answer := refs(other, "oven/oven.go Oven.Bake"); answer.From != "" {
		t.Errorf("it is from %q", answer.From)
	}
}
