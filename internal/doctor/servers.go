package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// Servers lists, detects, starts, restarts or stops servers, depending on the action of the
// request.
func (doc *Doctor) Servers(ctx context.Context, req api.ServersRequest) (result.Servers, error) {
	if err := doc.checkServers(req); err != nil {
		return result.Servers{}, err
	}
	if req.Action == "list" {
		return doc.listServers(req)
	}
	return overlay.Ask(ctx, doc.opts.View, req.Limits, headOfServers, func(ctx context.Context, q *symbols.Inquiry) (result.Servers, error) {
		answer := result.Servers{Action: req.Action, Servers: []result.ServerState{}}
		if req.Action == "stop" {
			doc.stopServers(ctx, req, &answer)
			return answer, nil
		}
		samples, err := doc.samples(ctx, req)
		if err != nil {
			return result.Servers{}, err
		}
		if req.Action == "detect" {
			return doc.detected(samples, answer), nil
		}
		if req.Ahead {
			doc.startAhead(ctx, samples, &answer)
			return answer, nil
		}
		if req.Action == "restart" {
			samples = doc.stopBefore(ctx, req, samples, &answer)
		}
		return answer, doc.startServers(ctx, q, samples, &answer)
	})
}

func headOfServers(s *result.Servers) *result.Head { return &s.Head }

func (doc *Doctor) checkServers(req api.ServersRequest) error {
	if !slices.Contains([]string{"list", "detect", "start", "restart", "stop"}, req.Action) {
		return &api.ArgumentError{Argument: "action", Reason: fmt.Sprintf("%q is no action", req.Action), Advice: "actions are list, detect, start, restart and stop"}
	}
	if !slices.Contains([]string{"", stateFound, stateMissing, stateDisabled}, req.State) {
		return &api.ArgumentError{Argument: "state", Reason: fmt.Sprintf("%q is no state", req.State), Advice: "states are found, missing and disabled"}
	}
	if req.Action != "list" && req.File+req.State != "" {
		return &api.ArgumentError{Argument: "file", Reason: "it goes with list only, as state does", Advice: `for example {"action":"list","file":"src/a.go"}`}
	}
	if req.Ahead && req.Action != "start" {
		return &api.ArgumentError{Argument: "ahead", Reason: "it goes with start only", Advice: `for example {"action":"start","ahead":true}`}
	}
	if err := doc.checkConnect(req); err != nil {
		return err
	}
	if _, known := doc.opts.Config.Servers.Get(req.Server); req.Server != "" && !known {
		return &api.ArgumentError{Argument: "server", Reason: "no server " + req.Server + " is known", Advice: "known are " + strings.Join(doc.opts.Config.Servers.IDs(), ", ")}
	}
	for _, d := range doc.opts.Config.Servers {
		if speaks(&d, req.Language) {
			return nil
		}
	}
	return &api.ArgumentError{Argument: "language", Reason: fmt.Sprintf("no server knows %q", req.Language), Advice: `an LSP language id, for example "go"; status lists the servers`}
}

// checkConnect rejects an address that the user did not configure: neither a caller nor a checkout
// may cause the texts of the workspace to be sent elsewhere.
func (doc *Doctor) checkConnect(req api.ServersRequest) error {
	if req.Connect == "" {
		return nil
	}
	if req.Action != "start" {
		return &api.ArgumentError{Argument: "connect", Reason: "it goes with start only", Advice: `for example {"action":"start","connect":"localhost:9999"}`}
	}
	for _, d := range doc.opts.Config.Servers {
		source := doc.opts.Config.Source("lsp.servers." + d.ID + ".connect")
		if d.Connect == req.Connect && source.Layer != config.LayerProject {
			return nil
		}
	}
	return &api.ArgumentError{
		Argument: "connect", Reason: fmt.Sprintf("%q is no address that the user's own configuration names", req.Connect),
		Advice: `the user names it there, for example {"lsp": {"servers": {"gopls": {"connect": "localhost:9999"}}}}`,
	}
}

func speaks(d *registry.Definition, language string) bool {
	return language == "" || slices.ContainsFunc(d.Languages, func(l registry.Language) bool { return strings.EqualFold(l.ID, language) })
}

// concerns reports whether a request is about a server.
func concerns(r api.ServersRequest, d *registry.Definition) bool {
	return (r.Server == "" || d.ID == r.Server) && (r.Connect == "" || d.Connect == r.Connect) && speaks(d, r.Language)
}

// samples returns one file for each server that a request is about.
func (doc *Doctor) samples(ctx context.Context, req api.ServersRequest) ([]workspace.Sample, error) {
	samples, err := doc.opts.Workspace.Samples(ctx, req.Language)
	if err != nil {
		return nil, err
	}
	samples = slices.DeleteFunc(slices.Clone(samples), func(s workspace.Sample) bool { return !concerns(req, &s.Candidate.Definition) })
	if len(samples) == 0 && req.Action != "detect" {
		return nil, &overlay.NoServerError{Path: "the workspace" + overlay.OfLanguage(req.Language+req.Server), Method: "textDocument/didOpen"}
	}
	return samples, nil
}

