package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// call sends a request whose capability was declared. It passes through the
// operation queue, so that it comes after the writes before it.
func (s *Server) call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	if !s.Supports(method) {
		return nil, &UnsupportedError{Server: s.def.ID, Method: method}
	}
	return s.send(ctx, method, params)
}

func (s *Server) send(ctx context.Context, method string, params any) (json.RawMessage, error) {
	raw, err := protocol.Marshal(params)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	answered := s.docs.asks() // after the writes before it
	settled, began := s.Owes(), time.Now()
	var result json.RawMessage
	// A rename looks for the references as a request for them does.
	if (method == "textDocument/references" || method == "textDocument/rename") && s.def.Has(registry.KeepReferences) {
		result, err = s.callUncancelled(ctx, method, raw, answered)
	} else {
		result, err = s.conn.Call(ctx, method, raw)
		answered()
	}
	settled(err == nil || ctx.Err() == nil)
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		s.Missed()
	}
	err = s.ending(ctx, err)
	s.exchanged(ctx, began, method, raw, result, err)
	return result, err
}

// ending returns the error of a call or, if the call was broken by it, the end of
// the process, which says more.
func (s *Server) ending(ctx context.Context, err error) error {
	if errors.Is(err, jsonrpc.ErrClosed) {
		select {
		case <-s.done:
			if ended := s.Err(); ended != nil {
				return ended
			}
		case <-ctx.Done():
		}
	}
	return err
}

// Pull sends textDocument/diagnostic for an open document. An empty identifier
// or previous result id is left out.
func (s *Server) Pull(ctx context.Context, path, identifier, previous string) (protocol.Report, error) {
	report, err := s.pull(ctx, path, identifier, previous)
	if err != nil {
		return protocol.Report{}, err
	}
	if again, err := s.lookAgain(path, report.Items); err != nil {
		return protocol.Report{}, err
	} else if again {
		if report, err = s.pull(ctx, path, identifier, previous); err != nil {
			return protocol.Report{}, err
		}
	}
	s.drop(report.Skipped)
	report.Items = s.reported(path, report.Items)
	for uri, related := range report.Related {
		if relatedPath, err := uri.Path(); err == nil {
			related.Items = s.reported(relatedPath, related.Items)
			report.Related[uri] = related
		}
	}
	return report, nil
}

// pull sends the request and decodes the answer, whose places are as the server counts them.
func (s *Server) pull(ctx context.Context, path, identifier, previous string) (protocol.Report, error) {
	raw, err := s.call(ctx, "textDocument/diagnostic", protocol.PullParams(protocol.URIFromPath(path), identifier, previous))
	if err != nil {
		return protocol.Report{}, err
	}
	return protocol.DecodeReport(raw)
}

// Diagnose sends a diagnosis command for a file and returns the diagnostics in
// its answer; nil for a command that answers after publishing. Only commands
// of the registry are sent.
func (s *Server) Diagnose(ctx context.Context, call registry.CommandCall, path string) ([]protocol.Diagnostic, error) {
	if !s.SupportsCommand(call.Command) {
		return nil, &UnsupportedError{Server: s.def.ID, Method: call.Command}
	}
	arguments, err := s.fillIn(call.Arguments, path)
	if err != nil {
		return nil, err
	}
	if call.Result == registry.ResultTSServer {
		if err := s.bringHome(ctx, path); err != nil {
			return nil, err
		}
	}
	execute := func() (json.RawMessage, error) {
		return s.send(ctx, "workspace/executeCommand", protocol.ExecuteCommandParams(call.Command, arguments))
	}
	raw, err := execute()
	if opened, failed := s.openUnowned(path, raw, err); failed != nil {
		return nil, failed
	} else if opened {
		raw, err = execute()
	}
	if err != nil || call.Result != registry.ResultTSServer {
		return nil, err
	}
	items, skipped, err := protocol.DecodeTSServer(raw)
	s.drop(skipped)
	s.carryOver(path, items)
	return s.reported(path, items), err
}

