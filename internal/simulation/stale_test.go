package simulation

import (
	"strings"
	"testing"
)

// What changed below a session is told with the beginning of both checksums, or that there is
// no file, and whether the session's own change still fits.
func TestWhatChangedBelowASession(t *testing.T) {
	err := &StaleError{Session: "s", Files: []StaleFile{
		{Path: "a.toy", Read: strings.Repeat("0123456789ab", 2), Now: strings.Repeat("abcdef012345", 2), Fits: true},
		{Path: "b.toy", Now: strings.Repeat("f", 64)},
	}}
	want := "a.toy changed on disk since the session read it: 0123456789ab then, abcdef012345 now; the session's own change still fits\n" +
		"b.toy changed on disk since the session read it: no file then, ffffffffffff now; the session's own change no longer fits"
	if err.Error() != want {
		t.Errorf("got\n%s\nwant\n%s", err, want)
	}
}
