package daemon

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/config"
)

// notInTheKey are the words in our sources that look like variables of the environment and do not tell daemons apart, each with
// the reason.
var notInTheKey = map[string]string{
	// Variables that decide what the client does, before or instead of asking a daemon.
	"CI": "whether there is to be a daemon", "LSPINE_CONFIG": "which file is read, and its text counts", "LSPINE_DAEMON_STEP": "removed by the daemon that reads it",
	"XDG_RUNTIME_DIR": "where the folders of daemons are", "TMPDIR": "where sockets with long names are", "XDG_STATE_HOME": "where what was trusted is noted, and what it says counts",
	"LSP_BOOTSTRAP": "an own engine", "LSPINE_RELEASES": "where update looks", "LOG_LEVEL": "what the client logs", "NO_COLOR": "what is printed", "TERM": "what is printed",
	"COPILOT_CLI": "which agent runs a hook", "COPILOT_HOME": "where an agent is configured", "CODEX_HOME": "where an agent is configured",
	"LSPINE_TOKEN": "who may talk to a server over HTTP, which is no daemon", "AGENT_LSP_TOKEN": "the same", "LSPINE_STORE_TOKEN": "what a store is told by the client", "USER": "named in advice",
	"CLAUDE_CONFIG_DIR": "where an agent is configured", "PI_CODING_AGENT_DIR": "where an agent is configured",
	// Variables that we set for programs and nobody reads.
	"BROWSER": "set", "MANPAGER": "set", "PAGER": "set", "DENO_NO_UPDATE_CHECK": "set", "GIT_OPTIONAL_LOCKS": "set", "LSPINE_CARGO": "set for ourselves in the place of cargo", "CARGO_LOG": "taken out for cargo", "CARGO_MANIFEST_DIR": "set by cargo for rustc",
	"GIT_TERMINAL_PROMPT": "set", "LSPINE_NODE_LOADS_NOTHING_IN": "set for what keeps Node.js from loading modules",
	"GIT_NO_LAZY_FETCH": "set", "GIT_ALLOW_PROTOCOL": "set", "GOBIN": "set for an installation",
	// Variables that are taken out: child.Environ.
	"GIT_INDEX_FILE": "taken out", "GIT_PREFIX": "taken out", "GIT_IMPLICIT_WORK_TREE": "taken out", "GIT_INTERNAL_SUPER_PREFIX": "taken out", "GIT_NAMESPACE": "taken out",
	"GIT_QUARANTINE_PATH": "taken out", "GIT_REFLOG_ACTION": "taken out", "GIT_CONFIG": "taken out", "GIT_CONFIG_PARAMETERS": "taken out", "GIT_GRAFT_FILE": "taken out",
	"GIT_SHALLOW_FILE": "taken out", "GIT_NO_REPLACE_OBJECTS": "taken out", "GIT_REPLACE_REF_BASE": "taken out", "GIT_LITERAL_PATHSPECS": "taken out",
	"GIT_GLOB_PATHSPECS": "taken out", "GIT_NOGLOB_PATHSPECS": "taken out", "GIT_ICASE_PATHSPECS": "taken out", "GIT_EXTERNAL_DIFF": "taken out", "GIT_DIFF_OPTS": "taken out",
	"GIT_EXEC_PATH":   "only says what git adds to PATH",
	"GIT_CONFIG_KEY_": "the beginning of names that are in the key", "GIT_CONFIG_VALUE_": "the beginning of names that are in the key",
}

// notVariables are other words in capital letters.
var notVariables = strings.Fields("AUX BUCK BUILD COM COMMAND CON DESCRIPTION EDITOR EINTEGRITY ES256 ES384 ES512 HEAD IGNORE IT JSX LPT LSPINE_ NAME NORMAL NUL OFF ON PRN PS256 PS384 PS512 REPLACE RS256 RS384 RS512 SRCROOT TOOL VACUUM VERSION WAL WORKSPACE")

var (
	looksLikeVariable = regexp.MustCompile(`^[A-Z][A-Z0-9]+(_[A-Z0-9]+)*_?$`)
	withinText        = regexp.MustCompile(`\$\{?([A-Z][A-Z0-9_]+)|^([A-Z][A-Z0-9_]+)=`)
)

// Two callers whose answers could differ never share a daemon: each variable of the environment that is named in our sources,
// or in what they know about servers and tools, is part of the key or has a reason not to be.
func TestVariablesAreInTheKey(t *testing.T) {
	counted := make(map[string]bool)
	for _, name := range environment {
		if counted[name] {
			t.Errorf("%s is in the list twice", name)
		}
		counted[name] = true
	}
	for _, key := range config.Keys() {
		counted[key.Variable] = true
	}
	named := namedInSources(t)
	for _, name := range slices.Sorted(maps.Keys(named)) {
		_, excepted := notInTheKey[name]
		if !counted[name] && !excepted && !slices.Contains(notVariables, name) {
			t.Errorf("%s names %s, which is neither in the key of a daemon (environment in key.go) nor in notInTheKey with a reason", named[name], name)
		}
		if counted[name] && excepted {
			t.Errorf("%s is in the key", name)
		}
	}
	for _, name := range slices.Concat(slices.Sorted(maps.Keys(notInTheKey)), notVariables) {
		if named[name] == "" {
			t.Errorf("nothing names %s any more", name)
		}
	}
}

// namedInSources returns the words in texts of our sources that look like variables of the environment, each with a file.
func namedInSources(t *testing.T) map[string]string {
	t.Helper()
	named := make(map[string]string)
	for _, folder := range []string{"../../internal", "../../pkg", "../../cmd"} {
		must(t, filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && slices.Contains([]string{"testdata", "lsptest", "enginetest", "mutants", "house", "archtest"}, e.Name()):
				return fs.SkipDir
			case e.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				literal, ok := n.(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					return true
				}
				text, err := strconv.Unquote(literal.Value)
				must(t, err)
				if looksLikeVariable.MatchString(text) {
					named[text] = path
				}
				for _, found := range withinText.FindAllStringSubmatch(text, -1) {
					named[found[1]+found[2]] = path
				}
				return true
			})
			return nil
		}))
	}
	return named
}
