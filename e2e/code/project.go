package code

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/lspine/lspine/e2e/judge"
	"github.com/lspine/lspine/internal/lsptest"
)

// A Project is an archive of testdata.
type Project struct {
	Name    string
	Servers []string
	// Real is the folder in .tools/truth that the files of the archive are laid over,
	// and what of it is taken; none: the archive is the project.
	Real []string
	// Links are symbolic links, with their targets, as package managers make them.
	Links [][2]string
	// Flags compile every source file; none: there is no compilation database.
	Flags []string
	Laid  map[string]string
	Steps []Step
	// Long says that it is only for those who have time.
	Long bool
	// Maven says that Maven loads it.
	Maven bool
}

// Read reads an archive: its comment has lines "key: words", the file
// "changes" has the script.
func Read(t *testing.T, path string) Project {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := Project{Name: strings.TrimSuffix(filepath.Base(path), ".txt"), Laid: make(map[string]string)}
	for line := range strings.Lines(string(archive.Comment)) {
		key, rest, ok := strings.Cut(strings.TrimSpace(line), ":")
		words := strings.Fields(rest)
		switch {
		case strings.HasPrefix(line, "#") || !ok && key == "":
		case key == "servers":
			p.Servers = words
		case key == "real":
			p.Real = words
		case key == "link":
			p.Links = append(p.Links, [2]string{words[0], words[1]})
		case key == "long":
			p.Long = true
		case key == "flags":
			p.Flags = words
		case key == "maven":
			p.Maven = true
		default:
			t.Fatalf("%s: what is %q?", path, line)
		}
	}
	for _, f := range archive.Files {
		if f.Name == "changes" {
			p.Steps = readSteps(t, path, string(f.Data))
			continue
		}
		p.Laid[f.Name] = string(f.Data)
	}
	return p
}

// mavenSettings are settings with which jdtls has a home folder of its own with what Maven needs.
func mavenSettings(t *testing.T) json.RawMessage {
	t.Helper()
	env := map[string]string{"JDK_JAVA_OPTIONS": lsptest.MavenHome(t, t.TempDir())}
	settings, err := json.Marshal(map[string]any{"servers": map[string]any{"jdtls": map[string]any{"env": env}}})
	if err != nil {
		t.Fatal(err)
	}
	return settings
}

// compileCommands writes how the sources are compiled.
func (w *Tree) compileCommands(t *testing.T) {
	t.Helper()
	args := []string{"c++"}
	for _, f := range w.Flags {
		args = append(args, strings.ReplaceAll(f, "ROOT", w.Root))
	}
	var commands []judge.Command
	for _, name := range slices.Sorted(maps.Keys(w.Files)) {
		if ending := filepath.Ext(name); ending == ".cc" || ending == ".cpp" {
			commands = append(commands, judge.Command{
				Directory: w.Root, File: filepath.Join(w.Root, name), Arguments: append(slices.Clone(args), "-c", filepath.Join(w.Root, name)),
			})
		}
	}
	text, err := json.Marshal(commands)
	if err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, filepath.Join(w.Root, "compile_commands.json"), string(text))
}
