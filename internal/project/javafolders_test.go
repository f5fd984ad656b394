package project

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// Where packages begin follows from all files, whichever has lost the line that names its package.
func TestJavaPlaces(t *testing.T) {
	for _, c := range []struct {
		name, files string
		want        []string
	}{
		{"no file", "-- a.txt --\n", nil},
		{"one folder", "-- src/m/A.java --\npackage m;\n-- src/m/B.java --\npackage m;\n-- src/m/n/C.java --\npackage m.n;\n", []string{"src/m/A.java"}},
		{"two folders", "-- src/m/A.java --\n/** A. */\n\n  package m ;\n-- test/m/T.java --\npackage m;\n", []string{"src/m/A.java", "test/m/T.java"}},
		{"a file without its line", "-- src/m/A.java --\nclass A {}\n-- src/m/B.java --\npackage m;\n", []string{"src/m/B.java"}},
		{"a folder without the lines", "-- src/m/A.java --\npackage m;\n-- src/m/n/B.java --\nclass B {}\n", []string{"src/m/A.java"}},
		{"a file of another package", "-- src/m/A.java --\npackage other;\n-- src/m/B.java --\npackage m;\n", []string{"src/m/B.java"}},
		{"no package", "-- Main.java --\nclass Main {}\n", []string{"Main.java"}},
		{"no package, and one below", "-- Main.java --\nclass Main {}\n-- src/m/A.java --\npackage m;\n", []string{"Main.java", "src/m/A.java"}},
		{"a build", "-- pom.xml --\n-- src/main/java/m/A.java --\npackage m;\n", nil},
		{"a build below", "-- app/build.gradle --\n-- app/src/m/A.java --\npackage m;\n-- src/m/A.java --\npackage m;\n", []string{"src/m/A.java"}},
		{"folders that nobody means", "-- .git/m/A.java --\npackage m;\n-- node_modules/m/A.java --\npackage m;\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := lsptest.Workspace(t, c.files)
			var got []string
			for _, path := range JavaPlaces([]string{root}) {
				name, err := filepath.Rel(root, path)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, filepath.ToSlash(name))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
