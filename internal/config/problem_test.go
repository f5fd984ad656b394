package config

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// Each mistake is told with its place, key, reason and remedy, and the rest of
// the layers counts.
func TestProblems(t *testing.T) {
	inLSP := func(s string) layers { return layers{user: `{"lsp": {"maxDependants": 9, ` + s + `}}`} }
	server := func(s string) layers { return inLSP(`"servers": {"gopls": {` + s + `}}`) }
	custom := func(s string) layers { return inLSP(`"servers": {` + s + `}`) }
	for _, x := range []struct {
		y    layers
		want string
	}{
		{inLSP(`"diagnosticTimout": 1`), `user:1:30: lsp.diagnosticTimout: unknown key (did you mean "diagnosticTimeout"?)`},
		{inLSP("\n  /* é */ \"Servers\": {}"), `user:2:11: lsp.Servers: unknown key (did you mean "servers"?)`},
		{inLSP(`"zzzzzzzz": 1`), `user:1:30: lsp.zzzzzzzz: unknown key`},
		{inLSP(`"enabled": true`), `user:1:30: lsp.enabled: unknown key ("lsp": false disables everything, "enabled": false within servers one of them)`},
		{inLSP(`"maxRestarts": 1, "maxRestarts": 1`), `user:1:30: lsp.maxRestarts: stands twice in one object (the last one counts)`},
		{inLSP(`"diagnosticTimeout": "3s"`), `user:1:51: lsp.diagnosticTimeout: must be a number of milliseconds, not a string`},
		{inLSP(`"diagnosticTimeout": 0`), `user:1:51: lsp.diagnosticTimeout: must be from 1 to 3600000, not 0`},
		{inLSP(`"diagnosticTimeout": 0.5`), `user:1:51: lsp.diagnosticTimeout: must be a number of milliseconds, not the number 0.5`},
		{inLSP(`"maxRestarts": -1`), `user:1:45: lsp.maxRestarts: must be from 0 to 100, not -1`},
		{inLSP(`"maxRestarts": 1e999`), `user:1:45: lsp.maxRestarts: must be from 0 to 100, not 1e999`},
		{inLSP(`"maxRestarts": null`), `user:1:45: lsp.maxRestarts: must be a whole number, not null`},
		{inLSP(`"autoDetect": 1`), `user:1:44: lsp.autoDetect: must be true or false, not the number 1`},
		{inLSP(`"includeSeverities": "error"`), `user:1:51: lsp.includeSeverities: must be an array of error, warning, info and hint, not a string`},
		{inLSP(`"includeSeverities": ["warn"]`), `user:1:51: lsp.includeSeverities: there is no severity "warn" (known are error, warning, info, hint)`},
		{inLSP(`"includeSeverities": ["errors"]`), `user:1:51: lsp.includeSeverities: there is no severity "errors" (did you mean "error"?)`},
		{inLSP(`"includeSeverities": []`), `user:1:51: lsp.includeSeverities: no severity: nothing would ever be shown ("lsp": false disables LSPine)`},
		{inLSP(`"ignore": ["a", 1]`), `user:1:40: lsp.ignore: must be an array of globs, and has the number 1 in it`},
		{inLSP(`"ignore": ["a["]`), `user:1:40: lsp.ignore: "a[" is not a glob`},
		{inLSP(`"passEnv": ["A=B"]`), `user:1:41: lsp.passEnv: "A=B" is not the name of a variable`},
		{inLSP(`"allowRoots": ["../x"]`), `user:1:44: lsp.allowRoots: "../x" is not absolute (write the whole path, or begin with ~/)`},
		{inLSP(`"servers": 1`), `user:1:41: lsp.servers: must be an object or an array, not the number 1`},
		{inLSP(`"servers": [{"command": "x"}]`), `user:1:42: lsp.servers[0]: has no "id", "language_id" or "extensions"`},
		{inLSP(`"servers": [1]`), `user:1:42: lsp.servers[0]: must be an object, not the number 1`},
		{inLSP(`"servers": [{"id": 1}]`), `user:1:49: lsp.servers[0].id: must be a string, not the number 1`},
		{custom(`"gopls": false`), `user:1:51: lsp.servers.gopls: must be an object, not false`},
		{custom(`"My Server": {}`), `user:1:42: lsp.servers.My Server: "My Server" is not an id: small letters, digits and . _ + - only`},
		{custom(`"goplz": {"enabled": false}`), `user:1:42: lsp.servers.goplz: is not built in, and has neither "command" nor "connect" (did you mean "gopls"?)`},
		{custom(`"own": {"extensions": ["own"]}`), `user:1:42: lsp.servers.own: is not built in, and has neither "command" nor "connect"`},
		{custom(`"own": {"command": "own"}`), `user:1:42: lsp.servers.own: is not built in, and has no "extensions"`},
		{server(`"comand": "x"`), `user:1:52: lsp.servers.gopls.comand: unknown key (did you mean "command"?)`},
		{server(`"command": {}`), `user:1:63: lsp.servers.gopls.command: must be a string or an array of strings, not an object`},
		{server(`"scope": []`), `user:1:61: lsp.servers.gopls.scope: is empty: no file would be in it; to switch the server off write "enabled": false`},
		{server(`"scope": ["a["]`), `user:1:61: lsp.servers.gopls.scope: "a[" is not a glob`},
		{server(`"command": []`), `user:1:63: lsp.servers.gopls.command: names no program`},
		{server(`"command": "${NOT_SET}/x", "args": ["-y"]`), `user:1:63: lsp.servers.gopls.command: the variable NOT_SET is not set (set it, or write the value itself)`},
		{server(`"command": "a\u0000b"`), `user:1:63: lsp.servers.gopls.command: has a NUL character in it`},
		{server(`"args": "-x"`), `user:1:60: lsp.servers.gopls.args: must be an array of strings, not a string`},
		{server(`"env": ["A=B"]`), `user:1:59: lsp.servers.gopls.env: must be an object of strings, not an array`},
		{server(`"env": {"A": 1}`), `user:1:59: lsp.servers.gopls.env: A must be a string, not the number 1`},
		{server(`"env": {"A=": ""}`), `user:1:59: lsp.servers.gopls.env: "A=" is not the name of a variable`},
		{server(`"connect": "9999"`), `user:1:63: lsp.servers.gopls.connect: "9999" is neither host:port nor unix:/path`},
		{server(`"connect": "h:0"`), `user:1:63: lsp.servers.gopls.connect: "h:0" is neither host:port nor unix:/path`},
		{server(`"connect": "h:65536"`), `user:1:63: lsp.servers.gopls.connect: "h:65536" is neither host:port nor unix:/path`},
		{server(`"connect": ":1"`), `user:1:63: lsp.servers.gopls.connect: ":1" is neither host:port nor unix:/path`},
		{server(`"connect": "unix:socket"`), `user:1:63: lsp.servers.gopls.connect: "unix:socket" is neither host:port nor unix:/path`},
		{server(`"connect": "unix:${NONE}/socket"`), `user:1:63: lsp.servers.gopls.connect: the variable NONE is not set (set it, or write the value itself)`},
		{server(`"extensions": ["*.go"]`), `user:1:66: lsp.servers.gopls.extensions: "*.go" is not an extension (write ".go" or "go")`},
		{server(`"extensions": []`), `user:1:66: lsp.servers.gopls.extensions: no extension: the server would never be used ("enabled": false switches it off)`},
		{server(`"settings": []`), `user:1:64: lsp.servers.gopls.settings: must be an object, not an array`},
		{server(`"enabled": "no"`), `user:1:63: lsp.servers.gopls.enabled: must be true or false, not a string`},
		{layers{user: `{"lsp": true}`}, `user:1:9: lsp: must be false or an object, not true`},
		{layers{user: `[]`}, `user:1:1: must be an object such as {"lsp": {…}}, not an array`},
		{layers{user: `{"maxRestarts": 1}`}, `user:1:2: maxRestarts: unknown key (put it into the "lsp" object)`},
		{layers{user: `{"lps": {}}`}, `user:1:2: lps: unknown key (did you mean "lsp"?)`},
		{layers{user: "{\"lsp\": {\n  \"é\": 1 \"b\": 2}}"}, `user:2:10: not JSON with comments: invalid character '"' after object value (expecting ',' or '}') (the whole file is ignored)`},
		{layers{user: `{`}, `user:1:2: not JSON with comments: parsing value: unexpected EOF (the whole file is ignored)`},
		{layers{user: "{\"\xff\": 1}"}, `user: is not UTF-8; the whole file is ignored`},
		{layers{user: strings.Repeat("[", 300) + strings.Repeat("]", 300)}, `user: is nested more than 200 deep; the whole file is ignored`},
		{layers{user: strings.Repeat(" ", maxConfigBytes+1)}, `user: cannot be read: more than 262144 bytes`},
		{layers{environ: []string{"LSPINE_MAX_RESTARTS=many"}}, `LSPINE_MAX_RESTARTS: lsp.maxRestarts: must be a whole number, not a string`},
		{layers{environ: []string{"LSPINE_MAX_RESTART=1", "LSPINE_SOMETHING_ELSE=1"}}, `LSPINE_MAX_RESTART: no such setting (did you mean "LSPINE_MAX_RESTARTS"?)`},
		{layers{flags: []Flag{{"--timeout", "lsp.requestTimout", "1"}}}, `--timeout: lsp.requestTimout: unknown key (did you mean "lsp.requestTimeout"?)`},
	} {
		c, problems := x.y.load(t)
		var got []string
		for _, p := range problems {
			got = append(got, p.Error())
		}
		if d := cmp.Diff([]string{x.want}, got); d != "" {
			t.Errorf("%.80s: %s", x.y.user, d)
		}
		if strings.Contains(x.y.user, `{"maxDependants": 9`) || strings.Contains(x.y.user, `"lsp": {"maxDependants": 9`) {
			if c.Settings.MaxDependants != 9 {
				t.Errorf("%s: the rest of the file is lost", x.y.user)
			}
		}
		if d := cmp.Diff(registry.Builtin(), c.Servers); d != "" {
			t.Errorf("%s: the servers changed: %s", x.y.user, d)
		}
	}
}

