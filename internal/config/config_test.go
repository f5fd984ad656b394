package config

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/policy"
	"github.com/lspine/lspine/internal/registry"
)

func TestMain(m *testing.M) { lsptest.Main(m) }

// layers are the texts of the files, and the rest of the options.
type layers struct {
	user, project string
	environ       []string
	flags         []Flag
}

// load writes the files and loads them. In what comes back files are called
// "user" and "project".
func (y layers) load(t testing.TB) (*Config, []Problem) {
	t.Helper()
	home, root := t.TempDir(), t.TempDir()
	user, project := filepath.Join(home, "lspine", "config.jsonc"), filepath.Join(root, ".lspine.jsonc")
	if y.user != "" {
		lsptest.WriteFile(t, user, y.user)
	}
	if y.project != "" {
		lsptest.WriteFile(t, project, y.project)
	}
	c, problems := Load(Options{
		Root:    root,
		Environ: append([]string{"XDG_CONFIG_HOME=" + home, "HOME=" + lsptest.Rooted("/h"), "EMPTY="}, y.environ...),
		Flags:   y.flags,
	})
	short := map[string]string{user: "user", project: "project", "": ""}
	for i := range problems {
		problems[i].File = short[problems[i].File]
	}
	for i := range c.Untrusted {
		c.Untrusted[i].File = short[c.Untrusted[i].File]
	}
	for k, s := range c.sources {
		s.File = short[s.File]
		c.sources[k] = s
	}
	return c, problems
}

// silent loads and fails for any problem.
func (y layers) silent(t testing.TB) *Config {
	t.Helper()
	c, problems := y.load(t)
	for _, p := range problems {
		t.Error(p)
	}
	return c
}

func get(t testing.TB, c *Config, id string) registry.Definition {
	t.Helper()
	d, ok := c.Servers.Get(id)
	if !ok {
		t.Fatalf("there is no %s in %q", id, c.Servers.IDs())
	}
	return d
}

// Without any layer there are the defaults and the built-in servers.
func TestDefaults(t *testing.T) {
	c := layers{}.silent(t)
	if d := cmp.Diff(Defaults(), c.Settings); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(registry.Builtin(), c.Servers); d != "" {
		t.Error(d)
	}
	if got := c.Source("lsp.maxRestarts").String(); got != "built-in" {
		t.Error(got)
	}
}

