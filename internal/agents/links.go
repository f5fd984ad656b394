package agents

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
)

// A LinkError says why a file of a project is neither written nor removed: links lead to Target, out of
// the project or into its .git. Otherwise, the author of a project could have us change any file of the person.
type LinkError struct{ Path, Target string }

func (e *LinkError) Error() string {
	return fmt.Sprintf("%s is a link out of the project, to %s", e.Path, e.Target)
}

// Hint says what else can be done.
func (e *LinkError) Hint() string {
	return "replace the link with a file, or connect the agent for yourself: --scope user"
}

// target returns the file that a path names, where links below the project or the person's folder
// lead elsewhere; "" if none do. It returns a [LinkError] for a file of the project that is not in it.
func (p *Place) target(path string) (string, error) {
	base := p.Home
	ofPerson, rest := relativeTo(p.Home, path)
	ofProject, below := relativeTo(p.Root, path)
	if around, _ := relativeTo(p.Root, p.Home); ofPerson && (around || p.Root == p.Home) {
		ofProject = false // the project is around all that the person has
	}
	switch {
	case ofProject:
		base, rest = p.Root, below
	case !ofPerson: // a folder that the person has named
		return "", nil
	}
	base, err := fspath.Follow(base)
	if err != nil {
		return "", err
	}
	target, err := fspath.Follow(path)
	if err != nil {
		return "", err
	}
	if target == filepath.Join(base, rest) {
		return "", nil
	}
	inside, below := relativeTo(base, target)
	if ofProject && (!inside || slices.Contains(strings.Split(filepath.ToSlash(below), "/"), ".git")) {
		return "", &LinkError{path, target}
	}
	return target, nil
}

// relativeTo reports whether a path is below a folder, and what follows the folder's.
func relativeTo(folder, path string) (bool, string) {
	rest, err := filepath.Rel(folder, path)
	if folder == "" || err != nil || rest == "." || !filepath.IsLocal(rest) {
		return false, ""
	}
	return true, rest
}
