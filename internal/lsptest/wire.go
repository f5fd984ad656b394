package lsptest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A message is any JSON-RPC message; absent members are nil, and null is not.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *ResponseError  `json:"error,omitempty"`
}

func (m *message) isRequest() bool { return m.Method != "" && m.ID != nil }

// readFrame reads one well-formed frame: this server trusts its client there,
// as real ones do.
func readFrame(r *bufio.Reader) ([]byte, error) {
	length := -1
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return nil, err
		}
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			break
		}
		name, value, _ := strings.Cut(line, ":")
		if strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return nil, err
			}
		}
	}
	if length < 0 {
		return nil, fmt.Errorf("a frame without Content-Length")
	}
	body := make([]byte, length)
	_, err := io.ReadFull(r, body)
	return body, err
}

func frame(body []byte) []byte {
	return append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(body)), body...)
}

// encode is json.Marshal for values that cannot fail, without HTML escapes.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("lsptest: %T: %v", v, err))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// grease adds a member nobody knows to each object in v, but not to those
// whose keys are data.
func (s *server) grease(v json.RawMessage) json.RawMessage {
	v = bytes.TrimSpace(v)
	if len(v) == 0 {
		return v
	}
	switch v[0] {
	case '[':
		var items []json.RawMessage
		if json.Unmarshal(v, &items) != nil {
			return v
		}
		for i := range items {
			items[i] = s.grease(items[i])
		}
		return encode(items)
	case '{':
		var members map[string]json.RawMessage
		if json.Unmarshal(v, &members) != nil {
			return v
		}
		for name, member := range members {
			if name != "changes" && name != "settings" && name != "data" {
				members[name] = s.grease(member)
			}
		}
		values := []string{"null", "1", "-0.5e3", `"x"`, "[]", "{}", "true", `[{"a":[null]}]`}
		name := fmt.Sprintf("grease%04x", s.random.Uint32()&0xffff)
		members[name] = json.RawMessage(values[s.random.IntN(len(values))])
		return encode(members)
	}
	return v
}
