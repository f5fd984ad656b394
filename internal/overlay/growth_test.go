package overlay_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
)

// A thousand documents that are opened, checked with one text and another and closed
// leave nothing behind: no document, no goroutine, no memory to speak of.
func TestAThousandCyclesAreFlat(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	large := strings.Repeat("# a line that takes some room\n", 200)
	cycle := func(i int) {
		text := fmt.Sprintf("use helper\n# %d\n%s", i, large)
		enginetest.Do(t, s, api.Open, api.OpenRequest{File: "main.toy", Text: &text})
		if verdict := s.Check(api.CheckRequest{Files: []string{"main.toy"}}).Verdict; verdict != "clean" {
			t.Fatalf("cycle %d: %s", i, verdict)
		}
		text = "use helpr\n" + large
		enginetest.Do(t, s, api.Open, api.OpenRequest{File: "main.toy", Text: &text})
		if verdict := s.Check(api.CheckRequest{Files: []string{"main.toy"}}).Verdict; verdict != "new_errors" {
			t.Fatalf("cycle %d, broken: %s", i, verdict)
		}
		enginetest.Do(t, s, api.Close, api.FileRequest{File: "main.toy"})
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
	for _, server := range s.Workspace().Running() {
		if open := server.OpenDocuments(); len(open) > 1 { // lib.toy may be
			t.Errorf("open: %q", open)
		}
	}
}
