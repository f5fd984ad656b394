package child

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// ofOneCommand are the variables by which git tells its hooks and aliases about the command that runs them: they are
// wrong as soon as that command ends. Its index, for example, is a file that is then gone.
var ofOneCommand = []string{
	"GIT_INDEX_FILE", "GIT_PREFIX", "GIT_IMPLICIT_WORK_TREE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE", "GIT_QUARANTINE_PATH", "GIT_REFLOG_ACTION",
	"GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE",
	"GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS",
}

// ofARepository are the variables that name a repository. git sets them for hooks, and users do whose repository is not
// where their files are.
var ofARepository = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
}

// Environ returns the environment in which git, and whatever may run it, answers for an absolute folder: what is in the
// folder decides, and not which command of git we were started by. Variables that name a repository stay only where the
// folder is in none that git finds by itself.
func Environ(folder string, environ []string) []string {
	without := ofOneCommand
	if IsVersioned(folder) {
		without = slices.Concat(ofOneCommand, ofARepository)
	}
	programs := "" // that git puts before those of the user
	for _, entry := range environ {
		if value, found := strings.CutPrefix(entry, "GIT_EXEC_PATH="); found {
			programs = value
		}
	}
	kept := make([]string, 0, len(environ))
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name)
		}
		if slices.Contains(without, name) {
			continue
		}
		if name == "PATH" && programs != "" {
			if path, added := strings.CutPrefix(value, programs+string(os.PathListSeparator)); added {
				entry = entry[:len(name)+1] + path
			}
		}
		kept = append(kept, entry)
	}
	return kept
}

// IsVersioned reports whether git finds a repository at or above an absolute folder, without running git.
func IsVersioned(folder string) bool {
	for {
		if _, err := os.Lstat(filepath.Join(folder, ".git")); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
		above := filepath.Dir(folder)
		if above == folder {
			return false
		}
		folder = above
	}
}
