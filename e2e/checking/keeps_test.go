package checking

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/result"
)

const chainOfCalls = `
-- pyrightconfig.json --
{}
-- order.py --
class Order:
    def total(self) -> int:
        return 1
-- total.py --
import order


def total(orders: list[order.Order]):
    return sum(o.total() for o in orders)


def best(orders: list[order.Order]):
    return total(orders)
-- show.py --
from total import best


def show() -> int:
    return best([])
`

// An error that was mended is not said to be there still. Looking at a user of a file,
// pyright notes errors of that file, even where nobody asks about it, and says them when it
// looks at the file the next time, whatever has changed until then.
func TestErrorsNotedBefore(t *testing.T) {
	s := enginetest.OpenReal(t, chainOfCalls, "pyright")
	edit := func(change api.FileEdit) result.Edit {
		return enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{change}, Writing: api.Writing{Limits: api.Limits{TimeoutMS: 60_000}}})
	}
	of := func(edited result.Edit) (found, fixed []string) {
		for _, f := range append(edited.Files, edited.Others...) {
			for _, d := range f.Diagnostics {
				found = append(found, f.Path+": "+d.Code)
			}
			for _, d := range f.Fixed {
				fixed = append(fixed, f.Path+": "+d.Code)
			}
		}
		return found, fixed
	}
	broken := []string{"total.py: reportCallIssue"}
	found, fixed := of(edit(enginetest.Replacing("order.py", "    def", "    @property\n    def")))
	if diff := cmp.Diff([][]string{broken, nil}, [][]string{found, fixed}); diff != "" {
		t.Error("made a property (-want +got):\n", diff)
	}
	found, fixed = of(edit(enginetest.Replacing("show.py", "best([])", "best([]) + 1")))
	if diff := cmp.Diff([][]string{nil, nil}, [][]string{found, fixed}); diff != "" {
		t.Error("a user of the broken file changed (-want +got):\n", diff)
	}
	found, fixed = of(edit(enginetest.Replacing("order.py", "    @property\n", "")))
	if diff := cmp.Diff([][]string{nil, broken}, [][]string{found, fixed}); diff != "" {
		t.Error("made a function again (-want +got):\n", diff)
	}
}
