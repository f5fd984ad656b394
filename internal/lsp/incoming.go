package lsp

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// incoming handles what the server sends. It runs on the goroutine that reads
// and waits for nothing.
type incoming Server

func (in *incoming) Notification(method string, params json.RawMessage) {
	s := (*Server)(in)
	switch method {
	case "textDocument/publishDiagnostics":
		s.published(params)
	case "window/logMessage":
		s.logged(params)
	case "window/showMessage":
		s.showed(params)
	case "$/progress":
		if s.partials.took(params) {
			return
		}
		event, err := protocol.DecodeProgress(params)
		if err != nil || !s.progress.hasRoom(event) {
			s.drop(1)
			return
		}
		for _, e := range s.progress.admit(event) {
			s.began(e)
			s.progress.note(e)
			if s.opts.Observer != nil {
				s.opts.Observer.Progressed(e)
			}
		}
	default:
		if !s.heardUnable(method, params) {
			s.status(method, params)
		}
	}
}

// Published are the diagnostics of one file as the server pushed them.
type Published struct {
	Path string
	// Version is the version the server says it speaks of, or nil.
	Version *int32
	Items   []protocol.Diagnostic
	// Skipped counts the elements that are no diagnostics, Left those beyond what is read of one publish.
	Skipped, Left int
}

func (s *Server) published(params json.RawMessage) {
	p, err := protocol.DecodePublish(params)
	if err != nil {
		s.drop(1)
		return
	}
	path, err := p.URI.Path()
	if err != nil { // untitled: and the like are nobody's file
		return
	}
	s.drop(p.Skipped + p.Left)
	if s.opts.Observer == nil || s.def.Diagnostics.Keeps(path) || s.isUnjudged(path) {
		return
	}
	s.opts.Observer.Published(Published{
		Path: path, Version: p.Version, Items: s.reported(path, p.Items), Skipped: p.Skipped, Left: p.Left,
	})
}

// Request answers every request a server may send; a method it does not know
// gets -32601 at once.
func (in *incoming) Request(method string, params json.RawMessage) (any, error) {
	s := (*Server)(in)
	switch method {
	case "workspace/configuration":
		return s.configuration(params), nil
	case "client/registerCapability":
		s.register(params)
		return nil, nil
	case "client/unregisterCapability":
		s.unregister(params)
		return nil, nil
	case "window/workDoneProgress/create":
		return nil, nil
	case "workspace/workspaceFolders":
		return protocol.Folders(s.Folders()), nil
	case "window/showMessageRequest":
		return nil, nil
	case "window/showDocument":
		return showDocumentResult{}, nil
	case "workspace/applyEdit":
		return s.commands.collect(params), nil
	case "workspace/diagnostic/refresh":
		if s.opts.Observer != nil {
			s.opts.Observer.Refreshed()
		}
		return nil, nil
	}
	if s.heardUnable(method, params) {
		return nil, nil
	}
	if strings.HasPrefix(method, "workspace/") && strings.HasSuffix(method, "/refresh") {
		return nil, nil // semanticTokens, codeLens, inlayHint, inlineValue, foldingRange
	}
	return nil, jsonrpc.ErrMethodNotFound
}

type showDocumentResult struct {
	Success bool `json:"success"`
}

// configuration answers one element per item, in order: the settings of the
// section, all of them for no section, null if there are none.
func (s *Server) configuration(params json.RawMessage) []json.RawMessage {
	var w struct {
		Items []struct {
			ScopeURI protocol.DocumentURI `json:"scopeUri"`
			Section  *string              `json:"section"`
		} `json:"items"`
	}
	if json.Unmarshal(params, &w) != nil {
		s.drop(1)
	}
	answers := make([]json.RawMessage, len(w.Items))
	for i, item := range w.Items {
		section := ""
		if item.Section != nil {
			section = *item.Section
		}
		answers[i] = settingsOf(s.settingsFor(item.ScopeURI), section)
	}
	return answers
}

// settingsFor returns the settings for a folder or a file; of the root if none is named.
func (s *Server) settingsFor(scope protocol.DocumentURI) json.RawMessage {
	if s.opts.Settings == nil {
		return s.def.Settings
	}
	folder := s.root
	if path, err := scope.Path(); scope != "" && err == nil {
		folder = path
	}
	return registry.Merged(s.opts.Settings(folder), s.def.Settings)
}

// settingsOf returns the part of settings that a dotted section names, or null.
func settingsOf(settings json.RawMessage, section string) json.RawMessage {
	null := json.RawMessage("null")
	if len(settings) == 0 {
		return null
	}
	if section == "" {
		return settings
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(settings, &members) != nil {
		return null
	}
	if value, ok := members[section]; ok { // a key may hold dots itself
		return value
	}
	head, rest, dotted := strings.Cut(section, ".")
	if value, ok := members[head]; ok && dotted {
		return settingsOf(value, rest)
	}
	return null
}

func (s *Server) register(params json.RawMessage) {
	var w struct {
		Registrations []json.RawMessage `json:"registrations"`
	}
	if json.Unmarshal(params, &w) != nil {
		s.drop(1)
		return
	}
	for _, raw := range w.Registrations {
		var r protocol.Registration
		if json.Unmarshal(raw, &r) != nil || r.Method == "" {
			s.drop(1)
			continue
		}
		s.offered.add(r)
		s.reconsider(r.Method)
	}
}

// reconsider tells the observer when the offer of diagnostics changed: what was
// given under another one may no longer hold.
func (s *Server) reconsider(method string) {
	if method == "textDocument/diagnostic" && s.opts.Observer != nil {
		s.opts.Observer.Refreshed()
	}
}

func (s *Server) unregister(params json.RawMessage) {
	// "unregisterations" is how LSP spells it.
	var w struct {
		Unregisterations []protocol.Registration `json:"unregisterations"`
		Unregistrations  []protocol.Registration `json:"unregistrations"`
	}
	if json.Unmarshal(params, &w) != nil {
		s.drop(1)
		return
	}
	for _, r := range append(w.Unregisterations, w.Unregistrations...) {
		s.offered.remove(r)
		s.reconsider(r.Method)
	}
}

// registrations are the capabilities a server registered while running.
type registrations struct {
	mu      sync.Mutex
	list    []protocol.Registration
	changed chan struct{} // closed and replaced when list grows
}

// maxRegistrations bounds what a server may register: those beyond it are as if it had not.
const maxRegistrations = 10_000

func (r *registrations) add(registration protocol.Registration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.list) == maxRegistrations {
		return
	}
	r.list = append(r.list, registration)
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *registrations) remove(registration protocol.Registration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, known := range r.list {
		if known.ID == registration.ID && known.Method == registration.Method {
			r.list = append(r.list[:i:i], r.list[i+1:]...)
			return
		}
	}
}

// all returns the registrations there are.
func (r *registrations) all() []protocol.Registration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.list)
}

// of returns the registrations of a method, and a channel that is closed when
// there may be more.
func (r *registrations) of(method string) (list []protocol.Registration, more <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, known := range r.list {
		if known.Method == method {
			list = append(list, known)
		}
	}
	return list, r.changed
}
