package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/jsonc"
	"github.com/tailscale/hujson"
)

// Options say what to load. The zero value loads the user's file and the
// environment of this process.
type Options struct {
	// Root is the workspace root, whose project file is read; empty: none is.
	Root string
	// UserFile replaces the user's file; it must exist. Empty: LSPINE_CONFIG,
	// else [UserFile].
	UserFile string
	// Environ has the form of os.Environ; nil means that.
	Environ []string
	// Host is the "lsp" value that the host which started this process gave it, as JSON; nil
	// if there is none. It is the user's own: the host reads it from the user's settings.
	Host json.RawMessage
	// HostName says where Host is from, in problems and sources; "" is LSP_BOOTSTRAP.
	HostName string
	// Flags win over everything; of one key the last one.
	Flags []Flag
	// Opta reads the spellings of Opta's plan besides our own, and has its defaults.
	Opta bool
	// Sparse leaves Servers nil until [Config.Complete] is called, if what the layers say about
	// servers can wait for that, because no problem can come of it: the table is the larger part
	// of the work, and who uses a daemon does not need it.
	Sparse bool
}

// A Flag is a setting given on a command line.
type Flag struct {
	Name  string // as the user wrote it, "--timeout"
	Key   string // "lsp.diagnosticTimeout"
	Value string // as in a variable: lists are separated by commas
}

// Load merges the layers. It always returns a usable Config: what is a problem
// has the value of the layer below. The problems are in the order of the
// layers, and of the lines within a file.
func Load(o Options) (*Config, []Problem) {
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	c, problems := load(o, false, nil)
	var others map[importFormatKey]string
	if c.Settings.Import && c.Settings.Enabled {
		others = importedFiles(o.Root, o.Environ)
	}
	if len(others) > 0 {
		c, problems = load(o, false, others)
	}
	trust, err := trustOf(o, c) // of the layers that no project makes
	if err != nil {
		problems = append(problems, Problem{Layer: LayerUser, File: TrustFile(o.Environ), Message: err.Error(), Hint: "no project is trusted"})
	}
	if trust.Given {
		c, problems = load(o, true, others)
	} else if trust.Changed {
		c.remindOfTrust()
	}
	c.Trust = trust
	return c, problems
}

// load merges the layers; trusted says that the project may say what runs, others are the files
// of other agents that are read.
func load(o Options, trusted bool, others map[importFormatKey]string) (*Config, []Problem) {
	l := &loader{
		trusted: trusted,
		sparse:  o.Sparse,
		environ: environment(o.Environ),
		config:  &Config{Settings: Defaults(), sources: map[string]Source{}, values: map[string]json.RawMessage{}},
	}
	if l.opta = o.Opta; l.opta {
		l.asOpta()
	}
	l.userFile = UserFile(o.Environ)
	named := firstOf(o.UserFile, l.environ["LSPINE_CONFIG"])
	// What was said to another agent, in the home or in the project, comes before all that was
	// said to us.
	l.layer = LayerUser
	l.importAll(others, true)
	l.layer = LayerProject
	l.importAll(others, false)
	l.layer = LayerUser
	l.loadFile(firstOf(named, l.userFile), named != "")
	if o.Root != "" {
		l.layer = LayerProject
		l.loadProject(o.Root)
	}
	l.layer, l.file = LayerEnvironment, nil
	l.loadEnvironment()
	l.layer = LayerHost
	l.loadHost(firstOf(o.HostName, hostFile), o.Host)
	l.layer, l.file = LayerFlag, nil
	l.loadFlags(o.Flags)
	switch {
	case l.config.Settings.Trust == TrustNever:
		l.config.Settings.TrustedRoots = nil
	case trusted:
		l.config.Settings.TrustedRoots = append(slices.Clone(l.config.Settings.TrustedRoots), o.Root)
	}
	l.finishPolicy()
	if o.Sparse && l.builtin == nil {
		l.config.complete = sync.OnceFunc(l.finishServers)
	} else {
		l.finishServers()
	}
	return l.config, l.problems
}

// UserFile returns the path of the user's configuration file, whether it
// exists or not: lspine/config.jsonc in the directory that the environment
// (in the form of os.Environ) and the platform say; "" if they say none.
func UserFile(environ []string) string {
	env := environment(environ)
	home := firstOf(env["HOME"], env["USERPROFILE"])
	dir := env["XDG_CONFIG_HOME"]
	switch {
	case filepath.IsAbs(dir):
	case runtime.GOOS == "windows":
		dir = firstOf(env["APPDATA"], filepath.Join(home, "AppData", "Roaming"))
	case home == "":
		return ""
	case runtime.GOOS == "darwin":
		dir = filepath.Join(home, "Library", "Application Support")
	default:
		dir = filepath.Join(home, ".config")
	}
	if !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Join(dir, "lspine", "config.jsonc")
}

func (l *loader) loadProject(root string) {
	first := filepath.Join(root, ".lspine.jsonc")
	second := filepath.Join(root, ".lspine", "config.jsonc")
	if _, err := os.Stat(first); err != nil {
		l.loadFile(second, false)
		return
	}
	l.loadFile(first, false)
	if _, err := os.Stat(second); err == nil {
		l.fileProblem(second, "keep one of the two", "is not read beside %s", filepath.Base(first))
	}
}

