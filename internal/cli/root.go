package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/service"
)

// rootFor returns the workspace root of a command that names files: that of [global.resolveRoot] if it contains the first of them or
// was asked for, else the checkout that contains this file. Names of files that do not exist do not count.
func (g *global) rootFor(streams *Streams, names []string) (string, error) {
	root, err := g.resolveRoot(streams)
	if err != nil || g.root != "" || lookup(streams.Environ, service.BootstrapVariable) != "" {
		return root, err
	}
	for _, path := range absolute(streams.Dir, names) {
		path, err := fspath.Real(path)
		info, failed := os.Stat(path)
		if err != nil || failed != nil {
			continue
		}
		if !info.IsDir() {
			path = filepath.Dir(path)
		}
		return ownRoot(streams, root, path), nil
	}
	if why := tooWide(streams, root); why != "" && !fspath.IsCheckout(root) {
		return "", &usageError{fmt.Sprintf("%s is %s and no workspace", root, why), "run it inside of a checkout, or name one with --root"}
	}
	return root, nil
}

// tooWide says why a folder is no workspace of a person who runs a command there: it is the whole disk, or a home folder. One that
// contains a home folder may be one, as in containers.
func tooWide(streams *Streams, root string) string {
	return fspath.TooWide(root, slices.DeleteFunc(homes(streams.Environ), func(home string) bool { return filepath.Clean(home) != root }))
}

// ownRoot returns the workspace root of a folder for a command that runs in another root.
func ownRoot(streams *Streams, root, folder string) string {
	around := root
	if real, err := fspath.Real(root); err == nil {
		around = real
	}
	inside := fspath.Below(around, folder)
	own := fspath.FindRoot(folder)
	switch {
	case inside && fspath.IsCheckout(root):
		return root
	case fspath.IsCheckout(own):
		return own
	case inside && tooWide(streams, root) != "":
		return folder
	}
	return root // if it does not contain the folder, that is said
}

// resolveRoot returns the workspace root: that of --root or of LSP_BOOTSTRAP, else the checkout
// that contains the current folder, or that folder itself.
func (g *global) resolveRoot(streams *Streams) (string, error) {
	root, source := g.root, "--root"
	if root == "" {
		if given := lookup(streams.Environ, service.BootstrapVariable); given != "" {
			boot, err := service.ReadBootstrap(given)
			if err != nil {
				return "", &usageError{err.Error(), `for example {"workspaceRoot":"/home/you/project"}`}
			}
			root, source = boot.Root, service.BootstrapVariable+".workspaceRoot"
		}
	}
	if root == "" {
		return fspath.FindRoot(streams.Dir), nil
	}
	return folder(streams, source, root)
}

// folder returns the absolute path of an existing folder. Errors refer to source as the place where
// it is named.
func folder(streams *Streams, source, dir string) (string, error) {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(streams.Dir, dir)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return "", &usageError{fmt.Sprintf("%s: %v", source, err), "name an existing folder"}
	}
	if !info.IsDir() {
		return "", &usageError{fmt.Sprintf("%s: %s is not a folder", source, dir), "name the folder that holds it"}
	}
	return dir, nil
}
