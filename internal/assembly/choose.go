package assembly

import "github.com/lspine/lspine/internal/result"

// A choice is a candidate in one of its forms.
type choice struct {
	*candidate
	form int
}

func (c *choice) size() int { return len(c.texts[c.form]) }

// A chooser selects items that fit into a number of bytes.
type chooser struct {
	room    int
	chosen  map[*candidate]*choice
	covered map[*candidate]bool // types already shown by a definition
}

// choose returns the most valuable items that fit into budget bytes, their size in bytes, and how
// many others did not fit. What the caller asked for comes first: the declarations it names, and
// findings. Then every type gets its shortest form, so that each symbol used is mentioned.
// Definitions take most of what is left, and replace the items of the types they show. Finally all
// items are lengthened as far as possible. What is left then is for the uses of what the focus declares:
// first how many there are of each, then their lines.
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
	for _, of := range g.references {
		c.take(of, len(of.texts)-1, c.room)
	}
	for _, of := range g.references {
		c.lengthen(of)
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

// lists returns all candidates, in the order in which their items are returned.
func (g *gathering) lists() [][]*candidate {
	return [][]*candidate{g.named, g.findings, g.types, g.definitions, g.signatures, g.summaries, g.hints, g.references}
}

// takeAll takes candidates in the fullest form that fits, within part of the remaining room.
func (c *chooser) takeAll(list []*candidate, room int) {
	for _, of := range list {
		room -= c.take(of, 0, room)
	}
}

// take takes a candidate in the fullest form, starting with form, that fits into part of the room,
// and returns its size. It returns 0 if none fits or the candidate is already taken.
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

// define takes definitions, and frees the room of the types that they show.
func (c *chooser) define(definitions, types []*candidate, room int) {
	for _, of := range definitions {
		told := c.toldBy(of, types)
		freed := 0
		if taken := c.chosen[told]; taken != nil {
			freed = taken.size()
		}
		c.room += freed
		n := c.take(of, 0, room+freed)
		if n == 0 { // keep the type
			c.room -= freed
			continue
		}
		room += freed - n
		delete(c.chosen, told)
		c.covered[told] = true
	}
}

// toldBy returns the type that a definition shows, nil if it shows none.
func (c *chooser) toldBy(definition *candidate, types []*candidate) *candidate {
	for _, t := range types {
		if definition.covers && definition.of != nil && t.of == definition.of {
			return t
		}
	}
	return nil
}

// lengthen gives a taken candidate the fullest form that fits.
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
