package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/result"
)

const (
	// calm is how long changes are collected while a server is indexing.
	calm = 2 * time.Second
	// epochWait is how long one request for changes may wait; any long duration would do.
	epochWait = 10 * time.Minute
	// unbounded means no budget: changes are found by comparing all diagnostics.
	unbounded = -1
)

// A watch notifies the subscribers of one workspace when diagnostics change. It ends with its last
// subscriber.
type watch struct {
	cancel context.CancelFunc
	// uris are the URIs that each session has subscribed to, with the file that each refers to. The
	// server's mu guards them.
	uris map[*mcp.ServerSession]map[string]string
}

// subscribe adds a subscription to changes of a resource.
func (s *Server) subscribe(ctx context.Context, req *mcp.SubscribeRequest) error {
	if of, file := s.followed(req.Params.URI); of != nil {
		return s.followExtension(ctx, req, of, file)
	}
	if !strings.HasPrefix(req.Params.URI, diagnosticsScheme+":") {
		return &api.ArgumentError{Argument: "uri", Reason: "only diagnostics can be subscribed to", Advice: diagnosticsScheme + ":///src/a.go, or " + diagnosticsScheme + ":/// for all"}
	}
	of, err := s.subjectOf(ctx, req.Session, req.ClientCapabilities(), req.Params.URI)
	if err != nil {
		return err
	}
	caller, err := s.engine(ctx, of.at.root)
	if err != nil {
		return err
	}
	if filepath.IsAbs(of.file) {
		if relative, err := filepath.Rel(of.at.root, of.file); err == nil {
			of.file = relative
		}
	}
	known, err := api.Diagnostics.Do(api.Own(ctx), caller, api.DiagnosticsRequest{Severities: allSeverities, MaxBytes: unbounded})
	if err != nil {
		return err
	}
	past, err := api.Events.Do(api.Own(ctx), caller, api.EventsRequest{After: math.MaxUint64})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.watches[of.at.root]
	if s.closed {
		return context.Canceled
	}
	if w == nil {
		w = &watch{uris: make(map[*mcp.ServerSession]map[string]string)}
		var watching context.Context
		watching, w.cancel = context.WithCancel(s.ctx)
		s.watches[of.at.root] = w
		for _, follow := range []func() error{
			func() error { return s.watch(watching, w, caller, known) },
			func() error { return s.watchFiles(watching, w, caller, past.Last) },
		} {
			s.tasks.Go(func() {
				err := guard.Do(follow)
				if watching.Err() == nil {
					s.abandon(of.at.root, w, err)
				}
			})
		}
	}
	if w.uris[req.Session] == nil {
		w.uris[req.Session] = make(map[string]string)
	}
	w.uris[req.Session][req.Params.URI] = filepath.ToSlash(of.file)
	return nil
}

func (s *Server) unsubscribe(_ context.Context, req *mcp.UnsubscribeRequest) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leaveLocked(req.Session, req.Params.URI)
	for _, w := range s.watches {
		delete(w.uris[req.Session], req.Params.URI)
		if len(w.uris[req.Session]) == 0 {
			delete(w.uris, req.Session)
		}
	}
	s.sweepLocked()
	return nil
}

// dropLocked removes the subscriptions of a session that has ended.
func (s *Server) dropLocked(ss *mcp.ServerSession) {
	s.leaveLocked(ss, "")
	for _, w := range s.watches {
		delete(w.uris, ss)
	}
	s.sweepLocked()
}

// sweepLocked ends the watches without subscribers.
func (s *Server) sweepLocked() {
	for root, w := range s.watches {
		if len(w.uris) == 0 {
			w.cancel()
			delete(s.watches, root)
		}
	}
}

// abandon ends a failed watch. Its subscribers are notified so that they read again and learn of
// the failure. The next subscription starts a new watch.
func (s *Server) abandon(root string, w *watch, err error) {
	s.logFailure("subscriptions end", err, "workspace", root)
	uris := make(map[string]bool)
	s.mu.Lock()
	w.cancel()
	if s.watches[root] == w {
		delete(s.watches, root)
	}
	for _, of := range w.uris {
		for uri := range of {
			uris[uri] = true
		}
	}
	s.mu.Unlock()
	for uri := range uris {
		_ = s.mcp.ResourceUpdated(s.ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}) // it logs its own failures
	}
}

