package dependants

import (
	"bytes"
	"context"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// quietOn says why a server reports nothing about what is wrong with a file, "" if it does.
func (f *Finder) quietOn(file *diagnostics.File, c *roots.Candidate) string {
	if id, _ := c.Definition.LanguageID(file.Path); language.ID(id) == language.Rust {
		return f.workspace.LacksRust(c)
	}
	if c.Definition.Scope != registry.GoBuild {
		return ""
	}
	if lacks := f.workspace.LacksGo(c); lacks != "" {
		return lacks
	}
	built := f.workspace.Built(file.Path, file.Content)
	switch {
	case built.Here || built.Elsewhere:
		return ""
	case strings.Contains(built.Because, "go:build"):
		return built.Because + ", and no server judges it without these tags: start LSPine with them in GOFLAGS, or run go vet -tags"
	}
	return built.Because + ", and no server judges it so"
}

// BuiltElsewhere adds the Go files that no server reports on by itself, and returns those for which
// it is not known what is wrong before the changes.
func (s *Search) BuiltElsewhere() (unknown []diagnostics.File) {
	if s.Loaded = s.loaded(s.changes); len(s.Loaded) > 0 && !s.onDisk {
		s.Unknown = append(s.Unknown, "what gopls reads only when it loads the files: "+workspace.FirstOf(s.names.Relatives(s.Loaded))+"; apply the edit to know")
	}
	found := s.choose(&s.Found, slices.Concat(s.builtElsewhere(), s.Loaded))
	for i := range found {
		found[i].Shown, found[i].Reported = true, false // servers judge them only while they are open
	}
	s.Files = append(s.Files, found...)
	return s.notKnown(found)
}

// builtElsewhere returns the Go files that are not built on this machine, use what changes, and are
// judged while they are open. Those that are not judged even then are added to Unknown.
func (s *Search) builtElsewhere() (found []string) {
	var silent []string
	for _, c := range s.changes {
		if !language.Is(c.Path, language.Go) || c.Before == nil && !c.Created { // without a known text from before, nothing changed
			continue
		}
		names, known := impact.GoChanged(&s.imported, c.Path, c.Before, c.After)
		if known && len(names) == 0 && c.From == "" {
			continue
		}
		for _, user := range s.usersAmong(slices.Sorted(maps.Keys(s.workspace.NotBuilt())), c, names, known && c.From == "") {
			built := s.workspace.NotBuilt()[user]
			switch {
			case slices.Contains(found, user) || slices.Contains(silent, s.names.Relative(user)):
			case built.Elsewhere:
				found = append(found, user)
			default:
				silent = append(silent, s.names.Relative(user))
			}
		}
	}
	if len(silent) > 0 {
		s.Unknown = append(s.Unknown, "what it did to files that use what changed and that are not built here, which no server judges: "+workspace.FirstOf(silent)+
			"; run go vet with their tags")
	}
	return found
}

// changesElsewhere reports whether what a Go file declares changes that is built on other systems alone. What that
// does to files that are built here, too, gopls does not report when it is asked about these one by one.
func (s *Search) changesElsewhere() bool {
	if s.elsewhere == nil {
		elsewhere := slices.ContainsFunc(s.changes, s.isElsewhere)
		s.elsewhere = &elsewhere
	}
	return *s.elsewhere
}

func (s *Search) isElsewhere(c edit.Change) bool {
	text := c.After
	if text == nil {
		text = c.Before
	}
	if !language.Is(c.Path, language.Go) || !s.workspace.Built(c.Path, text).Elsewhere {
		return false
	}
	names, known := impact.GoChanged(&s.imported, c.Path, c.Before, c.After)
	return !known || len(names) > 0 || c.From != ""
}

// usersAmong returns those of Go files that mention what changes: those of the same package and those of packages that
// import it.
func (s *Search) usersAmong(files []string, c edit.Change, names []string, known bool) (users []string) {
	mentions := func(text []byte) bool { return !known }
	if known {
		words := regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\b`)
		mentions = words.Match
	}
	imported := s.importPath(filepath.Dir(c.Path))
	for _, other := range files {
		if s.changes.Touch(other) {
			continue
		}
		beside := filepath.Dir(other) == filepath.Dir(c.Path)
		if !beside && imported == "" {
			continue
		}
		text, given := s.overlay.Given(other)
		if !given {
			var err error
			if text, err = fspath.Read(other); err != nil {
				continue
			}
		}
		if mentions(text) && (beside || importsPackage(text, imported)) {
			users = append(users, other)
		}
	}
	return users
}

// importsPackage reports whether a Go file imports a package.
func importsPackage(text []byte, imported string) bool {
	if !bytes.Contains(text, []byte(imported)) {
		return false
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	if err != nil {
		return true
	}
	for _, i := range parsed.Imports {
		if name, err := strconv.Unquote(i.Path.Value); err == nil && name == imported {
			return true
		}
	}
	return false
}

var moduleLine = lazyregexp.New(`(?m)^module[ \t]+"?([^\s"]+)`)

// importPath returns the import path of the package in a folder, "" if it is not known.
func (f *Finder) importPath(dir string) string {
	folder := f.moduleAround(dir)
	content, err := fspath.Read(filepath.Join(folder, language.GoMod))
	if folder == "" || err != nil {
		return ""
	}
	match := moduleLine.FindSubmatch(content)
	relative, err := filepath.Rel(folder, dir)
	if match == nil || err != nil {
		return ""
	}
	return path.Join(string(match[1]), filepath.ToSlash(relative))
}

// loaded returns the Go files for which gopls reads what changes only when it loads them: the files
// that they embed, and their C code.
func (f *Finder) loaded(changes []edit.Change) (found []string) {
	for _, c := range changes {
		for _, path := range []string{c.Path, c.From} {
			if path != "" && (c.Deleted || c.Created || c.From != "") {
				found = append(found, f.embeddersOf(path)...)
			}
		}
		switch {
		case language.Is(c.Path, language.Go):
			if !c.Deleted && !slices.Equal(project.CgoPreambles(c.Before), project.CgoPreambles(c.After)) {
				found = append(found, c.Path)
			}
		case language.Of(c.Path).C:
			found = append(found, withC(f.filesIn(filepath.Dir(c.Path)))...)
		}
		if language.Of(c.Path).Family == language.NativeFamily && f.workspace.Crosses(language.Cgo, c.Path) { // by way of other headers
			found = append(found, withC(f.workspace.FilesWithC())...)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// withC returns those of some files that are Go and import "C".
func withC(files []string) (found []string) {
	for _, name := range files {
		if !language.Is(name, language.Go) {
			continue
		}
		if text, err := fspath.Read(name); err == nil && project.CgoPreambles(text) != nil {
			found = append(found, name)
		}
	}
	return found
}

// filesIn returns the paths of what is in a folder, none if it is gone.
func (f *Finder) filesIn(folder string) (paths []string) {
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		paths = append(paths, filepath.Join(folder, entry.Name()))
	}
	return paths
}

// Unload stops the servers that know files only as they were when they were loaded. They are
// started again when they are next needed, and then read what is on disk.
func (f *Finder) Unload(ctx context.Context, files []string) {
	for _, file := range files {
		for _, c := range f.workspace.Candidates(file) {
			if c.Definition.Scope == registry.GoBuild && c.Unavailable == nil {
				f.workspace.Stop(ctx, c.Key())
			}
		}
	}
}

// embeddersOf returns the Go files that embed a file.
func (f *Finder) embeddersOf(path string) (found []string) {
	for _, file := range f.above(path) {
		if slices.ContainsFunc(f.inclusions(file), func(i language.Inclusion) bool { return i.Means(file, path) }) {
			found = append(found, file)
		}
	}
	return found
}

var embedsNothing = lazyregexp.New(`^pattern (\S+): no matching files found`)

// LacksEmbedded reports whether a server says of a Go file that it embeds nothing by a pattern that means a file which is gone.
func LacksEmbedded(file, message, gone string) bool {
	said := embedsNothing.FindStringSubmatch(message)
	relative, err := filepath.Rel(filepath.Dir(file), gone)
	return said != nil && err == nil && filepath.IsLocal(relative) && project.EmbedMatches(strings.TrimPrefix(said[1], "all:"), filepath.ToSlash(relative))
}

// lacksEmbedded reports whether a Go file is to embed something of which there is nothing.
func lacksEmbedded(f diagnostics.File) bool {
	return language.Is(f.Path, language.Go) && slices.ContainsFunc(language.Inclusions(f.Path, f.Content), func(i language.Inclusion) bool {
		found, err := filepath.Glob(filepath.Join(literal(filepath.Dir(f.Path)), filepath.FromSlash(i.Name)))
		return err == nil && len(found) == 0
	})
}

// literal returns a path as a pattern of itself.
func literal(path string) string {
	if filepath.Separator == '\\' {
		return path // where nothing can be escaped
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// knownFromLoading reports whether gopls reads some of what a file consists of only when it loads
// the file.
func knownFromLoading(f diagnostics.File) bool {
	return language.Is(f.Path, language.Go) && (len(language.Inclusions(f.Path, f.Content)) > 0 || project.CgoPreambles(f.Content) != nil)
}
