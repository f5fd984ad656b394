package projects

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

var update = flag.Bool("update", false, "write docs/reference/projects.md anew")

// long: all set-ups.
var long = os.Getenv("LSPINE_TRUTH") == "long"

// Real projects, set up rightly and in wrong ways. Rightly, all is as the compiler says.
// Wrongly, nothing that the set-up alone causes is an error, nothing is clean that the
// compiler does not find clean, and every answer says what is missing and what mends it.
func TestProjects(t *testing.T) {
	var mu sync.Mutex
	rows := make(map[string]string)
	t.Run("all", func(t *testing.T) {
		for _, p := range projects {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				for _, server := range p.servers {
					lsptest.Require(t, server)
				}
				var rightly answers
				for _, x := range p.setups {
					if x.long && !long && !*update {
						continue
					}
					t.Run(x.name, func(t *testing.T) {
						s := newSite(t)
						x.make(s)
						var mend func()
						if x.mend != nil {
							mend = func() { x.mend(s) }
						}
						a, mended := run(t, p.visit(s), s.environ, mend)
						if x.missing == "" {
							rightly = a
						}
						p.judge(t, x, a, rightly)
						if mend != nil {
							t.Run("mended", func(t *testing.T) { p.judge(t, setup{}, mended, rightly) })
						}
						mu.Lock()
						rows[p.key(x)] = p.row(x, a)
						mu.Unlock()
						if testing.Verbose() {
							t.Logf("%s", a.all())
							if mend != nil {
								t.Logf("mended:\n%s", mended.all())
							}
						}
						if x.name == "right" {
							p.compile(t, s, a)
						}
					})
				}
			})
		}
	})
	if long || *update { // beside other work an answer may not be known in time: right, and another row
		compareTable(t, rows)
	}
}

func (p *project) visit(s *site) visit {
	v := visit{
		Root: s.root, State: filepath.Join(s.elsewhere, "state"), Servers: p.servers, Main: p.main, Wrong: p.wrong,
		Edit: p.edit, Before: p.before, After: p.after, Mode: cmp.Or(p.mode, "preview"), At: place(s.T, s.root, p.in, p.around, p.symbol),
	}
	if s.user != "" {
		v.User = filepath.Join(s.elsewhere, "config.jsonc")
		lsptest.WriteFile(s, v.User, s.user)
	}
	return v
}

// judge holds the answers about a set-up against what is known of the project.
func (p *project) judge(t *testing.T, x setup, a, rightly answers) {
	t.Helper()
	wrong := func(what string, of answer, format string, args ...any) {
		t.Helper()
		t.Errorf("%s: %s\nverdict %s, errors %q, places %d\n%s", what, fmt.Sprintf(format, args...), of.Verdict, of.Errors, of.Count, of.Said)
	}
	own := func(parts ...string) func(string) bool {
		return func(message string) bool {
			return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(message, part) })
		}
	}
	// An error is true that the right set-up has in the same line.
	stranger := func(of, right answer, part string) int {
		return slices.IndexFunc(of.Errors, func(message string) bool {
			return !own(part)(message) && !slices.ContainsFunc(right.Errors, func(other string) bool { return placeOf(other) == placeOf(message) })
		})
	}
	if x.missing == "" {
		if a.Right.Verdict != "clean" && a.Right.Verdict != "warnings_only" || len(a.Right.Errors) > 0 {
			wrong("the right file", a.Right, "want clean")
		}
		if a.Broken.Verdict != "new_errors" || len(a.Broken.Errors) != 1 || !own(p.found)(a.Broken.Errors[0]) {
			wrong("the broken file", a.Broken, "want new_errors, for %q alone", p.found)
		}
		if a.Edit.Verdict != "new_errors" || !slices.ContainsFunc(a.Edit.Errors, func(m string) bool { return strings.HasPrefix(m, p.broken+":") && own(p.breaks)(m) }) {
			wrong("the edit", a.Edit, "want new_errors, with %q in %s", p.breaks, p.broken)
		}
		if a.References.Count != p.references {
			wrong("references", a.References, "want %d", p.references)
		}
		if a.Doctor.Verdict == "problem" {
			wrong("doctor", a.Doctor, "want no problem")
		}
		return
	}
	says := func(what string, of answer) {
		t.Helper()
		if !strings.Contains(of.Said, x.missing) || !strings.Contains(of.Said, x.next) {
			wrong(what, of, "want it to say %q and %q", x.missing, x.next)
		}
	}
	switch {
	case len(a.Right.Errors) > 0:
		wrong("the right file", a.Right, "want no error")
	case x.judged && a.Right.Verdict != "clean":
		wrong("the right file", a.Right, "want clean")
	case !x.judged && !unknown(a.Right):
		wrong("the right file", a.Right, "want unknown")
	}
	says("the right file", a.Right)
	if i := stranger(a.Broken, rightly.Broken, p.found); i >= 0 || a.Broken.Verdict == "clean" {
		wrong("the broken file", a.Broken, "want unknown, or %q alone", p.found)
	}
	if !x.judged || a.Broken.Verdict != "new_errors" {
		says("the broken file", a.Broken)
	}
	if i := stranger(a.Edit, rightly.Edit, p.breaks); i >= 0 || a.Edit.Verdict == "clean" {
		wrong("the edit", a.Edit, "want unknown, or %q alone", p.breaks)
	}
	if a.Edit.Verdict != "new_errors" {
		says("the edit", a.Edit)
	}
	if a.References.Count != p.references {
		says("references", a.References)
	}
	says("doctor", a.Doctor)
}

// placeOf is the file and the line of an error.
func placeOf(message string) string {
	place, _, _ := strings.Cut(message, ": ")
	return place
}

// unknown reports whether an answer says that it is not known whether a file is right.
func unknown(a answer) bool { return a.Verdict == "unknown" || a.Verdict == "lsp_unavailable" }

// all is everything that was said, to be read.
func (a *answers) all() string {
	var text strings.Builder
	for _, x := range []struct {
		what string
		answer
	}{{"right", a.Right}, {"broken", a.Broken}, {"edit", a.Edit}, {"references", a.References}, {"doctor", a.Doctor}} {
		fmt.Fprintf(&text, "== %s: %s, %d errors, %d places, %v\n%s\n", x.what, x.Verdict, len(x.Errors), x.Count, x.Took.Round(1e8), x.Said)
	}
	return text.String()
}
