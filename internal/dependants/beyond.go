package dependants

import (
	"context"
	"go/token"
	"path/filepath"
	"slices"
	"sync"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/symbols"
)

// A beyond finds the files beyond the project of a file that may use what it declares, as of one
// point in time.
type beyond struct {
	finder *Finder

	mu         sync.Mutex
	texts      *impact.Texts // nil before the first search
	detection  *roots.Detection
	notBuilt   map[string]project.Built // Go files; nil before the first of them
	compiled   map[string]map[string]bool
	goProjects map[string]*project.GoProjects // by root
	folders    map[string][]string            // sources of one language, by folder
}

// compiled is what a compilation database listed in a state.
type compiled struct {
	database string
	stamp    impact.Stamp
	files    map[string]bool
}

// Beyond returns a search that implements [symbols.Access.Beyond] for one request.
func (f *Finder) Beyond() func(ctx context.Context, path, name string, within bool) (files []symbols.Beyond, all bool) {
	return (&beyond{finder: f, compiled: make(map[string]map[string]bool), goProjects: make(map[string]*project.GoProjects)}).files
}

func (b *beyond) files(ctx context.Context, path, name string, within bool) (files []symbols.Beyond, all bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.detection == nil {
		b.detection = b.finder.workspace.Detection()
	}
	if !impact.FollowsText(path) {
		if within {
			return nil, b.isOnlyLocked(path)
		}
		shared, all := b.sharedLocked(ctx, path, name)
		return shared, all && b.isOnlyLocked(path)
	}
	if b.texts == nil {
		texts := b.finder.textsNow(ctx)
		b.texts = &texts
	}
	own := b.projectOfLocked(path)
	if within {
		return b.withinLocked(path, own, name)
	}
	if may, err := b.mayNameLocked(ctx, path, own, name); err != nil || !may {
		return nil, err == nil
	}
	users, all := b.texts.Naming(path, name)
	for _, user := range users {
		if of := b.projectOfLocked(user); of == "" || of != own {
			files = append(files, symbols.Beyond{Path: user, Project: of})
		}
	}
	return files, all
}

// withinLocked returns the files in the project of a file that may use what it declares by a name. Only Go's server may know a
// project and not its imports: where the go command refuses what go.mod says, each package is known by itself. Files in the
// folder of the file are of its own package and need no import.
func (b *beyond) withinLocked(path, own, name string) (files []symbols.Beyond, all bool) {
	if c := b.primaryOfLocked(path); c == nil || c.Definition.Scope != registry.GoBuild || own == "" || !token.IsExported(name) {
		return nil, true
	}
	users, all := b.texts.Naming(path, name)
	for _, user := range users {
		if filepath.Dir(user) != filepath.Dir(path) && b.projectOfLocked(user) == own {
			files = append(files, symbols.Beyond{Path: user, Project: own})
		}
	}
	return files, all
}

// maxNaming bounds the files that are read to learn that none has a name. The search for users costs
// more than reading these.
const maxNaming = 300

// mayNameLocked reports whether there may be files beyond a project, of the languages of a file of it, that
// have a name, whatever its encoding, or call it by another. In a workspace of one project there are none, or few.
func (b *beyond) mayNameLocked(ctx context.Context, path, own, name string) (bool, error) {
	sources, err := b.finder.workspace.Sources(ctx)
	if err != nil {
		return false, err
	}
	c := b.primaryOfLocked(path)
	byImports := c != nil && c.Definition.Scope == registry.GoBuild && own != ""
	if byImports && b.texts.BroughtIn(path, func(other string) bool { return b.projectOfLocked(other) != own && b.mentions(other, name) }) {
		return true, nil
	}
	byDefault, read := b.texts.IsDefault(path, name), 0
	for _, other := range sources {
		if byImports && filepath.Dir(other) != filepath.Dir(path) { // it needs an import
			continue
		}
		if other == path || language.Of(other).Family != language.Of(path).Family {
			continue
		}
		if of := b.projectOfLocked(other); of != "" && of == own {
			continue
		}
		if read++; read > maxNaming {
			return true, nil
		}
		if byDefault || b.mentions(other, name) {
			return true, nil
		}
	}
	return false, nil
}

// mentions reports whether a file has a name.
func (b *beyond) mentions(path, name string) bool {
	text, err := b.finder.workspace.Searched(path, maxSearched)
	return err == nil && symbols.Mentions(text, name)
}

// primaryOfLocked returns the server that answers for a file, nil if there is none.
func (b *beyond) primaryOfLocked(path string) *roots.Candidate {
	return primaryOf(b.detection, path)
}

// isOnlyLocked reports whether no other project can use what a file declares without its server knowing
// it: there is none, or the server knows those that do.
func (b *beyond) isOnlyLocked(path string) bool {
	c := b.primaryOfLocked(path)
	return c == nil || c.Definition.Sharing != registry.OneRoot || !slices.ContainsFunc(b.finder.workspace.ProjectsOf(&c.Definition), func(root string) bool {
		return root != c.Root && root != b.finder.workspace.Root()
	})
}

// projectOfLocked identifies the project that a file is part of, and the server that knows it; it is ""
// if no project includes the file.
func (b *beyond) projectOfLocked(path string) string {
	c := b.primaryOfLocked(path)
	if c == nil {
		return ""
	}
	of := c.Root
	switch c.Definition.Scope {
	case registry.TSConfig:
		of = b.detection.ConfigOf(path)
	case registry.Pyright:
		if by, _ := b.detection.LeftOut(path); by != "" {
			of = ""
		}
	case registry.GoBuild:
		if b.notBuilt == nil {
			b.notBuilt = b.finder.workspace.NotBuilt()
		}
		projects := b.goProjectsLocked(c.Root)
		if _, not := b.notBuilt[path]; not || projects.LeavesOut(path) {
			of = ""
		} else {
			of = projects.ProjectOf(path)
		}
	default:
		if language.Of(path).Family == language.NativeFamily && !b.isCompiledLocked(c, path) {
			of = ""
		}
	}
	if of == "" {
		return ""
	}
	return c.Definition.ID + " of " + of
}

// goProjectsLocked returns which Go modules below a root are built together.
func (b *beyond) goProjectsLocked(root string) *project.GoProjects {
	if b.goProjects[root] == nil {
		b.goProjects[root] = b.finder.workspace.GoProjects(root)
	}
	return b.goProjects[root]
}

// isCompiledLocked reports whether a compilation database tells how a file of C or C++ is compiled, or
// may tell of one that includes it.
func (b *beyond) isCompiledLocked(c *roots.Candidate, path string) bool {
	database := b.finder.workspace.DescribedBy(&c.Definition, c.Root)
	if database == "" {
		return false
	}
	if b.compiled[database] == nil {
		b.compiled[database] = b.finder.compiledBy(database)
	}
	return b.compiled[database][path] || len(language.SourceEndings(path)) > 0
}

// compiledBy returns the files that a compilation database lists. It reads it again only when it
// changed.
func (f *Finder) compiledBy(database string) map[string]bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	stamp, reliable := f.stamp(database)
	if !reliable || f.compiled.database != database || f.compiled.stamp != stamp {
		f.compiled = compiled{database, stamp, project.Compiled(database)}
	}
	return f.compiled.files
}
