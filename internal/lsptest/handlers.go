package lsptest

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
)

// clientCapabilities is the little a polite server must respect.
type clientCapabilities struct {
	Window struct {
		WorkDoneProgress bool `json:"workDoneProgress"`
	} `json:"window"`
	Workspace struct {
		DidChangeWatchedFiles struct {
			DynamicRegistration bool `json:"dynamicRegistration"`
		} `json:"didChangeWatchedFiles"`
		Diagnostics struct {
			RefreshSupport bool `json:"refreshSupport"`
		} `json:"diagnostics"`
	} `json:"workspace"`
	TextDocument struct {
		Diagnostic *struct {
			DynamicRegistration bool `json:"dynamicRegistration"`
		} `json:"diagnostic"`
	} `json:"textDocument"`
}

type textDocument struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
	Text    string `json:"text"`
}

// params has the members of all the params that are read.
type params struct {
	TextDocument     textDocument       `json:"textDocument"`
	Position         position           `json:"position"`
	ContentChanges   []contentChange    `json:"contentChanges"`
	Changes          []fileChange       `json:"changes"`
	PreviousResultID string             `json:"previousResultId"`
	Command          string             `json:"command"`
	Arguments        []json.RawMessage  `json:"arguments"`
	Capabilities     clientCapabilities `json:"capabilities"`
	RootURI          string             `json:"rootUri"`
	WorkspaceFolders []folder           `json:"workspaceFolders"`
	ID               json.RawMessage    `json:"id"`
	Event            struct {
		Added   []folder `json:"added"`
		Removed []folder `json:"removed"`
	} `json:"event"`
}

type contentChange struct {
	Range *span  `json:"range"`
	Text  string `json:"text"`
}

type fileChange struct {
	URI  string `json:"uri"`
	Type int    `json:"type"`
}

type folder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

// handle understands a message and fills the turn with a polite answer.
func (s *server) handle(t *turn) {
	m := &t.in
	var p params
	if m.Params != nil {
		if err := json.Unmarshal(m.Params, &p); err != nil {
			s.violation("%s: params: %v", m.Method, err)
		}
	}
	switch {
	case m.Method == "exit":
		if m.Params != nil {
			s.violation("exit has a params member: %s", m.Params)
		}
	case m.Method == "initialize":
		s.initialize(t, p)
	case !s.initialized:
		s.violation("%s before initialize was answered", m.Method)
		t.respondError(ResponseError{Code: -32002, Message: "server not initialized"})
	case s.shutdown:
		s.violation("%s after shutdown", m.Method)
		t.respondError(ResponseError{Code: -32600, Message: "server is shutting down"})
	case m.isRequest():
		s.handleRequest(t, p)
	default:
		s.handleNotification(t, p)
	}
}

func (s *server) handleRequest(t *turn, p params) {
	path := pathOf(p.TextDocument.URI)
	switch t.in.Method {
	case "shutdown":
		s.shutdown = true
		t.respond(nil)
	case "textDocument/diagnostic":
		s.pull(t, path, p.PreviousResultID)
	case "workspace/diagnostic":
		s.pullAll(t)
	case "workspace/executeCommand":
		s.executeCommand(t, p)
	case "textDocument/hover":
		s.hover(t, path, p.Position)
	case "textDocument/definition":
		s.respondLocations(t, path, p.Position, "def")
	case "textDocument/references":
		s.respondLocations(t, path, p.Position, "def", "use")
	case "textDocument/documentSymbol":
		t.respond(s.documentSymbols(path))
	case "textDocument/foldingRange":
		t.respond([]span{})
	default:
		t.respondError(ResponseError{Code: -32601, Message: "method not found: " + t.in.Method})
	}
}

func (s *server) handleNotification(t *turn, p params) {
	switch t.in.Method {
	case "initialized":
		s.store.scan()
		s.register()
		s.publishChanged(t, "")
	case "textDocument/didOpen", "textDocument/didChange", "textDocument/didSave", "textDocument/didClose":
		s.syncDocument(t, p)
	case "workspace/didChangeWatchedFiles":
		s.store.scan()
		for _, c := range p.Changes {
			if path := pathOf(c.URI); strings.HasSuffix(path, ".toy") {
				s.store.reread(path)
			}
		}
		s.publishChanged(t, "")
	case "workspace/didChangeWorkspaceFolders":
		s.addFolders(p.Event.Added)
		s.store.scanned = false
		s.publishChanged(t, "")
	case "$/cancelRequest":
		s.cancel(p.ID)
	}
}

