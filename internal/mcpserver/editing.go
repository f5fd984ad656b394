package mcpserver

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// editingTools returns the tools of agent-lsp, another MCP server, that change files.
func editingTools() []tool {
	oldText := []parameter{
		{name: "file_path", to: "edits.file", kind: "string"},
		{name: "old_text", to: "edits.old_text", kind: "string", description: "exact text, which must occur once"},
		{name: "new_text", to: "edits.new_text", kind: "string"},
	}
	needed := slices.Clone(oldText)
	for i := range needed {
		needed[i].required = true
	}
	indent := []parameter{
		{name: "tab_size", description: "default: as in the file"},
		{name: "insert_spaces", description: "default: as in the file"},
	}
	return []tool{
		{
			name: "apply_edit", operation: "edit", title: "Apply edit", description: "Change files and report what this broke: a WorkspaceEdit, or old_text replaced by new_text.",
			parameters: append([]parameter{{name: "workspace_edit", to: "edits.workspace_edit", kind: "object"}}, oldText...), split: oneEdit,
			shape: editShape, effect: changesAgain,
		},
		{
			name: "safe_apply_edit", operation: "edit", title: "Apply edit if clean", description: "Change a file only if this breaks nothing, here or elsewhere.",
			parameters: needed, split: oneEdit, fixed: map[string]string{"mode": `"apply_if_clean"`}, shape: editShape, effect: changesAgain,
		},
		{
			name: "safe_edit", operation: "edit", title: "Apply edit if clean", description: "The same as safe_apply_edit.",
			parameters: needed, split: oneEdit, fixed: map[string]string{"mode": `"apply_if_clean"`}, shape: editShape, effect: changesAgain,
		},
		{
			name: "rename_symbol", operation: "rename", title: "Rename symbol", description: "Rename a symbol everywhere and report what this broke.",
			parameters: aSymbol(
				parameter{name: "new_name", required: true},
				parameter{name: "dry_run", to: "mode", kind: "boolean", values: []value{{"true", `"preview"`}, {"false", `"apply"`}}},
				parameter{name: "exclude_globs"},
			),
			shape: editShape, effect: changesAgain,
		},
		{
			name: "prepare_rename", operation: "prepare_rename", title: "Prepare rename", description: "Check whether a symbol can be renamed.",
			parameters: aPlace(),
		},
		{
			name: "format_document", operation: "format_edits", title: "Format document", description: "Return the edits that would format a file; apply_edit applies them.",
			parameters: append([]parameter{filePath, languageID}, indent...), shape: formattingShape,
		},
		{
			name: "format_range", operation: "format_edits", title: "Format range", description: "Return the edits that would format a range of a file.",
			parameters: append(aRange(), indent...), shape: formattingShape,
		},
		symbolTool("replace_symbol_body", "Replace body", "Replace the body of a function or type.", "replace_body",
			parameter{name: "new_body", to: "code", kind: "string", required: true}),
		symbolTool("insert_after_symbol", "Insert after", "Insert code after a declaration.", "insert_after",
			parameter{name: "code", kind: "string", required: true}),
		symbolTool("insert_before_symbol", "Insert before", "Insert code before a declaration and its doc comment.", "insert_before",
			parameter{name: "code", kind: "string", required: true}),
		symbolTool("safe_delete_symbol", "Delete symbol", "Delete a declaration that nothing uses.", "delete"),
		{
			name: "suggest_fixes", operation: "fixes", title: "Suggest fixes", description: "List the code actions that servers offer in a range, with the edits of each.",
			parameters: aRange(), fixed: map[string]string{"with_edits": "true"},
		},
		{
			name: "get_codelens", operation: "code_lenses", title: "Code lenses", description: "List the commands that servers offer in a file, such as running a test.",
			parameters: []parameter{filePath, languageID, {name: "line"}},
		},
		{
			name: "execute_codelens", operation: "execute_code_lens", title: "Execute code lens", description: "Execute a command listed by get_codelens.",
			parameters: []parameter{filePath, languageID, {name: "line"}, {name: "index", to: "number", description: "its number in the list, default 1"}, {name: "title"}, {name: "confirm"}},
			effect:     changesAgain,
		},
		{
			name: "execute_command", operation: "execute_command", title: "Execute command", description: "Run a command of a language server.",
			parameters: []parameter{{name: "command", required: true}, {name: "arguments", kind: "array", items: "object", description: "any JSON values"}, {name: "file_path", to: "file", kind: "string", description: "a file of the server to use, which is started if need be"}, {name: "server"}, {name: "confirm"}}, effect: changesAgain,
		},
		{
			name: "run_build", operation: "build", title: "Build", description: "Build with the language's own tool.",
			parameters: []parameter{rootSeen, {name: "path"}, {name: "language"}}, shape: buildShape, effect: changes,
		},
		{
			name: "run_tests", operation: "test", title: "Run tests", description: "Run tests with the language's own tool.",
			parameters: []parameter{rootSeen, {name: "path"}, {name: "language"}}, shape: testedShape, effect: changes,
		},
	}
}

