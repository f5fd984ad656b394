package scip

import (
	"bufio"
	"io"

	"google.golang.org/protobuf/encoding/protowire"
)

// A Writer writes an index to a stream, a document at a time. Close ends it.
type Writer struct{ to *bufio.Writer }

// NewWriter begins an index.
func NewWriter(to io.Writer, m Metadata) *Writer {
	w := &Writer{bufio.NewWriterSize(to, 64<<10)}
	var tool, message []byte
	tool = appendText(appendText(nil, 1, m.ToolName), 2, m.ToolVersion)
	message = appendMessage(message, 2, tool)
	message = appendText(message, 3, m.ProjectRoot)
	message = appendNumber(message, 4, 1)                         // its files are in UTF-8
	_, _ = w.to.Write(appendMessage(nil, indexMetadata, message)) // Close says whether that failed
	return w
}

// Add adds a document.
func (w *Writer) Add(d *Document) error {
	_, err := w.to.Write(appendMessage(nil, indexDocument, d.Encode()))
	return err
}

// Encode returns the message of a document.
func (d *Document) Encode() []byte {
	message := appendText(nil, 1, d.Path)
	for i := range d.Occurrences {
		message = appendMessage(message, 2, d.Occurrences[i].encoded())
	}
	for i := range d.Symbols {
		message = appendMessage(message, 3, d.Symbols[i].encoded())
	}
	message = appendText(message, 4, d.Language)
	if d.HasText {
		message = appendMessage(message, 5, d.Text)
	}
	message = appendNumber(message, 6, uint64(d.Encoding))
	return appendText(message, documentHash, d.Hash)
}

// Close writes what is not written yet. It does not close the stream.
func (w *Writer) Close() error { return w.to.Flush() }

func (o *Occurrence) encoded() []byte {
	message := appendRange(nil, 1, o.Range)
	message = appendText(message, 2, o.Symbol)
	message = appendNumber(message, 3, uint64(o.Roles))
	if o.HasEnclosing {
		message = appendRange(message, 7, o.Enclosing)
	}
	return message
}

func (s *SymbolInformation) encoded() []byte {
	message := appendText(nil, 1, s.Symbol)
	for _, r := range s.Relationships {
		related := appendText(nil, 1, r.Symbol)
		for i, is := range []bool{r.Reference, r.Implementation, r.TypeDefinition, r.Same} {
			if is {
				related = appendNumber(related, protowire.Number(2+i), 1)
			}
		}
		message = appendMessage(message, 4, related)
	}
	return appendText(message, 6, s.DisplayName)
}

func appendMessage(to []byte, number protowire.Number, message []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(to, number, protowire.BytesType), message)
}

func appendText(to []byte, number protowire.Number, text string) []byte {
	if text == "" { // as if it were not there
		return to
	}
	return protowire.AppendString(protowire.AppendTag(to, number, protowire.BytesType), text)
}

func appendNumber(to []byte, number protowire.Number, n uint64) []byte {
	if n == 0 {
		return to
	}
	return protowire.AppendVarint(protowire.AppendTag(to, number, protowire.VarintType), n)
}

// appendRange writes a range, of one line in three numbers.
func appendRange(to []byte, number protowire.Number, r [4]int32) []byte {
	numbers := []int32{r[0], r[1], r[2], r[3]}
	if r[0] == r[2] {
		numbers = []int32{r[0], r[1], r[3]}
	}
	var packed []byte
	for _, n := range numbers {
		packed = protowire.AppendVarint(packed, uint64(n))
	}
	return appendMessage(to, number, packed)
}