func (s *server) addFolders(folders []folder) {
	for _, f := range folders {
		if path := pathOf(f.URI); path != "" {
			s.store.roots = append(s.store.roots, path)
		}
	}
}

func (s *server) initialize(t *turn, p params) {
	if s.initialized {
		s.violation("initialize twice")
	}
	s.initialized = true
	s.client = p.Capabilities
	s.addFolders(p.WorkspaceFolders)
	if len(p.WorkspaceFolders) == 0 {
		s.addFolders([]folder{{URI: p.RootURI}})
	}
	result := struct {
		Capabilities json.RawMessage `json:"capabilities"`
		ServerInfo   json.RawMessage `json:"serverInfo"`
	}{s.capabilities(), json.RawMessage(`{"name":"toy","version":"1.2.3"}`)}
	if s.script.Nulls {
		result.ServerInfo = json.RawMessage("null")
	}
	t.respond(result)
}

// capabilities builds the announcement, lies last.
func (s *server) capabilities() json.RawMessage {
	kinds := map[string]string{"": "2", "incremental": "2", "full": "1", "none": "0"}
	c := map[string]json.RawMessage{
		"textDocumentSync":       json.RawMessage(`{"openClose":true,"save":{},"change":` + kinds[s.script.Sync] + `}`),
		"hoverProvider":          json.RawMessage("true"),
		"definitionProvider":     json.RawMessage("true"),
		"referencesProvider":     json.RawMessage(`{}`),
		"documentSymbolProvider": json.RawMessage("true"),
		"foldingRangeProvider":   json.RawMessage("true"),
		"workspace":              json.RawMessage(`{"workspaceFolders":{"supported":true,"changeNotifications":true}}`),
	}
	if e := s.script.PositionEncoding; e != "" {
		c["positionEncoding"] = encode(e)
	}
	if s.script.Mode == Pull || s.script.Mode == PushAndPull {
		c["diagnosticProvider"] = json.RawMessage(diagnosticOptions)
	}
	if s.script.Mode == Command {
		c["executeCommandProvider"] = json.RawMessage(`{"commands":["toy.diagnose"]}`)
	}
	if s.script.Nulls {
		for _, name := range []string{"completionProvider", "renameProvider", "codeActionProvider", "experimental"} {
			c[name] = json.RawMessage("null")
		}
	}
	if s.script.Capabilities != nil {
		if err := json.Unmarshal(s.script.Capabilities, &c); err != nil {
			s.violation("the script's capabilities: %v", err)
		}
	}
	return encode(c)
}

const diagnosticOptions = `{"identifier":"toy","interFileDependencies":true,"workspaceDiagnostics":true}`

type registration struct {
	ID      string          `json:"id"`
	Method  string          `json:"method"`
	Options json.RawMessage `json:"registerOptions"`
}

// register asks for what can only be had dynamically, if the client can.
func (s *server) register() {
	var all []registration
	if s.client.Workspace.DidChangeWatchedFiles.DynamicRegistration && !s.script.NoWatch {
		all = append(all, registration{
			"toy-watch", "workspace/didChangeWatchedFiles",
			json.RawMessage(`{"watchers":[{"globPattern":"**/*.toy"}]}`),
		})
	}
	if d := s.client.TextDocument.Diagnostic; s.script.Mode == PullDynamic && d != nil && d.DynamicRegistration {
		selector := `{"documentSelector":[{"language":"toy"}],` + diagnosticOptions[1:]
		all = append(all, registration{"toy-diagnostic", "textDocument/diagnostic", json.RawMessage(selector)})
	}
	if len(all) > 0 {
		s.ask("client/registerCapability", encode(struct {
			Registrations []registration `json:"registrations"`
		}{all}))
	}
}

