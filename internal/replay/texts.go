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
	shown    map[string][]shown // the versions that each document has had, by URI, in their order
	named    string             // what state returns, "" if it is not known
}

// A shown is a version of a document: its text, and the state of all texts when it was shown.
type shown struct {
	version     int32
	text, state string
}

func newTexts() texts { return texts{open: make(map[string][]byte), shown: make(map[string][]shown)} }

// now returns the version that a document has, false if it is not open.
func (t *texts) now(uri string) (shown, bool) {
	all := t.shown[uri]
	if _, open := t.open[uri]; !open || len(all) == 0 {
		return shown{}, false
	}
	return all[len(all)-1], true
}

// documentParams are the parameters of the notifications about documents.
type documentParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int32  `json:"version"`
		Text    string `json:"text"`
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
		t.named = ""
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
	default:
		return
	}
	if text, open := t.open[p.TextDocument.URI]; open {
		version := shown{p.TextDocument.Version, named(text), t.state()}
		t.shown[p.TextDocument.URI] = append(t.shown[p.TextDocument.URI], version)
	}
}

// named returns what only equal texts have in common.
func named(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// state names the texts that are open: equal for equal texts, in whatever way they came about.
func (t *texts) state() string {
	if t.named != "" {
		return t.named
	}
	sum := sha256.New()
	for _, uri := range slices.Sorted(maps.Keys(t.open)) {
		sum.Write([]byte(uri + "\x00" + named(t.open[uri]) + "\n"))
	}
	t.named = hex.EncodeToString(sum.Sum(nil)[:8])
	return t.named
}
