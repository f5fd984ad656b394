package setup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/workspace"
)

// lacksModules returns a lack if go.mod requires Go modules that are not in the module cache.
// Modules of the workspace itself do not count, because downloading would not help.
func (s *Setup) lacksModules(path string, names []string) (lack diagnostics.Lack) {
	dirs := upwards(path, s.workspace.Root())
	home, _ := firstWith(dirs, language.GoMod)
	if home == "" {
		return lack
	}
	content, err := fspath.Read(filepath.Join(home, language.GoMod))
	if err != nil {
		return lack
	}
	file, err := modfile.Parse(language.GoMod, content, nil)
	if err != nil { // read it without its replace directives
		if file, err = modfile.ParseLax(language.GoMod, content, nil); err != nil {
			return lack
		}
	}
	if vendored, err := fspath.Read(filepath.Join(home, filepath.FromSlash(language.ModuleList))); err == nil {
		lack = lacksVendored(file, vendored, filepath.Join(home, "vendor"), names)
		if lack.Missing != "" {
			lack.Next = s.Within(home, "go mod vendor")
		}
		return lack
	}
	var absent []string
	own := sync.OnceValue(s.ownModules)
	for _, r := range file.Require {
		if replaced(file, r.Mod.Path) || inModuleCache(r.Mod) || slices.Contains(own(), r.Mod.Path) {
			continue
		}
		absent = append(absent, r.Mod.Path)
		for _, name := range names {
			if name == r.Mod.Path || strings.HasPrefix(name, r.Mod.Path+"/") {
				lack.Names = append(lack.Names, name)
			}
		}
	}
	if len(absent) > 0 {
		lack.Missing = "modules that go.mod requires are not downloaded: " + workspace.FirstOf(absent)
		lack.Next = s.Within(home, "go mod download")
	}
	return lack
}

// lacksVendored returns a lack if the go command would use a vendor folder that does not match
// go.mod, or that lacks packages listed in its own modules.txt.
func lacksVendored(file *modfile.File, list []byte, folder string, names []string) (lack diagnostics.Lack) {
	if file.Go == nil || project.GoBefore(file.Go.Version, "1.14") || strings.Contains(os.Getenv("GOFLAGS"), "-mod=mod") {
		return lack
	}
	has := make(map[string]bool)
	var gone []string
	for line := range strings.Lines(string(list)) {
		line = strings.TrimSpace(line)
		if header, is := strings.CutPrefix(line, "# "); is {
			has[header] = true
			name, _, _ := strings.Cut(header, " =>") // replaced
			has[name] = true
		} else if line != "" && !strings.HasPrefix(line, "#") && !isFolder(filepath.Join(folder, filepath.FromSlash(line))) {
			gone = append(gone, line)
		}
	}
	for _, r := range file.Require {
		if !has[r.Mod.Path+" "+r.Mod.Version] && !replaced(file, r.Mod.Path) {
			lack.Missing = fmt.Sprintf("vendor/modules.txt is not of this go.mod, which requires %s %s", r.Mod.Path, r.Mod.Version)
			lack.Names = names
			return lack
		}
	}
	if len(gone) > 0 {
		lack.Missing = "vendor lacks packages that vendor/modules.txt names: " + workspace.FirstOf(gone)
		for _, name := range names {
			if slices.Contains(gone, name) {
				lack.Names = append(lack.Names, name)
			}
		}
	}
	return lack
}

// ownModules returns the paths of the Go modules of the workspace.
func (s *Setup) ownModules() (paths []string) {
	files, _ := s.workspace.Files(context.Background())
	for _, path := range files {
		if filepath.Base(path) != language.GoMod {
			continue
		}
		if content, err := fspath.Read(path); err == nil {
			paths = append(paths, modfile.ModulePath(content))
		}
	}
	return paths
}

func replaced(file *modfile.File, path string) bool {
	return slices.ContainsFunc(file.Replace, func(r *modfile.Replace) bool { return r.Old.Path == path })
}

// inModuleCache reports whether a module has been downloaded. It returns true if that cannot be
// determined.
func inModuleCache(m module.Version) bool {
	path, err := module.EscapePath(m.Path)
	version, err2 := module.EscapeVersion(m.Version)
	if err != nil || err2 != nil {
		return true // an invalid path or version is an error of its own
	}
	cache := project.GoModuleCache(os.Environ())
	if cache == "" {
		return true
	}
	return exists(filepath.Join(cache, filepath.FromSlash(path)+"@"+version))
}
