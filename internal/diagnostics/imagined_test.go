package diagnostics

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// Servers look on disk for what a file brings in. So errors of the state before a change, said
// while a file was shown that the change took away, are not called fixed when they are gone,
// neither of the file itself nor of others; those that stay are no new ones. Without such a file
// they are fixed, and so are those that were said of the same text before, when no such file
// was shown.
func TestWhatWasImaginedIsNotFixed(t *testing.T) {
	const moved = "/w/old"
	for name, c := range map[string]struct {
		gone   string // the file that the change took away
		known  string // the text that was checked before anything was imagined
		former string // the text before the change
		fixed  int    // in the file
		others int    // in the file that nobody asked about
	}{
		"a change":                                     {former: "before", fixed: 1, others: 1},
		"a move":                                       {gone: moved, former: "before"},
		"a move, and it was known before":              {gone: moved, known: "before", former: "before", fixed: 1, others: 1},
		"a move, and it was not there before":          {gone: moved, known: "after", former: "before"},
		"a move, and it was known of another text":     {gone: moved, known: "before", former: "before too"},
		"a move, and before that it was imagined, too": {gone: moved, known: "imagined", former: "before"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, collector *Collector) {
				f := newFake(collector, only(registry.Versioned))
				texts := map[string][]string{"before": {"lost", "stays"}, "before too": {"lost", "stays"}, "after": {"stays"}}
				f.shown = func(path string, version int32) {
					said := texts[string(f.docs[path].text)]
					later(ms, func() {
						f.push("/w/other", -1, said...)
						f.push(path, version, said...)
					})
				}
				severities := []protocol.Severity{protocol.SeverityError}
				compared := func(text, former string, req Request) Report {
					t.Helper()
					file := f.file("/w/a", text)
					if former != "" {
						file.Former = []byte(former)
					}
					req.Files, req.Severities, req.OthersToo = []File{file}, severities, true
					report, err := collector.Check(t.Context(), req)
					if err != nil {
						t.Fatal(err)
					}
					return report
				}
				check := func(text string, req Request) Report { return compared(text, "", req) }
				var gone []string
				if c.gone != "" {
					gone = []string{c.gone}
				}
				switch c.known {
				case "":
				case "imagined":
					check(c.former, Request{NoBaseline: true, Probe: true, Gone: gone})
				default:
					check(c.known, Request{})
				}
				before := collector.At(map[string][]byte{"/w/a": []byte(c.former)})
				if c.known == "imagined" {
					before.Imagined(nil)
				}
				f.disturb() // the server is asked anew
				check(c.former, Request{NoBaseline: true, Probe: true, Gone: gone})
				since := collector.Now()
				if len(gone) > 0 {
					since.Imagined(before)
				}
				report := compared("after", c.former, Request{Since: since})
				got := make(map[string]string)
				for _, r := range append(report.Files, report.Others...) {
					got[r.Path] = fmt.Sprintf("%s: %d, %d new, %d fixed", r.Verdict, len(r.Diagnostics), len(r.New), len(r.Fixed))
				}
				says := func(fixed int) string { return fmt.Sprintf("%s: 1, 0 new, %d fixed", BaselineError, fixed) }
				if diff := cmp.Diff(map[string]string{"/w/a": says(c.fixed), "/w/other": says(c.others)}, got); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// What a server publishes about a file after it was asked about the state before a change counts
// for that state, unless files were shown that the change took away: then the server may have
// noticed that they are gone.
func TestPublishAfterTheStateBefore(t *testing.T) {
	for name, c := range map[string]struct {
		gone []string
		want string
	}{
		"all files were there": {nil, "new 0, remaining 1"},
		"a file was gone":      {[]string{"/w/gone"}, "new 1, remaining 0"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, collector *Collector) {
				f := newFake(collector, only(registry.Versioned))
				var says []string
				f.shown = func(path string, version int32) {
					said := says
					later(ms, func() { f.push(path, version, said...) })
				}
				check := func(text string, req Request) Report {
					t.Helper()
					req.Files, req.Severities = []File{f.file("/w/a", text)}, []protocol.Severity{protocol.SeverityError}
					report, err := collector.Check(t.Context(), req)
					if err != nil {
						t.Fatal(err)
					}
					return report
				}
				check("before", Request{NoBaseline: true, Probe: true, Gone: c.gone})
				f.push("/w/a", f.docs["/w/a"].version, "it is gone")
				since := collector.Now()
				if len(c.gone) > 0 {
					since.Imagined(nil)
				}
				says = []string{"it is gone"}
				report := check("after", Request{Since: since})
				got := fmt.Sprintf("new %d, remaining %d", len(report.Files[0].New), len(report.Files[0].Remaining))
				expect(t, got, c.want)
			})
		})
	}
}

// What was said while a file was shown that is not on disk is known only as long as the file is not there: once it is back,
// servers are asked again. What they say then stands, whatever is imagined later.
func TestWhatWasImaginedIsAskedAgain(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := pulls(c, func(string) []protocol.Diagnostic { return []protocol.Diagnostic{at(0, "wrong")} })
		root := t.TempDir()
		gone, there := filepath.Join(root, "gone"), filepath.Join(root, "there")
		lsptest.WriteFile(t, there, "x")
		file, texts := f.file(there, "x"), map[string][]byte{gone: []byte("g")}
		imagine := func() {
			t.Helper()
			f.disturb() // the server is asked anew
			if _, err := c.Check(t.Context(), Request{Files: []File{f.file(gone, "g"), file}, NoBaseline: true, Probe: true, Gone: []string{gone}}); err != nil {
				t.Fatal(err)
			}
		}
		known := func() bool { return c.Knows(texts, file, false) }
		imagine()
		got := []bool{known(), c.Knows(nil, file, false)}
		lsptest.WriteFile(t, gone, "g")
		got = append(got, known())
		f.disturb()
		check(t, c, file)
		got = append(got, known())
		imagine()
		got = append(got, known())
		if diff := cmp.Diff([]bool{true, false, false, true, true}, got); diff != "" {
			t.Errorf("imagined, without it, back on disk, asked again, imagined again (-want +got):\n%s", diff)
		}
	})
}
