package archtest

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/language"
)

// rank puts every room on its floor. A room imports only from lower floors.
var rank = map[string]int{
	"lazyregexp": -2,
	"guard":      -1, "fspath": -1, "child": -1, "jsonc": -1, "legible": -1,
	"protocol": 0, "jsonrpc": 0, "language": 0, "registry": 0, "result": 0, "evidence": 0, "policy": 0, "scip": 0, "trace": 0,
	"api": 1, "call": 1, "config": 1, "lsp": 1, "edit": 1, "project": 1, "render": 1, "agents": 1, "install": 1, "release": 1, "artefact": 1, "replay": 1,
	"git": 2, "disk": 2, "extension": 2, "gate": 2, "bridge": 1,
	"roots":     3,
	"workspace": 4, "diagnostics": 4, "symbols": 4,
	"impact": 5, "setup": 5, "overlay": 5, "restate": 5,
	"dependants": 6, "refcache": 6,
	"navigation": 7, "editing": 7, "checking": 7, "assembly": 7, "doctor": 7, "toolchain": 7, "simulation": 7,
	"engine":    8,
	"remote":    9,
	"mcpserver": 10, "service": 10, "hook": 10, "ui": 10,
	"daemon": 11,
	"cli":    12,
}

// Rooms off the floors: for tests, and a tool that changes the code to try them.
var (
	forTests = []string{"lsptest", "enginetest", "archtest"}
	tools    = []string{"house", "mutants"}
	// ofTests are the packages of e2e that others of e2e share.
	ofTests = []string{"e2e/judge", "e2e/code"}
)

// ofFronts are the rooms that every front may import: what operations are, what they
// answer and how that looks; and the guard against panics, regular expressions, and how systems
// spell names of files.
var ofFronts = []string{"api", "result", "render", "guard", "lazyregexp", "fspath", "legible"}

// fronts are the rooms that people and programs talk to, with what each imports besides,
// and why. The lists only get shorter.
var fronts = map[string][]string{
	"mcpserver": {
		"extension", // it offers what programs add for a language
	},
	"service": {
		"jsonrpc", // the stream that it speaks over
		"remote",  // operations and errors as they cross a stream
	},
	"hook": {},
	"ui":   {},
	"cli": {
		"extension", // it makes those that are registered
		"mcpserver", // it starts that front
		"service",   // and that one, and shares an engine between them
		"hook",      // and that one
		"ui",        // and that one
		"agents",    // it writes us into their configuration
		"install",   // it installs and removes servers
		"release",   // it replaces this program
		"artefact",  // it fetches what the user names from stores
		"engine",    // it makes engines
		"trace",     // it opens traces, and explains what they say
		"replay",    // it plays servers on its standard input and output
		"daemon",    // it finds or starts one, and is one
		"config",    // it reads, explains and prints the configuration
		"workspace", // what changed in a folder, without an engine
		"roots",     // what a checkout that is not trusted would run, and which variables are secrets
		"disk",      // it waits for changes of a folder
		"lsp",       // the supervisor of servers is this program
		"evidence",  // it opens the log of this process, verifies it and prints it
		"gate",      // it has HTTP served behind it
		"bridge",    // it connects a client to a server over HTTP
	},
}

// public are the packages that programs outside of the module import, with the rooms that each stands
// before. Only their types and functions are promised (docs/reference/go.md), so a package hands on no
// more than its subject.
var public = map[string][]string{
	"hostclient":    {"api", "guard", "jsonrpc", "legible", "remote", "render", "result"},
	"pkg/types":     {"api", "result"},
	"pkg/lsp":       {"lsp", "protocol", "registry", "roots", "workspace"},
	"pkg/session":   {"api", "result"},
	"pkg/evidence":  {"evidence"},
	"pkg/host":      {"api", "config", "engine", "evidence", "lsp", "result"},
	"pkg/extension": {"api", "extension"},
	"pkg/program":   {"cli"},
}

