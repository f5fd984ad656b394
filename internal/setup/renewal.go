package setup

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/registry"
)

// lacking holds the names that a server did not find in a file because what declares them is
// missing from the project, or the program that it did not find.
type lacking struct {
	path    string
	names   []string
	program string
}

// loads are what decided how a server loaded its projects; see [Setup.loadedWith].
type loads struct {
	// first is how it loaded the project of the first file that it was asked about.
	first load
	// failed are the projects that it could not load, by their folders.
	failed map[string]load
	// installed is what was installed in a folder or an environment when the server was first asked
	// about a file that it is for.
	installed map[string]installation
	// environments are those of Python, by the folders of files; "" for none.
	environments map[string]string
}

// A load is what decided, before a server started, how it loaded the project of a file.
type load struct{ path, state string }

// An installation is a set of installed packages: the places where an installer leaves its marks, and
// the state that they were in.
type installation struct {
	places []string
	state  string
}

// Refused is told that a server refused to answer for a file. It returns what [Setup.Without] does, and
// has [Setup.Renew] know, if a server says in no other way that it could not load a project.
func (s *Setup) Refused(d *registry.Definition, key roots.Key, path string) diagnostics.Lack {
	if len(d.Diagnostics.ProjectFiles) == 0 {
		s.remember(d, key, path)
	}
	return s.Without(d, path)
}

