package diagnostics

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/lspine/lspine/internal/protocol"
)

// A toldTable has which findings each session was told of, by path: those that an answer listed as new, as
// long as they are there. It decides what is said to be new and what to remain. It decides no verdict:
// what remains counts like what is new.
type toldTable struct {
	mu sync.Mutex // the last lock to be taken
	of map[string]map[string][]Diagnostic
}

// note notes what a report tells a session: new findings, and which of those told before are gone.
func (t *toldTable) note(session string, r *FileReport) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := t.of[session][r.Path]
	old := filter(r.Diagnostics, func(d Diagnostic) bool { return !r.isNew(d) })
	_, left := pair(r.New, before)
	known, gone := pair(old, left)
	still, _ := sorted(old, known)
	now := slices.Concat(filter(r.Diagnostics, r.isNew), still)
	for _, d := range gone { // only its own server takes a finding back, and only with a complete answer
		fresh := slices.ContainsFunc(r.Answers, func(a Answer) bool { return a.Server == d.Server && a.Freshness == Fresh })
		if !fresh {
			now = append(now, d)
		}
	}
	if len(now) == 0 {
		delete(t.of[session], r.Path)
		return
	}
	if t.of == nil {
		t.of = make(map[string]map[string][]Diagnostic)
	}
	if t.of[session] == nil {
		t.of[session] = make(map[string][]Diagnostic)
	}
	t.of[session][r.Path] = now
}

// to returns the function that returns the findings in a file that a session was told of.
func (t *toldTable) to(session string) func(path string) []Diagnostic {
	return func(path string) []Diagnostic {
		t.mu.Lock()
		defer t.mu.Unlock()
		return slices.Clone(t.of[session][path])
	}
}

func (t *toldTable) end(session string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.of, session)
}

func (t *toldTable) forget(path string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, files := range t.of {
		delete(files, path)
	}
}

// Told returns, sorted, the files with findings that a session was told of.
func (c *Collector) Told(session string) []string {
	c.told.mu.Lock()
	defer c.told.mu.Unlock()
	return slices.Sorted(maps.Keys(c.told.of[session]))
}

// Tell notes what a session is told about files: what an answer lists, once all parts of it are known.
func (c *Collector) Tell(session string, reports []FileReport) {
	for i := range reports {
		r := &reports[i]
		if slices.ContainsFunc(r.Answers, func(a Answer) bool { return a.Freshness == Fresh || a.Freshness == Partial }) {
			c.told.note(session, r)
		}
	}
}

// isNew reports whether a finding of a report is one of those that are new.
func (f *FileReport) isNew(d Diagnostic) bool {
	return slices.ContainsFunc(f.New, func(n Diagnostic) bool { return n.Range == d.Range && n.Message == d.Message })
}

// pair reports which of some findings a session was told of, and returns what it was told of that is not among them. One that
// was told stands for one that is found: the nearest of its message and code.
func pair(found, told []Diagnostic) (known []bool, gone []Diagnostic) {
	known = make([]bool, len(found))
	for _, d := range told {
		nearest := -1
		for i := range found {
			if !known[i] && found[i].Message == d.Message && found[i].Code == d.Code && (nearest < 0 || isNearer(d, found[i], found[nearest])) {
				nearest = i
			}
		}
		if nearest < 0 {
			gone = append(gone, d)
			continue
		}
		known[nearest] = true
	}
	return known, gone
}

// sorted divides findings by whether they are known.
func sorted(found []Diagnostic, known []bool) (those, others []Diagnostic) {
	for i := range found {
		if known[i] {
			those = append(those, found[i])
		} else {
			others = append(others, found[i])
		}
	}
	return those, others
}

// isNearer reports whether a finding is nearer to another than a third one, by lines and then by characters.
func isNearer(to, one, other Diagnostic) bool {
	far := func(d Diagnostic) (lines, characters int) {
		from, at := to.Range.Start, d.Range.Start
		return distance(from.Line, at.Line), distance(from.Character, at.Character)
	}
	lines, characters := far(one)
	otherLines, otherCharacters := far(other)
	return cmp.Or(cmp.Compare(lines, otherLines), cmp.Compare(characters, otherCharacters)) < 0
}

func distance(a, b uint32) int { return max(int(a)-int(b), int(b)-int(a)) }

// says reports whether findings include one of the same code and message, at any place.
func says(items []protocol.Diagnostic, d Diagnostic) bool {
	return slices.ContainsFunc(items, func(now protocol.Diagnostic) bool {
		return now.Message == d.Message && now.Code == d.Code
	})
}

// EndSession forgets what belongs to a session. An unknown session is ignored.
func (c *Collector) EndSession(session string) {
	c.told.end(session)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.debts = slices.DeleteFunc(c.debts, func(d debt) bool { return d.session == session })
}
