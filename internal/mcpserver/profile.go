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
		},
		{
			name: "edit", results: []string{"applied", "verdict"}, operation: "edit", title: "Edit files",
			description: "Edit files atomically. Returns the new errors this causes, here and in dependent files. Each edit is one of: old_text and new_text, content, patch, delete, rename_to.",
			parameters: []parameter{
				{name: "edits", required: true, members: []string{"file", "old_text", "new_text", "replace_all", "content", "patch", "delete", "rename_to"}},
				modes,
			},
			effect: changesAgain,
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
		},
		{
			name: "rename", results: []string{"applied", "verdict"}, operation: "rename", title: "Rename symbol",
			description: "Rename a symbol everywhere; answers as edit does.",
			parameters:  append(listing("", "at", "new_name"), modes),
			effect:      changesAgain,
		},
		{
			name: "fixes", operation: "fixes", title: "Quick fixes",
			description: "Fixes and refactorings that servers offer; apply takes the number of one.",
			parameters:  listing("file", "line", "only", "apply"),
			effect:      changesAgain,
		},
		{
			name: "definition", results: []string{"total", "files", "places"}, operation: "definition", title: "Go to definition",
			description: "Where a symbol is defined.",
			parameters: append(listing("", "at", "with_source"),
				oneOf("kind", "definition", "declaration", "type_definition", "implementation")),
		},
		{
			name: "references", results: []string{"total", "files", "places"}, operation: "references", title: "Find references",
			description: "Every use of a symbol, by file.",
			parameters:  listing("", "at", "source_lines"),
		},
		{
			name: "inspect", results: []string{"at"}, operation: "inspect", title: "Inspect symbol",
			description: "Type, docs, signature and definition of a symbol.",
			parameters:  listing("", "at"),
		},
		{
			name: "symbols", operation: "symbols", title: "Outline or search",
			description: "What a file declares, or where a name is declared.",
			parameters:  append([]parameter{{name: "file", description: "outline this file"}}, listing("", "query", "kind", "depth", "limit")...),
		},
		{
			name: "source", results: []string{"path", "code"}, operation: "source", title: "Read a declaration",
			description: "The text of a declaration, with its doc comment.",
			parameters:  listing("", "at"),
		},
		{
			name: "hierarchy", results: []string{"total", "nodes"}, operation: "hierarchy", title: "Hierarchy",
			description: "Callers or callees of a symbol, its super- or subtypes.",
			parameters: append(listing("", "at", "depth"), func() parameter {
				p := oneOf("direction", "callers", "callees", "supertypes", "subtypes")
				p.also = []value{{"incoming", `"callers"`}, {"outgoing", `"callees"`}}
				return p
			}()),
		},
		{
			name: "impact", results: []string{"total", "symbols"}, operation: "impact", title: "Impact",
			description: "What depends on files or symbols, tests apart, with the risk.",
			parameters:  listing("", "files", "symbols", "git_range", "transitive"),
		},
		simulateTool(),
		{
			name: "status", results: []string{"servers"}, operation: "status", title: "Server status",
			description: "Language servers and their state.",
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

// choose returns the tools that the options ask for, without tools whose operation is not in the
// catalog.
func choose(opts Options) ([]*tool, error) {
	profiles := map[string][]*tool{"default": present(defaultTools()), profileFull: present(fullTools()), profileLLXPRT: present(llxprtTools()), profileOpta: present(optaTools())}
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

// present returns the tools whose operation is in the catalog.
func present(tools []tool) []*tool {
	operations := make(map[string]api.Operation)
	for _, op := range api.Operations() {
		operations[op.Name] = op
	}
	var list []*tool
	for i := range tools {
		t := &tools[i]
		op, ok := operations[t.operation]
		if t.op = op; ok || t.own != nil {
			list = append(list, t)
		}
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
