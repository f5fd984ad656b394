package all

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

var update = flag.Bool("update", false, "write docs/reference/freshness.md")

func TestMain(m *testing.M) {
	lsptest.Main(m, func() { lsp.Supervise(os.Args) })
}

// columns are the cells of a server, in the order in which they are asked for.
var columns = []struct {
	name string
	run  func(*story, *testing.T) string
}{
	{"clean", (*story).clean},
	{"own edit", (*story).ownEdit},
	{"outside edit", (*story).outsideEdit},
	{"cross-file", (*story).crossFile},
	{"new file", (*story).created},
	{"delete", (*story).deleted},
	{"branch switch", (*story).branchSwitch},
	{"crash", (*story).crash},
}

// TestFreshness asks every installed server for the truth about a file that we or
// somebody else changed. What is said to be fresh is true; what is not known is
// said to be so, and no cell gets worse than the committed table says.
func TestFreshness(t *testing.T) {
	known := readTable(t)
	var missing []string
	t.Run("servers", func(t *testing.T) {
		for _, e := range entries(t) {
			t.Run(e.name, func(t *testing.T) {
				program, why := lsptest.Find(t, e.name, e.command(t)[0])
				if why != "" {
					missing = append(missing, e.name)
					t.Skip(why)
				}
				t.Parallel()
				known.set(e.name, tell(t, e, program))
			})
		}
	})
	if len(missing) > 0 {
		t.Logf("not installed or not required, so not asked: %s; scripts/servers --all gets them", strings.Join(missing, ", "))
	}
	known.finish(t)
}

// TestTestedIsProven holds what the registry says of its entries against the table:
// an entry is covered if its server tells the truth after our edit, somebody else's
// and a crash.
func TestTestedIsProven(t *testing.T) {
	rows := readTable(t).rows
	archives := map[string]string{}
	for _, e := range entries(t) {
		if e.name == e.id {
			archives[e.id] = e.name
		}
	}
	proofs := 0
	for _, d := range registry.Builtin() {
		cells := rows[archives[d.ID]]
		proof := cells != nil
		for i, c := range columns {
			if slices.Contains([]string{"own edit", "outside edit", "crash"}, c.name) {
				proof = proof && cells[i] == proven
			}
		}
		if proof {
			proofs++
		}
		if proof != (d.Tested == registry.CI) {
			t.Errorf("%s is %q in the registry, and the table says %v", d.ID, d.Tested, cells)
		}
	}
	const promised = 45
	if proofs < promised {
		t.Errorf("%d servers are proven, fewer than %d", proofs, promised)
	}
}

// TestExpectationsAreExact wants to know what a server has to say of the broken
// text, wherever it is said to tell the truth: else any finding would do.
func TestExpectationsAreExact(t *testing.T) {
	rows := readTable(t).rows
	for _, e := range entries(t) {
		const shortest = 4 // more is a word at least
		if len(e.header["expect"]) < shortest && slices.Contains(rows[e.name], proven) {
			t.Errorf("testdata/%s.txt expects %q, and the table says that it told the truth", e.name, e.header["expect"])
		}
	}
}

// tell runs the columns and returns their cells.
func tell(t *testing.T, e entry, program string) []string {
	s := begin(t, e, program)
	cells := make([]string, len(columns))
	for i, c := range columns {
		if i > 0 && s.process(t) == 0 {
			cells[i] = unknown + "it does not run"
			continue
		}
		// Who does not say of one text whether it is done will not of the next.
		if i > 1 && strings.HasPrefix(cells[0], unknown) && strings.HasPrefix(cells[1], unknown) {
			cells[i] = cells[1]
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			cells[i] = c.run(s, t)
			if strings.HasPrefix(cells[i], lie) {
				t.Error(cells[i])
			}
			t.Log(cells[i])
		})
	}
	return cells
}
