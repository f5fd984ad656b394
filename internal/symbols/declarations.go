package symbols

import (
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/protocol"
)

// Declarations returns the tree of what a file declares for others to use, and how many symbols it
// leaves out: imports, what is local to a function, and callbacks without a name. Some servers list
// all of these.
func (o *Outline) Declarations() (tree []*Symbol, left int) {
	imports := o.imports()
	tree = o.declared(o.Symbols, false, func(s *Symbol) bool {
		return s.Kind != "class" && s.Kind != "function" && slices.ContainsFunc(imports, func(r protocol.Range) bool { return holds(r, s.Selection.Start) })
	})
	kept := 0
	var count func([]*Symbol)
	count = func(list []*Symbol) {
		kept += len(list)
		for _, s := range list {
			count(s.Children)
		}
	}
	count(tree)
	return tree, len(o.all) - kept
}

func (o *Outline) declared(list []*Symbol, local bool, imported func(*Symbol) bool) (kept []*Symbol) {
	for _, s := range list {
		unnamed := isCallback(s.Written)
		switch {
		case imported(s):
			continue
		case local && (unnamed || !isDefinition(s.Kind)):
			continue
		case unnamed && !strings.ContainsAny(s.Written, "\"'`"): // describe("…") callback says something
			continue
		}
		shown := *s
		shown.Children = o.declared(s.Children, o.hasBody(s), imported)
		if unnamed {
			shown.Children = o.declared(s.Children, false, func(inner *Symbol) bool {
				return imported(inner) || !isCallback(inner.Written) && !isDefinition(inner.Kind)
			})
		}
		kept = append(kept, &shown)
	}
	return kept
}

// isDefinition reports whether a symbol of the kind is worth telling inside of a function.
func isDefinition(kind string) bool {
	return weight(kind) <= 1
}

var callback = lazyregexp.New(`\) callback$|^<\w*>$|^\(?anonymous|^__function`)

// isCallback reports whether a server made up the name of a function.
func isCallback(written string) bool { return callback.MatchString(written) }

// functionValue is what stands after the name of a variable that is a function.
var functionValue = lazyregexp.New(`^[^=;\n]*=\s*(?:async\b\s*)?(?:function\b|\([^()]*\)\s*(?::[^=]*)?=>|\w+\s*=>|<[^>]*>\s*\(|\(\s*$)`)

// hasBody reports whether what a symbol holds is local to it.
func (o *Outline) hasBody(s *Symbol) bool {
	switch s.Kind {
	case "function", "method", "constructor":
		return true
	case "variable", "constant", "property", "field":
		line := o.text.Line(int(s.Selection.End.Line))
		return functionValue.Match(line[columnOffset(line, s.Selection.End.Character):])
	}
	return false
}

// imports returns where the file imports names.
func (o *Outline) imports() (ranges []protocol.Range) {
	statement := language.Of(strings.ToLower(o.Path)).Imports
	if statement == nil {
		return nil
	}
	for _, at := range statement.FindAll(o.text.Content()) {
		ranges = append(ranges, protocol.Range{Start: o.text.Position(at[0], protocol.UTF16), End: o.text.Position(at[1], protocol.UTF16)})
	}
	return ranges
}
