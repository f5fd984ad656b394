// Package replay plays language servers: it answers as they did in a trace.
package replay

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/trace"
)

// A part is what was said on one connection to a server.
type part struct {
	process    int
	connection int64
	server     string
	root       string
	lines      []trace.Line
}

// A Replay has the conversations of a trace, and answers in place of the servers.
type Replay struct {
	parts []part
}

// Read reads a trace. What is no line of one is an error, which says where; but a last line that has no end, because who
// wrote it was killed, is left out.
func Read(from io.Reader) (*Replay, error) {
	r := &Replay{}
	lines := bufio.NewReader(from)
	for number := 1; ; number++ {
		text, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(text)) > 0 {
			var line trace.Line
			if malformed := json.Unmarshal(text, &line); malformed != nil && errors.Is(err, io.EOF) {
				return r, nil
			} else if malformed != nil {
				return nil, fmt.Errorf("line %d of the trace: %w", number, malformed)
			}
			r.take(line)
		}
		if errors.Is(err, io.EOF) {
			return r, nil
		}
		if err != nil {
			return nil, fmt.Errorf("line %d of the trace: %w", number, err)
		}
	}
}

func (r *Replay) take(line trace.Line) {
	if line.Sent == nil && line.Received == nil {
		return
	}
	at := slices.IndexFunc(r.parts, func(p part) bool { return p.process == line.Process && p.connection == line.Connection })
	if at < 0 {
		at = len(r.parts)
		r.parts = append(r.parts, part{process: line.Process, connection: line.Connection, server: line.Server, root: line.Root})
	}
	r.parts[at].lines = append(r.parts[at].lines, line)
}

