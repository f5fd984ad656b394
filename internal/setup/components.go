package setup

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/registry"
)

// lacksPlugin adds to what a project lacks the components that a script imports and that are there, if its server does not read them:
// it takes no plug-ins, that of the framework is not installed or may not run, or the framework is not installed.
func (s *Setup) lacksPlugin(d *registry.Definition, path string, names []string, lack diagnostics.Lack) diagnostics.Lack {
	for _, p := range registry.ComponentPlugins() {
		var unread []string
		for _, name := range names {
			if strings.HasSuffix(name, p.Ending) && s.hasComponent(path, name) {
				unread = append(unread, name)
			}
		}
		if len(unread) == 0 {
			continue
		}
		of := s.plugin(d, path, p)
		if of.Missing == "" {
			continue
		}
		if len(lack.Names) == 0 { // what else is missing explains none of the names
			lack = of
		}
		lack.Names = append(slices.Clip(lack.Names), unread...)
	}
	return lack
}

// plugin returns what is missing for the server of a file to read components; nothing if it reads them.
func (s *Setup) plugin(d *registry.Definition, path string, p registry.Plugin) (lack diagnostics.Lack) {
	if d.Library == nil {
		lack.Missing = d.ID + " reads no " + p.Ending + " files: it takes no plug-ins"
		return lack
	}
	var there, runs bool
	for _, c := range s.workspace.Candidates(path) {
		if c.Definition.ID == d.ID {
			there, runs = s.workspace.Reads(&c, p.Ending)
		}
	}
	switch {
	case !there:
		lack.Missing, lack.Next = d.ID+" reads no "+p.Ending+" files without "+p.Package, p.Install
	case !runs:
		lack.Missing = d.ID + " reads " + p.Ending + " files by " + p.Package + `, which may run code of the project: it runs where "trustedRoots" of your own configuration names the folder`
	case !installed(filepath.Dir(path), p.Framework):
		dirs := upwards(path, s.workspace.Root())
		lack.Missing = p.Package + " reads no " + p.Ending + " files without the package " + p.Framework
		if home, _ := firstWith(dirs, language.PackageJSON); home != "" {
			lack.Next = s.Within(home, packageManager(dirs))
		}
	}
	return lack
}

// hasComponent reports whether there is a file that a script may mean by a module: relative to its own folder or, if the name may be
// an alias ("@/Card.vue"), below a folder above.
func (s *Setup) hasComponent(path, module string) bool {
	name := filepath.FromSlash(module)
	if strings.HasPrefix(module, ".") {
		return exists(filepath.Join(filepath.Dir(path), name))
	}
	_, rest, _ := strings.Cut(name, string(filepath.Separator))
	for _, dir := range upwards(path, s.workspace.Root()) {
		for _, below := range []string{name, rest, filepath.Join("src", name), filepath.Join("src", rest)} {
			if below != "" && exists(filepath.Join(dir, below)) {
				return true
			}
		}
	}
	return false
}
