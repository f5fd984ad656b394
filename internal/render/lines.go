package render

import (
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// Lines returns places as compilers print theirs, path:line:column and the text, one a line: what terminals and editors can follow.
// Places that were cut, and sources, are as in [Brief].
func Lines(p *result.Places) string {
	plain := p.Total > 0
	for _, f := range p.Files {
		plain = plain && len(f.Places) == f.Count
		for _, place := range f.Places {
			plain = plain && place.Source == nil
		}
	}
	if !plain {
		return Brief(p)
	}
	return write(&p.Head, func(b *strings.Builder) {
		for _, f := range p.Files {
			for i := range f.Places {
				position, text, _ := strings.Cut(detailed(&f.Places[i]), " ")
				fmt.Fprintln(b, strings.TrimSuffix(fmt.Sprintf("%s:%s: %s", legible.Line(f.Path), position, text), ": "))
			}
		}
		fmt.Fprintf(b, "%s: %d %s in %d %s\n", legible.Line(p.Symbol), p.Total, plural(p.Total, p.What), p.FileCount, plural(p.FileCount, "file"))
		writeOrigin(p, b)
	})
}

var (
	findingLines = lazyregexp.New(`^(ERROR|WARNING|INFO|HINT) \[\d+:\d+\] `)
	unescaped    = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")
)

// Plain returns findings for models, as [Escaped] wrote them, as they are among other text.
func Plain(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if findingLines.MatchString(line) {
			lines[i] = legible.Line(unescaped.Replace(line))
		}
	}
	return strings.Join(lines, "\n")
}
