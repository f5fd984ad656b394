package engine

import (
	"context"
	"os"
	"path/filepath"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/assembly"
	"github.com/lspine/lspine/internal/checking"
	"github.com/lspine/lspine/internal/doctor"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/editing"
	"github.com/lspine/lspine/internal/navigation"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/refcache"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/simulation"
	"github.com/lspine/lspine/internal/toolchain"
)

// The rooms that carry out operations, each made for the engine's current caller.

func overlayOf(e *Engine) *overlay.View { return e.view }

func navigatorOf(e *Engine) *navigation.Navigator {
	return navigation.New(e.names, e.view, e.references)
}

func indexerOf(e *Engine) *navigation.Indexer {
	return navigation.NewIndexer(navigatorOf(e), navigation.IndexerOptions{
		Workspace: e.workspace, Version: e.opts.Version, Resolve: e.resolveArtefact, Permit: e.permitChanges,
	})
}

// cacheOf returns the cache of answers, as the current caller names files.
func cacheOf(e *Engine) *refcache.Exchange {
	return refcache.NewExchange(e.references, e.resolveArtefact, e.permitChanges)
}

// resolveArtefact returns the path of an artefact: of a file that the caller may write, or of one that the command line has put into the
// exchange folder, on its way from or to a store. Nobody else has business there: tools of agents only name what they may write.
func (e *Engine) resolveArtefact(file string) (string, error) {
	if e.client == commandLine && e.isStaged(file) {
		return file, nil
	}
	return e.files.Resolve(file)
}

// commandLine is the client whose calls the command line makes.
const commandLine = "cli"

// isStaged reports whether a file is a regular one in the exchange folder, and no link.
func (e *Engine) isStaged(file string) bool {
	folder, err := e.stateFolder()
	if err != nil || filepath.Dir(file) != filepath.Join(folder, api.ExchangeFolder) {
		return false
	}
	info, err := os.Lstat(file)
	return err == nil && info.Mode().IsRegular()
}

func assemblerOf(e *Engine) *assembly.Assembler {
	return assembly.New(assembly.Options{Workspace: e.workspace, Names: e.names, View: e.view, Check: checkerOf(e).Check})
}

// closeTurn closes a turn, and gathers what its model should see of the outcome. It leaves out what the
// policy denies, and says so: a turn cannot be closed twice.
func closeTurn(ctx context.Context, e *Engine, req api.CloseTurnRequest) (result.ClosedTurn, error) {
	answer, err := checkerOf(e).CloseTurn(ctx, req)
	if err != nil {
		return result.ClosedTurn{}, err
	}
	err = assemblerOf(e).AddItems(ctx, &answer, req.BudgetBytes, func(around api.AssembleRequest) error {
		return e.permitParts(ctx, append(api.PartsOf(api.Assemble.Name, around), api.Assemble.Name))
	})
	return answer, err
}

func toolchainOf(e *Engine) *toolchain.Toolchain {
	return toolchain.New(e.workspace, e.names, e.view, e.opts.Config.Servers, e.permitBuild)
}

func doctorOf(e *Engine) *doctor.Doctor {
	return doctor.New(doctor.Options{
		Workspace: e.workspace, Names: e.names, View: e.view, Setup: e.setup, Collector: e.collector,
		Config: e.opts.Config, Problems: e.opts.Problems, Only: e.opts.Only,
	})
}

func checkerOf(e *Engine) *checking.Checker {
	return e.checker.For(checking.Caller{
		Names: e.names, Lacks: e.setup, View: e.view, Files: e.files, Session: e.session, Last: e.last,
		Permit: e.permitChanges, Wrote: e.recordWritten,
		Judged: func(found checking.Counted) { e.governed.course.counted = found },
	})
}

func editorOf(e *Engine) *editing.Editor {
	checker := checkerOf(e)
	return editing.New(editing.Options{
		Workspace: e.workspace, Names: e.names, View: e.view, Files: e.files,
		Timeout: e.opts.Config.Settings.RequestTimeout, Diagnose: checker.Diagnose, MayRun: e.permitCommand,
		Write: func(ctx context.Context, how api.Writing, draft editing.Drafter) (result.Edit, error) {
			return checker.Write(ctx, how, checking.Drafter(draft))
		},
	})
}

func simulatorOf(e *Engine) *simulation.Simulator {
	checker := checkerOf(e)
	return e.simulations.For(simulation.Options{
		Owner: e.session, Names: e.names, Files: e.files, Keep: checker.Keep,
		Editor: func(plan *edit.Plan, alone bool) simulation.Editor { return stepsOf(e, checker, plan, alone) },
		Judge: func(ctx context.Context, how simulation.Judging, plans []*edit.Plan, judged func(simulation.Judged) error) error {
			return checker.Evaluate(ctx, checking.Evaluation(how), plans, func(e checking.Evaluated) error { return judged(simulation.Judged(e)) })
		},
	})
}

// stepsOf returns the editor that drafts into a plan, based on the plan's current texts.
func stepsOf(e *Engine, checker *checking.Checker, plan *edit.Plan, alone bool) *editing.Editor {
	return editing.New(editing.Options{
		Workspace: e.workspace, Names: e.names, View: e.view.Showing(plan.Texts()), Files: plan.Next(),
		Timeout: e.opts.Config.Settings.RequestTimeout, Diagnose: checker.Diagnose, MayRun: e.permitCommand,
		Write: func(ctx context.Context, how api.Writing, draft editing.Drafter) (answer result.Edit, err error) {
			if alone {
				_, err = draft(ctx, nil, plan)
				return answer, err
			}
			answer.Notes, err = checker.Draft(ctx, how.Limits, plan, checking.Drafter(draft))
			return answer, err
		},
	})
}
