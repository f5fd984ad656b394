package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
)

// homes are the projects elsewhere that a server kept to when it had read the disk again, by the
// path of the file that it judges by one.
type homes struct {
	mu   sync.Mutex // held while the server is asked
	kept map[string]string
}

// bringHome makes a server read the disk again that judges an open document by a project elsewhere,
// or by none, although one is nearer: when a file was replaced, tsserver drops it from its project
// until it hears of the new one, and says of a file of another project nothing that is wrong with
// its types. A file that did not change since the server was started, and was not put in its place
// since then, was not replaced. What the server keeps to after that is right.
func (s *Server) bringHome(ctx context.Context, path string) error {
	ask, reload := s.def.Diagnostics.Home, s.def.Diagnostics.Reload
	if ask == nil || reload == nil {
		return nil
	}
	s.homes.mu.Lock()
	defer s.homes.mu.Unlock()
	if at, err := placed(path); err != nil || at.Before(s.started) || !s.docs.enters(path) {
		return nil
	}
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
	if s.homes.kept == nil {
		s.homes.kept = make(map[string]string)
	}
	s.homes.kept[path] = project
	_, err = s.Diagnose(ctx, *reload, s.root)
	s.Disturb() // what it said of others may have come of that, too
	return err
}

// enters reports, once each time that a document is opened, that it is open.
func (d *documents) enters(path string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	doc := d.open[path]
	if doc == nil || doc.entered {
		return false
	}
	doc.entered = true
	return true
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
