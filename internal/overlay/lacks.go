package overlay

import (
	"errors"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/symbols"
)

// Lacks tells what projects lack that their servers need. It must be safe for concurrent use.
type Lacks interface {
	// Note says what is missing that can change the answer of a server to a method; "" for
	// nothing.
	Note(c *roots.Candidate, path, method string) string
	// Refused is told that a server refused to answer for a file, and returns what it cannot load
	// its project without, if that is missing.
	Refused(d *registry.Definition, key roots.Key, path string) diagnostics.Lack
	// Renew stops a server that has to start again to load the project of a file.
	Renew(d *registry.Definition, key roots.Key, path string)
}

// explain names the program that a server of this access lacks, if it refused to answer, and what the projects lack in which a name was
// not found.
func (a *Access) explain(err error) error {
	var missing *symbols.NotFoundError
	if errors.As(err, &missing) { // it may be there
		a.mu.Lock()
		defer a.mu.Unlock()
		missing.Advice = strings.Join(append(slices.Clone(a.notes), missing.Advice), "\n")
		return err
	}
	var refused *jsonrpc.ResponseError
	if !errors.As(err, &refused) {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, s := range a.last {
		path, asked := a.about[id]
		if !asked {
			path = s.Root()
		}
		if lack := a.lacks.Refused(s.Definition(), roots.Key{ID: s.Definition().ID, Root: s.Root()}, path); lack.Missing != "" {
			return &LackError{lack, err}
		}
	}
	return err
}

// renew has a server stopped that has to start again to load the project of a file: at its first
// use, so that all of a request is asked of the same.
func (a *Access) renew(c *roots.Candidate, path string) {
	a.mu.Lock()
	known := a.renewed[c.Key()]
	a.renewed[c.Key()] = true
	a.mu.Unlock()
	if !known && c.Unavailable == nil {
		a.lacks.Renew(&c.Definition, c.Key(), path)
	}
}

// lack notes what the set-up of a file's project lacks, if that can change the answer.
func (a *Access) lack(c *roots.Candidate, path, method string) {
	a.note(a.lacks.Note(c, path, method))
	if symbols.OfProject(method) && a.lacks.Note(c, path, "textDocument/references") != "" {
		a.mu.Lock()
		a.partial = true
		a.mu.Unlock()
	}
}

// note adds a note for the caller, unless it is "".
func (a *Access) note(note string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if note != "" && !slices.Contains(a.notes, note) {
		a.notes = append(a.notes, note)
	}
}

// A LackError says that a server refused to answer, and what its project lacks.
type LackError struct {
	Lack diagnostics.Lack
	Err  error
}

func (e *LackError) Error() string { return e.Lack.Missing + ": " + e.Err.Error() }

func (e *LackError) Unwrap() error { return e.Err }

// Hint is the command that fixes it.
func (e *LackError) Hint() string { return e.Lack.Next }
