package project

import (
	"math/rand/v2"
	"slices"
)

const (
	modules    = 300 // in a generated project
	perFolder  = 25
	hub        = 20 // the module that many use, and that is edited
	dependants = 40 // of the hub
)

// graph says for each module which earlier ones it imports, ascending. Most
// imports are of neighbours, some from far away, as in grown code, and there
// is one hub.
func graph() [modules][]int {
	random := rand.New(rand.NewPCG(1, 2)) // the same in every run
	var imports [modules][]int
	for i := 1; i < modules; i++ {
		for range min(i, 1+random.IntN(4)) {
			to := max(0, i-1-random.IntN(perFolder))
			if random.IntN(4) == 0 {
				to = random.IntN(i)
			}
			// The hub's users are counted below.
			if to != hub && !slices.Contains(imports[i], to) {
				imports[i] = append(imports[i], to)
			}
		}
	}
	for n := range dependants {
		i := hub + 1 + n*(modules-hub-1)/dependants
		imports[i] = append(imports[i], hub)
	}
	for i := range imports {
		slices.Sort(imports[i])
	}
	return imports
}

func folder(module int) int { return module / perFolder }
