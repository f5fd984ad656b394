package api

import (
	"slices"

	"github.com/lspine/lspine/internal/result"
)

// contained names, for the operations that ask servers what other operations ask, or whose answer or change includes
// what those return or do, those operations. What a change breaks belongs to the change and is no part of it, nor is
// what a server is asked in order to make it. What a part contains is part of the whole, too.
var contained = map[string][]string{
	"close_turn":            {"check"},
	"cross_repo_references": {"references", "workspace_folders"},
	"diagnostics":           {"check"},
	"check":                 {"diagnostics"},
	"documentation":         {"inspect"}, // where there is no tool for it, the server is asked
	"editing_context":       {"outline", "hierarchy"},
	"execute_code_lens":     {"code_lenses", "execute_command"},
	"explore":               {"inspect", "source", "references", "hierarchy"},
	"find_symbol":           {"symbols"},
	"format":                {"format_edits"},
	"hierarchy":             {"references"}, // servers without a hierarchy are asked for these
	"impact":                {"outline", "references", "tests_for"},
	"inspect":               {"definition", "outline"},
	"outline":               {"symbols"},
	"references":            {"definition"},
	"source":                {"definition", "outline"},
	"tests_for":             {"outline", "references"},
}

// A composite request says itself what it contains besides what is contained in each of its operation.
type composite interface{ parts() []string }

// itemParts names the operations whose answers become context items of a kind.
var itemParts = map[string][]string{
	result.ContextType:        {"inspect"},
	result.ContextDefinition:  {"definition", "source", "type_definition"},
	result.ContextSignature:   {"signature_help"},
	result.ContextSummary:     {"outline"},
	result.ContextHints:       {"inlay_hints"},
	result.ContextReferences:  {"references", "outline"},
	result.ContextDiagnostics: {"diagnostics"},
}

func (r AssembleRequest) parts() (parts []string) {
	kinds := r.Include
	if len(kinds) == 0 {
		kinds = DefaultContextKinds()
	}
	for _, kind := range kinds {
		parts = append(parts, itemParts[kind]...)
	}
	if len(r.Symbols) > 0 {
		parts = append(parts, "source")
	}
	if r.Text != "" {
		parts = append(parts, "find_symbol", "source")
	}
	return parts
}

func (r RevalidateRequest) parts() (parts []string) {
	for i := range r.Items {
		parts = append(parts, itemParts[r.Items[i].Kind]...)
	}
	return parts
}

func (r SymbolsRequest) parts() (parts []string) {
	if r.File != "" {
		parts = append(parts, "outline")
	}
	if r.Query != "" {
		parts = append(parts, "find_symbol")
	}
	if r.Hover {
		parts = append(parts, "inspect")
	}
	return parts
}

func (r EditSymbolRequest) parts() []string {
	if r.Action == "delete" { // it is refused with a list of the uses
		return []string{"references"}
	}
	return nil
}

// Steps that servers draft count when they are drafted, as the session does not tell how its texts came about; others
// count where they are written.
func (r SimulateRequest) parts() (parts []string) {
	for i := range r.Edits {
		e := &r.Edits[i]
		if e.Rename != nil {
			parts = append(parts, "rename")
		}
		if e.EditSymbol != nil {
			parts = append(append(parts, "edit_symbol"), e.EditSymbol.parts()...)
		}
		if e.Fix != nil {
			parts = append(parts, "fixes")
		}
	}
	if r.OnDisk || r.Action == SimulateCommit && r.Apply {
		parts = append(parts, "edit")
	}
	return parts
}

// PartsOf returns the operations that a request of an operation contains: those whose answers or changes are part of
// its own, directly or by another part, each once and never itself. Rules that name one of them hold for the whole.
func PartsOf(operation string, request any) (parts []string) {
	add := func(names []string) {
		for _, name := range names {
			if name != operation && !slices.Contains(parts, name) {
				parts = append(parts, name)
			}
		}
	}
	add(contained[operation])
	if c, is := request.(composite); is {
		add(c.parts())
	}
	for i := 0; i < len(parts); i++ {
		add(contained[parts[i]])
	}
	return parts
}
