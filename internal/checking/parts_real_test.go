package checking

import (
	"context"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsptest"
)

// If the rest is not reported in time, it is not known, and never counts as nothing; the same holds
// if there is no file by which to ask.
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

// The rest is waited for in proportion to the time that the other parts took. If nothing can be
// reported later, the wait is longer: for a last call, as long as servers are followed; for changes
// that are not kept, until the caller's deadline.
func TestTimeForTheRest(t *testing.T) {
	t.Parallel()
	const took, minute = 400 * time.Millisecond, time.Minute
	following := waitLimit{time.Now().Add(time.Hour)}
	for name, c := range map[string]struct {
		shown    shown
		from, to time.Duration
	}{
		"changes that are kept":             {shown{Checker: &Checker{}, terms: terms{timeout: minute, limit: following}}, took / grace, took / grace},
		"the last call":                     {shown{Checker: &Checker{once: true}, terms: terms{limit: following}}, minute, time.Hour},
		"changes that pass, and a deadline": {shown{Checker: &Checker{}, terms: terms{timeout: minute, passing: true}}, minute - took, minute - took},
		"changes that pass, and none":       {shown{Checker: &Checker{}, terms: terms{limit: following, passing: true}}, took / grace, took / grace},
	} {
		if got := c.shown.restTime(took); got < c.from || got > c.to {
			t.Errorf("%s: %v, want %v to %v", name, got, c.from, c.to)
		}
	}
}
