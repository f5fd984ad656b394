package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// imported tells how a server is started and which of some files it handles, and where that
// comes from.
func imported(c *Config, root, id string) string {
	d, known := c.Servers.Get(id)
	if !known || c.Source("lsp.servers."+id).Layer == LayerBuiltin {
		return "none"
	}
	var parts []string
	if len(d.Commands) > 0 {
		parts = append(parts, strings.Join(append([]string{d.Commands[0].Binary}, d.Commands[0].Args...), " "))
	}
	for _, file := range []string{"a.go", "go.mod", "a.ts", "a.py", "a.dsl"} {
		if language, handles := d.LanguageID(file); handles {
			parts = append(parts, file+"="+language)
		}
	}
	for _, variable := range d.Env {
		if strings.HasPrefix(variable, "MODE=") {
			parts = append(parts, variable)
		}
	}
	if d.Disabled {
		parts = append(parts, "disabled")
	}
	if d.Rank == 0 && d.Group != "" {
		parts = append(parts, "first of its group")
	}
	where := lsptest.Slashed(strings.ReplaceAll(c.Source("lsp.servers."+id).String(), root, "ROOT"))
	return strings.Join(parts, ", ") + " (" + where + ")"
}

// The servers that other agents' files name are ours, under our names, where the project is
// trusted; and where it is not, only what is built in. Each says which file it comes from.
func TestImports(t *testing.T) {
	for _, c := range []struct {
		name, archive, id string
		trusted, not      string
		withheld          []string
	}{
		{
			"Claude Code", `-- .lsp.json --
{"go": {"command": "gopls", "args": ["-rpc.trace"], "extensionToLanguage": {".go": "go", ".tmpl": "gotmpl"}, "env": {"MODE": "x"}, "restartOnCrash": true}}`, "gopls",
			"gopls -rpc.trace, a.go=go, go.mod=go.mod, MODE=x (ROOT/.lsp.json:1)", "gopls, a.go=go, go.mod=go.mod (ROOT/.lsp.json:1)",
			[]string{"gopls.command", "gopls.args", "gopls.env"},
		},
		{
			"what is built in needs no trust", `-- .lsp.json --
{
  "python": {"command": "basedpyright-langserver", "args": ["--stdio"], "extensionToLanguage": {".py": "python"}}
}`, "basedpyright",
			"basedpyright-langserver --stdio, a.py=python, first of its group (ROOT/.lsp.json:2)", "basedpyright-langserver --stdio, a.py=python, first of its group (ROOT/.lsp.json:2)", nil,
		},
		{
			"nor does a mode that it has anyhow", `-- .lsp.json --
{"go": {"command": "gopls", "args": ["serve"], "extensionToLanguage": {".go": "go"}}}`, "gopls",
			"gopls, a.go=go, go.mod=go.mod (ROOT/.lsp.json:1)", "gopls, a.go=go, go.mod=go.mod (ROOT/.lsp.json:1)", nil,
		},
		{
			"a name that is no id", `-- .lsp.json --
{"My DSL": {"command": "dsl-server", "extensionToLanguage": {".dsl": "my-dsl"}}}`, "dsl",
			"dsl-server, a.dsl=my-dsl (ROOT/.lsp.json:1)", "none",
			[]string{"dsl.command"},
		},
		{
			"Copilot", `-- .github/lsp.json --
{"lspServers": {"dsl": {"command": "dsl-server", "args": ["${NO_SUCH:-here}"], "fileExtensions": {".dsl": "my-dsl"}, "requestTimeoutMs": 1}}}`, "dsl",
			"dsl-server here, a.dsl=my-dsl (ROOT/.github/lsp.json:1)", "none",
			[]string{"dsl.command", "dsl.args"},
		},
		{
			"Syndicate", `-- .syndicate/lsp.json --
{"servers": [{"language": "go", "command": "other-go-server", "args": ["-x"]}]}`, "gopls",
			"other-go-server -x, a.go=go, go.mod=go.mod (ROOT/.syndicate/lsp.json:1)", "gopls, a.go=go, go.mod=go.mod (ROOT/.syndicate/lsp.json:1)",
			[]string{"gopls.command", "gopls.args"},
		},
		{
			"opencode", `-- opencode.json --
{"model": "x", "lsp": {"my-ts": {"command": ["typescript-language-server", "--stdio", "--log-level", "4"], "extensions": [".ts"], "initialization": {"a": 1}}, "gopls": {"disabled": true}}}`, "typescript-language-server",
			"typescript-language-server --stdio --log-level 4, a.ts=typescript, first of its group (ROOT/opencode.json:1)",
			"typescript-language-server --stdio, a.ts=typescript, first of its group (ROOT/opencode.json:1)",
			[]string{"typescript-language-server.command", "typescript-language-server.initializationOptions"},
		},
		{"opencode switches one off", "-- opencode.json --\n{\"lsp\": {\"gopls\": {\"disabled\": true}}}", "gopls", "gopls, a.go=go, go.mod=go.mod, disabled (ROOT/opencode.json:1)", "gopls, a.go=go, go.mod=go.mod, disabled (ROOT/opencode.json:1)", nil},
		{"opencode says only that it wants some", "-- opencode.json --\n{\"lsp\": true}", "gopls", "none", "none", nil},
		{
			"Crush", `-- crush.json --
{"lsp": {"dsl": {"command": "dsl-server", "filetypes": ["dsl"], "root_markers": ["dsl.toml"], "init_options": {"x": 1}, "options": {"y": 2}}}}`, "dsl",
			"dsl-server, a.dsl=dsl (ROOT/crush.json:1)", "none",
			[]string{"dsl.command", "dsl.initializationOptions", "dsl.settings"},
		},
		{
			"cclsp", `-- cclsp.json --
{"servers": [{"extensions": ["py", "pyi"], "command": ["uvx", "pylsp"], "rootDir": "."}, {"extensions": ["dsl"], "command": ["dsl-server"]}]}`, "pylsp",
			"uvx pylsp, a.py=python, first of its group (ROOT/cclsp.json:1)", "pylsp, a.py=python, first of its group (ROOT/cclsp.json:1)",
			[]string{"pylsp.command", "dsl.command"},
		},
		{
			"the first of two files, and ours before both", `-- .lsp.json --
{"go": {"command": "claude-gopls"}}
-- crush.json --
{"lsp": {"go": {"command": "crush-gopls", "args": ["-crush"]}}}
-- .lspine.jsonc --
{"lsp": {"servers": {"gopls": {"args": ["-ours"]}}}}`, "gopls",
			"claude-gopls -ours, a.go=go, go.mod=go.mod (ROOT/.lspine.jsonc:1)", "gopls, a.go=go, go.mod=go.mod (ROOT/.lspine.jsonc:1)",
			[]string{"gopls.command", "gopls.args", "gopls.command", "gopls.args"},
		},
		{"not wanted", "-- .lsp.json --\n{\"go\": {\"command\": \"x\"}}\n-- .lspine.jsonc --\n{\"lsp\": {\"import\": false}}", "gopls", "none", "none", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, home := lsptest.Workspace(t, c.archive), t.TempDir()
			environ := []string{"HOME=" + home}
			load := func() *Config {
				t.Helper()
				cfg, problems := Load(Options{Root: root, Environ: environ})
				if len(problems) > 0 {
					t.Errorf("problems: %v", problems)
				}
				return cfg
			}
			cfg := load()
			if got := imported(cfg, root, c.id); got != c.not {
				t.Errorf("untrusted: %s\nwant %s", got, c.not)
			}
			var withheld []string
			for _, u := range cfg.Untrusted {
				withheld = append(withheld, u.ID+"."+u.Field)
				if u.Imported == strings.HasSuffix(u.File, ".lspine.jsonc") {
					t.Errorf("%+v", u)
				}
			}
			if diff := cmp.Diff(fmt.Sprint(c.withheld), fmt.Sprint(withheld)); diff != "" && len(c.withheld)+len(withheld) > 0 {
				t.Errorf("withheld: %s", diff)
			}
			if _, err := SetTrust(environ, root, cfg.Trust.Hash); err != nil {
				t.Fatal(err)
			}
			if cfg = load(); imported(cfg, root, c.id) != c.trusted || len(cfg.Untrusted) > 0 {
				t.Errorf("trusted: %s\nwant %s", imported(cfg, root, c.id), c.trusted)
			}
		})
	}
}