// Problems come in the order of layers and lines.
func TestProblemsAreInOrder(t *testing.T) {
	_, problems := layers{
		user:    "{\"lsp\": {\"servers\": {\n\"own\": {}},\n\"x\": 1}}",
		project: `{"lsp": {"x": 1}}`,
		environ: []string{"LSPINE_LSP=maybe"},
		flags:   []Flag{{"-x", "y", ""}},
	}.load(t)
	var got []string
	for _, p := range problems {
		where, _, _ := strings.Cut(p.Error(), ": ")
		got = append(got, where)
	}
	if d := cmp.Diff([]string{"user:2:1", "user:3:1", "project:1:10", "LSPINE_LSP", "-x"}, got); d != "" {
		t.Error(d)
	}
}

// A file that was named must be there, and must be a file.
func TestNamedFileMissing(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(dir, "none"): "no such file",
		dir:                        "not a regular file",
	} {
		_, problems := Load(Options{UserFile: path, Environ: []string{}})
		if len(problems) != 1 || problems[0].File != path || !strings.Contains(problems[0].Message, want) && os.PathSeparator == '/' {
			t.Errorf("%s: %v", path, problems)
		}
	}
}

// Whatever bytes stand in the files, loading ends, the settings are possible,
// the built-in servers are all there, and a project's file runs nothing.
func FuzzLoad(f *testing.F) {
	f.Add(`{"lsp": {"servers": [{"id": "gopls", "command": ["x"]}], "includeSeverities": []}}`)
	f.Add(`{"lsp": {"servers": {"gopls": {"settings": {"a": {"b": 1}}, "args": ["${HOME}"], "env": {"A": "${B}"}}}}}`)
	f.Add("\ufeff{\"lsp\": false,} // x")
	f.Add(`{"lsp": {"diagnosticTimeout": 1e400, "maxFileBytes": -0}}`)
	f.Add("/*\"*/[[[{\"a\":\n")
	dir := f.TempDir()
	user, project := filepath.Join(dir, "user.jsonc"), filepath.Join(dir, ".lspine.jsonc")
	f.Fuzz(func(t *testing.T, text string) {
		o := Options{UserFile: user, Root: dir, Environ: []string{"HOME=/h"}}
		lsptest.WriteFile(t, user, text)
		lsptest.WriteFile(t, project, "")
		c, problems := Load(o)
		checkPossible(t, c, problems)

		lsptest.WriteFile(t, user, "")
		lsptest.WriteFile(t, project, text)
		c, problems = Load(o)
		checkPossible(t, c, problems)
		for _, d := range registry.Builtin() {
			got, _ := c.Servers.Get(d.ID)
			got.Disabled, got.Languages, got.Roots = d.Disabled, d.Languages, d.Roots
			if diff := cmp.Diff(d, got); diff != "" {
				t.Errorf("the project changed what runs: %s", diff)
			}
		}
		if len(c.Servers) != len(registry.Builtin()) || c.Settings.PassEnv != nil {
			t.Errorf("the project added %q, %q", c.Servers.IDs(), c.Settings.PassEnv)
		}
	})
}

