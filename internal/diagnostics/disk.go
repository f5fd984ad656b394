package diagnostics

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A diskRun is one check that a server makes of the files on disk. Everybody who needs a check of
// that state shares it, and nobody owns it: starting a second one meanwhile would abort it.
type diskRun struct {
	done chan struct{} // closed when it is over
	// generation and losses are the server's when it began. If the server was not ready, losses is
	// one less: a server that reloads the project takes back what it published. err is why the
	// check failed.
	generation uint64
	losses     int
	err        error
	// cargo is what cargo did in it, nil if the server does not tell.
	cargo *project.CargoRun
}

func (r *diskRun) over() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// beginGrace limits the wait for a check of the disk to begin.
const beginGrace = 10 * time.Second

// errNotBegun is the error when a check of the disk does not begin.
var errNotBegun = errors.New("the check of the files on disk did not begin")

// An unjudgedError says why a server does not judge a file.
type unjudgedError struct{ why string }

func (e *unjudgedError) Error() string { return e.why }

// isReady reports whether the server has loaded the project, as far as it announces that.
func (t *turn) isReady() bool {
	return t.server.Definition().Readiness == nil || t.server.Loaded()
}

// ready waits until the server is ready, and returns how often it has stopped being ready so far.
func (t *turn) ready(ctx context.Context) (losses int, err error) {
	for {
		changed := t.server.WorksChanged()
		losses = t.server.Losses()
		if t.isReady() {
			return losses, nil
		}
		select {
		case <-changed:
		case <-t.server.Done():
			return 0, errors.Join(errEnded, t.server.Err())
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

// onDisk completes the answer of a server that also checks the files on disk.
func (t *turn) onDisk(ctx context.Context, items []protocol.Diagnostic, freshness Freshness) ([]protocol.Diagnostic, Freshness, error) {
	disk := t.server.Definition().Diagnostics.Disk
	if disk == nil || !disk.Whole && !t.wide {
		return items, freshness, nil
	}
	if why := t.unjudged(items); why != "" {
		if t.wide && !t.ahead() { // its findings for other files may still be known
			run, err := t.checkDisk(ctx, t.server.Generation())
			if err == nil && t.finds() { // it was not loaded before and is now checked after all
				t.quick = nil
				return t.foundOnDisk(run), Fresh, nil
			}
			t.othersKnown = err == nil && t.server.Trouble() == ""
			t.apart = t.othersKnown // where the project cannot be loaded, a file belongs to none
		} else {
			t.apart = true
		}
		return nil, "", &unjudgedError{why}
	}
	t.quick, t.wanting, t.reason = items, false, ""
	without := func(reason string) ([]protocol.Diagnostic, Freshness, error) {
		if !disk.Whole { // for this file the answer is complete
			return items, freshness, nil
		}
		t.wanting, t.reason = true, reason
		return items, Partial, nil
	}
	generation := t.server.Generation()
	if t.offDisk = t.ahead(); t.offDisk {
		return without(disk.Lacks)
	}
	run, err := t.checkDisk(ctx, generation)
	if err != nil && ctx.Err() == nil {
		if t.reason = err.Error(); !disk.Whole { // complete for this file, unknown for others
			return items, Partial, nil
		}
		return without(t.reason)
	}
	if err != nil {
		return nil, "", err
	}
	if trouble := t.server.Trouble(); trouble != "" {
		return without(trouble)
	}
	if why := run.unjudged(t.path); why != "" && disk.Whole {
		if !t.finds() {
			t.doubtful = true
			return without(why)
		}
		t.reason = why // another crate that the file is in was compiled
		return t.foundOnDisk(run), Partial, nil
	}
	if found := t.foundOnDisk(run); disk.Whole {
		items = found
	}
	return items, Fresh, nil
}

// finds reports whether the server last published findings for the file.
func (t *turn) finds() bool {
	t.stream.mu.Lock()
	defer t.stream.mu.Unlock()
	return len(t.stream.fileLocked(t.path).pushed) > 0
}

// foundOnDisk returns what a check of the disk found in the file, and notes that the turn's answer
// is of the check's state.
func (t *turn) foundOnDisk(run *diskRun) []protocol.Diagnostic {
	t.stream.mu.Lock()
	defer t.stream.mu.Unlock()
	t.synced.Generation, t.refreshes = run.generation, t.stream.refreshes
	return t.stream.fileLocked(t.path).pushed
}

// unjudged returns the server's own reason for not judging the file; "" if it gives none.
func (t *turn) unjudged(items []protocol.Diagnostic) string {
	for _, d := range items {
		if why, ok := t.server.Definition().Diagnostics.Unjudged[d.Code]; ok {
			return why
		}
	}
	return ""
}

// unloadedFor says why the server could not load the project of a file, if it published an error
// for one of the project's own files; "" otherwise.
func (s *stream) unloadedFor(path string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.errorOfManifestLocked(path, s.projectFiles)
}

// errorOfManifestLocked is unloadedFor for projects that have a file of one of these names.
func (s *stream) errorOfManifestLocked(path string, names []string) string {
	for dir := filepath.Dir(path); len(names) > 0; dir = filepath.Dir(dir) {
		for _, name := range names {
			f := s.files[filepath.Join(dir, name)]
			if f == nil || filepath.Join(dir, name) == path {
				continue
			}
			for _, d := range f.items {
				if d.Severity == protocol.SeverityError {
					const most = 200
					return fmt.Sprintf("the project is not loaded: %s:%d: %.*s", name, d.Range.Start.Line+1, most, strings.Join(strings.Fields(d.Message), " "))
				}
			}
		}
		if dir == s.key.Root || dir == filepath.Dir(dir) {
			break
		}
	}
	return ""
}

// blameManifest says in an answer that the server refused what it reported to be wrong with the project's own file.
func (s *stream) blameManifest(t *turn, a *Answer) {
	var refused *jsonrpc.ResponseError
	if !errors.As(a.Err, &refused) || a.unloaded != "" {
		return
	}
	s.mu.Lock()
	a.unloaded = s.errorOfManifestLocked(t.path, t.server.Definition().Roots)
	s.mu.Unlock()
	if a.unloaded != "" {
		a.Lack, a.Reason = Lack{Missing: a.unloaded}, a.unloaded
	}
}

// unloadedBeside is like unloadedFor, for projects that a file is not in.
func (s *stream) unloadedBeside(path string) (reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, f := range s.files {
		dir := filepath.Dir(name)
		if !slices.Contains(s.projectFiles, filepath.Base(name)) || strings.HasPrefix(path, dir+string(filepath.Separator)) {
			continue
		}
		for _, d := range f.items {
			if d.Severity == protocol.SeverityError {
				const most = 200
				found := fmt.Sprintf("the project is not loaded: %s:%d: %.*s", filepath.Join(filepath.Base(dir), filepath.Base(name)), d.Range.Start.Line+1, most, strings.Join(strings.Fields(d.Message), " "))
				if reason == "" || found < reason { // the same one each time
					reason = found
				}
			}
		}
	}
	return reason
}

// ahead reports whether some open document differs from its file on disk.
func (t *turn) ahead() bool {
	return slices.ContainsFunc(t.server.OpenDocuments(), func(path string) bool {
		_, text, open := t.server.Document(path)
		return open && !onDisk(path, text)
	})
}

// onDisk reports whether a file contains exactly this text, a byte order mark aside.
func onDisk(path string, text []byte) bool {
	content, err := fspath.Read(path)
	return err == nil && bytes.Equal(protocol.Text(content), protocol.Text(text))
}

// checkDisk waits for a check of the disk that began at the given generation or later, and begins
// one if need be.
func (t *turn) checkDisk(ctx context.Context, generation uint64) (*diskRun, error) {
	s := t.stream
	var joined *diskRun
	for {
		s.mu.Lock()
		run := s.disk
		if run == nil || run.over() && (run.generation < generation || run.losses < t.losses || run.err != nil && run != joined) {
			run = &diskRun{done: make(chan struct{})}
			s.disk = run
			// It may take longer than anybody waits; the next caller joins it.
			s.collector.jobs.Go(func() {
				defer close(run.done)
				if err := guard.Do(func() error { s.runDisk(s.collector.background, t.server, t.path, run); return nil }); err != nil {
					run.err = err
				}
			})
		}
		s.mu.Unlock()
		joined = run
		select {
		case <-run.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if run.generation >= generation && run.losses >= t.losses {
			return run, run.err
		}
	}
}

// runDisk makes a check of the disk and waits for its end, and then for the answer to a request:
// the last publish may come after the end was announced.
func (s *stream) runDisk(ctx context.Context, server Server, path string, run *diskRun) {
	disk := server.Definition().Diagnostics.Disk
	run.generation, run.losses = server.Generation(), server.Losses()
	if d := server.Definition(); d.Readiness != nil && !server.Loaded() {
		run.losses--
	}
	if run.err = s.saveAll(server, disk); run.err != nil {
		return
	}
	run.generation = server.Generation() // a save increments it
	s.mu.Lock()
	begins := s.begins
	clear(s.compiled)
	s.mu.Unlock()
	var listed map[string][]string
	if listed, run.err = server.BeginDiskCheck(ctx); run.err == nil && listed != nil {
		run.err = s.awaitListed(ctx, server, listed)
	}
	if run.err != nil || disk.Title == "" {
		return
	}
	bounded, cancel := context.WithTimeout(ctx, beginGrace)
	defer cancel()
	run.err = s.await(bounded, func() bool { return s.begunLocked(disk.Title, begins) })
	if run.err != nil {
		if ctx.Err() == nil && bounded.Err() != nil {
			run.err = errNotBegun
		}
		return
	}
	if run.err = s.await(ctx, func() bool { return len(s.worksLocked(disk.Title)) == 0 }); run.err == nil {
		run.err = server.Barrier(ctx, "textDocument/documentSymbol", path)
	}
	run.cargo = s.ranCargo()
	if run.err == nil && server.Losses() == run.losses && server.Trouble() == "" {
		s.keepFound(run)
	}
}

// saveAll tells the server which of its documents are saved, if it must be told.
func (s *stream) saveAll(server Server, disk *registry.DiskCheck) error {
	if !disk.Saves {
		return nil
	}
	for _, path := range server.OpenDocuments() {
		version, _, open := server.Document(path)
		s.mu.Lock()
		known := s.saved[path] == version
		s.saved[path] = version
		s.mu.Unlock()
		if known || !open {
			continue
		}
		if err := server.Save(path); err != nil {
			return err
		}
	}
	return nil
}
