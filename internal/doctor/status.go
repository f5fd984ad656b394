package doctor

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

// The scopes of a StatusRequest.
const (
	scopeRunning   = "running"
	scopeWorkspace = "workspace"
	scopeAll       = "all"
)

// Status returns the state of the servers, and what is wrong with the configuration. It starts no
// server.
func (doc *Doctor) Status(ctx context.Context, req api.StatusRequest) (result.Status, error) {
	concerns, err := doc.concerning(ctx, req.Scope)
	if err != nil {
		return result.Status{}, err
	}
	answer := result.Status{Root: doc.opts.Workspace.Root(), Servers: []result.Server{}, Disabled: !doc.opts.Config.Settings.Enabled}
	if answer.Disabled && req.Scope != scopeAll {
		return answer, nil
	}
	for _, s := range doc.opts.Workspace.Statuses() {
		if !concerns(s) {
			answer.Omitted++
			continue
		}
		server := doc.server(s)
		if req.Measurements {
			doc.measure(&server)
		}
		answer.Servers = append(answer.Servers, server)
	}
	slices.SortStableFunc(answer.Servers, func(a, b result.Server) int { return cmp.Compare(a.ID, b.ID) })
	for _, p := range doc.opts.Problems {
		answer.Problems = append(answer.Problems, p.Error())
	}
	for _, u := range doc.opts.Config.Untrusted {
		answer.Problems = append(answer.Problems, u.String())
	}
	return answer, nil
}

// server returns the state of a server as a result.
func (doc *Doctor) server(s workspace.Status) result.Server {
	d, _ := doc.opts.Config.Servers.Get(s.ID)
	server := result.Server{
		ID: s.ID, Source: doc.opts.Config.SourceOfServer(s.ID), Root: s.Root, Binary: cmp.Or(s.Binary, d.Connect), State: string(s.State), Reason: s.Reason,
		Starts: s.Starts, Crashes: s.Crashes, Version: s.Info.Version, Pid: s.Info.Pid,
		Encoding: string(s.Encoding), Documents: s.Info.OpenDocuments,
	}
	if len(d.Languages) > 0 {
		server.Language = d.Languages[0].ID
	}
	if server.Reason == "" {
		server.Reason = doc.opts.Workspace.Restrained(&d, filepath.Join(cmp.Or(s.Root, doc.opts.Workspace.Root()), "x"))
	}
	if len(s.Install) > 0 {
		server.Hint = "install it: " + strings.Join(s.Install, "   or   ")
	}
	if len(d.Diagnostics.Strategies) > 0 {
		server.Strategy = string(d.Diagnostics.Strategies[0])
	}
	if !s.Info.Started.IsZero() {
		server.UptimeMS = time.Since(s.Info.Started).Milliseconds()
	}
	if f, counted := doc.opts.Collector.Figures(diagnostics.Key{ID: s.ID, Root: s.Root}); counted {
		server.Figures = &result.Figures{
			Checks: f.Checks, Timeouts: f.Timeouts, Diagnostics: f.Diagnostics,
			MedianMS: f.Median.Milliseconds(), SlowMS: f.Slow.Milliseconds(),
		}
	}
	for _, w := range s.Works {
		server.Works = append(server.Works, describe(w))
	}
	return server
}

// measure adds what was measured of a server.
func (doc *Doctor) measure(server *result.Server) {
	for _, t := range doc.opts.Workspace.Tenants() {
		if t.ID == server.ID && t.Root == server.Root {
			server.Memory = t.Memory
		}
	}
	if server.Figures == nil {
		return
	}
	for _, s := range doc.opts.Collector.Samples(diagnostics.Key{ID: server.ID, Root: server.Root}) {
		server.Figures.Recent = append(server.Figures.Recent, result.Sample{Time: s.At.UTC(), TookMS: s.Waited.Milliseconds(), Freshness: string(s.Freshness)})
	}
}

// concerning returns a filter for the servers within a scope.
func (doc *Doctor) concerning(ctx context.Context, scope string) (func(workspace.Status) bool, error) {
	needed := make(map[string]bool)
	switch scope {
	case scopeAll:
		return func(workspace.Status) bool { return true }, nil
	case scopeRunning:
		return func(s workspace.Status) bool { return s.State == roots.Active || s.State == roots.Starting }, nil
	case "", scopeWorkspace:
		samples, err := doc.opts.Workspace.Samples(ctx, "")
		if err != nil {
			return nil, err
		}
		for _, s := range samples {
			needed[s.Candidate.Definition.ID] = true
		}
	default:
		return nil, &api.ArgumentError{Argument: "scope", Reason: fmt.Sprintf("%q is no scope", scope), Advice: "scopes are running, workspace and all"}
	}
	return func(s workspace.Status) bool {
		named := doc.opts.Config.Source("lsp.servers."+s.ID).Layer != config.LayerBuiltin
		return s.Starts > 0 || s.State == roots.Active || s.State == roots.Starting || named || needed[s.ID]
	}, nil
}

// describe returns one line about what a server is doing.
func describe(w lsp.Work) string {
	text := strings.TrimSpace(w.Title + " " + w.Message)
	if w.Percentage >= 0 {
		text += fmt.Sprintf(" %d%%", w.Percentage)
	}
	return text
}

// Working returns the servers that are starting or running, sorted by id.
func (doc *Doctor) Working() []result.Server {
	list := []result.Server{}
	for _, s := range doc.opts.Workspace.Statuses() {
		if s.State == roots.Active || s.State == roots.Starting {
			list = append(list, doc.server(s))
		}
	}
	slices.SortStableFunc(list, func(a, b result.Server) int { return cmp.Compare(a.ID, b.ID) })
	return list
}
