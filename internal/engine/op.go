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

// inRoom returns the binding of an operation to a method of a room (an internal package), as the caller
// sees it.
func inRoom[Room, Req, Res any](op api.Op[Req, Res], room func(*Engine) Room, run func(Room, context.Context, Req) (Res, error)) binding {
	return bind(op, func(ctx context.Context, e *Engine, req Req) (Res, error) { return run(room(e), ctx, req) })
}

// catalog has the bindings of all operations, in the order of [api.Operations].
var catalog = []binding{
	inRoom(api.Check, checkerOf, (*checking.Checker).Check),
	inRoom(api.EditFiles, editorOf, (*editing.Editor).EditFiles),
	inRoom(api.EditSymbol, editorOf, (*editing.Editor).EditSymbol),
	inRoom(api.Build, toolchainOf, (*toolchain.Toolchain).Build),
	inRoom(api.Test, toolchainOf, (*toolchain.Toolchain).Test),
	inRoom(api.Rename, editorOf, (*editing.Editor).Rename),
	inRoom(api.PrepareRename, editorOf, (*editing.Editor).PrepareRename),
	inRoom(api.Fixes, editorOf, (*editing.Editor).Fixes),
	inRoom(api.Format, editorOf, (*editing.Editor).Format),
	inRoom(api.FormatEdits, editorOf, (*editing.Editor).FormatEdits),
	inRoom(api.ExecuteCommand, editorOf, (*editing.Editor).ExecuteCommand),
	inRoom(api.CodeLenses, editorOf, (*editing.Editor).CodeLenses),
	inRoom(api.ExecuteLens, editorOf, (*editing.Editor).ExecuteLens),
	inRoom(api.Simulate, simulatorOf, (*simulation.Simulator).Simulate),
	inRoom(api.Diagnostics, checkerOf, (*checking.Checker).Diagnostics),
	inRoom(api.Definition, navigatorOf, (*navigation.Navigator).Definition),
	inRoom(api.Declaration, navigatorOf, (*navigation.Navigator).Declaration),
	inRoom(api.TypeDefinition, navigatorOf, (*navigation.Navigator).TypeDefinition),
	inRoom(api.Implementation, navigatorOf, (*navigation.Navigator).Implementation),
	inRoom(api.References, navigatorOf, (*navigation.Navigator).References),
	inRoom(api.Highlights, navigatorOf, (*navigation.Navigator).Highlights),
	inRoom(api.Inspect, navigatorOf, (*navigation.Navigator).Inspect),
	inRoom(api.Explore, navigatorOf, (*navigation.Navigator).Explore),
	inRoom(api.Symbols, navigatorOf, (*navigation.Navigator).Symbols),
	inRoom(api.Outline, navigatorOf, (*navigation.Navigator).Outline),
	inRoom(api.FindSymbol, navigatorOf, (*navigation.Navigator).FindSymbol),
	inRoom(api.Source, navigatorOf, (*navigation.Navigator).Source),
	inRoom(api.Hierarchy, navigatorOf, (*navigation.Navigator).Hierarchy),
	inRoom(api.SignatureHelp, navigatorOf, (*navigation.Navigator).SignatureHelp),
	inRoom(api.Completions, navigatorOf, (*navigation.Navigator).Completions),
	inRoom(api.InlayHints, navigatorOf, (*navigation.Navigator).InlayHints),
	inRoom(api.SemanticTokens, navigatorOf, (*navigation.Navigator).SemanticTokens),
	inRoom(api.Folding, navigatorOf, (*navigation.Navigator).Folding),
	inRoom(api.Open, overlayOf, (*overlay.View).Open),
	inRoom(api.Close, overlayOf, (*overlay.View).Close),
	inRoom(api.Status, doctorOf, (*doctor.Doctor).Status),
	inRoom(api.Impact, assemblerOf, (*assembly.Assembler).Impact),
	inRoom(api.TestsFor, assemblerOf, (*assembly.Assembler).TestsFor),
	inRoom(api.CrossRepoReferences, assemblerOf, (*assembly.Assembler).CrossRepoReferences),
	inRoom(api.Documentation, toolchainOf, (*toolchain.Toolchain).Documentation),
	inRoom(api.EditingContext, assemblerOf, (*assembly.Assembler).EditingContext),
	inRoom(api.Assemble, assemblerOf, (*assembly.Assembler).Assemble),
	inRoom(api.Revalidate, assemblerOf, (*assembly.Assembler).Revalidate),
	inRoom(api.BeginTurn, checkerOf, (*checking.Checker).BeginTurn),
	bind(api.CloseTurn, closeTurn),
	inRoom(api.Capabilities, doctorOf, (*doctor.Doctor).Capabilities),
	inRoom(api.WorkspaceFolders, assemblerOf, (*assembly.Assembler).WorkspaceFolders),
	inRoom(api.NotifyChanged, overlayOf, (*overlay.View).NotifyChanged),
	inRoom(api.ExportCache, cacheOf, (*refcache.Exchange).Export),
	inRoom(api.ImportCache, cacheOf, (*refcache.Exchange).Import),
	inRoom(api.ExportIndex, indexerOf, (*navigation.Indexer).ExportIndex),
	inRoom(api.ImportIndex, cacheOf, (*refcache.Exchange).ImportIndex),
	inRoom(api.Indexes, cacheOf, (*refcache.Exchange).Indexes),
	inRoom(api.Servers, doctorOf, (*doctor.Doctor).Servers),
	inRoom(api.Doctor, doctorOf, (*doctor.Doctor).Examine),
	bind(api.PolicyCheck, func(ctx context.Context, e *Engine, req api.PolicyRequest) (result.Policy, error) {
		return e.PolicyCheck(ctx, req)
	}),
	inRoom(api.Events, doctorOf, (*doctor.Doctor).Events),
	bind(api.Sessions, func(ctx context.Context, e *Engine, req api.SessionsRequest) (result.Sessions, error) {
		return e.Sessions(ctx, req)
	}),
}

// Call implements [api.Caller]. Errors have an [*result.Error] in their chain, and the cause next
// to it.
func (e *Engine) Call(ctx context.Context, name string, req, res any) error {
	with := api.CallOf(ctx)
	e = e.forCaller(with)
	if !with.Own && name != api.Events.Name && name != api.Sessions.Name { // with these, whoever watches waits
		defer e.sessions.beginCall(&with, name)()
	}
	for _, op := range catalog {
		if op.name == name {
			return restated(op.call(ctx, e, req, res))
		}
	}
	err := &api.UnknownOperationError{Name: name}
	e.recordRefused(ctx, governed{operation: name}, err)
	return restated(err)
}
