package scip

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// A FormatError says why something is no index, or none that is read.
type FormatError struct {
	// Document is the number of the document, from 1, 0 of the index itself.
	Document int
	Reason   string
}

func (e *FormatError) Error() string {
	if e.Document > 0 {
		return fmt.Sprintf("document %d: %s", e.Document, e.Reason)
	}
	return e.Reason
}

// The numbers of the fields of an Index.
const (
	indexMetadata protowire.Number = 1
	indexDocument protowire.Number = 2
)

// documentHash is the number of the field for the hash of a document, which is ours: other readers skip it.
const documentHash protowire.Number = 20_001

// A Reader reads one index from a stream. It holds one document in memory at a time.
type Reader struct {
	from *bufio.Reader
	// Metadata is what was read of it so far: well-formed indexes begin with it.
	Metadata  Metadata
	documents int
}

// NewReader returns a reader of an index, which must not be compressed.
func NewReader(from io.Reader) *Reader { return &Reader{from: bufio.NewReaderSize(from, 64<<10)} }

// Next returns the next document. At the end of the index the error is io.EOF; a *[FormatError] says that it is no index, or
// exceeds a bound; other errors are those of the stream.
func (r *Reader) Next() (*Document, error) {
	for {
		tag, err := r.number()
		if errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		if err != nil {
			return nil, r.failed(err)
		}
		number, kind := protowire.DecodeTag(tag)
		if number < protowire.MinValidNumber || kind != protowire.BytesType { // every field of an Index is a message
			return nil, &FormatError{Reason: "it is no SCIP index"}
		}
		size, err := r.number()
		if err != nil {
			return nil, r.failed(err)
		}
		if number != indexMetadata && number != indexDocument {
			if size > math.MaxInt64 {
				return nil, &FormatError{Reason: "a message has no size"}
			}
			if _, err := io.CopyN(io.Discard, r.from, int64(size)); err != nil {
				return nil, r.failed(err)
			}
			continue
		}
		message, err := r.message(size)
		if err != nil {
			return nil, err
		}
		if number == indexMetadata {
			if err := r.Metadata.decode(message); err != nil {
				return nil, &FormatError{Reason: "its metadata: " + err.Error()}
			}
			continue
		}
		document := new(Document)
		if err := document.decode(message); err != nil {
			return nil, &FormatError{Document: r.documents, Reason: err.Error()}
		}
		return document, nil
	}
}

// message reads a message of a size.
func (r *Reader) message(size uint64) ([]byte, error) {
	if r.documents++; r.documents > MaxDocuments+1 { // the metadata is one
		return nil, &FormatError{Reason: fmt.Sprintf("it has more than %d documents", MaxDocuments)}
	}
	if size > MaxDocument {
		return nil, &FormatError{Document: r.documents, Reason: fmt.Sprintf("it has more than %d bytes", MaxDocument)}
	}
	// It grows with what is there: a short index cannot ask for much memory.
	var message []byte
	for uint64(len(message)) < size {
		more := min(size-uint64(len(message)), 1<<20)
		at := len(message)
		message = append(message, make([]byte, more)...)
		if _, err := io.ReadFull(r.from, message[at:]); err != nil {
			return nil, r.failed(err)
		}
	}
	return message, nil
}

func (r *Reader) failed(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &FormatError{Reason: "it ends within a message"}
	}
	return err
}

// number reads a number. At the end of the stream the error is io.EOF.
func (r *Reader) number() (n uint64, err error) {
	for i := range binary.MaxVarintLen64 {
		b, err := r.from.ReadByte()
		if errors.Is(err, io.EOF) && i > 0 {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return 0, err
		}
		n |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			return n, nil
		}
	}
	return 0, &FormatError{Reason: "it is no SCIP index"}
}

// A field is one field of a message.
type field struct {
	number protowire.Number
	kind   protowire.Type
	// number or bytes, by kind.
	varint uint64
	bytes  []byte
}

var errField = errors.New("a field is malformed")

// eachField calls take for each field of a message.
func eachField(message []byte, take func(field) error) error {
	for len(message) > 0 {
		var f field
		var n int
		if f.number, f.kind, n = protowire.ConsumeTag(message); n < 0 {
			return errField
		}
		message = message[n:]
		switch f.kind {
		case protowire.VarintType:
			f.varint, n = protowire.ConsumeVarint(message)
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(message)
		default:
			n = protowire.ConsumeFieldValue(f.number, f.kind, message)
		}
		if n < 0 {
			return errField
		}
		message = message[n:]
		if err := take(f); err != nil {
			return err
		}
	}
	return nil
}

// text sets a text from a field, which must have at most so many bytes.
func (f field) text(to *string, most int) error {
	switch {
	case f.kind != protowire.BytesType || !utf8.Valid(f.bytes):
		return errField
	case len(f.bytes) > most:
		return fmt.Errorf("a text has more than %d bytes", most)
	}
	*to = string(f.bytes)
	return nil
}