// doors are packages that only some of ours may import. Nobody: tests, too.
// The reason stands behind each.
var doors = map[string]struct {
	tests bool // may any test import it?
	by    []string
}{
	"go.lsp.dev/protocol": {by: []string{
		"internal/protocol", // the types are exchanged for our own at the edge
	}},
	"go.lsp.dev/jsonrpc2": {by: []string{
		"internal/jsonrpc", // its stream is replaced by ours
	}},
	"github.com/modelcontextprotocol/go-sdk": {tests: true, by: []string{
		"internal/mcpserver", // the one front that speaks MCP
		"bench",              // asks it through the official client
	}},
	"github.com/MicahParks/keyfunc": {by: []string{
		"internal/gate", // the keys of an authorization server
	}},
	"github.com/golang-jwt/jwt": {tests: true, by: []string{
		"internal/gate", // its tokens
	}},
	"github.com/prometheus/client_golang": {by: []string{
		"internal/gate", // counts requests and calls
	}},
	"modernc.org/sqlite": {tests: true, by: []string{
		"internal/refcache/store", // keeps answers on disk
	}},
	"database/sql": {tests: true, by: []string{
		"internal/refcache/store", // no other room has a database
	}},
	"net/http": {tests: true, by: []string{
		"internal/mcpserver", // serves MCP
		"internal/gate",      // lets requests in
		"internal/ui",        // serves the person's page
		"internal/bridge",    // is a client of a server that the user names
		"internal/cli",       // tells the one whom the other let in
		"internal/release",   // fetches a release when a person asks for it
		"internal/artefact",  // fetches from, and gives to, the store that a person names
	}}, // nobody else is a client: nothing is told to anybody whom the user did not name
	"os/exec": {tests: true, by: []string{
		"internal/child",    // git and the tools of languages, without a window
		"internal/lsp/proc", // starts language servers, under the supervisor
		"internal/git",      // finds git
		"internal/roots",    // finds the programs of servers and tools
		"internal/daemon",   // starts itself
		"internal/install",  // npm, go and rustup, when a person asks for a server
		"internal/lsptest",  // finds real servers, starts a grandchild
		"internal/mutants",  // runs go test
		"internal/house",    // git: another revision
		"e2e/judge",         // runs compilers, for tests
		"bench",             // starts servers without LSPine, to compare
		"hostclient",        // starts the service, for a host
	}},
}

// mayBeUntyped are the packages whose product files may say map[string]any,
// each with its reason.
var mayBeUntyped = []string{}

// nameLanguages are the rooms, and files below internal, that say what languages are known by,
// each with what for. All others ask room language for a property. The list only gets shorter.
var nameLanguages = []string{
	"language", "registry", // the data itself: of languages, and of their servers
	"protocol", "config", // a source of diagnostics, and another name of a server
	"install", "release", // how npm and Go bring programs: servers, and this one
	"lsptest",                // tests
	"project/gotoolchain.go", // "go" is a line of go.mod there, and what versions begin with
}

const maxLines = 500

// room returns the first element below internal/, or "".
func room(p string) string {
	rest, ok := strings.CutPrefix(p, "internal/")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}

// below reports whether p is dir or in it.
func below(p, dir string) bool { return p == dir || strings.HasPrefix(p, dir+"/") }

// rule calls report for each thing that is wrong.
type rule func(pkgs []pkg, report func(format string, args ...any))

// eachImport calls f for each import of one of our own packages; to is its
// path below the module.
func eachImport(pkgs []pkg, f func(p pkg, by file, to string)) {
	for _, p := range pkgs {
		for _, by := range p.files {
			for _, imported := range by.imports {
				if to, ours := strings.CutPrefix(imported, module+"/"); ours {
					f(p, by, to)
				}
			}
		}
	}
}

func roomsHaveAFloor(pkgs []pkg, report func(string, ...any)) {
	for _, p := range pkgs {
		r := room(p.path)
		if _, known := rank[r]; r != "" && !known && !slices.Contains(forTests, r) && !slices.Contains(tools, r) {
			report("%s is a new room: give it a floor in rules_test.go and a line in the architecture", p.path)
		}
	}
}

func arrowsPointDown(pkgs []pkg, report func(string, ...any)) {
	eachImport(pkgs, func(p pkg, by file, to string) {
		if below(p.path, "bench/raw") && room(to) != "" {
			report("%s/%s imports %s; the raw client must not profit from LSPine", p.path, by.name, to)
		}
		if below(p.path, "skills") && !by.test() {
			report("%s/%s imports %s; skills are content, and know no room", p.path, by.name, to)
		}
		from, target := room(p.path), room(to)
		floor, onFloor := rank[from]
		switch {
		case !onFloor || from == target || slices.Contains(forTests, target):
		case target == "" && !below(to, "skills"):
			report("%s/%s imports %s, which is above all rooms", p.path, by.name, to)
		case target != "" && rank[target] >= floor:
			report("%s/%s (floor %d) imports %s (floor %d): arrows point down", p.path, by.name, floor, to, rank[target])
		}
	})
}

