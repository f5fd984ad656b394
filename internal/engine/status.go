package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/render"
)

// A StatusRequest has no parameters.
type StatusRequest struct{}

// Status lists every known server and its state.
var Status = Op[StatusRequest, render.Status]{
	Name:  "status",
	Title: "Status of the servers",
	Doc:   "List every known language server and its state.",
	Class: Read,
	run: func(_ context.Context, e *Engine, _ StatusRequest) (render.Status, error) {
		result := render.Status{Root: e.workspace.Root(), Servers: []render.Server{}}
		for _, s := range e.workspace.Statuses() {
			d, _ := e.opts.Config.Servers.Get(s.ID)
			server := render.Server{
				ID: s.ID, Root: s.Root, State: string(s.State), Reason: s.Reason,
				Starts: s.Starts, Crashes: s.Crashes, Version: s.Info.Version, Pid: s.Info.Pid,
				Encoding: string(s.Encoding), Documents: s.Info.OpenDocuments,
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
			for _, w := range s.Works {
				server.Works = append(server.Works, describe(w))
			}
			result.Servers = append(result.Servers, server)
		}
		slices.SortStableFunc(result.Servers, func(a, b render.Server) int { return cmp.Compare(a.ID, b.ID) })
		for _, p := range e.opts.Problems {
			result.Problems = append(result.Problems, p.Error())
		}
		for _, u := range e.opts.Config.Untrusted {
			result.Problems = append(result.Problems, u.String())
		}
		return result, nil
	},
}

// describe says in one line what a server is doing.
func describe(w lsp.Work) string {
	text := strings.TrimSpace(w.Title + " " + w.Message)
	if w.Percentage >= 0 {
		text += fmt.Sprintf(" %d%%", w.Percentage)
	}
	return text
}

func (e *Engine) wait(ms int) time.Duration {
	if ms > 0 {
		return time.Duration(ms) * time.Millisecond
	}
	return e.opts.Config.Settings.DiagnosticTimeout
}
