package raw

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
)

// An Answer is what a question of navigation gave: how many things there are,
// in how many files, and in how many bytes of JSON the server said so.
type Answer struct {
	Count, Files, Bytes int
	// First is the file of the first of them.
	First string

	places locations
}

// Show opens a file as it is on disk, unless it is open, and waits for nothing.
func (c *Client) Show(file string) error {
	file = c.absolute(file)
	if c.documents[file] != nil {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return c.explain("opening "+file, c.show(file, string(text)))
}

// request sends a request, again if the server takes it back, and decodes the
// answer; it returns the length of that, too.
func request[T any](ctx context.Context, c *Client, method string, params object) (result T, length int, err error) {
	for {
		waiting, err := c.conn.send(method, params)
		if err != nil {
			return result, 0, c.explain(method, err)
		}
		answer, err := c.conn.await(ctx, waiting)
		if refused, ok := errors.AsType[*responseError](err); ok && isRetry(refused.Code) {
			continue
		}
		if err == nil {
			err = json.Unmarshal(answer, &result)
		}
		return result, len(answer), c.explain(method, err)
	}
}

func at(file string, line, character int) object {
	return object{
		"textDocument": object{"uri": uriOf(file)},
		"position":     object{"line": line, "character": character},
	}
}

// A wireRange is decoded because a client would; nothing here looks at it.
type wireRange struct {
	Start, End struct{ Line, Character uint32 }
}

type location struct {
	URI   string
	Range wireRange
}

// locations also takes a single one.
type locations []location

func (l *locations) UnmarshalJSON(raw []byte) error {
	if bytes.HasPrefix(raw, []byte("{")) {
		*l = make(locations, 1)
		return json.Unmarshal(raw, &(*l)[0])
	}
	return json.Unmarshal(raw, (*[]location)(l))
}

func (c *Client) locations(ctx context.Context, method string, params object) (Answer, error) {
	found, length, err := request[locations](ctx, c, method, params)
	files := make(map[string]bool)
	for _, l := range found {
		files[l.URI] = true
	}
	answer := Answer{Count: len(found), Files: len(files), Bytes: length, places: found}
	if len(found) > 0 {
		answer.First = fileOf(found[0].URI)
	}
	return answer, err
}

// Definition sends textDocument/definition for a place in an open file.
func (c *Client) Definition(ctx context.Context, file string, line, character int) (Answer, error) {
	return c.locations(ctx, "textDocument/definition", at(file, line, character))
}

// References sends textDocument/references, with the declaration or without.
func (c *Client) References(ctx context.Context, file string, line, character int, declaration bool) (Answer, error) {
	params := at(file, line, character)
	params["context"] = object{"includeDeclaration": declaration}
	return c.locations(ctx, "textDocument/references", params)
}

// Lines returns the texts of the lines that the places of an answer are in, which no
// server gives: each file is read once, as a client would that shows them.
func (a Answer) Lines() ([]string, error) {
	byFile := make(map[string][]string)
	var texts []string
	for _, p := range a.places {
		lines, read := byFile[p.URI]
		if !read {
			content, err := os.ReadFile(fileOf(p.URI))
			if err != nil {
				return nil, err
			}
			lines = strings.Split(string(content), "\n")
			byFile[p.URI] = lines
		}
		if int(p.Range.Start.Line) < len(lines) {
			texts = append(texts, strings.TrimSpace(lines[p.Range.Start.Line]))
		}
	}
	return texts, nil
}

// Hover sends textDocument/hover. Something to say counts as one.
func (c *Client) Hover(ctx context.Context, file string, line, character int) (Answer, error) {
	hover, length, err := request[*struct {
		Contents json.RawMessage
		Range    wireRange
	}](ctx, c, "textDocument/hover", at(file, line, character))
	answer := Answer{Bytes: length}
	if hover != nil {
		answer.Count = 1
	}
	return answer, err
}

type wireSymbol struct {
	Name, Detail          string
	Kind                  int
	Range, SelectionRange wireRange
	Children              []wireSymbol
}

// DocumentSymbols sends textDocument/documentSymbol. All levels count.
func (c *Client) DocumentSymbols(ctx context.Context, file string) (Answer, error) {
	symbols, length, err := request[[]wireSymbol](ctx, c, "textDocument/documentSymbol", object{"textDocument": object{"uri": uriOf(file)}})
	return Answer{Count: countSymbols(symbols), Bytes: length}, err
}

func countSymbols(symbols []wireSymbol) int {
	n := len(symbols)
	for _, s := range symbols {
		n += countSymbols(s.Children)
	}
	return n
}

// WorkspaceSymbols sends workspace/symbol.
func (c *Client) WorkspaceSymbols(ctx context.Context, query string) (Answer, error) {
	symbols, length, err := request[[]struct {
		Name, ContainerName string
		Kind                int
		Location            location
	}](ctx, c, "workspace/symbol", object{"query": query})
	return Answer{Count: len(symbols), Bytes: length}, err
}

// IncomingCalls sends textDocument/prepareCallHierarchy, and then
// callHierarchy/incomingCalls for the first item. Callers count.
func (c *Client) IncomingCalls(ctx context.Context, file string, line, character int) (Answer, error) {
	items, length, err := request[[]json.RawMessage](ctx, c, "textDocument/prepareCallHierarchy", at(file, line, character))
	if err != nil || len(items) == 0 {
		return Answer{}, err
	}
	calls, more, err := request[[]struct {
		From struct {
			wireSymbol
			URI string
		}
		FromRanges []wireRange
	}](ctx, c, "callHierarchy/incomingCalls", object{"item": items[0]})
	return Answer{Count: len(calls), Bytes: length + more}, err
}
