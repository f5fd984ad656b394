package roots

import (
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// pluginsOf returns what the library of a candidate is told of plug-ins, and the endings of the files that it reads by these: those
// for files that the workspace has.
func (f *Finder) pluginsOf(c *Candidate) (endings []string, told json.RawMessage) {
	// As typescript-language-server and vtsls understand it; each ignores what only the other one knows.
	type plugin struct {
		Name      string   `json:"name"`
		Location  string   `json:"location"`
		Languages []string `json:"languages"`
		Always    bool     `json:"enableForWorkspaceTypeScriptVersions"`
	}
	plugins := []plugin{}
	for _, p := range c.Definition.Library.Plugins {
		if folder := f.pluginFolder(c.Binary, p); folder != "" && f.opts.Trusted && f.opts.HasEnding(p.Ending) {
			plugins, endings = append(plugins, plugin{p.Package, folder, []string{p.Language}, true}), append(endings, p.Ending)
		}
	}
	told, err := json.Marshal(plugins)
	if err != nil { // strings are never refused
		return nil, json.RawMessage("[]")
	}
	return endings, told
}

// Reads reports whether a plug-in is installed by which the server of a candidate can read files with an ending, and whether it may run.
func (f *Finder) Reads(c *Candidate, ending string) (installed, runs bool) {
	installed = c.Definition.Library != nil && slices.ContainsFunc(c.Definition.Library.Plugins, func(p registry.Plugin) bool {
		return p.Ending == ending && f.pluginFolder(c.Binary, p) != ""
	})
	return installed, installed && f.opts.Trusted
}

// pluginFolder returns the folder of a plug-in: that of the project where it may run, else one that is installed with the server, or
// with the program that brings it; "" if there is none.
func (f *Finder) pluginFolder(server string, p registry.Plugin) string {
	in := func(folder string) string {
		found := filepath.Join(folder, language.NodeFolder, filepath.FromSlash(p.Package))
		if has(found, language.PackageJSON) {
			return found
		}
		return ""
	}
	if own := in(f.opts.Root); own != "" && f.opts.Trusted {
		return own
	}
	programs := []string{server}
	for _, place := range f.places(p.With) {
		programs = append(programs, place.path)
	}
	for _, program := range programs {
		resolved, err := fspath.Program(program)
		if err != nil {
			continue
		}
		for dir := filepath.Dir(resolved); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if found := in(dir); found != "" {
				return found
			}
		}
	}
	return ""
}

// LacksPlugin reports whether a server was started without a plug-in because there was no file for it, and now there is one.
func (f *Finder) LacksPlugin(d *registry.Definition, e protocol.FileEvent) bool {
	path, err := e.URI.Path()
	if err != nil || e.Type != protocol.Created || d.Library == nil || !f.opts.Trusted {
		return false
	}
	return slices.ContainsFunc(d.Library.Plugins, func(p registry.Plugin) bool {
		if filepath.Ext(path) != p.Ending || slices.Contains(d.Reads, p.Ending) {
			return false
		}
		binary, _, _ := f.binary(*d)
		return f.pluginFolder(binary, p) != ""
	})
}
