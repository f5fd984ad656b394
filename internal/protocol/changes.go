package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// What servers are asked to change, and how they say it. A WorkspaceEdit is
// never decoded here: it is handed on as it came.

// A TextEdit replaces a range of a text (LSP, TextEdit).
type TextEdit struct {
	Range   Range
	NewText string
}

// DecodeTextEdits decodes an array of text edits; null is none. One that is no
// edit is an error, as half of the edits is worse than none.
func DecodeTextEdits(raw json.RawMessage) ([]TextEdit, error) {
	elements, err := splitArray(raw)
	if err != nil {
		return nil, fmt.Errorf("text edits: %w", err)
	}
	edits := make([]TextEdit, 0, len(elements))
	for i, element := range elements {
		var w struct {
			Range   *wireRange `json:"range"`
			NewText *string    `json:"newText"`
		}
		if err := json.Unmarshal(element, &w); err != nil {
			return nil, fmt.Errorf("text edit %d: %w", i, err)
		}
		if w.Range == nil || w.NewText == nil {
			return nil, fmt.Errorf("text edit %d has no range or no text", i)
		}
		edits = append(edits, TextEdit{w.Range.Range(), *w.NewText})
	}
	return edits, nil
}

// A Renameable is what a server says before a rename.
type Renameable struct {
	// Range is that of the name, nil if the server leaves it to the client.
	Range *Range
	// Placeholder is the name as it is to be edited, "" if the server does not say.
	Placeholder string
}

// DecodePrepareRename decodes the result of textDocument/prepareRename: a Range,
// a range with a placeholder, or {defaultBehavior: true}. Null, and a default
// behaviour of false, say that nothing can be renamed: nil.
func DecodePrepareRename(raw json.RawMessage) (*Renameable, error) {
	if isNull(raw) {
		return nil, nil
	}
	var w struct {
		Start           json.RawMessage `json:"start"`
		Range           *wireRange      `json:"range"`
		Placeholder     json.RawMessage `json:"placeholder"`
		DefaultBehavior json.RawMessage `json:"defaultBehavior"`
	}
	var whole wireRange
	if err := errors.Join(json.Unmarshal(raw, &w), json.Unmarshal(raw, &whole)); err != nil {
		return nil, fmt.Errorf("prepareRename: %w", err)
	}
	switch {
	case w.Range != nil:
		return &Renameable{new(w.Range.Range()), text(w.Placeholder)}, nil
	case !isNull(w.Start):
		return &Renameable{Range: new(whole.Range())}, nil
	case isNull(w.DefaultBehavior):
		return nil, errors.New("prepareRename: neither a range nor a default behaviour")
	case !declared(w.DefaultBehavior):
		return nil, nil
	}
	return &Renameable{}, nil
}

// wireDocument and what follows are the JSON of parameters.
type wireDocument struct {
	URI DocumentURI `json:"uri"`
}

type sentPosition struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

type sentRange struct {
	Start sentPosition `json:"start"`
	End   sentPosition `json:"end"`
}

func sent(r Range) sentRange { return sentRange{sentPosition(r.Start), sentPosition(r.End)} }

// encoded is the JSON of what always has one.
func encoded(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil { // strings, numbers and JSON that was decoded before
		panic(err)
	}
	return raw
}

// RenameParams returns the parameters of textDocument/rename. The position is in
// the server's encoding.
func RenameParams(u DocumentURI, p Position, newName string) any {
	return encoded(struct {
		TextDocument wireDocument `json:"textDocument"`
		Position     sentPosition `json:"position"`
		NewName      string       `json:"newName"`
	}{wireDocument{u}, sentPosition(p), newName})
}

// A FileRename is where a file was and where it is to be.
type FileRename struct {
	From, To DocumentURI
}

// RenameFilesParams returns the parameters of workspace/willRenameFiles and
// workspace/didRenameFiles.
func RenameFilesParams(renames []FileRename) any {
	type file struct {
		OldURI DocumentURI `json:"oldUri"`
		NewURI DocumentURI `json:"newUri"`
	}
	files := make([]file, len(renames))
	for i, r := range renames {
		files[i] = file{r.From, r.To}
	}
	return encoded(struct {
		Files []file `json:"files"`
	}{files})
}

// FormattingOptions say how a file is to be formatted (LSP, FormattingOptions).
type FormattingOptions struct {
	TabSize                int  `json:"tabSize"`
	InsertSpaces           bool `json:"insertSpaces"`
	TrimTrailingWhitespace bool `json:"trimTrailingWhitespace,omitempty"`
	InsertFinalNewline     bool `json:"insertFinalNewline,omitempty"`
	TrimFinalNewlines      bool `json:"trimFinalNewlines,omitempty"`
}

// FormattingParams returns the parameters of textDocument/formatting or, with a
// range, in the server's encoding, of textDocument/rangeFormatting.
func FormattingParams(u DocumentURI, r *Range, options FormattingOptions) any {
	p := struct {
		TextDocument wireDocument      `json:"textDocument"`
		Range        *sentRange        `json:"range,omitempty"`
		Options      FormattingOptions `json:"options"`
	}{wireDocument{u}, nil, options}
	if r != nil {
		p.Range = new(sent(*r))
	}
	return encoded(p)
}

// A CodeActionContext says what actions are asked for.
type CodeActionContext struct {
	// Diagnostics are those to be fixed, with ranges in the server's encoding
	// where they have no Raw.
	Diagnostics []Diagnostic
	// Only are the kinds that are wanted; none means all.
	Only []string
}

// invoked is LSP's CodeActionTriggerKind for what somebody asks for.
const invoked = 1

// CodeActionParams returns the parameters of textDocument/codeAction. The range
// is in the server's encoding. Diagnostics go back as the server sent them.
func CodeActionParams(u DocumentURI, r Range, about CodeActionContext) any {
	type wireContext struct {
		Diagnostics []json.RawMessage `json:"diagnostics"`
		Only        []string          `json:"only,omitempty"`
		TriggerKind int               `json:"triggerKind"`
	}
	diagnostics := make([]json.RawMessage, len(about.Diagnostics))
	for i, d := range about.Diagnostics {
		diagnostics[i] = d.wire()
	}
	return encoded(struct {
		TextDocument wireDocument `json:"textDocument"`
		Range        sentRange    `json:"range"`
		Context      wireContext  `json:"context"`
	}{wireDocument{u}, sent(r), wireContext{diagnostics, about.Only, invoked}})
}

// wire returns the diagnostic as the server sent it or, if that is not known, as
// it would have. A code of digits alone is taken for a number, as those of the
// servers are that have it.
func (d *Diagnostic) wire() json.RawMessage {
	if len(d.Raw) > 0 {
		return d.Raw
	}
	w := struct {
		Range    sentRange       `json:"range"`
		Severity Severity        `json:"severity"`
		Code     json.RawMessage `json:"code,omitempty"`
		Source   string          `json:"source,omitempty"`
		Message  string          `json:"message"`
		Tags     []Tag           `json:"tags,omitempty"`
	}{sent(d.Range), d.Severity, nil, d.Source, d.Message, d.Tags}
	if n, err := strconv.ParseUint(d.Code, 10, 31); err == nil {
		w.Code = encoded(n)
	} else if d.Code != "" {
		w.Code = encoded(d.Code)
	}
	return encoded(w)
}
