package checking_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
)

// However many files are checked or asked about, a server has no more open than the
// limit; each gets its answer all the same, asked with many or alone, and what a
// caller opened itself stays open.
func TestOpenDocumentsAreBounded(t *testing.T) {
	t.Parallel()
	var archive strings.Builder
	archive.WriteString("-- toy.root --\n-- lib.toy --\ndef helper\n-- mine.toy --\nuse helper\n")
	var names []string
	for i := range 25 {
		name, text := fmt.Sprintf("f%02d.toy", i), "use helper\n"
		if i%5 == 0 {
			text = "use helpr\n"
		}
		names = append(names, name)
		fmt.Fprintf(&archive, "-- %s --\n%s", name, text)
	}
	const most = 10
	s := enginetest.OpenToy(t, lsptest.Script{}, archive.String())
	s.Config.Settings.MaxOpenDocuments = most
	open := func() int {
		n := 0
		for _, server := range s.Workspace().Running() {
			n += len(server.OpenDocuments())
		}
		return n
	}
	text := "use mine\n"
	enginetest.Do(t, s, api.Open, api.OpenRequest{File: "mine.toy", Text: &text})
	for range 2 {
		result := s.Check(api.CheckRequest{Files: append([]string{"none.toy"}, names...), Baseline: "none"})
		if len(result.Files) != 26 || result.Files[0].Error == nil || result.Verdict != "new_errors" {
			t.Fatalf("%d files, %s", len(result.Files), result.Verdict)
		}
		for i, f := range result.Files[1:] {
			if f.Path != names[i] || len(f.Diagnostics) != map[bool]int{true: 1}[i%5 == 0] || f.Servers[0].Freshness != "fresh" {
				t.Errorf("%+v", f)
			}
		}
		if n := open(); n > most {
			t.Errorf("%d are open", n)
		}
	}
	for _, name := range names {
		enginetest.Do(t, s, api.Outline, api.SymbolsRequest{File: name})
	}
	if n := open(); n > most {
		t.Errorf("%d are open after as many outlines", n)
	}
	for _, server := range s.Workspace().Running() {
		if _, shown, ok := server.Document(filepath.Join(s.Folder, "mine.toy")); !ok || string(shown) != text {
			t.Errorf("mine: open %t, %q", ok, shown)
		}
	}
	if got := enginetest.Told(s.Check(api.CheckRequest{Files: []string{"f05.toy"}, Baseline: "none"}).Files[0]); !strings.Contains(got, "new_errors") {
		t.Errorf("alone: %s", got)
	}
}

// A check in chunks is as patient as any other: a server that keeps answering is waited for beyond
// the configured deadline.
func TestPartsFollowAServerThatWorks(t *testing.T) {
	t.Parallel()
	var archive strings.Builder
	archive.WriteString("-- toy.root --\n-- lib.toy --\ndef helper\n")
	var names []string
	for i := range 12 {
		names = append(names, fmt.Sprintf("f%02d.toy", i))
		fmt.Fprintf(&archive, "-- %s --\nuse helper\n", names[i])
	}
	s := enginetest.OpenToy(t, lsptest.Script{PublishDelay: 100}, archive.String())
	s.Expect("f00.toy clean", func(r *api.CheckRequest) { r.Files, r.Baseline = names[:1], "none" }) // it has started
	settings := &s.Config.Settings
	settings.MaxOpenDocuments, settings.FirstTouchTimeout = 3, 10*time.Millisecond
	result, err := api.Check.Do(t.Context(), s.Engine, api.CheckRequest{Files: names, Baseline: "none"})
	if err != nil || result.Verdict != "clean" || len(result.Files) != len(names) {
		t.Errorf("%v\n%s", err, render.Brief(&result))
	}
}

// What a check in chunks finds once is reported once: a deleted file is reported by the first
// chunk.
func TestDeletedFilesAreToldOnce(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, "-- toy.root --\n-- gone.toy --\ndef gone\n-- a.toy --\n-- b.toy --\n-- c.toy --\n-- user.toy --\nuse gone\n")
	s.Config.Settings.MaxOpenDocuments = 2
	s.Git("init", "-q")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	s.Remove("gone.toy")
	for _, name := range []string{"a.toy", "b.toy", "c.toy"} {
		s.Write(name, "\n")
	}
	answer := s.Check(api.CheckRequest{})
	if diff := cmp.Diff([]string{"gone.toy"}, answer.Deleted); diff != "" {
		t.Error(diff)
	}
}

// The notes of all chunks are kept, each once: here, which files the project leaves out.
func TestNotesOfAllChunks(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, "-- tsconfig.json --\n{\"include\": [\"src\"]}\n-- src/a.ts --\nexport const a = 1;\n-- out/b.ts --\nexport const b = 1;\n-- out/c.ts --\nexport const c = 1;\n", "typescript")
	s.Config.Settings.MaxOpenDocuments = 1
	answer := s.Check(api.CheckRequest{Files: []string{"src/a.ts", "out/b.ts", "out/c.ts"}, Baseline: "none"})
	const of = " is no part of the project: tsconfig.json leaves it out, so its own tools do not check it"
	if diff := cmp.Diff([]string{"out/b.ts" + of, "out/c.ts" + of}, answer.Notes); diff != "" {
		t.Error(diff)
	}
}
