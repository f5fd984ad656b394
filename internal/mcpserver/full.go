package mcpserver

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// bothWays splits a call whose direction is both, the default, into two.
func bothWays(one, other string) func(arguments) []arguments {
	return func(args arguments) []arguments {
		var direction string
		_ = json.Unmarshal(args["direction"], &direction) // the schema allows only its values
		if direction != "" && direction != "both" {
			return []arguments{args}
		}
		first, second := maps.Clone(args), maps.Clone(args)
		first["direction"], second["direction"] = json.RawMessage(one), json.RawMessage(other)
		return []arguments{first, second}
	}
}

// fullTools returns the tools of agent-lsp, under its names.
func fullTools() []tool {
	return slices.Concat(lifecycleTools(), navigationTools(), analysisTools(), editingTools(), simulationTools(), skillTools())
}

func lifecycleTools() []tool {
	return []tool{
		{
			name: "start_lsp", operation: "servers", title: "Start servers", description: "Start the language servers of a workspace.",
			parameters: []parameter{
				{name: "root_dir", to: toWorkspace, kind: "string", required: true},
				inLanguage,
				{name: "ready_timeout_seconds", to: "timeout_ms", kind: "number", seconds: true, description: "how long to wait for them"},
				{name: "connect", kind: "string", description: "only the server at this address, which the user's configuration must name"},
			},
			fixed: map[string]string{"action": `"start"`}, chooses: true,
		},
		{
			name: "restart_lsp_server", operation: "servers", title: "Restart servers", description: "Restart the language servers of a workspace.",
			parameters: []parameter{rootDir}, fixed: map[string]string{"action": `"restart"`}, effect: changesAgain,
		},
		{
			name: "detect_lsp_servers", operation: "servers", title: "Detect servers", description: "List the languages of a workspace, and their servers.",
			parameters: []parameter{rootSeen}, fixed: map[string]string{"action": `"detect"`}, shape: detectedShape,
		},
		{
			name: "add_workspace_folder", operation: "workspace_folders", title: "Add folder", description: "Give the servers another folder to read.",
			parameters: []parameter{{name: "path", to: "add", kind: "string", required: true, listed: true}}, shape: foldersShape,
		},
		{
			name: "remove_workspace_folder", operation: "workspace_folders", title: "Remove folder", description: "Remove a folder that was added.",
			parameters: []parameter{{name: "path", to: "remove", kind: "string", required: true, listed: true}}, shape: foldersShape,
		},
		{
			name: "list_workspace_folders", operation: "workspace_folders", title: "List folders", description: "List the folders that the servers read.",
			fixed: map[string]string{"add": "[]"}, shape: foldersShape,
		},
		{
			name: "open_document", operation: "open", title: "Open document",
			description: "Open a document in its server; a given text replaces the one on disk.",
			parameters:  []parameter{filePath, languageID, {name: "text", kind: "string"}},
			effect:      changes,
		},
		{
			name: "close_document", operation: "close", title: "Close document", description: "Close a document; servers then see the file on disk.",
			parameters: []parameter{filePath}, effect: changes,
		},
		{
			name: "did_change_watched_files", operation: "notify_changed", title: "Files changed",
			description: "Tell the servers that files changed. Not needed after normal edits: the disk is watched.",
			parameters:  []parameter{{name: "changes", required: true}},
			effect:      changes,
		},
		{
			name: "export_cache", operation: "export_cache", title: "Export reference cache", description: "Write the kept answers of find_references into a file that other checkouts can import.",
			parameters: []parameter{{name: "dest_path", to: "file", kind: "string", required: true}}, effect: changes,
		},
		{
			name: "import_cache", operation: "import_cache", title: "Import reference cache", description: "Take over the answers of an exported cache that hold for the present files and servers.",
			parameters: []parameter{{name: "src_path", to: "file", kind: "string", required: true}}, effect: changes,
		},
		{
			name: "get_server_capabilities", operation: "capabilities", title: "Server capabilities", description: "List what the running servers can do.",
			shape: capabilitiesShape(),
		},
		{
			name: "set_log_level", title: "Set log level", description: "Set how much is logged to standard error.",
			parameters: []parameter{{name: "level", kind: "string", required: true, values: levelValues()}},
			own: func(s *Server, req *mcp.CallToolRequest, args arguments) (any, error) {
				var level string
				_ = json.Unmarshal(args["level"], &level) // the schema allows only its values
				return done{Done: "log level " + level}, s.setLevel(req, level)
			},
			shape: shapeOf[done](nil), effect: changes,
		},
	}
}

func levelValues() (list []value) {
	for _, l := range levels {
		list = append(list, value{name: l.name})
	}
	return list
}