func frontsKnowTheAPIAlone(pkgs []pkg, report func(string, ...any)) {
	eachImport(pkgs, func(p pkg, by file, to string) {
		from, target := room(p.path), room(to)
		also, front := fronts[from]
		if !front || by.test() || target == "" || target == from || slices.Contains(ofFronts, target) || slices.Contains(also, target) {
			return
		}
		report("%s/%s imports %s: a front knows %s, and these exceptions: %s", p.path, by.name, to, strings.Join(ofFronts, ", "), strings.Join(also, ", "))
	})
}

func publicOnesAreKnown(pkgs []pkg, report func(string, ...any)) {
	for _, p := range pkgs {
		if _, known := public[p.path]; below(p.path, "pkg") && !known && !strings.HasSuffix(p.path, "/example") {
			report("%s is a new public package: it is a promise; name it in rules_test.go, and in docs/reference/go.md", p.path)
		}
	}
	eachImport(pkgs, func(p pkg, by file, to string) {
		rooms, is := public[p.path]
		if target := room(to); is && !by.test() && target != "" && !slices.Contains(rooms, target) {
			report("%s/%s imports %s: it stands before %s alone", p.path, by.name, to, strings.Join(rooms, ", "))
		}
	})
}

func innerIsForItsRoom(pkgs []pkg, report func(string, ...any)) {
	eachImport(pkgs, func(p pkg, by file, to string) {
		from, target := room(p.path), room(to)
		if target != "" && to != "internal/"+target && from != target && from != "lsptest" {
			report("%s/%s imports %s, an inner package of another room", p.path, by.name, to)
		}
	})
}

func testRoomsAreForTests(pkgs []pkg, report func(string, ...any)) {
	eachImport(pkgs, func(p pkg, by file, to string) {
		if slices.Contains(forTests, room(to)) && !by.test() && !strings.HasSuffix(p.path, "test") && !slices.Contains(ofTests, p.path) {
			report("%s/%s imports %s, which is for tests", p.path, by.name, to)
		}
	})
}

func doorsAreGuarded(pkgs []pkg, report func(string, ...any)) {
	for _, p := range pkgs {
		for _, f := range p.files {
			for _, imported := range f.imports {
				for door, allowed := range doors {
					ok := allowed.tests && f.test() ||
						slices.ContainsFunc(allowed.by, func(dir string) bool { return below(p.path, dir) })
					if below(imported, door) && !ok {
						report("%s/%s imports %s, which is for %s alone", p.path, f.name, imported, strings.Join(allowed.by, ", "))
					}
				}
			}
		}
	}
}

func packagesSayWhatTheyAreFor(pkgs []pkg, report func(string, ...any)) {
	for _, p := range pkgs {
		if !slices.ContainsFunc(p.files, func(f file) bool { return f.doc }) {
			report("%s has no package comment", p.path)
		}
	}
}

func filesStaySmall(pkgs []pkg, report func(string, ...any)) {
	for _, p := range pkgs {
		for _, f := range p.files {
			if f.lines > maxLines && !f.generated {
				report("%s/%s has %d lines, the limit is %d: split it by subject", p.path, f.name, f.lines, maxLines)
			}
		}
	}
}

func nobodySleeps(pkgs []pkg, report func(string, ...any)) {
	for _, p := range pkgs {
		for _, f := range p.files {
			for _, line := range f.sleeps {
				if p.path != "internal/lsptest" {
					report("%s/%s:%d names time.Sleep: wait for an event or a deadline", p.path, f.name, line)
				}
			}
		}
	}
}

// mayOpen are the files below internal that open what cannot be a device or a pipe of a checkout, or what may be one.
var mayOpen = map[string]string{
	"cli/change.go":            "a text of a change may come through a pipe",
	"edit/system_unix.go":      "a folder",
	"project/tsconfig.go":      "a folder",
	"roots/markers.go":         "a folder",
	"lsp/proc/tree_linux.go":   "files of the kernel",
	"daemon/log_windows.go":    "our own log",
	"daemon/socket_windows.go": "our own file",
}

