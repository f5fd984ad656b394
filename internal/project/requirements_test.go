package project

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// What a Python project asks for is missed by the names of packages, however they are written,
// and never what it asks for under a condition.
func TestMissingPackages(t *testing.T) {
	installed := []string{"werkzeug-2.2.2.dist-info", "MarkupSafe-2.1.2.egg-info", "zope.interface-5.0-py3.11.egg-info", "click"}
	for name, c := range map[string]struct {
		archive string
		missing []string
	}{
		"nothing asked":    {"-- a.py --\n", nil},
		"all there":        {"-- requirements.txt --\nWerkzeug>=2\nmarkupsafe\nzope-interface == 5.0\n", nil},
		"one lacks":        {"-- requirements.txt --\n# of the web\nWerkzeug\nh11>=0.9,<1 # small\n", []string{"h11"}},
		"a folder is none": {"-- requirements.txt --\nclick\n", []string{"click"}},
		"with extras":      {"-- requirements.txt --\nuvicorn[standard]>=0.1\n", []string{"uvicorn"}},
		"on a condition":   {"-- requirements.txt --\npywin32; sys_platform == 'win32'\n-r other.txt\n./local\nx @ https://example.com/x.whl\n", nil},
		"pyproject":        {"-- pyproject.toml --\n[project]\ndependencies = [\"Werkzeug\", \"Jinja2>=3\"]\n", []string{"jinja2"}},
		"poetry":           {"-- pyproject.toml --\n[tool.poetry.dependencies]\npython = \"^3.8\"\nrich = \"*\"\nwin = {version = \"1\", markers = \"x\"}\n", []string{"rich"}},
	} {
		folder := lsptest.Workspace(t, c.archive)
		site := t.TempDir()
		for _, entry := range installed {
			if err := os.Mkdir(filepath.Join(site, entry), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(c.missing, MissingPackages(folder, PythonEnvironment{Paths: []string{site}})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A compilation database belongs to the folder that it names files of.
func TestCompiledFiles(t *testing.T) {
	root := lsptest.Workspace(t, "-- a.cc --\n")
	other := filepath.Join(filepath.Dir(root), "other", "a.cc")
	type found struct {
		First string
		Own   bool
	}
	for text, want := range map[string]found{
		`[{"directory": "` + lsptest.InJSON(root) + `", "file": "a.cc"}]`:                                              {filepath.Join(root, "a.cc"), true},
		`[{"file": "` + lsptest.InJSON(other) + `"}]`:                                                                  {other, false},
		`[{"file": "` + lsptest.InJSON(other) + `"}, {"file": "` + lsptest.InJSON(filepath.Join(root, "b.cc")) + `"}]`: {other, true},
		`[{"file": "` + lsptest.InJSON(root) + `2/a.cc"}]`:                                                             {root + "2/a.cc", false},
		`[]`: {},
		`{`:  {},
	} {
		database := filepath.Join(t.TempDir(), "compile_commands.json")
		lsptest.WriteFile(t, database, text)
		first, own := CompiledFiles(database, root)
		if diff := cmp.Diff(want, found{first, own}); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
	if first, own := CompiledFiles(filepath.Join(root, "gone.json"), root); first != "" || own {
		t.Errorf("a database that is not there: %s, %t", first, own)
	}
}
