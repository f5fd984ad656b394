// Package skills holds guides for agents: for each task the calls of LSPine's tools that do it, what
// their answers mean, and when to stop. They are files in the Agent Skills format, embedded. The tools
// that they name are those of the default profile of lspine mcp; what only the full profile has stands
// in a section of its own.
package skills

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// FullProfile is the section of a skill whose calls only the full profile has, and Steps the one
// whose numbered items are done one after another.
const (
	Steps       = "Steps"
	FullProfile = "In the full profile"
)

// FileName is how the file of a skill is called, in the folder that has the skill's name.
const FileName = "SKILL.md"

//go:embed */SKILL.md
var files embed.FS

// A Skill is one guide.
type Skill struct {
	// Name is lower case, with hyphens; Description says what it is for and when to use it.
	Name, Description string
	// Tools are those of the default profile that it needs.
	Tools []string
	// Arguments are the names that stand in Body as <name>, for who knows them before.
	Arguments []string
	// Next are the skills that may follow.
	Next []string
	// Body is Markdown. Text is the whole file, front matter included.
	Body, Text string
}

// toolPrefix is how agents call our tools.
const toolPrefix = "mcp__lspine__"

// all reads the files once they are needed: most runs of the program need none of them.
var all = sync.OnceValue(read)

// All returns every skill, by name. The caller must not change them.
func All() []Skill { return all() }

// Named returns the skill with a name, and whether there is one.
func Named(name string) (Skill, bool) {
	for _, s := range all() {
		if s.Name == name {
			return s, true
		}
	}
	return Skill{}, false
}

// read reads the embedded files. They are part of the program: a broken one is a panic, which any test
// sees.
func read() []Skill {
	folders, err := files.ReadDir(".")
	if err != nil {
		panic(err)
	}
	var list []Skill
	for _, folder := range folders { // ReadDir sorts by name
		text, err := files.ReadFile(folder.Name() + "/" + FileName)
		if err != nil {
			panic(err)
		}
		s, err := parse(string(text))
		if err != nil {
			panic(fmt.Sprintf("skill %s: %v", folder.Name(), err))
		}
		list = append(list, s)
	}
	return list
}

// parse reads a file: lines "key: value" between two of three hyphens, those of metadata indented, and
// the body. That is all of YAML that our files use.
func parse(text string) (Skill, error) {
	head, body, found := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	if !found || !strings.HasPrefix(text, "---\n") {
		return Skill{}, fmt.Errorf("it has no front matter")
	}
	s := Skill{Text: text, Body: strings.TrimLeft(body, "\n")}
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch key {
		case "name":
			s.Name = value
		case "description":
			s.Description = value
		case "allowed-tools":
			for _, name := range strings.Fields(value) {
				s.Tools = append(s.Tools, strings.TrimPrefix(name, toolPrefix))
			}
		case "metadata":
		case "  arguments":
			s.Arguments = strings.Fields(value)
		case "  next":
			s.Next = strings.Fields(value)
		default:
			return Skill{}, fmt.Errorf("%q is not known in front matter", key)
		}
	}
	return s, nil
}

// Prefixed returns the skill under a name with a prefix, by which it calls the others, too.
func (s *Skill) Prefixed(prefix string) Skill {
	out := *s
	out.Name = prefix + s.Name
	out.Next = nil
	for _, name := range s.Next {
		out.Next = append(out.Next, prefix+name)
	}
	head := s.Text[:len(s.Text)-len(s.Body)]
	head = strings.Replace(head, "name: "+s.Name+"\n", "name: "+out.Name+"\n", 1)
	head = strings.Replace(head, "  next: "+strings.Join(s.Next, " ")+"\n", "  next: "+strings.Join(out.Next, " ")+"\n", 1)
	out.Body = skillNamed().ReplaceAllStringFunc(s.Body, func(mention string) string {
		name := strings.TrimPrefix(mention, "skill ")
		if _, ok := Named(name); !ok {
			return mention
		}
		return "skill " + prefix + name
	})
	out.Text = head + out.Body
	return out
}

var skillNamed = expression(`\bskill [a-z]+(?:-[a-z]+)*`)

// A Call is a call of a tool that a skill names.
type Call struct {
	// Section is the heading that it stands under, Step the number of its item there, 0 for none.
	Section string
	Step    int
	Tool    string
	// Arguments are a JSON object. What is to be filled in stands in it as <name>, in quotes where it is
	// a text.
	Arguments string
}

var (
	callNamed = expression("`([a-z_]+) (\\{[^`]*\\})`")
	numbered  = expression(`^(\d+)\. `)
	bareKey   = expression(`([{,]\s*)([a-z_]+):`)
	quoted    = expression(`"(?:[^"\\]|\\.)*"`)
)

// expression returns a regular expression that is compiled when it is first called for.
func expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// Calls returns the calls that the body names, in its order.
func (s *Skill) Calls() []Call {
	var calls []Call
	section, step := "", 0
	for line := range strings.SplitSeq(s.Body, "\n") {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			section = heading
		}
		if m := numbered().FindStringSubmatch(line); m != nil {
			step, _ = strconv.Atoi(m[1]) // of digits
		} else if !strings.HasPrefix(line, " ") {
			step = 0
		}
		for _, m := range callNamed().FindAllStringSubmatch(line, -1) {
			calls = append(calls, Call{section, step, m[1], strict(m[2])})
		}
	}
	return calls
}

// strict puts the keys of an object in quotes, which our files leave out.
func strict(object string) string {
	var b strings.Builder
	end := 0
	for _, at := range append(quoted().FindAllStringIndex(object, -1), []int{len(object), len(object)}) {
		b.WriteString(bareKey().ReplaceAllString(object[end:at[0]], `$1"$2":`))
		b.WriteString(object[at[0]:at[1]])
		end = at[1]
	}
	return b.String()
}

// With returns the body with the arguments that are known in their places. One that the skill does not
// have is an error.
func (s *Skill) With(values map[string]string) (string, error) {
	var pairs []string
	for name, value := range values {
		if !slices.Contains(s.Arguments, name) {
			return "", &ArgumentError{s.Name, name, s.Arguments}
		}
		if value != "" {
			pairs = append(pairs, "<"+name+">", value)
		}
	}
	return strings.NewReplacer(pairs...).Replace(s.Body), nil
}

// An ArgumentError names an argument that a skill does not have.
type ArgumentError struct {
	Skill, Name string
	Known       []string
}

func (e *ArgumentError) Error() string { return fmt.Sprintf("%s has no argument %q", e.Skill, e.Name) }

// Hint names those that it has.
func (e *ArgumentError) Hint() string {
	if len(e.Known) == 0 {
		return "it has none"
	}
	return "it has " + strings.Join(e.Known, ", ")
}
