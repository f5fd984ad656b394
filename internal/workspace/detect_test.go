package workspace

import (
	"os/exec"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/registry"
)

// Servers that were never started are listed with what they would be.
func TestStatusesOfIdleServers(t *testing.T) {
	servers := registry.Builtin()
	for i := range servers {
		servers[i].Disabled = servers[i].ID == "clangd"
	}
	w := open(t, "-- go.mod --\n", Options{Servers: servers, LookPath: func(name string) (string, error) {
		if name == "gopls" {
			return found(name)
		}
		return "", exec.ErrNotFound
	}})
	got := make(map[string]roots.State)
	for _, s := range w.Statuses() {
		got[s.ID] = s.State
		if s.State == roots.Unavailable && (s.Reason == "" || len(s.Install) == 0) {
			t.Errorf("%s: no reason or way out: %+v", s.ID, s)
		}
	}
	for id, want := range map[string]roots.State{"gopls": roots.Stopped, "clangd": roots.Disabled, "pyright": roots.Unavailable, "typescript": roots.Unavailable} {
		if got[id] != want {
			t.Errorf("%s is %s, want %s", id, got[id], want)
		}
	}
}