// The example of the documentation has an effect in every line of it.
func TestExample(t *testing.T) {
	c := layers{user: `{
		// comments and trailing commas are fine
		"$schema": "https://example.com/lspine.json",
		"lsp": {
			"diagnosticTimeout": 1, "firstTouchTimeout": 2, "patienceLimit": 0, "requestTimeout": 3e3,
			"maxDiagnosticsPerFile": 4, "maxProjectDiagnosticsFiles": 0, "maxTotalLines": 6,
			"includeSeverities": ["error", "hint", "error"],
			"navigationTools": false, "maxDependants": 7, "largeProjectFiles": 11, "maxRestarts": 0, "serverIdle": 0, "selfCorrectionLimit": 8,
			"maxServers": 13, "maxServerMemory": 14, "daemon": "never", "daemonIdle": 15, "referenceCache": "off", "indexes": "off",
			"autoDetect": false, "import": false, "maxFileBytes": 9, "maxOpenDocuments": 10,
			"ignore": ["dist/**"], "passEnv": ["NPM_TOKEN"], "allowRoots": ["` + lsptest.InJSON(lsptest.Rooted("/srv/other")) + `", "~/notes"], "trustedRoots": ["~/own"], "trust": "never",
			"policy": [{"action": "ask"}], "policyMode": "sensitive", "askTimeout": 16,
			"evidence": "~/log", "evidenceContents": true, "evidenceMaxSize": 17,
			"servers": {
				"eslint": { "enabled": false },
				"my-dsl": {
					"command": "my-dsl-server", "args": ["--stdio"], "extensions": [".dsl"],
					"env": { "MY_HOME": "${HOME}/my" }, "roots": ["dsl.toml"],
					"initializationOptions": {"a": 1}, "settings": {"b": [2]},
				},
				"gopls": { "connect": "localhost:9999" },
				"clangd": { "connect": "unix:${HOME}/clangd.sock" },
			},
		},
	}`}.silent(t)
	want := Settings{
		Enabled: true, DiagnosticTimeout: time.Millisecond, FirstTouchTimeout: 2 * time.Millisecond,
		RequestTimeout: 3 * time.Second, MaxDiagnosticsPerFile: 4, MaxTotalLines: 6,
		IncludeSeverities: []Severity{Error, Hint}, MaxDependants: 7, LargeProjectFiles: 11, SelfCorrectionLimit: 8,
		MaxServers: 13, MaxServerMemory: 14, Daemon: DaemonNever, DaemonIdle: 15 * time.Millisecond, ReferenceCache: ReferenceCacheOff,
		Indexes:      IndexesOff,
		MaxFileBytes: 9, MaxOpenDocuments: 10, Ignore: []string{"dist/**"}, PassEnv: []string{"NPM_TOKEN"},
		AllowRoots: []string{lsptest.Rooted("/srv/other"), "~/notes"}, Trust: TrustNever,
		Policy: []policy.Rule{{Action: policy.Ask, Source: c.Settings.Policy[0].Source}}, PolicyMode: policy.Sensitive, AskTimeout: 16 * time.Millisecond,
		Evidence: "~/log", EvidenceContents: true, EvidenceMaxSize: 17,
	}
	if d := cmp.Diff(want, c.Settings); d != "" {
		t.Error(d)
	}
	if _, line, _ := strings.Cut(want.Policy[0].Source, "config.jsonc:"); line != "12" {
		t.Errorf("the rule is said to stand in %s", want.Policy[0].Source)
	}
	dsl := registry.Definition{
		ID:                    "my-dsl",
		Languages:             []registry.Language{{ID: "my-dsl", Patterns: []string{".dsl"}}},
		Commands:              []registry.Command{{Binary: "my-dsl-server", Args: []string{"--stdio"}}},
		Env:                   []string{"MY_HOME=" + lsptest.Rooted("/h") + "/my"},
		Roots:                 []string{"dsl.toml"},
		Role:                  registry.Primary,
		InitializationOptions: []byte(`{"a":1}`),
		Settings:              []byte(`{"b":[2]}`),
		Tested:                registry.Listed,
		Configured:            registry.Configured{Command: true, InitializationOptions: []byte(`{"a":1}`), Settings: []byte(`{"b":[2]}`)},
	}
	if d := cmp.Diff(dsl, get(t, c, "my-dsl")); d != "" {
		t.Error(d)
	}
	for id, address := range map[string]string{"gopls": "localhost:9999", "clangd": "unix:" + lsptest.Rooted("/h") + "/clangd.sock"} {
		if d := get(t, c, id); d.Connect != address || d.Disabled {
			t.Errorf("%s: %q, disabled %t", id, d.Connect, d.Disabled)
		}
	}
	if !get(t, c, "pyright").Disabled {
		t.Error("without autoDetect a server that is not named is on")
	}
}

// Each layer wins over those before it, and Source says which one did.
func TestLayers(t *testing.T) {
	y := layers{}
	step := func(want int, source string) {
		t.Helper()
		c := y.silent(t)
		if got := c.Settings.MaxRestarts; got != want {
			t.Errorf("maxRestarts is %d, want %d", got, want)
		}
		if got := c.Source("lsp.maxRestarts").String(); got != source {
			t.Errorf("source %q, want %q", got, source)
		}
		if got := c.Settings.MaxDependants; y.user != "" && got != 9 {
			t.Errorf("maxDependants of the user is %d", got)
		}
	}
	step(1, "built-in")
	y.user = "{\"lsp\": {\n\"maxRestarts\": 2, \"maxDependants\": 9}}"
	step(2, "user:2")
	y.project = "{\n\n\"lsp\": {\"maxRestarts\": 3}}"
	step(3, "project:3")
	y.environ = []string{"LSPINE_MAX_RESTARTS=4"}
	step(4, "LSPINE_MAX_RESTARTS")
	y.flags = []Flag{{"--restarts", "lsp.maxRestarts", "5"}}
	step(5, "--restarts")
}

