// Package project writes the code bases that the benchmark edits: a copy of a
// real one for Go, generated ones of up to 300 modules for the other languages. The
// same call writes the same files.
package project

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/e2e/large"
)

// A Project is a written code base with one file that is edited.
type Project struct {
	// Root is the absolute path of its folder.
	Root string
	// File is the absolute path of the file that is edited.
	File string
	// Whole says that an edit's errors are counted in all files, not in File.
	Whole bool
	// Users are the absolute paths of the files that edits break, if Whole and the
	// server reports on no file that it is not asked about.
	Users []string
	// Saved says that the server judges what is on disk: a new text is written.
	Saved bool

	edit func(i int, salt string) Edit
}

// An Edit is a whole new text of Project.File.
type Edit struct {
	Text string
	// Errors is how many diagnostics of severity error there are after it.
	Errors int
}

// Edit is number i of an endless row: even ones break the file, odd ones mend
// it. No two have the same text, nor do those of two salts (letters and digits),
// so that no server can answer from what it remembers of another run.
func (p Project) Edit(i int, salt string) Edit { return p.edit(i, salt) }

// A Scenario is a project and what its edits mean.
type Scenario struct {
	// Name says what is measured.
	Name string
	// Servers are the ids of the servers it is for.
	Servers []string

	write func(ctx context.Context, dir string) (Project, error)
	// symbol is what navigation asks about, if it does.
	symbol spots
}

// Write writes the scenario's project into dir, which is made if missing.
func (s Scenario) Write(ctx context.Context, dir string) (Project, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Project{}, err
	}
	// As servers name it: on some systems the folder for temporary files is a link.
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Project{}, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return Project{}, err
	}
	p, err := s.write(ctx, dir)
	if err != nil {
		return Project{}, fmt.Errorf("writing the project of %q: %w", s.Name, err)
	}
	return p, nil
}

// Scenarios are all there are.
func Scenarios() []Scenario {
	return []Scenario{
		{Name: "x/tools: the edited file", Servers: []string{"gopls"}, write: writeGo, symbol: goSymbol()},
		{Name: "x/tools: all users of packages.Load", Servers: []string{"gopls"}, write: writeGoUsers},
		{
			Name:    "300 TypeScript modules: the edited file",
			Servers: []string{"typescript", "typescript-language-server"}, write: writeTypeScript,
			symbol: typeScriptSymbol(),
		},
		{Name: "300 Python modules: the edited file", Servers: []string{"pyright"}, write: writePython, symbol: pythonSymbol()},
		{Name: "300 C++ files: the edited file", Servers: []string{"clangd"}, write: writeCPP, symbol: cppSymbol()},
		{Name: "100 Rust modules: the edited file, by cargo", Servers: []string{"rust-analyzer"}, write: writeRust},
		{Name: "300 Java classes: the edited file", Servers: []string{"jdtls"}, write: writeJava},
		{Name: "300 JavaScript modules: the edited file", Servers: []string{"eslint"}, write: writeJavaScript},
	}
}

// Edits are the scenarios of edits that are written to disk.
func Edits() []Scenario {
	return append(Scenarios(), Scenario{
		Name:    "300 TypeScript modules: all 40 users of a function",
		Servers: []string{"typescript", "typescript-language-server"}, write: writeTypeScriptUsers,
	})
}

// Simulations are the scenarios of edits that are judged in memory: those of servers that need no
// disk to judge one file.
func Simulations() []Scenario {
	return slices.DeleteFunc(Scenarios(), func(s Scenario) bool {
		return !strings.HasSuffix(s.Name, ": the edited file") || slices.ContainsFunc(s.Servers, func(id string) bool { return id == "jdtls" || id == "eslint" })
	})
}

// Checks are the scenarios of files that others write.
func Checks() []Scenario {
	return []Scenario{{
		Name:    "300 TypeScript modules: all 40 users of a function, checked after others wrote it",
		Servers: []string{"typescript", "typescript-language-server"}, write: writeTypeScriptUsers,
	}}
}

// Large are the scenarios of large projects: a function is edited that hundreds of modules
// in many packages call.
func Large() []Scenario {
	name := func(language string) string {
		return fmt.Sprintf("%d %s files in %d packages: all %d users of a function", large.Full.Modules+large.Full.Packages, language, large.Full.Packages, large.Full.Users)
	}
	return []Scenario{
		{Name: name("TypeScript"), Servers: []string{"typescript", "typescript-language-server"}, write: writeLarge(large.TypeScript), symbol: largeSymbol(large.TypeScript)},
		{Name: name("Python"), Servers: []string{"pyright"}, write: writeLarge(large.Python), symbol: largeSymbol(large.Python)},
	}
}

// writeLarge writes a large project whose users are all to be judged.
func writeLarge(generate func(large.Size) *large.Tree) func(context.Context, string) (Project, error) {
	return func(_ context.Context, dir string) (Project, error) {
		tree := generate(large.Full)
		tree.Files[".lspine.jsonc"] = fmt.Sprintf("{\"lsp\": {\"maxDependants\": %d}}\n", 2*large.Full.Users)
		if err := tree.Write(dir); err != nil {
			return Project{}, err
		}
		p := Project{Root: dir, File: filepath.Join(dir, filepath.FromSlash(tree.Core)), Whole: true}
		for _, name := range tree.Users {
			p.Users = append(p.Users, filepath.Join(dir, filepath.FromSlash(name)))
		}
		p.edit = func(i int, salt string) Edit {
			name := fmt.Sprintf("probe_%s_%d", salt, i)
			if i%2 == 0 {
				return Edit{Text: tree.Broken(name), Errors: len(p.Users)}
			}
			return Edit{Text: tree.Mended(name)}
		}
		return p, nil
	}
}

// probes puts a line made by wrong (on even i: as many as the edit has errors)
// or right (on odd i) in place of the marker in base.
func probes(base, marker string, wrong, right func(name string) string) func(int, string) Edit {
	return func(i int, salt string) Edit {
		name := fmt.Sprintf("probe_%s_%d", salt, i)
		if i%2 == 1 {
			return Edit{Text: strings.Replace(base, marker, right(name), 1)}
		}
		// Not always the same number: a stale answer would not be noticed.
		errors := 1 + i/2%3
		var lines strings.Builder
		for n := range errors {
			lines.WriteString(wrong(fmt.Sprintf("%s_%d", name, n)))
		}
		return Edit{Text: strings.Replace(base, marker, lines.String(), 1), Errors: errors}
	}
}

// writeFile writes dir/name, with its folders.
func writeFile(dir, name, text string) error {
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}