func navigationTools() []tool {
	return []tool{
		{
			name: "go_to_definition", operation: "definition", title: "Go to definition", description: "Find where a symbol is defined.",
			parameters: aSymbol(), shape: locationsShape,
		},
		{
			name: "go_to_type_definition", operation: "type_definition", title: "Go to type definition", description: "Find where the type of a symbol is defined.",
			parameters: aPlace(), shape: locationsShape,
		},
		{
			name: "go_to_implementation", operation: "implementation", title: "Go to implementation", description: "Find what implements an interface or a method.",
			parameters: aPlace(), shape: locationsShape,
		},
		{
			name: "go_to_declaration", operation: "declaration", title: "Go to declaration", description: "Find where a symbol is declared.",
			parameters: aPlace(), shape: locationsShape,
		},
		{
			name: "go_to_symbol", operation: "definition", title: "Go to symbol", description: "Find where a name path such as Config.Load is defined.",
			parameters: []parameter{
				{name: "symbol_path", to: "symbol", kind: "string", required: true},
				rootNamed,
				{name: "language", kind: "string"},
			},
			shape: locationsShape,
		},
		{
			name: "find_references", operation: "references", title: "Find references", description: "List every use of a symbol.",
			parameters: aSymbol(parameter{name: "include_declaration"}), shape: locationsShape,
		},
		{
			name: "find_callers", operation: "hierarchy", title: "Find callers", description: "List the callers and callees of a symbol.",
			parameters: aPlace(callsWay, parameter{name: "cross_concurrent"}), split: bothWays(`"callers"`, `"callees"`), shape: callsShape,
		},
		{
			name: "callers", operation: "hierarchy", title: "Callers", description: "List the callers of a symbol.",
			parameters: aPlace(parameter{name: "direction", to: toNothing, kind: "string", values: []value{{name: "incoming"}}, advice: "it may be incoming; find_callers has outgoing and both, too"}, parameter{name: "cross_concurrent"}),
			fixed:      map[string]string{"direction": `"callers"`}, shape: callsShape,
		},
		{
			name: "type_hierarchy", operation: "hierarchy", title: "Type hierarchy", description: "List the super- and subtypes of a type.",
			parameters: aPlace(typesWay), split: bothWays(`"supertypes"`, `"subtypes"`), shape: typesShape,
		},
		{
			name: "get_document_highlights", operation: "highlights", title: "Highlights", description: "List every use of a symbol in its own file.",
			parameters: aPlace(), shape: highlightsShape,
		},
	}
}

