package mcpserver

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/lspine/lspine/internal/api"
)

// modes is the argument that decides whether an edit is written.
var modes = oneOf("mode", "apply", "preview", "apply_if_clean")

// defaultTools returns the tools of the default profile. Their descriptions say what they are for,
// not how they work.
func defaultTools() []tool {
	return []tool{
		{
			name: "check", results: []string{"verdict", "files", "findings"}, operation: "check", title: "Check files",
			description: "Errors in files as they are now, and in others that their changes broke. Without files: all that changed. Call it after edits.",
			parameters:  append(listing("", "files", "severities"), oneOf("baseline", "session", "head", "none")),
			inFull:      "`get_diagnostics` with `file_path`, or without it for all that is known; `detect_changes` for what a diff touches",
		},
		{
			name: "edit", results: []string{"applied", "verdict"}, operation: "edit", title: "Edit files",
			description: "Edit files atomically. Returns the new errors this causes, here and in dependent files. Each edit is one of: old_text and new_text, content, patch, delete, rename_to.",
			parameters: []parameter{
				{name: "edits", required: true, members: []string{"file", "old_text", "new_text", "replace_all", "content", "patch", "delete", "rename_to"}},
				modes,
			},
			effect: changesAgain,
			inFull: "`apply_edit` with `file_path`, `old_text`, `new_text`; for mode preview `preview_edit`, for apply_if_clean `safe_apply_edit`; for several files a simulation session",
		},
		{
			name: "edit_symbol", results: []string{"applied", "verdict"}, operation: "edit_symbol", title: "Edit a declaration",
			description: "Replace, extend or delete one declaration; answers as edit does. Delete refuses while it is used.",
			parameters: append(listing("", "at", "code"), func() parameter {
				p := oneOf("action", "replace", "replace_body", "insert_before", "insert_after", "delete")
				p.required = true
				return p
			}(), modes),
			effect: changesAgain,
			inFull: "`replace_symbol_body`, `insert_before_symbol`, `insert_after_symbol`, `safe_delete_symbol` with `file_path` and `symbol_path`",
		},
		{
			name: "rename", results: []string{"applied", "verdict"}, operation: "rename", title: "Rename symbol",
			description: "Rename a symbol everywhere; answers as edit does.",
			parameters:  append(listing("", "at", "new_name"), modes),
			effect:      changesAgain,
			inFull:      "`rename_symbol`; for mode preview with `dry_run`",
		},
		{
			name: "fixes", operation: "fixes", title: "Quick fixes",
			description: "Fixes and refactorings that servers offer; apply takes the number of one.",
			parameters:  listing("file", "line", "only", "apply"),
			effect:      changesAgain,
			inFull:      "`suggest_fixes` with a range; `apply_edit` with the `workspace_edit` of one",
		},
		{
			name: "definition", results: []string{"total", "files", "places"}, operation: "definition", title: "Go to definition",
			description: "Where a symbol is defined.",
			parameters: append(listing("", "at", "with_source"),
				oneOf("kind", "definition", "declaration", "type_definition", "implementation")),
			inFull: "`go_to_definition`, `go_to_type_definition`, `go_to_declaration`, `go_to_implementation`",
		},
		{
			name: "references", results: []string{"total", "files", "places"}, operation: "references", title: "Find references",
			description: "Every use of a symbol, by file.",
			parameters:  listing("", "at", "source_lines"),
			inFull:      "`find_references`",
		},
		{
			name: "inspect", results: []string{"at"}, operation: "inspect", title: "Inspect symbol",
			description: "Type, docs, signature and definition of a symbol.",
			parameters:  listing("", "at"),
			inFull:      "`inspect_symbol`, or `explore_symbol` for all at once",
		},
		{
			name: "symbols", operation: "symbols", title: "Outline or search",
			description: "What a file declares, or where a name is declared.",
			parameters:  append([]parameter{{name: "file", description: "outline this file"}}, listing("", "query", "kind", "depth", "limit")...),
			inFull:      "`list_symbols` with `file_path`, `find_symbol` with `query`",
		},
		{
			name: "source", results: []string{"path", "code"}, operation: "source", title: "Read a declaration",
			description: "The text of a declaration, with its doc comment.",
			parameters:  listing("", "at"),
			inFull:      "`get_symbol_source`",
		},
		{
			name: "hierarchy", results: []string{"total", "nodes"}, operation: "hierarchy", title: "Hierarchy",
			description: "Callers or callees of a symbol, its super- or subtypes.",
			parameters: append(listing("", "at", "depth"), func() parameter {
				p := oneOf("direction", "callers", "callees", "supertypes", "subtypes")
				p.also = []value{{"incoming", `"callers"`}, {"outgoing", `"callees"`}}
				return p
			}()),
			inFull: "`find_callers` for calls, `type_hierarchy` for types",
		},
		{
			name: "impact", results: []string{"total", "symbols"}, operation: "impact", title: "Impact",
			description: "What depends on files or symbols, tests apart, with the risk.",
			parameters:  listing("", "files", "symbols", "git_range", "transitive"),
			inFull:      "`blast_radius` with `changed_files`; `detect_changes` for a diff",
		},
		simulateTool(),
		{
			name: "status", results: []string{"servers"}, operation: "status", title: "Server status",
			description: "Language servers and their state.",
			inFull:      "`get_server_capabilities` for what runs, `detect_lsp_servers` for what there is",
		},
	}
}

