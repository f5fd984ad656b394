package workspace

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/lsp"
)

// inUse is how long a server counts as used after somebody wanted it, besides while somebody
// waits for its answer.
const inUse = time.Second

// A tenant is a running server, as it is when room is made.
type tenant struct {
	instance *instance
	server   *lsp.Server
	obtained time.Time
	memory   int64
}

// relieve stops servers that nobody uses, the one obtained longest ago first, while more run
// than may, or they use more memory. The newest stays, whatever it uses.
func (w *Workspace) relieve(newest *instance) {
	if w.opts.MaxServers == 0 && w.opts.MaxMemory == 0 {
		return
	}
	tenants, used := w.tenants(w.opts.MaxMemory > 0)
	left := len(tenants)
	for _, t := range tenants {
		why := ""
		switch {
		case w.opts.MaxServers > 0 && left > w.opts.MaxServers:
			why = fmt.Sprintf("more than %d servers ran", w.opts.MaxServers)
		case w.opts.MaxMemory > 0 && used > w.opts.MaxMemory:
			why = fmt.Sprintf("servers used %d MiB, more than %d", used>>20, w.opts.MaxMemory>>20)
		default:
			return
		}
		if t.instance != newest && t.instance.makeRoom(t.server, why+"; it was asked longest ago") {
			left, used = left-1, used-t.memory
		}
	}
}

// A Tenant is a running server, for who makes room among the servers of several workspaces.
type Tenant struct {
	ID       string    `json:"id"`
	Root     string    `json:"root"`
	Obtained time.Time `json:"obtained"`         // when somebody wanted it last
	Memory   int64     `json:"memory,omitempty"` // bytes; 0 where that is not known
}

// Tenants returns the running servers, the one obtained longest ago first, with the memory that
// they use.
func (w *Workspace) Tenants() (all []Tenant) {
	tenants, _ := w.tenants(true)
	for _, t := range tenants {
		all = append(all, Tenant{t.instance.key.ID, t.instance.key.Root, t.obtained, t.memory})
	}
	return all
}

// Rest stops a tenant unless somebody uses it, or has used it since it was listed, and reports
// whether it did. The next question starts it again.
func (w *Workspace) Rest(t Tenant, why string) bool {
	w.mu.Lock()
	i := w.instances[roots.Key{ID: t.ID, Root: t.Root}]
	w.mu.Unlock()
	if i == nil {
		return false
	}
	i.mu.Lock()
	server, same := i.server, i.obtained.Equal(t.Obtained)
	i.mu.Unlock()
	return same && server != nil && i.makeRoom(server, why)
}

// tenants returns the running servers, the one obtained longest ago first, and the memory that
// all use together, where it is to be measured.
func (w *Workspace) tenants(measured bool) (all []tenant, used int64) {
	w.mu.Lock()
	instances := make([]*instance, 0, len(w.instances))
	for _, i := range w.instances {
		instances = append(instances, i)
	}
	w.mu.Unlock()
	for _, i := range instances {
		i.mu.Lock()
		t := tenant{instance: i, server: i.server, obtained: i.obtained}
		active := i.state == roots.Active
		i.mu.Unlock()
		if !active {
			continue
		}
		if measured {
			t.memory, _ = t.server.Memory()
		}
		used += t.memory
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b tenant) int {
		return cmp.Or(a.obtained.Compare(b.obtained), cmp.Compare(a.instance.key.ID, b.instance.key.ID), cmp.Compare(a.instance.key.Root, b.instance.key.Root))
	})
	return all, used
}

// makeRoom stops a server unless somebody uses it, and reports whether it did.
func (i *instance) makeRoom(server *lsp.Server, why string) bool {
	w := i.workspace
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.state != roots.Active || i.server != server || server.Owing() || w.opts.Now().Sub(i.obtained) < inUse {
		return false
	}
	return i.restLocked(why)
}

// restLocked stops the running server; the next question starts it again. It is false if the
// workspace is closed.
func (i *instance) restLocked(why string) bool {
	w := i.workspace
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false
	}
	server := i.server
	i.server, i.state = nil, roots.Stopped
	if i.idle != nil {
		i.idle.Stop()
	}
	w.events.add(w.opts.Now(), Rested, i.key, why)
	w.starts.Go(func() { _ = server.Close(w.background) })
	return true
}
