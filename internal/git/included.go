package git

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/project"
)

// Limits of what is looked at for files that git ignores.
const (
	maxIncluded = 5_000  // files that projects include
	maxIgnored  = 50_000 // files and folders altogether
)

// included is [Checkout.Included] without submodules. These files are above all generated code: what uses them, or what
// they use, can be broken like any other file.
func (co *Checkout) included(ctx context.Context) ([]string, error) {
	names, err := co.git(ctx, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
	if err != nil {
		return nil, err
	}
	scopes := project.NewScopes(co.root)
	var files []string
	seen := 0
	for _, ignored := range co.absolute(names) {
		if co.isNever(filepath.Dir(ignored)) {
			continue
		}
		_ = filepath.WalkDir(ignored, func(path string, e fs.DirEntry, err error) error {
			seen++
			switch {
			case ctx.Err() != nil || seen > maxIgnored || len(files) == maxIncluded:
				return filepath.SkipAll
			case err != nil: // it is gone, or may not be read
				return nil
			case e.IsDir() && (project.Never(path) || isCheckout(path)):
				return filepath.SkipDir
			case e.Type().IsRegular() && !co.skips(path) && scopes.Includes(path):
				files = append(files, path)
			}
			return nil
		})
	}
	slices.Sort(files)
	return slices.Compact(files), ctx.Err() // git names a folder and, again, what is in it
}

// Included returns the files below the root that git ignores although their projects include them, those of submodules as well.
func (co *Checkout) Included(ctx context.Context) ([]string, error) {
	files, err := co.included(ctx)
	if err != nil {
		return nil, err
	}
	inside := inSubmodules(ctx, co, "", func(there *Checkout, _ string) ([]string, error) { return there.included(ctx) })
	return append(files, slices.Concat(inside...)...), nil
}

// isNever reports whether a folder, or one above it below the root, is never part of a project.
func (co *Checkout) isNever(folder string) bool {
	for ; folder != co.root && fspath.Below(co.root, folder); folder = filepath.Dir(folder) {
		if project.Never(folder) {
			return true
		}
	}
	return false
}

// IgnoredSince returns the files that git ignores although their projects include them, above all generated code, and that may have
// been written since a commit was made.
func (co *Checkout) IgnoredSince(ctx context.Context, revision string) ([]string, error) {
	files, err := co.included(ctx)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	made, err := co.git(ctx, "log", "-1", "--format=%ct", "--end-of-options", revision)
	if err != nil {
		return nil, err
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(made)), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("the time of %s: %w", revision, err)
	}
	return slices.DeleteFunc(files, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || fspath.Touched(info).Unix() < seconds
	}), nil
}