// Every key has a variable and a flag that take what the file takes.
func TestEveryKeyAsText(t *testing.T) {
	text := map[string]string{
		"true or false": "off", "a number of milliseconds": "77", "a whole number": "78", "auto or never": "never", "ask or always or never": "always",
		"an array of globs": "a/**, b", "an array of names of variables": "A,B_1", "an array of folders": lsptest.Rooted("/a") + ",~/b",
		"an array of error, warning, info and hint": "warning,info",
		"an array of rules":                         `[{"action": "deny"}]`, "interactive or non-interactive or sensitive": "sensitive",
		"a file, or off": "off", "on or off": "off", "on or always or off": "always",
	}
	for _, k := range Keys() {
		before, given := layers{}.silent(t), text[k.Kind]
		if k.Path == "lsp.evidenceContents" { // off already
			given = "on"
		}
		for _, y := range []layers{
			{environ: []string{k.Variable + "=" + given}},
			{flags: []Flag{{"-x", k.Path, given}}},
		} {
			c := y.silent(t)
			changed := 0
			for i, v := range c.Explain() {
				if v.Source.Layer != LayerBuiltin && v.Key.Path == k.Path &&
					string(v.JSON) != string(before.Explain()[i].JSON) {
					changed++
				}
			}
			if changed != 1 {
				t.Errorf("%s=%s changed %d values", k.Variable, given, changed)
			}
		}
	}
	if got := variable("maxProjectDiagnosticsFiles"); got != "LSPINE_MAX_PROJECT_DIAGNOSTICS_FILES" {
		t.Error(got)
	}
	c := layers{environ: []string{"LSPINE_IGNORE=a/**, b,"}}.silent(t)
	if d := cmp.Diff([]string{"a/**", "b"}, c.Settings.Ignore); d != "" {
		t.Error(d)
	}
}

// lsp: false disables; a later object enables again, absence changes nothing.
func TestDisabled(t *testing.T) {
	for _, x := range []struct {
		y    layers
		want bool
	}{
		{layers{user: `{"lsp": false}`}, false},
		{layers{user: `{"lsp": false}`, project: `{}`}, false},
		{layers{user: `{"lsp": false}`, project: `{"lsp": {}}`}, true},
		{layers{project: `{"lsp": false}`}, false},
		{layers{environ: []string{"LSPINE_LSP=0"}}, false},
		{layers{user: "\ufeff{\"lsp\": false}"}, false},
		{layers{user: ``, project: "// nothing yet\n{}"}, true},
	} {
		if got := x.y.silent(t).Settings.Enabled; got != x.want {
			t.Errorf("%+v: %t", x.y, got)
		}
	}
}

// A server that nobody knows and that is switched off is off, and no mistake.
func TestUnknownServerThatIsOff(t *testing.T) {
	c := layers{user: `{"lsp": {"servers": {"nobody-knows": {"enabled": false}}}}`}.silent(t)
	if _, known := c.Servers.Get("nobody-knows"); known {
		t.Error("it is there")
	}
}

