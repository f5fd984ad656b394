package protocol

import (
	"encoding/json"
	"fmt"
)

// A SyncKind is LSP's TextDocumentSyncKind.
type SyncKind int

const (
	SyncNone        SyncKind = 0
	SyncFull        SyncKind = 1
	SyncIncremental SyncKind = 2
)

// Capabilities are what a server declared in its InitializeResult. Each
// provider is kept as it came, so that one odd value does not cost the rest.
type Capabilities struct {
	ServerName    string
	ServerVersion string
	Encoding      Encoding
	Sync          SyncKind
	OpenClose     bool
	// Save says whether didSave is wanted, SaveText whether with the text.
	Save, SaveText bool
	// FolderChanges says that the server takes further workspace folders.
	FolderChanges bool

	raw       json.RawMessage
	providers map[string]json.RawMessage
}

// JSON returns the capabilities as the server gave them; nil if it gave none.
func (c *Capabilities) JSON() json.RawMessage { return c.raw }

// DecodeInitializeResult decodes the result of initialize.
func DecodeInitializeResult(raw json.RawMessage) (*Capabilities, error) {
	var w struct {
		Capabilities json.RawMessage `json:"capabilities"`
		ServerInfo   json.RawMessage `json:"serverInfo"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return nil, fmt.Errorf("initialize result: %w", err)
	}
	var providers map[string]json.RawMessage
	if !isNull(w.Capabilities) {
		if err := json.Unmarshal(w.Capabilities, &providers); err != nil {
			return nil, fmt.Errorf("initialize result: %w", err)
		}
	}
	var info struct {
		Name    json.RawMessage `json:"name"`
		Version json.RawMessage `json:"version"`
	}
	_ = json.Unmarshal(w.ServerInfo, &info) // if it is odd, they stay empty
	c := &Capabilities{
		ServerName: text(info.Name), ServerVersion: text(info.Version),
		Encoding: UTF16, raw: w.Capabilities, providers: providers,
	}
	switch e := Encoding(text(providers["positionEncoding"])); e {
	case UTF8, UTF32:
		c.Encoding = e
	}
	c.decodeSync(providers["textDocumentSync"])
	var workspace struct {
		WorkspaceFolders struct {
			Supported           json.RawMessage `json:"supported"`
			ChangeNotifications json.RawMessage `json:"changeNotifications"`
		} `json:"workspaceFolders"`
	}
	if json.Unmarshal(providers["workspace"], &workspace) == nil {
		c.FolderChanges = declared(workspace.WorkspaceFolders.Supported) &&
			declared(workspace.WorkspaceFolders.ChangeNotifications)
	}
	return c, nil
}

// decodeSync reads both forms: a number, or TextDocumentSyncOptions.
func (c *Capabilities) decodeSync(raw json.RawMessage) {
	if n, ok := number(raw); ok {
		c.Sync, c.OpenClose = SyncKind(n), n != 0
		c.Save = n != 0
		return
	}
	var w struct {
		OpenClose json.RawMessage `json:"openClose"`
		Change    json.RawMessage `json:"change"`
		Save      json.RawMessage `json:"save"`
	}
	if json.Unmarshal(raw, &w) != nil {
		return
	}
	n, _ := number(w.Change)
	c.Sync = SyncKind(n)
	c.OpenClose = declared(w.OpenClose)
	c.Save = declared(w.Save)
	var save struct {
		IncludeText json.RawMessage `json:"includeText"`
	}
	if json.Unmarshal(w.Save, &save) == nil {
		c.SaveText = declared(save.IncludeText)
	}
}

// declared reports whether a provider value (true, or options) says yes.
func declared(raw json.RawMessage) bool {
	return !isNull(raw) && string(raw) != "false"
}

// Commands returns the commands of executeCommandProvider.
func (c *Capabilities) Commands() []string {
	return decodeCommands(c.providers["executeCommandProvider"])
}

func decodeCommands(raw json.RawMessage) []string {
	var w struct {
		Commands []json.RawMessage `json:"commands"`
	}
	if json.Unmarshal(raw, &w) != nil {
		return nil
	}
	var commands []string
	for _, element := range w.Commands {
		if command := text(element); command != "" {
			commands = append(commands, command)
		}
	}
	return commands
}

// PullIdentifier returns the identifier of the static diagnosticProvider, and
// whether there is such a provider.
func (c *Capabilities) PullIdentifier() (string, bool) {
	raw := c.providers["diagnosticProvider"]
	if !declared(raw) {
		return "", false
	}
	return DecodeIdentifier(raw), true
}

// DecodeIdentifier returns the identifier member of diagnostic options.
func DecodeIdentifier(raw json.RawMessage) string {
	var w struct {
		Identifier json.RawMessage `json:"identifier"`
	}
	if json.Unmarshal(raw, &w) != nil {
		return ""
	}
	return text(w.Identifier)
}

// A Registration is one element of client/registerCapability.
type Registration struct {
	ID      string          `json:"id"`
	Method  string          `json:"method"`
	Options json.RawMessage `json:"registerOptions"`
}

// Commands returns the commands that a registration of
// workspace/executeCommand adds.
func (r Registration) Commands() []string { return decodeCommands(r.Options) }

// A Watch is one file pattern a server wants to hear about.
type Watch struct {
	// Base is the folder the pattern is relative to, or "" for a pattern on
	// absolute paths.
	Base string
	// Pattern is a glob in LSP's syntax.
	Pattern string
	// Kind is the sum of 1 (create), 2 (change) and 4 (delete).
	Kind int
}

// Watches returns the patterns that a registration of
// workspace/didChangeWatchedFiles adds; bad elements are skipped.
func (r Registration) Watches() (watches []Watch) {
	var w struct {
		Watchers []json.RawMessage `json:"watchers"`
	}
	if json.Unmarshal(r.Options, &w) != nil {
		return nil
	}
	for _, element := range w.Watchers {
		var watcher struct {
			GlobPattern json.RawMessage `json:"globPattern"`
			Kind        json.RawMessage `json:"kind"`
		}
		if json.Unmarshal(element, &watcher) != nil {
			continue
		}
		watch := Watch{Kind: 7}
		if n, ok := number(watcher.Kind); ok {
			watch.Kind = int(n)
		}
		if watch.Pattern = text(watcher.GlobPattern); watch.Pattern == "" {
			var relative struct {
				BaseURI json.RawMessage `json:"baseUri"`
				Pattern string          `json:"pattern"`
			}
			if json.Unmarshal(watcher.GlobPattern, &relative) != nil {
				continue
			}
			watch.Pattern = relative.Pattern
			base := text(relative.BaseURI)
			if base == "" { // a WorkspaceFolder
				var folder struct {
					URI string `json:"uri"`
				}
				_ = json.Unmarshal(relative.BaseURI, &folder)
				base = folder.URI
			}
			path, err := DocumentURI(base).Path()
			if err != nil {
				continue
			}
			watch.Base = path
		}
		if watch.Pattern != "" {
			watches = append(watches, watch)
		}
	}
	return watches
}
