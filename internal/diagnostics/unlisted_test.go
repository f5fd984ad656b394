package diagnostics

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// What a server says only because a document is not on disk is no word on the code: that no
// project lists it, which is not known before it is there, and, of the state before a change,
// what names a file that the change took away.
func TestNotOnDisk(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		p := newFake(c, registry.Diagnostics{Unlisted: "7"})
		root := t.TempDir()
		there := filepath.Join(root, "there.ts")
		lsptest.WriteFile(t, there, "")
		for _, tt := range []struct {
			name, code, message string
			past                bool
			gone                []string
			want                string
		}{
			{"a document", "7", "File '" + filepath.Join(root, "fresh.ts") + "' is not listed.", false, nil, "partial, 0 said: whether the project lists fresh.ts is known once it is on disk"},
			{"a document of before", "7", "File '" + filepath.Join(root, "fresh.ts") + "' is not listed.", true, nil, "fresh, 0 said: "},
			{"a file", "7", "File '" + there + "' is not listed.", false, nil, "fresh, 1 said: "},
			{"another code", "8", "File '" + filepath.Join(root, "fresh.ts") + "' is not listed.", false, nil, "fresh, 1 said: "},
			{"another word", "7", "No name is quoted.", false, nil, "fresh, 1 said: "},
			{"an import of what is gone", "9", "Cannot find './lib/greet' here", true, []string{"/w/lib/greet.ts"}, "fresh, 0 said: "},
			{"by its whole name", "9", "Cannot find \"greet.d.ts\" here", true, []string{"/w/lib/greet.d.ts"}, "fresh, 0 said: "},
			{"by its folder", "9", "Cannot find './lib' here", true, []string{"/w/lib/index.ts"}, "fresh, 0 said: "},
			{"a name that is declared there", "9", "Property 'greet' does not exist", true, []string{"/w/lib/greet.ts"}, "fresh, 1 said: "},
			{"an import of something else", "9", "Cannot find './lib/greeting' here", true, []string{"/w/lib/greet.ts"}, "fresh, 1 said: "},
			{"an import of what is gone now", "9", "Cannot find './lib/greet' here", false, []string{"/w/lib/greet.ts"}, "fresh, 1 said: "},
			{"a Java type that is gone", "9", "The import a.b.Greet cannot be resolved", true, []string{"/w/a/b/Greet.java"}, "fresh, 0 said: "},
			{"a Java type below it", "9", "The hierarchy of the type Polite is inconsistent", true, []string{"/w/a/b/Greet.java"}, "fresh, 0 said: "},
			{"another Java type", "9", "Greeting cannot be resolved to a type", true, []string{"/w/a/b/Greet.java"}, "fresh, 1 said: "},
			{"a Java type of now", "9", "Greet cannot be resolved to a type", false, []string{"/w/a/b/Greet.java"}, "fresh, 1 said: "},
			{"a Python module that is gone", "9", "Import \"lib.greet\" could not be resolved", true, []string{"/w/lib/greet.py"}, "fresh, 0 said: "},
			{"a Python package that is gone", "9", "\"lib\" is unknown import symbol", true, []string{"/w/lib/__init__.py"}, "fresh, 0 said: "},
			{"a Python name that is declared there", "9", "\"greet\" is not defined", true, []string{"/w/lib/greet.py"}, "fresh, 1 said: "},
			{"another Python module", "9", "Import \"greet.lib\" could not be resolved", true, []string{"/w/lib/greet.py"}, "fresh, 1 said: "},
		} {
			turn := &turn{server: p, stream: c.stream(p.source().Key), past: tt.past, gone: tt.gone}
			items := []protocol.Diagnostic{{Code: tt.code, Message: tt.message}}
			kept, freshness := turn.listed(items, Fresh)
			if diff := cmp.Diff(tt.want, fmt.Sprintf("%s, %d said: %s", freshness, len(kept), turn.reason)); diff != "" {
				t.Errorf("%s: %s", tt.name, diff)
			}
		}
	})
}

// An answer about a document that is not on disk yet comes without the error that no project lists it, and is partial.
func TestAnswerAboutAnUnlistedDocument(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		path := filepath.Join(t.TempDir(), "fresh.ts")
		f := pulls(c, func(string) []protocol.Diagnostic {
			unlisted := at(1, "File '"+path+"' is not listed.")
			unlisted.Code = "7"
			return []protocol.Diagnostic{at(0, "wrong"), unlisted}
		})
		f.def.Diagnostics.Unlisted = "7"
		a, _ := check(t, c, f.file(path, "x"))
		expect(t, said(a)+": "+a.Reason, "partial 1: wrong: whether the project lists fresh.ts is known once it is on disk")
	})
}

