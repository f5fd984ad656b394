package mcpserver

import (
	"strings"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// The engine's hints name operations, but a model knows tools, under the names in its profile.

// A mention is a pattern for how hints name an operation (in its first group), with the tools for
// it, best first. The hint is correct only if one of them is offered. What a second group matches
// is correct only for the first tool.
type mention struct {
	pattern *lazyregexp.Regexp
	tools   []string
}

func mentioning(pattern string, tools ...string) mention {
	return mention{lazyregexp.New(pattern), tools}
}

var mentions = []mention{
	mentioning(`\b(symbols) with this file\b`, "symbols", "list_symbols"),
	mentioning(`\b(symbols) with another query\b`, "symbols", "find_symbol"),
	mentioning(`\b(status) (?:shows|lists)\b`, "status"),
	mentioning(`\b(fixes)( without apply)\b`, "fixes", "suggest_fixes"),
	mentioning(`\b(fixes) (?:applies what|with the same)\b`, "fixes"),
	mentioning(`\b(servers with action start)\b`, "servers", "start_lsp"),
	mentioning(`\b(servers with action restart)\b`, "servers", "restart_lsp_server"),
	mentioning(`\b(servers with action stop)\b`, "servers"),
	mentioning(`\b(edit) with the exact text\b`, "edit", "apply_edit"),
	mentioning(`\b(check) lists all\b`, "check", "get_diagnostics"),
	mentioning(`\b(export_cache) (?:wrote|writes)\b`, "export_cache"),
	mentioning(`\b(references) fills the cache\b`, "references", "find_references"),
	mentioning(`\b(capabilities) lists\b`, "capabilities", "get_server_capabilities"),
	mentioning(`\b(code_lenses) lists\b`, "code_lenses", "get_codelens"),
	mentioning(`\b(simulate)( with action create)\b`, "simulate", "create_simulation_session"),
	mentioning(`\b(simulate)( with action edit)\b`, "simulate", "simulate_edit"),
	mentioning(`\b(simulate)( with action evaluate)\b`, "simulate", "evaluate_session"),
	mentioning(`\b(simulate)( with action commit)\b`, "simulate", "commit_session"),
	mentioning(`\b(simulate)( with action destroy)\b`, "simulate", "destroy_session"),
	mentioning(`\b(simulate) with action list\b`, "simulate"),
	mentioning(`^(references) at\b`, "references", "find_references"),
	mentioning(`^(source) at\b`, "source", "get_symbol_source"),
	mentioning(`^(rename) at\b`, "rename", "rename_symbol"),
	mentioning(`^(format) without a range\b`, "format", "format_document"),
}

// inWords replaces the operations in a text with tools that are offered. It drops clauses for which
// no tool is offered.
func (s *Server) inWords(text string) string {
	first, rest, several := strings.Cut(text, "\n")
	var clauses []string
	for _, clause := range strings.Split(first, "; ") {
		if told, ok := s.clauseInWords(clause); ok {
			clauses = append(clauses, told)
		}
	}
	first = strings.Join(clauses, "; ")
	if several {
		first += "\n" + rest
	}
	return strings.TrimPrefix(first, "\n")
}

func (s *Server) clauseInWords(clause string) (told string, ok bool) {
	for _, m := range mentions {
		at := m.pattern.FindStringSubmatchIndex(clause)
		if at == nil {
			continue
		}
		name := s.firstOffered(m.tools)
		if name == "" {
			return "", false
		}
		if len(at) > 4 && name != m.tools[0] {
			clause = clause[:at[4]] + clause[at[5]:]
		}
		clause = clause[:at[2]] + name + clause[at[3]:]
	}
	return clause, true
}

// firstOffered returns the first of the given tools that is offered, "" if none is.
func (s *Server) firstOffered(names []string) string {
	for _, name := range names {
		for _, t := range s.tools {
			if t.name == name {
				return name
			}
		}
	}
	return ""
}

// hints says what usually follows a call in the full profile. Names of tools are in {}.
var hints = map[string]string{
	"start_lsp":                 "{list_symbols} lists what a file declares; {find_symbol} finds a name",
	"restart_lsp_server":        "{get_server_capabilities} lists what is running",
	"detect_lsp_servers":        "{start_lsp} starts them",
	"add_workspace_folder":      "{find_references} now also searches the folder",
	"remove_workspace_folder":   "{list_workspace_folders} lists what is left",
	"list_workspace_folders":    "{add_workspace_folder} adds another",
	"open_document":             "{get_diagnostics} reports what is wrong with it; {close_document} goes back to the file on disk",
	"close_document":            "{get_diagnostics} reports what is wrong with the file on disk",
	"did_change_watched_files":  "{get_diagnostics} reports what the change broke",
	"export_cache":              "{import_cache} reads it in another checkout",
	"import_cache":              "{find_references} answers from it while nothing changes",
	"get_server_capabilities":   "{list_symbols} lists what a file declares",
	"set_log_level":             "messages go to standard error",
	"go_to_definition":          "{get_symbol_source} reads it; {find_references} lists its uses",
	"go_to_type_definition":     "{get_symbol_source} reads it; {type_hierarchy} lists its super- and subtypes",
	"go_to_implementation":      "{get_symbol_source} reads one; {find_callers} lists its callers",
	"go_to_declaration":         "{go_to_implementation} finds what implements it",
	"go_to_symbol":              "{get_symbol_source} reads it; {find_references} lists its uses",
	"find_references":           "{blast_radius} lists what a change of it affects, tests separately",
	"find_callers":              "{blast_radius} lists what a change affects; {get_symbol_source} reads a caller",
	"callers":                   "{blast_radius} lists what a change affects; {get_symbol_source} reads a caller",
	"type_hierarchy":            "{go_to_implementation} finds what implements a method",
	"get_document_highlights":   "{find_references} also lists the uses in other files",
	"list_symbols":              "{get_symbol_source} reads one of them",
	"find_symbol":               "{get_symbol_source} reads one of them; {find_references} lists its uses",
	"inspect_symbol":            "{find_references} lists its uses; {get_symbol_source} reads it",
	"get_symbol_source":         "{find_references} lists its uses; {replace_symbol_body} changes it",
	"get_symbol_documentation":  "{find_symbol} finds where it is declared",
	"explore_symbol":            "{blast_radius} lists what a change of it affects",
	"explore":                   "{blast_radius} lists what a change of it affects",
	"blast_radius":              "{get_tests_for_file} lists the tests to run; {apply_edit} makes the change",
	"detect_changes":            "{run_tests} runs the affected tests",
	"get_cross_repo_references": "{add_workspace_folder} lets the servers read another repository",
	"get_diagnostics":           "{suggest_fixes} lists the fixes that servers offer",
	"get_completions":           "{get_signature_help} shows the parameters of a call",
	"get_signature_help":        "{inspect_symbol} shows more about the callee",
	"get_inlay_hints":           "{inspect_symbol} shows the type of one symbol",
	"get_semantic_tokens":       "{inspect_symbol} shows more about one of them",
	"get_tests_for_file":        "{run_tests} runs them",
	"get_editing_context":       "{apply_edit} makes the change; if_none_match with the etag checks whether it is still true",
	"assemble_context":          "{revalidate_context} checks whether the items are still true; {apply_edit} makes the change",
	"revalidate_context":        "{assemble_context} collects others; {apply_edit} makes the change",
	"begin_turn":                "{apply_edit} makes a change; {close_turn} judges all of them",
	"close_turn":                "{suggest_fixes} lists the fixes that servers offer; {begin_turn} begins the next",
	"apply_edit":                "{run_tests} checks whether it still works",
	"safe_apply_edit":           "{run_tests} checks whether it still works",
	"safe_edit":                 "{run_tests} checks whether it still works",
	"rename_symbol":             "{run_tests} checks whether it still works",
	"prepare_rename":            "{rename_symbol} renames it",
	"format_document":           "{apply_edit} applies the edits",
	"format_range":              "{apply_edit} applies the edits",
	"replace_symbol_body":       "{run_tests} checks whether it still works",
	"insert_after_symbol":       "{run_tests} checks whether it still works",
	"insert_before_symbol":      "{run_tests} checks whether it still works",
	"safe_delete_symbol":        "{run_tests} checks whether it still works",
	"suggest_fixes":             "{apply_edit} applies the workspace_edit of one; {execute_command} runs its command",
	"get_codelens":              "{execute_codelens} executes one",
	"execute_codelens":          "{get_diagnostics} reports what it broke",
	"execute_command":           "{get_diagnostics} reports what it broke",
	"run_build":                 "{suggest_fixes} lists the fixes that servers offer",
	"create_simulation_session": "{simulate_edit} adds edits to it; {simulate_chain} adds and evaluates them one by one",
	"simulate_edit":             "{evaluate_session} reports what the edits would break",
	"evaluate_session":          "{commit_session} with apply true writes the files; {discard_session} drops the edits",
	"simulate_chain":            "{commit_session} with apply true writes the files; {discard_session} drops the edits",
	"commit_session":            "{run_tests} checks whether it still works; {destroy_session} ends the session",
	"discard_session":           "{destroy_session} ends the session; {create_simulation_session} creates another",
	"destroy_session":           "{create_simulation_session} creates another",
	"preview_edit":              "{apply_edit} applies the edit",
	"run_tests":                 "{get_diagnostics} reports what is wrong with a file",
	"activate_skill":            "{get_skill_phase} shows its phase; {deactivate_skill} leaves it",
	"deactivate_skill":          "{activate_skill} starts another",
	"get_skill_phase":           "{activate_skill} starts one; {deactivate_skill} leaves it",
}

var toolNamed = lazyregexp.New(`\{(\w+)\}`)

// hintAfter returns what usually follows a tool, without clauses about tools that are not offered.
func (s *Server) hintAfter(t *tool) string {
	var clauses []string
	for _, clause := range strings.Split(hints[t.name], "; ") {
		offered := true
		for _, m := range toolNamed.FindAllStringSubmatch(clause, -1) {
			offered = offered && s.firstOffered(m[1:]) != ""
		}
		if offered {
			clauses = append(clauses, toolNamed.ReplaceAllString(clause, "$1"))
		}
	}
	return strings.Join(clauses, "; ")
}
