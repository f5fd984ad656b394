package lsp

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// words are what a server says of itself: that something is wrong with the project, or that
// it cannot judge a file.
type words struct {
	mu sync.Mutex
	// unwell is the last word on its health, "" if that is well.
	unwell string
	// messages are the errors and warnings that it showed, the last ones, each once.
	messages []string
	// unable says by path why it judges no file, logged is the last error of its log.
	unable map[string]string
	logged string
}

const (
	// maxMessages bounds the messages that are kept, maxWord each of them.
	maxMessages = 3
	maxWord     = 300
)

// Complaints returns what the server says is wrong with the project or with itself, one line
// each. They hold until the server says otherwise or begins to load again.
func (s *Server) Complaints() []string {
	s.words.mu.Lock()
	defer s.words.mu.Unlock()
	all := slices.Clone(s.words.messages)
	if s.words.unwell != "" {
		all = append([]string{s.words.unwell}, all...)
	}
	return all
}

// Unwell returns why the server says that it does not know the whole project; "" if it does not
// say so.
func (s *Server) Unwell() string {
	s.words.mu.Lock()
	defer s.words.mu.Unlock()
	return s.words.unwell
}

// Unable returns why the server does not judge a file at all, in its own words; "" if it does.
func (s *Server) Unable(path string) string {
	s.words.mu.Lock()
	defer s.words.mu.Unlock()
	return s.words.unable[path]
}

// health notes the health that a status names.
func (w *words) health(members map[string]json.RawMessage) {
	var health, message string
	_ = json.Unmarshal(members["health"], &health)
	_ = json.Unmarshal(members["message"], &message)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.unwell = ""; health == "warning" || health == "error" {
		w.unwell = oneLine(message)
	}
}

// showed notes a message that the server wants people to see.
func (s *Server) showed(params json.RawMessage) {
	const warning = 2
	var shown struct {
		Type    int    `json:"type"`
		Message string `json:"message"`
	}
	if json.Unmarshal(params, &shown) != nil {
		s.drop(1)
		return
	}
	text := oneLine(shown.Message)
	if shown.Type < 1 || shown.Type > warning || text == "" {
		return
	}
	w := &s.words
	w.mu.Lock()
	defer w.mu.Unlock()
	w.messages = append(slices.DeleteFunc(w.messages, func(m string) bool { return m == text }), text)
	w.messages = w.messages[max(0, len(w.messages)-maxMessages):]
}

// began forgets the messages when the server begins to load the project: what is still so
// it says again.
func (s *Server) began(e protocol.ProgressEvent) {
	title := strings.ToLower(e.Title)
	loads := slices.ContainsFunc(s.def.Loading, func(prefix string) bool { return strings.HasPrefix(e.Title, prefix) })
	if e.Kind != "begin" || !loads && !strings.Contains(title, "load") && !strings.Contains(title, "setting up") {
		return
	}
	s.words.mu.Lock()
	defer s.words.mu.Unlock()
	s.words.messages = nil
}

// heardUnable notes a message by which the server says whether it can judge a file, and
// reports whether it was one.
func (s *Server) heardUnable(method string, params json.RawMessage) bool {
	i := slices.IndexFunc(s.def.Unable, func(u registry.Unable) bool { return u.Method == method })
	if i < 0 {
		return false
	}
	u := s.def.Unable[i]
	var uri protocol.DocumentURI
	if json.Unmarshal(settingsOf(params, u.URI), &uri) != nil {
		s.drop(1)
		return true
	}
	path, err := uri.Path()
	if err != nil {
		return true
	}
	w := &s.words
	w.mu.Lock()
	defer w.mu.Unlock()
	if u.Member != "" && string(settingsOf(params, u.Member)) != u.Value {
		delete(w.unable, path)
		return true
	}
	if w.unable == nil {
		w.unable = make(map[string]string)
	}
	w.unable[path] = u.Reason
	if u.Member != "" && w.logged != "" {
		w.unable[path] += ": " + w.logged
	}
	return true
}

// loggedError keeps the last error of the log that says something.
func (s *Server) loggedError(kind int, message string) {
	text, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
	if kind != 1 || len(s.def.Unable) == 0 || strings.HasSuffix(text, ":") {
		return
	}
	s.words.mu.Lock()
	defer s.words.mu.Unlock()
	s.words.logged = oneLine(text)
}

// oneLine returns a text on one line, cut where it is too long.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > maxWord {
		text = string(runes[:maxWord]) + "…"
	}
	return text
}
