package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxLine limits a line from the client, in bytes.
const maxLine = 16 << 20

// A lineFilter passes on lines that are JSON-RPC messages, and answers all others itself, because
// the SDK would end the session at the first of those (go-sdk issue 1209).
type lineFilter struct {
	source io.Closer
	lines  *bufio.Reader
	answer func([]byte)
	rest   []byte // the rest of a line that was passed on
}

func newLineFilter(source io.ReadCloser, answer func([]byte)) *lineFilter {
	return &lineFilter{source: source, lines: bufio.NewReaderSize(source, 8<<10), answer: answer}
}

func (f *lineFilter) Close() error { return f.source.Close() }

func (f *lineFilter) Read(p []byte) (int, error) {
	for len(f.rest) == 0 {
		line, tooLong, err := f.line()
		line = bytes.TrimSpace(line)
		switch {
		case tooLong:
			f.answer(refusal(nil, jsonrpc.CodeInvalidRequest, "the line is longer than 16 MiB"))
		case len(line) == 0:
		case !json.Valid(line):
			f.answer(refusal(nil, jsonrpc.CodeParseError, "the line is not JSON"))
		case !isMessage(line):
			f.answer(refusal(idOf(line), jsonrpc.CodeInvalidRequest, "the line is no JSON-RPC 2.0 message"))
		default:
			f.rest = append(line, '\n')
		}
		if err != nil && len(f.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// line reads a line. It skips a line that is too long.
func (f *lineFilter) line() (line []byte, tooLong bool, err error) {
	for {
		part, err := f.lines.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > maxLine; tooLong {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}

// isMessage reports whether the SDK can read a line of JSON: a message, or a batch of messages.
func isMessage(line []byte) bool {
	if line[0] != '[' {
		_, err := jsonrpc.DecodeMessage(line)
		return err == nil
	}
	var batch []json.RawMessage
	if json.Unmarshal(line, &batch) != nil || len(batch) == 0 {
		return false
	}
	for _, m := range batch {
		if _, err := jsonrpc.DecodeMessage(m); err != nil {
			return false
		}
	}
	return true
}

// idOf returns the id of a line that may have been meant as a request, nil if it has none.
func idOf(line []byte) json.RawMessage {
	var request struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &request) != nil || len(request.ID) == 0 || request.ID[0] == '{' || request.ID[0] == '[' {
		return nil
	}
	return request.ID
}

// refusal returns the answer to a line that is not a message.
func refusal(id json.RawMessage, code int64, message string) []byte {
	type fault struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	}
	text, _ := json.Marshal(struct { // these types always encode
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   fault           `json:"error"`
	}{"2.0", id, fault{code, message}})
	return append(text, '\n')
}