// watch waits for changes and notifies the subscribers, until ctx ends or waiting fails.
func (s *Server) watch(ctx context.Context, w *watch, caller api.Caller, known result.Check) error {
	told := prints(&known)
	for {
		now, err := api.Diagnostics.Do(api.Own(ctx), caller, api.DiagnosticsRequest{
			Severities: allSeverities, MaxBytes: unbounded, AfterEpoch: max(known.Epoch, 1), TimeoutMS: int(epochWait.Milliseconds()),
		})
		if err == nil && now.Epoch != known.Epoch {
			now, err = s.settle(ctx, caller, now)
		}
		if ctx.Err() != nil { // at the end of ctx, the operation returns what is known, without an error
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		known = now
		prints := prints(&now)
		var changed []string
		for path, print := range prints {
			if told[path] != print {
				changed = append(changed, path)
			}
		}
		for path := range told {
			if _, still := prints[path]; !still {
				changed = append(changed, path)
			}
		}
		told = prints
		s.tell(ctx, w, changed, false)
	}
}

// watchFiles tells the subscribers of files that changed on disk, although nobody asks, and has them and the files that were
// subscribed to judged anew, until ctx ends or waiting fails. What that finds, watch tells. Events up to after are past.
func (s *Server) watchFiles(ctx context.Context, w *watch, caller api.Caller, after uint64) error {
	for {
		now, err := api.Events.Do(api.Own(ctx), caller, api.EventsRequest{After: after, TimeoutMS: int(epochWait.Milliseconds())})
		if err = cmp.Or(ctx.Err(), err); err != nil {
			return err
		}
		after = now.Last
		var changed []string
		setsUp := false
		for i := range now.Events {
			changed = append(changed, now.Events[i].Files...)
			setsUp = setsUp || now.Events[i].SetsUp
		}
		if len(changed) == 0 {
			continue
		}
		s.tell(ctx, w, changed, setsUp)
		judge := api.CheckRequest{Files: s.subscribed(w, changed), Scope: "file", Baseline: api.BaselineNone, MaxBytes: unbounded}
		_, err = api.Check.Do(api.Own(ctx), caller, judge)
		if err == nil {
			_, err = api.Diagnostics.Do(api.Own(ctx), caller, api.DiagnosticsRequest{Severities: allSeverities, MaxBytes: unbounded, Refresh: true})
		}
		if err != nil && ctx.Err() == nil {
			s.logFailure("files that changed are not judged", err) // who reads the resource is told why
		}
	}
}

// subscribed returns the files that were subscribed to, and changed ones.
func (s *Server) subscribed(w *watch, changed []string) []string {
	files := make(map[string]bool)
	for _, file := range changed {
		files[file] = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, of := range w.uris {
		for _, file := range of {
			if !isAll(file) {
				files[file] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(files))
}

// isAll reports whether a subscription's file stands for all files.
func isAll(file string) bool { return strings.Trim(file, "/.") == "" }

// settle waits while a server is indexing, and returns the diagnostics after that.
func (s *Server) settle(ctx context.Context, caller api.Caller, now result.Check) (result.Check, error) {
	status, err := api.Status.Do(api.Own(ctx), caller, api.StatusRequest{Scope: "running"})
	if err != nil || !indexing(status.Servers) {
		return now, err
	}
	select {
	case <-ctx.Done():
		return now, ctx.Err()
	case <-time.After(calm):
	}
	return api.Diagnostics.Do(api.Own(ctx), caller, api.DiagnosticsRequest{Severities: allSeverities, MaxBytes: unbounded})
}

// prints returns the diagnostics of each path as text, to be compared.
func prints(known *result.Check) map[string]string {
	all := make(map[string]string)
	for i := range known.Files {
		f := &known.Files[i]
		if len(f.Diagnostics) == 0 {
			continue // treated like an unknown file
		}
		found := append([]result.Diagnostic(nil), f.Diagnostics...)
		for j := range found {
			found[j].New = false // a property of the check, not of the file
		}
		text, _ := json.Marshal(found) // texts and numbers always encode
		all[f.Path] = string(text)
	}
	return all
}

// tell sends an update of each resource that one of the paths affects, or of all.
func (s *Server) tell(ctx context.Context, w *watch, paths []string, all bool) {
	changed := make(map[string]bool)
	for _, path := range paths {
		changed[path] = true
	}
	s.mu.Lock()
	uris := make(map[string]bool)
	for _, of := range w.uris {
		for uri, file := range of {
			if len(paths) > 0 && (all || isAll(file) || changed[file]) {
				uris[uri] = true
			}
		}
	}
	s.mu.Unlock()
	for uri := range uris {
		_ = s.mcp.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}) // it logs its own failures
	}
}
