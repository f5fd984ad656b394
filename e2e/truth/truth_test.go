package truth

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

var (
	update = flag.Bool("update", false, "write docs/reference/truth.md")
	steps  = flag.Int("steps", -1, "random steps for each project and server; by default few, or 30 with LSPINE_TRUTH=long")
	seed   = flag.Uint64("seed", 1, "of the random steps")
	only   = flag.String("only", "", "only the scripted steps whose text has this in it, and no random ones")
	random = flag.Bool("random", false, "no scripted steps")
)

// long asks for every scripted step, and more random ones.
var long = os.Getenv("LSPINE_TRUTH") == "long"

// How much is done where nobody asks for more.
const someScripted, someRandom, manyRandom = 3, 1, 30

// Whatever is changed in real code, and however: what LSPine says is new, what fixed
// and what the verdict is, is what the compiler says, or LSPine says that it does not know.
func TestTruth(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil || len(archives) == 0 {
		t.Fatal("there are no projects", err)
	}
	outcome := newOutcome()
	t.Run("projects", func(t *testing.T) {
		for _, path := range archives {
			p := readProject(t, path)
			if p.long && !long && *only == "" {
				continue
			}
			for _, name := range p.servers {
				server, large := strings.CutSuffix(name, "+large")
				if _, known := registry.Builtin().Get(server); !known {
					t.Fatalf("%s: no server %s", p.name, server)
				}
				t.Run(p.name+"/"+name, func(t *testing.T) {
					t.Parallel()
					lsptest.Require(t, server)
					w := plant(t, p, server, large)
					w.runScript(t)
					w.runRandom(t)
					if w.tally[notKnown] > 0 && w.tally[right]+w.tally[explained] == 0 {
						t.Error("nothing was judged: the project cannot be loaded")
					}
					outcome.set(p.name, name, w.tally)
				})
			}
		}
	})
	outcome.compare(t)
}

// runScript makes the scripted changes, or some of them, spread over the script, and
// takes each back.
func (w *world) runScript(t *testing.T) {
	every := 1
	if !long && *only == "" {
		every = max(1, len(w.steps)/someScripted)
	}
	for i, s := range w.steps {
		if !s.chosen(i, every) {
			continue
		}
		c, err := w.prepare(s)
		if err != nil {
			t.Errorf("%s: %v", s.text, err)
			continue
		}
		by := s.way
		if by == "" {
			by = ways[i%len(ways)]
		}
		w.step(t, by, s.text, c)
		if !s.keep {
			w.back(t, by, i)
		}
	}
	w.back(t, byEdit, 0)
}

func (s *step) chosen(i, every int) bool {
	if *random {
		return false
	}
	if *only != "" {
		return strings.Contains(s.text, *only)
	}
	return i%every == int(*seed)%every
}

// back makes the files as they were planted.
func (w *world) back(t *testing.T, by way, i int) {
	c := changeTo(w.files, w.base)
	if len(c.texts) == 0 {
		return
	}
	if by == byOnce || by == byWrite && i%2 == 1 {
		by = byWrite
	}
	w.step(t, by, "back to the beginning", c)
}

// runRandom makes changes that a seed decides on, some on top of others.
func (w *world) runRandom(t *testing.T) {
	n := *steps
	switch {
	case *only != "":
		return
	case n < 0 && long:
		n = manyRandom
	case n < 0:
		n = someRandom
	}
	dice := rand.New(rand.NewPCG(*seed, uint64(len(w.name))))
	for range n {
		by := ways[dice.IntN(len(ways))]
		if dice.IntN(4) == 0 {
			w.back(t, by, 0)
			continue
		}
		if s, c, ok := w.draw(dice); ok {
			w.step(t, by, s, c)
		}
	}
	w.back(t, byEdit, 0)
}

// step makes a change, asks LSPine and the compiler, and compares.
func (w *world) step(t *testing.T, by way, text string, c change) {
	t.Helper()
	if len(c.texts) == 0 {
		return
	}
	began := time.Now()
	answers := w.tell(t, by, c)
	took := time.Since(began)
	before := asMoved(w.truth, c)
	w.files = c.applied(w.files)
	w.asItIs(t)
	w.truth = w.ask(t)
	for i := range answers {
		a := &answers[i]
		wrongs := w.compare(a, c, before, w.truth)
		kind := w.sort(w.name, text, a, wrongs)
		t.Logf("%-9s %-5s %6.2fs %s", kind, a.by, took.Seconds(), text)
		if kind == wrong {
			t.Errorf("%s, by %s: LSPine is wrong:\n%s\n%s", text, by, indented(wrongs.lines()), indented(a.brief))
		} else if testing.Verbose() && kind != right {
			t.Log(indented(wrongs.lines() + "\n" + strings.Join(a.unknown, "\n") + "\n" + a.brief))
		}
		if i == len(answers)-1 {
			w.relieve(a, wrongs)
		}
	}
	if by != byGit {
		w.commit(t, text)
	}
}
