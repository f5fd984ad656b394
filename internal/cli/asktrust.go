package cli

import (
	"fmt"
	"io"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/legible"
)

// trusts reports whether the user trusts a workspace.
func (g *global) trusts(streams *Streams, root string) bool {
	cfg, _ := g.readConfig(streams, root)
	real, err := fspath.Real(root)
	return err == nil && cfg.Settings.Trusts(real)
}

// wouldRun returns the servers that would run something of a workspace.
func wouldRun(streams *Streams, root string, cfg *config.Config) []roots.Execution {
	cfg.Complete()
	return roots.Executing(root, cfg.Servers, storeOf(streams))
}

// listRuns prints what servers would run of a project.
func listRuns(out io.Writer, servers []roots.Execution) {
	for _, s := range servers {
		fmt.Fprintf(out, "  %s runs %s\n", s.ID, s.Runs)
	}
}

// askForTrust asks on a terminal whether a workspace is trusted, once, if servers would run something of it, and reports
// whether it is trusted now and was not before.
func (g *global) askForTrust(streams *Streams, root string, cfg *config.Config) (trusted bool, err error) {
	if !streams.InTerminal || !streams.OutTerminal || !streams.ErrTerminal ||
		cfg.Trust.Given || cfg.Trust.Denied || cfg.Trust.Changed || cfg.Settings.Trust != config.TrustAsk || cfg.Settings.Trusts(root) {
		return false, nil
	}
	servers := wouldRun(streams, root, cfg)
	if len(servers) == 0 {
		return false, nil
	}
	fmt.Fprintln(streams.Err, "This checkout is not trusted yet: "+legible.Line(root)+"\nIf you trust it:")
	listRuns(streams.Err, servers)
	fmt.Fprintln(streams.Err, "Until then these servers run nothing of it, and answers say what they lack. You are asked once;\nlspine trust and lspine untrust change it later.")
	if confirm(streams, "Do you trust who wrote it?", false) != nil {
		return false, config.DenyTrust(streams.Environ, root)
	}
	_, err = config.SetTrust(streams.Environ, root, cfg.Trust.Hash)
	return err == nil, err
}
