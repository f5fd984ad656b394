package hook

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/result"
)

// A memory is what the hooks of a session remember, in a file, from one process to the next. Paths
// are absolute.
type memory struct {
	// Commit is the git commit that was checked out when the session began. Stamps are those of the
	// files that may differ from it, as last seen. Swept reports that a sweep has taken place.
	Commit string           `json:"commit,omitempty"`
	Stamps map[string]stamp `json:"stamps,omitempty"`
	Swept  bool             `json:"swept,omitempty"`
	// Touched are the files that the session changed, in the order of their first change. Before
	// has their texts before that change, as far as known.
	Touched []string          `json:"touched,omitempty"`
	Before  map[string]string `json:"before,omitempty"`
	// Broken has, by path, the findings that were reported to the agent and still existed when
	// their files were last checked. A finding that occurs twice is listed twice.
	Broken map[string][]result.Diagnostic `json:"broken,omitempty"`
	// Owed are the files that changed and whose check is not complete yet, with their texts before
	// the first such change, nil if unknown.
	Owed map[string]*string `json:"debts,omitempty"`
	// Limited are the servers of which the agent was told that they do not judge all, as the checkout is not trusted.
	Limited []string `json:"limited,omitempty"`
	// Quieted says that the agent was told that the checkout makes answers leave something out.
	Quieted bool `json:"quieted,omitempty"`
	// Held is what last kept the agent from ending its turn, by the name of the event.
	Held map[string]held `json:"holds,omitempty"`
	// GivenUp is what the user was last told that the agent did not mend.
	GivenUp held `json:"given_up,omitzero"`
}

// held is what kept an agent from ending its turn: the findings, as [report.fingerprint] identifies them, and
// the keys of what was not known.
type held struct {
	Findings string   `json:"findings,omitempty"`
	Open     []string `json:"open,omitempty"`
}

// A stamp identifies the state of a file without its content. The zero stamp means that there is no
// file.
type stamp struct {
	Size     int64 `json:"size"`
	Modified int64 `json:"modified"` // nanoseconds since 1970
	// Change tells states apart for which both are equal, see fspath.Change.
	Change uint64 `json:"change,omitempty"`
}

// A finding identifies a diagnostic, even if its lines have moved.
type finding struct{ Code, Message string }

func findingOf(d *result.Diagnostic) finding { return finding{d.Code, d.Message} }

// Limits of a memory.
const (
	maxTouched = 500     // files
	maxBefore  = 4 << 20 // bytes of all texts together
	maxAge     = 14 * 24 * time.Hour
)

// prepare makes the maps that a memory read from a file may lack.
func (m *memory) prepare() {
	if m.Stamps == nil {
		m.Stamps = make(map[string]stamp)
	}
	if m.Before == nil {
		m.Before = make(map[string]string)
	}
	if m.Broken == nil {
		m.Broken = make(map[string][]result.Diagnostic)
	}
	if m.Owed == nil {
		m.Owed = make(map[string]*string)
	}
	if m.Held == nil {
		m.Held = make(map[string]held)
	}
}

// writeFile replaces the file of the memory.
func (m *memory) writeFile(name string) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	draft := name + ".new"
	if err := os.WriteFile(draft, data, 0o600); err != nil {
		return err
	}
	return os.Rename(draft, name)
}

// recordChange records that the session changes a file. before is its text until then, nil if unknown.
func (m *memory) recordChange(path string, before *string) {
	if slices.Contains(m.Touched, path) {
		return
	}
	if m.Touched = append(m.Touched, path); len(m.Touched) > maxTouched {
		delete(m.Before, m.Touched[0])
		m.Touched = m.Touched[1:]
	}
	size := 0
	for _, text := range m.Before {
		size += len(text)
	}
	if before != nil && size+len(*before) <= maxBefore {
		m.Before[path] = *before
	}
}

// owe records a file whose check is not yet complete. before is its text until the change that is to
// be checked, nil if unknown; that of an earlier change counts.
func (m *memory) owe(path string, before *string) {
	if _, owed := m.Owed[path]; owed {
		return
	}
	size := 0
	for _, text := range m.Owed {
		if text != nil {
			size += len(*text)
		}
	}
	if before != nil && size+len(*before) > maxBefore {
		before = nil
	}
	m.Owed[path] = before
}

// debt returns what is owed of a file if its check is not complete: its text before the first change
// that was not judged. It is false for a file that the session has not changed.
func (m *memory) debt(path string) (before *string, is bool) {
	if before, is = m.Owed[path]; is {
		return before, true
	}
	if text, known := m.Before[path]; known {
		before = &text
	}
	return before, slices.Contains(m.Touched, path)
}

// owed returns the files whose check is not complete, sorted.
func (m *memory) owed() []string { return slices.Sorted(maps.Keys(m.Owed)) }

// told returns the files with findings that were reported to the agent, sorted.
func (m *memory) told() []string { return slices.Sorted(maps.Keys(m.Broken)) }

// changedSinceSweep returns the files that changed since it was last called, none the first time.
func (m *memory) changedSinceSweep(listing Listing) (changed []string) {
	now := make(map[string]stamp, len(listing.Files))
	for _, path := range listing.Files {
		now[path] = stampOf(path)
	}
	if m.Swept {
		for path, is := range now {
			if was, known := m.Stamps[path]; !known || was != is {
				changed = append(changed, path)
			}
		}
		for path, was := range m.Stamps {
			if _, listed := now[path]; listed {
				continue
			}
			switch is := stampOf(path); {
			case is != was: // it is back to its state when the session began, or it is gone
				changed = append(changed, path)
			case is != stamp{}: // it was committed, or git does not list it; later changes count
				now[path] = is
			}
		}
	}
	m.Stamps, m.Swept = now, true
	slices.Sort(changed)
	return changed
}

// recordStamps records the current state of files that are checked anyway, so that changedSinceSweep does not
// return them.
func (m *memory) recordStamps(paths []string) {
	if !m.Swept {
		return
	}
	for _, path := range paths {
		m.Stamps[path] = stampOf(path)
	}
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime().UnixNano(), fspath.Change(info)}
}

// untold returns the indices of those diagnostics of a file that satisfy comes and have not been
// reported to the agent. Of several identical ones, as many count as reported as the memory has:
// first those that do not satisfy comes, then the others from the first on.
func (m *memory) untold(path string, list []result.Diagnostic, comes func(*result.Diagnostic) bool) (places []int) {
	knows := counted(m.Broken[path])
	for i := range list {
		if !comes(&list[i]) {
			knows[findingOf(&list[i])]--
		}
	}
	for i := range list {
		if !comes(&list[i]) {
			continue
		}
		if f := findingOf(&list[i]); knows[f] > 0 {
			knows[f]--
		} else {
			places = append(places, i)
		}
	}
	return places
}

// counted returns how often each finding is in a list.
func counted(list []result.Diagnostic) map[finding]int {
	times := make(map[finding]int)
	for i := range list {
		times[findingOf(&list[i])]++
	}
	return times
}

// isBroken reports whether a diagnostic was reported to the agent.
func (m *memory) isBroken(path string, d *result.Diagnostic) bool {
	return counted(m.Broken[path])[findingOf(d)] > 0
}

// unionOf returns the names in both lists, each once.
func unionOf(a, b []string) []string {
	all := slices.Clone(a)
	for _, name := range b {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}
