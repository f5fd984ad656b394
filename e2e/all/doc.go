// Package all holds every server that can be installed to one question: is what
// is said of a file true, whoever changed what? A server is one archive in
// testdata; the outcome is docs/reference/freshness.md.
//
// The comment of an archive is its header, a line a key:
//
//	server:       its id, if that is not the archive's name
//	main:         the file that is judged; it is right as given
//	break:        old => new, the text in main that breaks it (\n and \t as in Go)
//	expect:       part of the message about that
//	cross:        file: old => new, a change elsewhere that breaks main
//	cross-expect: part of the message about that; default: as expect
//	delete:       part of the message when that file is gone; - if main has none then
//	new:          the name of a new file with main's broken text; - for none;
//	              default: the name new with main's extension, beside main
//	severities:   what counts, default error,warning
//	link:         a folder beside the server's program (node_modules) that the project sees as its own
//
// and for what the registry does not say, as a user would write it below
// lsp.servers: command, env, init, settings (JSON), extensions, language.
// ${node_modules} there is the server's own, ${state} a folder of the test.
package all
