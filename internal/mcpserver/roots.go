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

	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/workspace"
)

// rootsTimeout bounds how long a client may take to name its roots.
const rootsTimeout = 5 * time.Second

// root returns the workspace of a call, absolute with links resolved: the one it
// names, else the server's, else the client's first root, else the checkout of
// the file it names, else that of the current folder.
func (s *Server) root(ctx context.Context, ss *mcp.ServerSession, capabilities *mcp.ClientCapabilities, named, file string) (string, error) {
	root := named
	if root == "" {
		root = s.opts.Root
	}
	//lint:ignore SA1019 deprecated in the newest revision; clients of the older ones have nothing else
	if root == "" && capabilities != nil && capabilities.RootsV2 != nil {
		root = s.firstRoot(ctx, ss)
	}
	if root == "" && filepath.IsAbs(file) {
		root = workspace.FindRoot(existing(filepath.Dir(file)))
	}
	if root == "" {
		root = workspace.FindRoot(s.opts.Dir)
	}
	if !filepath.IsAbs(root) {
		root = filepath.Join(cmp.Or(s.opts.Root, s.opts.Dir), root)
	}
	resolved, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", &engine.ArgumentError{Argument: "workspace", Reason: fmt.Sprintf("%s: no such folder", root), Advice: `name an existing folder, for example workspace: "/home/you/project"`}
	}
	if info, err := os.Stat(resolved); err != nil || !info.IsDir() {
		return "", &engine.ArgumentError{Argument: "workspace", Reason: root + " is not a folder", Advice: "name the folder that holds it"}
	}
	return resolved, nil
}

// existing returns the folder, or the nearest one above it that exists.
func existing(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// firstRoot returns the client's first root that is a folder here, or "". Only
// older revisions are asked: in the newest, roots are deprecated and would cost
// every call another round trip.
func (s *Server) firstRoot(ctx context.Context, ss *mcp.ServerSession) string {
	if p := ss.InitializeParams(); p == nil || p.ProtocolVersion >= newestEra {
		return ""
	}
	own := s.session(ss)
	own.mu.Lock()
	roots, asked, generation := own.roots, own.asked, own.generation
	own.mu.Unlock()
	if !asked {
		ctx, cancel := context.WithTimeout(ctx, rootsTimeout)
		defer cancel()
		//lint:ignore SA1019 only older clients are asked
		listed, err := ss.ListRoots(ctx, &mcp.ListRootsParams{})
		if err != nil {
			s.log.Warn("the client does not name its roots", "error", err)
			return ""
		}
		for _, r := range listed.Roots {
			path, err := protocol.DocumentURI(r.URI).Path()
			if err != nil {
				s.log.Warn("a root of the client is no folder", "error", err)
				continue
			}
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				roots = append(roots, path)
			}
		}
		own.mu.Lock()
		if own.generation == generation { // else they changed while we asked
			own.roots, own.asked = roots, true
		}
		own.mu.Unlock()
	}
	if len(roots) == 0 {
		return ""
	}
	return roots[0]
}

// rootsChanged forgets the roots of a client that says that they changed.
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