// Fields given for a built-in server override just those; options and settings
// are merged deeply.
func TestOverrideBuiltin(t *testing.T) {
	builtin, _ := registry.Builtin().Get("gopls")
	for name, x := range map[string]struct {
		user string
		want func(*registry.Definition)
	}{
		"nothing":  {`{}`, func(*registry.Definition) {}},
		"disabled": {`{"enabled": false}`, func(d *registry.Definition) { d.Disabled = true }},
		"command": {`{"command": "${HOME}/bin/gopls"}`, func(d *registry.Definition) {
			d.Commands = []registry.Command{{Binary: lsptest.Rooted("/h") + "/bin/gopls", Args: builtin.Commands[0].Args}}
			d.Configured.Command = true
		}},
		"command as an array": {`{"command": ["gopls", "-v"], "args": ["serve"]}`, func(d *registry.Definition) {
			d.Commands = []registry.Command{{Binary: "gopls", Args: []string{"-v", "serve"}}}
			d.Configured.Command = true
		}},
		"args": {`{"args": ["-remote=auto"]}`, func(d *registry.Definition) {
			d.Commands = []registry.Command{{Binary: "gopls", Args: []string{"-remote=auto"}}}
		}},
		"env": {`{"env": {"GOFLAGS": "-tags=${EMPTY}x", "B": "$HOME"}}`, func(d *registry.Definition) {
			d.Env = []string{"GOFLAGS=-tags=x", "B=$HOME"}
		}},
		"extensions": {`{"extensions": ["go", ".gotmpl"]}`, func(d *registry.Definition) {
			d.Languages = []registry.Language{{ID: "go", Patterns: []string{".go", ".gotmpl"}}}
		}},
		"roots": {`{"roots": ["WORKSPACE"]}`, func(d *registry.Definition) { d.Roots = []string{"WORKSPACE"} }},
		"scope": {`{"scope": ["src/**", "*.toml"]}`, func(d *registry.Definition) { d.Within = []string{"src/**", "*.toml"} }},
	} {
		t.Run(name, func(t *testing.T) {
			c := layers{user: `{"lsp": {"servers": {"gopls": ` + x.user + `}}}`}.silent(t)
			want := builtin
			x.want(&want)
			if d := cmp.Diff(want, get(t, c, "gopls"), cmpopts.EquateEmpty()); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(registry.Builtin().IDs(), c.Servers.IDs()); d != "" {
				t.Error(d)
			}
		})
	}
	c := layers{project: `{"lsp": {"servers": [{"id": "gopls", "language_id": "go"}]}}`}.silent(t)
	if d := cmp.Diff(builtin.Languages, get(t, c, "gopls").Languages); d != "" {
		t.Errorf("a language id took its other languages away: %s", d)
	}
	c = layers{user: `{"lsp": {"servers": {"gopls": {"settings": {"toy": {"a": 1}}}}}}`}.silent(t)
	var before, after map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(builtin.Settings, &before), json.Unmarshal(get(t, c, "gopls").Settings, &after)); err != nil {
		t.Fatal(err)
	}
	before["toy"] = json.RawMessage(`{"a":1}`)
	if d := cmp.Diff(before, after); d != "" {
		t.Errorf("the built-in settings beside ours: %s", d)
	}
	c = layers{user: `{"lsp": {"servers": {"typescript": {"command": "/opt/tsgo"}}}}`}.silent(t)
	typescript, _ := registry.Builtin().Get("typescript")
	i := slices.IndexFunc(typescript.Commands, func(c registry.Command) bool { return c.Binary == "tsgo" })
	want := []registry.Command{{Binary: "/opt/tsgo", Args: typescript.Commands[i].Args}}
	if d := cmp.Diff(want, get(t, c, "typescript").Commands); d != "" {
		t.Errorf("the arguments of the alternative: %s", d)
	}
}