func (s *server) syncDocument(t *turn, p params) {
	uri, path := p.TextDocument.URI, pathOf(p.TextDocument.URI)
	d := s.store.open[path]
	if d == nil && t.in.Method != "textDocument/didOpen" {
		s.violation("%s of %s, which is not open", t.in.Method, uri)
		return
	}
	s.store.scan()
	switch t.in.Method {
	case "textDocument/didOpen":
		if d != nil {
			s.violation("didOpen of %s, which is open", uri)
		}
		s.store.open[path] = &document{uri: uri, text: p.TextDocument.Text, version: p.TextDocument.Version}
		s.publishChanged(t, path)
	case "textDocument/didChange":
		if p.TextDocument.Version <= d.version {
			s.violation("didChange of %s from version %d to %d", uri, d.version, p.TextDocument.Version)
		}
		d.version = p.TextDocument.Version
		for _, c := range p.ContentChanges {
			s.change(d, c)
		}
		if !s.script.NeedsSave {
			s.publishChanged(t, path)
		}
	case "textDocument/didSave":
		s.store.reread(path)
		if s.script.NeedsSave {
			s.publishChanged(t, path)
		}
	case "textDocument/didClose":
		delete(s.store.open, path)
		if _, onDisk := s.store.disk[path]; !onDisk {
			s.store.reread(path)
		}
		s.publishClosed(t, path, uri)
		s.publishChanged(t, "")
	}
}

func (s *server) change(d *document, c contentChange) {
	if c.Range == nil {
		d.text = c.Text
		return
	}
	from, ok := s.store.offset(d.text, c.Range.Start)
	to, ok2 := s.store.offset(d.text, c.Range.End)
	if !ok || !ok2 || to < from {
		s.violation("didChange of %s: range %+v is not one of the text", d.uri, *c.Range)
		to = max(from, to)
	}
	d.text = d.text[:from] + c.Text + d.text[to:]
}

// cancel answers a request that waits for something else.
func (s *server) cancel(id json.RawMessage) {
	for _, p := range s.takeParked(func(p *turn) bool { return bytes.Equal(p.in.ID, id) }) {
		p.out = nil
		p.untilMethod, p.untilResponse = "", ""
		p.respondError(ResponseError{Code: -32800, Message: "request cancelled"})
		s.send(p)
	}
}

func (s *server) executeCommand(t *turn, p params) {
	if p.Command != "toy.diagnose" || len(p.Arguments) == 0 {
		t.respondError(ResponseError{Code: -32602, Message: "no such command: " + p.Command})
		return
	}
	var uri string
	if err := json.Unmarshal(p.Arguments[0], &uri); err != nil {
		t.respondError(ResponseError{Code: -32602, Message: "toy.diagnose wants a URI: " + err.Error()})
		return
	}
	s.store.scan()
	s.publish(t, pathOf(uri))
	t.respond(nil)
}

func (s *server) hover(t *turn, path string, at position) {
	name, r, ok := s.store.nameAt(path, at)
	if !ok {
		t.respond(nil)
		return
	}
	type content struct {
		Kind  string `json:"kind"`
		Value string `json:"value"`
	}
	t.respond(struct {
		Contents content `json:"contents"`
		Range    span    `json:"range"`
	}{content{"plaintext", "def " + name}, r})
}

func (s *server) respondLocations(t *turn, path string, at position, verbs ...string) {
	if name, _, ok := s.store.nameAt(path, at); ok {
		t.respond(s.store.find(name, verbs...))
		return
	}
	t.respond(nil)
}

type symbol struct {
	Name      string `json:"name"`
	Kind      int    `json:"kind"`
	Range     span   `json:"range"`
	Selection span   `json:"selectionRange"`
}

func (s *server) documentSymbols(path string) []symbol {
	text, _ := s.store.text(path)
	found := []symbol{}
	for i, line := range lines(text) {
		if verb, name, at := statement(line); verb == "def" {
			found = append(found, symbol{name, 12, s.store.span(line, i, 0, len(line)), s.store.span(line, i, at, at+len(name))})
		}
	}
	return found
}

// stayAlive is the body of a grandchild.
func stayAlive(pidFile string) {
	ignoreSignals()
	if err := os.WriteFile(pidFile, encode(os.Getpid()), 0o600); err != nil {
		os.Exit(2)
	}
	sleepForever()
}
