package call

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Files are counted for whoever asked for it, from wherever the call is at work; without anybody
// nothing is counted, and nothing fails.
func TestCount(t *testing.T) {
	ctx, count := Counted(t.Context())
	deep, cancel := Begin(ctx, 0)
	defer cancel()
	CountOf(deep).Expect(3)
	CountOf(deep).Expect(2)
	CountOf(ctx).Done()
	done, total := count.Read()
	if diff := cmp.Diff([]int{1, 5}, []int{done, total}); diff != "" {
		t.Error(diff)
	}
	none := CountOf(t.Context())
	none.Expect(1)
	none.Done()
	if none != nil {
		t.Errorf("somebody counts: %v", none)
	}
}

// A call that was too late says what it was and, if that is known, what it waited for.
func TestTimeoutSays(t *testing.T) {
	for want, err := range map[string]*TimeoutError{
		"edit: no answer before the deadline":                        {Operation: "edit"},
		"edit: no answer before the deadline: others were at work":   {"edit", "others were at work"},
		"check: no answer before the deadline: a server is starting": {"check", "a server is starting"},
	} {
		if diff := cmp.Diff([]string{want, "ask again, or raise timeout_ms"}, []string{err.Error(), err.Hint()}); diff != "" {
			t.Error(diff)
		}
	}
}
