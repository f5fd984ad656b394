package legible

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// Model returns text of strangers as a model may read it among ours: visible, and without the tags
// with which we or an agent surround what a model reads. Of these the "<" is "&lt;". Every other
// tag, "<" and "&" stays: code is to be read, and edited, as it is.
func Model(text string) string { return untagged(Visible(text)) }

// Line is [Model] for what stands in a line of ours, such as a name: it is one line.
func Line(text string) string { return untagged(Name(text)) }

// Hanging is [Model] for a message, each further line of which is indented: it begins no line of ours.
func Hanging(text string) string {
	lines := strings.Split(Model(text), "\n")
	for i := 1; i < len(lines); i++ {
		if lines[i] != "" {
			lines[i] = "  " + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// Name is [Line] for where all tags are escaped anyway: they stay.
func Name(text string) string { return spelt(text, true, inGo) }

// Message returns a message on one line, in which ends of lines and tabs are blanks. Its tags stay.
func Message(text string) string {
	if unusualAt(text, true) < 0 {
		return text
	}
	return Visible(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' || r == '\t' }), " "))
}

// wrappers are the tags that surround what a model reads: ours, and those of agents.
var wrappers = lazyregexp.New(`(?i)<(/?\s*(?:diagnostics|system-reminder|system|hook_context|user-prompt-submit-hook|user_instructions|environment_context|tool_result|function_results)(?:[\s/>\\]|$))`)

// untagged breaks the tags that surround what a model reads.
func untagged(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	return wrappers.ReplaceAllString(text, "&lt;$1")
}

// JSON returns a document with JSON's escapes in place of what [Visible] spells out, of what is a
// command of a CI system, and of tags that surround what a model reads. It means exactly the same.
func JSON(document []byte) []byte {
	text := spelt(string(document), false, inJSON)
	if strings.Contains(text, "<") {
		text = wrappers.ReplaceAllString(text, `\u003c$1`)
	}
	return []byte(uncommanded(text))
}

// Encode writes a value as [JSON], on lines that are indented with indent, "" for one line. Characters
// that mean something only to a browser stay: a model or a program reads it.
func Encode[T any](w io.Writer, value T, indent string) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(JSON(b.Bytes()))
	return err
}

// inJSON spells a character within a string of JSON.
func inJSON(b *strings.Builder, r rune) {
	switch {
	case r == '\r': // between values; in strings it is escaped
		b.WriteRune(r)
	case r <= 0xffff:
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		r -= 0x10000
		fmt.Fprintf(b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
	}
}
