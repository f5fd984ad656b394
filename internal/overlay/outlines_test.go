package overlay

import (
	"testing"
	"time"
)

// A panic of a question that nobody waits for costs its answer, and nothing else: the next one
// can be asked, and all can be ended.
func TestPanicOfWhatIsAskedAhead(t *testing.T) {
	o := newOutlines(time.Second)
	for range 2 {
		o.askAhead(nil, "main.toy", "main.toy", nil) // no server can be asked
		o.ahead.Wait()
	}
	o.close()
	if len(o.known) != 0 {
		t.Errorf("%d answers are known", len(o.known))
	}
}