// What is said of one server twice is merged: options and settings object by
// object, variables by name; all else is replaced.
func TestMerge(t *testing.T) {
	c := layers{user: `{"lsp": {"servers": [
		{
			"id": "own", "command": "own", "extensions": ["own"], "env": {"A": "1", "B": "2"},
			"initializationOptions": {"a": {"b": 1, "c": [1]}, "d": 1}, "settings": {"x": {"y": {"z": 1}}},
		},
		{
			"id": "own", "env": {"A": "3"},
			"initializationOptions": {"a": {"c": [2], "e": null}, "d": {}}, "settings": {"x": {"y": {"w": 2}}},
		},
	]}}`}.silent(t)
	d := get(t, c, "own")
	got := []string{string(d.InitializationOptions), string(d.Settings), d.Env[0], d.Env[1]}
	want := []string{`{"a":{"b":1,"c":[2],"e":null},"d":{}}`, `{"x":{"y":{"w":2,"z":1}}}`, "B=2", "A=3"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// The array form has the same meaning, with both spellings of the id.
func TestServersAsArray(t *testing.T) {
	c := layers{user: `{"lsp": {"servers": [
		{"language_id": "klingon", "command": ["kls", "--lsp"], "extensions": ["kl"]},
		{"id": "toyls", "language_id": "toy", "command": "toyls", "args": ["-x"], "extensions": [".toy"]},
		{"id": "gopls", "enabled": false}
	]}}`}.silent(t)
	got := []registry.Definition{get(t, c, "klingon"), get(t, c, "toyls")}
	want := []registry.Definition{
		{
			ID: "klingon", Languages: []registry.Language{{ID: "klingon", Patterns: []string{".kl"}}},
			Commands: []registry.Command{{Binary: "kls", Args: []string{"--lsp"}}},
		},
		{
			ID: "toyls", Languages: []registry.Language{{ID: "toy", Patterns: []string{".toy"}}},
			Commands: []registry.Command{{Binary: "toyls", Args: []string{"-x"}}},
		},
	}
	for i := range want {
		want[i].SingleFile, want[i].Role, want[i].Tested, want[i].Configured.Command = true, registry.Primary, registry.Listed, true
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if !get(t, c, "gopls").Disabled {
		t.Error("gopls is on")
	}
}

// What a project's file says about what runs is not applied, but kept with its
// place; the rest of the file is applied.
//
// Requirement: REQ-CFG-080, BR-30.
func TestProjectCannotRunAnything(t *testing.T) {
	c := layers{project: `{"lsp": {
		"maxRestarts": 0, "passEnv": ["AWS_SECRET"], "allowRoots": ["/"], "trustedRoots": ["/"],
		"servers": {
			"gopls": {
				"command": ["./evil"], "args": ["-x"], "env": {"A": "${NOT_SET}"}, "connect": "evil:1",
				"initializationOptions": {"x": 1}, "settings": {"gopls": {"buildFlags": ["-toolexec=./evil"]}},
				"roots": ["x.toml"]
			},
			"own": {"command": "./own", "extensions": [".own"]},
		},
	}}`}.silent(t)
	want, _ := registry.Builtin().Get("gopls")
	want.Roots = []string{"x.toml"}
	if d := cmp.Diff(want, get(t, c, "gopls")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(registry.Builtin().IDs(), c.Servers.IDs()); d != "" {
		t.Error(d)
	}
	if c.Settings.MaxRestarts != 0 || c.Settings.PassEnv != nil || c.Settings.AllowRoots != nil || c.Settings.TrustedRoots != nil {
		t.Errorf("maxRestarts %d, passEnv %q, allowRoots %q", c.Settings.MaxRestarts, c.Settings.PassEnv, c.Settings.AllowRoots)
	}
	type row struct {
		id, field, value string
		line             int
	}
	var got []row
	for _, u := range c.Untrusted {
		got = append(got, row{u.ID, u.Field, u.Value, u.Line})
		if u.File != "project" || u.Hint == "" {
			t.Errorf("%+v", u)
		}
	}
	rows := []row{
		{"", "passEnv", `["AWS_SECRET"]`, 2},
		{"", "allowRoots", `["/"]`, 2},
		{"", "trustedRoots", `["/"]`, 2},
		{"gopls", "command", `["./evil"]`, 5},
		{"gopls", "args", `["-x"]`, 5},
		{"gopls", "env", `{"A":"${NOT_SET}"}`, 5},
		{"gopls", "connect", `"evil:1"`, 5},
		{"gopls", "initializationOptions", `{"x":1}`, 6},
		{"gopls", "settings", `{"gopls":{"buildFlags":["-toolexec=./evil"]}}`, 6},
		{"own", "command", `"./own"`, 9},
	}
	if d := cmp.Diff(rows, got, cmp.AllowUnexported(row{})); d != "" {
		t.Error(d)
	}
}

// The user's own words about a custom server stand, and the project's data
// about it are added.
func TestProjectAddsToTheUsersServer(t *testing.T) {
	c := layers{
		user:    `{"lsp": {"servers": {"own": {"command": "own-ls", "extensions": [".own"]}}}}`,
		project: `{"lsp": {"servers": {"own": {"command": "./evil", "extensions": [".own", ".o2"]}}}}`,
	}.silent(t)
	d := get(t, c, "own")
	if _, ok := d.LanguageID("a.o2"); !ok || d.Commands[0].Binary != "own-ls" {
		t.Errorf("%+v", d)
	}
	if got := c.Source("lsp.servers.own.command").String(); got != "user:1" {
		t.Error(got)
	}
	if got := c.Source("lsp.servers.own.extensions").String(); got != "project:1" {
		t.Error(got)
	}
}

// Where the user's file is follows flags, the variable and the platform.
func TestUserFile(t *testing.T) {
	dir := t.TempDir()
	lsptest.WriteFile(t, filepath.Join(dir, "a"), `{"lsp": {"maxRestarts": 11}}`)
	lsptest.WriteFile(t, filepath.Join(dir, "b"), `{"lsp": {"maxRestarts": 12}}`)
	for want, o := range map[int]Options{
		11: {Environ: []string{"LSPINE_CONFIG=" + filepath.Join(dir, "a")}},
		12: {Environ: []string{"LSPINE_CONFIG=" + filepath.Join(dir, "a")}, UserFile: filepath.Join(dir, "b")},
		1:  {Environ: []string{"XDG_CONFIG_HOME=" + dir}},
	} {
		c, problems := Load(o)
		if c.Settings.MaxRestarts != want || problems != nil {
			t.Errorf("%+v: %d, %v", o, c.Settings.MaxRestarts, problems)
		}
		if f := c.Files[0]; len(c.Files) != 1 || f.Found != (want != 1) {
			t.Errorf("%+v", c.Files)
		}
	}
	if got, want := UserFile([]string{"XDG_CONFIG_HOME=relative", "HOME=" + dir}), filepath.Join(dir, ".config", "lspine", "config.jsonc"); got != want && os.PathSeparator == '/' && filepath.Base(filepath.Dir(filepath.Dir(got))) != "Application Support" {
		t.Errorf("%s, want %s", got, want)
	}
	if got := UserFile(nil); got != "" {
		t.Errorf("no home: %s", got)
	}
}

// The second place of a project's file counts if the first is not there.
func TestProjectFolder(t *testing.T) {
	root := t.TempDir()
	lsptest.WriteFile(t, filepath.Join(root, ".lspine", "config.jsonc"), `{"lsp": {"maxRestarts": 6}}`)
	o := Options{Root: root, Environ: []string{}}
	if c, problems := Load(o); c.Settings.MaxRestarts != 6 || problems != nil {
		t.Errorf("%d, %v", c.Settings.MaxRestarts, problems)
	}
	lsptest.WriteFile(t, filepath.Join(root, ".lspine.jsonc"), `{"lsp": {"maxRestarts": 5}}`)
	c, problems := Load(o)
	if c.Settings.MaxRestarts != 5 || len(problems) != 1 || problems[0].Hint != "keep one of the two" {
		t.Errorf("%d, %v", c.Settings.MaxRestarts, problems)
	}
}

// A server that is switched on goes before the others of its group; one that only
// has settings does not.
func TestSwitchedOnComesFirst(t *testing.T) {
	c := layers{user: `{"lsp": {"servers": {"basedpyright": {"enabled": true}, "pylsp": {"settings": {"a": 1}}}}}`}.silent(t)
	based, pyright, pylsp := get(t, c, "basedpyright"), get(t, c, "pyright"), get(t, c, "pylsp")
	if based.Group != pyright.Group || based.Rank >= pyright.Rank || pylsp.Rank <= pyright.Rank {
		t.Errorf("ranks: basedpyright %d, pyright %d, pylsp %d", based.Rank, pyright.Rank, pylsp.Rank)
	}
	serving := registry.NewIndex(c.Servers).Serving("/w/a.py")
	first := slices.IndexFunc(serving, func(d *registry.Definition) bool { return d.Group == based.Group })
	if first < 0 || serving[first].ID != "basedpyright" {
		t.Errorf("%d: %v", first, serving)
	}
}
