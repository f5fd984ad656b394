package symbols

// kinds are LSP's SymbolKinds, from 1, in the words of the protocol.
var kinds = []string{
	"file", "module", "namespace", "package", "class", "method", "property", "field",
	"constructor", "enum", "interface", "function", "variable", "constant", "string", "number",
	"boolean", "array", "object", "key", "null", "enum member", "struct", "event", "operator",
	"type parameter",
}

// Kind returns the name of an LSP SymbolKind, or "symbol" for one that LSP does
// not know.
func Kind(kind int) string {
	if kind < 1 || kind > len(kinds) {
		return "symbol"
	}
	return kinds[kind-1]
}

// Kinds returns every name that Kind gives, in LSP's order.
func Kinds() []string { return append([]string(nil), kinds...) }

// weight ranks kinds: what a name usually means comes first.
func weight(kind string) int {
	switch kind {
	case "class", "interface", "struct", "enum":
		return 0
	case "function", "method", "constructor":
		return 1
	case "module", "namespace", "package", "constant", "type parameter":
		return 2
	case "variable", "property", "field", "enum member":
		return 3
	}
	return 4
}

// completionKinds are LSP's CompletionItemKinds, from 1.
var completionKinds = []string{
	"text", "method", "function", "constructor", "field", "variable", "class", "interface", "module",
	"property", "unit", "value", "enum", "keyword", "snippet", "color", "file", "reference", "folder",
	"enum member", "constant", "struct", "event", "operator", "type parameter",
}

// CompletionKind returns the name of an LSP CompletionItemKind, or "".
func CompletionKind(kind int) string {
	if kind < 1 || kind > len(completionKinds) {
		return ""
	}
	return completionKinds[kind-1]
}
