package engine

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
)

// However many files are checked or asked about, a server has no more open than the
// limit; each gets its answer all the same, asked with many or alone, and what a
// caller opened itself stays open.
func TestOpenDocumentsAreBounded(t *testing.T) {
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
	s := openShop(t, lsptest.Script{}, archive.String())
	s.opts.Config.Settings.MaxOpenDocuments = most
	open := func() int {
		n := 0
		for _, server := range s.workspace.Running() {
			n += len(server.OpenDocuments())
		}
		return n
	}
	text := "use mine\n"
	do(t, s, api.Open, api.OpenRequest{File: "mine.toy", Text: &text})
	for range 2 {
		result := s.check(api.CheckRequest{Files: append([]string{"none.toy"}, names...), Baseline: "none"})
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
		do(t, s, api.Outline, api.SymbolsRequest{File: name})
	}
	if n := open(); n > most {
		t.Errorf("%d are open after as many outlines", n)
	}
	for _, server := range s.workspace.Running() {
		if _, shown, ok := server.Document(filepath.Join(s.root, "mine.toy")); !ok || string(shown) != text {
			t.Errorf("mine: open %t, %q", ok, shown)
		}
	}
	if got := told(s.check(api.CheckRequest{Files: []string{"f05.toy"}, Baseline: "none"}).Files[0]); !strings.Contains(got, "new_errors") {
		t.Errorf("alone: %s", got)
	}
}

// Files that are checked in parts have the patience of any other check: a server that
// goes on answering is waited for beyond the deadline that is configured.
func TestPartsFollowAServerThatWorks(t *testing.T) {
	var archive strings.Builder
	archive.WriteString("-- toy.root --\n-- lib.toy --\ndef helper\n")
	var names []string
	for i := range 12 {
		names = append(names, fmt.Sprintf("f%02d.toy", i))
		fmt.Fprintf(&archive, "-- %s --\nuse helper\n", names[i])
	}
	s := openShop(t, lsptest.Script{PublishDelay: 100}, archive.String())
	s.expect("f00.toy clean", func(r *api.CheckRequest) { r.Files, r.Baseline = names[:1], "none" }) // it has started
	settings := &s.opts.Config.Settings
	settings.MaxOpenDocuments, settings.FirstTouchTimeout = 3, 10*time.Millisecond
	result, err := api.Check.Do(t.Context(), s.Engine, api.CheckRequest{Files: names, Baseline: "none"})
	if err != nil || result.Verdict != "clean" || len(result.Files) != len(names) {
		t.Errorf("%v\n%s", err, render.Brief(&result))
	}
}

// A thousand documents that are opened, checked with one text and another and closed
// leave nothing behind: no document, no goroutine, no memory to speak of.
func TestAThousandCyclesAreFlat(t *testing.T) {
	s := openShop(t, lsptest.Script{}, project)
	large := strings.Repeat("# a line that takes some room\n", 200)
	cycle := func(i int) {
		text := fmt.Sprintf("use helper\n# %d\n%s", i, large)
		do(t, s, api.Open, api.OpenRequest{File: "main.toy", Text: &text})
		if verdict := s.check(api.CheckRequest{Files: []string{"main.toy"}}).Verdict; verdict != "clean" {
			t.Fatalf("cycle %d: %s", i, verdict)
		}
		text = "use helpr\n" + large
		do(t, s, api.Open, api.OpenRequest{File: "main.toy", Text: &text})
		if verdict := s.check(api.CheckRequest{Files: []string{"main.toy"}}).Verdict; verdict != "new_errors" {
			t.Fatalf("cycle %d, broken: %s", i, verdict)
		}
		do(t, s, api.Close, api.FileRequest{File: "main.toy"})
	}
	state := func() (heap uint64, goroutines int) {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, runtime.NumGoroutine()
	}
	for i := range 100 {
		cycle(i)
	}
	heap, goroutines := state()
	for i := range 1000 {
		cycle(i)
	}
	after, now := state()
	// One text a cycle would be 12 MB.
	if after > heap+2<<20 {
		t.Errorf("the heap grew from %d to %d KB", heap>>10, after>>10)
	}
	if now > goroutines+5 {
		t.Errorf("%d goroutines became %d", goroutines, now)
	}
	for _, server := range s.workspace.Running() {
		if open := server.OpenDocuments(); len(open) > 1 { // lib.toy may be
			t.Errorf("open: %q", open)
		}
	}
}

// A thousand files that are checked one after the other leave little behind: texts up to
// a bound, and of each file a few words.
func TestAThousandFilesAreFlat(t *testing.T) {
	const files, size = 1600, 8 << 10 // the first fill what is kept at most
	s := openShop(t, lsptest.Script{Mode: lsptest.Pull}, project)
	body := strings.Repeat("# a line that takes some room\n", size/30)
	for i := range files {
		s.write(fmt.Sprintf("f%04d.toy", i), fmt.Sprintf("# %d\n%s", i, body))
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var before uint64
	for i := range files {
		if i == files-1000 {
			before = heap()
		}
		name := fmt.Sprintf("f%04d.toy", i)
		if result := s.check(api.CheckRequest{Files: []string{name}, Scope: "file"}); result.Verdict != "clean" {
			t.Fatalf("%s: %s", name, result.Verdict)
		}
	}
	after := heap()
	if grown := int64(after) - int64(before); grown > 2<<20 { // all of the texts are 8 MB
		t.Errorf("the heap grew from %d to %d KB", before>>10, after>>10)
	}
}

// Findings are kept once for a file, however often it is checked and whatever they were
// before, with either way in which servers tell them; mended, they are gone.
func TestAThousandChecksWithFindingsAreFlat(t *testing.T) {
	const findings = 120
	for _, mode := range []lsptest.Mode{lsptest.Pull, lsptest.PushVersioned} {
		t.Run(string(mode), func(t *testing.T) {
			s := openShop(t, lsptest.Script{Mode: mode}, project)
			check := func(i int) {
				t.Helper()
				const name = "f.toy"
				s.write(name, fmt.Sprintf("# %d\n", i)+strings.Repeat(fmt.Sprintf("use nobody%d\n", i), findings))
				r := s.check(api.CheckRequest{Files: []string{name}, Scope: "file", Baseline: "none", MaxBytes: -1})
				if f := r.Files[0]; r.Verdict != "new_errors" || len(f.Diagnostics) != findings {
					t.Fatalf("%s: %s, %d findings", name, r.Verdict, len(f.Diagnostics))
				}
			}
			heap := func() uint64 {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				return m.HeapAlloc
			}
			for i := range 50 {
				check(i)
			}
			before := heap()
			for i := range 1000 {
				check(i)
			}
			// What is told of one check takes 60 KB.
			if after := heap(); after > before+1<<20 {
				t.Errorf("the heap grew from %d to %d KB", before>>10, after>>10)
			}
			s.write("f.toy", "use helper\n")
			s.check(api.CheckRequest{Files: []string{"f.toy"}, Baseline: "none"})
			if known := do(t, s, api.Diagnostics, api.DiagnosticsRequest{}); len(known.Files) > 0 {
				t.Errorf("known are %+v", known.Files)
			}
		})
	}
}
