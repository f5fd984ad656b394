package cli

import (
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
)

// Each verb asks for what its arguments and flags say, and prints the answer alone.
func TestAnswersOfVerbs(t *testing.T) {
	t.Parallel()
	s := newShop(t, "-- main.toy --\nuse helper\nuse helper\n-- lib.toy --\n\ndef helper\ndef other\n", lsptest.Script{})
	const uses = "lib.toy:2 def helper\nmain.toy\n  1 use helper\n  2 use helper\n"
	const risk = "lib.toy:2:5 helper (function) risk medium: used in its folder, and no test uses it\n  used by\n    main.toy:1 ×2\n"
	const definition = "lib.toy:2:5: def helper\nhelper: 1 definition in 1 file\n"
	for args, want := range map[string]string{
		"def main.toy:1 helper":               definition,
		"def main.toy:1 helper --max-bytes 1": definition,
		"def main.toy:1 helper --source":      "helper: definition at lib.toy:2:5\ndef helper\n",
		"refs lib.toy helper":                 "lib.toy:2:5: def helper\nmain.toy:1:5: use helper\nmain.toy:2:5: use helper\nhelper: 3 references in 2 files\n",
		"refs lib.toy:2:5 --positions":        "lib.toy:2:5\nmain.toy:1:5\nmain.toy:2:5\nhelper: 3 references in 2 files\n",
		"hover main.toy:1:5":                  "helper (function) at main.toy:1:5, defined at lib.toy:2:5\ndef helper\nnext: references at main.toy:1:5\n",
		"hover main.toy:1:5 --all": "helper (function) at main.toy:1:5, defined at lib.toy:2:5\ndef helper\nsource:\nlib.toy:2-2 helper (function)\ndef helper\n" +
			"callers:\nhelper: 1 caller (derived from references and outlines)\nmain.toy:1:1 (top level) at 1:5 2:5\nreferences:\nhelper: 3 references in 2 files\n" + uses + "references in tests: 0\n",
		"symbols lib.toy":                         "lib.toy: 2 symbols\n2 function helper\n3 function other\n",
		"symbols lib.toy --kind class":            "lib.toy: 2 symbols\n",
		"symbols lib.toy --limit 1":               "lib.toy: 2 symbols\n2 function helper\n",
		"source lib.toy helper":                   "lib.toy:2-2 helper (function)\ndef helper\n",
		"source lib.toy helper --context 1":       "lib.toy:1-3 helper (function)\n\ndef helper\ndef other\n",
		"callers lib.toy helper":                  "helper: 1 caller (derived from references and outlines)\nmain.toy:1:1 (top level) at 1:5 2:5\n",
		"impact lib.toy":                          "2 symbols, 2 references, 0 in tests\n" + risk + "lib.toy:3:5 other (function) risk none: nothing in the workspace uses it\n",
		"impact --symbol lib.toy:2:5":             "1 symbol, 2 references, 0 in tests\n" + risk,
		"context main.toy:1":                      "lib.toy:2-2 helper\ndef helper\n\nlib.toy declares\n  function helper:2\n  function other:3\nitems: 2, 86 bytes of 8192, from toy 1.2.3\n",
		"context main.toy --in-view lib.toy":      "items: 0, 0 bytes of 8192\n",
		"context main.toy:1 --budget 60":          "lib.toy:2-2 helper\ndef helper\n",
		"context --symbol lib.toy:2:5 --budget 9": "",
	} {
		got := s.run(strings.Fields(args)...)
		if strings.Contains(args, "--budget") { // what is left out is said in its own words
			got.stdout = got.stdout[:min(len(want), len(got.stdout))]
		}
		if diff := cmp.Diff(outcomeOf{exitClean, want, ""}, got, cmp.AllowUnexported(outcomeOf{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", args, diff)
		}
	}
	want := "{\n  \"symbol\": \"helper\",\n  \"what\": \"definition\",\n  \"total\": 1,\n"
	if got := s.run("def", "main.toy:1", "helper", "--json"); !strings.HasPrefix(got.stdout, want) || got.code != exitClean || got.stderr != "" {
		t.Errorf("as JSON: %+v", got)
	}
}

// What a command line lacks, or has too much of, is said with what to type instead, before anything is asked or changed.
func TestCommandLinesThatAreWrong(t *testing.T) {
	s := newShop(t, "-- lib.toy --\ndef helper\n", lsptest.Script{})
	const (
		deadline = "--timeout: a deadline is longer than nothing|for example --timeout 30s"
		budget   = "--max-bytes: a budget is at least 1 byte|for example --max-bytes 12000"
		scope    = `--scope: "all" is neither user nor project|for example --scope user`
		skill    = `there is no skill "nothing"|lspine skills list lists them`
		shells   = "completion takes one shell|shells are bash, zsh, fish, powershell"
	)
	for args, want := range map[string]string{
		"def":                                    "lspine def: no symbol is named|for example lspine def main.go:42:7, or lspine def Config.Load",
		"refs":                                   "lspine refs: no symbol is named|for example lspine refs main.go:42:7, or lspine refs Config.Load",
		"def x --timeout -1s":                    deadline,
		"def x --max-bytes 0":                    budget,
		"check --timeout -1s":                    deadline,
		"check --all lib.toy":                    "--all checks every file; it goes without names|leave out one of the two",
		"fix lib.toy --apply -1":                 "--apply: numbers start at 1|lspine fix lib.toy lists them",
		"fix lib.toy:0":                          "lib.toy:0: 0 is no range of lines|for example lib.toy:10-20; lines start at 1",
		"format lib.toy:3-2":                     "lib.toy:3-2: 3-2 is no range of lines|for example lib.toy:10-20; lines start at 1",
		"simulate lib.toy --timeout -1s":         deadline,
		"simulate lib.toy --max-bytes 0":         budget,
		"symbols lib.toy --format odd":           `format: "odd" is no format|formats are tree and flat`,
		"symbols lib.toy --depth -1":             `limit: limit, offset and depth are not negative|for example limit 20, offset 40`,
		"def lib.toy:1:5 --kind odd":             `kind: "odd" is no kind|kinds are definition, declaration, type_definition and implementation`,
		"callers lib.toy:1:5 --direction odd":    `direction: "odd" is no direction|directions are callers, callees, supertypes and subtypes`,
		"callers lib.toy:1:5 --depth -1":         `depth: -1 is not from 1 to 10|for example 2`,
		"impact lib.toy --scope odd":             `scope: "odd" is no scope|scopes are exported and all`,
		"context lib.toy --include odd":          `include: "odd" is no kind of items|kinds are type, definition, signature, summary, hints, references, diagnostics`,
		"check lib.toy --scope odd":              `scope: "odd" is no scope|scopes are file, dependants and workspace`,
		"check lib.toy --severity odd":           `severities: "odd" is no severity|severities are error, warning, info and hint`,
		"context":                                "context needs a focus|for example lspine context src/a.go:42, or lspine context --diff",
		"context lib.toy --budget 0":             "--budget: a budget is at least 1 byte|for example --budget 8192",
		"impact lib.toy --since HEAD":            "--since takes the files of a diff; it goes without names|leave out one of the two",
		"completion":                             shells,
		"completion tcsh":                        shells,
		"completion bash zsh":                    shells,
		"skills show":                            "show takes the name of one skill|lspine skills list lists them",
		"skills show nothing":                    skill,
		"skills install nothing":                 skill,
		"skills install --scope all":             scope,
		"skills uninstall --agent nobody":        `there is no agent "nobody"|one of claude, codex, copilot, cursor, gemini, opencode, qwen`,
		"hook install":                           "--host names the agents whose hooks it is about|one of claude, cline, codex, copilot, cursor, gemini, llxprt, opencode, pi, qwen",
		"hook install --host cursor --scope all": scope,
		"init --scope all":                       scope,
		"install":                                "install takes the servers to install|lspine install --for . finds those that the files here need; --list names all",
		"install --json":                         "--json goes with --list alone|lspine install --list --json",
		"install --for lib.toy":                  "--for: ROOT/lib.toy is not a folder|name the folder that holds it",
		"remove":                                 "remove takes the servers to remove|lspine install --list says what is installed",
		"uninstall gopls":                        "uninstall takes lspine out of coding agents|lspine remove gopls removes a language server",
		"uninstall --purge --agent claude":       "--purge goes without --agent|lspine uninstall --purge takes it out of all agents",
		"policy check a b c":                     "policy check takes an operation, and a path if you like|for example lspine policy check edit src/a.go",
		"evidence show --since x":                `--since: "x" is no moment|for example --since 24h, or --since 2026-01-31`,
		"evidence tail --lines 0":                "--lines: at least one record is needed|for example --lines 20",
		"def x --root lib.toy":                   "--root: ROOT/lib.toy is not a folder|name the folder that holds it",
		"def x --nothing":                        "unknown flag: --nothing|lspine def --help lists the flags",
		"help nothing":                           `there is no command "nothing"|lspine help lists the commands`,
		"help check more":                        `there is no command "check more"|lspine help lists the commands`,
		"mcp --text x":                           `--text: there is no form "x"|forms are json, of the full profile alone, and prose`,
		"mcp --permission x":                     `--permission: "x" names no tool with its rule|for example --permission lsp_rename=allow`,
		"mcp --permission =allow":                `--permission: "=allow" names no tool with its rule|for example --permission lsp_rename=allow`,
		"mcp --permission a=b":                   `permission: there is no rule "b"|rules are allow, deny, ask, and ask:allow, which allows it where the client cannot ask`,
		"mcp --allow-root lib.toy":               "--allow-root: ROOT/lib.toy is not a folder|name the folder that holds it",
		"hook --host nobody":                     `--host: there is no host "nobody"|lspine hook --help lists them`,
	} {
		message, hint, _ := strings.Cut(want, "|")
		got := s.run(strings.Fields(args)...)
		if diff := cmp.Diff(outcomeOf{exitUsage, "", "lspine: " + message + "\n  " + hint + "\n"}, got, cmp.AllowUnexported(outcomeOf{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", args, diff)
		}
	}
}

// Permissions are by tool, and the last of one counts.
func TestPermissionsOfTheCommandLine(t *testing.T) {
	f := mcpFlags{permission: []string{"a=deny", "b=ask:allow", "a=allow"}}
	got, err := f.permissions()
	want := map[string]api.Permission{"a": {Action: api.Allow, Fallback: api.Deny}, "b": {Action: api.Ask, Fallback: api.Allow}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// How much is logged is said by the environment: warnings, if it says nothing.
func TestLevelOfTheEnvironment(t *testing.T) {
	for name, want := range map[string]slog.Level{"": slog.LevelWarn, "debug": slog.LevelDebug, "ERROR": slog.LevelError} {
		got, err := logLevel(&Streams{Environ: []string{"LOG_LEVEL=" + name}})
		if err != nil || got.Level() != want {
			t.Errorf("%q: %v, %v", name, got, err)
		}
	}
	usage := (*usageError)(nil)
	if _, err := logLevel(&Streams{Environ: []string{"LOG_LEVEL=loud"}}); !errors.As(err, &usage) || usage.message != `LOG_LEVEL: there is no level "loud"` || usage.hint == "" {
		t.Errorf("%v", err)
	}
}

// The folders that may be used besides are those of the flags, then those of the user's own configuration: what is not
// there is told, and a home that is not known has none.
func TestFoldersThatMayBeUsed(t *testing.T) {
	dir := lsptest.Workspace(t, "-- one/x --\n-- home/notes/x --\n-- two/x --\n-- file --\n")
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	configured := at("config.jsonc")
	lsptest.WriteFile(t, configured, `{"lsp": {"allowRoots": ["~/notes", "~", "`+lsptest.InJSON(at("two"))+`", "`+lsptest.InJSON(at("gone"))+`"]}}`)
	for home, want := range map[string][]string{
		"HOME=" + at("home"):        {at("one"), at("home/notes"), at("home"), at("two")},
		"USERPROFILE=" + at("home"): {at("one"), at("home/notes"), at("home"), at("two")},
		"HOME=relative":             {at("one"), at("two")},
		"NONE=":                     {at("one"), at("two")},
	} {
		var said strings.Builder
		f := mcpFlags{global: &global{configFile: configured}, allow: []string{"one"}}
		got, err := f.allowed(&Streams{Dir: dir, Environ: []string{home}, Err: &said})
		if diff := cmp.Diff(want, got); diff != "" || err != nil || !strings.HasPrefix(said.String(), "lspine: configuration: allowRoots: ") || strings.Count(said.String(), "\n") != 1 {
			t.Errorf("%s: %v, %q (-want +got):\n%s", home, err, said.String(), diff)
		}
	}
	known := homes([]string{"HOME=" + at("home"), "USERPROFILE=relative"})
	if len(known) == 0 || known[0] != at("home") {
		t.Errorf("%q", known)
	}
	for _, home := range known {
		if !filepath.IsAbs(home) {
			t.Errorf("%s is a home", home)
		}
	}
}
