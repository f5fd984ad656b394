package project

import (
	"bufio"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// wrapperFile specifies the Gradle version that a project is built with.
const wrapperFile = "gradle/wrapper/gradle-wrapper.properties"

// gradleFiles are the files that mark a folder as a Gradle project.
var gradleFiles = []string{language.SettingsGradle, language.SettingsKTS, language.GradleWrapper, language.BuildGradle, language.BuildGradleKTS}

// LacksGradle says which Gradle is needed to load the project of a file but is missing from this
// machine. It returns "" if that Gradle is present, or if the project is not loaded with Gradle.
// Without it, a server does not know the libraries of the project. folders are those from the
// file's folder up to the root of the workspace; onPath reports whether a program is on PATH.
func LacksGradle(folders, environ []string, onPath func(program string) bool) (missing string) {
	project := ""
	for _, folder := range folders {
		if isFile(filepath.Join(folder, language.PomXML)) {
			return "" // Maven can load it too
		}
		for _, name := range gradleFiles {
			if isFile(filepath.Join(folder, name)) {
				project = folder // prefer the outermost
			}
		}
	}
	if project == "" {
		return ""
	}
	home := variable(environ, "GRADLE_USER_HOME")
	if home == "" {
		user, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		home = filepath.Join(user, ".gradle")
	}
	address, found := distribution(filepath.Join(project, filepath.FromSlash(wrapperFile)))
	switch {
	case found && !strings.HasPrefix(address, "http"):
		return "" // a local file
	case found:
		name := strings.TrimSuffix(path.Base(address), ".zip")
		if unpacked(home, name) || unpacked(filepath.Join(project, ".gradle"), name) {
			return ""
		}
		return name + ", which " + wrapperFile + " names, is not downloaded"
	case variable(environ, "GRADLE_HOME") != "", onPath("gradle"), unpacked(home, "*"):
		return ""
	}
	return "there is no Gradle that could load the project"
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// unpacked reports whether the Gradle wrapper has unpacked a distribution of that name in a Gradle
// home folder.
func unpacked(home, name string) bool {
	found, _ := filepath.Glob(filepath.Join(quoted.Replace(home), "wrapper", "dists", name, "*", "*", "bin", "gradle")) // the pattern is well-formed
	return len(found) > 0
}

var distributionLine = lazyregexp.New(`^\s*distributionUrl\s*[=:]\s*(\S+)`)

// distribution returns the URL from which a Gradle wrapper downloads Gradle.
func distribution(file string) (address string, found bool) {
	f, err := fspath.Open(file)
	if err != nil {
		return "", false
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if groups := distributionLine.FindStringSubmatch(lines.Text()); groups != nil {
			return strings.ReplaceAll(groups[1], `\`, ""), true
		}
	}
	return "", false
}
