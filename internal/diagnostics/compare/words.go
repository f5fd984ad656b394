package compare

import (
	"strings"

	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// Words returns the code and the message of a finding, as "CODE: MESSAGE", in the words that a server uses when it
// suggests nothing, explains nothing and shortens what it can: equal for two texts about the same.
func Words(w registry.Wording, d protocol.Diagnostic) string {
	text := d.Code + ": " + d.Message
	for _, r := range w {
		if strings.Contains(text, r.Has) {
			text = lazyregexp.Compiled(r.Pattern).ReplaceAllString(text, r.With)
		}
	}
	return text
}

// Plain returns Words without what a change elsewhere in the text moves or renames: numbers, and names in renamed.
func Plain(w registry.Wording, d protocol.Diagnostic, renamed map[string]bool) string {
	code, plain, _ := inParts(Words(w, d), renamed)
	return code + ": " + plain
}

var (
	numbers = lazyregexp.New(`[0-9]+`)
	word    = lazyregexp.New(`[\pL_$][\pL\pN_$]*`)
)

// inParts divides what Words returns into code and message. The message is without numbers and without names in
// renamed; headline is its first line.
func inParts(words string, renamed map[string]bool) (code, message, headline string) {
	code, message, _ = strings.Cut(words, ": ")
	if len(renamed) > 0 {
		message = word.ReplaceAllStringFunc(message, func(w string) string {
			if renamed[w] {
				return "#"
			}
			return w
		})
	}
	message = numbers.ReplaceAllString(message, "#")
	headline, _, _ = strings.Cut(strings.TrimSpace(message), "\n")
	return code, message, headline
}
