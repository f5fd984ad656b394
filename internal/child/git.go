package child

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// harmless are settings of git that no file of a checkout can make otherwise, with which git runs no program that the
// configuration of a repository names, takes no folder for a repository that only looks like a bare one, and writes no index: for that it
// takes the lock, and then another git of the user fails. So git diff lists files that only have another time.
var harmless = []string{"core.fsmonitor=false", "core.hooksPath=" + os.DevNull, "safe.bareRepository=explicit", "diff.autoRefreshIndex=false"}

// Git returns the command that runs a git in a folder, with an environment and arguments, until ctx ends. It is the one
// way in which git is run: what the configuration of a checkout names does not run. What is left are the filters of files
// that it may define, for which see [WithoutFilters], and what brings the objects of a partial clone, see [GitAlone].
func Git(ctx context.Context, git, folder string, environ []string, args ...string) *exec.Cmd {
	var all []string
	for _, setting := range harmless {
		all = append(all, "-c", setting)
	}
	if at := slices.Index(args, "diff"); at >= 0 {
		args = slices.Insert(slices.Clone(args), at+1, "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty")
	}
	cmd := Command(ctx, git, append(all, args...)...)
	cmd.Dir = folder
	cmd.Env = append(slices.Clone(environ), "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	return cmd
}

// GitAlone are variables by which git fetches nothing: a repository can name the program that fetches.
var GitAlone = []string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"}

// WithoutFilters returns arguments of git, before its command, that switch filters off. They clean files before these are
// compared, and are programs that a configuration names.
func WithoutFilters(names []string) []string {
	var args []string
	for _, name := range names {
		for _, setting := range []string{"clean=", "smudge=", "process=", "required=false"} {
			args = append(args, "-c", "filter."+name+"."+setting)
		}
	}
	return args
}

// Harmless returns an environment in which git, when other programs run it, runs nothing that the configuration of a
// checkout names, as in [Git].
func Harmless(environ []string) []string {
	count := 0
	for _, entry := range environ {
		if given, found := strings.CutPrefix(entry, "GIT_CONFIG_COUNT="); found {
			count, _ = strconv.Atoi(given) // git starts with no other text
		}
	}
	kept := slices.Clone(environ)
	for _, setting := range harmless {
		key, value, _ := strings.Cut(setting, "=")
		kept = append(kept, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", count, key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", count, value))
		count++
	}
	return append(kept, fmt.Sprintf("GIT_CONFIG_COUNT=%d", count))
}

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
