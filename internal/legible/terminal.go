package legible

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/lspine/lspine/internal/lazyregexp"
)

var (
	// atBegin are lines that GitHub's runner takes for a command, whatever blanks, and
	// colours of ours, stand before it.
	atBegin = lazyregexp.New(`(?im)^((?:[\s\p{Z}]|\x1b\[[0-9;]*m)*):(:(?:add-mask|add-matcher|add-path|debug|echo|endgroup|error|group|internal-set-repo-path|notice|remove-matcher|save-state|set-env|set-output|stop-commands|warning)(?:[\s:]|$))`)
	// atBeginInCI are all lines that may be one, such as the end of stop-commands.
	atBeginInCI = lazyregexp.New(`(?m)^((?:[\s\p{Z}]|\x1b\[[0-9;]*m)*):(:)`)
	// anywhere are commands of GitHub, Azure Pipelines and TeamCity that may stand anywhere in a line.
	anywhere = lazyregexp.New(`(?i)##((?:vso|teamcity)?\[)`)
	// mayGoOn are the ends of texts that may become one.
	mayGoOn = lazyregexp.New(`^[\s\p{Z}]*:?(?::[A-Za-z-]*)?$`)
)

// uncommanded breaks commands that may stand anywhere in a line.
func uncommanded(text string) string {
	if !strings.Contains(text, "##") {
		return text
	}
	return anywhere.ReplaceAllString(text, `#\u0023$1`)
}

// A Terminal is a writer for what people and CI systems read. Of what is written only the sequences of
// Own control a terminal, and nothing is a command of a CI system: a ":" or "#" of what would be one
// is spelt out. What may be the beginning of a command, or of a character, is written with what
// follows, or by Flush. It is safe for concurrent use.
type Terminal struct {
	W io.Writer
	// Own are the control sequences that are written as they are.
	Own []string
	// CI says that the output is the log of a CI system: no line begins with "::" at all. Elsewhere
	// that may be code, and only known commands are changed.
	CI bool

	mu     sync.Mutex
	kept   string
	inLine bool // the line at the end has begun
}

// Printed returns a text as a [Terminal] writes it.
func Printed(text string) []byte {
	var b bytes.Buffer
	t := Terminal{W: &b}
	_, _ = io.WriteString(&t, text) // a buffer never fails
	_ = t.Flush()
	return b.Bytes()
}

// Write implements [io.Writer].
func (t *Terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := t.kept + string(p)
	end := t.decidedLocked(text)
	t.kept = text[end:]
	if err := t.writeLocked(text[:end]); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what was kept.
func (t *Terminal) Flush() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := t.kept
	t.kept = ""
	return t.writeLocked(text)
}

// decidedLocked returns how much of a text can be written whatever follows.
func (t *Terminal) decidedLocked(text string) int {
	end := len(text)
	for i := 1; i <= min(utf8.UTFMax-1, end); i++ {
		if utf8.RuneStart(text[end-i]) {
			if !utf8.FullRuneInString(text[end-i:]) {
				end -= i
			}
			break
		}
	}
	line := strings.LastIndexByte(text[:end], '\n') + 1
	if (line > 0 || !t.inLine) && mayGoOn.MatchString(text[line:end]) {
		return line
	}
	if i := strings.LastIndexByte(text[line:end], '#'); i >= 0 && strings.Trim(text[line+i+1:end], "abcdefghijklmnopqrstuvwxyz") == "" {
		return line + len(strings.TrimRight(text[line:line+i], "#"))
	}
	return end
}

func (t *Terminal) writeLocked(text string) error {
	if text == "" {
		return nil
	}
	begun := ""
	if t.inLine { // the patterns find beginnings of lines
		begun = "."
	}
	t.inLine = !strings.HasSuffix(text, "\n")
	text = begun + t.visible(text)
	if strings.Contains(text, "::") {
		pattern := atBegin
		if t.CI {
			pattern = atBeginInCI
		}
		text = pattern.ReplaceAllString(text, `$1\u003a$2`)
	}
	_, err := io.WriteString(t.W, uncommanded(text)[len(begun):])
	return err
}

// visible is [Visible] with our own sequences as they are.
func (t *Terminal) visible(text string) string {
	if len(t.Own) == 0 || !strings.Contains(text, "\x1b") {
		return Visible(text)
	}
	var b strings.Builder
	for text != "" {
		at, own := len(text), ""
		for _, o := range t.Own {
			if i := strings.Index(text, o); i >= 0 && i < at {
				at, own = i, o
			}
		}
		b.WriteString(Visible(text[:at]))
		b.WriteString(own)
		text = text[at+len(own):]
	}
	return b.String()
}

// A Property is one of a workflow command, such as the file.
type Property struct{ Name, Value string }

// Command returns a workflow command of GitHub, on a line: ::name property=value,…::message. Whatever
// the values and the message are, it is that one command.
func Command(name string, message string, properties ...Property) string {
	var b strings.Builder
	b.WriteString("::" + name)
	for i, p := range properties {
		separator := ","
		if i == 0 {
			separator = " "
		}
		b.WriteString(separator + p.Name + "=" + ofProperty.Replace(inCommand(p.Value)))
	}
	b.WriteString("::" + ofMessage.Replace(inCommand(message)) + "\n")
	return b.String()
}

// inCommand spells what is not seen, other than ends of lines: those the runner has an escape for.
func inCommand(text string) string {
	lines := strings.Split(text, "\r")
	for i, line := range lines {
		lines[i] = Visible(line)
	}
	return uncommanded(strings.Join(lines, "\r"))
}

var (
	ofMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	ofProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
