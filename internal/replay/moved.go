package replay

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// moved has messages about a project in one folder be about the same project in another folder. The nil value changes nothing.
type moved struct {
	names *regexp.Regexp
	here  map[string]string // what stands for a name, both as they are in a text of JSON
}

func movedFrom(there, here placed) *moved {
	m := &moved{here: make(map[string]string)}
	names := "" // the URI is the first of the alternatives, since the path is a part of it
	for _, pair := range [][2]string{{there.RootURI, here.RootURI}, {there.RootPath, here.RootPath}} {
		from, to := inJSON(pair[0]), inJSON(pair[1])
		if _, known := m.here[from]; from == "" || to == "" || known {
			continue
		}
		if names != "" {
			names += "|"
		}
		names += regexp.QuoteMeta(from)
		m.here[from] = to
	}
	if there == here || names == "" {
		return nil
	}
	pattern, err := regexp.Compile(names)
	if err != nil { // no UTF-8
		return nil
	}
	m.names = pattern
	return m
}

// inJSON returns a text as it is between the quotation marks of a text of JSON.
func inJSON(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil { // texts are never refused
		return text
	}
	return string(quoted[1 : len(quoted)-1])
}

// text returns a message as it is here: each name of the folder there is replaced once, unless it is only the start of the
// name of another one.
func (m *moved) text(message []byte) []byte {
	if m == nil {
		return message
	}
	var out []byte
	rest := 0
	for _, at := range m.names.FindAllIndex(message, -1) {
		if goesOn(message[at[1]:]) || rest > 0 && at[0] == rest { // a folder in it has the same name
			continue
		}
		out = append(out, message[rest:at[0]]...)
		out = append(out, m.here[string(message[at[0]:at[1]])]...)
		rest = at[1]
	}
	return append(out, message[rest:]...)
}

// goesOn reports whether a name of a folder goes on with a text. A full stop ends it if it ends a sentence.
func goesOn(text []byte) bool {
	text = bytes.TrimLeft(text, ".")
	next, _ := utf8.DecodeRune(text)
	return unicode.IsLetter(next) || unicode.IsDigit(next) || unicode.IsMark(next) || strings.ContainsRune("_-+~@%", next)
}
