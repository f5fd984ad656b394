package refcache

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/scip"
)

// An IndexesOffError says that no index answers anything.
type IndexesOffError struct{}

func (*IndexesOffError) Error() string { return "imported indexes are switched off" }

// Hint says how they are switched on.
func (*IndexesOffError) Hint() string {
	return `"indexes" is "off" in the configuration; lspine config shows where`
}

// Kind returns result.Unavailable.
func (*IndexesOffError) Kind() result.Kind { return result.Unavailable }

// ImportIndex takes over an index that somebody made of the workspace. It says which commit its documents were compared with, and how
// much of it counts now.
func (x *Exchange) ImportIndex(ctx context.Context, req api.ImportIndexRequest) (result.Done, error) {
	if req.File == "" {
		return result.Done{}, &api.ArgumentError{Argument: "file", Reason: "it is missing", Advice: `for example "index.scip"`}
	}
	path, err := x.resolve(req.File)
	if err != nil {
		return result.Done{}, err
	}
	if err := x.usable(); err != nil {
		return result.Done{}, err
	}
	commit, err := x.commitOf(ctx, req.Commit)
	if err != nil {
		return result.Done{}, err
	}
	index, out, counting, err := x.cache.takeOver(ctx, path, req.File, commit)
	var malformed *scip.FormatError
	refused := func(reason, advice string) (result.Done, error) {
		return result.Done{}, &api.ArgumentError{Argument: "file", Reason: req.File + reason, Advice: advice}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refused(": there is no such file", "an indexer such as scip-go or scip-typescript writes one")
	case errors.Is(err, fspath.ErrNotRegular):
		return refused(" is no regular file", `name a file, for example "index.scip"`)
	case errors.As(err, &malformed):
		return refused(": "+malformed.Error(), "name a SCIP index, uncompressed or compressed by gzip")
	case err != nil:
		return result.Done{}, fmt.Errorf("%s: %w", req.File, err)
	case index.Documents == 0:
		return refused(": no document of it describes a known text of a file of the workspace"+out.text(), "say with commit which commit it was made of")
	}
	of := "no commit: there is none"
	if commit != "" {
		of = "commit " + commit[:min(12, len(commit))]
	}
	return result.Done{Path: req.File, Done: fmt.Sprintf("took over %s by %s, compared with %s; %d of them are as they are on disk%s",
		count(index.Documents, "document"), index.Tool, of, counting, out.text())}, nil
}

// usable fails if no index can answer.
func (x *Exchange) usable() error {
	switch {
	case x.cache == nil:
		return &OffError{}
	case x.cache.opts.NoIndexes:
		return &IndexesOffError{}
	}
	return nil
}

// commitOf returns the id of the commit that a request names, by default the one that is checked out; "" if there is none.
func (x *Exchange) commitOf(ctx context.Context, named string) (string, error) {
	w := x.cache.opts.Workspace
	if named == "" {
		return w.Git().Commit(ctx), nil
	}
	id, err := w.Git().CommitOf(ctx, named)
	var failed *git.Error
	if errors.As(err, &failed) {
		return "", &api.ArgumentError{Argument: "commit", Reason: failed.Reason, Advice: "name a commit of the workspace, or leave it out for HEAD"}
	}
	return id, err
}

// Indexes lists the indexes that were imported, or removes one.
func (x *Exchange) Indexes(ctx context.Context, req api.IndexesRequest) (result.Done, error) {
	if x.cache == nil {
		return result.Done{}, &OffError{}
	}
	if req.Remove != 0 {
		removed, err := x.cache.store.RemoveIndex(ctx, int64(req.Remove))
		if err == nil && !removed {
			err = &api.ArgumentError{Argument: "remove", Reason: fmt.Sprintf("there is no index %d", req.Remove), Advice: "indexes lists them"}
		}
		return result.Done{Done: fmt.Sprintf("removed index %d", req.Remove)}, err
	}
	indexes, err := x.cache.store.Indexes(ctx)
	if err != nil {
		return result.Done{}, err
	}
	if len(indexes) == 0 {
		return result.Done{Done: "no index is imported"}, nil
	}
	var lines []string
	for _, i := range indexes {
		of := "no commit"
		if i.Commit != "" {
			of = i.Commit[:min(12, len(i.Commit))]
		}
		lines = append(lines, fmt.Sprintf("%d: %s of %s, by %s, imported from %s at %s", i.Number, count(i.Documents, "document"), of, i.Tool,
			legible.Line(i.Source), i.Imported.UTC().Format("2006-01-02 15:04 UTC")))
	}
	return result.Done{Done: strings.Join(lines, "\n")}, nil
}