// symbolTool returns a tool that does one thing to a declaration.
func symbolTool(name, title, description, action string, more ...parameter) tool {
	return tool{
		name: name, operation: "edit_symbol", title: title, description: description,
		parameters: append([]parameter{filePath, languageID, {name: "symbol_path", to: "symbol", kind: "string", required: true}}, more...),
		fixed:      map[string]string{"action": `"` + action + `"`}, shape: editShape, effect: changesAgain,
	}
}

// gathered returns the arguments of a call with what models write beside each other put where it belongs: the members of a single
// edit, and the action of a simulation that begins none.
func (t *tool) gathered(given arguments) arguments {
	takes := func(name string) bool {
		return slices.ContainsFunc(t.parameters, func(p parameter) bool { return p.target() == name })
	}
	if t.own != nil || !takes("edits") || t.op.Input().Properties["edits"] == nil {
		return given
	}
	input, out, edit := t.op.Input(), maps.Clone(given), make(arguments)
	for member := range input.Properties["edits"].Items.Properties {
		for _, name := range api.Spellings(member) {
			if raw, ok := given[name]; ok && input.Properties[name] == nil && edit[member] == nil {
				edit[member] = raw
				delete(out, name)
			}
		}
	}
	if text, err := json.Marshal([]arguments{edit}); err == nil && len(edit) > 0 && given["edits"] == nil {
		given = out
		given["edits"] = text
	}
	if takes("action") && given["action"] == nil && given["session"] == nil && given["edits"] != nil {
		given = maps.Clone(given)
		given["action"] = json.RawMessage(`"` + api.SimulatePreview + `"`)
	}
	return given
}

// inEdits is the prefix of arguments that become members of the only edit.
const inEdits = "edits."

// oneEdit converts the members of one edit to the list of edits that the operation takes.
func oneEdit(args arguments) []arguments {
	one, rest := arguments{}, arguments{}
	for name, raw := range args {
		if member, ok := strings.CutPrefix(name, inEdits); ok {
			one[member] = raw
		} else {
			rest[name] = raw
		}
	}
	edits, err := json.Marshal([]arguments{one})
	if err == nil { // it was parsed from JSON
		rest["edits"] = edits
	}
	return []arguments{rest}
}

// An edited is the structured result of an edit, with errors counted as agent-lsp does.
type edited struct {
	*result.Edit
	Introduced []introduced `json:"errors_introduced"`
	Resolved   []introduced `json:"errors_resolved"`
	NetDelta   int          `json:"net_delta"`
	// ErrorsAfter and WarningsAfter are the numbers of new errors and warnings.
	ErrorsAfter   int `json:"errors_after"`
	WarningsAfter int `json:"warnings_after"`
}

// textEdits says how a file would be formatted; the edits are not applied.
type textEdits struct {
	result.Head
	File  string            `json:"file"`
	Edits []result.TextEdit `json:"edits"`
}

var formattingShape = alone(func(f *result.Formatting) textEdits { return textEdits{f.Head, f.Path, f.Edits} })

type introduced struct {
	File    string `json:"file"`
	Line    uint32 `json:"line"`
	Column  uint32 `json:"column"`
	Message string `json:"message"`
}

var editShape = alone(func(e *result.Edit) edited {
	out := edited{Edit: e, Introduced: []introduced{}, Resolved: []introduced{}}
	for _, files := range [][]result.File{e.Files, e.Others} {
		for _, f := range files {
			for _, d := range f.Diagnostics {
				switch d.Severity {
				case "error":
					out.ErrorsAfter++
					out.Introduced = append(out.Introduced, introduced{f.Path, d.Line, d.Column, d.Message})
				case "warning":
					out.WarningsAfter++
				}
			}
			for _, d := range f.Fixed {
				if d.Severity == "error" {
					out.Resolved = append(out.Resolved, introduced{f.Path, d.Line, d.Column, d.Message})
				}
			}
		}
	}
	out.NetDelta = len(out.Introduced) - len(out.Resolved)
	return out
})

type built struct {
	result.Head
	Success bool             `json:"success"`
	Errors  []result.Finding `json:"errors"`
	Raw     string           `json:"raw"`
}

var buildShape = alone(func(b *result.Build) built { return built{b.Head, b.Success, b.Problems, b.Output} })

type tested struct {
	result.Head
	Passed   bool             `json:"passed"`
	Failures []string         `json:"failures"`
	Errors   []result.Finding `json:"errors"`
	Raw      string           `json:"raw"`
}

var testedShape = alone(func(b *result.Build) tested {
	return tested{b.Head, b.Success, orNone(b.Failed), b.Problems, b.Output}
})
