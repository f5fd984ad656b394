package assembly

import "github.com/lspine/lspine/internal/result"

// A choice is a candidate in one of its forms.
type choice struct {
	*candidate
	form int
}

func (c *choice) size() int { return len(c.texts[c.form]) }

// A chooser chooses items for a number of bytes.
type chooser struct {
	room    int
	chosen  map[*candidate]*choice
	covered map[*candidate]bool // whose type is told by a definition
}

// choose returns the items that are worth most in a number of bytes, how many bytes they have, and
// how many others there were no room for. What the caller asked for comes first: declarations that
// it names, and findings. Then every type gets its shortest form, so that of everything used
// something is said; definitions take most of what is left, and the place of their types; and in
// the end all get longer as far as there is room.
func (g *gathering) choose(budget int) (items []result.ContextItem, bytes, left int) {
	c := &chooser{room: budget, chosen: make(map[*candidate]*choice), covered: make(map[*candidate]bool)}
	c.takeAll(g.named, budget/2)
	c.takeAll(g.findings, c.room/2)
	for _, t := range g.types {
		c.take(t, len(t.texts)-1, c.room)
	}
	c.define(g.definitions, g.types, c.room*3/4)
	c.takeAll(g.signatures, c.room)
	c.takeAll(g.summaries, c.room/2)
	c.takeAll(g.hints, c.room/2)
	for _, list := range [][]*candidate{g.named, g.findings} {
		c.takeAll(list, c.room)
	}
	c.define(g.definitions, g.types, c.room)
	for _, list := range [][]*candidate{g.summaries, g.hints} {
		c.takeAll(list, c.room)
	}
	for _, list := range g.lists() {
		for _, of := range list {
			c.lengthen(of)
		}
	}
	items = []result.ContextItem{}
	for _, list := range g.lists() {
		for _, of := range list {
			switch taken := c.chosen[of]; {
			case taken != nil:
				item := of.item
				item.Text = of.texts[taken.form]
				items, bytes = append(items, item), bytes+len(item.Text)
			case !c.covered[of]:
				left++
			}
		}
	}
	return items, bytes, left
}

// lists are all candidates, in the order in which their items are given.
func (g *gathering) lists() [][]*candidate {
	return [][]*candidate{g.named, g.findings, g.types, g.definitions, g.signatures, g.summaries, g.hints}
}

// takeAll takes candidates in their fullest form that fits, within a part of the room.
func (c *chooser) takeAll(list []*candidate, room int) {
	for _, of := range list {
		room -= c.take(of, 0, room)
	}
}

// take takes a candidate in the fullest form, from one on, that fits into a part of the room, and
// returns its size; 0 if none fits or it is taken already.
func (c *chooser) take(of *candidate, form, room int) int {
	if c.chosen[of] != nil {
		return 0
	}
	for ; form < len(of.texts); form++ {
		if n := len(of.texts[form]); n <= min(room, c.room) {
			c.chosen[of] = &choice{of, form}
			c.room -= n
			return n
		}
	}
	return 0
}

// define takes definitions, and gives back the room of the types that they tell.
func (c *chooser) define(definitions, types []*candidate, room int) {
	for _, of := range definitions {
		told := c.toldBy(of, types)
		freed := 0
		if taken := c.chosen[told]; taken != nil {
			freed = taken.size()
		}
		c.room += freed
		n := c.take(of, 0, room+freed)
		if n == 0 { // the type stays
			c.room -= freed
			continue
		}
		room += freed - n
		delete(c.chosen, told)
		c.covered[told] = true
	}
}

// toldBy returns the type that a definition tells, nil if it tells none.
func (c *chooser) toldBy(definition *candidate, types []*candidate) *candidate {
	for _, t := range types {
		if definition.covers && definition.of != nil && t.of == definition.of {
			return t
		}
	}
	return nil
}

// lengthen gives a candidate that is taken its fullest form that fits.
func (c *chooser) lengthen(of *candidate) {
	taken := c.chosen[of]
	if taken == nil {
		return
	}
	for form := range taken.form {
		if more := len(of.texts[form]) - taken.size(); more <= c.room {
			c.room -= more
			taken.form = form
			return
		}
	}
}