// These keep a file nobody wrote by hand from costing much. Of more problems
// in one file than maxProblems the rest is not told.
const (
	maxConfigBytes = 256 << 10
	maxNesting     = 200
	maxProblems    = 100
)

// loadFile applies a file; a missing one is a problem only if it must exist.
func (l *loader) loadFile(path string, must bool) {
	if path == "" {
		return
	}
	text, err := readRegular(path)
	found := err == nil || !errors.Is(err, fs.ErrNotExist)
	l.config.Files = append(l.config.Files, File{l.layer, path, found})
	switch {
	case err == nil:
		l.apply(path, text)
	case found || must:
		l.fileProblem(path, "", "cannot be read: %v", rootCause(err))
	}
}

func readRegular(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case info.Size() > maxConfigBytes:
		return nil, fmt.Errorf("more than %d bytes", maxConfigBytes)
	}
	return fspath.Read(path)
}

// apply parses a file and applies it; one that does not parse is ignored.
func (l *loader) apply(path string, text []byte) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if len(bytes.TrimSpace(text)) == 0 {
		return
	}
	l.file = newDocument(path, text)
	if nesting(text) > maxNesting {
		l.fileProblem(path, "", "is nested more than %d deep; the whole file is ignored", maxNesting)
		return
	}
	top, err := jsonc.Parse(text)
	if err != nil {
		l.syntaxProblem(err)
		return
	}
	if !utf8.Valid(text) {
		l.fileProblem(path, "", "is not UTF-8; the whole file is ignored")
		return
	}
	l.applyTop(top)
}

// syntaxProblem takes line and column, which hujson tells in words, apart from
// the message.
func (l *loader) syntaxProblem(err error) {
	p := Problem{Layer: l.layer, File: l.file.path, Hint: "the whole file is ignored"}
	message := err.Error()
	var bytesIn int
	if n, _ := fmt.Sscanf(message, "hujson: line %d, column %d:", &p.Line, &bytesIn); n == 2 && p.Line <= len(l.file.lines) {
		_, message, _ = strings.Cut(message, "column ")
		_, message, _ = strings.Cut(message, ": ")
		_, p.Column = l.file.position(l.file.lines[p.Line-1] + bytesIn - 1)
	}
	p.Message = "not JSON with comments: " + message
	l.problems = append(l.problems, p)
}

// nesting is the depth of the brackets outside strings and comments.
func nesting(text []byte) (deepest int) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '/':
			end := "\n"
			if bytes.HasPrefix(text[i:], []byte("/*")) {
				end = "*/"
			}
			n := bytes.Index(text[i+1:], []byte(end))
			if n < 0 {
				return deepest
			}
			i += n + len(end)
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	return deepest
}

func (l *loader) loadEnvironment() {
	var known []string
	for _, k := range keys {
		known = append(known, k.Variable)
		if text, set := l.environ[k.Variable]; set && text != "" {
			l.setText(k, k.Variable, text)
		}
	}
	var names []string
	for name := range l.environ {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		// Other variables with this prefix are not settings: only a typing
		// mistake is one.
		if !strings.HasPrefix(name, "LSPINE_") || slices.Contains(known, name) || name == "LSPINE_TRACE" {
			continue
		}
		l.strayVariable(name)
		if near := nearest(name, known); near != "" && distance(name, near) <= 3 {
			l.problems = append(l.problems, Problem{
				Layer: l.layer, Name: name, Message: "no such setting", Hint: fmt.Sprintf("did you mean %q?", near),
			})
		}
	}
}

// hostFile stands in problems and sources where a file has its path.
const hostFile = "LSP_BOOTSTRAP"

// loadHost applies what the host gave.
func (l *loader) loadHost(name string, text json.RawMessage) {
	if len(bytes.TrimSpace(text)) == 0 {
		return
	}
	l.file = newDocument(name, text)
	if nesting(text) > maxNesting {
		l.fileProblem(name, "", "is nested more than %d deep", maxNesting)
		return
	}
	value, err := jsonc.Parse(text)
	if err != nil {
		l.syntaxProblem(err)
		return
	}
	l.applyLSP(value)
}

func (l *loader) loadFlags(flags []Flag) {
	for _, f := range flags {
		i := slices.IndexFunc(keys, func(k Key) bool { return k.Path == f.Key })
		if i < 0 {
			var known []string
			for _, k := range keys {
				known = append(known, k.Path)
			}
			l.problems = append(l.problems, Problem{
				Layer: l.layer, Name: f.Name, Key: f.Key, Message: "unknown key", Hint: suggest(f.Key, known),
			})
			continue
		}
		l.setText(keys[i], f.Name, f.Value)
	}
}

// setText sets a key to the text of a variable or flag.
func (l *loader) setText(k Key, name, text string) {
	value := k.fromText(text)
	if err := k.set(&l.config.Settings, value); err != nil {
		l.problem(k.Path, hujson.Value{}, err)
		l.problems[len(l.problems)-1].Name = name
		l.badPolicy(k, name)
		return
	}
	if k.name() == "policy" {
		l.placeRules(func(_ hujson.Value, number int) string { return fmt.Sprintf("%s, rule %d", name, number) }, value)
	}
	l.config.sources[k.Path] = Source{Layer: l.layer, Name: name}
}
