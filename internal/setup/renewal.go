package setup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// lacking holds the names that a server did not find in a file because what declares them is
// missing from the project.
type lacking struct {
	path  string
	names []string
}

// loads are what decided how a server loaded its projects; see [Setup.loadedWith].
type loads struct {
	// path is the first file that it was asked about, and state what decided before it started.
	path, state string
	// failed has those of the projects that it could not load, by the folders of files in them.
	failed map[string]string
	// installed is what was installed for the files of each folder when it was first asked about one.
	installed map[string]installation
}

// An installation is a set of installed packages: the places where an installer leaves its marks, and
// the state that they were in.
type installation struct {
	places []string
	state  string
}

// Refused is told that a server refused to answer for a file. It returns what [Setup.Without] does, and
// has [Setup.Renew] know, if a server says in no other way that it could not load a project.
func (s *Setup) Refused(d *registry.Definition, key workspace.Key, path string) diagnostics.Lack {
	if len(d.Diagnostics.ProjectFiles) == 0 {
		s.remember(d, key, path)
	}
	return s.Without(d, path)
}

// remember notes that a server could not load the project of a file, for [Setup.Renew].
func (s *Setup) remember(d *registry.Definition, key workspace.Key, path string) {
	if len(d.RenewedBy) == 0 {
		return
	}
	s.mu.Lock()
	l, dir := s.loads[key], filepath.Dir(path)
	known := l == nil || l.failed[dir] != ""
	s.mu.Unlock()
	if known {
		return
	}
	state := l.state // what has changed since the server started counts
	if dir != filepath.Dir(l.path) {
		state = s.loadedWith(d, path)
	}
	s.workspace.DropState(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	l.failed[dir] = state
}

// Renew is called before a server is asked about a file. It stops the server if what its project
// lacked is no longer missing, if other packages are installed than before, or if it could not load
// the project and the project has changed: servers look for packages and load projects only when they
// start. It returns once the server has ended; the next request starts it again.
func (s *Setup) Renew(d *registry.Definition, key workspace.Key, path string) {
	found, changed := s.found(d, key), s.changed(d, key, path)
	if found || changed {
		ctx, cancel := context.WithTimeout(context.Background(), renewGrace)
		defer cancel()
		s.workspace.Stop(ctx, key)
	}
}

// renewGrace bounds how long a server may take to end before it is restarted.
const renewGrace = 500 * time.Millisecond

// found reports whether the names that a server did not find are no longer missing, once.
func (s *Setup) found(d *registry.Definition, key workspace.Key) bool {
	s.mu.Lock()
	former, lacked := s.lacking[key]
	s.mu.Unlock()
	if !lacked || len(s.Lacks(d, former.path, former.names).Names) > 0 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ours := s.lacking[key]
	delete(s.lacking, key)
	return ours
}

// changed reports whether other packages are installed for a file than when the server was first asked
// about its folder, or whether its project, which the server could not load, has changed since; each
// change once. It remembers with what a server is about to start.
func (s *Setup) changed(d *registry.Definition, key workspace.Key, path string) bool {
	dir := filepath.Dir(path)
	s.mu.Lock()
	l := s.loads[key]
	failed, installed, known := "", installation{}, false
	if l != nil {
		failed = l.failed[dir]
		installed, known = l.installed[dir]
	}
	s.mu.Unlock()
	others := known && versions(installed.places) != installed.state
	if !known || others {
		installed = s.installedFor(d, path)
	}
	if l != nil && !others && (failed == "" || failed == s.loadedWith(d, path)) {
		s.mu.Lock()
		defer s.mu.Unlock()
		l.installed[dir] = installed
		return false
	}
	now := &loads{path: path, failed: make(map[string]string), installed: map[string]installation{dir: installed}}
	if len(d.RenewedBy) > 0 {
		now.state = s.loadedWith(d, path)
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
// and which versions there are of the files that say what it consists of. It is never "".
func (s *Setup) loadedWith(d *registry.Definition, path string) string {
	lack := s.Naming(s.workspace.Names("")).Lacks(d, path, nil) // in the same words for all callers
	state := filepath.Dir(path) + "\n" + lack.Missing + "\n"
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

// installedFor returns what is installed for a file: in the folders of packages above it, or in the
// Python environment of its project.
func (s *Setup) installedFor(d *registry.Definition, path string) installation {
	var places []string
	spoken, _ := d.LanguageID(path)
	if p, found := language.PackagesOf(language.ID(spoken)); found {
		for _, dir := range upwards(path, s.workspace.Root()) {
			folder := filepath.Join(dir, p.Folder)
			places = append(places, filepath.Join(dir, p.Map))
			if _, mark := firstWith([]string{folder}, p.Marks...); mark != "" {
				places = append(places, filepath.Join(folder, mark))
			} else { // a package that comes or goes changes the folder
				places = append(places, folder)
			}
		}
	} else if language.ID(spoken) == language.Python && d.Symptoms != nil {
		environment, _ := s.workspace.Python(filepath.Dir(path))
		places = environment.Paths
	}
	return installation{places, versions(places)}
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
