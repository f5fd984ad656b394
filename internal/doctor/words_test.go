package doctor

import "testing"

// What a server found in a file is said as far as there is something: errors, other findings.
func TestFoundInAFile(t *testing.T) {
	for _, c := range []struct {
		errs, others int
		want         string
	}{
		{0, 0, "nothing is wrong with it"},
		{0, 2, "no error, lesser findings: 2"},
		{3, 0, "errors: 3"},
		{1, 1, "errors: 1, lesser findings: 1"},
	} {
		if got := foundIn(c.errs, c.others); got != c.want {
			t.Errorf("%d errors and %d others: %q, want %q", c.errs, c.others, got, c.want)
		}
	}
}
