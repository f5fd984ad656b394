package truth

import (
	"errors"
	"flag"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/e2e/code"
	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

var renames = flag.Int("renames", 2, "random renames for each project and server")

// briefly are the projects in which names are renamed where nobody asks for more.
var briefly = []string{"cmake-folders", "go-work", "maven-modules", "npm-workspaces", "python-siblings"}

// Whatever declared name of real code is renamed, the compiler finds what it found before, and the uses that were listed are the
// places that were renamed; or the rename is refused, or says what it broke or does not know.
func TestRenames(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("..", "code", "testdata", "*.txt"))
	if err != nil || len(archives) == 0 {
		t.Fatal("there are no projects", err)
	}
	for _, path := range archives {
		p := code.Read(t, path)
		if !long && *only == "" && !slices.Contains(briefly, p.Name) {
			continue
		}
		for _, server := range p.Servers {
			if strings.HasSuffix(server, "+large") || *only != "" && p.Name != *only {
				continue
			}
			t.Run(p.Name+"/"+server, func(t *testing.T) {
				t.Parallel()
				lsptest.Require(t, server)
				w := plant(t, p, server, false)
				w.Tally = make(code.Tally)
				dice := rand.New(rand.NewPCG(*seed, uint64(len(w.Name))))
				for range *renames {
					if n, ok := w.DrawName(dice); ok {
						w.rename(t, n)
					}
				}
				t.Logf("%v", w.Tally)
			})
		}
	}
}

// rename renames a declared name, compares, and takes it back.
func (w *world) rename(t *testing.T, n code.Name) {
	t.Helper()
	const added = "Renamed"
	about := n.File + " " + n.Name
	at := api.Selector{File: n.File, Line: api.OneBased(n.Line), Column: api.OneBased(n.Column)}
	limits := api.Limits{TimeoutMS: deadline, MaxBytes: 1 << 20}
	uses, failed := api.References.Do(t.Context(), w.engine, api.ReferencesRequest{Selector: at, IncludeDeclaration: true, Limits: limits})
	answer, err := api.Rename.Do(t.Context(), w.engine, api.RenameRequest{Selector: at, NewName: n.Name + added, Writing: api.Writing{Limits: limits}})
	var refused *result.Error
	if errors.As(err, &refused) {
		w.Tally["refused"]++
		t.Logf("refused   %s: %v", about, err)
		w.asItIs(t)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	named := 0 // those by other names, which imports give, stay
	for p := range placesOf(uses) {
		if w.wordAt(p) == n.Name {
			named++
		}
	}
	before := w.Files
	w.Look(t)
	for _, ignored := range strings.Split(w.git(t, nil, "", "ls-files", "-z", "--others", "--ignored", "--exclude-standard"), "\x00") {
		if _, planted := before[ignored]; !planted {
			delete(w.Files, ignored) // the server made it
		}
	}
	now := w.Ask(t)
	a := code.OfEdit(answer)
	wrongs := w.Compare(&a, code.ChangeTo(before, w.Files), w.truth, code.Renamed(now, n.Name+added, n.Name))
	kind := w.Sort(w.Name, "rename "+about, &a, wrongs)
	broken := len(code.Renamed(now, n.Name+added, n.Name).Beyond(w.truth)) > 0
	if broken {
		w.Tally["breaks"]++
	}
	t.Logf("%-9s %s, breaks: %t", kind, about, broken)
	if kind == code.Wrong || broken {
		t.Log(code.Indented(wrongs.Lines() + "\n" + a.Brief))
	}
	if kind == code.Wrong {
		t.Errorf("rename %s: LSPine is wrong:\n%s", about, code.Indented(wrongs.Lines()))
	}
	if failed != nil {
		t.Errorf("%s was renamed, but its uses were not listed: %v", about, failed)
	} else if renamed := w.count(n.Name + added); renamed < named {
		t.Errorf("%s: %d uses, %d renamed: %+v", about, named, renamed, uses)
	}
	w.git(t, nil, "", "checkout", "-q", ".")
	w.git(t, nil, "", "clean", "-fdq")
	w.Files = before
	w.Forget()
}

// count returns how often a word is in the files.
func (w *world) count(word string) (n int) {
	pattern := regexp.MustCompile(`\b` + regexp.QuoteMeta(word) + `\b`)
	for _, text := range w.Files {
		n += len(pattern.FindAllString(text, -1))
	}
	return n
}
