package refcache

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/refcache/store"
	"github.com/lspine/lspine/internal/result"
)

// An Exchange writes and reads artefacts for one caller.
type Exchange struct {
	cache   *Cache
	resolve func(path string) (string, error)
	permit  func(ctx context.Context, paths []string) error
}

// NewExchange returns the Exchange of a caller. resolve returns the absolute path of a file that the caller may write, and permit
// fails if the policy does not allow that. c may be nil.
func NewExchange(c *Cache, resolve func(path string) (string, error), permit func(ctx context.Context, paths []string) error) *Exchange {
	return &Exchange{c, resolve, permit}
}

// An OffError says that no answers are kept.
type OffError struct{}

func (*OffError) Error() string { return "no reference cache is kept for this workspace" }

// Hint says how one is.
func (*OffError) Hint() string {
	return `"referenceCache" is "off" in the configuration, or there is no cache folder outside of the workspace; lspine config shows it`
}

// Kind returns result.Unavailable.
func (*OffError) Kind() result.Kind { return result.Unavailable }

// file returns the path that a request names.
func (x *Exchange) file(req api.CacheRequest) (string, error) {
	if req.File == "" {
		return "", &api.ArgumentError{Argument: "file", Reason: "it is missing", Advice: `for example "refs.db.gz"`}
	}
	path, err := x.resolve(req.File)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return "", &api.ArgumentError{Argument: "file", Reason: req.File + " is no regular file", Advice: `name a file, for example "refs.db.gz"`}
	}
	if x.cache == nil {
		return "", &OffError{}
	}
	return path, nil
}

// mayReplace reports whether a file is not there, is empty, or is an export.
func mayReplace(path string) bool {
	info, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0 || store.IsExport(path)
}

// Export writes the answers that are kept into a file.
func (x *Exchange) Export(ctx context.Context, req api.CacheRequest) (result.Done, error) {
	path, err := x.file(req)
	if err != nil {
		return result.Done{}, err
	}
	if !mayReplace(path) {
		return result.Done{}, &api.ArgumentError{Argument: "file", Reason: req.File + " is there, and export_cache did not write it", Advice: "name a new file, for example \"refs.db.gz\""}
	}
	if err := x.permit(ctx, []string{path}); err != nil {
		return result.Done{}, err
	}
	if err := x.cache.Settle(ctx); err != nil {
		return result.Done{}, err
	}
	answers, err := x.cache.store.Export(ctx, path)
	if errors.Is(err, store.ErrNothingToExport) {
		return result.Done{}, &api.ArgumentError{Argument: "file", Reason: "there is nothing to write: " + err.Error(), Advice: "references fills the cache, if its answer is complete"}
	}
	if err != nil {
		return result.Done{}, fmt.Errorf("%s: %w", req.File, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return result.Done{}, err
	}
	return result.Done{Path: req.File, Done: fmt.Sprintf("wrote %s, %d bytes; import_cache reads it", count(answers, "answer"), info.Size())}, nil
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Import takes over the answers of an artefact that hold now: for the texts of the workspace, the version of the server and everything
// else that decides them. The others are counted.
func (x *Exchange) Import(ctx context.Context, req api.CacheRequest) (result.Done, error) {
	path, err := x.file(req)
	if err != nil {
		return result.Done{}, err
	}
	if _, err := os.Stat(path); err != nil {
		return result.Done{}, &api.ArgumentError{Argument: "file", Reason: req.File + ": there is no such file", Advice: "export_cache writes one"}
	}
	found, err := x.cache.scanned(ctx)
	if err != nil {
		return result.Done{}, fmt.Errorf("the files of the workspace: %w", err)
	}
	var out leftOut
	read, kept, err := x.cache.store.Import(ctx, path, func(r *store.Row) bool { return x.cache.holds(found, r, &out) })
	var artefact *store.ArtefactError
	if errors.As(err, &artefact) {
		return result.Done{}, &api.ArgumentError{Argument: "file", Reason: req.File + ": " + artefact.Reason, Advice: "name a file that export_cache wrote"}
	}
	if err != nil {
		return result.Done{}, fmt.Errorf("%s: %w", req.File, err)
	}
	return result.Done{Path: req.File, Done: fmt.Sprintf("took over %d of %s%s", kept, count(read, "answer"), out.text())}, nil
}

// leftOut counts answers that are not taken over, by the reason.
type leftOut struct{ files, servers, others int }

func (o *leftOut) text() string {
	var parts []string
	add := func(n int, why string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, why))
		}
	}
	add(o.files, "of files that are others here")
	add(o.servers, "of another server, or another version of it")
	add(o.others, "of another state of the workspace, its set-up or lspine")
	if len(parts) == 0 {
		return ""
	}
	return "; left out: " + strings.Join(parts, ", ")
}

// scanned returns what the files of the workspace say now.
func (c *Cache) scanned(ctx context.Context) (*scan, error) {
	leave, err := c.take(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	return c.scanner.scan(ctx)
}

// holds reports whether an answer holds now.
func (c *Cache) holds(found *scan, r *store.Row, out *leftOut) bool {
	if found.hashes[r.File] != r.Hash {
		out.files++
		return false
	}
	for _, l := range r.Locations {
		if found.hashes[l.File] == "" {
			out.files++
			return false
		}
	}
	now := c.worldOf(found, r.File, r.Searched)
	switch {
	case now.why == "" && now.server != r.Server:
		out.servers++
		return false
	case now.digest != r.World || now.why != "":
		out.others++
		return false
	}
	return true
}
