package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/workspace"
)

// The states of servers in a list.
const (
	stateFound    = "found"
	stateMissing  = "missing"
	stateDisabled = "disabled"
)

// listServers tells of every known server where it is, or how one gets it; with a
// file only of those that know it, in the order of preference. Nothing is started.
func (e *Engine) listServers(req ServersRequest) (ServersResult, error) {
	result := ServersResult{Action: req.Action, Servers: []render.ServerState{}}
	if req.File != "" {
		path, err := e.workspace.Resolve(e.base(), req.File)
		if err != nil {
			return result, err
		}
		if result.Servers = append(result.Servers, e.listedFor(path)...); len(result.Servers) == 0 {
			return result, &ArgumentError{"file", e.relative(path) + ": no server knows this kind of file", "without a file all known servers are listed"}
		}
	} else {
		result.Servers = append(result.Servers, e.listedAll()...)
	}
	result.Servers = slices.DeleteFunc(result.Servers, func(s render.ServerState) bool {
		d, _ := e.opts.Config.Servers.Get(s.ID)
		return req.State != "" && s.State != req.State || !req.concerns(&d)
	})
	return result, nil
}

// listedAll returns every known server, by id.
func (e *Engine) listedAll() []render.ServerState {
	var list []render.ServerState
	for _, status := range e.workspace.Statuses() {
		if slices.ContainsFunc(list, func(s render.ServerState) bool { return s.ID == status.ID }) {
			continue // it runs for another root, too
		}
		d, _ := e.opts.Config.Servers.Get(status.ID)
		s := e.stateFor(&d)
		s.Binary = cmp.Or(status.Binary, d.Connect)
		switch {
		case status.State == workspace.Disabled:
			s.State, s.Reason = stateDisabled, status.Reason
		case s.Binary == "":
			s.State, s.Install = stateMissing, e.runnableFirst(d.Install)
			if reason := status.Reason; !strings.HasSuffix(reason, "not found in PATH") {
				s.Reason = reason
			}
		case d.OptIn:
			s.Reason = "only for those who name it in the configuration"
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b render.ServerState) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// listedFor returns the servers that know a file.
func (e *Engine) listedFor(path string) []render.ServerState {
	var list []render.ServerState
	for _, x := range e.workspace.Examine(path) {
		d := &x.Definition
		s := e.stateFor(d)
		s.Root, s.Reason, s.Binary = x.Root, whyPassed(x), d.Connect
		var obstacles []string
		for _, search := range x.Searched {
			if search.Obstacle == "" {
				s.Binary = search.Path
			} else if !strings.HasSuffix(search.Obstacle, "not found in PATH") {
				obstacles = append(obstacles, search.Obstacle)
			}
		}
		switch {
		case d.Disabled:
			s.State = stateDisabled
		case s.Binary == "":
			s.State, s.Install = stateMissing, e.runnableFirst(d.Install)
			s.Reason = cmp.Or(s.Reason, strings.Join(obstacles, ", "))
		case s.Reason == "" && x.Marker == "" && !d.SingleFile:
			s.Reason = "no " + anyOf(d.Roots) + " in or above the file's folder"
		}
		list = append(list, s)
	}
	return list
}

func (e *Engine) stateFor(d *registry.Definition) render.ServerState {
	s := render.ServerState{ID: d.ID, State: stateFound, Tested: "listed", Languages: []string{}}
	if d.Tested == registry.CI {
		s.Tested = "proven"
	}
	for _, l := range d.Languages {
		if !slices.Contains(s.Languages, l.ID) {
			s.Languages = append(s.Languages, l.ID)
		}
	}
	return s
}

// runnableFirst puts the command that can be run here before the others.
func (e *Engine) runnableFirst(install []string) []string {
	first := e.workspace.FirstRunnable(install)
	return append([]string{first}, slices.DeleteFunc(slices.Clone(install), func(line string) bool { return line == first })...)
}
