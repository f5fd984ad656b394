package large

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
)

// A thousand files that are checked one after the other leave little behind: texts up to
// a bound, and of each file a few words.
func TestAThousandFilesAreFlat(t *testing.T) {
	const files, size = 1600, 8 << 10 // the first fill what is kept at most
	s := enginetest.OpenToy(t, lsptest.Script{Mode: lsptest.Pull}, lsptest.Project)
	body := strings.Repeat("# a line that takes some room\n", size/30)
	for i := range files {
		s.Write(fmt.Sprintf("f%04d.toy", i), fmt.Sprintf("# %d\n%s", i, body))
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
		if result := s.Check(api.CheckRequest{Files: []string{name}, Scope: "file"}); result.Verdict != "clean" {
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
func TestChecksWithFindingsAreFlat(t *testing.T) {
	const findings = 120
	for _, mode := range []lsptest.Mode{lsptest.Pull, lsptest.PushVersioned} {
		t.Run(string(mode), func(t *testing.T) {
			s := enginetest.OpenToy(t, lsptest.Script{Mode: mode}, lsptest.Project)
			check := func(i int) {
				t.Helper()
				const name = "f.toy"
				s.Write(name, fmt.Sprintf("# %d\n", i)+strings.Repeat(fmt.Sprintf("use nobody%d\n", i), findings))
				r := s.Check(api.CheckRequest{Files: []string{name}, Scope: "file", Baseline: "none", MaxBytes: -1})
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
			for i := range 300 {
				check(i)
			}
			// What is told of one check takes 60 KB.
			if after := heap(); after > before+1<<20 {
				t.Errorf("the heap grew from %d to %d KB", before>>10, after>>10)
			}
			s.Write("f.toy", "use helper\n")
			s.Check(api.CheckRequest{Files: []string{"f.toy"}, Baseline: "none"})
			if known := enginetest.Do(t, s, api.Diagnostics, api.DiagnosticsRequest{}); len(known.Files) > 0 {
				t.Errorf("known are %+v", known.Files)
			}
		})
	}
}
