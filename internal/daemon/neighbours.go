package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"github.com/lspine/lspine/internal/engine"
)

// roomFile is locked by the daemon that stops servers to make room. It is in the folder of all
// daemons.
const roomFile = "room.lock"

// roomTimeout limits one round of making room, in case another daemon hangs.
const roomTimeout = 10 * time.Second

// A resting is the params of restMethod.
type resting struct {
	Tenant engine.Tenant `json:"tenant"`
	Why    string        `json:"why"`
}

// A neighbour is a running server of one of the user's daemons; from is nil if that is this daemon.
type neighbour struct {
	engine.Tenant
	from *Found
}

// makeRooms makes room after each start of a server, until ctx or the engine ends.
func (d *server) makeRooms(ctx context.Context) {
	for last := uint64(0); ; {
		var err error
		if last, err = d.opts.Engine.AwaitStart(ctx, last); err != nil {
			return
		}
		if err := d.makeRoom(ctx); err != nil && ctx.Err() == nil {
			d.log.Warn("no room could be made for the servers", "error", err)
		}
	}
}

// makeRoom stops unused servers of all the user's daemons, least recently used first, while more
// are running or more memory is used than the configuration allows.
func (d *server) makeRoom(ctx context.Context) error {
	settings := &d.opts.Identity.Config.Settings
	most, memory := settings.MaxServers, int64(settings.MaxServerMemory)<<20
	if most == 0 && memory == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, roomTimeout)
	defer cancel()
	lock := flock.New(filepath.Join(filepath.Dir(d.place.dir), roomFile)) // otherwise two daemons would each stop a server for the same excess
	const poll = 20 * time.Millisecond                                    // no event announces that the lock is free
	if _, err := lock.TryLockContext(ctx, poll); err != nil {
		return err
	}
	defer func() { _ = lock.Close() }()
	all, err := d.neighbours(ctx)
	left, used := len(all), int64(0)
	for _, n := range all {
		used += n.Memory
	}
	for _, n := range all {
		why := ""
		switch {
		case most > 0 && left > most:
			why = fmt.Sprintf("more than %d servers ran in all workspaces", most)
		case memory > 0 && used > memory:
			why = fmt.Sprintf("the servers of all workspaces used %d MiB, more than %d", used>>20, memory>>20)
		default:
			return err
		}
		rested, failed := d.rest(ctx, n, why+"; it was asked longest ago")
		if err = errors.Join(err, failed); rested {
			d.log.Info("made room", "server", n.ID, "root", n.Root, "because", why)
			left, used = left-1, used-n.Memory
		}
	}
	return err
}

// neighbours returns the running servers of the user's daemons, least recently used first. The
// error is about daemons that could not be queried; the list has the servers of the others.
func (d *server) neighbours(ctx context.Context) ([]neighbour, error) {
	var all []neighbour
	for _, t := range d.opts.Engine.Tenants() {
		all = append(all, neighbour{Tenant: t})
	}
	list, err := List(ctx, d.opts.Identity.Environ, "")
	for i := range list {
		f := &list[i]
		if f.Dir == d.place.dir || f.Status == nil {
			continue
		}
		var tenants []engine.Tenant
		if failed := f.place.call(ctx, tenantsMethod, struct{}{}, &tenants); failed != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", f.Record.Root, failed))
		}
		for _, t := range tenants {
			all = append(all, neighbour{t, f})
		}
	}
	slices.SortStableFunc(all, func(a, b neighbour) int { return a.Obtained.Compare(b.Obtained) })
	return all, err
}

// rest stops a server of this or another daemon, and reports whether it did.
func (d *server) rest(ctx context.Context, n neighbour, why string) (rested bool, err error) {
	if n.from == nil {
		return d.opts.Engine.Rest(n.Tenant, why), nil
	}
	err = n.from.place.call(ctx, restMethod, resting{n.Tenant, why}, &rested)
	return rested, err
}

// call calls a method, not an operation, of the daemon of a place.
func (p place) call(ctx context.Context, method string, params, result any) error {
	c, err := p.dial(ctx)
	if err != nil {
		return err
	}
	defer c.end()
	ctx, cancel := context.WithTimeout(ctx, helloTimeout)
	defer cancel()
	return c.client.Ask(ctx, method, params, result)
}

// tenants answers tenantsMethod.
func (s *session) tenants(context.Context, json.RawMessage) (any, error) {
	return s.daemon.opts.Engine.Tenants(), nil
}

// rest answers restMethod.
func (s *session) rest(_ context.Context, params json.RawMessage) (any, error) {
	var r resting
	if err := json.Unmarshal(params, &r); err != nil {
		return nil, err
	}
	return s.daemon.opts.Engine.Rest(r.Tenant, r.Why), nil
}