// Servers returns the ids of the servers that the trace has conversations with, sorted.
func (r *Replay) Servers() (ids []string) {
	for _, p := range r.parts {
		ids = append(ids, p.server)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// A message is one of JSON-RPC. Exactly a request has an id and a method.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// A playing answers one client.
type playing struct {
	said  []event   // of the conversation that is played
	other [][]event // of others with the same server, in the same folder, whose answers count as well
	place int       // all said before it was sent, as far as the client has asked for it
	texts texts     // that the client shows
	// asked are the ids of the client's requests, by the ids that these have in the trace.
	asked map[string]json.RawMessage
	used  map[int]bool // events that the client has sent once
	// told are the versions that diagnostics were last said of, by URI; judged are those documents that have such in the trace,
	// with their versions there.
	told   map[string]int32
	judged map[string][]shown
	send   func(message) error
	// unanswered are the methods of the requests that the trace has no answer to.
	unanswered []string
}

// An event is a line of a conversation, read.
type event struct {
	message
	sent bool
	// key says of what was sent when it is the same: the method, what matters of the parameters and, of requests, the texts
	// that the server had been shown.
	key   string
	state string   // of the texts that the server had been shown
	about *publish // nil if it publishes no diagnostics of a version
}

// Serve plays a server over a stream, until the client exits or the stream ends. A request has the answer that
// it had in the trace, and before it comes everything that the server had said until then. So what a client hears depends on what it says, not
// on time. It returns the methods of the requests that the trace has no answer to.
func (r *Replay) Serve(server string, in io.Reader, out io.Writer) (unanswered []string, err error) {
	stream := jsonrpc.NewFrames(in, out)
	p := &playing{texts: newTexts(), asked: make(map[string]json.RawMessage), used: make(map[int]bool), told: make(map[string]int32)}
	p.send = func(m message) error {
		m.Version = "2.0"
		body, err := json.Marshal(m)
		if err != nil {
			return err
		}
		return stream.Write(body)
	}
	for {
		raw, err := stream.Read()
		if errors.Is(err, io.EOF) {
			return p.unanswered, nil
		}
		if err != nil {
			return p.unanswered, err
		}
		var m message
		if err := json.Unmarshal(raw, &m); err != nil {
			return p.unanswered, err
		}
		if m.Method == "exit" {
			return p.unanswered, nil
		}
		if m.Method == "initialize" {
			if err := r.begin(p, server, m.Params); err != nil {
				return p.unanswered, err
			}
		}
		if err := p.hear(m); err != nil {
			return p.unanswered, err
		}
	}
}

// placed is what names the place of a project in the parameters of initialize.
type placed struct {
	RootURI  string `json:"rootUri"`
	RootPath string `json:"rootPath"`
}

// begin chooses the conversation: the first of the same root, else the first of all. Where the project was in another place, the messages
// are as they would be in this one.
func (r *Replay) begin(p *playing, server string, params json.RawMessage) error {
	var here placed
	if err := json.Unmarshal(params, &here); err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	of := slices.DeleteFunc(slices.Clone(r.parts), func(p part) bool { return p.server != server })
	if len(of) == 0 {
		return fmt.Errorf("the trace has nothing of %s", server)
	}
	chosen := &of[max(0, slices.IndexFunc(of, func(p part) bool { return p.root == here.RootPath }))]
	for i := range of {
		switch part := &of[i]; {
		case part == chosen:
			var there texts
			p.said, there = part.events(here)
			p.texts.encoding = there.encoding
			p.judged = judgedIn(p.said, there)
		case part.root == chosen.root:
			said, _ := part.events(here)
			p.other = append(p.other, said)
		}
	}
	return nil
}

// events reads the lines of a conversation, as they would be in another place, and returns the texts at its end.
func (p *part) events(here placed) (all []event, shown texts) {
	move := movedFrom(placedIn(p), here)
	shown = newTexts()
	shown.encoding = protocol.UTF16
	for _, line := range p.lines {
		text, sent := line.Received, line.Sent != nil
		if sent {
			text = line.Sent
		}
		e := event{sent: sent}
		if json.Unmarshal(move.text(text), &e.message) != nil {
			continue // what is no message says nothing
		}
		if caps, err := protocol.DecodeInitializeResult(e.Result); !sent && len(all) > 0 && bytes.Contains(e.Result, []byte(`"capabilities"`)) && err == nil {
			shown.encoding = caps.Encoding
		}
		if sent && e.Method != "" {
			shown.take(e.message)
			e.key = shown.keyOf(e.message)
		}
		if !sent {
			e.about = publishOf(e.message)
		}
		e.state = shown.state()
		all = append(all, e)
	}
	return all, shown
}

func placedIn(p *part) (where placed) {
	for _, line := range p.lines {
		var m message
		if line.Sent != nil && json.Unmarshal(line.Sent, &m) == nil && m.Method == "initialize" {
			_ = json.Unmarshal(m.Params, &where) // else nothing is replaced
			return where
		}
	}
	return where
}

// hear takes a message of the client.
func (p *playing) hear(m message) error {
	if m.Method == "" {
		return nil // the answer to a question that the server put
	}
	p.texts.take(m)
	if err := p.catchUp(); err != nil {
		return err
	}
	key := p.texts.keyOf(m)
	at := p.find(key)
	switch {
	case at >= 0 && m.ID == nil:
		return p.sayUntil(p.nextSent(at))
	case m.ID == nil:
		return nil
	case at < 0:
		return p.answerOtherwise(m, key)
	}
	answer := answerTo(p.said, at)
	if answer < 0 {
		return p.refuse(m)
	}
	if answer < p.place { // it was said before the client asked
		return p.answer(m.ID, p.said[answer].message)
	}
	p.asked[string(p.said[at].ID)] = m.ID
	return p.sayUntil(max(answer+1, p.nextSent(at)))
}

// find returns where the client says this for the first time, else the last place where it says it, -1 if nowhere.
func (p *playing) find(key string) (at int) {
	at = -1
	for i, e := range p.said {
		if e.key == key {
			at = i
			if !p.used[i] {
				break
			}
		}
	}
	p.used[at] = true
	return at
}

// answerTo returns the place of the answer to the request at a place, -1 if there is none.
func answerTo(said []event, at int) int {
	return slices.IndexFunc(said, func(e event) bool { return !e.sent && e.Method == "" && string(e.ID) == string(said[at].ID) })
}

// answerOtherwise answers a request that the conversation does not have, from another one if it can.
func (p *playing) answerOtherwise(m message, key string) error {
	for _, said := range p.other {
		at := slices.IndexFunc(said, func(e event) bool { return e.key == key })
		if at < 0 {
			continue
		}
		if answer := answerTo(said, at); answer >= 0 {
			return p.answer(m.ID, said[answer].message)
		}
	}
	if m.Method == "shutdown" {
		return p.send(message{ID: m.ID, Result: json.RawMessage("null")})
	}
	return p.refuse(m)
}

// nextSent returns the place of the client's next request or notification after the one at a place.
func (p *playing) nextSent(at int) int {
	if next := slices.IndexFunc(p.said[at+1:], func(e event) bool { return e.key != "" }); next >= 0 {
		return at + 1 + next
	}
	return len(p.said)
}

// sayUntil says what the server said before a place, unless it was said already.
func (p *playing) sayUntil(end int) error {
	for ; p.place < end; p.place++ {
		e := p.said[p.place]
		if e.sent {
			continue
		}
		if e.about != nil {
			if err := p.publish(e); err != nil {
				return err
			}
			continue
		}
		if e.Method != "" {
			if err := p.send(e.message); err != nil {
				return err
			}
			continue
		}
		if id, waits := p.asked[string(e.ID)]; waits {
			delete(p.asked, string(e.ID))
			if err := p.answer(id, e.message); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *playing) answer(id json.RawMessage, with message) error {
	if with.Result == nil && with.Error == nil {
		with.Result = json.RawMessage("null")
	}
	return p.send(message{ID: id, Result: with.Result, Error: with.Error})
}

// refuse answers a request that the trace has no answer to.
func (p *playing) refuse(m message) error {
	p.unanswered = append(p.unanswered, m.Method)
	why, err := json.Marshal(struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}{-32803, "the trace has no answer to this " + m.Method}) // RequestFailed
	if err != nil {
		return err
	}
	return p.send(message{ID: m.ID, Error: why})
}

// passing are the parameters that differ from one process to the next although the question is the same.
var passing = []string{"processId", "clientInfo", "workDoneToken", "partialResultToken", "previousResultId", "previousResultIds", "version", "token"}

// keyOf returns what makes two messages of a client the same; see [event].
func (t *texts) keyOf(m message) string {
	switch {
	case m.Method == "initialize":
		return m.Method
	case m.ID == nil:
		return m.Method + " " + string(lasting(m.Params))
	}
	return m.Method + "? " + string(lasting(m.Params)) + " " + t.state()
}

// lasting returns a value of JSON without what passes, at any depth, its members sorted; as it is if it is no JSON.
func lasting(value json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	var elements []json.RawMessage
	var text json.RawMessage
	var err error
	switch trimmed := bytes.TrimSpace(value); {
	case bytes.HasPrefix(trimmed, []byte("{")) && json.Unmarshal(value, &members) == nil:
		for name, member := range members {
			if slices.Contains(passing, name) {
				delete(members, name)
			} else {
				members[name] = lasting(member)
			}
		}
		text, err = json.Marshal(members)
	case bytes.HasPrefix(trimmed, []byte("[")) && json.Unmarshal(value, &elements) == nil:
		for i := range elements {
			elements[i] = lasting(elements[i])
		}
		text, err = json.Marshal(elements)
	default:
		return value
	}
	if err != nil {
		return value
	}
	return text
}