// remember notes that a server could not load the project of a file, for [Setup.Renew].
func (s *Setup) remember(d *registry.Definition, key roots.Key, path string) {
	if len(d.RenewedBy) == 0 {
		return
	}
	home := s.homeOf(d, path)
	s.mu.Lock()
	l := s.loads[key]
	known := l == nil || l.failed[home].path != ""
	s.mu.Unlock()
	if known {
		return
	}
	now := l.first // what has changed since the server started counts
	if home != s.homeOf(d, now.path) {
		now = load{path, s.loadedWith(d, path)}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l.failed[home] = now
}

// homeOf returns the folder of the project that a file is in: the nearest with a file by which the
// server loads projects.
func (s *Setup) homeOf(d *registry.Definition, path string) string {
	home, _ := firstWith(upwards(path, s.workspace.Root()), d.RenewedBy...)
	return home
}

// Renew is called before a server is asked about a file. It stops the server if what its project
// lacked is no longer missing, if other packages are installed than before, or if it could not load
// the project and the project has changed: servers look for packages and load projects only when they
// start. It returns once the server has ended; the next request starts it again.
func (s *Setup) Renew(d *registry.Definition, key roots.Key, path string) {
	found, changed := s.found(d, key), s.changed(d, key, path)
	if found || changed {
		ctx, cancel := context.WithTimeout(context.Background(), renewGrace)
		defer cancel()
		s.workspace.Stop(ctx, key)
	}
}

// renewGrace bounds how long a server may take to end before it is restarted.
const renewGrace = 500 * time.Millisecond

// found reports whether what a server did not find is no longer missing, once.
func (s *Setup) found(d *registry.Definition, key roots.Key) bool {
	s.mu.Lock()
	former, lacked := s.lacking[key]
	s.mu.Unlock()
	if !lacked || former.program == "" && len(s.Lacks(d, former.path, former.names).Names) > 0 {
		return false
	}
	if _, err := s.workspace.LookPath(former.program); former.program != "" && err != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ours := s.lacking[key]
	delete(s.lacking, key)
	return ours
}

// changed reports whether other packages are installed for a file than when the server was first asked
// about one that they are for, or whether a project that the server could not load has changed since;
// each change once. It remembers with what a server is about to start.
func (s *Setup) changed(d *registry.Definition, key roots.Key, path string) bool {
	s.mu.Lock()
	l := s.loads[key]
	var failed []load
	if l != nil {
		failed = slices.Collect(maps.Values(l.failed))
	}
	s.mu.Unlock()
	if l != nil && !s.othersInstalled(d, l, path) && !slices.ContainsFunc(failed, func(f load) bool { return f.state != s.loadedWith(d, f.path) }) {
		return false
	}
	now := &loads{failed: make(map[string]load), installed: make(map[string]installation), environments: make(map[string]string)}
	s.othersInstalled(d, now, path)
	if len(d.RenewedBy) > 0 {
		now.first = load{path, s.loadedWith(d, path)}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loads[key] != l {
		return false
	}
	s.loads[key] = now
	return l != nil
}

// loadedWith returns what decides how a server loads the project of a file: what is missing from it,
// and which versions there are of the files that say what it consists of.
func (s *Setup) loadedWith(d *registry.Definition, path string) string {
	lack := s.Naming(s.workspace.Names("")).Lacks(d, path, nil) // in the same words for all callers
	state := lack.Missing + "\n"
	if d.Runs() == "jdtls" {
		state += s.downloadedJava() + "\n"
	}
	var files []string
	for _, dir := range upwards(path, s.workspace.Root()) {
		for _, name := range d.RenewedBy {
			files = append(files, filepath.Join(dir, filepath.FromSlash(name)))
		}
	}
	return state + versions(files)
}

// javaKept is how long it is believed which Java libraries are downloaded: that many names are read for
// it, and once for each file of a request.
const javaKept = time.Second

// downloadedJava identifies the set of Java libraries that are downloaded, as text.
func (s *Setup) downloadedJava() string {
	s.mu.Lock()
	kept := s.java
	s.mu.Unlock()
	if time.Since(kept.at) < javaKept {
		return kept.text
	}
	text := s.workspace.DownloadedJava()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.java = note{text, time.Now()}
	return text
}

// othersInstalled reports whether other packages are installed for a file than l has noted: in the
// folders of packages above it, or in the Python environment of its project. It notes those that are
// new to it.
func (s *Setup) othersInstalled(d *registry.Definition, l *loads, path string) (others bool) {
	spoken, _ := d.LanguageID(path)
	if p, found := language.PackagesOf(language.ID(spoken)); found {
		for _, dir := range upwards(path, s.workspace.Root()) {
			others = s.differs(l, dir, func() []string { return marksIn(dir, p) }) || others
		}
	} else if language.ID(spoken) == language.Python && d.Symptoms != nil {
		s.mu.Lock()
		environment, known := l.environments[filepath.Dir(path)]
		s.mu.Unlock()
		var paths []string
		if !known {
			e, _ := s.workspace.Python(filepath.Dir(path))
			environment, paths = e.Dir, e.Paths
			s.mu.Lock()
			l.environments[filepath.Dir(path)] = environment
			s.mu.Unlock()
		}
		others = environment != "" && s.differs(l, environment, func() []string { return paths })
	}
	return others
}

// differs reports whether an installation is another one than l has noted. It notes one that is new to
// it, with the places where its marks are.
func (s *Setup) differs(l *loads, name string, marks func() []string) bool {
	s.mu.Lock()
	noted, known := l.installed[name]
	s.mu.Unlock()
	if known {
		return versions(noted.places) != noted.state
	}
	places := marks()
	now := installation{places, versions(places)}
	s.mu.Lock()
	defer s.mu.Unlock()
	l.installed[name] = now
	return false
}

// marksIn returns where the marks of installations in a folder are. Where there is none, a package that
// comes or goes changes the folder of packages itself.
func marksIn(dir string, p language.Packages) []string {
	mark := filepath.Join(dir, p.Folder)
	if _, name := firstWith([]string{mark}, p.Marks...); name != "" {
		mark = filepath.Join(mark, name)
	}
	return []string{mark, filepath.Join(dir, p.Map)}
}

// versions returns which versions there are of files and folders.
func versions(places []string) string {
	var state strings.Builder
	for _, place := range places {
		if info, err := os.Stat(place); err == nil {
			_, _ = fmt.Fprintf(&state, "%s %d %d\n", place, info.Size(), info.ModTime().UnixNano()) // no error (strings.Builder)
		}
	}
	return state.String()
}
