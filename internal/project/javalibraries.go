package project

import (
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lazyregexp"
)

var (
	userHome        = lazyregexp.New(`-Duser\.home=("[^"]*"|\S+)`)
	localRepository = lazyregexp.New(`<localRepository>\s*([^<]*?)\s*</localRepository>`)
)

// maxLibraries bounds how many files of a repository are looked at.
const maxLibraries = 200_000

// DownloadedJava identifies the set of libraries that Maven and Gradle have downloaded for the user:
// it is another text when one comes or goes. It reads the names of all of them.
func DownloadedJava(environ []string) string {
	home := ""
	for _, name := range []string{"JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"} {
		if groups := userHome.FindStringSubmatch(variable(environ, name)); groups != nil && home == "" {
			home = strings.Trim(groups[1], `"`)
		}
	}
	if home == "" {
		home, _ = os.UserHomeDir()
	}
	maven := filepath.Join(home, ".m2", "repository")
	if settings, err := fspath.Read(filepath.Join(home, ".m2", "settings.xml")); err == nil {
		if groups := localRepository.FindSubmatch(settings); groups != nil {
			maven = filepath.FromSlash(strings.ReplaceAll(string(groups[1]), "${user.home}", home))
		}
	}
	gradle := variable(environ, "GRADLE_USER_HOME")
	if gradle == "" {
		gradle = filepath.Join(home, ".gradle")
	}
	sum, seen := fnv.New64a(), 0
	for _, folder := range []string{maven, filepath.Join(gradle, "caches", "modules-2", "files-2.1")} {
		_ = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			if seen++; seen > maxLibraries {
				return fs.SkipAll
			}
			switch filepath.Ext(path) { // and not what Maven notes of its attempts
			case ".jar", ".pom", ".module", ".aar":
				_, _ = io.WriteString(sum, path+"\n") // no error (hash.Hash)
			}
			return nil // a folder that cannot be read has none
		})
	}
	return fmt.Sprintf("%x", sum.Sum64())
}
