package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
)

// rootsTimeout limits how long a client may take to report its roots.
const rootsTimeout = 5 * time.Second

// A place is the workspace of a call.
type place struct {
	root string // absolute, symbolic links resolved
	// absolute means that the client does not know the root, so answers use absolute paths.
	absolute bool
	ground   ground
}

// place returns the workspace of a call: the one that the call names, else that of the file it
// names by an absolute path, else the session's. If the session may not use that folder, it returns
// an *OutsideRootsError, and nothing is read or started there.
func (s *Server) place(ctx context.Context, ss *mcp.ServerSession, capabilities *mcp.ClientCapabilities, named, file string) (place, error) {
	g := s.ground(ctx, ss, capabilities)
	p := place{root: g.base, ground: g}
	var err error
	switch {
	case named != "":
		p.root, err = g.resolve(cmp.Or(g.home, s.opts.Dir), named)
		p.absolute = !g.holds(p.root)
	case isAbsolute(file):
		p.root, err = g.of(file)
		p.absolute = p.root != g.base
	case g.base == "":
		err = g.outside("", "")
	}
	if err != nil {
		return p, err
	}
	switch info, err := os.Stat(p.root); {
	case err != nil:
		return p, &api.ArgumentError{Argument: "workspace", Reason: fmt.Sprintf("%s: no such folder", cmp.Or(named, p.root)), Advice: `name an existing folder, for example workspace: "/home/you/project"`}
	case !info.IsDir():
		return p, &api.ArgumentError{Argument: "workspace", Reason: cmp.Or(named, p.root) + " is not a folder", Advice: "name the folder that holds it"}
	}
	return p, nil
}

// isAbsolute reports whether a file is named by an absolute path or a URI.
func isAbsolute(file string) bool {
	return filepath.IsAbs(file) || len(file) > 5 && strings.EqualFold(file[:5], "file:")
}

// existing returns the folder, or its nearest parent that exists.
func existing(dir string) string {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// clientRoots returns the client's roots that are folders on this machine. Clients of the newest
// revision are not asked: roots are deprecated there, and would cost every call another round trip.
func (s *Server) clientRoots(ctx context.Context, ss *mcp.ServerSession) []string {
	if p := ss.InitializeParams(); p == nil || p.ProtocolVersion >= newestEra {
		return nil
	}
	own := s.session(ss)
	own.mu.Lock()
	roots, asked, generation := own.roots, own.asked, own.generation
	own.mu.Unlock()
	if asked {
		return roots
	}
	ctx, cancel := context.WithTimeout(ctx, rootsTimeout)
	defer cancel()
	//lint:ignore SA1019 only older clients are asked
	listed, err := ss.ListRoots(ctx, &mcp.ListRootsParams{})
	if err != nil {
		s.log.Warn("the client does not name its roots", "error", err)
		return nil
	}
	for _, r := range listed.Roots {
		path, err := api.PathOf(r.URI)
		if err != nil {
			s.log.Warn("a root of the client is no folder", "error", err)
			continue
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			roots = append(roots, path)
		}
	}
	own.mu.Lock()
	defer own.mu.Unlock()
	if own.generation == generation { // otherwise they changed while we asked
		own.roots, own.asked = roots, true
	}
	return roots
}

// rootsChanged forgets the roots of a client that reports that they changed.
func (s *Server) rootsChanged(_ context.Context, req *mcp.RootsListChangedRequest) {
	own := s.session(req.Session)
	own.mu.Lock()
	defer own.mu.Unlock()
	own.roots, own.asked = nil, false
	own.generation++
}

// fileOf returns the path in a selector such as "src/a.go:42:7".
func fileOf(at string) string {
	at, _, _ = strings.Cut(at, " ")
	for range 2 {
		if i := strings.LastIndexByte(at, ':'); i > 0 && strings.Trim(at[i+1:], "0123456789") == "" {
			at = at[:i]
		}
	}
	return at
}
