package diagnostics

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A file that was shown before another one got a new text is to be looked at again, in whatever
// order those who showed them arrive. One whose text stays the same calls nothing into question.
func TestGateKnowsWhatWasShownLast(t *testing.T) {
	type shown struct {
		changed    bool
		generation uint64
	}
	for name, c := range map[string]struct {
		arrivals []shown
		want     []bool
	}{
		"in order":                     {[]shown{{true, 5}, {true, 6}}, []bool{true, false}},
		"the first arrives last":       {[]shown{{true, 6}, {true, 5}}, []bool{false, true}},
		"the last changed nothing":     {[]shown{{true, 5}, {false, 6}}, []bool{false, false}},
		"unchanged, and then a change": {[]shown{{false, 5}, {true, 6}, {true, 7}}, []bool{true, true, false}},
		"unchanged after a change":     {[]shown{{true, 6}, {false, 6}}, []bool{false, false}},
	} {
		g := &gate{missing: len(c.arrivals), opened: make(chan struct{})}
		var tickets []*ticket
		for _, a := range c.arrivals {
			one := g.ticket()
			one.arrive(a.changed, a.generation)
			one.arrive(true, 100) // only the first call counts
			tickets = append(tickets, one)
		}
		var got []bool
		for _, one := range tickets {
			overtaken, err := one.pass(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, overtaken)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Who waits for the others can leave; who never shows its file is not waited for.
func TestGateOpensWithoutThoseWhoDrop(t *testing.T) {
	g := &gate{missing: 2, opened: make(chan struct{})}
	one, other := g.ticket(), g.ticket()
	one.arrive(true, 1)
	left, leave := context.WithCancel(t.Context())
	leave()
	if overtaken, err := one.pass(left); overtaken || !errors.Is(err, context.Canceled) {
		t.Errorf("it passes before the other: %t, %v", overtaken, err)
	}
	other.drop()
	var nobody *ticket
	nobody.arrive(true, 9)
	for _, free := range []*ticket{one, nobody} {
		if overtaken, err := free.pass(t.Context()); overtaken || err != nil {
			t.Errorf("overtaken: %t, %v", overtaken, err)
		}
	}
}
