package project

import (
	"crypto/sha256"
	"encoding/base64"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
)

// venv is an environment in a folder, as python and uv make them.
func venv(dir string) string {
	return "-- " + dir + "/pyvenv.cfg --\n-- " + dir + "/bin/python --\n-- " + dir + "/lib/python3.11/site-packages/six.py --\n"
}

// The environment of a project is found by its place, its name or the environment, without
// running anything.
func TestFindPython(t *testing.T) {
	const project = "-- p/pyproject.toml --\n[project]\nname = \"My App\"\n"
	for _, c := range []struct {
		name, archive string
		environ       []string
		dir, from     string
	}{
		{"none", project, nil, "", ""},
		{"a folder of that name", project + "-- p/venv/x --\n", nil, "", ""},
		{".venv", project + venv("p/.venv") + venv("p/venv"), nil, "p/.venv", ".venv"},
		{"venv", project + venv("p/venv"), nil, "p/venv", "venv"},
		{"of the workspace", project + venv(".venv"), nil, ".venv", ".venv"},
		{"the nearer one", project + venv(".venv") + venv("p/env"), nil, "p/env", "env"},
		{"an active one", project + venv("a"), []string{"VIRTUAL_ENV=ROOT/a"}, "a", "VIRTUAL_ENV"},
		{"an active one of another project", project + venv("a") + venv("p/.venv"), []string{"VIRTUAL_ENV=ROOT/a"}, "p/.venv", ".venv"},
		{"an active one that is gone", project, []string{"VIRTUAL_ENV=ROOT/a"}, "", ""},
		{"of uv", project + venv("p/mine") + venv("p/.venv"), []string{"UV_PROJECT_ENVIRONMENT=mine"}, "p/mine", "UV_PROJECT_ENVIRONMENT"},
		{"of conda", project + "-- p/environment.yml --\nname: my-env\n-- home/miniconda3/envs/my-env/conda-meta/x --\n-- home/miniconda3/envs/my-env/lib/python3.12/site-packages/x --\n", nil, "home/miniconda3/envs/my-env", "conda"},
		{"of conda, without a name", project + "-- p/environment.yml --\ndependencies: []\n-- p/environment.yaml --\nname: 'other'\n-- home/.conda/envs/other/conda-meta/x --\n-- home/.conda/envs/other/lib/python3.12/site-packages/x --\n", nil, "home/.conda/envs/other", "conda"},
		{"of conda, beside the active one", "-- p/environment.yml --\nname: mine\n-- c/envs/mine/conda-meta/x --\n-- c/envs/mine/lib/python3.12/site-packages/x --\n", []string{"CONDA_PREFIX=ROOT/c"}, "c/envs/mine", "conda"},
		{"of conda, elsewhere than in HOME", "-- p/environment.yml --\nname: mine\n-- envs/mine/conda-meta/x --\n-- envs/mine/lib/python3.12/site-packages/x --\n-- c/x --\n", []string{"CONDA_PREFIX=ROOT/c"}, "", ""},
		{"of uv, by its whole path", project + venv("u") + venv("p/.venv"), []string{"UV_PROJECT_ENVIRONMENT=ROOT/u"}, "u", "UV_PROJECT_ENVIRONMENT"},
		{"without packages", project + "-- p/.venv/pyvenv.cfg --\n", nil, "", ""},
		{"an active one of conda", "-- c/conda-meta/x --\n-- c/lib/python3.12/site-packages/x --\n-- p/x.py --\n", []string{"CONDA_PREFIX=ROOT/c"}, "c", "CONDA_PREFIX"},
	} {
		root := lsptest.Workspace(t, c.archive)
		environ := []string{"HOME=" + filepath.Join(root, "home")}
		for _, entry := range c.environ {
			name, value := entry[:len(entry)-len("ROOT/a")], entry
			if entry[len(name):len(entry)-2] == "ROOT" {
				value = name + filepath.Join(root, entry[len(entry)-1:])
			}
			environ = append(environ, value)
		}
		e, found := FindPython(filepath.Join(root, "p"), root, environ)
		dir := ""
		if found {
			relative, err := filepath.Rel(root, e.Dir)
			if err != nil {
				t.Fatal(err)
			}
			dir = filepath.ToSlash(relative)
		}
		if diff := cmp.Diff([]string{c.dir, c.from}, []string{dir, e.From}); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// poetry keeps environments under the project's name and a hash of its folder.
func TestFindPythonOfPoetry(t *testing.T) {
	root := lsptest.Workspace(t, "-- pyproject.toml --\n[tool.poetry]\nname = \"My App\"\n")
	sum := sha256.Sum256([]byte(root))
	dir := filepath.Join(root, "cache/pypoetry/virtualenvs/my_app-"+base64.URLEncoding.EncodeToString(sum[:])[:8]+"-py3.11")
	lsptest.WriteFile(t, filepath.Join(dir, "pyvenv.cfg"), "")
	lsptest.WriteFile(t, filepath.Join(dir, "lib/python3.11/site-packages/x.py"), "")
	want := PythonEnvironment{Dir: dir, From: "poetry", Paths: []string{filepath.Join(dir, "lib/python3.11/site-packages")}}
	got, _ := FindPython(root, root, []string{"HOME=/nowhere", "XDG_CACHE_HOME=" + filepath.Join(root, "cache"), "LOCALAPPDATA=" + filepath.Join(root, "cache")})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Where poetry keeps environments can be said to it; of several Pythons the newest counts. Of a long
// name only its beginning is there.
func TestFoldersOfPoetry(t *testing.T) {
	for name, c := range map[string]struct{ manifest, variable, base, called string }{
		"the cache of poetry":            {"[project]\nname = \"app\"\n", "POETRY_CACHE_DIR", "virtualenvs", "app"},
		"the folder of environments":     {"[project]\nname = \"app\"\n", "POETRY_VIRTUALENVS_PATH", "", "app"},
		"a name for poetry":              {"[project]\nname = \"app\"\n[tool.poetry]\nname = \"other\"\n", "POETRY_VIRTUALENVS_PATH", "", "other"},
		"no name for poetry":             {"[project]\nname = \"app\"\n[tool.poetry]\n", "POETRY_VIRTUALENVS_PATH", "", "app"},
		"a long name":                    {"[project]\nname = \"" + strings.Repeat("a", 43) + "\"\n", "POETRY_VIRTUALENVS_PATH", "", strings.Repeat("a", 42)},
		"no name":                        {"[project]\n", "POETRY_VIRTUALENVS_PATH", "", ""},
		"a manifest that makes no sense": {"[project\n", "POETRY_VIRTUALENVS_PATH", "", ""},
	} {
		root := lsptest.Workspace(t, "-- pyproject.toml --\n"+c.manifest)
		sum := sha256.Sum256([]byte(root))
		kept := filepath.Join(root, "kept")
		for _, python := range []string{"-py3.11", "-py3.12"} {
			dir := filepath.Join(kept, c.base, c.called+"-"+base64.URLEncoding.EncodeToString(sum[:])[:8]+python)
			lsptest.WriteFile(t, filepath.Join(dir, "pyvenv.cfg"), "")
			lsptest.WriteFile(t, filepath.Join(dir, "lib/python3/site-packages/x.py"), "")
		}
		e, found := FindPython(root, root, []string{"HOME=/nowhere", c.variable + "=" + kept})
		if found != (c.called != "") || found && !strings.HasSuffix(e.Dir, "-py3.12") {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// Packages that are installed where they are written are found by the .pth files, whose code
// is not run.
func TestLinkedPackages(t *testing.T) {
	root := lsptest.Workspace(t, venv(".venv")+"-- core/src/core/__init__.py --\n-- .venv/lib/python3.11/site-packages/near/x.py --\n")
	site := filepath.Join(root, ".venv/lib/python3.11/site-packages")
	lsptest.WriteFile(t, filepath.Join(site, "core.pth"), "#ours\n\n"+filepath.Join(root, "core/src")+"\nnear\n/gone\nsix.py\nimport os; os.system('x')\nimport\tsys\n")
	if !fspath.Here.Drives { // there, no folder can have such a name
		lsptest.WriteFile(t, filepath.Join(site, "import\tsys", "x"), "")
	}
	lsptest.WriteFile(t, filepath.Join(site, "#ours", "x"), "")
	lsptest.WriteFile(t, filepath.Join(site, "folder.pth", "x"), "") // cannot be read as a file
	e, _ := FindPython(root, root, nil)
	want := PythonEnvironment{
		Dir: filepath.Join(root, ".venv"), From: ".venv", Interpreter: filepath.Join(root, ".venv/bin/python"),
		Paths: []string{site, filepath.Join(root, "core/src"), filepath.Join(site, "near")},
	}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Error(diff)
	}
}
