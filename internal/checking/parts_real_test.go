package checking

import (
	"context"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsptest"
)

// What was not heard of the rest in time is not known, and never counts as nothing; nor
// does it where there is no file to ask by.
func TestLargeProjectRestInTime(t *testing.T) {
	t.Parallel()
	s := openReal(t, lsptest.LargeGo, "gopls")
	s.check("lib/lib.go")
	d := s.staged("lib/lib.go", "package lib\n\nfunc wrong( {\n").show()
	own, _ := d.own(true, false)
	over, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	for _, files := range [][]diagnostics.File{own, nil} {
		d.search.Unproven, d.search.Unknown = true, nil
		if _, _, err := d.shown.rest(over, time.Now(), files); err != nil || len(d.search.Unknown) != 1 {
			t.Errorf("%d files: %q, %v", len(files), d.search.Unknown, err)
		}
	}
	d.search.Unproven, d.search.Unknown = false, nil
	if _, _, err := d.shown.rest(t.Context(), time.Now(), own); err != nil || len(d.search.Unknown) != 0 {
		t.Errorf("proven: %q, %v", d.search.Unknown, err)
	}
}
