package main

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// large is from how many lines on a room must have floors inside, and most which share of the arrows
// between its files may run back up, in percent.
const (
	large = 2000
	most  = 20
)

// A large room has floors inside: whoever reads its files in their order finds few names that come only later.
func TestLargeRoomsHaveFloors(t *testing.T) {
	h, err := measure(t.Context(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	measured := 0
	for _, r := range h.rooms {
		if r.lines < large {
			continue
		}
		measured++
		if 100*len(r.back) > most*r.arrows {
			t.Errorf("%s: %s of %d arrows run back up; go run ./internal/house -room %s lists them", r.name, r.backShare(), r.arrows, r.name)
		}
	}
	if measured < 10 {
		t.Errorf("only %d rooms were measured", measured)
	}
}

func TestArrowsBack(t *testing.T) {
	arrows := func(pairs ...string) (list []arrow) {
		for _, p := range pairs {
			list = append(list, arrow{from: p[:1], to: p[1:]})
		}
		return list
	}
	tests := map[string]struct {
		arrows []arrow
		back   int
	}{
		"no arrow":                          {nil, 0},
		"a chain, in any order of names":    {arrows("dc", "cb", "ba", "da"), 0},
		"two that use each other":           {arrows("ab", "ba", "bc"), 1},
		"a ring of four":                    {arrows("ab", "bc", "cd", "da"), 1},
		"two rings that share an arrow":     {arrows("ab", "bc", "ca", "bd", "da"), 1},
		"everybody uses a, and a everybody": {arrows("ab", "ac", "ad", "ba", "ca", "da"), 3},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			order, back := arrowsBack([]string{"a", "b", "c", "d"}, test.arrows)
			if len(back) != test.back {
				t.Errorf("%d arrows run back, not %d: %v in %v", len(back), test.back, back, order)
			}
			if diff := cmp.Diff([]string{"a", "b", "c", "d"}, slices.Sorted(slices.Values(order))); diff != "" {
				t.Errorf("files of the order (-want +got):\n%s", diff)
			}
		})
	}
}
