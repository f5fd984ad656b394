// Package host is code intelligence for an agent written in Go: checks after edits, context for the
// model, turns, and simulations, using real language servers.
//
// [Open] works in the agent's own process, which must call [Supervise] at the beginning of its main
// function. [New] works with any other caller, such as the service that package hostclient starts.
package host

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/pkg/session"
	"github.com/lspine/lspine/pkg/types"
)

// Supervise makes the process the supervisor of a language server if its arguments ask for that;
// then it does not return. The language servers of [Open] are started through it.
func Supervise() { lsp.Supervise(os.Args) }

// Options configure a host. Root is required.
type Options struct {
	// Root is the workspace root.
	Root string
	// Config is the "lsp" object of the agent's own settings, as JSON; nil means none. It counts as
	// the user's own, and overrides the user's file and the project's.
	Config json.RawMessage
	// Name is the name of the agent, which rules of the policy and the evidence know as host/NAME.
	Name string
	// Evidence is the file of the log: "" means as configured, "off" none.
	Evidence string
	// Ask puts a question of the policy to the user, in the context of the call; nothing runs
	// meanwhile. nil means that nobody can be asked, so the fallback of the rule decides. A
	// question that is not answered in time counts as answered with [types.Nothing].
	Ask func(ctx context.Context, q types.Question) types.Said
}

// A Host queries language servers about one workspace. It is safe for concurrent use. Files are
// named by paths that are absolute or relative to the root. [types.ErrorOf] returns what kind of
// error a call failed with.
type Host struct {
	caller   types.Caller
	engine   *engine.Engine // nil if New was given a caller
	log      *evidence.Log
	name     string
	session  string
	five     bool
	problems []string
}

// Open returns a host with its own language servers, which start when a file first needs them. The
// caller must Close it.
func Open(opts Options) (*Host, error) {
	if len(opts.Config) > 0 && !json.Valid(opts.Config) {
		return nil, &api.ArgumentError{Argument: "Config", Reason: "it is not JSON", Advice: `for example {"diagnosticTimeout":5000}`}
	}
	environ := os.Environ()
	from := config.Options{Root: opts.Root, Environ: environ, Host: opts.Config, HostName: "host.Options"}
	if opts.Evidence != "" {
		from.Flags = []config.Flag{{Name: "host.Options.Evidence", Key: "lsp.evidence", Value: opts.Evidence}}
	}
	cfg, problems := config.Load(from)
	h := &Host{name: opts.Name, log: engine.OpenEvidence(cfg, environ, "", "host")}
	for _, p := range problems {
		h.problems = append(h.problems, p.Error())
	}
	var err error
	h.engine, err = engine.New(engine.Options{Root: opts.Root, Config: cfg, Problems: problems, Evidence: h.log})
	if err != nil {
		h.closeLog(context.Background())
		return nil, err
	}
	h.caller = h.engine
	if opts.Ask != nil {
		h.caller = api.Asking{Caller: h.engine, Ask: asking(opts.Ask)}
	}
	return h, nil
}

// New returns a host that uses another caller. Closing the host does not end that caller.
func New(caller types.Caller) *Host { return &Host{caller: caller} }

// asking limits the time of a question.
func asking(ask func(context.Context, types.Question) types.Said) func(context.Context, result.Question) (api.Said, error) {
	return func(ctx context.Context, q result.Question) (api.Said, error) {
		waiting, cancel := context.WithTimeout(ctx, time.Duration(q.TimeoutMS)*time.Millisecond)
		defer cancel()
		said := ask(waiting, q)
		switch {
		case ctx.Err() != nil:
			return api.Nothing, ctx.Err()
		case waiting.Err() != nil, !slices.Contains([]api.Said{api.Yes, api.No}, said):
			return api.Nothing, nil
		}
		return said, nil
	}
}

// Problems returns what is wrong with the configuration. Invalid values are ignored.
func (h *Host) Problems() []string { return slices.Clone(h.problems) }

// logGrace is how long the last events of the log may take to be written.
const logGrace = 2 * time.Second

// Close ends the language servers, and kills those that have not ended when ctx ends. For a host
// made by [New], it ends nothing.
func (h *Host) Close(ctx context.Context) error {
	if h.engine == nil {
		return nil
	}
	if h.session != "" {
		h.engine.EndSession(h.session)
		return nil
	}
	defer h.closeLog(ctx)
	return h.engine.Close(ctx)
}

func (h *Host) closeLog(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), logGrace)
	defer cancel()
	h.log.Close(ctx)
}

// Session returns a host for one of several conversations on the same language servers. What the
// conversation was told, its baseline, its simulations and its turn are its own, and are forgotten
// when that host is closed. Close it before h.
func (h *Host) Session(name string) *Host {
	own := *h
	own.session = name
	if h.engine != nil {
		h.engine.BeginSession(name, "")
	}
	return &own
}

// FiveClasses returns the same host for a program that knows five classes of verdicts: in its
// answers, an unknown result is [types.LSPUnavailable] with the reason, never clean, and a broken
// server is unavailable.
func (h *Host) FiveClasses() *Host {
	own := *h
	own.five = true
	return &own
}

// Call implements [types.Caller]: it runs any operation, by its name in
// docs/reference/operations.md.
func (h *Host) Call(ctx context.Context, name string, req, res any) error {
	with := api.CallOf(ctx)
	with.Session = cmp.Or(with.Session, h.session)
	with.Client = cmp.Or(with.Client, strings.TrimSuffix("host/"+h.name, "/"))
	err := h.caller.Call(with.In(ctx), name, req, res)
	if of, is := res.(result.Result); err == nil && is && h.five {
		result.InFiveClasses(of)
	}
	return err
}

// Check reports what is wrong with files or, without files, with everything that changed since the
// last commit.
func (h *Host) Check(ctx context.Context, req types.CheckRequest) (types.Check, error) {
	return api.Check.Do(ctx, h, req)
}

// Edit changes files, all or none, and reports what that breaks.
func (h *Host) Edit(ctx context.Context, req types.EditRequest) (types.Edit, error) {
	return api.EditFiles.Do(ctx, h, req)
}

// Assemble gathers, within a budget, what the code in focus uses but does not show.
func (h *Host) Assemble(ctx context.Context, req types.AssembleRequest) (types.Context, error) {
	return api.Assemble.Do(ctx, h, req)
}

// Revalidate keeps context items that are still valid, queries servers again for the others, and
// marks as stale what cannot be updated.
func (h *Host) Revalidate(ctx context.Context, items []types.ContextItem) (types.Context, error) {
	return api.Revalidate.Do(ctx, h, types.RevalidateRequest{Items: items})
}

// BeginTurn records the state of the files before a model works.
func (h *Host) BeginTurn(ctx context.Context) (types.Turn, error) {
	return api.BeginTurn.Do(ctx, h, types.BeginTurnRequest{})
}

// CloseTurn judges every file that changed since the turn began, whoever changed it, and says
// whether the turn is over, continues so that new errors are fixed, or needs a person's decision.
func (h *Host) CloseTurn(ctx context.Context, req types.CloseTurnRequest) (types.ClosedTurn, error) {
	return api.CloseTurn.Do(ctx, h, req)
}

// Simulate carries out one step with edits that exist only in memory.
func (h *Host) Simulate(ctx context.Context, step session.Request) (session.Simulation, error) {
	return session.Do(ctx, h, step)
}

// Status reports on the language servers; without a scope, on those that are running.
func (h *Host) Status(ctx context.Context, req types.StatusRequest) (types.Status, error) {
	return api.Status.Do(ctx, h, req)
}
