package restate

import "github.com/lspine/lspine/internal/lazyregexp"

// fileLink is a link of markdown to a file of this machine.
var fileLink = lazyregexp.New(`\[([^\]\n]+)\]\(file:[^)\s]*\)`)

// WithoutFileLinks keeps the words of links that only an editor could follow.
func WithoutFileLinks(markdown string) string { return fileLink.ReplaceAllString(markdown, "$1") }
