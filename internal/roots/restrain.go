package roots

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/registry"
)

// restrain keeps the server of a candidate from running anything of a workspace that is not trusted: by its restraint, or by
// not starting it.
func (f *Finder) restrain(c *Candidate) {
	e := &c.Definition.Executes
	if f.opts.Trusted || e.What == "" || e.What == registry.ExecutesNothing {
		return
	}
	runs := "it runs " + e.How
	if e.What == registry.ExecutesUnknown {
		runs = "nobody knows what of a project it runs"
	}
	untrusted := func(reason string) {
		c.Unavailable = &UnavailableError{ID: c.Definition.ID, State: Untrusted, Reason: "this checkout is not trusted, and " + reason}
	}
	if e.Restraint == nil {
		untrusted(runs)
		return
	}
	if e.Restraint.ByNode && f.guardedFolder() == "" {
		untrusted(runs + "; nothing keeps it from that where your own folder is in the checkout")
		return
	}
	if file := f.undoneBy(c.Definition.ID, e.Restraint); file != "" {
		untrusted(runs + "; what keeps it from that could be undone by " + file)
		return
	}
	c.Definition = c.Definition.Restrained()
	c.Args = slices.Concat(c.Args, e.Restraint.Args)
}

// Restrained says what the answers of a server about a file lack because the workspace is not trusted, "" if nothing.
func (f *Finder) Restrained(d *registry.Definition, path string) string {
	r := d.Executes.Restraint
	if f.opts.Trusted || r == nil || r.Lacks == "" || d.Connect != "" {
		return ""
	}
	if len(r.LacksBy) > 0 {
		if _, _, found := find(f.Detection().levels(filepath.Dir(path)), r.LacksBy); !found {
			return ""
		}
	}
	return "without " + r.Lacks + ", as this checkout is not trusted"
}

// nodeGuard keeps Node.js from loading modules of a folder.
//
//go:embed nodeguard.cjs
var nodeGuard []byte

// nodeFolder names, for nodeGuard, the folder whose modules are not loaded.
const nodeFolder = "LSPINE_NODE_LOADS_NOTHING_IN"

// guarded are the variables by which servers of a workspace that is not trusted run nothing of the checkout, whatever they are
// told: Node.js loads none of its modules, which counts more than what own, the variables of the server, says, and
// rustup takes the user's own toolchain, unless own names one. A server that runs something of a project may not start
// without them.
func (f *Finder) guarded(own []string) ([]string, error) {
	if f.opts.Trusted {
		return own, nil
	}
	all := slices.Concat(project.OwnRust(f.env), own)
	folder := f.guardedFolder()
	if folder == "" {
		return all, nil
	}
	file, err := f.nodeGuardFile()
	if err != nil {
		return own, fmt.Errorf("what keeps Node.js from loading modules of a checkout that is not trusted: %w", err)
	}
	options := fspath.Here.Variable(slices.Concat(f.env, all), "NODE_OPTIONS") + ` --require "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(file) + `"`
	return append(all, nodeFolder+"="+folder, "NODE_OPTIONS="+strings.TrimSpace(options)), nil
}

// guardedFolder returns the folder whose modules Node.js does not load: the checkout; where the user's own folder is in that, the
// workspace, or "" if the user's own folder is in the workspace too.
func (f *Finder) guardedFolder() string {
	if f.foreign.folder != "" {
		return f.foreign.folder
	}
	root, err := fspath.Real(f.opts.Root)
	if err != nil || aboveHome(root) {
		return ""
	}
	return root
}

// nodeGuardFile writes nodeGuard into the state folder, where it is not there yet.
func (f *Finder) nodeGuardFile() (string, error) {
	sum := sha256.Sum256(nodeGuard)
	base, err := f.StateFolder()
	if err != nil {
		return "", err
	}
	path := filepath.Join(base, "node-guard-"+hex.EncodeToString(sum[:8]))
	if there, err := fspath.Read(path); err == nil && string(there) == string(nodeGuard) {
		return path, nil
	}
	if err := os.MkdirAll(base, 0o700); err != nil {
		return "", err
	}
	draft, err := os.CreateTemp(base, "node-guard-*")
	if err != nil {
		return "", err
	}
	_, err = draft.Write(nodeGuard)
	if err = cmp.Or(err, draft.Close()); err == nil {
		err = os.Rename(draft.Name(), path)
	}
	if err != nil {
		_ = os.Remove(draft.Name()) // nobody reads it
	}
	return path, err
}

// StateFolder returns the folder below which all is that servers keep.
func (f *Finder) StateFolder() (string, error) {
	if f.opts.StateFolder != "" {
		return f.opts.StateFolder, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "lspine"), nil
}
