package navigation

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// A marker is one thing that is true of a project.
type marker struct {
	file    string
	line    int    // 1-based: of what it speaks of
	code    string // that line, without the marker
	here    string // path:line of the marker itself
	op      string
	servers []string
	args    []string
	rel     string // "=", "~", "!" or, for loc, ""
	expect  []string
}

// A project is an archive with its markers.
type project struct {
	name    string
	servers []string
	archive *txtar.Archive
	markers []marker
	locs    map[string]string // name → path:line:column
}

var comment = regexp.MustCompile(`(?://|#|/\*)@\s*(\w+)(?:\[([\w, -]+)\])?\((.*?)\)\s*(=|~|!|$)\s*(.*?)\s*(?:\*/)?$`)

func parse(t *testing.T, name, text string) project {
	t.Helper()
	p := project{name: name, archive: txtar.Parse([]byte(text)), locs: make(map[string]string)}
	for line := range strings.SplitSeq(string(p.archive.Comment), "\n") {
		if list, ok := strings.CutPrefix(line, "servers:"); ok {
			p.servers = strings.Fields(list)
		}
	}
	if len(p.servers) == 0 {
		t.Fatalf("%s names no servers", name)
	}
	for _, f := range p.archive.Files {
		spoken, code := 0, ""
		for i, line := range strings.Split(string(f.Data), "\n") {
			m := comment.FindStringSubmatchIndex(line)
			if m == nil {
				if strings.Contains(line, "@ ") && strings.Contains(line, "(\"") && strings.Contains(line, "//@") {
					t.Errorf("%s: %s:%d is no marker: %s", name, f.Name, i+1, line)
				}
				spoken, code = i+1, line
				continue
			}
			if before := line[:m[0]]; strings.TrimSpace(before) != "" {
				spoken, code = i+1, before
			}
			p.add(t, f.Name, spoken, code, fmt.Sprintf("%s:%d", f.Name, i+1), comment.FindStringSubmatch(line))
		}
	}
	return p
}

func (p *project) add(t *testing.T, file string, line int, code, here string, m []string) {
	t.Helper()
	k := marker{file: file, line: line, code: code, here: here, op: m[1], rel: m[4]}
	k.servers = strings.FieldsFunc(m[2], func(r rune) bool { return r == ',' || r == ' ' })
	k.args = words(t, here, m[3])
	k.expect = words(t, here, m[5])
	if k.op == "loc" {
		if len(k.args) != 2 || p.locs[k.args[0]] != "" {
			t.Fatalf("%s: loc needs a new name and a text", here)
		}
		p.locs[k.args[0]] = fmt.Sprintf("%s:%d:%d", file, line, k.column(t, k.args[1], false))
		return
	}
	if k.rel == "" {
		t.Fatalf("%s: what is expected? = ~ or !", here)
	}
	p.markers = append(p.markers, k)
}

// words splits at blanks and commas; what is quoted, as in Go, stays whole.
func words(t *testing.T, here, text string) []string {
	t.Helper()
	var list []string
	for text = strings.TrimLeft(text, " ,"); text != ""; text = strings.TrimLeft(text, " ,") {
		if text[0] == '"' || text[0] == '`' {
			quoted, err := strconv.QuotedPrefix(text)
			if err != nil {
				t.Fatalf("%s: %v: %s", here, err, text)
			}
			word, _ := strconv.Unquote(quoted)
			list, text = append(list, word), text[len(quoted):]
			continue
		}
		end := strings.IndexAny(text, " ,")
		if end < 0 {
			end = len(text)
		}
		list, text = append(list, text[:end]), text[end:]
	}
	return list
}

// column returns the 1-based column, in UTF-16, of a text in the line, or of its
// end; of the | in it, if there is one.
func (k *marker) column(t *testing.T, text string, end bool) int {
	t.Helper()
	before, after, cursor := strings.Cut(text, "|")
	i := strings.Index(k.code, before+after)
	if i < 0 {
		t.Fatalf("%s: line %d has no %q: %s", k.here, k.line, text, k.code)
	}
	if cursor {
		i += len(before)
	} else if end {
		i += len(text)
	}
	column := 1
	for _, r := range k.code[:i] {
		column++
		if r > 0xFFFF {
			column++
		}
	}
	return column
}

// of reports whether the marker is true of a server.
func (k *marker) of(server string) bool {
	return len(k.servers) == 0 || slices.Contains(k.servers, server)
}
