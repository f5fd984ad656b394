package registry

// Lines is where a server takes a line to end: the characters that end one, besides \n and \r\n.
// LSP names \r alone ("Position"); servers do as the languages do that they are written in, or for.
// e2e/servers holds these data against the servers.
type Lines struct {
	// Read are those in positions that the server is sent, Reported in those that it reports, Edited
	// in the edits that it proposes.
	Read, Reported, Edited string
	// Torn are the characters with which its edits are wrong however lines are counted.
	Torn string
}

// byNewline is what ends a line at \n alone.
func byNewline() *Lines { return &Lines{} }

// byLSP is what does as LSP says.
func byLSP() *Lines { return &Lines{Read: "\r", Reported: "\r", Edited: "\r"} }

// ecmaScriptEnds are those of that language.
const ecmaScriptEnds = "\r\u2028\u2029"

// byECMAScript is what ends a line where that language does.
func byECMAScript() *Lines {
	return &Lines{Read: ecmaScriptEnds, Reported: ecmaScriptEnds, Edited: ecmaScriptEnds}
}
