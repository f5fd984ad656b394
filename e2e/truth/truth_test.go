package truth

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/e2e/code"
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
	archives, err := filepath.Glob(filepath.Join("..", "code", "testdata", "*.txt"))
	if err != nil || len(archives) == 0 {
		t.Fatal("there are no projects", err)
	}
	outcome := newOutcome()
	t.Run("projects", func(t *testing.T) {
		for _, path := range archives {
			p := code.Read(t, path)
			if p.Long && !long && *only == "" {
				continue
			}
			for _, name := range p.Servers {
				server, large := strings.CutSuffix(name, "+large")
				if _, known := registry.Builtin().Get(server); !known {
					t.Fatalf("%s: no server %s", p.Name, server)
				}
				t.Run(p.Name+"/"+name, func(t *testing.T) {
					t.Parallel()
					lsptest.Require(t, server)
					w := plant(t, p, server, large)
					w.runScript(t)
					w.runRandom(t)
					if w.Tally[code.NotKnown] > 0 && w.Tally[code.Right]+w.Tally[code.Explained] == 0 {
						t.Error("nothing was judged: the project cannot be loaded")
					}
					outcome.set(p.Name, name, w.Tally)
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
		every = max(1, len(w.Steps)/someScripted)
	}
	for i, s := range w.Steps {
		if !chosen(s, i, every) {
			continue
		}
		c, err := w.Prepare(s)
		if err != nil {
			t.Errorf("%s: %v", s.Text, err)
			continue
		}
		by := s.Way
		if by == "" {
			by = code.Ways[i%len(code.Ways)]
		}
		w.step(t, by, s.Text, c)
		if !s.Keep {
			w.back(t, by, i)
		}
	}
	w.back(t, code.ByEdit, 0)
}

func chosen(s code.Step, i, every int) bool {
	if *random {
		return false
	}
	if *only != "" {
		return strings.Contains(s.Text, *only)
	}
	return i%every == int(*seed)%every
}

// back makes the files as they were planted.
func (w *world) back(t *testing.T, by code.Way, i int) {
	c := code.ChangeTo(w.Files, w.Base)
	if len(c.Texts) == 0 {
		return
	}
	if by == code.ByOnce || by == code.ByWrite && i%2 == 1 {
		by = code.ByWrite
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
	dice := rand.New(rand.NewPCG(*seed, uint64(len(w.Name))))
	for range n {
		by := code.Ways[dice.IntN(len(code.Ways))]
		if dice.IntN(4) == 0 {
			w.back(t, by, 0)
			continue
		}
		if s, c, ok := w.Draw(dice); ok {
			w.step(t, by, s, c)
		}
	}
	w.back(t, code.ByEdit, 0)
}

// step makes a change, asks LSPine and the compiler, and compares.
func (w *world) step(t *testing.T, by code.Way, text string, c code.Change) {
	t.Helper()
	if len(c.Texts) == 0 {
		return
	}
	began := time.Now()
	answers := w.tell(t, by, c)
	took := time.Since(began)
	before := code.AsMoved(w.truth, c)
	w.Files = c.Applied(w.Files)
	w.asItIs(t)
	w.truth = w.Ask(t)
	for i := range answers {
		a := &answers[i]
		wrongs := w.Compare(a, c, before, w.truth)
		kind := w.Sort(w.Name, text, a, wrongs)
		t.Logf("%-9s %-5s %6.2fs %s", kind, a.By, took.Seconds(), text)
		if kind == code.Wrong {
			t.Errorf("%s, by %s: LSPine is wrong:\n%s\n%s", text, by, code.Indented(wrongs.Lines()), code.Indented(a.Brief))
		} else if testing.Verbose() && kind != code.Right {
			t.Log(code.Indented(wrongs.Lines() + "\n" + strings.Join(a.Unknown, "\n") + "\n" + a.Brief))
		}
		if i == len(answers)-1 {
			w.Relieve(a, wrongs)
		}
	}
	if by != code.ByGit {
		w.commit(t, text)
	}
}
