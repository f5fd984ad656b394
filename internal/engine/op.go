package engine

import (
	"context"
	"fmt"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/assembly"
	"github.com/lspine/lspine/internal/navigation"
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
		in(api.Definition, navigator, (*navigation.Navigator).Definition),
		in(api.Declaration, navigator, (*navigation.Navigator).Declaration),
		in(api.TypeDefinition, navigator, (*navigation.Navigator).TypeDefinition),
		in(api.Implementation, navigator, (*navigation.Navigator).Implementation),
		in(api.References, navigator, (*navigation.Navigator).References),
		in(api.Highlights, navigator, (*navigation.Navigator).Highlights),
		in(api.Inspect, navigator, (*navigation.Navigator).Inspect),
		in(api.Explore, navigator, (*navigation.Navigator).Explore),
		in(api.Symbols, navigator, (*navigation.Navigator).Symbols),
		in(api.Outline, navigator, (*navigation.Navigator).Outline),
		in(api.FindSymbol, navigator, (*navigation.Navigator).FindSymbol),
		in(api.Source, navigator, (*navigation.Navigator).Source),
		in(api.Hierarchy, navigator, (*navigation.Navigator).Hierarchy),
		in(api.SignatureHelp, navigator, (*navigation.Navigator).SignatureHelp),
		in(api.Completions, navigator, (*navigation.Navigator).Completions),
		in(api.InlayHints, navigator, (*navigation.Navigator).InlayHints),
		in(api.SemanticTokens, navigator, (*navigation.Navigator).SemanticTokens),
		in(api.Folding, navigator, (*navigation.Navigator).Folding),
		in(api.Open, overlayOf, (*overlay.View).Open),
		in(api.Close, overlayOf, (*overlay.View).Close),
		doStatus,
		in(api.Impact, assembler, (*assembly.Assembler).Impact),
		in(api.TestsFor, assembler, (*assembly.Assembler).TestsFor),
		in(api.CrossRepoReferences, assembler, (*assembly.Assembler).CrossRepoReferences),
		doDocumentation,
		in(api.EditingContext, assembler, (*assembly.Assembler).EditingContext),
		doCapabilities,
		in(api.WorkspaceFolders, assembler, (*assembly.Assembler).WorkspaceFolders),
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
