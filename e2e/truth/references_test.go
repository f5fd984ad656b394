package truth

import (
	"encoding/json"
	"flag"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/e2e/code"
	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

var (
	symbols = flag.Int("symbols", -1, "symbols of each project and server whose uses are asked about; by default few, or 200 with LSPINE_TRUTH=long")
	cold    = flag.Int("cold", -1, "how many of them are also asked about in a process of their own; by default few, or 10 with LSPINE_TRUTH=long")
)

// How many symbols are asked about, and how many of them cold.
const someSymbols, someCold, manySymbols, manyCold = 10, 1, 200, 10

// Wherever a symbol is used in real code, in workspaces of several packages and by other names: what LSPine lists is what an
// index made by the language's own indexer has, whether the server has just started or has worked for long; or LSPine says
// that not all is known, or the table of differences explains it.
func TestReferences(t *testing.T) {
	var archives []string
	for _, folder := range []string{filepath.Join("..", "code", "testdata"), "testdata"} {
		found, err := filepath.Glob(filepath.Join(folder, "*.txt"))
		if err != nil || len(found) == 0 {
			t.Fatal("there are no projects", err)
		}
		archives = append(archives, found...)
	}
	outcome := newOutcome()
	t.Run("projects", func(t *testing.T) {
		for _, path := range archives {
			p := code.Read(t, path)
			brief := len(p.Real) > 0 && !p.Long || filepath.Dir(path) == "testdata" // the real ones, and the workspaces that are for this
			if !brief && !long && *only == "" || *only != "" && p.Name != *only {
				continue
			}
			for _, server := range p.Servers {
				if _, has := indexers[server]; !has {
					continue
				}
				t.Run(p.Name+"/"+server, func(t *testing.T) {
					t.Parallel()
					lsptest.Require(t, server)
					w := plant(t, p, server, false)
					if server == "rust-analyzer" {
						w.Host = withoutSysroot
						w.restart(t)
					}
					outcome.setUses(p.Name, server, w.judgeUses(t, w.index(t)))
				})
			}
		}
	})
	outcome.compare(t)
}

// withoutSysroot are settings with which rust-analyzer loads a project where the machine has no sources of the standard library.
var withoutSysroot = json.RawMessage(`{"servers": {"rust-analyzer": {
	"initializationOptions": {"cargo": {"sysroot": null}}, "settings": {"rust-analyzer": {"cargo": {"sysroot": null}}}}}}`)

// A question is about the uses of a symbol, and has both answers.
type question struct {
	w      *world
	x      *index
	symbol *symbol
	at     place
	// whole says that the answer claims to have all.
	whole bool
	said  map[place]bool
}

// judgeUses asks about symbols that a seed decides on, at their declarations and at their uses, and compares.
func (w *world) judgeUses(t *testing.T, x *index) (n usesTally) {
	t.Helper()
	most, colds := someSymbols, (len(w.Name)+int(*seed))%2*someCold // a start takes longer than all questions
	if long {
		most, colds = manySymbols, manyCold
	}
	if *symbols >= 0 {
		most = *symbols
	}
	if *cold >= 0 {
		colds = *cold
	}
	ids := x.names()
	dice := rand.New(rand.NewPCG(*seed, uint64(len(w.Name))))
	dice.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	for i, id := range ids[:min(len(ids), most)] {
		s := x.symbols[id]
		from := s.places
		if dice.IntN(2) == 0 {
			from = s.defined
		}
		q := question{w: w, x: x, symbol: s, at: slices.SortedFunc(maps.Keys(from), comparePlaces)[dice.IntN(len(from))]}
		if len(x.at[q.at]) > 1 { // a field and the variable that it is given
			continue
		}
		answer := w.listUses(t, w.engine, q.at)
		q.said, q.whole = placesOf(answer), answer.Completeness == result.Complete
		n.symbols++
		n.places += len(s.places)
		n.count(t, &q, answer.Notes)
		if i < colds {
			e := w.openEngine(t, true)
			first := w.listUses(t, e, q.at)
			closeEngine(e)
			n.cold++
			if first.Completeness != result.NotKnown && (!maps.Equal(placesOf(first), q.said) || first.Completeness != answer.Completeness) {
				t.Errorf("%s %s: %s and %d places when the server has just started, %s and %d later\n%+v\n%+v",
					q.at, s.name, first.Completeness, first.Total, answer.Completeness, answer.Total, first, answer)
			}
		}
	}
	if n.equal == 0 {
		t.Error("no symbol has the uses of the index: the project or its index cannot be loaded")
	}
	t.Logf("%+v", n)
	return n
}

// mostPatience is how often a question is put of which a server says that it is still loading the project, which it may say on a
// busy machine; each time it has been waited for.
const mostPatience = 10

// listUses asks where what stands at a place is used.
func (w *world) listUses(t *testing.T, e *engine.Engine, at place) (answer result.Places) {
	t.Helper()
	var err error
	for range mostPatience {
		answer, err = api.References.Do(t.Context(), e, api.ReferencesRequest{
			Selector:           api.Selector{File: at.file, Line: api.OneBased(at.line), Column: api.OneBased(at.column)},
			IncludeDeclaration: true,
			Limits:             api.Limits{TimeoutMS: deadline, MaxBytes: 1 << 20},
		})
		if err == nil || result.ErrorOf(err).Kind != result.NotReady {
			break
		}
	}
	if err != nil {
		t.Errorf("%s: %v", at, err)
	}
	return answer
}

func placesOf(answer result.Places) map[place]bool {
	places := make(map[place]bool)
	for _, f := range answer.Files {
		for _, p := range f.Places {
			places[place{f.Path, int(p.Line), int(p.Column)}] = true
		}
	}
	return places
}

// A usesTally counts what became of questions about uses.
type usesTally struct {
	symbols, places, equal, notKnown, explained, cold int
	kinds                                             map[string]int
}

// count sorts a question by its worst difference.
func (n *usesTally) count(t *testing.T, q *question, notes []string) {
	t.Helper()
	var wrong []string
	known, explained := true, false
	note := func(p place, missing bool) {
		d := differenceOf(q, p, missing)
		switch {
		case missing && !q.whole: // it says so
			known = false
		case d != nil:
			explained = true
			if n.kinds == nil {
				n.kinds = make(map[string]int)
			}
			n.kinds[d.kind]++
		case missing:
			wrong = append(wrong, "misses "+p.String()+"  "+q.w.lineAt(p))
		default:
			wrong = append(wrong, "invents "+p.String()+"  "+q.w.lineAt(p)+"  "+strings.Join(q.x.at[p], ", "))
		}
	}
	for p := range q.symbol.places {
		if !q.said[p] {
			note(p, true)
		}
	}
	for p := range q.said {
		if !q.symbol.places[p] {
			note(p, false)
		}
	}
	switch {
	case len(wrong) > 0:
		slices.Sort(wrong)
		t.Errorf("%s %s: the uses of %s are others than those of the index:\n%s\n%q", q.at, q.symbol.name, q.symbol.id, code.Indented(strings.Join(wrong, "\n")), notes)
	case !known:
		n.notKnown++
	case explained:
		n.explained++
	default:
		n.equal++
	}
}

// lineAt returns the line of a place, without what is around it.
func (w *world) lineAt(p place) string {
	lines := strings.Split(w.Files[p.file], "\n")
	if p.line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[p.line-1])
}