// A server that another agent speaks to over a socket is none that we could start. That is said, with how to name
// it to us; the others of the file count.
func TestImportOfAServerOnASocket(t *testing.T) {
	root := lsptest.Workspace(t, `-- .lsp.json --
{
  "dsl": {"command": "dsl-server", "transport": "socket", "extensionToLanguage": {".dsl": "dsl"}},
  "odd": {"command": "odd-server", "transport": 1, "extensionToLanguage": {".odd": "odd"}},
  "go": {"command": "gopls", "transport": "stdio", "extensionToLanguage": {".gox": "go"}}
}`)
	cfg, problems := Load(Options{Root: root, Environ: []string{"HOME=" + t.TempDir()}})
	var said []string
	for _, p := range problems {
		said = append(said, strings.ReplaceAll(p.Error(), root+string(filepath.Separator), "ROOT/"))
	}
	reason := ` lsp.import: is not for us: the server is not spoken to on standard input and output (start it yourself, and name its address in your own configuration: "lsp": {"servers": {"ID": {"connect": "localhost:4711", …}}})`
	if diff := cmp.Diff([]string{"ROOT/.lsp.json:2:49:" + reason, "ROOT/.lsp.json:3:49:" + reason}, said); diff != "" {
		t.Error(diff)
	}
	want := []string{"none", "none", "gopls, a.go=go, go.mod=go.mod (ROOT/.lsp.json:4)"}
	if diff := cmp.Diff(want, []string{imported(cfg, root, "dsl"), imported(cfg, root, "odd"), imported(cfg, root, "gopls")}); diff != "" {
		t.Error(diff)
	}
}

