package mcpserver

// The arguments of agent-lsp's tools, and the corresponding ones of our operations.
var (
	filePath  = parameter{name: "file_path", to: "file", kind: "string", required: true}
	fileAlone = parameter{name: "file_path", to: "files", kind: "string", required: true, listed: true}
	// languageID is not needed: the file determines the language.
	languageID = parameter{name: "language_id", to: toNothing, kind: "string"}
	inLanguage = parameter{name: "language_id", to: "language", kind: "string"}
	rootDir    = parameter{name: "root_dir", to: toWorkspace, kind: "string"}
	rootNamed  = parameter{name: "workspace_root", to: toWorkspace, kind: "string"}
	rootSeen   = parameter{name: "workspace_dir", to: toWorkspace, kind: "string", required: true}
	pattern    = parameter{name: "position_pattern", to: "pattern", kind: "string", description: "snippet with @@ before the symbol"}
	callsWay   = parameter{name: "direction", kind: "string", values: []value{
		{"incoming", `"callers"`}, {"outgoing", `"callees"`}, {"both", `"both"`},
	}, also: []value{{"callers", ""}, {"callees", ""}}}
	typesWay = parameter{name: "direction", kind: "string", values: []value{
		{"incoming", `"subtypes"`}, {"outgoing", `"supertypes"`}, {"both", `"both"`},
	}, also: []value{{"subtypes", ""}, {"supertypes", ""}}}
)

// aPlace returns the arguments of tools that require an exact position.
func aPlace(more ...parameter) []parameter {
	return append([]parameter{
		filePath, languageID,
		{name: "line", required: true},
		{name: "column", required: true},
	}, more...)
}

// aSymbol returns the arguments of tools that take a position or a pattern.
func aSymbol(more ...parameter) []parameter {
	return append([]parameter{
		filePath, languageID, {name: "line"}, {name: "column"}, pattern, {name: "line_scope_start"}, {name: "line_scope_end"},
	}, more...)
}

func aRange() []parameter {
	list := []parameter{filePath, languageID}
	for _, name := range []string{"start_line", "start_column", "end_line", "end_column"} {
		list = append(list, parameter{name: name, required: true})
	}
	return list
}

// listing returns the arguments that a tool of the default profile lists.
func listing(required string, names ...string) []parameter {
	var list []parameter
	if required != "" {
		list = append(list, parameter{name: required, required: true})
	}
	for _, name := range names {
		list = append(list, parameter{name: name})
	}
	return list
}

// oneOf returns an argument restricted to some of the operation's values.
func oneOf(name string, values ...string) parameter {
	p := parameter{name: name}
	for _, v := range values {
		p.values = append(p.values, value{name: v})
	}
	return p
}
