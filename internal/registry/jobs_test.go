package registry

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
)

// A number of threads is filled in: one for each processor and at least four, which the
// entry of clangd asks for.
func TestJobs(t *testing.T) {
	want := fmt.Sprintf("-j=%d", max(4, runtime.NumCPU()))
	if got := FillJobs([]string{"--a", "-j=" + Jobs}); !slices.Equal(got, []string{"--a", want}) {
		t.Errorf("got %q, want %q last", got, want)
	}
	if got := FillJobs([]string{"--a"}); !slices.Equal(got, []string{"--a"}) {
		t.Errorf("got %q", got)
	}
	d, _ := Builtin().Get("clangd")
	for _, c := range d.Commands {
		if !slices.Contains(FillJobs(c.Args), want) {
			t.Errorf("%s is started with %q", c.Binary, c.Args)
		}
	}
}