func filesAreReadInOneWay(pkgs []pkg, report func(string, ...any)) {
	for _, p := range pkgs {
		for _, f := range p.files {
			inside, product := strings.CutPrefix(p.path, "internal/")
			if !product || f.test() || slices.Contains(forTests, room(p.path)) || slices.Contains(tools, room(p.path)) || mayOpen[inside+"/"+f.name] != "" {
				continue
			}
			for _, line := range f.opens {
				report("%s/%s:%d opens a file: fspath.Read and fspath.Open refuse devices and pipes, which never end", p.path, f.name, line)
			}
		}
	}
}

// shownTo are the rooms that write what people and models read, mayShow their files that write what others do, or that are
// where text leaves the process.
var (
	shownTo = []string{"cli", "hook", "mcpserver", "service", "render", "ui"}
	mayShow = map[string]string{
		"cli/cli.go":        "it makes the streams that are legible",
		"cli/mcp.go":        "a protocol",
		"cli/mcp_bridge.go": "a protocol",
		"cli/service.go":    "a protocol",
		"cli/replay.go":     "a protocol",
		"cli/hook.go":       "the hook makes its own text legible",
		"cli/check.go":      "workflow commands, which are meant",
	}
)

func textIsShownInOneWay(pkgs []pkg, report func(string, ...any)) {
	for _, p := range pkgs {
		for _, f := range p.files {
			if f.test() || !slices.Contains(shownTo, room(p.path)) || mayShow[strings.TrimPrefix(p.path, "internal/")+"/"+f.name] != "" {
				continue
			}
			for _, line := range f.shows {
				report("%s/%s:%d writes past room legible: use legible.Encode for JSON, and the streams of the command for text", p.path, f.name, line)
			}
		}
	}
}

func valuesAreTyped(pkgs []pkg, report func(string, ...any)) {
	for _, p := range pkgs {
		for _, f := range p.files {
			for _, line := range f.untyped {
				if room(p.path) != "" && !f.test() && !slices.Contains(mayBeUntyped, p.path) {
					report("%s/%s:%d has a map[string]any: use a struct, or json.RawMessage on the wire", p.path, f.name, line)
				}
			}
		}
	}
}

func languagesAreData(pkgs []pkg, report func(string, ...any)) {
	names := language.Names()
	for _, p := range pkgs {
		if r := room(p.path); r == "" || slices.Contains(nameLanguages, r) || slices.Contains(tools, r) {
			continue
		}
		for _, f := range p.files {
			if slices.Contains(nameLanguages, strings.TrimPrefix(p.path, "internal/")+"/"+f.name) {
				continue
			}
			for _, w := range f.words {
				if !f.test() && len(w.text) > 1 && slices.Contains(names, w.text) {
					report("%s/%s:%d names the language %q: ask room language for what differs", p.path, f.name, w.line, w.text)
				}
			}
		}
	}
}

func namesSaySomething(pkgs []pkg, report func(string, ...any)) {
	empty := regexp.MustCompile(`^(utils?|helpers?|common|misc)$`)
	for _, p := range pkgs {
		if empty.MatchString(path.Base(p.path)) {
			report("%s: name the package for its subject", p.path)
		}
		for _, f := range p.files {
			if empty.MatchString(strings.TrimSuffix(strings.TrimSuffix(f.name, ".go"), "_test")) {
				report("%s/%s: name the file for its subject", p.path, f.name)
			}
		}
	}
}

// ownPath finds absolute paths of the machine the code was written on, at the
// beginning of a word or in a file URI. People in examples are called you.
var ownPath = regexp.MustCompile(`(?m)(?:file://|^|[\s"'` + "`" + `(\[{<=:,>])(/(?:work|root)(?:[/"'` + "`" + `)\s,;:]|$)|/(?:home|Users)/\w+)`)

func noOwnPaths(texts []text, report func(string, ...any)) {
	for _, x := range texts {
		for i, line := range strings.Split(x.content, "\n") {
			m := ownPath.FindStringSubmatch(line)
			if m != nil && !regexp.MustCompile(`/you$`).MatchString(m[1]) {
				report("%s:%d has the path %s of somebody's machine", x.name, i+1, fmt.Sprintf("%.40q", m[1]))
			}
		}
	}
}
