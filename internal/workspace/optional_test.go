package workspace

import (
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// The servers that a workspace needs are those of its code first, however much
// prose there is; an optional one that is missing is not needed.
func TestSamplesAreOfCodeFirst(t *testing.T) {
	w := open(t, "-- a.code --\n-- 1.prose --\n-- 2.prose --\n-- 3.prose --\n-- 1.text --\n-- 2.text --\n-- a.lost --\n", Options{Servers: lsptest.Kinds(), LookPath: lsptest.LookKinds})
	w.takePicture()
	samples, err := w.Samples(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range samples {
		got = append(got, s.Candidate.Definition.ID)
	}
	if strings.Join(got, " ") != "code code-none prose" {
		t.Errorf("the samples are of %q", got)
	}
}
