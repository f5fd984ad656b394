// Package host is code intelligence for an agent that is written in Go: checks after edits, context
// for the model, turns, and simulations, by way of the real language servers.
//
// [Open] works within the process of the agent, which must call [Supervise] first thing in its main
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

// Supervise turns the process into the supervisor of a language server if its arguments ask for
// that, and then does not return. Language servers of [Open] are started by way of it.
func Supervise() { lsp.Supervise(os.Args) }

// Options configure a host. Root is needed.
type Options struct {
	// Root is the workspace root.
	Root string
	// Config is the "lsp" object of the agent's own settings, as JSON; nil is none. It counts as the
	// user's own, and wins over the user's file and the project's.
	Config json.RawMessage
	// Name is that of the agent, for rules of the policy and the evidence, which know it as
	// host/NAME.
	Name string
	// Evidence is the file of the log: "" as configured, "off" for none.
	Evidence string
	// Ask asks the user a question of the policy, in the context of the call, and nothing runs
	// meanwhile. nil says that nobody can be asked: the fallback of the rule decides then. What is
	// not answered within the question's time counts as [types.Nothing].
	Ask func(ctx context.Context, q types.Question) types.Said
}

// A Host asks language servers about one workspace. It is safe for concurrent use. Files are named
// by absolute paths, or relative to the root. An error of a call says by its kind what went wrong:
// [types.ErrorOf].
type Host struct {
	caller   types.Caller
	engine   *engine.Engine // nil for another caller
	log      *evidence.Log
	name     string
	session  string
	five     bool
	problems []string
}

// Open returns a host with language servers of its own, which start when a file first needs them.
// The caller must Close it.
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

// New returns a host that works by way of another caller, whose end is its own.
func New(caller types.Caller) *Host { return &Host{caller: caller} }

// asking bounds a question in time.
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

// Problems says what is wrong with the configuration; what cannot be used is left out.
func (h *Host) Problems() []string { return slices.Clone(h.problems) }

// logGrace is how long the last events of the log may take to be written.
const logGrace = 2 * time.Second

// Close ends the language servers. Those that have not ended when ctx ends are killed. Of a host that
// [New] made nothing ends.
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

// Session returns a host for one conversation of several, over the same language servers: what it
// was told, its baseline, its simulations and its turn are its own, and are forgotten when it is
// closed, before the host that it is of.
func (h *Host) Session(name string) *Host {
	own := *h
	own.session = name
	if h.engine != nil {
		h.engine.BeginSession(name, "")
	}
	return &own
}

// FiveClasses returns the same host for a program that knows five classes of verdicts: in its answers what is
// unknown is [types.LSPUnavailable], with the reason, and never clean; so is a server that is broken.
func (h *Host) FiveClasses() *Host {
	own := *h
	own.five = true
	return &own
}

// Call implements [types.Caller]: it runs any operation, by the names in docs/reference/operations.md.
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

// Check tells what is wrong with files; without files, with all that changed since the last commit.
func (h *Host) Check(ctx context.Context, req types.CheckRequest) (types.Check, error) {
	return api.Check.Do(ctx, h, req)
}

// Edit changes files, all or none, and tells what that breaks.
func (h *Host) Edit(ctx context.Context, req types.EditRequest) (types.Edit, error) {
	return api.EditFiles.Do(ctx, h, req)
}

// Assemble gathers what the code in focus uses and does not show, within a budget.
func (h *Host) Assemble(ctx context.Context, req types.AssembleRequest) (types.Context, error) {
	return api.Assemble.Do(ctx, h, req)
}

// Revalidate says which context items still hold, asks again for the others, and marks as stale what
// cannot be asked for.
func (h *Host) Revalidate(ctx context.Context, items []types.ContextItem) (types.Context, error) {
	return api.Revalidate.Do(ctx, h, types.RevalidateRequest{Items: items})
}

// BeginTurn remembers what the files are before a model works.
func (h *Host) BeginTurn(ctx context.Context) (types.Turn, error) {
	return api.BeginTurn.Do(ctx, h, types.BeginTurnRequest{})
}

// CloseTurn judges every file that changed since the turn began, whoever changed it, and says whether
// the turn is over, goes on with mending new errors, or should be decided by a person.
func (h *Host) CloseTurn(ctx context.Context, req types.CloseTurnRequest) (types.ClosedTurn, error) {
	return api.CloseTurn.Do(ctx, h, req)
}

// Simulate takes one step with edits that exist in memory alone.
func (h *Host) Simulate(ctx context.Context, step session.Request) (session.Simulation, error) {
	return session.Do(ctx, h, step)
}

// Status tells of the language servers; without a scope, of those that run.
func (h *Host) Status(ctx context.Context, req types.StatusRequest) (types.Status, error) {
	return api.Status.Do(ctx, h, req)
}
