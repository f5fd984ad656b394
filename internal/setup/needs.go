package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// A Need is what servers of a language read beside a file to know its
// project. Without it many run all the same, and say what is not so.
type Need struct {
	// languages are LSP language ids.
	languages []string
	// Markers are the files of which one is needed, in or above the file's folder.
	// The need is that of servers one of whose roots is among them.
	Markers []string
	// elsewhere are further ones, or globs, of which the server is told.
	elsewhere []string
	// Lost is what is missing without.
	Lost string
	// ways are how to get one, the first whose file is in the root of the server.
	ways []way
}

// A way is a command for where a file is there, "" for anywhere. NAME stands for
// that of the folder.
type way struct{ beside, next string }

var projectNeeds = []Need{
	{
		[]string{"go"},
		[]string{"go.work", "go.mod"},
		nil,
		"without a module gopls loads no package",
		[]way{{"", "go mod init example.com/NAME"}},
	},
	{
		[]string{"rust"},
		[]string{"Cargo.toml", "rust-project.json"},
		nil,
		"a file in no crate is part of no project, and gets no errors",
		[]way{{"", "cargo init"}},
	},
	{
		[]string{"typescript", "typescriptreact"},
		[]string{"tsconfig.json", "jsconfig.json"},
		nil,
		"strictness, path aliases and what belongs together are guessed: errors are missing or wrong",
		[]way{{"", "npx --package typescript tsc --init"}},
	},
	{
		[]string{"javascript", "javascriptreact"},
		[]string{"jsconfig.json", "tsconfig.json"},
		nil,
		"types are not checked, and what belongs together is guessed",
		[]way{{"", `echo '{"compilerOptions": {"checkJs": true}}' > jsconfig.json`}},
	},
	{
		[]string{"c", "cpp", "objective-c", "objective-cpp", "cuda-cpp"},
		[]string{"compile_commands.json", "build/compile_commands.json", "compile_flags.txt", ".clangd"},
		registry.CompilationDatabases(),
		"include folders, macros and the standard are guessed: errors may be false",
		[]way{
			{"CMakeLists.txt", "cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"},
			{"meson.build", "meson setup build"},
			{"Makefile", "bear -- make"},
			{"", "echo -Iinclude > compile_flags.txt"},
		},
	},
	{
		[]string{"java"},
		[]string{"pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", ".project", ".classpath"},
		nil,
		"the class path is unknown: only the JDK is there, and what libraries declare is an error",
		[]way{{"", "gradle init --type java-application"}},
	},
}

// NeedOf returns what a server needs for a file, nil for nothing.
func NeedOf(d *registry.Definition, path string) *Need {
	language, _ := d.LanguageID(path)
	for i := range projectNeeds {
		n := &projectNeeds[i]
		reads := func(root string) bool { return slices.Contains(n.Markers, root) }
		if slices.Contains(n.languages, language) && slices.ContainsFunc(d.Roots, reads) {
			return n
		}
	}
	return nil
}

// Met reports whether one of the markers is in or above a file's folder.
func (n *Need) Met(root, path string) bool {
	for dir := filepath.Dir(path); workspace.Below(root, dir); dir = filepath.Dir(dir) {
		for _, m := range slices.Concat(n.Markers, n.elsewhere) {
			if found, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(m))); len(found) > 0 {
				return true
			}
		}
		if dir == root {
			break
		}
	}
	return false
}

// Missing says what there is not in or above a folder.
func (n *Need) Missing(folder string) string {
	return fmt.Sprintf("no %s in or above %s: %s", workspace.AnyOf(n.Markers), folder, n.Lost)
}

// Home returns the folder of a file's project: the outermost in which one of the ways can be
// gone, as CMake and make have a file in each folder below it; else the root.
func (n *Need) Home(root, path string) string {
	dirs := upwards(path, root)
	slices.Reverse(dirs)
	for _, w := range n.ways {
		if dir, _ := firstWith(dirs, w.beside); w.beside != "" && dir != "" {
			return dir
		}
	}
	return root
}

// Next is the command for a folder.
func (n *Need) Next(folder string) string {
	for _, w := range n.ways {
		if _, err := os.Stat(filepath.Join(folder, w.beside)); w.beside == "" || err == nil {
			return strings.ReplaceAll(w.next, "NAME", Quoted(filepath.Base(folder)))
		}
	}
	return ""
}

var plainWord = lazyregexp.New(`^[A-Za-z0-9_@%+=:,./~-]+$`)

// Quoted writes a word of a command as a shell reads it.
func Quoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
