package jsonrpc

import (
	"bufio"
	"encoding/json"
	"io"
)

// Frames reads and writes whole messages, for whoever decides for itself what answers what. Reading and writing are each for one
// goroutine at a time.
type Frames struct {
	stream stream // of which only what reads is used
	out    io.Writer
}

// NewFrames returns the frames of a stream. It starts nothing, and the caller keeps the stream.
func NewFrames(in io.Reader, out io.Writer) *Frames {
	return &Frames{stream: stream{in: bufio.NewReaderSize(in, bufferSize), maxFrame: 64 << 20}, out: out}
}

// Read returns the next message; io.EOF at the end of the stream.
func (f *Frames) Read() (json.RawMessage, error) { return f.stream.readFrame() }

// Write writes a message.
func (f *Frames) Write(message json.RawMessage) error {
	_, err := f.out.Write(framed(message))
	return err
}
