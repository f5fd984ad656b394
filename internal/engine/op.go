package engine

import (
	"context"
	"fmt"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/overlay"
)

// A binding is an operation of the catalog with what it does.
type binding struct {
	name string
	call func(ctx context.Context, e *Engine, req, res any) error
}

// bind returns an operation with what it does.
func bind[Req, Res any](op api.Op[Req, Res], run func(context.Context, *Engine, Req) (Res, error)) binding {
	return binding{op.Name, func(ctx context.Context, e *Engine, req, res any) error {
		request, err := op.Request(req)
		if err != nil {
			return err
		}
		target, ok := res.(*Res)
		if !ok {
			return fmt.Errorf("%s: result is %T, want %T", op.Name, res, target)
		}
		answer, err := perform(ctx, e, op.Name, request, run)
		if err == nil {
			*target = answer
		}
		return err
	}}
}

// in returns an operation that a room carries out, as it is for the caller.
func in[Room, Req, Res any](op api.Op[Req, Res], room func(*Engine) Room, run func(Room, context.Context, Req) (Res, error)) binding {
	return bind(op, func(ctx context.Context, e *Engine, req Req) (Res, error) { return run(room(e), ctx, req) })
}

// catalog holds every operation once, with what it does, in the order of [api.Operations].
func catalog() []binding {
	return []binding{
		doCheck,
		doEditFiles,
		doEditSymbol,
		doBuild,
		doTest,
		doRename,
		doPrepareRename,
		doFixes,
		doFormat,
		doFormatEdits,
		doExecuteCommand,
		doCodeLenses,
		doExecuteLens,
		doDiagnostics,
		doDefinition,
		doDeclaration,
		doTypeDefinition,
		doImplementation,
		doReferences,
		doHighlights,
		doInspect,
		doExplore,
		doSymbols,
		doOutline,
		doFindSymbol,
		doSource,
		doHierarchy,
		doSignatureHelp,
		doCompletions,
		doInlayHints,
		doSemanticTokens,
		doFolding,
		in(api.Open, overlayOf, (*overlay.View).Open),
		in(api.Close, overlayOf, (*overlay.View).Close),
		doStatus,
		doImpact,
		doTestsFor,
		doCrossRepoReferences,
		doDocumentation,
		doEditingContext,
		doCapabilities,
		doWorkspaceFolders,
		in(api.NotifyChanged, overlayOf, (*overlay.View).NotifyChanged),
		doServers,
		doDoctor,
		doEvents,
	}
}

// Call implements [api.Caller].
func (e *Engine) Call(ctx context.Context, name string, req, res any) error {
	if api.CallOf(ctx).Absolute {
		e = e.namingAbsolutely()
	}
	for _, op := range catalog() {
		if op.name == name {
			return restated(op.call(ctx, e, req, res))
		}
	}
	return restated(&api.UnknownOperationError{Name: name})
}
