package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// checks make the progresses of a check of several projects look like one: as long as
// some have not begun, the last that is open does not end.
type checks struct {
	title   string // the prefix of their titles, "" if nothing is expected
	missing int    // how many have not begun
	open    map[string]bool
	held    *protocol.ProgressEvent // an end that is kept back
}

// expectChecks finds out how many projects a check of the disk is made of. One folder
// has one.
func (s *Server) expectChecks(ctx context.Context, d *registry.DiskCheck) error {
	number := 1
	if d.Each != "" && len(s.Folders()) > 1 {
		raw, err := s.send(ctx, d.Each, json.RawMessage("{}"))
		if err != nil {
			return err
		}
		pattern, err := regexp.Compile(d.Number)
		if err != nil { // a test compiles those of the table
			return err
		}
		found := pattern.FindStringSubmatch(string(raw))
		if found == nil {
			return fmt.Errorf("%s does not say how many projects it checks", s.def.ID)
		}
		if number, err = strconv.Atoi(found[1]); err != nil {
			return err
		}
	}
	s.progress.mu.Lock()
	defer s.progress.mu.Unlock()
	// An end that is still kept back from an earlier check comes with the next begin.
	s.progress.checks = checks{title: d.Title, missing: number, open: make(map[string]bool), held: s.progress.checks.held}
	return nil
}

// admit returns the events that there are to note when one comes in.
func (p *progress) admit(e protocol.ProgressEvent) []protocol.ProgressEvent {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := &p.checks
	switch {
	case e.Kind == "begin" && c.title != "" && strings.HasPrefix(e.Title, c.title):
		c.missing--
		c.open[e.Token] = true
		if held := c.held; held != nil {
			c.held = nil
			if held.Token == e.Token { // it begins anew
				return []protocol.ProgressEvent{*held, e}
			}
			return []protocol.ProgressEvent{e, *held}
		}
	case e.Kind == "end" && c.open[e.Token]:
		delete(c.open, e.Token)
		if len(c.open) == 0 && c.missing > 0 {
			c.held = &e
			return nil
		}
	}
	return []protocol.ProgressEvent{e}
}
