package agents

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/tailscale/hujson"
)

// A Plan is a set of changes to files that nothing was written of yet. Several steps may
// change the same file.
type Plan struct {
	place   *Place
	changes []*Change
}

// NewPlan returns a plan without changes.
func (p *Place) NewPlan() *Plan { return &Plan{place: p} }

// changeOf returns the change of a file; at first its texts are alike. A file of the project that is not
// in it is a [LinkError].
func (p *Plan) changeOf(path string) (*Change, error) {
	for _, c := range p.changes {
		if c.Path == path {
			return c, nil
		}
	}
	target, err := p.place.target(path)
	if err != nil {
		return nil, err
	}
	text, exists, err := readFile(path)
	if err != nil {
		return nil, err
	}
	c := &Change{Path: path, target: target, Before: text, Existed: exists, After: text, Removed: !exists}
	p.changes = append(p.changes, c)
	return c, nil
}

// Changes returns what is to be done, in order; where it takes away what Apply once wrote,
// it gives files back as they were.
func (p *Plan) Changes() ([]Change, error) {
	var all []Change
	for _, c := range p.changes {
		nothing := c.Existed && !c.Removed && bytes.Equal(c.Before, c.After) || !c.Existed && c.Removed
		if !nothing {
			all = append(all, *c)
		}
	}
	return all, p.place.restore(all)
}

// editJSON changes a JSON file; one that is not there is made, if anything is wanted in it,
// and one in which nothing is left that we would not have begun it with is removed.
func (p *Plan) editJSON(path string, wanted bool, edit func(*jsonFile) error) error {
	c, err := p.changeOf(path)
	if err != nil || !wanted && c.Removed {
		return err
	}
	f, err := parseJSON(c.After)
	if err == nil {
		err = edit(f)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	c.After, c.Removed = f.text(), false
	if !wanted && f.isBare() {
		c.After, c.Removed = nil, true
	}
	return nil
}

// places returns the members of configuration files in which something of ours may stand.
func places() []string {
	names := []string{"hooks"}
	for _, a := range known {
		if a.server != nil && a.server.key != "" && !slices.Contains(names, a.server.key) {
			names = append(names, a.server.key)
		}
	}
	return names
}

// dropEmptyPlaces removes what is a place for us and has nothing in it.
func (f *jsonFile) dropEmptyPlaces() {
	for _, name := range places() {
		place := member(f.object(), name)
		if place == nil {
			continue
		}
		o, ok := place.Value.(*hujson.Object)
		if !ok {
			continue
		}
		o.Members = slices.DeleteFunc(o.Members, func(m hujson.ObjectMember) bool {
			list, ok := m.Value.Value.(*hujson.Array)
			return ok && len(list.Elements) == 0
		})
		if len(o.Members) == 0 {
			dropMember(f.object(), name)
		}
	}
}

// isBare reports whether nothing is left but what we would begin a file with.
func (f *jsonFile) isBare() bool {
	text := string(decoded(&f.root))
	return text == "{}" || text == `{"version":1}`
}
