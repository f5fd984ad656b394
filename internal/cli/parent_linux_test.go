package cli

import "testing"

// As long as the process that started this one lives nothing ends, and the watch can be stopped
// again and again.
func TestWatchOfAParent(t *testing.T) {
	gone := make(chan struct{}, 100)
	for range 100 {
		watchParent(func() { gone <- struct{}{} })()
	}
	if len(gone) > 0 {
		t.Errorf("%d times it was said to be gone", len(gone))
	}
}
