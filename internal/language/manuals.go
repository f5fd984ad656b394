package language

import "github.com/lspine/lspine/internal/lazyregexp"

// A Manual is the tool that knows the documentation of a language.
type Manual struct {
	// Names are what may be asked: nothing else reaches the tool.
	Names *lazyregexp.Regexp
	// Command is the program with its arguments, to which the name is added; Env is for it.
	Command, Env []string
	// Absent begins an answer that says there is none, "" if it fails then.
	Absent string
	// Here says that the tool may look at the workspace: it runs none of its code.
	Here bool
}

// Manuals are the tools by their languages.
var Manuals = map[ID]Manual{
	Go: {
		Names:   lazyregexp.New(`^[\pL_][\pL\pN_]*([./~-][\pL\pN_]+)*$`),
		Command: []string{GoCommand, "doc"}, Env: []string{"GOTOOLCHAIN=local", "GOPROXY=off", "PAGER=cat"}, Here: true,
	},
	// pydoc imports what it documents, and looks into the current folder first: in
	// an empty one it cannot run code of the workspace.
	Python: {
		Names:   lazyregexp.New(`^[\pL_][\pL\pN_]*(\.[\pL_][\pL\pN_]*)*$`),
		Command: []string{pythonCommand, "-I", "-B", "-m", "pydoc"}, Env: []string{"PAGER=cat", "MANPAGER=cat", "BROWSER=true"},
		Absent: "No Python documentation found",
	},
}
