package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// An answerOfNavto is what tsserver found; its places are 1-based.
type answerOfNavto struct {
	Body []struct {
		Name, Kind, ContainerName, File string
		Start                           struct{ Line, Offset uint32 }
	}
}

// kindsOfTSServer are LSP's kinds of symbols by tsserver's names for them.
var kindsOfTSServer = map[string]int{
	"module": 2, "class": 5, "local class": 5, "interface": 11,
	"type": 11, "enum": 10, "enum member": 22, "function": 12,
	"local function": 12, "method": 6, "getter": 7, "setter": 7,
	"property": 7, "accessor": 7, "constructor": 9, "const": 14,
}

// navigateTo returns the symbols that fit a query, as a command of the server finds them.
func (s *Server) navigateTo(ctx context.Context, search *registry.CommandCall, query string) ([]protocol.Symbol, error) {
	quoted, err := json.Marshal(query)
	if err != nil {
		return nil, err
	}
	arguments := make([]json.RawMessage, len(search.Arguments))
	for i, argument := range search.Arguments {
		arguments[i] = bytes.ReplaceAll(argument, []byte(`"`+registry.SearchQuery+`"`), quoted)
	}
	raw, err := s.call(ctx, "workspace/executeCommand", protocol.ExecuteCommandParams(search.Command, arguments))
	if err != nil {
		return nil, err
	}
	var answer answerOfNavto
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, fmt.Errorf("%s: %w", search.Command, err)
	}
	var found []protocol.Symbol
	for _, item := range answer.Body {
		kind, known := kindsOfTSServer[item.Kind]
		if !known {
			kind = 13 // a variable
		}
		at := protocol.Position{Line: max(item.Start.Line, 1) - 1, Character: max(item.Start.Offset, 1) - 1}
		found = append(found, protocol.Symbol{
			Name: item.Name, Kind: kind, Container: item.ContainerName, URI: protocol.URIFromPath(item.File),
			Range: protocol.Range{Start: at, End: at}, SelectionRange: protocol.Range{Start: at, End: at},
		})
	}
	return found, nil
}