func (m *Metadata) decode(message []byte) error {
	return eachField(message, func(f field) error {
		switch f.number {
		case 2:
			if f.kind != protowire.BytesType {
				return errField
			}
			return eachField(f.bytes, func(f field) error {
				switch f.number {
				case 1:
					return f.text(&m.ToolName, MaxPath)
				case 2:
					return f.text(&m.ToolVersion, MaxPath)
				}
				return nil
			})
		case 3:
			return f.text(&m.ProjectRoot, MaxPath)
		}
		return nil
	})
}

func (d *Document) decode(message []byte) error {
	return eachField(message, func(f field) error {
		switch f.number {
		case 1:
			return f.text(&d.Path, MaxPath)
		case 2:
			if len(d.Occurrences) == MaxOccurrences {
				return fmt.Errorf("it has more than %d occurrences", MaxOccurrences)
			}
			var o Occurrence
			err := o.decode(f)
			d.Occurrences = append(d.Occurrences, o)
			return err
		case 3:
			if len(d.Symbols) == MaxOccurrences {
				return fmt.Errorf("it has more than %d symbols", MaxOccurrences)
			}
			var s SymbolInformation
			err := s.decode(f)
			d.Symbols = append(d.Symbols, s)
			return err
		case 4:
			return f.text(&d.Language, MaxPath)
		case 5:
			if f.kind != protowire.BytesType {
				return errField
			}
			d.Text, d.HasText = f.bytes, true
		case 6:
			d.Encoding = Encoding(f.varint)
		case documentHash:
			return f.text(&d.Hash, MaxPath)
		}
		return nil
	})
}

// DecodeDocument takes apart what [Document.Encode] made.
func DecodeDocument(message []byte) (*Document, error) {
	d := new(Document)
	return d, d.decode(message)
}

func (o *Occurrence) decode(message field) error {
	if message.kind != protowire.BytesType {
		return errField
	}
	var own, enclosing []int32
	err := eachField(message.bytes, func(f field) (err error) {
		switch f.number {
		case 1:
			own, err = f.numbers(own)
		case 2:
			err = f.text(&o.Symbol, MaxSymbol)
		case 3:
			o.Roles = Role(f.varint)
		case 7:
			enclosing, err = f.numbers(enclosing)
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(own) == 0 {
		o.Range = [4]int32{-1, -1, -1, -1} // it is nowhere
	} else if o.Range, err = rangeOf(own); err != nil {
		return err
	}
	if len(enclosing) > 0 {
		o.HasEnclosing = true
		o.Enclosing, err = rangeOf(enclosing)
	}
	return err
}

// numbers appends the numbers of a field that is repeated, packed or not, to those before it.
func (f field) numbers(before []int32) ([]int32, error) {
	if f.kind == protowire.VarintType {
		before = append(before, clamped(f.varint))
	} else if f.kind != protowire.BytesType {
		return nil, errField
	}
	for rest := f.bytes; len(rest) > 0; {
		number, n := protowire.ConsumeVarint(rest)
		if n < 0 {
			return nil, errField
		}
		before, rest = append(before, clamped(number)), rest[n:]
		if len(before) > 4 {
			return nil, errRange
		}
	}
	return before, nil
}

// clamped returns a number of a range, -1 for one that is none.
func clamped(n uint64) int32 {
	if n > math.MaxInt32 {
		return -1
	}
	return int32(n)
}

var errRange = errors.New("a range has neither three nor four numbers")

func rangeOf(numbers []int32) ([4]int32, error) {
	switch len(numbers) {
	case 3:
		return [4]int32{numbers[0], numbers[1], numbers[0], numbers[2]}, nil
	case 4:
		return [4]int32(numbers), nil
	}
	return [4]int32{}, errRange
}

func (s *SymbolInformation) decode(message field) error {
	if message.kind != protowire.BytesType {
		return errField
	}
	return eachField(message.bytes, func(f field) error {
		switch f.number {
		case 1:
			return f.text(&s.Symbol, MaxSymbol)
		case 4:
			if len(s.Relationships) == MaxRelationships {
				return fmt.Errorf("a symbol has more than %d relationships", MaxRelationships)
			}
			var r Relationship
			err := r.decode(f)
			s.Relationships = append(s.Relationships, r)
			return err
		case 6:
			return f.text(&s.DisplayName, MaxSymbol)
		}
		return nil
	})
}

func (r *Relationship) decode(message field) error {
	if message.kind != protowire.BytesType {
		return errField
	}
	return eachField(message.bytes, func(f field) error {
		switch f.number {
		case 1:
			return f.text(&r.Symbol, MaxSymbol)
		case 2:
			r.Reference = f.varint != 0
		case 3:
			r.Implementation = f.varint != 0
		case 4:
			r.TypeDefinition = f.varint != 0
		case 5:
			r.Same = f.varint != 0
		}
		return nil
	})
}