// detected adds the servers that the files of the workspace need.
func (doc *Doctor) detected(samples []workspace.Sample, result result.Servers) result.Servers {
	for _, s := range samples {
		state := stateOf(s)
		if language, ok := s.Candidate.Definition.LanguageID(s.Path); ok && !slices.Contains(result.Languages, language) {
			result.Languages = append(result.Languages, language)
		}
		state.State = "installed"
		for _, running := range doc.opts.Workspace.Running() {
			if key := s.Candidate.Key(); running.Definition().ID == key.ID && running.Root() == key.Root {
				state.State = "active"
			}
		}
		if u := s.Candidate.Unavailable; u != nil {
			state.State, state.Reason, state.Install = string(u.State), u.Reason, doc.runnableFirst(u.Install)
		}
		result.Servers = append(result.Servers, state)
	}
	return result
}

func stateOf(s workspace.Sample) result.ServerState {
	d := &s.Candidate.Definition
	state := result.ServerState{ID: d.ID, Root: s.Candidate.Root, Files: s.Files, Binary: cmp.Or(s.Candidate.Binary, d.Connect), Languages: []string{}}
	for _, l := range d.Languages {
		state.Languages = append(state.Languages, l.ID)
	}
	return state
}

// stopServers stops the servers of a request that run or start.
func (doc *Doctor) stopServers(ctx context.Context, req api.ServersRequest, answer *result.Servers) {
	for _, key := range doc.opts.Workspace.Keys() {
		d, _ := doc.opts.Config.Servers.Get(key.ID)
		if !concerns(req, &d) {
			continue
		}
		state := result.ServerState{ID: key.ID, Root: key.Root, State: "was not running", Languages: []string{}}
		if doc.opts.Workspace.Stop(ctx, key) {
			state.State = "stopped"
			answer.Notes = append(answer.Notes, onlyLeft(&d)...)
		}
		answer.Servers = append(answer.Servers, state)
	}
	if len(answer.Servers) == 0 {
		answer.Notes = append(answer.Notes, "no such server ran")
	}
}

// onlyLeft returns a note if a server was started by somebody else, so that it was disconnected
// rather than stopped.
func onlyLeft(d *registry.Definition) []string {
	if d.Connect == "" {
		return nil
	}
	return []string{fmt.Sprintf("somebody else runs %s at %s: only the connection to it was closed", d.ID, d.Connect)}
}

// stopBefore stops the servers of a request before a restart, and returns the samples of the
// servers to start: those that were running, or all if none was.
func (doc *Doctor) stopBefore(ctx context.Context, req api.ServersRequest, samples []workspace.Sample, answer *result.Servers) []workspace.Sample {
	var asked []roots.Key
	for _, key := range doc.opts.Workspace.Keys() {
		d, _ := doc.opts.Config.Servers.Get(key.ID)
		if concerns(req, &d) {
			if doc.opts.Workspace.Stop(ctx, key) {
				answer.Notes = append(answer.Notes, onlyLeft(&d)...)
			}
			asked = append(asked, key)
		}
	}
	if len(asked) == 0 {
		return samples
	}
	return slices.DeleteFunc(samples, func(s workspace.Sample) bool { return !slices.Contains(asked, s.Candidate.Key()) })
}

// startAhead begins to start the servers for the languages that the workspace mainly uses, without
// waiting for any.
func (doc *Doctor) startAhead(ctx context.Context, samples []workspace.Sample, answer *result.Servers) {
	for _, sample := range samples {
		if sample.Candidate.Definition.Optional || sample.Candidate.Unavailable != nil {
			continue
		}
		if len(answer.Servers) == overlay.MaxSearchServers {
			break
		}
		state := stateOf(sample)
		state.State = "starting"
		if err := doc.opts.View.StartAhead(ctx, sample.Candidate, sample.Path); err != nil {
			state.State, state.Reason = "failed", err.Error()
		}
		answer.Servers = append(answer.Servers, state)
	}
}

// startServers starts a server for each sample, and waits until each has loaded the project, as far
// as the deadline allows. It fails only if no server starts.
func (doc *Doctor) startServers(ctx context.Context, q *symbols.Inquiry, samples []workspace.Sample, result *result.Servers) error {
	if len(samples) > overlay.MaxSearchServers {
		result.Notes = append(result.Notes, fmt.Sprintf("only the %d servers with the most files are started", overlay.MaxSearchServers))
		samples = samples[:overlay.MaxSearchServers]
	}
	var failures []error
	for _, sample := range samples {
		state := stateOf(sample)
		state.State = "active"
		s, err := doc.opts.Workspace.Server(ctx, sample.Candidate)
		if errors.Is(err, context.DeadlineExceeded) {
			err = &symbols.NotReadyError{Server: state.ID, Loading: "starting"}
		}
		if err == nil {
			state.Version = s.Info().Version
			_, loading := q.Outline(ctx, sample.Path) // only waits: a server need not support outlines
			var notReady *symbols.NotReadyError
			if errors.As(loading, &notReady) {
				state.Reason = notReady.Error()
			}
		} else {
			failures = append(failures, err)
			state.State, state.Reason = "failed", err.Error()
			var missing *roots.UnavailableError
			if errors.As(err, &missing) {
				state.State, state.Install = string(missing.State), missing.Install
			}
		}
		result.Servers = append(result.Servers, state)
	}
	if len(failures) > 0 && len(failures) == len(samples) {
		return failures[0]
	}
	return nil
}