// fillIn replaces ${path}, ${uri} and ${uris} in the arguments of a command.
func (s *Server) fillIn(arguments []json.RawMessage, path string) ([]json.RawMessage, error) {
	quotedPath, err := json.Marshal(path)
	if err != nil {
		return nil, err
	}
	uris := []protocol.DocumentURI{protocol.URIFromPath(path)}
	s.docs.mu.Lock()
	// A file that makes the root may be none that the command takes.
	if home := s.homeLocked(path); home != nil && slices.Contains(s.def.Roots, filepath.Base(path)) {
		uris = append(uris, protocol.URIFromPath(home.Probe))
	}
	for _, user := range s.usersLocked(path) {
		uris = append(uris, protocol.URIFromPath(user.Probe))
	}
	for _, other := range s.builtElsewhereLocked() {
		if other == path { // one that need not exist stands for what is built here
			other = filepath.Join(filepath.Dir(path), "lspine.go")
		}
		uris = append(uris, protocol.URIFromPath(other))
	}
	s.docs.mu.Unlock()
	quotedURI, err := json.Marshal(uris[0])
	if err != nil {
		return nil, err
	}
	quotedURIs, err := json.Marshal(uris)
	if err != nil {
		return nil, err
	}
	replacer := strings.NewReplacer(`"${path}"`, string(quotedPath), `"${uri}"`, string(quotedURI), `"${uris}"`, string(quotedURIs))
	filled := make([]json.RawMessage, len(arguments))
	for i, a := range arguments {
		filled[i] = json.RawMessage(replacer.Replace(string(a)))
	}
	return filled, nil
}

// BeginDiskCheck begins the definition's check of the disk. Of a request it waits
// for the answer, which is the check's end, and returns the messages of all errors that the
// server lists then, by path; nil if it does not list them.
func (s *Server) BeginDiskCheck(ctx context.Context) (listed map[string][]string, err error) {
	d := s.def.Diagnostics.Disk
	if d.Title == "" {
		s.diskList.begin()
		answer, err := s.send(ctx, d.Method, d.Params)
		if err != nil {
			return nil, err
		}
		return s.diskList.end(d.List, answer)
	}
	if err := s.expectChecks(ctx, d); err != nil {
		return nil, err
	}
	s.docs.pass()
	return nil, s.notify(d.Method, d.Params)
}

// Barrier sends a request about an open document and waits for its response,
// whatever it is: what matters is that everything the server sent before it has
// been observed. It fails if the response does not come.
func (s *Server) Barrier(ctx context.Context, method, path string) error {
	var err error
	if method == tokensRange {
		_, err = s.callWithin(ctx, method, path, s.all(path))
	} else {
		_, err = s.call(ctx, method, protocol.DocumentParams(protocol.URIFromPath(path)))
	}
	var answered *jsonrpc.ResponseError
	if errors.As(err, &answered) {
		return nil
	}
	return err
}

// Symbols returns the symbols of an open document, positions in UTF-16.
func (s *Server) Symbols(ctx context.Context, path string) ([]protocol.Symbol, error) {
	raw, err := s.call(ctx, "textDocument/documentSymbol", protocol.DocumentParams(protocol.URIFromPath(path)))
	if err != nil {
		return nil, err
	}
	symbols, skipped, err := protocol.DecodeSymbols(raw)
	s.drop(skipped)
	s.translation().symbols(path, symbols)
	return symbols, err
}

// Locations sends a request of the definition family (textDocument/definition,
// declaration, typeDefinition, implementation) for a place in an open
// document. Positions are in UTF-16.
func (s *Server) Locations(ctx context.Context, method, path string, at protocol.Position) ([]protocol.Location, error) {
	return s.locations(ctx, method, protocol.PositionParams(protocol.URIFromPath(path), s.reading(path).toWire(at)))
}

// References sends textDocument/references for a place in an open document.
func (s *Server) References(ctx context.Context, path string, at protocol.Position, includeDeclaration bool) ([]protocol.Location, error) {
	if !includeDeclaration && s.def.Has(registry.DeclarationsByHand) {
		return s.usesByHand(ctx, path, at)
	}
	return s.locations(ctx, "textDocument/references",
		protocol.ReferenceParams(protocol.URIFromPath(path), s.reading(path).toWire(at), includeDeclaration))
}

func (s *Server) locations(ctx context.Context, method string, params any) ([]protocol.Location, error) {
	raw, err := s.call(ctx, method, params)
	if err != nil {
		return nil, err
	}
	locations, skipped, err := protocol.DecodeLocations(raw)
	s.drop(skipped)
	translation := s.translation()
	for i := range locations {
		locations[i].Range = translation.in(locations[i].URI, locations[i].Range)
	}
	return locations, err
}

// Hover returns the text of [Server.HoverAt].
func (s *Server) Hover(ctx context.Context, path string, at protocol.Position) (string, error) {
	hover, err := s.HoverAt(ctx, path, at)
	return hover.Text, err
}
