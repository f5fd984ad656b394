package lsptest

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type diagnostic struct {
	Range    span   `json:"range"`
	Severity int    `json:"severity"`
	Source   string `json:"source"`
	Message  string `json:"message"`
}

type document struct {
	uri, text string
	version   int
}

// A store is the toy language's view of the files: open documents over what
// is known of the disk. Paths are absolute.
type store struct {
	encoding string
	roots    []string
	open     map[string]*document
	disk     map[string]string
	scanned  bool
}

func newStore() *store {
	return &store{encoding: "utf-16", open: map[string]*document{}, disk: map[string]string{}}
}

// scan reads every toy file of the roots once.
func (st *store) scan() {
	if st.scanned {
		return
	}
	st.scanned = true
	for _, root := range st.roots {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".toy") {
				st.reread(path)
			}
			return nil
		})
	}
}

// reread takes what the disk has now for a path.
func (st *store) reread(path string) {
	b, err := os.ReadFile(path)
	if err != nil {
		delete(st.disk, path)
		return
	}
	st.disk[path] = string(b)
}

func (st *store) text(path string) (string, bool) {
	if d := st.open[path]; d != nil {
		return d.text, true
	}
	text, ok := st.disk[path]
	return text, ok
}

// paths returns every known file, sorted.
func (st *store) paths() []string {
	st.scan()
	var all []string
	for p := range st.disk {
		all = append(all, p)
	}
	for p := range st.open {
		if _, twice := st.disk[p]; !twice {
			all = append(all, p)
		}
	}
	slices.Sort(all)
	return all
}

// uri returns the client's spelling for an open document.
func (st *store) uri(path string) string {
	if d := st.open[path]; d != nil {
		return d.uri
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}

// pathOf returns the path of a file URI, or "".
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	p := u.Path
	if len(p) > 2 && p[2] == ':' { // /C:/x
		p = p[1:]
	}
	return filepath.Clean(filepath.FromSlash(p))
}

// statement splits a line "def NAME" or "use NAME"; at is the byte offset of
// NAME in the line.
func statement(line string) (verb, name string, at int) {
	trimmed := strings.TrimLeft(line, " \t")
	verb, rest, _ := strings.Cut(trimmed, " ")
	if verb != "def" && verb != "use" {
		return "", "", 0
	}
	name = strings.TrimSpace(rest)
	if name == "" || strings.ContainsAny(name, " \t") {
		return "", "", 0
	}
	return verb, name, strings.LastIndex(line, name)
}

func lines(text string) []string {
	all := strings.Split(text, "\n")
	for i := range all {
		all[i] = strings.TrimSuffix(all[i], "\r")
	}
	return all
}

// find returns where the statements with the name stand, in order of path.
func (st *store) find(name string, verbs ...string) []location {
	found := []location{}
	for _, path := range st.paths() {
		text, _ := st.text(path)
		for i, line := range lines(text) {
			if verb, n, at := statement(line); n == name && slices.Contains(verbs, verb) {
				found = append(found, location{st.uri(path), st.span(line, i, at, at+len(n))})
			}
		}
	}
	return found
}

func (st *store) diagnose(path string) []diagnostic {
	text, _ := st.text(path)
	found := []diagnostic{}
	for i, line := range lines(text) {
		for severity, word := range []string{"ERROR", "WARN"} {
			at := strings.Index(line, word)
			if at < 0 {
				continue
			}
			message := strings.TrimSpace(line[at+len(word):])
			if message == "" {
				message = word
			}
			found = append(found, diagnostic{st.span(line, i, at, at+len(word)), severity + 1, "toy", message})
		}
		if verb, name, at := statement(line); verb == "use" && len(st.find(name, "def")) == 0 {
			found = append(found, diagnostic{st.span(line, i, at, at+len(name)), 1, "toy", "undefined: " + name})
		}
	}
	return found
}

func (st *store) span(line string, number, from, to int) span {
	return span{position{number, st.column(line[:from])}, position{number, st.column(line[:to])}}
}

// column counts text in the units of the encoding.
func (st *store) column(text string) int {
	switch st.encoding {
	case "utf-8":
		return len(text)
	case "utf-32":
		return utf8.RuneCountInString(text)
	}
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// offset returns the byte offset of a position. ok is false if the position is
// not one of the text, or inside a character; then it is the nearest before.
func (st *store) offset(text string, p position) (at int, ok bool) {
	if p.Line < 0 || p.Character < 0 {
		return 0, false
	}
	for range p.Line {
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			return len(text), false
		}
		at += next + 1
	}
	line, _, _ := strings.Cut(text[at:], "\n")
	line = strings.TrimSuffix(line, "\r")
	if st.encoding == "utf-8" {
		n := min(p.Character, len(line))
		for n < len(line) && !utf8.RuneStart(line[n]) {
			n--
		}
		return at + n, n == p.Character
	}
	column := 0
	for i, r := range line {
		width := st.column(string(r))
		if column+width > p.Character {
			return at + i, column == p.Character
		}
		column += width
	}
	return at + len(line), column == p.Character
}

// nameAt returns the name of the statement under a position.
func (st *store) nameAt(path string, p position) (string, span, bool) {
	text, _ := st.text(path)
	all := lines(text)
	if p.Line < 0 || p.Line >= len(all) {
		return "", span{}, false
	}
	line := all[p.Line]
	_, name, at := statement(line)
	r := st.span(line, p.Line, at, at+len(name))
	return name, r, name != "" && r.Start.Character <= p.Character && p.Character <= r.End.Character
}
