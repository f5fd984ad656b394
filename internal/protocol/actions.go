package protocol

import (
	"bytes"
	"encoding/json"
)

// A CodeAction is LSP's CodeAction; a bare Command becomes one without an edit.
type CodeAction struct {
	Title string
	// Kind is a dotted name such as quickfix or source.organizeImports, "" if the
	// server does not say.
	Kind        string
	IsPreferred bool
	Disabled    string // the reason, "" if the action can be applied
	// Diagnostics are those that the server says it fixes.
	Diagnostics []Diagnostic
	Edit        json.RawMessage // a WorkspaceEdit, nil for none, an empty one, or not yet
	Command     *Command        // to be executed after the edit, nil for none
	Data        json.RawMessage
	// Raw is the action as the server sent it, for codeAction/resolve.
	Raw json.RawMessage
}

// A Command is LSP's Command.
type Command struct {
	Title     string            `json:"title"`
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments,omitempty"`
}

// DecodeCodeActions decodes (Command | CodeAction)[]. A bad element is skipped
// and counted.
func DecodeCodeActions(raw json.RawMessage) (actions []CodeAction, skipped int, err error) {
	elements, err := splitArray(raw)
	if err != nil {
		return nil, 0, err
	}
	for _, element := range elements {
		action, ok := DecodeCodeAction(element)
		if !ok {
			skipped++
			continue
		}
		actions = append(actions, action)
	}
	return actions, skipped, nil
}

// DecodeCodeAction decodes one Command or CodeAction, and reports whether it is
// one: it has a title.
func DecodeCodeAction(raw json.RawMessage) (CodeAction, bool) {
	var w struct {
		Title       string          `json:"title"`
		Kind        json.RawMessage `json:"kind"`
		IsPreferred json.RawMessage `json:"isPreferred"`
		Disabled    json.RawMessage `json:"disabled"`
		Diagnostics json.RawMessage `json:"diagnostics"`
		Edit        json.RawMessage `json:"edit"`
		Command     json.RawMessage `json:"command"`
		Arguments   json.RawMessage `json:"arguments"`
		Data        json.RawMessage `json:"data"`
	}
	if json.Unmarshal(raw, &w) != nil || w.Title == "" {
		return CodeAction{}, false
	}
	action := CodeAction{
		Title: w.Title, Kind: text(w.Kind), IsPreferred: string(bytes.TrimSpace(w.IsPreferred)) == "true",
		Disabled: disabledReason(w.Disabled), Data: w.Data, Raw: raw,
	}
	action.Diagnostics, _, _ = DecodeDiagnostics(w.Diagnostics) // what is odd is not said
	if len(action.Diagnostics) == 0 {
		action.Diagnostics = nil
	}
	if !isNull(w.Edit) && !changesNothing(w.Edit) {
		action.Edit = w.Edit
	}
	if name := text(w.Command); name != "" { // a bare Command
		arguments, _ := splitArray(w.Arguments)
		action.Command = &Command{Title: w.Title, Command: name, Arguments: arguments}
		return action, true
	}
	var command Command
	if !isNull(w.Command) && json.Unmarshal(w.Command, &command) == nil && command.Command != "" {
		action.Command = &command
	}
	return action, true
}

// changesNothing reports whether a WorkspaceEdit has no change.
func changesNothing(raw json.RawMessage) bool {
	var w struct {
		Changes         map[string][]json.RawMessage `json:"changes"`
		DocumentChanges []struct {
			Kind  string            `json:"kind"`
			Edits []json.RawMessage `json:"edits"`
		} `json:"documentChanges"`
	}
	if json.Unmarshal(raw, &w) != nil {
		return false
	}
	for _, edits := range w.Changes {
		if len(edits) > 0 {
			return false
		}
	}
	for _, change := range w.DocumentChanges {
		if change.Kind != "" || len(change.Edits) > 0 {
			return false
		}
	}
	return true
}

// disabledReason returns why an action cannot be applied, "" if it can.
func disabledReason(raw json.RawMessage) string {
	if !declared(raw) {
		return ""
	}
	var w struct {
		Reason string `json:"reason"`
	}
	if json.Unmarshal(raw, &w) != nil || w.Reason == "" {
		return "the server does not say why"
	}
	return w.Reason
}
