package replay

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"

	"github.com/lspine/lspine/internal/protocol"
)

// texts are the documents that a client shows a server, by URI. Answers are about them, so a question that
// is put about other texts is another one.
type texts struct {
	encoding protocol.Encoding
	open     map[string][]byte
}

// documentParams are the parameters of the notifications about documents.
type documentParams struct {
	TextDocument struct {
		URI  string `json:"uri"`
		Text string `json:"text"`
	} `json:"textDocument"`
	ContentChanges []struct {
		Range *protocol.Range `json:"range"`
		Text  string          `json:"text"`
	} `json:"contentChanges"`
}

// take takes a message of the client.
func (t *texts) take(m message) {
	var p documentParams
	switch m.Method {
	case "textDocument/didOpen", "textDocument/didChange", "textDocument/didClose":
		if json.Unmarshal(m.Params, &p) != nil {
			return
		}
	}
	switch uri := p.TextDocument.URI; m.Method {
	case "textDocument/didOpen":
		t.open[uri] = []byte(p.TextDocument.Text)
	case "textDocument/didClose":
		delete(t.open, uri)
	case "textDocument/didChange":
		for _, c := range p.ContentChanges {
			if c.Range == nil {
				t.open[uri] = []byte(c.Text)
				continue
			}
			mapper := protocol.NewMapper(t.open[uri])
			start, end := mapper.Offset(c.Range.Start, t.encoding), mapper.Offset(c.Range.End, t.encoding)
			if text := mapper.Content(); 0 <= start && start <= end && end <= len(text) {
				t.open[uri] = slices.Concat(text[:start], []byte(c.Text), text[end:])
			}
		}
	}
}

// state names the texts that are open: equal for equal texts, in whatever way they came about.
func (t *texts) state() string {
	sum := sha256.New()
	for _, uri := range slices.Sorted(maps.Keys(t.open)) {
		text := sha256.Sum256(t.open[uri])
		sum.Write([]byte(uri + "\x00" + hex.EncodeToString(text[:]) + "\n"))
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}
