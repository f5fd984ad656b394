package registry

import (
	"path"
	"slices"
	"strings"
)

// What is known of a server belongs to the program that runs, whatever id it runs under:
// an entry of the configuration may name another program than the built-in one.

// Configured is what a configuration says of a server whose entry says something else.
type Configured struct {
	// Command says that it names what is started.
	Command bool
	// InitializationOptions and Settings are put over those of the program.
	InitializationOptions, Settings []byte
}

// As returns the definition of a server that turns out to be another program: how it lets
// us know that it is done, and all that is peculiar about it, are those of that program.
func (d Definition) As(program Definition) Definition {
	d.Program = program.ID
	d.Diagnostics, d.Quirks, d.Symptoms, d.Wording = program.Diagnostics, program.Quirks, program.Symptoms, program.Wording
	d.Readiness, d.Loading, d.AnnouncesLoading = program.Readiness, program.Loading, program.AnnouncesLoading
	d.LoadsBy, d.LoadedLog, d.Experimental = program.LoadsBy, program.LoadedLog, program.Experimental
	d.Reads, d.Anew, d.RenewedBy, d.UserConfig = program.Reads, program.Anew, program.RenewedBy, program.UserConfig
	d.Sharing, d.Install, d.Tested, d.Tells = program.Sharing, program.Install, program.Tested, program.Tells
	d.Unable, d.Lines, d.Executes = program.Unable, program.Lines, program.Executes
	d.Judges, d.Library, d.Helper, d.Environment = program.Judges, program.Library, program.Helper, program.Environment
	d.InitializationOptions = Merged(program.InitializationOptions, d.Configured.InitializationOptions)
	d.Settings = Merged(program.Settings, d.Configured.Settings)
	for _, variable := range program.Env {
		name, _, _ := strings.Cut(variable, "=")
		if !slices.ContainsFunc(d.Env, func(own string) bool { return strings.HasPrefix(own, name+"=") }) {
			d.Env = append(slices.Clone(d.Env), variable)
		}
	}
	return d
}

// Runs returns the id of the entry that is about the program that runs.
func (d *Definition) Runs() string {
	if d.Program != "" {
		return d.Program
	}
	return d.ID
}

// runners start a program that their arguments name.
var runners = []string{
	"npx", "npm", "pnpm", "pnpx", "yarn", "bun", "bunx", "node", "deno", "uvx", "uv", "pipx", "python", "python3", "env", "sh", "bash", "zsh", "cmd", "nice",
}

// ByCommand returns the entry of the program that a command line names, and the command of
// that entry: the binary itself or, of a program that starts others, one in its arguments.
func (t Table) ByCommand(binary string, args []string) (d Definition, c Command, found bool) {
	words := []string{binary}
	if slices.Contains(runners, programName(binary)) {
		words = append(words, args...)
	}
	for _, word := range words {
		name := programName(word)
		for _, d := range t {
			for _, c := range d.Commands {
				if c.Binary == name {
					return d, c, true
				}
			}
		}
	}
	return Definition{}, Command{}, false
}

// programName returns the name of a program without its folder, its version and what
// systems add.
func programName(word string) string {
	name := path.Base(strings.ReplaceAll(word, `\`, "/"))
	if at := strings.LastIndexByte(name, '@'); at > 0 {
		name = name[:at]
	}
	for _, ending := range []string{".exe", ".cmd", ".bat", ".ps1", ".mjs", ".cjs", ".js", ".py", ".sh"} {
		if len(name) > len(ending) && strings.EqualFold(name[len(name)-len(ending):], ending) {
			name = name[:len(name)-len(ending)]
		}
	}
	return name
}

// ByAnswer returns the entry of the server that makes itself known by one of the names;
// of several the one that is named first.
func (t Table) ByAnswer(names ...string) (d Definition, found bool) {
	for _, name := range names {
		for _, d := range t {
			if slices.Contains(d.Tells, name) {
				return d, true
			}
		}
	}
	return Definition{}, false
}

// languageNames are names of languages that are no language ids.
var languageNames = map[string]string{
	"golang": "go", "py": "python", "rs": "rust", "ts": "typescript", "js": "javascript", "tsx": "typescriptreact", "jsx": "javascriptreact", "c++": "cpp", "objc": "objective-c",
}

// ForLanguage returns the built-in server of a language: the best that needs no
// configuration of its own.
func (t Table) ForLanguage(language string) (best Definition, found bool) {
	if id, other := languageNames[language]; other {
		language = id
	}
	for _, d := range t {
		speaks := slices.ContainsFunc(d.Languages, func(l Language) bool { return l.ID == language })
		if !speaks || d.Role != Primary || d.OptIn || len(d.Requires) > 0 {
			continue
		}
		if !found || d.better(&best, language) {
			best, found = d, true
		}
	}
	return best, found
}

// better reports whether a server is nearer to a language than another one.
func (d *Definition) better(other *Definition, language string) bool {
	if first := d.Languages[0].ID == language; first != (other.Languages[0].ID == language) {
		return first
	}
	if proven := d.Tested == CI; proven != (other.Tested == CI) {
		return proven
	}
	return d.Group == other.Group && d.Rank < other.Rank
}

// Endings are those of the files that the server handles, with their dots.
func (d *Definition) Endings() (endings []string) {
	for _, l := range d.Languages {
		for _, p := range l.Patterns {
			if ending := path.Ext(p); ending != "" {
				endings = append(endings, ending)
			}
		}
	}
	return endings
}
