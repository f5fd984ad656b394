package assembly

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// WorkspaceFolders adds folders to the running servers, or removes them, and returns the folders
// that each server has.
func (a *Assembler) WorkspaceFolders(_ context.Context, req api.FoldersRequest) (result.Folders, error) {
	add, err := a.existingFolders("add", req.Add)
	if err != nil {
		return result.Folders{}, err
	}
	var remove []string
	for _, name := range req.Remove {
		remove = append(remove, a.folderNamed(name))
	}
	servers := a.workspace.Running()
	for _, s := range servers {
		if slices.Contains(remove, s.Root()) {
			return result.Folders{}, &api.ArgumentError{Argument: "remove", Reason: a.names.Relative(s.Root()) + " is the root of " + s.Definition().ID, Advice: "stop the server instead: servers with action stop"}
		}
	}
	return a.changeFolders(servers, add, remove)
}

// folderNamed returns the absolute path of a folder named by the caller, with symbolic links
// resolved.
func (a *Assembler) folderNamed(name string) string {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.names.Base(), path)
	}
	if resolved, err := fspath.Real(path); err == nil {
		return resolved
	}
	return filepath.Clean(path)
}

// existingFolders returns the absolute paths of folders, or an *api.ArgumentError about argument if
// one does not exist.
func (a *Assembler) existingFolders(argument string, names []string) ([]string, error) {
	var paths []string
	for _, name := range names {
		path := a.folderNamed(name)
		info, err := os.Stat(path)
		switch {
		case name == "" || err != nil:
			return nil, &api.ArgumentError{Argument: argument, Reason: fmt.Sprintf("%q: no such folder", name), Advice: "name an existing folder"}
		case !info.IsDir():
			return nil, &api.ArgumentError{Argument: argument, Reason: name + " is not a folder", Advice: "name the folder that holds it"}
		}
		paths = append(paths, path)
	}
	return paths, nil
}

func (a *Assembler) changeFolders(servers []*lsp.Server, add, remove []string) (result.Folders, error) {
	refused := make(map[string][]string) // by folder
	for _, s := range servers {
		if len(add)+len(remove) == 0 {
			break
		}
		err := s.ChangeFolders(add, remove)
		var unsupported *lsp.UnsupportedError
		if err != nil && !errors.As(err, &unsupported) {
			return result.Folders{}, err
		}
		for _, path := range add {
			if err != nil {
				refused[path] = append(refused[path], s.Definition().ID+" takes no further folders")
			}
		}
	}
	answer := result.Folders{Root: a.workspace.Root(), Folders: []result.Folder{}}
	if len(servers) == 0 {
		answer.Notes = []string{"no server runs; only running servers can be told of folders"}
	}
	for _, s := range servers {
		for _, path := range s.Folders() {
			at := folderIn(&answer, path)
			at.Servers = append(at.Servers, s.Definition().ID)
		}
	}
	for path, why := range refused {
		folderIn(&answer, path).Refused = why
	}
	slices.SortFunc(answer.Folders, func(x, y result.Folder) int { return cmp.Compare(x.Path, y.Path) })
	return answer, nil
}

func folderIn(answer *result.Folders, path string) *result.Folder {
	i := slices.IndexFunc(answer.Folders, func(f result.Folder) bool { return f.Path == path })
	if i < 0 {
		i = len(answer.Folders)
		answer.Folders = append(answer.Folders, result.Folder{Path: path, Servers: []string{}})
	}
	return &answer.Folders[i]
}

// CrossRepoReferences returns the uses of a symbol in the workspace and in other repositories,
// whose folders it adds to the server for the duration of the call. It fails with a
// [*NoFoldersError] if the server does not accept them.
func (a *Assembler) CrossRepoReferences(ctx context.Context, req api.CrossRepoRequest) (result.CrossReferences, error) {
	if len(req.ConsumerRoots) == 0 {
		return result.CrossReferences{}, &api.ArgumentError{Argument: "consumer_roots", Reason: "it is empty", Advice: `for example ["../app"]`}
	}
	roots, err := a.existingFolders("consumer_roots", req.ConsumerRoots)
	if err != nil {
		return result.CrossReferences{}, err
	}
	return overlay.Ask(ctx, a.view, req.Limits, headOfCrossReferences, func(ctx context.Context, q *symbols.Inquiry) (result.CrossReferences, error) {
		return a.crossReferences(ctx, q, restate.Selector(req.Selector), roots)
	})
}

