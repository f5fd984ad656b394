package project

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// A project of Gradle lacks the Gradle that it names until that is unpacked where the wrapper
// keeps it; without a wrapper any is good enough. What Maven loads, too, lacks none.
func TestLacksGradle(t *testing.T) {
	const (
		wrapper  = "-- gradle/wrapper/gradle-wrapper.properties --\n# of 2024\ndistributionUrl=https\\://services.gradle.org/distributions/gradle-8.5-bin.zip\n"
		unpacked = "-- wrapper/dists/gradle-8.5-bin/abc/gradle-8.5/bin/gradle --\n"
		any      = "there is no Gradle that could load the project"
		named    = "gradle-8.5-bin, which gradle/wrapper/gradle-wrapper.properties names, is not downloaded"
	)
	for name, c := range map[string]struct {
		archive, home, environ, path, want string
	}{
		"no project":                     {"-- app/A.java --\n", "", "", "", ""},
		"nothing there":                  {"-- build.gradle --\n", "", "", "", any},
		"settings of the outer":          {"-- settings.gradle.kts --\n-- app/build.gradle.kts --\n", "", "", "", any},
		"Maven as well":                  {"-- pom.xml --\n-- build.gradle --\n", "", "", "", ""},
		"on PATH":                        {"-- build.gradle --\n", "", "", "gradle", ""},
		"GRADLE_HOME":                    {"-- build.gradle --\n", "", "GRADLE_HOME=/opt/gradle", "", ""},
		"some version":                   {"-- build.gradle --\n", unpacked, "", "", ""},
		"the wrapper's":                  {wrapper + "-- gradlew --\n", unpacked, "", "", ""},
		"another than the wrapper's":     {wrapper + "-- gradlew --\n", strings.ReplaceAll(unpacked, "8.5", "7.6"), "GRADLE_HOME=/opt/gradle", "gradle", named},
		"half unpacked":                  {wrapper + "-- gradlew --\n", "-- wrapper/dists/gradle-8.5-bin/abc/gradle-8.5-bin.zip.part --\n", "", "", named},
		"the wrapper's, in the project":  {wrapper + "-- gradlew --\n-- .gradle/wrapper/dists/gradle-8.5-bin/abc/gradle-8.5/bin/gradle --\n", "", "", "", ""},
		"a wrapper with a file":          {"-- gradlew --\n-- gradle/wrapper/gradle-wrapper.properties --\ndistributionUrl=file\\:/opt/gradle-8.5-bin.zip\n", "", "", "", ""},
		"a wrapper that says no address": {"-- gradlew --\n-- gradle/wrapper/gradle-wrapper.properties --\nzipStoreBase=PROJECT\n", "", "", "", any},
	} {
		root, home := lsptest.Workspace(t, c.archive), lsptest.Workspace(t, c.home)
		environ := []string{"GRADLE_USER_HOME=" + home, c.environ}
		got := LacksGradle([]string{filepath.Join(root, "app"), root}, environ, func(program string) bool { return program == c.path })
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
