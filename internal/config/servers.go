package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/tailscale/hujson"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/registry"
)

// A field is one of an entry below servers.
type field struct {
	name       string
	needsTrust bool
	kind       string
	doc        string
	schema     func() *jsonschema.Schema
}

// fields are those of an entry below servers. What could run something waits
// for trust when it comes from the project: options and settings, too, because
// servers take paths of programs, plug-ins and build flags there.
var fields = []field{
	{"enabled", false, "true or false", "False switches the server off; true puts it before the others of its group, such as another type checker.", ofType("boolean")},
	{"command", true, "a string or an array of strings", "The program, or the program and its first arguments. ${NAME} stands for a variable of the environment.", commandSchema},
	{"args", true, "an array of strings", "The arguments; those of an array in command come before them.", anyStrings},
	{"env", true, "an object of strings", "Variables for the server.", func() *jsonschema.Schema {
		return &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{Type: "string"}}
	}},
	{"connect", true, "host:port or unix:/path", "The address of a server that somebody else runs, instead of a command. ${NAME} stands for a variable of the environment.", func() *jsonschema.Schema {
		return &jsonschema.Schema{Type: "string", Pattern: `^(unix:.+|.+:([0-9]{1,5}|\$\{.+\}))$`}
	}},
	{"initializationOptions", true, "any JSON", "Sent with initialize; objects are merged with the built-in ones.", func() *jsonschema.Schema { return &jsonschema.Schema{} }},
	{"settings", true, "an object", "What workspace/configuration answers, by section; merged with the built-in ones.", ofType("object")},
	{"extensions", false, "an array of extensions", "The files it handles, with or without the dot.", func() *jsonschema.Schema {
		s := stringsSchema(`^[^/\\*?\[]+$`)
		s.MinItems = jsonschema.Ptr(1)
		return s
	}},
	{"roots", false, "an array of globs", "Names of files that make a folder a root, best first.", anyStrings},
	{"scope", false, "an array of globs", "The only files that it is shown and told of, relative to the workspace root: what is outside never reaches it through LSPine.", func() *jsonschema.Schema {
		s := stringsSchema("")
		s.MinItems = jsonschema.Ptr(1)
		return s
	}},
	{"id", false, "a string", "The id, in an array of servers.", ofType("string")},
	{"language_id", false, "a string", "The LSP language id of a custom server's files.", ofType("string")},
}

func commandSchema() *jsonschema.Schema {
	list := stringsSchema("")
	list.MinItems = jsonschema.Ptr(1)
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string", MinLength: jsonschema.Ptr(1)}, list}}
}

var validID = lazyregexp.New(`^[a-z0-9][a-z0-9._+-]*$`)

func (l *loader) applyServers(v hujson.Value) {
	if l.sparse && l.builtin == nil && l.isPlain(v) {
		l.later = append(l.later, laterServers{l.layer, l.file, v})
		return
	}
	l.needTable()
	const key = "lsp.servers"
	switch list := v.Value.(type) {
	case *hujson.Object:
		l.eachMember(key, l.respelled(list, optaServers), func(key string, m hujson.ObjectMember) {
			entry, ok := m.Value.Value.(*hujson.Object)
			if !ok {
				l.wrongMember(key, m, "an object")
				return
			}
			l.applyServer(nameOf(m), m.Name, entry)
		})
	case *hujson.Array:
		for i, e := range list.Elements {
			key := fmt.Sprintf("%s[%d]", key, i)
			entry, ok := e.Value.(*hujson.Object)
			if !ok {
				l.problem(key, e, wrongType("an object", e))
				continue
			}
			if id := l.idWithin(key, e, entry); id != "" {
				l.applyServer(id, e, entry)
			}
		}
	default:
		l.problem(key, v, wrongType("an object or an array", v))
	}
}

// isPlain reports whether a value of "servers" can be applied without a problem, and waits for
// nobody's trust: each member is the id of a built-in server, with fields that are certainly right.
// It may report false of others that could be, too.
func (l *loader) isPlain(v hujson.Value) bool {
	return isPlainObject(v, func(id string, entry hujson.Value) bool {
		return registry.IsBuiltin(id) && isPlainObject(entry, func(name string, value hujson.Value) bool {
			if f := slices.IndexFunc(fields, func(f field) bool { return f.name == name }); f < 0 || fields[f].needsTrust && l.layer == LayerProject && !l.trusted {
				return false
			}
			switch kind := value.Value.Kind(); name {
			case "enabled":
				return kind == 't' || kind == 'f'
			case "settings":
				return kind == '{'
			default:
				return name == "initializationOptions"
			}
		})
	})
}

// idWithin returns the id of an entry of an array, or "" after a problem.
func (l *loader) idWithin(key string, at hujson.Value, entry *hujson.Object) string {
	for _, name := range []string{"id", "language_id"} {
		for _, m := range entry.Members {
			if nameOf(m) != name {
				continue
			}
			id, err := readString(m.Value)
			if err != nil {
				l.problem(key+"."+name, m.Value, err)
				return ""
			}
			return id
		}
	}
	given := make(map[string]hujson.Value)
	for _, m := range entry.Members {
		given[nameOf(m)] = m.Value
	}
	if languages := importedLanguages(given); len(languages) > 0 {
		return l.serverOfExtension(languages[0].Patterns[0])
	}
	l.problem(key, at, impossible(`has no "id", "language_id" or "extensions"`))
	return ""
}

