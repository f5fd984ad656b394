package child

import (
	"errors"
	"path"
	"strings"
	"unicode"
)

// errScriptArgument is of an argument that cmd.exe cannot be given.
var errScriptArgument = errors.New("an argument of a script of cmd.exe has no line end and no null byte")

// isScript reports whether cmd.exe runs a program.
func isScript(program string) bool {
	switch strings.ToLower(path.Ext(program)) {
	case ".cmd", ".bat":
		return true
	}
	return false
}

// scriptLine returns the command line by which cmd.exe runs a script. cmd.exe reads it by rules of
// its own, before and after the program divides it into arguments: without them an argument could
// start programs. These are the rules of Rust's standard library.
func scriptLine(shell, script string, args []string) (string, error) {
	if strings.ContainsAny(script, "\"\x00") || strings.HasSuffix(script, `\`) {
		return "", errScriptArgument
	}
	var b strings.Builder
	b.WriteString(`"` + shell + `" /e:ON /v:OFF /d /c ""` + script + `"`)
	for _, arg := range args {
		if strings.ContainsAny(arg, "\x00\r\n") {
			return "", errScriptArgument
		}
		b.WriteByte(' ')
		writeScriptArgument(&b, arg)
	}
	b.WriteByte('"')
	return b.String(), nil
}

func writeScriptArgument(b *strings.Builder, arg string) {
	quoted := arg == "" || strings.HasSuffix(arg, `\`) || strings.ContainsFunc(arg, func(r rune) bool {
		if r < unicode.MaxASCII {
			return !strings.ContainsRune(`#$*+-./:?@\_`, r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}
		return unicode.IsControl(r)
	})
	if quoted {
		b.WriteByte('"')
	}
	slashes := 0
	for _, r := range arg {
		switch r {
		case '\\':
			slashes++
		case '"':
			b.WriteString(strings.Repeat(`\`, slashes) + `"`)
			slashes = 0
		case '%':
			b.WriteString("%%cd:~,") // the empty part of a variable, so that no other is filled in
			slashes = 0
		default:
			slashes = 0
		}
		b.WriteRune(r)
	}
	if quoted {
		b.WriteString(strings.Repeat(`\`, slashes) + `"`)
	}
}
