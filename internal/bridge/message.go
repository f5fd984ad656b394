package bridge

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// A message is one of JSON-RPC, with what must be known of it, or several of them in a batch, of which
// nothing is known.
type message struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Name string
		URI  string
	}
	Meta meta `json:"-"`

	text []byte
}

// meta is what messages of the newest revision say of themselves.
type meta struct {
	Version string `json:"io.modelcontextprotocol/protocolVersion"`
}

func (m meta) revision() string { return m.Version }

func messageOf(text []byte) message {
	m := message{text: text}
	if !bytes.HasPrefix(text, []byte("{")) {
		return m
	}
	_ = json.Unmarshal(text, &m) // the server says what is wrong with it
	var with struct {
		Params struct {
			Meta meta `json:"_meta"`
		}
	}
	_ = json.Unmarshal(text, &with)
	m.Meta = with.Params.Meta
	return m
}

// isCall reports whether the message is answered. A batch is.
func (m message) isCall() bool {
	return m.Method != "" && len(m.ID) > 0 && string(m.ID) != "null" || bytes.HasPrefix(m.text, []byte("["))
}

// describe sets the headers with which the newest revision says what a message is about.
func (m message) describe(header http.Header) {
	if m.Meta.Version == "" || m.Method == "" {
		return
	}
	header.Set("Mcp-Method", m.Method)
	name := ""
	switch m.Method {
	case "tools/call", "prompts/get":
		name = m.Params.Name
	case "resources/read":
		name = m.Params.URI
	}
	if strings.TrimSpace(name) != name || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) {
		name = "=?base64?" + base64.StdEncoding.EncodeToString([]byte(name)) + "?="
	}
	if name != "" {
		header.Set("Mcp-Name", name)
	}
}

// problemOf returns why a server refused a message.
func problemOf(response *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(response.Body, 4<<10)) // as much as there is
	var said struct {
		Error json.RawMessage
	}
	why := strings.TrimSpace(string(text))
	if err := json.Unmarshal(text, &said); err == nil && len(said.Error) > 0 {
		why = strings.Trim(string(said.Error), `"`)
	}
	switch response.StatusCode {
	case http.StatusUnauthorized:
		return fmt.Errorf("the server does not accept the token (LSPINE_TOKEN or --token-file): %s", why)
	case http.StatusNotFound:
		return fmt.Errorf("the server does not know the session or the address any more; restart this client: %s", why)
	}
	return fmt.Errorf("the server answered %s: %s", response.Status, why)
}

// isEvents reports whether an answer is a stream of events.
func isEvents(response *http.Response) bool {
	kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	return err == nil && kind == "text/event-stream"
}

// events calls pass for the data of each event of a stream, until it ends. last, if not nil, is set to
// the id of the last event. An error is that of the stream, or of pass.
func events(stream io.Reader, last *string, pass func(text []byte) error) error {
	lines := bufio.NewScanner(stream)
	lines.Buffer(nil, maxMessage)
	var data []byte
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case lines.Text() == "":
			if text := bytes.TrimSpace(data); len(text) > 0 { // an event may have only an id
				if err := pass(text); err != nil {
					return err
				}
			}
			data = nil
		case name == "data" && len(data)+len(value) >= maxMessage:
			return bufio.ErrTooLong
		case name == "data":
			data = append(append(data, value...), '\n')
		case name == "id" && last != nil:
			*last = value
		}
	}
	return lines.Err()
}
