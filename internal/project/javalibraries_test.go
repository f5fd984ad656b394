package project

import (
	"os"
	"path/filepath"
	"testing"
)

// A library that Maven or Gradle downloads, or that is removed, makes another set; what they note of
// their attempts does not. The repository is where the settings and the options of the JVM say.
func TestDownloadedJava(t *testing.T) {
	home, elsewhere := t.TempDir(), t.TempDir()
	environ := []string{"JDK_JAVA_OPTIONS=-Xmx1g -Duser.home=" + home}
	write := func(folder, name string) {
		t.Helper()
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		text := ""
		if name == ".m2/settings.xml" {
			text = "<settings><localRepository> " + filepath.ToSlash(elsewhere) + " </localRepository></settings>"
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	last := DownloadedJava(environ)
	for _, step := range []struct {
		folder, name string
		other        bool
	}{
		{home, ".m2/repository/org/a/1/a-1.pom", true},
		{home, ".m2/repository/org/a/1/a-1.jar", true},
		{home, ".m2/repository/org/b/1/b-1.jar.lastUpdated", false},
		{home, ".gradle/caches/modules-2/files-2.1/org/a/1/0/a-1.jar", true},
		{elsewhere, "org/c/1/c-1.jar", false},
		{home, ".m2/settings.xml", true}, // all of the former are no longer looked at
		{home, ".m2/repository/org/d/1/d-1.jar", false},
		{elsewhere, "org/d/1/d-1.jar", true},
	} {
		write(step.folder, step.name)
		now := DownloadedJava(environ)
		if now != DownloadedJava(environ) || (now != last) != step.other {
			t.Errorf("%s: %s, then %s", step.name, last, now)
		}
		last = now
	}
	if err := os.Remove(filepath.Join(elsewhere, "org", "d", "1", "d-1.jar")); err != nil {
		t.Fatal(err)
	}
	if DownloadedJava(environ) == last {
		t.Error("a library that is gone is not noticed")
	}
	if DownloadedJava(append(environ, "GRADLE_USER_HOME="+elsewhere)) == last {
		t.Error("the folder of Gradle is not where the variable says")
	}
}
