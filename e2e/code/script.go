package code

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A Step is a change of a script, in words.
type Step struct {
	Text string
	Way  Way  // "" takes turns
	Keep bool // the next step comes on top
	// Parts are what is done, each a command with its arguments.
	Parts [][]string
}

// readSteps reads a script. A line is
//
//	[+] [way:] command argument... [&& command argument...]
//
// with "+" for a change that stays while the next is made. Arguments may stand in single
// quotes, with \n and \t. The line "each FILE NAME COMMAND..." stands for a line
// "COMMAND FILE NAME" for each command.
func readSteps(t *testing.T, path, text string) (steps []Step) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		s := Step{Text: line}
		line, s.Keep = strings.CutPrefix(line, "+ ")
		words := splitWords(line)
		if by, ok := strings.CutSuffix(words[0], ":"); ok {
			s.Way, words = Way(by), words[1:]
		}
		if words[0] == "each" {
			for _, command := range words[3:] {
				steps = append(steps, Step{Text: command + " " + words[1] + " " + words[2], Way: s.Way, Parts: [][]string{{command, words[1], words[2]}}})
			}
			continue
		}
		for len(words) > 0 {
			end := slices.Index(words, "&&")
			if end < 0 {
				end = len(words)
			}
			s.Parts = append(s.Parts, words[:end])
			words = words[min(end+1, len(words)):]
		}
		steps = append(steps, s)
	}
	if len(steps) == 0 {
		t.Fatalf("%s has no changes", path)
	}
	return steps
}

var scriptWord = regexp.MustCompile(`'[^']*'|[^\s']+`)

func splitWords(line string) (words []string) {
	for _, word := range scriptWord.FindAllString(line, -1) {
		if quoted, ok := strings.CutPrefix(word, "'"); ok {
			word = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\q`, "'").Replace(strings.TrimSuffix(quoted, "'"))
		}
		words = append(words, word)
	}
	return words
}

// Prepare works a step out on the present files.
func (w *Tree) Prepare(s Step) (Change, error) {
	files := maps.Clone(w.Files)
	for _, part := range s.Parts {
		if err := w.do(files, part); err != nil {
			return Change{}, err
		}
	}
	c := ChangeTo(w.Files, files)
	if len(c.Texts) == 0 {
		return c, fmt.Errorf("it changes nothing")
	}
	return c, nil
}

// arguments is how many each command that is no mutation takes.
var arguments = map[string]int{
	"replace": 3, "sed": 3, "above": 3, "append": 2, "prepend": 2, "create": 2, "delete": 1, "move": 2,
}

// do makes one part of a step in files.
func (w *Tree) do(files map[string]string, part []string) error {
	command, args := part[0], part[1:]
	n, known := arguments[command]
	if !known {
		n = 2
	}
	if len(args) != n {
		return fmt.Errorf("%s takes %d arguments: %q", command, n, args)
	}
	name := args[0]
	text, there := files[name]
	if !there && command != "create" && command != "sed" && command != "move" {
		return fmt.Errorf("there is no file %s", name)
	}
	switch command {
	case "replace":
		if !strings.Contains(text, args[1]) {
			return fmt.Errorf("%q is not in %s", args[1], name)
		}
		files[name] = strings.Replace(text, args[1], args[2], 1)
	case "sed":
		word := regexp.MustCompile(`\b` + args[1] + `\b`)
		for other, text := range files {
			if ok, _ := path.Match(name, filepath.Base(other)); ok {
				files[other] = word.ReplaceAllString(text, args[2])
			}
		}
	case "above":
		d, err := w.find(text, args[1])
		if err != nil {
			return err
		}
		files[name] = text[:d.start] + args[2] + "\n" + text[d.start:]
	case "append":
		files[name] = strings.TrimSuffix(text, "\n") + "\n" + args[1] + "\n"
	case "prepend":
		files[name] = args[1] + "\n" + text
	case "create":
		files[name] = args[1] + "\n"
	case "delete":
		delete(files, name)
	case "move":
		return move(files, name, args[1])
	default:
		changed, err := w.mutate(command, text, args[1])
		if err != nil {
			return fmt.Errorf("%s %s %s: %w", command, name, args[1], err)
		}
		files[name] = changed
	}
	return nil
}

// move moves a file, or all below a folder.
func move(files map[string]string, from, to string) error {
	moved := 0
	for name, text := range maps.Clone(files) {
		rest, below := strings.CutPrefix(name, from+"/")
		switch {
		case name == from:
			delete(files, name)
			files[to] = text
		case below:
			delete(files, name)
			files[to+"/"+rest] = text
		default:
			continue
		}
		moved++
	}
	if moved == 0 {
		return fmt.Errorf("there is nothing at %s", from)
	}
	return nil
}
