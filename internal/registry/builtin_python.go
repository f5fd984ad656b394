package registry

import "encoding/json"

// Python: one type checker for a file, the best there is, and ruff beside it.

func python() []Language { return only("python", ".py", ".pyi") }

// pythonRoots are the markers of a project, after those of the tool itself.
func pythonRoots(own ...string) []string {
	return append(own, "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile")
}

// basedpyright is pyright with more to say; all that was measured of that holds.
func basedpyright() Definition {
	d := pyright()
	d.ID, d.Rank, d.Tells = "basedpyright", 2, []string{"basedpyright"}
	d.Commands = stdio("basedpyright-langserver")
	d.Settings = json.RawMessage(`{"python":{"analysis":` + pyrightAnalysis + `},"basedpyright":{"analysis":` + pyrightAnalysis + `}}`)
	d.Environment = &Environment{
		Paths: json.RawMessage(`{"python":{"analysis":{"extraPaths":"` + PackagePaths + `"}},` +
			`"basedpyright":{"analysis":{"extraPaths":"` + PackagePaths + `"}}}`),
		Interpreter: json.RawMessage(`{"python":{"pythonPath":"` + Interpreter + `"}}`),
	}
	d.Install = append(npm("basedpyright"), pip("basedpyright"))
	return d
}

func otherPythonServers() Table {
	const group = "python-types"
	return append(listed(
		Definition{
			ID: "ty", Group: group, Rank: 3,
			Languages: python(), Commands: run("ty", "server"), Roots: pythonRoots("ty.toml"), SingleFile: true,
			Diagnostics: pulled(),
			Install:     []string{"uv tool install ty", pip("ty")},
		},
		Definition{
			ID: "pyrefly", Group: group, Rank: 4,
			Languages: python(), Commands: run("pyrefly", "lsp"), Roots: pythonRoots("pyrefly.toml"), SingleFile: true,
			Install: []string{"uv tool install pyrefly", pip("pyrefly")},
		},
		Definition{
			ID: "zuban", Group: group, Rank: 5,
			Languages: python(), Commands: run("zuban", "server"), Roots: pythonRoots("mypy.ini"), SingleFile: true,
			Install: []string{pip("zuban")},
		},
		// With the package pylsp-mypy it checks types as well; alone it knows the syntax,
		// names and style.
		Definition{
			ID: "pylsp", Group: group, Rank: 6,
			Languages: python(), Commands: run("pylsp"), Roots: pythonRoots("mypy.ini", ".mypy.ini"), SingleFile: true,
			Anew: []string{"setup.cfg", "tox.ini", ".flake8", "pycodestyle.cfg", ".pylintrc", "pylintrc", "pyproject.toml", "mypy.ini", ".mypy.ini"},
			Environment: &Environment{
				Paths:       json.RawMessage(`{"pylsp":{"plugins":{"jedi":{"extra_paths":"` + PackagePaths + `"}}}}`),
				Interpreter: json.RawMessage(`{"pylsp":{"plugins":{"jedi":{"environment":"` + Interpreter + `"}}}}`),
			},
			Quirks:      []Quirk{PushSettings},
			Diagnostics: touched(),
			Tested:      CI,
			Install:     []string{pip("'python-lsp-server[all]' pylsp-mypy"), "apt-get install python3-pylsp python3-pyflakes python3-pycodestyle"},
		},
		// Of what is wrong it knows only the syntax.
		Definition{
			ID: "jedi", Group: group, Rank: 7,
			Languages: python(), Commands: run("jedi-language-server"), Roots: pythonRoots(), SingleFile: true,
			Install: []string{pip("jedi-language-server")},
		},
	), linters(
		// Its section of a pyproject.toml cannot be told by the name of the file.
		Definition{
			ID: "ruff", Languages: python(), Commands: run("ruff", "server"),
			Requires: []string{"ruff.toml", ".ruff.toml", "pyproject.toml"}, Diagnostics: pulled(), Optional: true,
			Install: []string{"uv tool install ruff", pip("ruff")},
		},
	)...)
}
