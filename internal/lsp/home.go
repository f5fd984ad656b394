package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sync/semaphore"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// homes are the projects elsewhere that a server kept to when it had read the disk again, by the
// path of the file that it judges by one.
type homes struct {
	// asking is held while the server is asked: whoever waits for it can leave.
	asking *semaphore.Weighted
	kept   map[string]string // guarded by asking
}

func newHomes() homes { return homes{semaphore.NewWeighted(1), make(map[string]string)} }

// bringHome makes a server read the disk again that judges an open document by a project elsewhere,
// or by none, although one is nearer: when a file was replaced, tsserver drops it from its project
// until it hears of the new one, and says of a file of another project nothing that is wrong with
// its types. A file that did not change since the server was started, and was not put in its place
// since then, was not replaced. What the server keeps to after that is right. If ctx ends before that
// is known, the next call asks again.
func (s *Server) bringHome(ctx context.Context, path string) error {
	ask, reload := s.def.Diagnostics.Home, s.def.Diagnostics.Reload
	if ask == nil || reload == nil {
		return nil
	}
	if at, err := placed(path); err != nil || !at.After(s.started) {
		return nil
	}
	if err := s.homes.asking.Acquire(ctx, 1); err != nil {
		return err
	}
	defer s.homes.asking.Release(1)
	doc := s.docs.entering(path)
	if doc == nil {
		return nil
	}
	if err := s.settleHome(ctx, ask, reload, path); err != nil {
		return err
	}
	s.docs.enter(doc)
	return nil
}

// settleHome asks for the project of a document, and makes the server read the disk again if it is
// one elsewhere that it has not kept to before. The caller holds asking.
func (s *Server) settleHome(ctx context.Context, ask, reload *registry.CommandCall, path string) error {
	arguments, err := s.fillIn(ask.Arguments, path)
	if err != nil {
		return err
	}
	raw, err := s.send(ctx, "workspace/executeCommand", protocol.ExecuteCommandParams(ask.Command, arguments))
	var refused *jsonrpc.ResponseError
	if err != nil && !errors.As(err, &refused) {
		return err
	}
	var answer struct {
		Body struct{ ConfigFileName string }
	}
	if err != nil || json.Unmarshal(raw, &answer) != nil || answer.Body.ConfigFileName == "" {
		return nil // it is in no project that it has loaded
	}
	project := filepath.FromSlash(answer.Body.ConfigFileName)
	if !s.isAstray(path, project) || s.homes.kept[path] == project {
		return nil
	}
	_, err = s.Diagnose(ctx, *reload, s.root)
	s.Disturb() // what it said of others may have come of that, too
	if err == nil {
		s.homes.kept[path] = project
	}
	return err
}

// entering returns an open document whose project is not settled since it was opened, or nil.
func (d *documents) entering(path string) *document {
	d.mu.Lock()
	defer d.mu.Unlock()
	if doc := d.open[path]; doc != nil && !doc.entered {
		return doc
	}
	return nil
}

// enter notes that the project of a document is settled.
func (d *documents) enter(doc *document) {
	d.mu.Lock()
	defer d.mu.Unlock()
	doc.entered = true
}

// isAstray reports whether a file has a project in its folder or above it, and this one is none of these.
func (s *Server) isAstray(path, project string) bool {
	if below, err := filepath.Rel(filepath.Dir(project), path); err == nil && filepath.IsLocal(below) {
		return false
	}
	for folder := filepath.Dir(path); ; folder = filepath.Dir(folder) {
		for _, name := range []string{language.TSConfig, language.JSConfig} {
			if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
				return true
			}
		}
		if folder == s.root || folder == filepath.Dir(folder) {
			return false
		}
	}
}
