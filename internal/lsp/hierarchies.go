package lsp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/lspine/lspine/internal/protocol"
)

// The requests that lead from one symbol to others, in files that need not be
// open. Positions are 0-based, in UTF-16 units, both ways. Each returns an
// *UnsupportedError, and sends nothing, if the server did not declare it.

// WorkspaceSymbols returns the symbols of all files that fit a query
// (workspace/symbol); what fits is the server's to say.
func (s *Server) WorkspaceSymbols(ctx context.Context, query string) ([]protocol.Symbol, error) {
	if search := s.def.Diagnostics.Search; search != nil {
		return s.navigateTo(ctx, search, query)
	}
	raw, err := s.call(ctx, "workspace/symbol", protocol.QueryParams(query))
	if err != nil {
		return nil, err
	}
	symbols, skipped, err := protocol.DecodeSymbols(raw)
	s.drop(skipped)
	translation := s.translation()
	for i := range symbols {
		found := &symbols[i]
		if found.NoRange {
			continue
		}
		found.Range = translation.in(found.URI, found.Range)
		found.SelectionRange = translation.in(found.URI, found.SelectionRange)
	}
	return symbols, err
}

// PrepareCallHierarchy returns what stands at a place of an open document, to
// ask [Server.IncomingCalls] and [Server.OutgoingCalls] about.
func (s *Server) PrepareCallHierarchy(ctx context.Context, path string, at protocol.Position) ([]protocol.HierarchyItem, error) {
	raw, err := s.callAt(ctx, "textDocument/prepareCallHierarchy", path, at)
	return s.items(raw, err)
}

// PrepareTypeHierarchy returns what stands at a place of an open document, to
// ask [Server.Supertypes] and [Server.Subtypes] about.
func (s *Server) PrepareTypeHierarchy(ctx context.Context, path string, at protocol.Position) ([]protocol.HierarchyItem, error) {
	raw, err := s.callAt(ctx, "textDocument/prepareTypeHierarchy", path, at)
	return s.items(raw, err)
}

// Supertypes returns what an item of the server derives from.
func (s *Server) Supertypes(ctx context.Context, item protocol.HierarchyItem) ([]protocol.HierarchyItem, error) {
	raw, err := s.callFor(ctx, "typeHierarchy/supertypes", item)
	return s.items(raw, err)
}

// Subtypes returns what derives from an item of the server.
func (s *Server) Subtypes(ctx context.Context, item protocol.HierarchyItem) ([]protocol.HierarchyItem, error) {
	raw, err := s.callFor(ctx, "typeHierarchy/subtypes", item)
	return s.items(raw, err)
}

// IncomingCalls returns who calls an item of the server; the ranges are in the
// file of each [protocol.Call]'s item.
func (s *Server) IncomingCalls(ctx context.Context, item protocol.HierarchyItem) ([]protocol.Call, error) {
	raw, err := s.callFor(ctx, "callHierarchy/incomingCalls", item)
	return s.calls(raw, err, func(call protocol.Call) protocol.DocumentURI { return call.Item.URI })
}

// OutgoingCalls returns what an item of the server calls; the ranges are in
// that item's own file.
func (s *Server) OutgoingCalls(ctx context.Context, item protocol.HierarchyItem) ([]protocol.Call, error) {
	raw, err := s.callFor(ctx, "callHierarchy/outgoingCalls", item)
	return s.calls(raw, err, func(protocol.Call) protocol.DocumentURI { return item.URI })
}

// callFor sends a request about an item that the server gave.
func (s *Server) callFor(ctx context.Context, method string, item protocol.HierarchyItem) (json.RawMessage, error) {
	if len(item.Raw) == 0 {
		return nil, fmt.Errorf("%s: %q is not an item that %s gave", method, item.Name, s.def.ID)
	}
	return s.call(ctx, method, protocol.ItemParams(item.Raw))
}

func (s *Server) items(raw json.RawMessage, err error) ([]protocol.HierarchyItem, error) {
	if err != nil {
		return nil, err
	}
	items, skipped, err := protocol.DecodeHierarchyItems(raw)
	s.drop(skipped)
	translation := s.translation()
	for i := range items {
		translation.item(&items[i])
	}
	return items, err
}

// calls decodes calls; caller names the file that the ranges of a call are in.
func (s *Server) calls(raw json.RawMessage, err error, caller func(protocol.Call) protocol.DocumentURI) ([]protocol.Call, error) {
	if err != nil {
		return nil, err
	}
	calls, skipped, err := protocol.DecodeCalls(raw)
	s.drop(skipped)
	translation := s.translation()
	for i := range calls {
		call := &calls[i]
		translation.item(&call.Item)
		for j := range call.Ranges {
			call.Ranges[j] = translation.in(caller(*call), call.Ranges[j])
		}
	}
	return calls, err
}
