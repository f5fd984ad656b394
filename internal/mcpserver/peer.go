package mcpserver

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// asPeer adapts an answer to clients written for agent-lsp: its text is the JSON of the result,
// unless the server is configured to write prose, and it has a hint. Tools meant to save context
// report how much they saved.
func (s *Server) asPeer(t *tool, result *mcp.CallToolResult) *mcp.CallToolResult {
	if s.opts.Profile != profileFull || result.IsError {
		return result
	}
	raw, err := encoded(result.StructuredContent)
	if err != nil {
		return result
	}
	if hint := s.hintAfter(t); hint != "" {
		raw = withMember(raw, "hint", hint)
	}
	result.StructuredContent = json.RawMessage(raw)
	if !s.opts.Prose {
		result.Content = []mcp.Content{&mcp.TextContent{Text: string(raw)}}
	}
	return result
}

// encoded returns JSON as models read it.
func encoded(value any) ([]byte, error) {
	var b bytes.Buffer
	err := legible.Encode(&b, value, "")
	return bytes.TrimSpace(b.Bytes()), err
}

// withMember adds a member at the end of an object.
func withMember(object []byte, name, value string) []byte {
	member, err := encoded(map[string]string{name: value})
	if err != nil || !bytes.HasSuffix(object, []byte("}")) {
		return object
	}
	if string(object) == "{}" {
		return member
	}
	return append(append(bytes.Clone(object[:len(object)-1]), ','), member[1:]...)
}

// savings compares the cost of an answer with that of the file it is about, in tokens of about four
// bytes.
type savings struct {
	Returned int `json:"tokens_returned"`
	FullFile int `json:"tokens_full_file"`
	Saved    int `json:"tokens_saved"`
	Percent  int `json:"percent_saved"`
}

// bytesPerToken is roughly right for code.
const bytesPerToken = 4

// save adds the savings of an answer to its metadata.
func (t *tool) save(answer *mcp.CallToolResult, root string, replies []result.Result) {
	if !t.saves || answer.IsError || len(replies) == 0 {
		return
	}
	var path string
	switch reply := replies[0].(type) {
	case *result.Symbols:
		path = reply.Path
	case *result.Source:
		path = reply.Path
	case *result.EditingContext:
		path = reply.Path
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, filepath.FromSlash(path))
	}
	info, err := os.Stat(path)
	if err != nil || path == "" {
		return
	}
	returned := 0
	for _, c := range answer.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			returned += len(text.Text)
		}
	}
	s := savings{Returned: tokens(returned), FullFile: tokens(int(info.Size()))}
	s.Saved = max(0, s.FullFile-s.Returned)
	if s.FullFile > 0 {
		s.Percent = 100 * s.Saved / s.FullFile
	}
	answer.Meta = mcp.Meta{"token_savings": s}
}

func tokens(bytes int) int { return (bytes + bytesPerToken - 1) / bytesPerToken }
