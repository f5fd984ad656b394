package diagnostics

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/registry"
)

// What a server publishes late of a file that nobody asked about, while changes are judged that
// concern no other file, was there before: it does not count as what the session broke. While
// changes are judged that may concern others, it does.
func TestPublishedLateIsOlder(t *testing.T) {
	type counts struct {
		New             string
		Older, Standing int
	}
	for name, tt := range map[string]struct {
		narrow, others bool
		want           counts
	}{
		"changes that concern no other file":    {true, true, counts{"new", 1, 0}},
		"changes that may":                      {false, true, counts{"new", 0, 1}},
		"changes of which only the file counts": {false, false, counts{"new", 0, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, c *Collector) {
				f := newFake(c, only(registry.Versioned))
				f.shown = func(path string, version int32) { later(10*ms, func() { f.push(path, version) }) }
				ask := func(text string, narrow, others, probe bool) Report {
					file := f.file("/w/a", text)
					file.Narrow = narrow
					report, err := c.Check(t.Context(), Request{Files: []File{file}, OthersToo: others, Probe: probe, NoBaseline: probe})
					if err != nil {
						t.Fatal(err)
					}
					return report
				}
				ask("one", true, true, true)
				f.push("/w/b", -1, "old")
				ask("two", tt.narrow, tt.others, false)
				ask("two\n", false, true, true)
				f.shown = func(path string, version int32) {
					later(10*ms, func() {
						f.push("/w/b", -1, "old", "new")
						f.push(path, version)
					})
				}
				var got []counts
				for _, o := range ask("three", false, true, false).Others {
					got = append(got, counts{messages(o.New), len(o.Remaining) - len(o.Standing), len(o.Standing)})
				}
				if diff := cmp.Diff([]counts{tt.want}, got); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}
