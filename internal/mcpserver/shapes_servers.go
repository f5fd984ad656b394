package mcpserver

import (
	"path"
	"slices"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/skills"
)

type folder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

type folders struct {
	result.Head
	Folders []folder `json:"workspace_folders"`
}

var foldersShape = alone(func(f *result.Folders) folders {
	out := folders{Head: f.Head, Folders: []folder{}}
	for _, one := range f.Folders {
		out.Folders = append(out.Folders, folder{api.FileURI(one.Path), path.Base(one.Path)})
	}
	return out
})

type installed struct {
	Language string `json:"language"`
	Server   string `json:"server"`
	Path     string `json:"path"`
}

type detected struct {
	result.Head
	Languages    []string    `json:"workspace_languages"`
	Installed    []installed `json:"installed_servers"`
	NotInstalled []string    `json:"not_installed"`
}

var detectedShape = alone(func(s *result.Servers) detected {
	out := detected{Head: s.Head, Languages: orNone(s.Languages), Installed: []installed{}, NotInstalled: []string{}}
	for i := range s.Servers {
		server := &s.Servers[i]
		if server.Binary == "" {
			out.NotInstalled = append(out.NotInstalled, server.ID)
			continue
		}
		for _, language := range server.Languages {
			out.Installed = append(out.Installed, installed{language, server.ID, server.Binary})
		}
	}
	return out
})

type offered struct {
	result.Head
	Name        string                      `json:"server_name"`
	Version     string                      `json:"server_version"`
	Supported   []string                    `json:"supported_tools"`
	Unsupported []string                    `json:"unsupported_tools"`
	Skills      []string                    `json:"skills"`
	Servers     []result.ServerCapabilities `json:"capabilities"`
}

// capabilitiesShape returns the shape of what running servers support. Name, version, tools and
// skills are those of the first server; capabilities has all servers, each with its operations.
// Tools that need no server are always supported.
func capabilitiesShape() *shape {
	return alone(func(c *result.Capabilities) offered {
		out := offered{Head: c.Head, Supported: []string{}, Unsupported: []string{}, Skills: []string{}, Servers: orNone(c.Servers)}
		if len(c.Servers) == 0 {
			return out
		}
		first := &c.Servers[0]
		out.Name, out.Version = first.Name, first.Version
		for _, t := range fullTools() {
			if slices.Contains(first.Missing, t.operation) {
				out.Unsupported = append(out.Unsupported, t.name)
			} else {
				out.Supported = append(out.Supported, t.name)
			}
		}
		for _, skill := range skills.All() { // skills name operations by our own names
			if !slices.ContainsFunc(skill.Tools, func(name string) bool { return slices.Contains(first.Missing, name) }) {
				out.Skills = append(out.Skills, peerPrefix+skill.Name)
			}
		}
		return out
	})
}

type reference struct {
	location
	Repo string `json:"repo"`
}

type crossReferences struct {
	result.Head
	Symbol     string      `json:"symbol"`
	References []reference `json:"references"`
	Total      int         `json:"total"`
}

var crossShape = alone(func(c *result.CrossReferences) crossReferences {
	out := crossReferences{Head: c.Head, Symbol: c.Symbol, References: []reference{}, Total: c.Total}
	for _, r := range c.Repositories {
		for _, f := range r.Files {
			for _, p := range f.Places {
				out.References = append(out.References, reference{locationAt(f.Path, &p), r.Root})
			}
		}
	}
	return out
})
