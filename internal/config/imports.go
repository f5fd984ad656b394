package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"github.com/lspine/lspine/internal/jsonc"
	"github.com/lspine/lspine/internal/registry"
)

// An importFormat is a file in which another agent keeps its language servers.
type importFormat struct {
	// path is relative to the workspace root or, of a user's own, to the home folder.
	path string
	own  bool
	// in are the names of the member that holds the servers, of which the first counts that is
	// there; "" is the whole file.
	in []string
}

// importFormats are the files that are read, those that win over others first.
var importFormats = []importFormat{
	{path: ".lsp.json", in: []string{"lspServers", "servers", ""}}, // Claude Code, Qwen Code
	{path: ".github/lsp.json", in: []string{"lspServers"}},         // Copilot
	{path: ".copilot/lsp-config.json", own: true, in: []string{"lspServers"}},
	{path: ".syndicate/lsp.json", in: []string{"lspServers", "servers", "lsp", ""}},
	{path: "opencode.json", in: []string{"lsp"}},
	{path: "opencode.jsonc", in: []string{"lsp"}},
	{path: "crush.json", in: []string{"lsp"}},
	{path: ".crush.json", in: []string{"lsp"}},
	{path: "cclsp.json", in: []string{"servers"}},
}

// importSpellings are what those files call our fields.
var importSpellings = map[string]string{
	"command": "command", "args": "args", "env": "env", "settings": "settings", "options": "settings",
	"initializationOptions": "initializationOptions", "initialization": "initializationOptions", "init_options": "initializationOptions",
	"extensions": "extensions", "filetypes": "extensions", "extensionToLanguage": "languages", "fileExtensions": "languages",
	"root_markers": "roots", "rootMarkers": "roots", "enabled": "enabled", "disabled": "disabled", "transport": "transport",
	"id": "id", "name": "id", "language": "id", "language_id": "id", "languageId": "id",
}

// importedFiles returns the files of a workspace and of the user that there are, by format.
func importedFiles(root string, environ []string) map[importFormatKey]string {
	found := make(map[importFormatKey]string)
	env := environment(environ)
	for i, f := range importFormats {
		base := root
		if f.own {
			base = firstOf(env["HOME"], env["USERPROFILE"])
		}
		path := filepath.Join(base, filepath.FromSlash(f.path))
		if _, err := os.Stat(path); base != "" && err == nil {
			found[importFormatKey(i)] = path
		}
	}
	return found
}

// An importFormatKey is the place of a format in the list.
type importFormatKey int

// importAll applies the files of others, those of the user or those of the project. Ours are
// applied later, and win.
func (l *loader) importAll(files map[importFormatKey]string, own bool) {
	l.importing = true
	defer func() { l.importing = false }()
	for i := range slices.Backward(importFormats) {
		if path, found := files[importFormatKey(i)]; found && importFormats[i].own == own {
			l.config.Files = append(l.config.Files, File{l.layer, path, true})
			l.importFile(path, importFormats[i].in)
		}
	}
}

// importFile applies the servers of one file. What else is in it is none of our business, and
// what is wrong with it is no reason to stop.
func (l *loader) importFile(path string, in []string) {
	text, err := readRegular(path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			l.importProblem(path, "cannot be read: %v", rootCause(err))
		}
		return
	}
	if nesting(text) > maxNesting {
		l.importProblem(path, "is nested more than %d deep", maxNesting)
		return
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	top, err := jsonc.Parse(text)
	o, isObject := top.Value.(*hujson.Object)
	if err != nil || !isObject || !utf8.Valid(text) {
		l.importProblem(path, "is no JSON object")
		return
	}
	l.file = newDocument(path, text)
	for _, name := range in {
		servers, found := top, name == ""
		for _, m := range o.Members {
			if name != "" && nameOf(m) == name {
				servers, found = m.Value, true
			}
		}
		if found {
			l.importServers(servers)
			return
		}
	}
}

func (l *loader) importProblem(path, format string, args ...any) {
	l.problems = append(l.problems, Problem{
		Layer: l.layer, File: path, Key: "lsp.import", Message: fmt.Sprintf(format, args...), Hint: `"import": false leaves other agents' files alone`,
	})
}

// importServers applies an object of servers by name, or an array of them.
func (l *loader) importServers(v hujson.Value) {
	l.needTable()
	switch list := v.Value.(type) {
	case *hujson.Object:
		for _, m := range list.Members {
			if entry, ok := m.Value.Value.(*hujson.Object); ok {
				l.importServer(nameOf(m), m.Name, entry)
			}
		}
	case *hujson.Array:
		for _, e := range list.Elements {
			if entry, ok := e.Value.(*hujson.Object); ok {
				l.importServer("", e, entry)
			}
		}
	}
}