func (l *loader) applyServer(id string, at hujson.Value, entry *hujson.Object) {
	key := "lsp.servers." + id
	if !validID.MatchString(id) {
		l.problem(key, at, impossible("%q is not an id: small letters, digits and . _ + - only", id))
		return
	}
	id = l.serverOf(id)
	i := slices.IndexFunc(l.servers, func(s *server) bool { return s.ID == id })
	if i < 0 {
		i = len(l.servers)
		l.servers = append(l.servers, &server{
			Definition: &registry.Definition{ID: id, SingleFile: true, Role: registry.Primary, Tested: registry.Listed},
			file:       l.file, at: at, layer: l.layer,
		})
	}
	s := l.servers[i]
	s.unshare()
	s.named, s.own = true, s.own || l.layer != LayerProject
	source := "lsp.servers." + id // problems are told under the key that was written
	l.came(source, at)

	var known []string
	for _, f := range fields {
		known = append(known, f.name)
	}
	given := map[string]hujson.Value{}
	l.eachMember(key, l.respelled(entry, optaFields), func(key string, m hujson.ObjectMember) {
		name := nameOf(m)
		f := slices.Index(known, name)
		switch {
		case f < 0:
			l.problem(key, m.Name, &valueError{"unknown key", l.strayRules(key, m, suggest(name, known))})
		case fields[f].needsTrust && l.layer == LayerProject && !l.trusted:
			l.withhold(id, name, m.Value)
			s.withheld, s.more = true, true
		default:
			given[name] = m.Value
			off := name == "enabled" && m.Value.Value.Kind() == 'f'
			s.off, s.more = s.off || off, s.more || !off
		}
	})
	for _, name := range known { // command before args, extensions before language_id
		v, ok := given[name]
		if !ok {
			continue
		}
		if err := l.setField(s, name, v, given); err != nil {
			l.problem(key+"."+name, v, err)
			if name == "command" {
				delete(given, "args") // they are not for another program
			}
			continue
		}
		l.cameFrom(source+"."+name, v)
	}
}

// serverOf returns the id of the server that a key means: one that names a language means
// the built-in server of that.
func (l *loader) serverOf(key string) (id string) {
	if _, known := l.builtin.Get(key); !known {
		if d, found := l.builtin.ForLanguage(key); found {
			return d.ID
		}
	}
	return key
}

// becomes makes a server whose command names another program that.
func (l *loader) becomes(s *server) {
	if !s.Configured.Command || s.Connect != "" {
		return
	}
	c := s.Commands[0]
	if program, _, known := l.builtin.ByCommand(c.Binary, c.Args); known && program.ID != s.ID {
		as := s.As(program)
		s.Definition, s.shared = &as, false
	}
}

// cameFrom notes the source of a value and of all in it.
func (l *loader) cameFrom(key string, v hujson.Value) {
	l.came(key, v)
	if o, ok := v.Value.(*hujson.Object); !ok || len(o.Members) == 0 {
		l.config.values[key] = compact(v)
	} else {
		for _, m := range o.Members {
			l.cameFrom(key+"."+nameOf(m), m.Value)
		}
	}
}

func (l *loader) setField(s *server, name string, v hujson.Value, given map[string]hujson.Value) (err error) {
	switch name {
	case "enabled":
		var enabled bool
		if enabled, err = readBool(v); err == nil {
			s.Disabled, s.wanted = !enabled, enabled
		}
	case "command":
		err = l.setCommand(s, v)
	case "args":
		err = l.setArgs(s, v, given)
	case "env":
		err = l.setEnv(s, v)
	case "connect":
		err = l.setConnect(s, v)
	case "initializationOptions":
		s.Configured.InitializationOptions = registry.Merged(s.Configured.InitializationOptions, compact(v))
		s.InitializationOptions = registry.Merged(s.InitializationOptions, compact(v))
	case "settings":
		if v.Value.Kind() != '{' {
			return wrongType("an object", v)
		}
		s.Configured.Settings = registry.Merged(s.Configured.Settings, compact(v))
		s.Settings = registry.Merged(s.Settings, compact(v))
	case "extensions":
		err = setExtensions(s, v)
	case "roots":
		var roots []string
		if roots, err = readStrings(v, "an array of globs", checkGlob); err == nil {
			s.Roots = roots
			s.SingleFile = s.SingleFile && (s.builtin || len(roots) == 0)
		}
	case "scope":
		s.Within, err = readScope(v)
	case "language_id":
		var id string
		if id, err = readString(v); err == nil {
			err = setLanguage(s, id)
		}
	}
	return err
}

