// Package skills holds instructions for agents: for each task, the calls of LSPine's tools that
// carry it out, what their answers mean, and when to stop. They are embedded files in the Agent
// Skills format. The tools that they name are those of lspine mcp's default profile; what only the
// full profile has is in a section of its own.
package skills

import (
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// FullProfile is the section of a skill whose calls exist only in the full profile; Steps is the
// one with numbered items to carry out one after another.
const (
	Steps       = "Steps"
	FullProfile = "In the full profile"
)

// FileName is the name of a skill's file, in a folder with the skill's name.
const FileName = "SKILL.md"

//go:embed */SKILL.md
var files embed.FS

// A Skill is a set of instructions for one task.
type Skill struct {
	// Name is lower case, with hyphens; Description says what it is for and when to use it.
	Name, Description string
	// Tools are the tools of the default profile that it needs.
	Tools []string
	// Arguments are the names that appear in Body as <name>, for callers that know their values
	// beforehand.
	Arguments []string
	// Next are the skills that may follow.
	Next []string
	// Body is Markdown. Text is the whole file, including its front matter.
	Body, Text string
}

// toolPrefix is the prefix of our tools in agents.
const toolPrefix = "mcp__lspine__"

// All reads every skill, by name. A caller that stays should not keep them: it is their whole text.
func All() []Skill {
	folders, err := files.ReadDir(".")
	if err != nil {
		panic(err)
	}
	var list []Skill
	for _, folder := range folders { // ReadDir sorts by name
		s, ok := Named(folder.Name())
		if !ok {
			panic(folder.Name() + " has no " + FileName)
		}
		list = append(list, s)
	}
	return list
}

// Named reads the skill with a name, and says whether it exists. The files are part of the program:
// a broken one causes a panic, which any test shows.
func Named(name string) (Skill, bool) {
	text, err := files.ReadFile(name + "/" + FileName)
	if err != nil {
		return Skill{}, false
	}
	s, err := parse(string(text))
	if err != nil {
		panic(fmt.Sprintf("skill %s: %v", name, err))
	}
	return s, true
}

// parse reads a file: lines "key: value" between two lines of three hyphens, with those of metadata
// indented, and then the body. Our files use no more of YAML than that.
func parse(text string) (Skill, error) {
	head, body, found := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	if !found || !strings.HasPrefix(text, "---\n") {
		return Skill{}, fmt.Errorf("it has no front matter")
	}
	s := Skill{Text: text, Body: strings.TrimLeft(body, "\n")}
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, ":")
		value = strings.Clone(strings.TrimSpace(value)) // who keeps a name does not keep the whole text
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

// Prefixed returns the skill with a prefix before its name and before the names of the skills that
// it mentions.
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
		if _, err := fs.Stat(files, name); err != nil {
			return mention
		}
		return "skill " + prefix + name
	})
	out.Text = head + out.Body
	return out
}

var skillNamed = expression(`\bskill [a-z]+(?:-[a-z]+)*`)

// A Call is a call of a tool that a skill contains.
type Call struct {
	// Section is the heading above it; Step is the number of its item there, 0 for none.
	Section string
	Step    int
	Tool    string
	// Arguments are a JSON object. Placeholders appear in it as <name>, in quotes if they stand for
	// a text.
	Arguments string
}

var (
	callNamed = expression("`([a-z_]+) (\\{[^`]*\\})`")
	numbered  = expression(`^(\d+)\. `)
	bareKey   = expression(`([{,]\s*)([a-z_]+):`)
	quoted    = expression(`"(?:[^"\\]|\\.)*"`)
)

// expression returns a regular expression that is compiled when it is first used.
func expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// Calls returns the calls that the body contains, in order.
func (s *Skill) Calls() []Call {
	var calls []Call
	section, step := "", 0
	for line := range strings.SplitSeq(s.Body, "\n") {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			section = heading
		}
		if m := numbered().FindStringSubmatch(line); m != nil {
			step, _ = strconv.Atoi(m[1]) // the pattern matches digits
		} else if !strings.HasPrefix(line, " ") {
			step = 0
		}
		for _, m := range callNamed().FindAllStringSubmatch(line, -1) {
			calls = append(calls, Call{section, step, m[1], strict(m[2])})
		}
	}
	return calls
}

// strict puts quotes around the keys of an object, which our files leave out.
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

// With returns the body with values in place of arguments. It fails if the skill does not have one
// of the arguments.
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

// An ArgumentError says that a skill does not have an argument.
type ArgumentError struct {
	Skill, Name string
	Known       []string
}

func (e *ArgumentError) Error() string { return fmt.Sprintf("%s has no argument %q", e.Skill, e.Name) }

// Hint lists the arguments that it has.
func (e *ArgumentError) Hint() string {
	if len(e.Known) == 0 {
		return "it has none"
	}
	return "it has " + strings.Join(e.Known, ", ")
}
