//go:build unix

package agents

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// request is what a request of any protocol comes to.
type request struct {
	Model  string
	Stream bool
	Tools  []tool
	// Results are the tool results since the model's last answer, as the model gets them.
	Results []json.RawMessage
	// Prompts are the texts since the model's last answer that are no tool results.
	Prompts []string
	Schema  map[string]any // of the answer, when JSON is asked for
}

// tool is one tool that the agent offers.
type tool struct {
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Free      bool   `json:"free,omitempty"` // takes free text and no JSON
}

// qualified is the name with the namespace that some protocols keep apart.
func (t tool) qualified() string {
	if t.Namespace == "" {
		return t.Name
	}
	return t.Namespace + "." + t.Name
}

// answer is what the model says.
type answer struct {
	Text    string     `json:"text,omitempty"`
	Calls   []resolved `json:"calls,omitempty"`
	Missing []string   `json:"missing,omitempty"`
	Does    string     `json:"-"`
}

// resolved is a call of a tool that is really offered.
type resolved struct {
	ID   string          `json:"id"`
	Tool tool            `json:"tool"`
	Args json.RawMessage `json:"args"`
}

// object gives the arguments as the text of a JSON object.
func (r resolved) object() json.RawMessage {
	if len(r.Args) == 0 {
		return json.RawMessage("{}")
	}
	var compact bytes.Buffer
	if json.Compact(&compact, r.Args) != nil {
		return r.Args
	}
	return compact.Bytes()
}

// text gives the arguments of a tool that takes free text.
func (r resolved) text() string {
	var s string
	if json.Unmarshal(r.Args, &s) != nil {
		return string(r.object())
	}
	return s
}

// heard is what the agent told the model before one of its answers.
type heard struct {
	Prompts []string
	Results []json.RawMessage
	Answer  answer
}

// turns returns what the model heard so far, an element for each of its answers.
func (m *model) turns() []heard {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.heard)
}

// protocol is one of the ways to talk to a model.
type protocol interface {
	parse(path string, body []byte) (request, error)
	// whole is the answer as one JSON document; events is the same as a stream.
	whole(request, answer) any
	events(request, answer) []event
}

// event is one server-sent event.
type event struct {
	name string
	data any
}

// model answers the requests from the script.
type model struct {
	script *script
	ended  chan struct{} // closed when the last turn was taken

	mu    sync.Mutex
	heard []heard
	turn  int
	last  []byte // the latest main request: an agent that tries again gets the same answer again
	said  answer
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p := protocolOf(r.URL.Path)
	switch {
	case r.Method == http.MethodGet && strings.HasSuffix(strings.TrimRight(r.URL.Path, "/"), "/models"):
		writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": []any{
			map[string]any{"id": "fake", "object": "model", "created": 0, "owned_by": "fake", "type": "model", "display_name": "fake"},
		}})
		return
	case strings.HasSuffix(r.URL.Path, "/count_tokens"), strings.HasSuffix(r.URL.Path, ":countTokens"):
		writeJSON(w, http.StatusOK, map[string]any{"input_tokens": 100, "totalTokens": 100})
		return
	case p == nil || r.Method != http.MethodPost:
		writeJSON(w, http.StatusNotFound, map[string]any{"error": map[string]any{"message": "the model does not know " + r.URL.Path}})
		return
	}
	q, err := p.parse(r.URL.Path, body)
	if err != nil {
		writeJSON(w, http.StatusBadRequest, map[string]any{"error": map[string]any{"message": err.Error()}})
		return
	}
	a := m.answer(q, body)
	if !q.Stream {
		writeJSON(w, http.StatusOK, p.whole(q, a))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range p.events(q, a) {
		if e.name != "" {
			io.WriteString(w, "event: "+e.name+"\n")
		}
		data, ok := e.data.(string)
		if !ok {
			data = string(mustJSON(e.data))
		}
		io.WriteString(w, "data: "+data+"\n\n")
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
	}
}

// answer takes the next turn of the script for a request that offers tools, and the side answer for others.
func (m *model) answer(q request, body []byte) answer {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(q.Tools) == 0 || q.Schema != nil {
		a := answer{Text: m.script.Side}
		if q.Schema != nil {
			a.Text = string(mustJSON(example(q.Schema)))
		}
		return a
	}
	if m.last != nil && bytes.Equal(m.last, body) {
		return m.said
	}
	m.said = m.next(q)
	m.last = body
	m.heard = append(m.heard, heard{q.Prompts, q.Results, m.said})
	if m.turn++; m.turn == len(m.script.Turns) {
		close(m.ended)
	}
	return m.said
}

// next takes the next turn that can be taken.
func (m *model) next(q request) answer {
	for ; m.turn < len(m.script.Turns); m.turn++ {
		t := m.script.Turns[m.turn]
		if a := t.resolve(m.turn, q.Tools); !t.Optional || len(a.Missing) == 0 {
			return a
		}
	}
	return turn{}.resolve(m.turn, nil)
}

func protocolOf(path string) protocol {
	switch path = strings.TrimRight(path, "/"); {
	case strings.HasSuffix(path, "/chat/completions"):
		return chat{}
	case strings.HasSuffix(path, "/messages"):
		return anthropic{}
	case strings.HasSuffix(path, "/responses"):
		return responses{}
	case strings.HasSuffix(path, ":generateContent"), strings.HasSuffix(path, ":streamGenerateContent"):
		return gemini{}
	}
	return nil
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(mustJSON(v))
}

func mustJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // only values made here
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
