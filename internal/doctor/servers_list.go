package doctor

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

// The states of servers in a list.
const (
	stateFound    = "found"
	stateMissing  = "missing"
	stateDisabled = "disabled"
)

// listServers returns every known server with its program, or with how to install it. Given a file,
// it returns only the servers that handle the file, in order of preference. It starts no server.
func (doc *Doctor) listServers(req api.ServersRequest) (result.Servers, error) {
	answer := result.Servers{Action: req.Action, Servers: []result.ServerState{}}
	if req.File != "" {
		path, err := doc.opts.Names.Resolve(req.File)
		if err != nil {
			return answer, err
		}
		if answer.Servers = append(answer.Servers, doc.listedFor(path)...); len(answer.Servers) == 0 {
			return answer, &api.ArgumentError{Argument: "file", Reason: doc.opts.Names.Relative(path) + ": no server knows this kind of file", Advice: "without a file all known servers are listed"}
		}
	} else {
		answer.Servers = append(answer.Servers, doc.listedAll()...)
	}
	answer.Servers = slices.DeleteFunc(answer.Servers, func(s result.ServerState) bool {
		d, _ := doc.opts.Config.Servers.Get(s.ID)
		return req.State != "" && s.State != req.State || !concerns(req, &d)
	})
	return answer, nil
}

// listedAll returns every known server, by id.
func (doc *Doctor) listedAll() []result.ServerState {
	var list []result.ServerState
	for _, status := range doc.opts.Workspace.Statuses() {
		if slices.ContainsFunc(list, func(s result.ServerState) bool { return s.ID == status.ID }) {
			continue // it also runs for another root
		}
		d, _ := doc.opts.Config.Servers.Get(status.ID)
		s := doc.stateFor(&d)
		s.Binary = cmp.Or(status.Binary, d.Connect)
		switch {
		case status.State == roots.Disabled:
			s.State, s.Reason = stateDisabled, status.Reason
		case s.Binary == "":
			s.State, s.Install = stateMissing, doc.runnableFirst(d.Install)
			if reason := status.Reason; !strings.HasSuffix(reason, "not found in PATH") {
				s.Reason = reason
			}
		case d.OptIn:
			s.Reason = "only for those who name it in the configuration"
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b result.ServerState) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// listedFor returns the servers that handle a file.
func (doc *Doctor) listedFor(path string) []result.ServerState {
	var list []result.ServerState
	for _, x := range doc.opts.Workspace.Examine(path) {
		d := &x.Definition
		s := doc.stateFor(d)
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
			s.State, s.Install = stateMissing, doc.runnableFirst(d.Install)
			s.Reason = cmp.Or(s.Reason, strings.Join(obstacles, ", "))
		case s.Reason == "" && x.Marker == "" && !d.SingleFile:
			s.Reason = "no " + workspace.AnyOf(d.Roots) + " in or above the file's folder"
		}
		list = append(list, s)
	}
	return list
}

func (doc *Doctor) stateFor(d *registry.Definition) result.ServerState {
	s := result.ServerState{ID: d.ID, State: stateFound, Tested: "listed", Languages: []string{}}
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

// runnableFirst moves the first install command that can run on this machine to the front.
func (doc *Doctor) runnableFirst(install []string) []string {
	first := doc.opts.Workspace.FirstRunnable(install)
	if first == "" {
		return install
	}
	return append([]string{first}, slices.DeleteFunc(slices.Clone(install), func(line string) bool { return line == first })...)
}
