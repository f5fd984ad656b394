package diagnostics

import (
	"testing"

	"github.com/lspine/lspine/internal/registry"
)

// A server that judges a new text by what the old one included is made to look at it
// anew, and only then; the first publish for such a version is not its word.
func TestChangedDirectivesReopen(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		opened              int
		want                string
	}{
		{"another include", "#include \"a.h\"\nx\n", "#include \"b.h\"\nx\n", 2, "fresh 3: after includes"},
		{"another line", "#include \"a.h\"\nx\n", "#include \"a.h\"\ny\n", 1, "fresh 2: at once"},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, collector *Collector) {
				d := only(registry.Versioned)
				d.Outside = registry.OutsideReopen
				f := newFake(collector, d)
				f.shown = func(path string, version int32) {
					later(10*ms, func() {
						f.push(path, version, map[int32]string{1: "first", 2: "at once", 3: "after includes"}[version])
					})
				}
				check(t, collector, f.file("/w/a.cc", c.before))
				a, _ := check(t, collector, f.file("/w/a.cc", c.after))
				expect(t, said(a), c.want)
				if f.opened != c.opened {
					t.Errorf("opened %d times, want %d", f.opened, c.opened)
				}
			})
		})
	}
}