// A file in the user's own home needs no trust, and what the user says to us wins over it.
func TestImportOfOnesOwn(t *testing.T) {
	home := lsptest.Workspace(t, `-- .copilot/lsp-config.json --
{"lspServers": {"dsl": {"command": "dsl-server", "fileExtensions": {".dsl": "dsl"}}, "go": {"command": "copilot-gopls"}}}
-- .config/lspine/config.jsonc --
{"lsp": {"servers": {"gopls": {"command": "my-gopls"}}}}`)
	cfg, problems := Load(Options{Root: t.TempDir(), Environ: []string{"HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, ".config")}})
	if len(problems)+len(cfg.Untrusted) > 0 {
		t.Error(problems, cfg.Untrusted)
	}
	want := []string{"dsl-server, a.dsl=dsl (ROOT/.copilot/lsp-config.json:1)", "my-gopls, a.go=go, go.mod=go.mod (ROOT/.config/lspine/config.jsonc:1)"}
	if diff := cmp.Diff(want, []string{imported(cfg, home, "dsl"), imported(cfg, home, "gopls")}); diff != "" {
		t.Error(diff)
	}
}

// What a person says to us wins over what a project says to another agent, trusted or not.
func TestImportsComeFirst(t *testing.T) {
	root := lsptest.Workspace(t, `-- .lsp.json --
{"go": {"command": "their-gopls", "env": {"MODE": "theirs"}}}
-- opencode.json --
{"lsp": {"pyright": {"disabled": true}}}`)
	home := lsptest.Workspace(t, `-- lspine/config.jsonc --
{"lsp": {"servers": {"gopls": {"command": "my-gopls"}, "python": {"enabled": true}}}}`)
	environ := []string{"HOME=" + t.TempDir(), "XDG_CONFIG_HOME=" + home}
	load := func(want ...string) *Config {
		t.Helper()
		cfg, problems := Load(Options{Root: root, Environ: environ})
		if diff := cmp.Diff(want, []string{imported(cfg, home, "gopls"), imported(cfg, home, "pyright")}); diff != "" || len(problems) > 0 {
			t.Error(diff, problems)
		}
		return cfg
	}
	const mine, pyright = "my-gopls, a.go=go, go.mod=go.mod (ROOT/lspine/config.jsonc:1)", "pyright-langserver --stdio, a.py=python, first of its group (ROOT/lspine/config.jsonc:1)"
	cfg := load(mine, pyright)
	if _, err := SetTrust(environ, root, cfg.Trust.Hash); err != nil {
		t.Fatal(err)
	}
	load("my-gopls, a.go=go, go.mod=go.mod, MODE=theirs (ROOT/lspine/config.jsonc:1)", pyright)
}

// A file of another agent that makes no sense is told of, and stops nothing.
func TestImportsThatMakeNoSense(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		".lsp.json": "{", ".crush.json": "{\"lsp\": {\"\xff\": {}}}", "cclsp.json": "[]", "crush.json": strings.Repeat("[", maxNesting+1), "opencode.json": `{"lsp": {"go": {"command": 3, "args": "x", "extensions": 7}, "X Y": {"command": "a"}, "b": 1}}`,
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cfg, problems := Load(Options{Root: root, Environ: []string{"HOME=" + t.TempDir()}})
	var got []string
	for _, p := range problems {
		if p.Key == "" {
			t.Errorf("it stops everything: %v", p)
		}
		got = append(got, lsptest.Slashed(strings.ReplaceAll(p.Error(), root, "ROOT")))
	}
	const hint = ` ("import": false leaves other agents' files alone)`
	want := []string{
		"ROOT/.crush.json: lsp.import: is no JSON object" + hint,
		"ROOT/.lsp.json: lsp.import: is no JSON object" + hint,
		"ROOT/cclsp.json: lsp.import: is no JSON object" + hint,
		"ROOT/crush.json: lsp.import: is nested more than 200 deep" + hint,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if d, _ := cfg.Servers.Get("gopls"); d.Commands[0].Binary != "gopls" {
		t.Errorf("%+v", d.Commands)
	}
}
