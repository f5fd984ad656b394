package cli

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
)

// What the arguments of mcp say of servers replaces the built-in server of the language, and
// needs no trust.
//
// Requirement: AGENT-3.
func TestServersOfArguments(t *testing.T) {
	dir := lsptest.Workspace(t, `-- servers.json --
{"servers": [
  {"extensions": ["go"], "command": ["my-gopls", "-x"]},
  {"extensions": [".dsl", ".dslx"], "command": "dsl-server"}
]}`)
	const inArguments = "the arguments of mcp:1"
	for _, c := range []struct {
		args string
		want map[string]string // command line and source by id
	}{
		{"go gopls", map[string]string{"gopls": "gopls " + inArguments}},
		{"python pylsp --verbose", map[string]string{"pyright": "pylsp --verbose " + inArguments}},
		{"go:gopls typescript:typescript-language-server,--stdio", map[string]string{
			"gopls": "gopls " + inArguments, "typescript": "typescript-language-server --stdio " + inArguments,
		}},
		{"servers.json", map[string]string{
			"gopls": "my-gopls -x " + filepath.Join(dir, "servers.json") + ":2", "dsl": "dsl-server " + filepath.Join(dir, "servers.json") + ":3",
		}},
	} {
		t.Run(c.args, func(t *testing.T) {
			given, by, err := serversOf(&Streams{Dir: dir}, strings.Fields(c.args))
			if err != nil {
				t.Fatal(err)
			}
			cfg, problems := config.Load(config.Options{Root: dir, Environ: []string{"HOME=" + t.TempDir()}, Host: given, HostName: by})
			if len(problems)+len(cfg.Untrusted) > 0 {
				t.Error(problems, cfg.Untrusted)
			}
			got := make(map[string]string)
			for _, d := range cfg.Servers {
				if source := cfg.Source("lsp.servers." + d.ID); source.Layer != config.LayerBuiltin {
					got[d.ID] = strings.Join(append([]string{d.Commands[0].Binary}, d.Commands[0].Args...), " ") + " " + source.String()
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Arguments of mcp that cannot be understood are refused, with what can be.
func TestBadServersOfArguments(t *testing.T) {
	s := newShop(t, "-- go.mod --\nmodule m\n", lsptest.Script{})
	const forms = `mcp takes LANGUAGE COMMAND, LANGUAGE:COMMAND, or a file with "servers" at its top`
	for args, want := range map[string][]string{
		"go":                {"lspine: go cannot be read: ", forms},
		"go:":               {"lspine: go: cannot be read: ", forms},
		"go:gopls python":   {`lspine: "python" is no LANGUAGE:COMMAND`, "flags of mcp come before the servers"},
		"go:gopls --root .": {`lspine: "--root" is no LANGUAGE:COMMAND`, "flags of mcp come before the servers"},
	} {
		s.expect(args, s.run(append([]string{"mcp"}, strings.Fields(args)...)...), exitUsage, "", want...)
	}
}

// The server that an argument of mcp names is the one that answers.
//
// Requirement: AGENT-3.
func TestMCPWithAServer(t *testing.T) {
	gopls := lsptest.Require(t, "gopls")
	s := newShop(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- a.go --\npackage m\n\nvar N int = \"one\"\n", lsptest.Script{})
	ran := filepath.Join(t.TempDir(), "ran")
	own, script := filepath.Join(t.TempDir(), "own-server"), "#!/bin/sh\ntouch '"+ran+"'\nexec '"+gopls+"' \"$@\"\n"
	if fspath.Here.Drives {
		own, script = own+".cmd", "@echo off\r\ntype nul > \""+ran+"\"\r\n\""+gopls+"\" %*\r\n"
	}
	if err := os.WriteFile(own, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	in, client := io.Pipe()
	answers, out := io.Pipe()
	ended := make(chan outcomeOf, 1)
	s.change = func(st *Streams) { st.In, st.Out = in, out }
	go func() { ended <- s.run("mcp", "--root", s.root, "go:"+own) }()
	lines, last := bufio.NewReader(answers), ""
	for _, line := range []string{hello, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"check","arguments":{"files":["a.go"],"timeout_ms":60000}}}` + "\n"} {
		if _, err := io.WriteString(client, line); err != nil {
			t.Fatal(err)
		}
		var err error
		if last, err = lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	_ = client.Close()
	if got := <-ended; got.code != exitClean || got.stderr != "" || !strings.Contains(last, "IncompatibleAssign") {
		t.Errorf("%+v\n%s", got, last)
	}
	if _, err := os.Stat(ran); err != nil {
		t.Error("another server answered:", err)
	}
}
