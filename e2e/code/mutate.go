package code

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lspine/lspine/e2e/judge"
)

// A declaration is a stretch of a text: from the beginning of its first line, with the
// end of its name, to behind its last line.
type declaration struct{ start, name, end int }

// find finds the first declaration of a name.
func (d *Dialect) find(text, name string) (declaration, error) {
	for _, head := range d.heads {
		m := regexp.MustCompile(`(?m)^` + strings.ReplaceAll(head, "NAME", regexp.QuoteMeta(name))).FindStringIndex(text)
		if m == nil {
			continue
		}
		at := m[0] + strings.LastIndex(text[m[0]:m[1]], name)
		end := at + len(name)
		return declaration{m[0], end, max(end, d.endOf(text, m[0], end))}, nil // what closes more than it opens ends with its name
	}
	return declaration{}, fmt.Errorf("%s is not declared", name)
}

// names are the names that are declared in a text.
func (d *Dialect) names(text string) (names []string) {
	for _, head := range d.heads {
		for _, m := range regexp.MustCompile(`(?m)^`+strings.ReplaceAll(head, "NAME", `(\w{2,})`)).FindAllStringSubmatch(text, -1) {
			if name := m[len(m)-1]; !slices.Contains(notNames, name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// notNames look like declared names to the patterns.
var notNames = strings.Fields("if for while switch catch return else new throw case default function const class sizeof static_assert defined try do with assert import from")

// endOf returns where the declaration ends.
func (d *Dialect) endOf(text string, start, from int) int {
	if d.indented {
		return d.indentedEnd(text, start, from)
	}
	depth := 0
	for i := from; i < len(text); i++ {
		switch c := text[i]; c {
		case '"', '`':
			i = skipString(text, i)
		case '/':
			if strings.HasPrefix(text[i:], "//") {
				i += strings.IndexByte(text[i:]+"\n", '\n') - 1
			} else if strings.HasPrefix(text[i:], "/*") {
				i += strings.Index(text[i:]+"*/", "*/")
			}
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
			if depth < 0 {
				return lineStart(text, i)
			}
			if depth == 0 && c == '}' {
				return lineEnd(text, i)
			}
		case ';', ',':
			if depth == 0 {
				return lineEnd(text, i)
			}
		case '\n':
			if depth == 0 && !continues(text, start, i) {
				return i + 1
			}
		}
	}
	return len(text)
}

// continues reports whether what starts at start goes on behind the end of a line.
func continues(text string, start, end int) bool {
	line := text[start:end]
	next := strings.TrimLeft(text[end:], " \t\n")
	return strings.HasSuffix(line, "=") || strings.HasSuffix(line, "|") || strings.HasSuffix(line, "&") ||
		next != "" && strings.ContainsRune("|&{?.:", rune(next[0])) || strings.HasPrefix(next, "where")
}

func skipString(text string, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[at]:
			return i
		case '\n':
			if text[at] != '`' {
				return i - 1
			}
		}
	}
	return len(text) - 1
}

func lineStart(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }

func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

func (d *Dialect) indentedEnd(text string, start, from int) int {
	indent := len(text[start:]) - len(strings.TrimLeft(text[start:], " \t"))
	end := lineEnd(text, from)
	depth := strings.Count(text[start:end], "(") - strings.Count(text[start:end], ")")
	for end < len(text) {
		line := text[end:lineEnd(text, end)]
		trimmed := strings.TrimLeft(line, " \t")
		if depth <= 0 && strings.TrimSpace(line) != "" && len(line)-len(trimmed) <= indent {
			break
		}
		depth += strings.Count(line, "(") - strings.Count(line, ")")
		end += len(line)
	}
	return end
}

// The mutations of a declaration.
var mutations = []string{"parameter", "fewer", "type", "returns", "rename", "renameall", "hide", "remove", "twice", "comment", "brace", "empty"}

var errNothing = errors.New("there is nothing to change")

// mutate changes the declaration of a name in a text.
func (d *Dialect) mutate(kind, text, name string) (string, error) {
	at, err := d.find(text, name)
	if err != nil {
		return "", err
	}
	before, head, block, behind := text[:at.start], text[at.start:at.name], text[at.name:at.end], text[at.end:]
	switch kind {
	case "parameter", "fewer":
		block, err = d.parameters(kind, block)
	case "type":
		block, err = d.swapType(block)
	case "returns":
		return d.swapReturn(text, at, name)
	case "rename":
		head += "X"
	case "renameall":
		return regexp.MustCompile(`\b`+name+`\b`).ReplaceAllString(text, name+"X"), nil
	case "hide":
		hidden := d.hidden(head, name)
		if hidden == head {
			err = errNothing
		}
		head = hidden
	case "remove":
		head, block = "", ""
	case "twice":
		block += head + block
	case "comment":
		before += d.comment + "\n" + d.comment + "\n"
	case "brace":
		block, err = d.unclose(block)
	case "empty":
		block, err = d.hollow(block)
	default:
		err = fmt.Errorf("there is no mutation %s", kind)
	}
	return before + head + block + behind, err
}

// parameters puts one in front, or takes the first out.
func (d *Dialect) parameters(kind, block string) (string, error) {
	open := strings.IndexByte(block, '(')
	if open < 0 || strings.ContainsAny(block[:open], "={;") {
		return "", errNothing
	}
	first := open + 1
	if d.receiver != "" {
		first += len(regexp.MustCompile(`^\s*(?:` + d.receiver + `)\s*,?\s*`).FindString(block[first:]))
	}
	rest := block[first:]
	if kind == "parameter" {
		lead, extra := "", d.extra
		if first > open+1 && !strings.HasSuffix(strings.TrimSpace(block[:first]), ",") {
			lead = ", "
		}
		if !strings.HasPrefix(strings.TrimSpace(rest), ")") {
			extra += ", "
		}
		return block[:first] + lead + extra + rest, nil
	}
	depth := 0
	for i, c := range rest {
		switch {
		case depth == 0 && c == ')':
			if strings.TrimSpace(rest[:i]) == "" {
				return "", errNothing
			}
			return block[:first] + rest[i:], nil
		case depth == 0 && c == ',':
			return block[:first] + strings.TrimLeft(rest[i+1:], " "), nil
		case strings.ContainsRune("([{<", c):
			depth++
		case strings.ContainsRune(")]}>", c):
			depth--
		}
	}
	return "", errNothing
}

// swapType puts another type in the place of the first one.
func (d *Dialect) swapType(block string) (string, error) {
	m := regexp.MustCompile(`\b(?:` + strings.Join(d.types, "|") + `)\b`).FindStringIndex(block)
	if m == nil {
		return "", errNothing
	}
	return block[:m[0]] + d.other(block[m[0]:m[1]]) + block[m[1]:], nil
}

func (d *Dialect) other(old string) string {
	return d.types[(slices.Index(d.types, strings.TrimSpace(old))+1)%2]
}

// swapReturn gives a function another type.
func (d *Dialect) swapReturn(text string, at declaration, name string) (string, error) {
	whole := text[at.start:at.end]
	m := regexp.MustCompile(strings.ReplaceAll(d.returns, "NAME", regexp.QuoteMeta(name))).FindStringSubmatchIndex(whole)
	if m == nil {
		return "", errNothing
	}
	now := d.other(whole[m[2]:m[3]])
	if strings.HasSuffix(whole[m[2]:m[3]], " ") {
		now += " "
	}
	return text[:at.start] + whole[:m[2]] + now + whole[m[3]:] + text[at.end:], nil
}

// unclose takes the end of a block, or its beginning where that counts.
func (d *Dialect) unclose(block string) (string, error) {
	what := "}"
	if d.indented {
		what = ":"
	}
	i := strings.LastIndex(block, what)
	if d.indented {
		i = strings.Index(block, ":\n")
	}
	if i < 0 {
		return "", errNothing
	}
	return block[:i] + block[i+1:], nil
}

// hollow takes all out of a block.
func (d *Dialect) hollow(block string) (string, error) {
	if d.indented {
		i := strings.Index(block, ":\n")
		if i < 0 {
			return "", errNothing
		}
		return block[:i] + ": ...\n", nil
	}
	open, end := strings.Index(block, "{"), strings.LastIndex(block, "}")
	if open < 0 || end <= open+1 {
		return "", errNothing
	}
	return block[:open+1] + block[end:], nil
}

// Draw makes up a change, and says which.
func (w *Tree) Draw(r *rand.Rand) (text string, c Change, ok bool) {
	names := w.Sources()
	if len(names) == 0 {
		return "", c, false
	}
	files := maps.Clone(w.Files)
	var done []string
	for range 1 + r.IntN(8)/7 {
		done = append(done, w.drawPart(r, files, names[r.IntN(len(names))], names))
	}
	c = ChangeTo(w.Files, files)
	return "random: " + strings.Join(done, " && "), c, len(c.Texts) > 0
}

func (w *Tree) drawPart(r *rand.Rand, files map[string]string, name string, names []string) string {
	text, there := files[name]
	if !there {
		return "nothing"
	}
	lines := strings.SplitAfter(text, "\n")
	line := r.IntN(len(lines))
	switch kind := r.IntN(20); kind {
	case 0:
		delete(files, name)
		return "delete " + name
	case 1:
		to := strings.TrimSuffix(name, filepath.Ext(name)) + "_moved" + filepath.Ext(name)
		delete(files, name)
		files[to] = text
		return "move " + name + " " + to
	case 2:
		files[name] = strings.TrimSuffix(text, "\n") + "\n" + w.wrong + "\n"
		return "append wrong " + name
	case 3:
		files[name] = strings.Join(slices.Delete(lines, line, line+1), "")
		return fmt.Sprintf("delete line %d of %s", line+1, name)
	case 4:
		files[name] = strings.Join(slices.Insert(lines, line, w.comment+"\n"), "")
		return fmt.Sprintf("comment at line %d of %s", line+1, name)
	case 5:
		declared := w.names(text)
		if len(declared) == 0 {
			return "nothing"
		}
		word := declared[r.IntN(len(declared))]
		pattern := regexp.MustCompile(`\b` + word + `\b`)
		half := r.IntN(2) == 0
		for i, other := range names {
			if text, there := files[other]; there && (!half || i%2 == 0) {
				files[other] = pattern.ReplaceAllString(text, word+"X")
			}
		}
		return fmt.Sprintf("sed %s (half: %v)", word, half)
	default:
		declared := w.names(text)
		for range 8 { // what does not fit one declaration fits another
			if len(declared) == 0 {
				break
			}
			word, mutation := declared[r.IntN(len(declared))], mutations[r.IntN(len(mutations))]
			if changed, err := w.mutate(mutation, text, word); err == nil && changed != text {
				files[name] = changed
				return mutation + " " + name + " " + word
			}
		}
		return "nothing"
	}
}

// MoveDeclaration moves a declaration from a file to the end of another one, in files, and says which.
func (w *Tree) MoveDeclaration(r *rand.Rand, files map[string]string, from, to string) string {
	declared := w.names(files[from])
	if len(declared) == 0 || from == to {
		return ""
	}
	word, text := declared[r.IntN(len(declared))], files[from]
	at, err := w.find(text, word)
	if err != nil {
		return ""
	}
	files[from] = text[:at.start] + text[at.end:]
	files[to] = strings.TrimSuffix(files[to], "\n") + "\n\n" + text[at.start:at.end]
	return "move " + word + " from " + from + " to " + to
}

// Comment returns a line of comment for a file.
func (w *Tree) Comment(name string) string {
	if w.comment != "" {
		return w.comment
	}
	for _, d := range Dialects {
		if slices.Contains(d.endings, filepath.Ext(name)) {
			return d.comment
		}
	}
	return ""
}

// A Name is where a source declares something: 1-based line and column, in bytes.
type Name struct {
	File, Name   string
	Line, Column int
}

// DrawName chooses a declared name; ok is false if there is none.
func (w *Tree) DrawName(r *rand.Rand) (n Name, ok bool) {
	sources := w.Sources()
	for range 20 {
		if len(sources) == 0 {
			break
		}
		n.File = sources[r.IntN(len(sources))]
		text := w.Files[n.File]
		declared := w.names(text)
		if len(declared) == 0 {
			continue
		}
		n.Name = declared[r.IntN(len(declared))]
		d, err := w.find(text, n.Name)
		if err != nil {
			continue
		}
		at := d.name - len(n.Name)
		n.Line, n.Column = 1+strings.Count(text[:at], "\n"), 1+at-lineStart(text, at)
		return n, true
	}
	return n, false
}

// Renamed returns what was found, with one name in the place of another.
func Renamed(found judge.Findings, from, to string) judge.Findings {
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(from) + `\b`)
	renamed := make(judge.Findings)
	for file, messages := range found {
		for message, n := range messages {
			for range n {
				renamed.Add(file, word.ReplaceAllString(message, to))
			}
		}
	}
	return renamed
}
