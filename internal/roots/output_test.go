package roots

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Of a tool's output the first bytes are kept, and that there are more is told once.
func TestBoundedOutput(t *testing.T) {
	told := 0
	b := &bounded{max: 4, full: func() { told++ }}
	type state struct {
		Text  string
		Over  bool
		Told  int
		Wrote int
	}
	var got []state
	for _, text := range []string{"ab", "cd", "", "ef", "g"} {
		n, err := b.Write([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, state{b.buffer.String(), b.over, told, n})
	}
	want := []state{{"ab", false, 0, 2}, {"abcd", false, 0, 2}, {"abcd", false, 0, 0}, {"abcd", true, 1, 2}, {"abcd", true, 1, 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