func analysisTools() []tool {
	files := parameter{name: "changed_files", to: "files", kind: "array", items: "string", required: true}
	return []tool{
		{
			name: "list_symbols", operation: "outline", title: "List symbols", description: "List what a file declares.",
			parameters: []parameter{filePath, languageID, {name: "format", kind: "string", values: []value{{"outline", `"tree"`}, {"tree", ""}, {"flat", ""}}}},
			saves:      true,
		},
		{
			name: "find_symbol", operation: "find_symbol", title: "Find symbol", description: "Find where in the workspace a name is declared.",
			parameters: []parameter{
				{name: "query", kind: "string"},
				{name: "detail_level", to: "hover", kind: "string", values: []value{{"basic", "false"}, {"hover", "true"}}},
				{name: "limit"},
				{name: "offset"},
			},
		},
		{
			name: "inspect_symbol", operation: "inspect", title: "Inspect symbol", description: "Show type and documentation of a symbol.",
			parameters: aSymbol(),
		},
		{
			name: "get_symbol_source", operation: "source", title: "Symbol source", description: "Show the full text of a declaration.",
			parameters: aSymbol(), shape: sourceShape, saves: true,
		},
		{
			name: "get_symbol_documentation", operation: "documentation", title: "Documentation", description: "Show documentation from the language's own tool.",
			parameters: []parameter{
				{name: "symbol", kind: "string", required: true},
				{name: "language_id", to: "language", kind: "string", required: true},
				{name: "file_path", to: "file", kind: "string"},
				{name: "format", kind: "string"},
			},
		},
		{
			name: "explore_symbol", operation: "explore", title: "Explore symbol", description: "Show all about a symbol: type, source, callers, references, tests.",
			parameters: aSymbol(), shape: explorationShape,
		},
		{
			name: "explore", operation: "explore", title: "Explore symbol", description: "The same as explore_symbol.",
			parameters: aSymbol(), shape: explorationShape,
		},
		{
			name: "blast_radius", operation: "impact", title: "Blast radius", description: "List what depends on the declarations of files, tests separately.",
			parameters: []parameter{
				files,
				{name: "include_transitive", to: "transitive", kind: "boolean"},
				{name: "scope", kind: "string", values: []value{{"exported", ""}, {"all", ""}}},
				{name: "filter", to: toNothing, kind: "string", refused: "leave it out, and name only the changed_files that matter; symbols, such as [\"src/a.go Config.Load\"], names single ones"},
			},
			shape: impactShape,
		},
		{
			name: "detect_changes", operation: "impact", title: "Detect changes", description: "List what depends on the changes of a diff, with the risk.",
			parameters: []parameter{
				rootNamed,
				{name: "scope", kind: "string", values: []value{{"exported", ""}, {"all", ""}}},
				{name: "range", to: "git_range", kind: "string", description: "default HEAD: uncommitted changes"},
			},
			fixed: map[string]string{"git_range": `"HEAD"`}, shape: impactShape,
		},
		{
			name: "get_cross_repo_references", operation: "cross_repo_references", title: "Cross-repository references",
			description: "List the uses of a symbol in other repositories.",
			parameters: []parameter{
				{name: "symbol_file", to: "file", kind: "string", required: true},
				{name: "line", required: true},
				{name: "column", required: true},
				{name: "consumer_roots", required: true},
				languageID,
			},
			shape: crossShape,
		},
		{
			name: "get_diagnostics", operation: "diagnostics", title: "Diagnostics", description: "Report what is wrong with a file, or all known diagnostics.",
			parameters: []parameter{
				{name: "file_path", to: "files", kind: "string", listed: true},
				{name: "group_by", to: toNothing, kind: "string", values: []value{{name: "file"}, {name: "symbol"}}, description: "file (default), or the symbol around each"},
			},
			fixed: map[string]string{"severities": `["error","warning","info","hint"]`}, shape: diagnosticsShape, finish: groupBySymbol,
		},
		{
			name: "get_completions", operation: "completions", title: "Completions", description: "List the completions at a position.",
			parameters: aPlace(), shape: completionsShape,
		},
		{
			name: "get_signature_help", operation: "signature_help", title: "Signature help", description: "Show the signatures of the call around a position.",
			parameters: aPlace(),
		},
		{
			name: "get_inlay_hints", operation: "inlay_hints", title: "Inlay hints", description: "Show inferred types and parameter names in a range.",
			parameters: aRange(),
		},
		{
			name: "get_semantic_tokens", operation: "semantic_tokens", title: "Semantic tokens", description: "Show the kind of each token in a range.",
			parameters: aRange(),
		},
		{
			name: "get_tests_for_file", operation: "tests_for", title: "Tests of a file", description: "The tests of a file.",
			parameters: []parameter{fileAlone}, shape: testsShape,
		},
		{
			name: "get_editing_context", operation: "editing_context", title: "Editing context",
			description: "Show what to know before editing a file: outline, imports, users, what it uses.",
			parameters:  []parameter{filePath, {name: "if_none_match", kind: "string"}},
			saves:       true,
		},
		{
			name: "assemble_context", operation: "assemble", title: "Assemble context",
			description: "Collect what the code in focus uses but does not show: types, definitions, signatures, summaries, hints, within a budget, each with the record of its query.",
			parameters: []parameter{
				{name: "files", description: "whole files in focus"},
				{name: "ranges", description: "parts of files in focus"},
				{name: "symbols", description: "symbols to work on"},
				{name: "git_range", description: "focus on what this diff touches: HEAD (uncommitted), main.."},
				{name: "text", description: "words of a task; focus on the symbols that they name"},
				{name: "in_view", description: "what not to repeat"},
				{name: "budget_bytes", description: "default 8192"},
				{name: "include", description: "type, definition, signature, summary, hints, references, diagnostics"},
			},
		},
		{
			name: "begin_turn", operation: "begin_turn", title: "Begin turn", description: "Begin a turn: its changes are judged against the present state of the files.",
			effect: changesAgain,
		},
		{
			name: "close_turn", operation: "close_turn", title: "Close turn",
			description: "Judge every file that changed since begin_turn, also by shell commands. Fix the new errors and close it again, or ask the user.",
			parameters:  []parameter{{name: "turn"}, {name: "severities"}, {name: "budget_bytes", description: "of context items, default 8192"}},
			effect:      changesAgain,
		},
		{
			name: "revalidate_context", operation: "revalidate", title: "Revalidate context",
			description: "Check whether items of assemble_context are still true; changed ones are queried again, or marked as stale.",
			parameters: []parameter{
				{name: "items", kind: "array", items: "object", required: true, description: "items with their records, as returned"},
			},
		},
	}
}