// readScope reads globs of which there must be one: with none the server would have no file.
func readScope(v hujson.Value) ([]string, error) {
	globs, err := readStrings(v, "an array of globs", checkGlob)
	if err == nil && len(globs) == 0 {
		err = impossible(`is empty: no file would be in it; to switch the server off write "enabled": false`)
	}
	return globs, err
}

// setCommand replaces how the server is started. The arguments stay those of
// the alternative with the same binary, else of the first.
func (l *loader) setCommand(s *server, v hujson.Value) error {
	var words []string
	var err error
	if v.Value.Kind() == '[' {
		words, err = readStrings(v, "a string or an array of strings", nil)
	} else if words = make([]string, 1); v.Value.Kind() == '"' {
		words[0], err = readString(v)
	} else {
		err = wrongType("a string or an array of strings", v)
	}
	if err == nil {
		words, err = l.expandAll(words)
	}
	if err != nil {
		return err
	}
	if len(words) == 0 || strings.TrimSpace(words[0]) == "" {
		return impossible("names no program")
	}
	c := registry.Command{Binary: words[0], Args: words[1:]}
	_, like, known := l.builtin.ByCommand(c.Binary, c.Args)
	if v.Value.Kind() == '"' && known {
		c.Args = like.Args
	} else if v.Value.Kind() == '"' && len(s.Commands) > 0 {
		same := func(old registry.Command) bool { return fspath.Here.Base(words[0]) == old.Binary }
		c.Args = s.Commands[max(slices.IndexFunc(s.Commands, same), 0)].Args
	}
	s.Commands, s.Connect, s.Configured.Command = []registry.Command{c}, "", true
	return nil
}

// setArgs replaces the arguments; beside a command that is an array, in the
// same entry, they come after those in it.
func (l *loader) setArgs(s *server, v hujson.Value, given map[string]hujson.Value) error {
	args, err := readStrings(v, "an array of strings", nil)
	if err == nil {
		args, err = l.expandAll(args)
	}
	if err != nil {
		return err
	}
	command, beside := given["command"]
	s.Commands = slices.Clone(s.Commands)
	for i := range s.Commands {
		if beside && command.Value.Kind() == '[' {
			s.Commands[i].Args = slices.Concat(s.Commands[i].Args, args)
		} else {
			s.Commands[i].Args = args
		}
	}
	return nil
}

// setEnv adds variables; one that is there is replaced. All or none are set.
func (l *loader) setEnv(s *server, v hujson.Value) error {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return wrongType("an object of strings", v)
	}
	env := slices.Clone(s.Env)
	for _, m := range o.Members {
		name := nameOf(m)
		text, err := readString(m.Value)
		if err != nil {
			return impossible("%s must be a string, not %s", name, describe(m.Value))
		}
		if name == "" || strings.ContainsAny(name, "=\x00") {
			return impossible("%q is not the name of a variable", name)
		}
		if text, err = l.expand(text); err != nil {
			return err
		}
		env = slices.DeleteFunc(env, func(e string) bool { return strings.HasPrefix(e, name+"=") })
		env = append(env, name+"="+text)
	}
	s.Env = env
	return nil
}

// setConnect makes the server one that somebody else runs.
func (l *loader) setConnect(s *server, v hujson.Value) error {
	address, err := readString(v)
	if err == nil {
		address, err = l.expand(address)
	}
	if err != nil {
		return err
	}
	if _, _, ok := registry.Address(address); !ok {
		return impossible("%q is neither host:port nor unix:/path", address)
	}
	s.Connect, s.Configured.Command = address, true
	return nil
}

// setExtensions replaces the files a server handles. An extension keeps its
// language id; a new one gets the first.
func setExtensions(s *server, v hujson.Value) error {
	extensions, err := readStrings(v, "an array of extensions", func(e string) error {
		if strings.Trim(e, ".") == "" || strings.ContainsAny(e, `/\*?[`) {
			return &valueError{fmt.Sprintf("%q is not an extension", e), `write ".go" or "go"`}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(extensions) == 0 {
		return &valueError{"no extension: the server would never be used", `"enabled": false switches it off`}
	}
	first := s.ID
	if len(s.Languages) > 0 {
		first = s.Languages[0].ID
	}
	var languages []registry.Language
	for _, e := range extensions {
		e = "." + strings.TrimPrefix(e, ".")
		id, known := s.LanguageID("file" + e)
		if !known {
			id = first
		}
		i := slices.IndexFunc(languages, func(l registry.Language) bool { return l.ID == id })
		if i < 0 {
			i = len(languages)
			languages = append(languages, registry.Language{ID: id})
		}
		languages[i].Patterns = append(languages[i].Patterns, e)
	}
	s.Languages = languages
	return nil
}

// setLanguage makes all the files of a custom server of one language.
func setLanguage(s *server, id string) error {
	if id == "" || strings.ContainsAny(id, " \t\n") {
		return impossible("%q is not a language id", id)
	}
	if s.builtin {
		return nil // its files have their languages already
	}
	all := registry.Language{ID: id}
	for _, l := range s.Languages {
		all.Patterns = append(all.Patterns, l.Patterns...)
	}
	s.Languages = []registry.Language{all}
	return nil
}