func headOfCrossReferences(c *result.CrossReferences) *result.Head { return &c.Head }

// crossReferences asks for references in the workspace and, once the other folders are added,
// resolves the occurrences of the name in them.
func (a *Assembler) crossReferences(ctx context.Context, q *symbols.Inquiry, selector symbols.Selector, roots []string) (answer result.CrossReferences, err error) {
	subject, err := a.subject(ctx, q, selector)
	if err != nil {
		return result.CrossReferences{}, err
	}
	path := subject.Target.Path
	server, leave, err := a.enterFolders(ctx, path, roots)
	var unsupported *lsp.UnsupportedError
	if errors.As(err, &unsupported) {
		err = &NoFoldersError{subject.Target.Name, roots, unsupported}
	}
	if err != nil {
		return result.CrossReferences{}, err
	}
	defer func() { err = errors.Join(err, leave()) }()
	places, err := q.References(ctx, subject.Target, false)
	if err != nil {
		return result.CrossReferences{}, err
	}
	for _, root := range roots {
		consumer := impact.Consumer{Root: root, Speaks: func(file string) bool {
			_, speaks := server.Definition().LanguageID(file)
			return speaks
		}}
		uses, notes, err := consumer.Uses(ctx, q, subject.Target.Name, subject.Place)
		if err != nil {
			return result.CrossReferences{}, err
		}
		answer.Notes = append(answer.Notes, notes...)
		for _, p := range uses {
			if !slices.Contains(places, p) {
				places = append(places, p)
			}
		}
	}
	slices.SortStableFunc(places, a.comparePlaces)
	a.divide(q, &answer, subject.Name, roots, places)
	return answer, nil
}

// A NoFoldersError says that a server accepts no additional folders
// (workspace/didChangeWorkspaceFolders).
type NoFoldersError struct {
	// Symbol is the symbol that was asked about; Roots are the folders of the other repositories.
	Symbol string
	Roots  []string
	Err    *lsp.UnsupportedError
}

func (e *NoFoldersError) Error() string {
	return e.Err.Server + " takes no further folders; it cannot tell what they use"
}

func (e *NoFoldersError) Unwrap() error { return e.Err }

// Hint says how to search without the server.
func (e *NoFoldersError) Hint() string {
	return "open a folder above both, or search the text: grep -rnw " + e.Symbol + " " + strings.Join(e.Roots, " ")
}

// enterFolders adds folders to the server that handles a file. leave removes those that it added.
func (a *Assembler) enterFolders(ctx context.Context, path string, roots []string) (server *lsp.Server, leave func() error, err error) {
	s, err := a.view.Access().OpenServer(ctx, path, "textDocument/references")
	if err != nil {
		return nil, nil, err
	}
	known := s.Folders()
	roots = slices.DeleteFunc(slices.Clone(roots), func(root string) bool { return slices.Contains(known, root) })
	if err := s.ChangeFolders(roots, nil); err != nil {
		return nil, nil, err
	}
	return s, func() error { return s.ChangeFolders(nil, roots) }, nil
}

// divide assigns places to the innermost root that contains them. Places in no root belong to the
// workspace.
func (a *Assembler) divide(q *symbols.Inquiry, answer *result.CrossReferences, symbol string, roots []string, places []symbols.Place) {
	all := append([]string{a.workspace.Root()}, roots...)
	byRoot := make(map[string][]symbols.Place)
	for _, p := range places {
		home := ""
		for _, root := range all {
			relative, err := filepath.Rel(root, p.Path)
			if err == nil && filepath.IsLocal(relative) && len(root) > len(home) {
				home = root
			}
		}
		home = cmp.Or(home, all[0])
		byRoot[home] = append(byRoot[home], p)
	}
	answer.Symbol, answer.Total = symbol, len(places)
	for _, root := range all {
		in := restate.Places(a.names, q, symbol, "reference", byRoot[root], true)
		answer.Repositories = append(answer.Repositories, result.RepositoryUses{Root: root, Total: in.Total, Files: in.Files})
	}
}
