package config

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/policy"
	"github.com/lspine/lspine/internal/registry"
	"github.com/tailscale/hujson"
)

// A document is a file being read.
type document struct {
	path  string
	text  []byte
	lines []int // where each line starts
	// problems counts those reported; see maxProblems.
	problems int
}

// line returns the line of an offset, from 1.
func (d *document) line(offset int) int {
	i, found := slices.BinarySearch(d.lines, offset)
	if found {
		i++
	}
	return i
}

// position returns line and column, from 1, the column in characters.
func (d *document) position(offset int) (line, column int) {
	line = d.line(offset)
	return line, 1 + utf8.RuneCount(d.text[d.lines[line-1]:min(offset, len(d.text))])
}

// A server is a definition being put together.
type server struct {
	*registry.Definition
	// shared says that the definition is the one of the built-in table. It must not be changed
	// before unshare: definitions are large, and most of them stay as they are.
	shared  bool
	builtin bool
	named   bool // in some layer
	own     bool // in one of the user's: all but the project's
	wanted  bool // switched on in some layer: before others of its group
	// For a custom one, where it was named first, and what decides at the end
	// whether it can work.
	file     *document
	at       hujson.Value
	layer    Layer
	off      bool // switched off in some layer
	more     bool // something else was said about it
	withheld bool // of that, something waits for trust
}

// unshare gives the server a definition of its own, which may be changed.
func (s *server) unshare() {
	if s.shared {
		own := *s.Definition
		s.Definition, s.shared = &own, false
	}
}

// laterServers is a value of "servers" that is applied when the table is made.
type laterServers struct {
	layer Layer
	file  *document
	value hujson.Value
}

// A loader is the state of one Load.
type loader struct {
	builtin  registry.Table // nil before needTable
	config   *Config
	servers  []*server
	problems []Problem
	environ  map[string]string
	userFile string // for hints
	opta     bool
	trusted  bool // the project may say what runs
	sparse   bool // see [Options.Sparse]
	// later is what the layers say about servers, in their order, until the table is made.
	later []laterServers
	// locked, if not nil, takes the place of the user's rules, and badMode says that the mode is
	// not known: some of it cannot be read.
	locked  *policy.Rule
	badMode bool
	// importing says that the file is that of another agent.
	importing bool

	layer Layer
	file  *document // of the layers that are files
}

// needTable makes the table of built-in servers if it is not made yet, and applies to it what
// waited for it.
func (l *loader) needTable() {
	if l.builtin != nil {
		return
	}
	l.builtin = registry.Builtin()
	for i := range l.builtin {
		l.servers = append(l.servers, &server{Definition: &l.builtin[i], shared: true, builtin: true})
	}
	layer, file := l.layer, l.file
	for _, waited := range l.later {
		l.layer, l.file = waited.layer, waited.file
		l.applyServers(waited.value)
	}
	l.layer, l.file, l.later = layer, file, nil
}

// problem reports one at the offset in the file.
func (l *loader) problem(key string, at hujson.Value, err error) {
	if l.file != nil {
		if l.file.problems++; l.file.problems > maxProblems {
			return
		}
	}
	p := Problem{Layer: l.layer, Key: key, Message: err.Error()}
	var v *valueError
	if errors.As(err, &v) {
		p.Hint = v.hint
	}
	if l.file != nil {
		p.File = l.file.path
		p.Line, p.Column = l.file.position(at.StartOffset)
	}
	l.problems = append(l.problems, p)
}

// at returns where a value stands in the file, as FILE:LINE.
func (l *loader) at(v hujson.Value) string {
	return fmt.Sprintf("%s:%d", l.file.path, l.file.line(v.StartOffset))
}

// fileProblem reports that a whole file is not used.
func (l *loader) fileProblem(path, hint, format string, args ...any) {
	l.problems = append(l.problems, Problem{Layer: l.layer, File: path, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// came notes where the value of the key comes from.
func (l *loader) came(key string, at hujson.Value) {
	l.config.sources[key] = Source{Layer: l.layer, File: l.file.path, Line: l.file.line(at.StartOffset)}
}

// withhold notes a value of the project's file that nobody has trusted.
func (l *loader) withhold(id, field string, v hujson.Value) {
	u := Untrusted{ID: id, Field: field, Value: string(compact(v)), File: l.file.path, Line: l.file.line(v.StartOffset)}
	own := "put it into " + firstOf(l.userFile, "your own configuration file") + " if you want it"
	switch {
	case id != "":
		u.Hint = "a project's file cannot say what runs; lspine trust shows it all and allows it, or " + own
	case field == "allowRoots":
		u.Hint = "a project's file cannot say what may be written; " + own
	default:
		u.Hint = "a project's file cannot say that; " + own
	}
	u.Imported = l.importing
	l.config.Untrusted = append(l.config.Untrusted, u)
}

func firstOf(candidates ...string) string {
	for _, c := range candidates {
		if c != "" {
			return c
		}
	}
	return ""
}

// eachMember calls f for each member with its key path; of those with one name
// only for the last, and reports the others.
func (l *loader) eachMember(path string, o *hujson.Object, f func(key string, m hujson.ObjectMember)) {
	last := map[string]int{}
	for i, m := range o.Members {
		last[nameOf(m)] = i
	}
	for i, m := range o.Members {
		key := nameOf(m)
		if path != "" {
			key = path + "." + key
		}
		if last[nameOf(m)] != i {
			l.problem(key, m.Name, &valueError{"stands twice in one object", l.strayRules(key, m, "the last one counts")})
			continue
		}
		f(key, m)
	}
}

func (l *loader) expandAll(words []string) ([]string, error) {
	out := make([]string, len(words))
	for i, w := range words {
		var err error
		if out[i], err = l.expand(w); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// expand replaces each ${NAME} by the variable; one that is not set is an error.
func (l *loader) expand(text string) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			b.WriteString(text)
			return b.String(), nil
		}
		name, otherwise, hasDefault := strings.Cut(name, ":-")
		value, set := l.environ[name]
		if value == "" && hasDefault {
			value, set = otherwise, true
		}
		if !set && name == "HOME" {
			value, set = l.environ["USERPROFILE"]
		}
		if !set {
			return "", &valueError{fmt.Sprintf("the variable %s is not set", name), "set it, or write the value itself"}
		}
		b.WriteString(before)
		b.WriteString(value)
		text = after
	}
}

func newDocument(path string, text []byte) *document {
	d := &document{path: path, text: text, lines: []int{0}}
	for i, c := range text {
		if c == '\n' {
			d.lines = append(d.lines, i+1)
		}
	}
	return d
}

// rootCause leaves out the path, which the problem has.
func rootCause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func environment(environ []string) map[string]string {
	env := map[string]string{}
	for _, e := range environ {
		if name, value, ok := strings.Cut(e, "="); ok {
			env[name] = value
			if fspath.Here.Drives { // where the case of their letters does not count
				env[strings.ToUpper(name)] = value
			}
		}
	}
	return env
}