// If a server misses a file in the state before a change, although the file is shown to it, the
// errors that may follow from that were not there before: those are old that were reported earlier, with the files on disk.
// If nothing was, nothing is compared.
func TestWhatFollowsFromAMissingFile(t *testing.T) {
	const missing, follows, old = "Cannot find './gone'", "it follows", "it is old"
	for name, c := range map[string]struct {
		known  string // the text that was checked before, "" for none; "since" the file was gone
		past   []string
		before bool // the earlier check was itself of a state before a change
		want   string
	}{
		"this text was checked":           {"x", []string{missing, old, follows}, false, "session: Cannot find './gone', it follows"},
		"another text was checked":        {"y", []string{missing, old, follows}, false, "none: Cannot find './gone', it is old, it follows"},
		"no text was checked":             {"", []string{missing, old, follows}, false, "none: Cannot find './gone', it is old, it follows"},
		"it was checked in such a state":  {"x", []string{missing, old, follows}, true, "none: Cannot find './gone', it is old, it follows"},
		"it was checked since":            {"x since", []string{missing, old, follows}, false, "none: Cannot find './gone', it is old, it follows"},
		"only the file is missing":        {"", []string{missing}, false, "session: Cannot find './gone', it is old, it follows"},
		"nothing is missing in the state": {"", []string{"x", old, follows}, false, "session: Cannot find './gone'"},
		"and it was known without it":     {"x", []string{"x", old, follows}, false, "session: Cannot find './gone', it follows"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, collector *Collector) {
				reported := []string{"", old}
				f := pulls(collector, func(string) (items []protocol.Diagnostic) {
					for line, message := range reported {
						if message != "" {
							items = append(items, at(line, message))
						}
					}
					return items
				})
				check := func(text string, req Request, others ...File) Report {
					t.Helper()
					f.disturb() // the server is asked anew
					req.Files, req.Severities = append([]File{f.file("/w/a", text)}, others...), []protocol.Severity{protocol.SeverityError}
					report, err := collector.Check(t.Context(), req)
					if err != nil {
						t.Fatal(err)
					}
					return report
				}
				probe := Request{NoBaseline: true, Probe: true, Gone: []string{"/w/gone.ts"}}
				text, since := strings.CutSuffix(c.known, " since")
				if since {
					reported = c.past
				}
				if text != "" && c.before {
					check(text, probe)
				} else if text != "" {
					check(text, Request{})
				}
				known := collector.Now()
				reported = c.past
				var shown []File
				if since { // servers know that it is not there
					f.onDisk, shown = map[string]string{"/w/gone.ts": ""}, []File{f.file("/w/gone.ts", "g")}
				}
				check("x", probe, shown...)
				past := collector.Now()
				past.Imagined(known)
				reported = []string{missing, old, follows}
				report := check("x", Request{Since: past})
				expect(t, string(report.Files[0].Baseline)+": "+messages(report.Files[0].New), c.want)
			})
		})
	}
}

// A server that looks for imports only on disk may find a namesake of a file that is gone, such as an installed package: what it
// says of a file that imports by that name was not necessarily wrong before, whatever its words.
func TestNamesakesOfAMissingFile(t *testing.T) {
	said := make(map[string]string)
	for _, text := range []string{"from gone.parts import one\n", "    import gone\n", "import going\ngone = 1\n"} {
		inBubble(t, func(t *testing.T, collector *Collector) {
			f := pulls(collector, func(string) []protocol.Diagnostic { return []protocol.Diagnostic{at(0, "wrong")} })
			f.def.Quirks = append(f.def.Quirks, registry.FindsSaved)
			check := func(req Request) Report {
				t.Helper()
				f.disturb() // the server is asked anew
				req.Files = []File{f.file("/w/a.py", text)}
				report, err := collector.Check(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				return report
			}
			check(Request{NoBaseline: true, Probe: true, Gone: []string{"/w/gone/__init__.py"}})
			report := check(Request{Since: collector.Now()})
			said[text] = string(report.Files[0].Baseline) + ": " + messages(report.Files[0].New)
		})
	}
	want := map[string]string{"from gone.parts import one\n": "none: wrong", "    import gone\n": "none: wrong", "import going\ngone = 1\n": "session: "}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
