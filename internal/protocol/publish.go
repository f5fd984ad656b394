package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Bounds of what is read of one publish. A file with more is one that somebody generated, or the server is at fault; whoever
// uses a [Publish] looks at Left before it says that a file has no other errors.
const (
	// MaxPublished is how many diagnostics are read.
	MaxPublished = 20_000
	// maxPublishedBytes is how long their JSON may be altogether, and maxElement that of one of them, in bytes.
	maxPublishedBytes = 16 << 20
	maxElement        = 4 << 20
)

// A Publish is textDocument/publishDiagnostics.
type Publish struct {
	URI DocumentURI
	// Version is the document version the server says it speaks of, or nil:
	// most servers say nothing.
	Version *int32
	Items   []Diagnostic
	// Skipped counts the elements that are no diagnostics, Left those that were not read because there are too many, or because
	// they are too long.
	Skipped, Left int

	read int // bytes of the elements in Items
}

var publishNames = []string{"uri", "version", "diagnostics"}

// DecodePublish decodes the parameters of textDocument/publishDiagnostics. It keeps nothing of raw, and of a long list it
// copies only what it returns.
func DecodePublish(raw json.RawMessage) (Publish, error) {
	var p Publish
	var version json.RawMessage
	whole := scanned(raw, func(s *scanner) {
		s.object(publishNames, func(name string) {
			switch name {
			case "uri":
				p.URI = DocumentURI(s.string())
			case "version":
				version = s.span()
			default:
				if !s.null() {
					s.array(func() { p.take(s.span()) })
				}
			}
		})
	})
	if !whole {
		var err error
		if p, version, err = decodeOddPublish(raw); err != nil {
			return Publish{}, fmt.Errorf("publishDiagnostics: %w", err)
		}
	}
	if n, ok := number(version); ok {
		v := int32(max(min(n, 1<<31-1), -1<<31))
		p.Version = &v
	}
	return p, nil
}

// decodeOddPublish decodes what a scanner does not take.
func decodeOddPublish(raw json.RawMessage) (p Publish, version json.RawMessage, err error) {
	var w struct {
		URI         string          `json:"uri"`
		Version     json.RawMessage `json:"version"`
		Diagnostics json.RawMessage `json:"diagnostics"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return Publish{}, nil, err
	}
	elements, err := splitArray(w.Diagnostics)
	if err != nil {
		return Publish{}, nil, err
	}
	p.URI = DocumentURI(w.URI)
	for _, element := range elements {
		p.take(element)
	}
	return p, w.Version, nil
}

// take decodes one of the diagnostics, or counts it.
func (p *Publish) take(element json.RawMessage) {
	if len(p.Items) == MaxPublished || len(element) > maxElement || p.read+len(element) > maxPublishedBytes {
		p.Left++
		return
	}
	d, ok := decodeDiagnostic(bytes.Clone(element))
	if !ok {
		p.Skipped++
		return
	}
	p.read += len(element)
	p.Items = append(p.Items, d)
}
