package diagnostics

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// echoing is a server that finds each line of a text that begins with ! wrong, and says
// the same of other files as long as lib has a line that begins with *.
func echoing(c *Collector) *fake {
	f := newFake(c, only(registry.Versioned))
	f.shown = func(path string, version int32) {
		var wrong, others []string
		for line := range strings.Lines(string(f.docs[path].text)) {
			if message, ok := strings.CutPrefix(strings.TrimSpace(line), "!"); ok {
				wrong = append(wrong, message)
			}
			if message, ok := strings.CutPrefix(strings.TrimSpace(line), "*"); ok {
				others = append(others, message)
			}
		}
		later(10*ms, func() {
			if path == "/w/lib" {
				f.push("/w/user", -1, others...)
			}
			f.push(path, version, wrong...)
		})
	}
	return f
}

// Older is what was wrong before the session began. What came with it and was told before
// is said to remain, in the file itself and in others, also after the server was started
// anew; what is mended is neither.
func TestOlderAndRemaining(t *testing.T) {
	type step struct {
		text  string
		probe bool
		want  string // new/remaining/standing of lib, new/standing of user
	}
	for name, steps := range map[string][]step{
		"the state before is known": {
			{"!old\n*user old\n", true, ""},
			{"!old\n!mine\n*user old\n*broken\n", false, "mine/old/ user broken/"},
			{"!old\n!mine\n*user old\n*broken\n# more\n", false, "/old, mine/mine user /broken"},
			{"!old\n*user old\n", false, "/old/ user /"},
			{"!old\n!mine\n*user old\n", false, "mine/old/ user /"},
		},
		"the first answer tells all": {
			{"!told\n", false, "told// user /"},
			{"!told\n# more\n", false, "/told/told user /"},
			{"!told\n*broken\n", false, "/told/told user broken/"},
			{"!told\n*broken\n# more\n", false, "/told/told user /broken"},
		},
		"what is published unasked with the first answer is older": {
			{"*published\n", false, "// user published/"},
			{"*published\n# more\n", false, "// user /"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, c *Collector) {
				f := echoing(c)
				for i, s := range steps {
					report, err := c.Check(t.Context(), Request{Files: []File{f.file("/w/lib", s.text)}, OthersToo: true, Probe: s.probe})
					if err != nil {
						t.Fatal(err)
					}
					<-time.After(time.Second)
					if s.probe {
						continue
					}
					lib, user := report.Files[0], FileReport{}
					for _, o := range report.Others {
						if o.Path == "/w/user" {
							user = o
						}
					}
					got := fmt.Sprintf("%s/%s/%s user %s/%s", messages(lib.New), messages(lib.Remaining), messages(lib.Standing), messages(user.New), messages(user.Standing))
					if got != s.want {
						t.Errorf("step %d: got %q, want %q", i, got, s.want)
					}
				}
			})
		})
	}
}

// What was wrong before the session began outlives the server that said so.
func TestOriginsOutliveTheServer(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := echoing(c)
		ask := func(text string, probe bool) FileReport {
			report, err := c.Check(t.Context(), Request{Files: []File{f.file("/w/lib", text)}, Probe: probe})
			if err != nil {
				t.Fatal(err)
			}
			return report.Files[0]
		}
		ask("!old\n", true)
		f = echoing(c)
		ask("!old\n!mine\n", false)
		expect(t, messages(ask("!old\n!mine\n#\n", false).Standing), "mine")
	})
}

// A file came once it has findings that were not there when it was first judged, and not before.
func TestWhatCame(t *testing.T) {
	y := startToy(t, lsptest.Script{Mode: lsptest.Pull})
	y.check("new.toy", "fine")
	expect(t, strings.Join(y.collector.Came(""), " "), "")
	y.check("new.toy", "x ERROR new")
	expect(t, strings.Join(y.collector.Came(""), " "), filepath.Join(y.root, "new.toy"))
}
