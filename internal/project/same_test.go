package project

import (
	"strings"
	"testing"
)

// A file that sets up a project changes, and says the same as before, or not.
func TestSaysTheSame(t *testing.T) {
	t.Parallel()
	const mod = "module m\n\ngo 1.24\n\nrequire (\n\ta.b/c v1.0.0\n\ta.b/d v1.0.0 // indirect\n)\n"
	for name, c := range map[string]struct {
		file, before, after string
		want                bool
	}{
		"a comment in go.mod":          {"go.mod", mod, "// m is a module.\n" + mod, true},
		"an indirect requirement":      {"go.mod", mod, "module m\n\ngo 1.24\n\nrequire a.b/d v1.0.0\n\nrequire a.b/c v1.0.0\n", true},
		"a retracted version":          {"go.mod", mod, mod + "\nretract v1.0.1\n", true},
		"another version":              {"go.mod", mod, "module m\n\ngo 1.24\n\nrequire (\n\ta.b/c v1.0.1\n\ta.b/d v1.0.0\n)\n", false},
		"a requirement less":           {"go.mod", mod, "module m\n\ngo 1.24\n\nrequire a.b/c v1.0.0\n", false},
		"another Go":                   {"go.mod", mod, "module m\n\ngo 1.25\n\nrequire (\n\ta.b/c v1.0.0\n\ta.b/d v1.0.0\n)\n", false},
		"a go.mod that cannot be read": {"go.mod", mod, mod + "nonsense\n", false},
		"a comment in go.work":         {"go.work", "go 1.24\n\nuse ./a\n", "go 1.24\n\nuse ./a // all\n", true},
		"another module":               {"go.work", "go 1.24\n\nuse ./a\n", "go 1.24\n\nuse ./b\n", false},
		"white space in JSON":          {"tsconfig.json", `{"a": 1, "b": [1]}`, "{\n  // all\n  \"b\": [1], \"a\": 1\n}", true},
		"another value":                {"tsconfig.json", `{"a": 1}`, `{"a": 2}`, false},
		"a release":                    {"package.json", `{"version": "1.0.0", "main": "a.js"}`, `{"version": "1.0.1", "main": "a.js"}`, true},
		"a version of something else":  {"package.json", `{"a": {"version": "1.0.0"}}`, `{"a": {"version": "1.0.1"}}`, false},
		"a version of another type":    {"data.json", `{"version": "1"}`, `{"version": 1}`, false},
		"a version less":               {"data.json", `{"version": "1", "n": 1}`, `{"n": 1}`, false},
		"a description more":           {"package.json", `{"main": "a.js"}`, `{"description": "a", "main": "a.js"}`, false},
		"a comment in TOML":            {"Cargo.toml", "[package]\nname = \"p\"\nversion = \"1.0.0\"\n", "# p\n[package]\nversion = \"1.1.0\"\nname = \"p\" # it\n", true},
		"a version of a dependency":    {"Cargo.toml", "[dependencies.a]\nversion = \"1\"\n", "[dependencies.a]\nversion = \"2\"\n", false},
		"another edition":              {"Cargo.toml", "[package]\nedition = \"2021\"\n", "[package]\nedition = \"2024\"\n", false},
		"TOML that cannot be read":     {"Cargo.toml", "[package]\n", "[package]\n[package\n", false},
		"white space elsewhere":        {"a.py", "a = 1\n", "a = 1\n\n", false},
		"nothing":                      {"a.py", "a = 1\n", "a = 1\n", true},
	} {
		if got := SaysTheSame(c.file, []byte(c.before), []byte(c.after)); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if SaysTheSame("go.mod", nil, []byte(mod)) || SaysTheSame("go.mod", []byte(mod), nil) {
		t.Error("a file that came or went says the same")
	}
}

// A change of what a package asks for decides nothing about files, before that is installed; a change of what tools are to make of them does.
func TestDecidesTheSame(t *testing.T) {
	t.Parallel()
	const py = "[project]\nname = \"p\"\nrequires-python = \">=3.11\"\ndependencies = [\"a\"]\n\n[tool.pyright]\nstrict = []\n\n[tool.black]\nline-length = 100\n"
	for name, c := range map[string]struct {
		file, before, after string
		want                bool
	}{
		"a dependency of npm":    {"package.json", `{"main": "a.js"}`, `{"dependencies": {"b": "1"}, "main": "a.js"}`, true},
		"what it exports":        {"package.json", `{"main": "a.js"}`, `{"main": "b.js"}`, false},
		"no package.json":        {"package.json", `{"main": "a.js"}`, `{"main": }`, false},
		"dependencies elsewhere": {"data.json", `{"dependencies": {}}`, `{"dependencies": {"a": 1}}`, false},
		"a dependency of Python": {"pyproject.toml", py, strings.Replace(py, `"a"`, `"a", "b"`, 1), true},
		"a formatter":            {"pyproject.toml", py, "# p\n" + strings.Replace(py, "100", "120", 1), true},
		"the checker":            {"pyproject.toml", py, strings.Replace(py, "strict = []", "strict = [\"a\"]", 1), false},
		"the version of Python":  {"pyproject.toml", py, strings.Replace(py, "3.11", "3.12", 1), false},
		"a table less":           {"pyproject.toml", py, "[project]\nname = \"p\"\n", false},
		"nothing":                {"pyproject.toml", py, py, true},
	} {
		if got := DecidesTheSame(c.file, []byte(c.before), []byte(c.after)); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if DecidesTheSame("pyproject.toml", nil, []byte(py)) {
		t.Error("a file that came decides the same")
	}
}
