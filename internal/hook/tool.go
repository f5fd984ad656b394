package hook

import (
	"encoding/json"
	"slices"
	"strings"
)

// A toolInput is the union of the inputs of all agents' editing tools.
type toolInput struct {
	FilePath     string `json:"file_path"`
	FilePathToo  string `json:"filePath"`
	Path         string `json:"path"`
	NotebookPath string `json:"notebook_path"`
	AbsolutePath string `json:"absolute_path"`
	TargetFile   string `json:"target_file"`

	OldString *string `json:"old_string"`
	NewString *string `json:"new_string"`
	OldStr    *string `json:"old_str"`
	NewStr    *string `json:"new_str"`
	OldText   *string `json:"old_text"`
	NewText   *string `json:"new_text"`
	// For opencode and pi.
	OldStringToo *string `json:"oldString"`
	NewStringToo *string `json:"newString"`
	OldTextToo   *string `json:"oldText"`
	NewTextToo   *string `json:"newText"`

	ReplaceAll    bool `json:"replace_all"`
	ReplaceAllToo bool `json:"replaceAll"`

	Edits json.RawMessage `json:"edits"`
	Files json.RawMessage `json:"files"`

	Command   json.RawMessage `json:"command"`
	Patch     json.RawMessage `json:"patch"`
	PatchText json.RawMessage `json:"patchText"`
	Input     json.RawMessage `json:"input"`
}

// addEdits adds to the event what the call changed.
func (c toolCall) addEdits(e *Event) {
	kind := kindOf(c.ToolName)
	if kind == reader {
		return
	}
	input, text := inputOf(c.ToolInput)
	for _, patch := range []string{text, textOf(input.Command), textOf(input.Patch), textOf(input.PatchText), textOf(input.Input)} {
		for _, edit := range patchEdits(patch) {
			e.addEdit(edit)
			kind = reader // every change is known
		}
	}
	if kind == reader {
		return
	}
	paths := input.paths()
	e.Sweep = e.Sweep || kind == command || len(paths) == 0
	if kind == command {
		return
	}
	for _, path := range paths {
		edit := Edit{Path: path}
		if len(paths) == 1 {
			edit.Before, edit.Undo = c.before(), input.undo()
		}
		e.addEdit(edit)
	}
}

// inputOf decodes the input of a tool. text is set if the input is a string: some agents send
// patches that way, others a JSON object.
func inputOf(raw json.RawMessage) (input toolInput, text string) {
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	if json.Unmarshal(raw, &input) == nil {
		text = ""
	}
	return input, text
}

func textOf(raw json.RawMessage) (text string) {
	_ = json.Unmarshal(raw, &text) // if this fails, it is not a text
	return text
}

// paths returns the files that a tool names, each once.
func (in *toolInput) paths() (paths []string) {
	named := []string{in.FilePath, in.FilePathToo, in.Path, in.NotebookPath, in.AbsolutePath, in.TargetFile}
	var names []string
	var files []struct{ Path string }
	raw := in.Files
	if text := textOf(raw); text != "" { // Cline sends the JSON of a list as a string
		raw = json.RawMessage(text)
	}
	if json.Unmarshal(raw, &names) == nil {
		named = append(named, names...)
	} else if json.Unmarshal(raw, &files) == nil {
		for _, f := range files {
			named = append(named, f.Path)
		}
	}
	for _, path := range named {
		if path != "" && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// undo returns the replacements that undo those of the call, nil if they are unknown.
func (in *toolInput) undo() []Replacement {
	if in.ReplaceAll || in.ReplaceAllToo {
		return nil
	}
	if len(in.Edits) > 0 {
		return replacements(in.Edits)
	}
	for _, pair := range [][2]*string{
		{in.OldString, in.NewString},
		{in.OldStr, in.NewStr},
		{in.OldText, in.NewText},
		{in.OldStringToo, in.NewStringToo},
		{in.OldTextToo, in.NewTextToo},
	} {
		if pair[0] != nil && pair[1] != nil {
			return []Replacement{{Old: *pair[1], New: *pair[0]}}
		}
	}
	return nil
}

// replacements returns what undoes a list of replacements, last first; nil if one of them is
// unknown.
func replacements(raw json.RawMessage) (undo []Replacement) {
	var edits []toolInput
	if json.Unmarshal(raw, &edits) != nil {
		return nil
	}
	for _, edit := range edits {
		back := edit.undo()
		if back == nil {
			return nil
		}
		undo = append(back, undo...)
	}
	return undo
}

// before returns the text of the file before the call, nil if the tool's result does not include
// it.
func (c toolCall) before() *string {
	var said struct {
		OriginalFile *string `json:"originalFile"` // Claude Code
		Display      struct {
			OriginalContent *string `json:"originalContent"` // Gemini CLI and its relatives
		} `json:"returnDisplay"`
	}
	var display struct{ OriginalFile *string }
	if json.Unmarshal(c.ToolResponse, &said) != nil { // the display may be a string
		_ = json.Unmarshal(c.ToolResponse, &display)
		return display.OriginalFile
	}
	if said.OriginalFile != nil {
		return said.OriginalFile
	}
	return said.Display.OriginalContent
}

// takeBack returns the text before replacements were made. ok is false if that is not certain.
func takeBack(text string, undo []Replacement) (before string, ok bool) {
	for _, r := range undo {
		at := strings.Index(text, r.Old)
		if r.Old == "" || at < 0 || strings.Contains(text[at+1:], r.Old) || r.Lines && at > 0 && text[at-1] != '\n' {
			return "", false
		}
		text = text[:at] + r.New + text[at+len(r.Old):]
	}
	return text, len(undo) > 0
}
