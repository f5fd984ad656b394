package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

// A projectNeed is what servers of a language read beside a file to know its
// project. Without it many run all the same, and say what is not so.
type projectNeed struct {
	// languages are LSP language ids.
	languages []string
	// markers are the files of which one is needed, in or above the file's folder.
	// The need is that of servers one of whose roots is among them.
	markers []string
	// elsewhere are further ones, or globs, of which the server is told.
	elsewhere []string
	// lost is what is missing without.
	lost string
	// ways are how to get one, the first whose file is in the root of the server.
	ways []way
}

// A way is a command for where a file is there, "" for anywhere. NAME stands for
// that of the folder.
type way struct{ beside, next string }

var projectNeeds = []projectNeed{
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

// needOf returns what a server needs for a file, nil for nothing.
func needOf(d *registry.Definition, path string) *projectNeed {
	language, _ := d.LanguageID(path)
	for i := range projectNeeds {
		n := &projectNeeds[i]
		reads := func(root string) bool { return slices.Contains(n.markers, root) }
		if slices.Contains(n.languages, language) && slices.ContainsFunc(d.Roots, reads) {
			return n
		}
	}
	return nil
}

// met reports whether one of the markers is in or above a file's folder.
func (n *projectNeed) met(root, path string) bool {
	for dir := filepath.Dir(path); workspace.Below(root, dir); dir = filepath.Dir(dir) {
		for _, m := range slices.Concat(n.markers, n.elsewhere) {
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

// missing says what there is not in or above a folder.
func (n *projectNeed) missing(folder string) string {
	return fmt.Sprintf("no %s in or above %s: %s", anyOf(n.markers), folder, n.lost)
}

// home returns the folder of a file's project: the outermost in which one of the ways can be
// gone, as CMake and make have a file in each folder below it; else the root.
func (n *projectNeed) home(root, path string) string {
	dirs := upwards(path, root)
	slices.Reverse(dirs)
	for _, w := range n.ways {
		if dir, _ := firstWith(dirs, w.beside); w.beside != "" && dir != "" {
			return dir
		}
	}
	return root
}

// next is the command for a folder.
func (n *projectNeed) next(folder string) string {
	for _, w := range n.ways {
		if _, err := os.Stat(filepath.Join(folder, w.beside)); w.beside == "" || err == nil {
			return strings.ReplaceAll(w.next, "NAME", quoted(filepath.Base(folder)))
		}
	}
	return ""
}

// project tells of a server that runs without the files that describe the project.
func (v *visit) project(p patient) []result.Symptom {
	n := needOf(&p.Definition, p.probe)
	if n == nil || n.met(v.Root(), p.probe) {
		return v.packages(p)
	}
	s := result.Symptom{
		Level: result.LevelNote, Step: "project", Next: v.within(n.home(v.Root(), p.probe), n.next(n.home(v.Root(), p.probe))),
		Message: n.missing(v.relative(filepath.Dir(p.probe))),
	}
	return []result.Symptom{v.elsewhere(s, n.markers, p.probe)}
}

// packages tells of a project that is described, and lacks what its description names.
func (v *visit) packages(p patient) []result.Symptom {
	if lack := v.withoutProgram(&p.Definition); lack.Missing != "" {
		return []result.Symptom{{Level: result.LevelProblem, Step: "project", Message: lack.Missing + ": it loads no project", Next: lack.Next}}
	}
	if p.Definition.Symptoms == nil {
		return nil
	}
	lack := v.lacks(&p.Definition, p.probe, nil)
	if lack.Missing == "" {
		return nil
	}
	return []result.Symptom{{
		Level: result.LevelNote, Step: "project", Message: lack.Missing + ": what it cannot find there may not be wrong", Next: lack.Next,
	}}
}

// rootless tells of a server that cannot be for want of a root.
func (v *visit) rootless(p patient) result.Symptom {
	s := result.Symptom{
		Level: result.LevelProblem, Step: "root",
		Message: fmt.Sprintf("no %s in or above %s", anyOf(p.Definition.Roots), v.relative(filepath.Dir(p.probe))),
	}
	if n := needOf(&p.Definition, p.probe); n != nil {
		s.Message += ": " + n.lost
		s.Next = v.within(p.Root, n.next(p.Root))
	} else if i := slices.IndexFunc(p.Definition.Roots, func(r string) bool { return !strings.ContainsAny(r, "*?[") }); i >= 0 {
		s.Next = v.within(p.Root, "touch "+quoted(p.Definition.Roots[i]))
	}
	return v.elsewhere(s, p.Definition.Roots, p.probe)
}

// elsewhere says of missing markers that they stand above the workspace.
func (v *visit) elsewhere(s result.Symptom, markers []string, path string) result.Symptom {
	if folder, marker := v.workspace.Above(markers); folder != "" {
		s.Details = append(s.Details, fmt.Sprintf("%s is in %s, above the workspace", marker, folder))
		s.Next = "lspine doctor --root " + quoted(folder) + " " + quoted(path)
	}
	return s
}

// anyOf names some markers, and how many more there are.
func anyOf(markers []string) string {
	const named = 4
	if len(markers) <= named+1 {
		return strings.Join(markers, " or ")
	}
	return fmt.Sprintf("%s or %d others", strings.Join(markers[:named], " or "), len(markers)-named)
}
