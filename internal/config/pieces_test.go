package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// membersOf reads an object as an imported server's values.
func membersOf(t *testing.T, text string) map[string]hujson.Value {
	t.Helper()
	v, err := hujson.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	given := make(map[string]hujson.Value)
	for _, m := range v.Value.(*hujson.Object).Members {
		given[nameOf(m)] = m.Value
	}
	return given
}

// The command of an imported server is a string or an array, with the arguments behind it; its files are those that
// have a language, then those that have none, without what is no extension.
func TestImportedCommandsAndFiles(t *testing.T) {
	of := func(id, pattern string) registry.Language {
		return registry.Language{ID: id, Patterns: []string{pattern}}
	}
	for text, want := range map[string]struct {
		Words     []string
		Languages []registry.Language
	}{
		`{}`:                                 {},
		`{"args": ["-x"]}`:                   {},
		`{"command": "a b", "args": ["-x"]}`: {Words: []string{"a b", "-x"}},
		`{"command": ["a", "b"], "args": ["-x", "-y"]}`:                          {Words: []string{"a", "b", "-x", "-y"}},
		`{"command": ["a"], "args": 7}`:                                          {Words: []string{"a"}},
		`{"command": 7}`:                                                         {},
		`{"extensions": ["*.a", "b", "", "..c", "*", "d/e", "f?", "g[", "h\\"]}`: {Languages: []registry.Language{of("", ".a"), of("", ".b"), of("", ".c")}},
		`{"languages": {".a": "one", "b": 7, "c": "two"}, "extensions": ["d"]}`:  {Languages: []registry.Language{of("one", ".a"), of("two", ".c"), of("", ".d")}},
		`{"languages": ["a"], "extensions": "b"}`:                                {},
	} {
		given := membersOf(t, text)
		if diff := cmp.Diff(want.Words, commandWords(given)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		if diff := cmp.Diff(want.Languages, importedLanguages(given)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// A command is the built-in one if it is its name, with its arguments or with none but such as say how to speak.
func TestCommandsThatAreBuiltIn(t *testing.T) {
	c := registry.Command{Binary: "tool", Args: []string{"lsp", "-q"}}
	for _, x := range []struct {
		words []string
		want  bool
	}{
		{[]string{"tool"}, true},
		{[]string{"tool", "--stdio", "serve"}, true},
		{[]string{"tool", "lsp", "-q"}, true},
		{[]string{"tool", "lsp"}, false},
		{[]string{"tool", "--stdio", "lsp"}, false},
		{[]string{"/bin/tool"}, false},
		{[]string{"other", "lsp", "-q"}, false},
	} {
		if got := asBuiltin(x.words, c); got != x.want {
			t.Errorf("%q: %t", x.words, got)
		}
	}
}

// A server gets the files that it does not handle yet, in the language that is said, else in its first, else in one of
// its own name.
func TestFilesAreAddedToAServer(t *testing.T) {
	given := []registry.Language{{ID: "one", Patterns: []string{".a"}}, {Patterns: []string{".b"}}, {ID: "two", Patterns: []string{".c"}}}
	first := []registry.Language{{ID: "zero", Patterns: []string{".a", ".z"}}}
	for name, c := range map[string]struct{ has, want []registry.Language }{
		"some": {first, []registry.Language{first[0], {ID: "zero", Patterns: []string{".b"}}, {ID: "two", Patterns: []string{".c"}}}},
		"none": {nil, []registry.Language{{ID: "one", Patterns: []string{".a"}}, {ID: "one", Patterns: []string{".b"}}, {ID: "two", Patterns: []string{".c"}}}},
	} {
		s := &server{Definition: &registry.Definition{ID: "own", Languages: c.has}}
		s.addFiles(given)
		if diff := cmp.Diff(c.want, s.Languages); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	s := &server{Definition: &registry.Definition{ID: "own"}}
	s.addFiles(given[1:2])
	if diff := cmp.Diff([]registry.Language{{ID: "own", Patterns: []string{".b"}}}, s.Languages); diff != "" {
		t.Error(diff)
	}
}

// A custom server has what is said of it: with roots it needs one, its files are of its own language or of the one
// that is named, and new arguments are for the program that it has.
func TestFieldsOfACustomServer(t *testing.T) {
	for text, want := range map[string]registry.Definition{
		`"command": "own", "extensions": ["a", ".b"]`: {
			Languages: []registry.Language{{ID: "own", Patterns: []string{".a", ".b"}}}, Commands: []registry.Command{{Binary: "own", Args: []string{}}}, SingleFile: true,
		},
		`"command": "own", "extensions": ["a"], "roots": []`: {
			Languages: []registry.Language{{ID: "own", Patterns: []string{".a"}}}, Commands: []registry.Command{{Binary: "own", Args: []string{}}}, SingleFile: true,
		},
		`"command": "own", "args": ["-x"], "extensions": ["a"], "language_id": "mine", "roots": ["r"], "enabled": false`: {
			Languages: []registry.Language{{ID: "mine", Patterns: []string{".a"}}}, Commands: []registry.Command{{Binary: "own", Args: []string{"-x"}}}, Roots: []string{"r"}, Disabled: true,
		},
		`"command": ["own", "-a"], "args": ["-x"], "extensions": ["a"], "scope": ["s/**"], "env": {"A": "1", "B": "2", "A": "3"}`: {
			Languages: []registry.Language{{ID: "own", Patterns: []string{".a"}}}, Commands: []registry.Command{{Binary: "own", Args: []string{"-a", "-x"}}},
			Within: []string{"s/**"}, Env: []string{"B=2", "A=3"}, SingleFile: true,
		},
	} {
		c, problems := layers{user: `{"lsp": {"servers": {"own": {` + text + `}}}}`}.load(t)
		want.ID, want.Role, want.Tested, want.Configured.Command = "own", registry.Primary, registry.Listed, true
		got := get(t, c, "own")
		if len(got.Commands) > 0 && len(got.Commands[0].Args) == 0 {
			got.Commands[0].Args = []string{}
		}
		if len(got.Roots) == 0 {
			got.Roots = nil
		}
		if diff := cmp.Diff(want, got); diff != "" || len(problems) > 0 {
			t.Errorf("%s: %v (-want +got):\n%s", text, problems, diff)
		}
	}
	for text, want := range map[string]string{
		`"language_id": ""`:       `"" is not a language id`,
		`"language_id": "a b"`:    `"a b" is not a language id`,
		`"language_id": 7`:        "must be a string, not the number 7",
		`"extensions": ["."]`:     `"." is not an extension`,
		`"extensions": ["a/b"]`:   `"a/b" is not an extension`,
		`"env": {"": "x"}`:        `"" is not the name of a variable`,
		`"env": {"A": "${NONE}"}`: "the variable NONE is not set",
		`"args": ["${NONE}"]`:     "the variable NONE is not set",
		`"command": [" "]`:        "names no program",
		`"command": {}`:           "must be a string or an array of strings, not an object",
		`"roots": [""]`:           `"" is not a glob`,
	} {
		_, problems := layers{user: `{"lsp": {"servers": {"gopls": {` + text + `}}}}`}.load(t)
		if len(problems) != 1 || problems[0].Message != want {
			t.Errorf("%s: %v, want %s", text, problems, want)
		}
	}
}

// An entry of an array is of the server that its id, its language or its first file means.
func TestIDsOfAnArray(t *testing.T) {
	for text, want := range map[string]string{
		`{"id": "gopls", "language_id": "python"}`: "gopls", `{"language_id": "python", "id": "gopls"}`: "gopls",
		`{"language_id": "python"}`: "pyright", `{"extensions": [".go"]}`: "gopls", `{"extensions": [".UNHEARD"]}`: "unheard",
	} {
		c, _ := layers{user: `{"lsp": {"servers": [` + text[:len(text)-1] + `, "command": "x"}]}}`}.load(t)
		if !c.Chosen(want) {
			t.Errorf("%s is not %s", text, want)
		}
	}
}

// Where settings and state are kept is said by the environment; where it says no whole path, they are not kept.
func TestFoldersOfAUser(t *testing.T) {
	home := lsptest.Rooted("/h")
	set := lsptest.Rooted("/x")
	for _, c := range []struct {
		environ     []string
		file, state string
	}{
		{[]string{"HOME=" + home, "XDG_CONFIG_HOME=" + set, "XDG_STATE_HOME=" + set}, filepath.Join(set, "lspine", "config.jsonc"), filepath.Join(set, "lspine")},
		{[]string{"XDG_CONFIG_HOME=" + set, "XDG_STATE_HOME=" + set}, filepath.Join(set, "lspine", "config.jsonc"), filepath.Join(set, "lspine")},
		{[]string{"HOME=relative"}, "", ""},
		{[]string{"NAME", "HOME="}, "", ""},
	} {
		if diff := cmp.Diff([]string{c.file, c.state}, []string{UserFile(c.environ), StateFolder(c.environ)}); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.environ, diff)
		}
	}
}

// A project has one file of its own; a second one is told of and not read. Where it is read by its other name, that is
// said.
func TestFilesOfAProject(t *testing.T) {
	const first, second = "-- .lspine.jsonc --\n{\"lsp\": {\"maxRestarts\": 2}}\n", "-- .lspine/config.jsonc --\n{\"lsp\": {\"maxRestarts\": 3}}\n"
	for archive, want := range map[string]struct {
		restarts int
		problem  string
		files    []string
	}{
		first:          {2, "", []string{".lspine.jsonc"}},
		second:         {3, "", []string{".lspine/config.jsonc"}},
		first + second: {2, "ROOT/.lspine/config.jsonc: is not read beside .lspine.jsonc (keep one of the two)", []string{".lspine.jsonc"}},
		"-- a --\n":    {1, "", []string{".lspine/config.jsonc (not there)"}},
	} {
		root := lsptest.Workspace(t, archive)
		c, problems := Load(Options{Root: root, Environ: []string{}})
		var files []string
		for _, f := range c.Files {
			name, err := filepath.Rel(root, f.Path)
			if err != nil {
				t.Fatal(err)
			}
			name = filepath.ToSlash(name)
			if !f.Found {
				name += " (not there)"
			}
			if files = append(files, name); f.Layer != LayerProject {
				t.Errorf("%s is of the layer %s", name, f.Layer)
			}
		}
		problem := ""
		for _, p := range problems {
			problem += lsptest.Slashed("ROOT" + p.Error()[len(root):])
		}
		if diff := cmp.Diff(want.files, files); diff != "" || problem != want.problem || c.Settings.MaxRestarts != want.restarts {
			t.Errorf("%q: %d, %q (-want +got):\n%s", archive, c.Settings.MaxRestarts, problem, diff)
		}
	}
}

// Files of other agents are read once each, in the workspace and in the home folder, and are listed by their layer;
// without a home folder there are none in it.
func TestFilesOfOtherAgents(t *testing.T) {
	root := lsptest.Workspace(t, "-- ws/.lsp.json --\n{}\n-- ws/crush.json --\n{}\n-- ws/.copilot/lsp-config.json --\n{}\n-- home/.copilot/lsp-config.json --\n{}\n-- home/.lsp.json --\n{}\n")
	ws, home := filepath.Join(root, "ws"), filepath.Join(root, "home")
	for variable, want := range map[string][]string{
		"HOME=" + home:        {"user home/.copilot/lsp-config.json", "project ws/crush.json", "project ws/.lsp.json"},
		"USERPROFILE=" + home: {"user home/.copilot/lsp-config.json", "project ws/crush.json", "project ws/.lsp.json"},
		"NONE=":               {"project ws/crush.json", "project ws/.lsp.json"},
	} {
		c, problems := Load(Options{Root: ws, Environ: []string{variable, "XDG_CONFIG_HOME=" + root}})
		var got []string
		for _, f := range c.Files {
			if name, err := filepath.Rel(root, f.Path); f.Found && err == nil {
				got = append(got, string(f.Layer)+" "+filepath.ToSlash(name))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(problems) > 0 {
			t.Errorf("%s: %v (-want +got):\n%s", variable, problems, diff)
		}
	}
	if err := os.Remove(filepath.Join(ws, "crush.json")); err != nil {
		t.Fatal(err)
	}
	if c, _ := Load(Options{Root: ws, Environ: []string{"LSPINE_IMPORT=off"}}); len(c.Files) != 1 {
		t.Errorf("%+v", c.Files)
	}
}

// The arguments of a command that only its name says are those of the program, or of the alternative of that name that
// the server has; a program that nobody knows gets those of the first.
func TestArgumentsOfANewCommand(t *testing.T) {
	two := []registry.Command{{Binary: "one", Args: []string{"-1"}}, {Binary: "two", Args: []string{"-2"}}}
	builtin := registry.Builtin()
	known, _ := builtin.Get("pyright")
	for text, want := range map[string]registry.Command{
		`"/x/two"`:                           {Binary: "/x/two", Args: []string{"-2"}},
		`"two"`:                              {Binary: "two", Args: []string{"-2"}},
		`"three"`:                            {Binary: "three", Args: []string{"-1"}},
		`["two", "-y"]`:                      {Binary: "two", Args: []string{"-y"}},
		`["three"]`:                          {Binary: "three", Args: []string{}},
		`"` + known.Commands[0].Binary + `"`: known.Commands[0],
	} {
		l := &loader{builtin: builtin, environ: map[string]string{}}
		s := &server{Definition: &registry.Definition{ID: "own", Commands: two, Connect: "host:1"}}
		v, err := hujson.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := l.setCommand(s, v); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]registry.Command{{Binary: want.Binary, Args: want.Args}}, []registry.Command{{Binary: s.Commands[0].Binary, Args: s.Commands[0].Args}}); diff != "" || s.Connect != "" || !s.Configured.Command || len(s.Commands) != 1 {
			t.Errorf("%s: %+v (-want +got):\n%s", text, s.Definition, diff)
		}
	}
}

// A trusted root that is not there trusts nothing, not even what begins with it; nobody's home trusts nothing either.
func TestRootsThatAreNotThere(t *testing.T) {
	root := t.TempDir()
	gone := filepath.Join(root, "gone")
	s := Settings{TrustedRoots: []string{gone}}
	if s.Trusts(gone) || s.Trusts(filepath.Join(gone, "sub")) {
		t.Error("a folder that is not there is trusted")
	}
	environ := []string{"XDG_CONFIG_HOME=" + root}
	if _, err := SetTrust(environ, root, "h"); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"", gone} {
		if trust, err := trustOf(Options{Root: dir, Environ: environ}, &Config{}); trust.Given || trust.Changed || trust.Hash == "" || err != nil {
			t.Errorf("%q: %+v, %v", dir, trust, err)
		}
	}
	if trust, err := trustOf(Options{Root: root, Environ: environ}, &Config{}); trust.Given || !trust.Changed || err != nil {
		t.Errorf("%+v, %v", trust, err)
	}
}

// Where the evidence is kept is a whole path, or off; nothing else.
func TestPathsOfTheEvidence(t *testing.T) {
	whole := lsptest.InJSON(lsptest.Rooted("/log"))
	for text, message := range map[string]string{
		`""`: "", `"off"`: "", `"~/log"`: "", `"` + whole + `"`: "", `"log"`: `"log" is not absolute`, `"offf"`: `"offf" is not absolute`,
		`7`: "must be a file, or off, not the number 7", `"a\u0000"`: "has a NUL character in it",
	} {
		_, problems := layers{user: `{"lsp": {"evidence": ` + text + `}}`}.load(t)
		got := ""
		for _, p := range problems {
			got += p.Message
		}
		if got != message {
			t.Errorf("%s: %q, want %q", text, got, message)
		}
	}
}
