package lsptest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"strconv"
	"time"
)

// publishParams keeps the elements raw, so that bad ones fit.
type publishParams struct {
	URI         string            `json:"uri"`
	Version     json.RawMessage   `json:"version,omitempty"`
	Diagnostics []json.RawMessage `json:"diagnostics"`
}

// report is a document diagnostic report; the first two only in workspaces'.
type report struct {
	URI      string            `json:"uri,omitempty"`
	Version  json.RawMessage   `json:"version,omitempty"`
	Kind     string            `json:"kind"`
	ResultID string            `json:"resultId,omitempty"`
	Items    []json.RawMessage `json:"items,omitzero"`
}

func (s *server) items(path string) []json.RawMessage {
	items := []json.RawMessage{}
	for _, d := range s.store.diagnose(path) {
		item := encode(d)
		if s.script.Nulls {
			item = append(item[:len(item)-1], `,"code":null,"codeDescription":null,"relatedInformation":null,"tags":null,"data":null}`...)
		}
		items = append(items, item)
	}
	return items
}

// publishChanged publishes what a change to the file at path (or, if empty, to
// any file) made different, if the mode pushes: that file always, others when
// their diagnostics are not those published last.
func (s *server) publishChanged(t *turn, path string) {
	if s.script.Refresh && s.client.Workspace.Diagnostics.RefreshSupport {
		defer s.ask("workspace/diagnostic/refresh", nil)
	}
	if !s.script.Mode.pushes() && s.script.Mode != "" {
		return
	}
	if path != "" {
		s.publish(t, path)
	}
	for _, other := range s.store.paths() {
		if other == path || s.store.open[other] == nil && !s.script.PublishClosed {
			continue
		}
		if before, known := s.last[other]; s.fingerprint(other) != before && (known || len(s.items(other)) > 0) {
			s.publish(t, other)
		}
	}
	if len(t.out) > 0 {
		t.out[0].pause = time.Duration(s.script.PublishDelay) * time.Millisecond
	}
	if s.script.Mode == Progress && s.client.Window.WorkDoneProgress {
		s.wrapInProgress(t, path)
	}
}

// wrapInProgress puts the publishes of a turn, even if there are none, between
// begin and end, all behind the creation of the token.
func (s *server) wrapInProgress(t *turn, path string) {
	what := "files changed on disk"
	if path != "" {
		what = filepath.Base(path)
	}
	token := fmt.Sprintf("toy-progress-%d", s.nextID+1)
	t.untilResponse = s.ask("window/workDoneProgress/create", encode(struct {
		Token string `json:"token"`
	}{token}))
	published := t.out
	t.out = nil
	type value struct {
		Kind  string `json:"kind"`
		Title string `json:"title,omitempty"`
	}
	type progress struct {
		Token string `json:"token"`
		Value value  `json:"value"`
	}
	t.notify("$/progress", encode(progress{token, value{"begin", "diagnosing " + what}}))
	t.out = append(t.out, published...)
	t.notify("$/progress", encode(progress{token, value{Kind: "end"}}))
}

func (s *server) fingerprint(path string) string { return string(encode(s.items(path))) }

// publish adds a publish of the truth about a file to the turn.
func (s *server) publish(t *turn, path string) {
	fingerprint := s.fingerprint(path)
	if before, known := s.last[path]; s.script.Silent && fingerprint == before && known {
		return
	}
	s.last[path] = fingerprint
	p := publishParams{URI: s.store.uri(path), Diagnostics: s.items(path)}
	versioned := s.script.Mode == "" || s.script.Mode == PushVersioned || s.script.Mode == Progress
	if d := s.store.open[path]; d != nil && versioned {
		p.Version = encode(d.version)
	} else if s.script.Nulls {
		p.Version = json.RawMessage("null")
	}
	t.notify("textDocument/publishDiagnostics", encode(p))
}

// publishClosed takes back what was said about a document that was closed.
func (s *server) publishClosed(t *turn, path, uri string) {
	if !s.script.Mode.pushes() && s.script.Mode != "" || s.script.PublishClosed {
		return
	}
	delete(s.last, path)
	t.notify("textDocument/publishDiagnostics", encode(publishParams{URI: uri, Diagnostics: []json.RawMessage{}}))
}

func (s *server) report(path, previous string) report {
	s.store.scan()
	items := s.items(path)
	sum := fnv.New64a()
	sum.Write(encode(items))
	id := strconv.FormatUint(sum.Sum64(), 16)
	if id == previous {
		return report{Kind: "unchanged", ResultID: id}
	}
	return report{Kind: "full", ResultID: id, Items: items}
}

func (s *server) pull(t *turn, path, previous string) {
	if !s.script.Mode.pulls() {
		t.respondError(ResponseError{Code: -32601, Message: "method not found: " + t.in.Method})
		return
	}
	t.respond(s.report(path, previous))
}

func (s *server) pullAll(t *turn) {
	if !s.script.Mode.pulls() {
		t.respondError(ResponseError{Code: -32601, Message: "method not found: " + t.in.Method})
		return
	}
	items := []report{}
	for _, path := range s.store.paths() {
		r := s.report(path, "")
		r.URI, r.Version = s.store.uri(path), json.RawMessage("null")
		if d := s.store.open[path]; d != nil {
			r.Version = encode(d.version)
		}
		items = append(items, r)
	}
	t.respond(struct {
		Items []report `json:"items"`
	}{items})
}
