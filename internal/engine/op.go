package engine

import (
	"context"
	"fmt"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/assembly"
	"github.com/lspine/lspine/internal/checking"
	"github.com/lspine/lspine/internal/doctor"
	"github.com/lspine/lspine/internal/editing"
	"github.com/lspine/lspine/internal/navigation"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/refcache"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/simulation"
	"github.com/lspine/lspine/internal/toolchain"
)

// A binding is an operation of the catalog with the function that carries it out.
type binding struct {
	name string
	call func(ctx context.Context, e *Engine, req, res any) error
}

// bind returns the binding of an operation to a function.
func bind[Req, Res any](op api.Op[Req, Res], run func(context.Context, *Engine, Req) (Res, error)) binding {
	return binding{op.Name, func(ctx context.Context, e *Engine, req, res any) error {
		request, err := op.Request(req)
		if err != nil {
			e.recordRefused(ctx, governed{operation: op.Name, class: op.Class, request: req}, err)
			return err
		}
		target, ok := res.(*Res)
		if !ok {
			return fmt.Errorf("%s: result is %T, want %T", op.Name, res, target)
		}
		answer, err := perform(ctx, e, op, request, run)
		if err == nil {
			*target = answer
		}
		return err
	}}
}

// in returns the binding of an operation to a method of a room (an internal package), as the caller
// sees it.
func in[Room, Req, Res any](op api.Op[Req, Res], room func(*Engine) Room, run func(Room, context.Context, Req) (Res, error)) binding {
	return bind(op, func(ctx context.Context, e *Engine, req Req) (Res, error) { return run(room(e), ctx, req) })
}

// catalog returns the bindings of all operations, in the order of [api.Operations].
func catalog() []binding {
	return []binding{
		in(api.Check, checkerOf, (*checking.Checker).Check),
		in(api.EditFiles, editorOf, (*editing.Editor).EditFiles),
		in(api.EditSymbol, editorOf, (*editing.Editor).EditSymbol),
		in(api.Build, toolchainOf, (*toolchain.Toolchain).Build),
		in(api.Test, toolchainOf, (*toolchain.Toolchain).Test),
		in(api.Rename, editorOf, (*editing.Editor).Rename),
		in(api.PrepareRename, editorOf, (*editing.Editor).PrepareRename),
		in(api.Fixes, editorOf, (*editing.Editor).Fixes),
		in(api.Format, editorOf, (*editing.Editor).Format),
		in(api.FormatEdits, editorOf, (*editing.Editor).FormatEdits),
		in(api.ExecuteCommand, editorOf, (*editing.Editor).ExecuteCommand),
		in(api.CodeLenses, editorOf, (*editing.Editor).CodeLenses),
		in(api.ExecuteLens, editorOf, (*editing.Editor).ExecuteLens),
		in(api.Simulate, simulatorOf, (*simulation.Simulator).Simulate),
		in(api.Diagnostics, checkerOf, (*checking.Checker).Diagnostics),
		in(api.Definition, navigatorOf, (*navigation.Navigator).Definition),
		in(api.Declaration, navigatorOf, (*navigation.Navigator).Declaration),
		in(api.TypeDefinition, navigatorOf, (*navigation.Navigator).TypeDefinition),
		in(api.Implementation, navigatorOf, (*navigation.Navigator).Implementation),
		in(api.References, navigatorOf, (*navigation.Navigator).References),
		in(api.Highlights, navigatorOf, (*navigation.Navigator).Highlights),
		in(api.Inspect, navigatorOf, (*navigation.Navigator).Inspect),
		in(api.Explore, navigatorOf, (*navigation.Navigator).Explore),
		in(api.Symbols, navigatorOf, (*navigation.Navigator).Symbols),
		in(api.Outline, navigatorOf, (*navigation.Navigator).Outline),
		in(api.FindSymbol, navigatorOf, (*navigation.Navigator).FindSymbol),
		in(api.Source, navigatorOf, (*navigation.Navigator).Source),
		in(api.Hierarchy, navigatorOf, (*navigation.Navigator).Hierarchy),
		in(api.SignatureHelp, navigatorOf, (*navigation.Navigator).SignatureHelp),
		in(api.Completions, navigatorOf, (*navigation.Navigator).Completions),
		in(api.InlayHints, navigatorOf, (*navigation.Navigator).InlayHints),
		in(api.SemanticTokens, navigatorOf, (*navigation.Navigator).SemanticTokens),
		in(api.Folding, navigatorOf, (*navigation.Navigator).Folding),
		in(api.Open, overlayOf, (*overlay.View).Open),
		in(api.Close, overlayOf, (*overlay.View).Close),
		in(api.Status, doctorOf, (*doctor.Doctor).Status),
		in(api.Impact, assemblerOf, (*assembly.Assembler).Impact),
		in(api.TestsFor, assemblerOf, (*assembly.Assembler).TestsFor),
		in(api.CrossRepoReferences, assemblerOf, (*assembly.Assembler).CrossRepoReferences),
		in(api.Documentation, toolchainOf, (*toolchain.Toolchain).Documentation),
		in(api.EditingContext, assemblerOf, (*assembly.Assembler).EditingContext),
		in(api.Assemble, assemblerOf, (*assembly.Assembler).Assemble),
		in(api.Revalidate, assemblerOf, (*assembly.Assembler).Revalidate),
		in(api.BeginTurn, checkerOf, (*checking.Checker).BeginTurn),
		bind(api.CloseTurn, closeTurn),
		in(api.Capabilities, doctorOf, (*doctor.Doctor).Capabilities),
		in(api.WorkspaceFolders, assemblerOf, (*assembly.Assembler).WorkspaceFolders),
		in(api.NotifyChanged, overlayOf, (*overlay.View).NotifyChanged),
		in(api.ExportCache, cacheOf, (*refcache.Exchange).Export),
		in(api.ImportCache, cacheOf, (*refcache.Exchange).Import),
		in(api.ExportIndex, indexerOf, (*navigation.Indexer).ExportIndex),
		in(api.ImportIndex, cacheOf, (*refcache.Exchange).ImportIndex),
		in(api.Indexes, cacheOf, (*refcache.Exchange).Indexes),
		in(api.Servers, doctorOf, (*doctor.Doctor).Servers),
		in(api.Doctor, doctorOf, (*doctor.Doctor).Examine),
		bind(api.PolicyCheck, func(ctx context.Context, e *Engine, req api.PolicyRequest) (result.Policy, error) {
			return e.PolicyCheck(ctx, req)
		}),
		in(api.Events, doctorOf, (*doctor.Doctor).Events),
		bind(api.Sessions, func(ctx context.Context, e *Engine, req api.SessionsRequest) (result.Sessions, error) {
			return e.Sessions(ctx, req)
		}),
	}
}

// Call implements [api.Caller]. Errors have an [*result.Error] in their chain, and the cause next
// to it.
func (e *Engine) Call(ctx context.Context, name string, req, res any) error {
	with := api.CallOf(ctx)
	e = e.as(with)
	if !with.Own && name != api.Events.Name && name != api.Sessions.Name { // with these, whoever watches waits
		defer e.sessions.beginCall(&with, name)()
	}
	for _, op := range catalog() {
		if op.name == name {
			return restated(op.call(ctx, e, req, res))
		}
	}
	err := &api.UnknownOperationError{Name: name}
	e.recordRefused(ctx, governed{operation: name}, err)
	return restated(err)
}
