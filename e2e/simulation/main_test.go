package simulation

import (
	"fmt"
	"os"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/result"
)

func TestMain(m *testing.M) {
	if root := os.Getenv(committing); root != "" {
		if err := commitMany(root); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println("done")
		os.Exit(0)
	}
	enginetest.Main(m)
}

// simulate runs a step that must succeed.
func simulate(t *testing.T, caller api.Caller, req api.SimulateRequest) result.Simulation {
	t.Helper()
	if req.TimeoutMS == 0 {
		req.TimeoutMS = 60_000
	}
	req.MaxBytes = 1 << 20
	return enginetest.Do(t, caller, api.Simulate, req)
}

func edits(list ...api.FileEdit) (all []api.SimulatedEdit) {
	for _, e := range list {
		all = append(all, api.SimulatedEdit{FileEdit: e})
	}
	return all
}
