package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/result"
)

// A ground is the set of folders that a session may use: servers run and files are written only in
// them and below. All paths are absolute, with symbolic links resolved.
type ground struct {
	// base is the workspace of calls that name none: the one that the session chose, else home; ""
	// if there is none.
	base, home string
	// fixed means that somebody chose base, or that it is a checkout. A checkout inside it then
	// belongs to it.
	fixed   bool
	allowed []string // including base
	// refused says why the folder in which the process was started may not be used, "" if it may.
	refused string
}

// ground returns the folders that a session may use: the root of the options, else the client's
// roots (not of a visitor with a name, who is not the user and must not choose), else the folder in which the process was
// started or its checkout; plus the folders that the user allows. Only the user can allow a home folder or the whole disk.
func (s *Server) ground(ctx context.Context, ss *mcp.ServerSession, capabilities *mcp.ClientCapabilities) ground {
	g := ground{fixed: true}
	if s.opts.Root != "" {
		g.allow(s.opts.Root)
	} else {
		//lint:ignore SA1019 deprecated in the newest revision; clients of the older ones have nothing else
		if capabilities != nil && capabilities.RootsV2 != nil && visitorOf(ctx).Name == "" && visitorOf(ctx).Workspace == "" {
			for _, root := range s.clientRoots(ctx, ss) {
				if why := fspath.TooWide(root, s.opts.Homes); why != "" {
					s.log.Warn("a root of the client is not used", "root", root, "reason", why)
					continue
				}
				g.allow(root)
			}
		}
		if len(g.allowed) == 0 {
			s.startFolder(&g)
		}
	}
	for _, root := range s.opts.Allow {
		g.allow(root)
	}
	g.visit(visitorOf(ctx))
	if len(g.allowed) > 0 {
		g.base = g.allowed[0]
	}
	g.home = g.base
	if ss == nil {
		return g
	}
	if chosen := s.session(ss).chosenRoot(); chosen != "" && g.around(chosen) != "" { // the allowed folders may have changed
		g.base, g.fixed = chosen, true
	}
	return g
}

// startFolder allows the checkout that contains the folder in which the process was started, else
// that folder.
func (s *Server) startFolder(g *ground) {
	for _, dir := range []string{fspath.FindRoot(s.opts.Dir), s.opts.Dir} {
		why := fspath.TooWide(dir, s.opts.Homes)
		if why == "" {
			g.allow(dir)
			g.fixed = fspath.IsCheckout(dir)
			g.refused = ""
			return
		}
		g.refused = fmt.Sprintf("it was started in %s, which is %s", dir, why)
	}
}

// allow adds a folder.
func (g *ground) allow(root string) {
	resolved, err := fspath.Follow(filepath.Clean(root))
	if err == nil && filepath.IsAbs(resolved) && !slices.Contains(g.allowed, resolved) && !inMetadata(resolved) {
		g.allowed = append(g.allowed, resolved)
	}
}

// holds reports whether a path is in the base.
func (g *ground) holds(path string) bool { return g.base != "" && fspath.Below(g.base, path) }

// inMetadata reports whether a path is in a folder of version control, or is one: what stands in there names programs that are run.
func inMetadata(path string) bool {
	return slices.ContainsFunc(fspath.Here.Segments(path), fspath.Here.IsMetadata)
}

// around returns the innermost allowed folder that contains a resolved path, "" if none does.
func (g *ground) around(path string) (root string) {
	if inMetadata(path) {
		return ""
	}
	for _, allowed := range g.allowed {
		if fspath.Below(allowed, path) && len(allowed) > len(root) {
			root = allowed
		}
	}
	return root
}

// resolve returns the path that a caller names, with symbolic links resolved, if the session may
// use it.
func (g *ground) resolve(dir, named string) (string, error) {
	path, err := fspath.Named(dir, named)
	if err != nil {
		return "", fmt.Errorf("%s: %w", named, err)
	}
	resolved, err := fspath.Follow(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", named, err)
	}
	if g.around(resolved) == "" {
		target := ""
		if resolved != path {
			target = resolved
		}
		return "", g.outside(named, target)
	}
	return resolved, nil
}

// of returns the workspace of a file given by an absolute path.
func (g *ground) of(file string) (string, error) {
	path, err := g.resolve(g.base, file)
	if err != nil {
		return "", err
	}
	if g.fixed && g.holds(path) {
		return g.base, nil
	}
	allowed := g.around(path)
	if checkout := fspath.FindRoot(existing(filepath.Dir(path))); fspath.Below(allowed, checkout) && fspath.IsCheckout(checkout) {
		return checkout, nil
	}
	return allowed, nil
}

// outside returns the error for a path that may not be used.
func (g *ground) outside(path, target string) error {
	return &OutsideRootsError{Path: path, Target: target, Allowed: g.allowed, Refused: g.refused}
}

// An OutsideRootsError says that a path is in none of the folders that a session may use.
type OutsideRootsError struct {
	// Path is as the caller named it, "" if it named none. Target is where a symbolic link leads,
	// or "".
	Path, Target string
	// Allowed are the folders that may be used. If there are none, Refused says why.
	Allowed []string
	Refused string
}

func (e *OutsideRootsError) Error() string {
	path := e.Path
	if e.Target != "" {
		path += " leads to " + e.Target + ", which"
	}
	switch {
	case len(e.Allowed) > 0:
		return fmt.Sprintf("%s is outside of what this session may use: %s", path, strings.Join(e.Allowed, ", "))
	case e.Path == "":
		return "this session has no folder to work in: " + e.Refused
	}
	return fmt.Sprintf("%s is outside: this session has no folder to work in, since %s", path, e.Refused)
}

// Kind returns result.Outside.
func (e *OutsideRootsError) Kind() result.Kind { return result.Outside }

// wayOut is what the user can do; a model should ask the user.
const wayOut = `only the user can allow more: lspine mcp --root FOLDER or --allow-root FOLDER, or "allowRoots" in his own configuration`

// Hint says what to do.
func (e *OutsideRootsError) Hint() string { return wayOut }

// advised adds to an error about a path outside the workspace what can be done.
func (p *place) advised(err *result.Error) *result.Error {
	if err.Kind != result.Outside {
		return err
	}
	advised := *err
	if err.Data.Folder != "" {
		advised.Hint = "what is in there is changed by git alone"
		return &advised
	}
	advised.Hint = wayOut
	if absolute, e := fspath.Named(p.root, cmp.Or(err.Data.Target, err.Data.Path)); e == nil {
		if other := p.ground.around(absolute); other != "" {
			advised.Hint = fmt.Sprintf("a call stays in one workspace: make another one for it, with workspace: %q", other)
		}
	}
	return &advised
}

// checkFolders rejects folders in arguments that the session may not use.
func (p *place) checkFolders(operation string, args arguments) error {
	if operation != "workspace_folders" && operation != "cross_repo_references" {
		return nil
	}
	text, err := json.Marshal(args)
	if err != nil {
		return err
	}
	var further struct {
		Add           []string `json:"add"`
		ConsumerRoots []string `json:"consumer_roots"`
	}
	_ = json.Unmarshal(text, &further) // the operation reads it the same way and reports what is wrong
	for _, named := range slices.Concat(further.Add, further.ConsumerRoots) {
		if _, err := p.ground.resolve(p.root, named); err != nil {
			return err
		}
	}
	return nil
}
