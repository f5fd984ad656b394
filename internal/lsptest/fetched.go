package lsptest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Fetched returns the folder of a real project that scripts/truth-projects fetched, for tests of a
// folder below e2e. If it is not there, the test is skipped; see [Skip].
func Fetched(t testing.TB, id string) string {
	t.Helper()
	folder, err := filepath.EvalSymlinks(filepath.Join("..", "..", ".tools", "truth", id))
	if err != nil {
		Skip(t, id+" is not there; run: make truth-projects")
	}
	return folder
}

// CopyTree copies the files of a folder, and the files that it has links to, whose names, with
// slashes, begin with one of the prefixes; all if there is none. Links to folders are left out.
func CopyTree(t testing.TB, to, from string, prefixes ...string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(from, path)
		wanted := func(prefix string) bool { return strings.HasPrefix(filepath.ToSlash(name), prefix) }
		if len(prefixes) > 0 && !slices.ContainsFunc(prefixes, wanted) {
			return nil
		}
		info, err := os.Stat(path)
		if err != nil || info.IsDir() { // a link into what is not here, or to a folder
			return nil
		}
		content, err := os.ReadFile(path)
		if err == nil {
			WriteFile(t, filepath.Join(to, name), string(content))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// MavenHome makes folder the home of a user whose repository has what Maven needs to load a
// project, and the libraries of Debian; lacks are folders of the repository that are left out. It
// returns the value of JDK_JAVA_OPTIONS with which Java takes that home.
func MavenHome(t testing.TB, folder string, lacks ...string) string {
	t.Helper()
	repository := filepath.Join(folder, ".m2", "repository")
	CopyTree(t, repository, filepath.Join(Fetched(t, "maven"), "maven-repo"))
	for _, name := range lacks {
		if err := os.RemoveAll(filepath.Join(repository, name)); err != nil {
			t.Fatal(err)
		}
	}
	WriteFile(t, filepath.Join(folder, ".m2", "settings.xml"), "<settings><localRepository>"+repository+"</localRepository><offline>true</offline></settings>")
	return "-Duser.home=" + folder
}

// MavenPlugins are for a pom.xml: the versions of the plugins that the repository of [MavenHome] has.
const MavenPlugins = `  <properties>
    <maven.compiler.source>8</maven.compiler.source>
    <maven.compiler.target>8</maven.compiler.target>
  </properties>
  <build>
    <pluginManagement>
      <plugins>
        <plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.0</version></plugin>
        <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.10.1</version></plugin>
        <plugin><artifactId>maven-surefire-plugin</artifactId><version>2.22.3</version></plugin>
        <plugin><artifactId>maven-jar-plugin</artifactId><version>3.3.0</version></plugin>
        <plugin><artifactId>maven-install-plugin</artifactId><version>3.1.0</version></plugin>
        <plugin><artifactId>maven-deploy-plugin</artifactId><version>3.0.0</version></plugin>
        <plugin><artifactId>maven-clean-plugin</artifactId><version>3.2.0</version></plugin>
        <plugin><artifactId>maven-site-plugin</artifactId><version>3.12.1</version></plugin>
      </plugins>
    </pluginManagement>
  </build>
</project>
`
