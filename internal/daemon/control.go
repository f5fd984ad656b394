package daemon

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/remote"
)

// A Found is a running daemon, or one that died and left its files.
type Found struct {
	Dir string `json:"dir"`
	// Status is what the daemon reports about itself, nil if it does not answer; then Problem says
	// why.
	Status  *Status `json:"status,omitempty"`
	Problem string  `json:"problem,omitempty"`
	// Record is the content of its daemon.json.
	Record Record `json:"record"`

	place place
}

// List returns the daemons of the user sorted by root, or only those of root if it is not "". It
// does not include daemons that have ended normally.
func List(ctx context.Context, environ []string, root string) ([]Found, error) {
	base, err := Folder(environ)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(base)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var list []Found
	for _, entry := range entries {
		f := Found{Dir: filepath.Join(base, entry.Name())}
		if f.place, err = found(f.Dir, environ); err != nil {
			continue
		}
		if f.Record, err = f.place.readRecord(); err != nil || root != "" && f.Record.Root != root {
			continue
		}
		f.Status, err = f.place.ask(ctx)
		if err != nil {
			f.Problem = err.Error()
			if isNobody(err) || remote.IsLost(err) {
				f.Problem = "it has ended without a word; the next one cleans up"
			}
		}
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b Found) int {
		return cmp.Or(cmp.Compare(a.Record.Root, b.Record.Root), cmp.Compare(a.Dir, b.Dir))
	})
	return list, nil
}

// found returns the place in an existing folder.
func found(dir string, environ []string) (place, error) {
	if err := ownAlone(dir); err != nil {
		return place{}, err
	}
	socket, err := socketPath(dir, filepath.Base(dir), environ)
	return place{dir, socket}, err
}

// ask queries the daemon of a place for its status.
func (p place) ask(ctx context.Context) (*Status, error) {
	status := new(Status)
	if err := p.call(ctx, statusMethod, struct{}{}, status); err != nil {
		return nil, err
	}
	return status, nil
}

// graceful limits how long a daemon that is stopped may take to end by itself.
const graceful = 10 * time.Second

// Stop ends a daemon: it finishes its calls in progress, and its servers have ended when Stop
// returns. One that does not answer, or does not end in time, is killed, whatever it does. If the
// daemon is already dead, Stop removes its files.
func (f *Found) Stop(ctx context.Context) error {
	release, err := f.place.lock(ctx)
	if err != nil {
		return err
	}
	c, err := f.place.dial(ctx)
	if err != nil {
		defer release()
		if isNobody(err) {
			return f.place.clean()
		}
		return err
	}
	if f.Record, err = f.place.readRecord(); err != nil {
		release()
		c.end()
		return err
	}
	asking, cancel := context.WithTimeout(ctx, helloTimeout)
	err = c.client.Ask(asking, stopMethod, struct{}{}, nil)
	cancel()
	c.end()
	release()
	if err != nil && !remote.IsLost(err) {
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			return f.kill(ctx)
		}
		return err
	}
	ending, cancel := context.WithTimeout(ctx, graceful)
	defer cancel()
	err = f.place.awaitEnd(ending, f.Record.PID)
	if err != nil && ending.Err() != nil && ctx.Err() == nil {
		return f.kill(ctx)
	}
	return err
}

// kill ends the process of a daemon, and removes its files. That the lock of its life is taken shows
// that the process with its number is still the daemon. Its servers end with it, by their supervisors.
func (f *Found) kill(ctx context.Context) error {
	life := f.place.lifeOf(f.Record.PID)
	ended, err := life.TryLock()
	if err != nil {
		return errors.Join(err, life.Close())
	}
	if ended {
		return forget(life)
	}
	if err := life.Close(); err != nil {
		return err
	}
	process, err := os.FindProcess(f.Record.PID)
	if err != nil {
		return err
	}
	if err := process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	if err := f.place.awaitEnd(ctx, f.Record.PID); err != nil {
		return err
	}
	release, err := f.place.lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	c, err := f.place.dial(ctx)
	if err == nil { // the next one has begun
		c.end()
		return nil
	}
	if isNobody(err) {
		return f.place.clean()
	}
	return err
}

// Log returns the path of the daemon's log.
func (f *Found) Log() string { return filepath.Join(f.Dir, logFile) }

// LogOf returns the path that the log of an identity's daemon has or would have.
func LogOf(i *Identity) (string, error) {
	key, err := i.Key()
	if err != nil {
		return "", err
	}
	base, err := Folder(i.Environ)
	if err != nil {
		return "", err
	}
	return filepath.Join(base, string(key), logFile), nil
}
