package main

import (
	"cmp"
	"maps"
	"slices"
)

// An arrow says that a file uses what another one of its room declares.
type arrow struct {
	from, to string
	names    []string // what it uses, sorted
}

// arrowsBack puts the files of a room into an order in which few arrows run back up, and returns the order, from
// the door down, and these arrows. It is the greedy order of Eades, Lin and Smyth (1993), mended by moving one file at a time; so
// it finds 0 where there is no circle, and in large circles not always the least.
func arrowsBack(files []string, arrows []arrow) (order []string, back []arrow) {
	order = greedyOrder(files, arrows)
	for improveOrder(order, arrows) {
	}
	place := placesOf(order)
	for _, a := range arrows {
		if place[a.from] > place[a.to] {
			back = append(back, a)
		}
	}
	slices.SortFunc(back, func(a, b arrow) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	return order, back
}

func placesOf(order []string) map[string]int {
	place := make(map[string]int, len(order))
	for i, f := range order {
		place[f] = i
	}
	return place
}

func greedyOrder(files []string, arrows []arrow) []string {
	left := make(map[string]bool)
	for _, f := range files {
		left[f] = true
	}
	degrees := func(f string) (out, in int) {
		for _, a := range arrows {
			if a.from == f && left[a.to] {
				out++
			}
			if a.to == f && left[a.from] {
				in++
			}
		}
		return out, in
	}
	var top, bottom []string // bottom from the ground up
	for len(left) > 0 {
		best, most := "", 0
		for _, f := range slices.Sorted(maps.Keys(left)) {
			out, in := degrees(f)
			if out == 0 {
				best, bottom = f, append(bottom, f)
				break
			}
			if in == 0 {
				best, top = f, append(top, f)
				break
			}
			if best == "" || out-in > most {
				best, most = f, out-in
			}
		}
		if !slices.Contains(top, best) && !slices.Contains(bottom, best) {
			top = append(top, best)
		}
		delete(left, best)
	}
	slices.Reverse(bottom)
	return append(top, bottom...)
}

// improveOrder moves the file whose move takes away most arrows that run back up, and says whether there was one.
func improveOrder(order []string, arrows []arrow) bool {
	count := func(order []string) (n int) {
		place := placesOf(order)
		for _, a := range arrows {
			if place[a.from] > place[a.to] {
				n++
			}
		}
		return n
	}
	least, best := count(order), []string(nil)
	for i := range order {
		rest := slices.Delete(slices.Clone(order), i, i+1)
		for j := range order {
			if moved := slices.Insert(slices.Clone(rest), j, order[i]); i != j {
				if n := count(moved); n < least {
					least, best = n, moved
				}
			}
		}
	}
	if best == nil {
		return false
	}
	copy(order, best)
	return true
}
