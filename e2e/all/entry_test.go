package all

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/lspine/lspine/internal/registry"
)

// An entry is one server's archive.
type entry struct {
	name   string // of the archive
	id     string // of the server
	header map[string]string
	files  []txtar.File
}

// keys are those of a header.
var keys = []string{
	"main", "break", "expect", "cross", "cross-expect", "delete", "new", "severities", "link",
	"server", "command", "env", "init", "settings", "extensions", "language",
}

func entries(t *testing.T) []entry {
	t.Helper()
	archives, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	all := make([]entry, len(archives))
	for i, name := range archives {
		all[i] = readEntry(t, name)
	}
	return all
}

func readEntry(t *testing.T, name string) entry {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	e := entry{name: strings.TrimSuffix(filepath.Base(name), ".txt"), header: map[string]string{}, files: archive.Files}
	for line := range strings.Lines(string(archive.Comment)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok || !slices.Contains(keys, key) {
			t.Fatalf("%s: %q is no line of a header; keys: %v", name, line, keys)
		}
		e.header[key] = strings.TrimSpace(value)
	}
	if e.id = e.header["server"]; e.id == "" {
		e.id = e.name
	}
	if text, ok := e.text(e.main()); !ok || !strings.Contains(text, e.breaks().old) {
		t.Fatalf("%s: main %q has no %q", name, e.main(), e.breaks().old)
	}
	if c, ok := e.cross(); ok {
		if text, _ := e.text(c.file); !strings.Contains(text, c.old) {
			t.Fatalf("%s: %q has no %q", name, c.file, c.old)
		}
	}
	return e
}

// A change replaces old by new in a file, once.
type change struct{ file, old, new string }

func parseChange(file, text string) change {
	unquote := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t")
	before, after, _ := strings.Cut(text, " => ")
	return change{file, unquote.Replace(before), unquote.Replace(after)}
}

func (e *entry) main() string { return e.header["main"] }

func (e *entry) breaks() change { return parseChange(e.main(), e.header["break"]) }

// cross is the change elsewhere that breaks main, if there is one.
func (e *entry) cross() (change, bool) {
	file, text, ok := strings.Cut(e.header["cross"], ": ")
	return parseChange(file, text), ok
}

func (e *entry) crossExpect() string {
	if expect := e.header["cross-expect"]; expect != "" {
		return expect
	}
	return e.header["expect"]
}

// newFile is the name of a file that is not there yet, if there can be one.
func (e *entry) newFile() (string, bool) {
	switch name := e.header["new"]; name {
	case "-":
		return "", false
	case "":
		return path.Join(path.Dir(e.main()), "new"+path.Ext(e.main())), path.Ext(e.main()) != ""
	default:
		return name, true
	}
}

func (e *entry) severities() []string {
	if s := e.header["severities"]; s != "" {
		return strings.Split(s, ",")
	}
	return []string{"error", "warning"}
}

func (e *entry) text(name string) (string, bool) {
	for _, f := range e.files {
		if f.Name == name {
			return string(f.Data), true
		}
	}
	return "", false
}

// command is how the server is started: as the header says, else the registry.
func (e *entry) command(t *testing.T) []string {
	t.Helper()
	if text := e.header["command"]; text != "" {
		var words []string
		if err := json.Unmarshal([]byte(text), &words); err != nil || len(words) == 0 {
			t.Fatalf("%s: command %q: %v", e.id, text, err)
		}
		return words
	}
	d, known := registry.Builtin().Get(e.id)
	if !known {
		t.Fatalf("%s is not in the registry, and its archive has no command", e.id)
	}
	for _, c := range d.Commands {
		if _, err := exec.LookPath(c.Binary); err == nil {
			return append([]string{c.Binary}, c.Args...)
		}
	}
	return []string{d.Commands[0].Binary}
}

// nodeModules is the node_modules folder that holds a program, "" if none does.
func nodeModules(program string) string {
	program, err := filepath.EvalSymlinks(program)
	if err != nil {
		return ""
	}
	found := ""
	for dir := program; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "node_modules" {
			found = dir // the outermost
		} else if sub := filepath.Join(dir, "node_modules"); found == "" && isDir(sub) {
			found = sub
		}
	}
	return found
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// configuration is the user's file that enables the server, where the registry
// does not say all there is to it.
func (e *entry) configuration(t *testing.T, program, state string) string {
	t.Helper()
	server := map[string]json.RawMessage{}
	for key, field := range map[string]string{"env": "env", "init": "initializationOptions", "settings": "settings", "command": "command"} {
		if text := e.header[key]; text != "" {
			server[field] = json.RawMessage(strings.NewReplacer("${node_modules}", nodeModules(program), "${state}", state).Replace(text))
		}
	}
	if text := e.header["extensions"]; text != "" {
		server["extensions"] = quoted(t, strings.Fields(strings.ReplaceAll(text, ",", " ")))
	}
	if text := e.header["language"]; text != "" {
		server["language_id"] = quoted(t, text)
	}
	if _, builtin := registry.Builtin().Get(e.id); builtin {
		server["enabled"] = quoted(t, true)
	}
	return string(quoted(t, map[string]any{"lsp": map[string]any{"maxRestarts": 5, "servers": map[string]any{e.id: server}}}))
}

func quoted(t *testing.T, value any) json.RawMessage {
	t.Helper()
	b, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
