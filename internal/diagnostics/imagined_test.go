package diagnostics

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// Servers look on disk for what a file brings in. So errors of the state before a change, said
// while a file was shown that the change took away, are not called fixed when they are gone,
// neither of the file itself nor of others; those that stay are no new ones. Without such a file
// they are fixed.
func TestWhatWasImaginedIsNotFixed(t *testing.T) {
	for name, gone := range map[string][]string{"a change": nil, "a move": {"/w/old"}} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, c *Collector) {
				f := newFake(c, only(registry.Versioned))
				texts := map[string][]string{"before": {"lost", "stays"}, "after": {"stays"}}
				f.shown = func(path string, version int32) {
					said := texts[string(f.docs[path].text)]
					later(ms, func() {
						f.push("/w/other", -1, said...)
						f.push(path, version, said...)
					})
				}
				severities := []protocol.Severity{protocol.SeverityError}
				probe := Request{Files: []File{f.file("/w/a", "before")}, Severities: severities, NoBaseline: true, Probe: true, Gone: gone, OthersToo: true}
				if _, err := c.Check(t.Context(), probe); err != nil {
					t.Fatal(err)
				}
				since := c.Now()
				if len(gone) > 0 {
					since.Imagined()
				}
				after := Request{Files: []File{f.file("/w/a", "after")}, Severities: severities, Since: since, OthersToo: true}
				report, err := c.Check(t.Context(), after)
				if err != nil {
					t.Fatal(err)
				}
				got := make(map[string]string)
				for _, r := range append(report.Files, report.Others...) {
					got[r.Path] = fmt.Sprintf("%s: %d, %d new, %d fixed", r.Verdict, len(r.Diagnostics), len(r.New), len(r.Fixed))
				}
				fixed := 1
				if len(gone) > 0 {
					fixed = 0
				}
				one := fmt.Sprintf("%s: 1, 0 new, %d fixed", BaselineError, fixed)
				if diff := cmp.Diff(map[string]string{"/w/a": one, "/w/other": one}, got); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}