func checkPossible(t *testing.T, c *Config, problems []Problem) {
	s := c.Settings
	if s.DiagnosticTimeout <= 0 || s.FirstTouchTimeout <= 0 || s.RequestTimeout <= 0 || s.MaxTotalLines < 1 ||
		s.MaxRestarts < 0 || s.MaxFileBytes < 1 || s.MaxOpenDocuments < 1 || len(s.IncludeSeverities) == 0 {
		t.Errorf("impossible settings: %+v", s)
	}
	ids := c.Servers.IDs()
	if !slices.Equal(ids[:len(registry.Builtin())], registry.Builtin().IDs()) {
		t.Errorf("the built-in servers are not all there: %q", ids)
	}
	for i, d := range c.Servers {
		if slices.Index(ids, d.ID) != i || len(d.Commands) == 0 && d.Connect == "" || len(d.Languages) == 0 {
			t.Errorf("an impossible server: %+v", d)
		}
		for _, j := range []json.RawMessage{d.InitializationOptions, d.Settings} {
			if j != nil && !json.Valid(j) {
				t.Errorf("%s: not JSON: %s", d.ID, j)
			}
		}
	}
	for _, p := range problems {
		if p.Message == "" || p.File == "" || p.Line < 0 || p.Line > 0 && p.Column < 1 {
			t.Errorf("a problem without a place: %+v", p)
		}
	}
	for _, v := range c.Explain() {
		if !json.Valid(v.JSON) {
			t.Errorf("%s: %s", v.Key.Path, v.JSON)
		}
	}
}