// withoutNavigation returns the names of the tools that remain without navigation: in the default
// profile those that hooks need, in the full profile those that check and change files or start
// servers.
func withoutNavigation() []string {
	names := []string{"check", "edit", "status", "get_diagnostics"}
	for _, t := range slices.Concat(lifecycleTools(), editingTools(), simulationTools()) {
		names = append(names, t.name)
	}
	return names
}

// choose returns the tools that the options ask for.
func choose(opts Options) ([]*tool, error) {
	profiles := map[string][]*tool{
		"default": withOperations(defaultTools()), profileFull: withOperations(fullTools()),
		profileLLXPRT: withOperations(llxprtTools()), profileOpta: withOperations(optaTools()),
	}
	chosen, known := profiles[opts.Profile]
	switch {
	case opts.Profile == "":
		chosen = profiles["default"]
	case !known:
		return nil, &api.ArgumentError{Argument: "profile", Reason: fmt.Sprintf("there is no profile %q", opts.Profile), Advice: "profiles are default, full, llxprt and opta"}
	}
	lean, err := leanByDefault(opts)
	if err != nil {
		return nil, err
	}
	for _, t := range slices.Concat(slices.Collect(maps.Values(profiles))...) {
		t.lean = lean && t.shape == nil
	}
	if opts.Disabled && opts.Profile == profileOpta {
		return nil, nil
	}
	if opts.Disabled {
		return slices.DeleteFunc(profiles["default"], func(t *tool) bool { return t.name != "status" }), nil
	}
	if opts.NoNavigation {
		left := withoutNavigation()
		chosen = slices.DeleteFunc(slices.Clone(chosen), func(t *tool) bool { return !slices.Contains(left, t.name) })
	}
	// If both profiles have a tool of that name, it means the tool of the chosen profile.
	all := append(slices.Clone(chosen), append(profiles["default"], profiles[profileFull]...)...)
	if len(opts.Tools) > 0 {
		chosen = nil
		for _, name := range opts.Tools {
			t, err := named(all, "tools", name)
			if err != nil {
				return nil, err
			}
			if !slices.Contains(chosen, t) {
				chosen = append(chosen, t)
			}
		}
	}
	for name := range opts.Permissions {
		if opts.ofExtensions[name] {
			continue
		}
		if _, err := named(all, "permission", name); err != nil {
			return nil, err
		}
	}
	for _, name := range opts.Without {
		t, err := named(all, "without", name)
		if err != nil {
			return nil, err
		}
		chosen = slices.DeleteFunc(slices.Clone(chosen), func(c *tool) bool { return c.name == t.name })
	}
	return chosen, nil
}

const (
	structuredLean = "lean"
	structuredFull = "full"
)

// leanByDefault reports whether structured results are lean unless a call asks for more.
func leanByDefault(opts Options) (bool, error) {
	switch opts.Structured {
	case structuredLean:
		return true, nil
	case structuredFull:
		return false, nil
	case "":
		return opts.Profile != profileFull, nil
	}
	return false, &api.ArgumentError{Argument: structuredName, Reason: fmt.Sprintf("there is no form %q", opts.Structured), Advice: "forms are lean and full"}
}

// withOperations returns tools with their operations looked up.
func withOperations(tools []tool) []*tool {
	operations := make(map[string]api.Operation)
	for _, op := range api.Operations() {
		operations[op.Name] = op
	}
	list := make([]*tool, len(tools))
	for i := range tools {
		t := &tools[i]
		op, known := operations[t.operation]
		if !known && t.own == nil { // every test of the list of tools would fail
			panic(fmt.Sprintf("mcpserver: the tool %s calls the operation %q, which api.Operations does not have", t.name, t.operation))
		}
		t.op, list[i] = op, t
	}
	return list
}

// named returns the tool with a name. The error for an unknown name suggests the nearest one.
func named(all []*tool, argument, name string) (*tool, error) {
	var nearest string
	best := 1 + len(name)
	for _, t := range all {
		if t.name == name {
			return t, nil
		}
		if d := levenshtein.ComputeDistance(t.name, strings.ToLower(name)); d < best {
			best, nearest = d, t.name
		}
	}
	return nil, &api.ArgumentError{Argument: argument, Reason: fmt.Sprintf("there is no tool %q", name), Advice: fmt.Sprintf("did you mean %q?", nearest)}
}