// importServer applies one server under our names. It is the built-in one whose program it
// starts, else the one that its name or its first file means, else a custom one. Where it says
// what is built in, it needs no trust.
func (l *loader) importServer(name string, at hujson.Value, entry *hujson.Object) {
	given := make(map[string]hujson.Value)
	for _, m := range entry.Members {
		if ours, known := importSpellings[nameOf(m)]; known {
			given[ours] = m.Value
		}
	}
	if v, has := given["transport"]; has {
		if s, err := readString(v); err != nil || s != "stdio" { // we start servers that are spoken to over their streams
			l.problem("lsp.import", v, &valueError{"is not for us: the server is not spoken to on standard input and output", `start it yourself, and name its address in your own configuration: "lsp": {"servers": {"ID": {"connect": "localhost:4711", …}}}`})
			return
		}
	}
	if v, has := given["id"]; has && name == "" {
		name, _ = readString(v)
	}
	languages := importedLanguages(given)
	words := commandWords(given)
	program, command, known := registry.Definition{}, registry.Command{}, false
	if len(words) > 0 {
		program, command, known = l.builtin.ByCommand(words[0], words[1:])
	}
	id := strings.ToLower(name)
	switch {
	case known:
		id = program.ID
	case !validID.MatchString(id) && len(languages) > 0:
		id = l.serverOfExtension(languages[0].Patterns[0])
	}
	if !validID.MatchString(id) {
		return
	}
	id = l.serverOf(id)
	if known && asBuiltin(words, command) {
		delete(given, "command")
		delete(given, "args")
	}
	object := &hujson.Object{}
	set := func(field string, v hujson.Value) {
		object.Members = append(object.Members, hujson.ObjectMember{Name: hujson.Value{Value: hujson.String(field), StartOffset: v.StartOffset}, Value: v})
	}
	for _, field := range []string{"command", "args", "env", "initializationOptions", "settings", "roots", "enabled"} {
		if v, has := given[field]; has {
			set(field, v)
		}
	}
	wanted := true
	if v, has := given["disabled"]; has {
		if off, err := readBool(v); err == nil && off {
			v.Value, wanted = hujson.Bool(false), false
			set("enabled", v)
		}
	}
	l.applyServer(id, at, object)
	i := slices.IndexFunc(l.servers, func(s *server) bool { return s.ID == id })
	l.servers[i].addFiles(languages)
	l.servers[i].wanted = l.servers[i].wanted || wanted && !l.servers[i].off
}

// modeWords are arguments that say only that a program is to be a language server over its
// streams.
var modeWords = []string{"--stdio", "-stdio", "stdio", "serve"}

// asBuiltin reports whether a command line starts a built-in command as we do: by its name on
// PATH, and with its arguments or none but those that say what we say in our own way.
func asBuiltin(words []string, c registry.Command) bool {
	args := words[1:]
	plain := !slices.ContainsFunc(args, func(arg string) bool { return !slices.Contains(modeWords, arg) })
	return words[0] == c.Binary && (plain || slices.Equal(args, c.Args))
}

// commandWords returns the command line of an imported server as it is written.
func commandWords(given map[string]hujson.Value) (words []string) {
	command, args := given["command"], given["args"]
	if command.Value == nil {
		return nil
	}
	if command.Value.Kind() == '"' {
		word, _ := readString(command)
		words = []string{word}
	} else {
		words, _ = readStrings(command, "", nil)
	}
	if args.Value != nil {
		more, _ := readStrings(args, "", nil)
		words = append(words, more...)
	}
	return words
}

// importedLanguages returns the files of an imported server: the language by extension or, where
// that is not said, extensions alone. One that is not an extension is left out.
func importedLanguages(given map[string]hujson.Value) (languages []registry.Language) {
	add := func(extension, id string) {
		if extension = strings.TrimLeft(extension, "*."); extension != "" && !strings.ContainsAny(extension, `/\*?[`) {
			languages = append(languages, registry.Language{ID: id, Patterns: []string{"." + extension}})
		}
	}
	if v := given["languages"]; v.Value != nil && v.Value.Kind() == '{' {
		for _, m := range v.Value.(*hujson.Object).Members {
			if id, err := readString(m.Value); err == nil {
				add(nameOf(m), id)
			}
		}
	}
	if v := given["extensions"]; v.Value != nil {
		list, _ := readStrings(v, "", nil)
		for _, extension := range list {
			add(extension, "")
		}
	}
	return languages
}

// addFiles adds the files that a server does not handle yet. Where the language is not said, it
// is the server's first or, for want of one, its id.
func (s *server) addFiles(languages []registry.Language) {
	for _, l := range languages {
		if _, handles := s.LanguageID("file" + l.Patterns[0]); handles {
			continue
		}
		switch {
		case l.ID == "" && len(s.Languages) > 0:
			l.ID = s.Languages[0].ID
		case l.ID == "":
			l.ID = s.ID
		}
		s.Languages = append(slices.Clone(s.Languages), l)
	}
}

// serverOfExtension returns the id of the built-in server of a file's language, else what is
// the name of an extension, without its dot.
func (l *loader) serverOfExtension(extension string) string {
	extension = strings.TrimPrefix(extension, ".")
	for _, d := range l.builtin {
		language, knows := d.LanguageID("file." + extension)
		if best, found := l.builtin.ForLanguage(language); knows && found && d.Role == registry.Primary && !d.OptIn && len(d.Requires) == 0 {
			return best.ID
		}
	}
	return strings.ToLower(extension)
}
