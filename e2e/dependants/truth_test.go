package dependants

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// A truth is what a compiler says of the whole tree at root.
type truth func(t *testing.T, root, compiler string) findings

// again makes compilers say once more what is kept of them.
const again = "LSPINE_ASK_COMPILERS"

// ask returns what the compiler says of the tree. It is kept, by the content of the
// tree and the version of the compiler: most of the time of this suite is theirs.
func (tr *tree) ask(t *testing.T) findings {
	t.Helper()
	if tr.compiler == nil {
		return tr.truth(t, tr.root, "")
	}
	compiler := tr.compiler(t)
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.New()
	fmt.Fprintf(digest, "1 %q %s\n", filepath.Base(compiler), run(t, tr.root, compiler, "--version"))
	for _, name := range filesOf(t, tr.root) {
		content, err := os.ReadFile(filepath.Join(tr.root, name))
		if err != nil {
			t.Fatal(err)
		}
		if name != "compile_commands.json" { // it has absolute paths
			fmt.Fprintf(digest, "%q %q\n", name, content)
		}
	}
	kept := filepath.Join(cache, "lspine-dev", "truth", fmt.Sprintf("%x.json", digest.Sum(nil)))
	var found findings
	if content, err := os.ReadFile(kept); err == nil && os.Getenv(again) == "" && json.Unmarshal(content, &found) == nil {
		return found
	}
	found = tr.truth(t, tr.root, compiler)
	if content, err := json.Marshal(found); err == nil {
		lsptest.WriteFile(t, kept, string(content))
	}
	return found
}

// findings are the messages of errors by file, relative and with slashes, as often
// as they occur.
type findings map[string]map[string]int

func (f findings) add(file, message string) {
	if f[file] == nil {
		f[file] = make(map[string]int)
	}
	f[file][message]++
}

// beyond counts, by file, what f has and the other has not, without what is wrong in
// included files.
func (f findings) beyond(other findings) map[string]int {
	counts := make(map[string]int)
	for file, messages := range f {
		if other.ended(file) {
			continue // what comes after its end was not looked for
		}
		for message, n := range messages {
			if more := n - other[file][message]; more > 0 && !strings.HasPrefix(message, included) {
				counts[file] += more
			}
		}
	}
	return counts
}

// ended reports whether the compiler gave up in a file.
func (f findings) ended(file string) bool {
	for message := range f[file] {
		if strings.HasPrefix(message, fatal) {
			return true
		}
	}
	return false
}

// concerns reports whether what is wrong in a file, or in what it includes, is not the
// same in the other.
func (f findings) concerns(file string, other findings) bool {
	return !maps.Equal(f[file], other[file])
}

// run returns what a compiler prints, whatever it thinks of the tree.
func run(t *testing.T, dir, command string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "CARGO_NET_OFFLINE=true", "GOFLAGS=-mod=mod", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) {
		t.Fatalf("%s: %v", command, err)
	}
	return out
}

// parsed collects the lines that match; the groups are file and message.
func parsed(root string, out []byte, line *regexp.Regexp) findings {
	found := make(findings)
	for _, m := range line.FindAllStringSubmatch(string(out), -1) {
		name := m[1]
		if rel, err := filepath.Rel(root, name); filepath.IsAbs(name) && err == nil {
			name = rel
		}
		found.add(filepath.ToSlash(filepath.Clean(name)), m[2])
	}
	return found
}

// beside finds a command of the package that a server comes in.
func beside(server, command string) func(*testing.T) string {
	return func(t *testing.T) string {
		t.Helper()
		path, err := os.Readlink(lsptest.Require(t, server))
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Join(filepath.Dir(path), command)
	}
}

// installed finds a command of the machine, which judges a server.
func installed(server, command string) func(*testing.T) string {
	return func(t *testing.T) string {
		t.Helper()
		return lsptest.Compiler(t, server, command)
	}
}

var scriptLine = regexp.MustCompile(`(?m)^([^\s(][^(\n]*)\(\d+,\d+\): error (.*)$`)

// scriptTruth asks the tsc of the TypeScript that a server works with.
func scriptTruth(t *testing.T, root, tsc string) findings {
	return parsed(root, run(t, root, tsc, "--noEmit", "--pretty", "false", "-p", "."), scriptLine)
}

// packagesTruth asks the tsc for each package of a workspace.
func packagesTruth(t *testing.T, root, tsc string) findings {
	found := make(findings)
	projects, err := filepath.Glob(filepath.Join(root, "packages", "*", "tsconfig.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, project := range projects {
		for file, messages := range parsed(root, run(t, root, tsc, "--noEmit", "--pretty", "false", "-p", project), scriptLine) {
			if found[file] == nil { // packages that use it find the same in it
				found[file] = messages
			}
		}
	}
	return found
}

// linkPackages links the packages of a workspace as npm does.
func linkPackages(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		var manifest struct{ Name string }
		if dir := filepath.Dir(name); filepath.Base(name) == "package.json" && dir != "." {
			if err := json.Unmarshal([]byte(text), &manifest); err != nil {
				t.Fatal(err)
			}
			link := filepath.Join(root, "node_modules", manifest.Name)
			if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(root, dir), link); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// pythonTruth asks pyright's own command line.
func pythonTruth(t *testing.T, root, pyright string) findings {
	found := make(findings)
	pyrightFinds(t, found, root, pyright, root)
	return found
}

// pythonPackagesTruth asks it for each package of a workspace.
func pythonPackagesTruth(t *testing.T, root, pyright string) findings {
	found := make(findings)
	projects, err := filepath.Glob(filepath.Join(root, "packages", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, project := range projects {
		pyrightFinds(t, found, root, pyright, project)
	}
	return found
}

func pyrightFinds(t *testing.T, found findings, root, pyright, project string) {
	t.Helper()
	var report struct {
		GeneralDiagnostics []struct{ File, Severity, Message string }
	}
	if err := json.Unmarshal(run(t, project, pyright, "--outputjson"), &report); err != nil {
		t.Fatal(err)
	}
	for _, d := range report.GeneralDiagnostics {
		if name, err := filepath.Rel(root, d.File); err == nil && d.Severity == "error" {
			found.add(filepath.ToSlash(name), d.Message)
		}
	}
}

var cppLine = regexp.MustCompile(`(?m)^(\S+?):\d+:(?:\d+:)? (fatal error|error): (.*)$`)

// What an error is that a compiler finds in a file that is taken in, and one that
// ends the search.
const included, fatal = "in an included file: ", "the last: "

// cppTruth compiles each source file, and each header for itself.
func cppTruth(t *testing.T, root, compiler string) findings {
	found := make(findings)
	var mu sync.Mutex
	var units sync.WaitGroup
	slots := make(chan struct{}, 2)
	for _, name := range filesOf(t, root, ".cc", ".h") {
		units.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			out := run(t, root, compiler, "-std=c++17", "-fsyntax-only", "-fmax-errors=0", "-Isrc", "-x", "c++", name)
			mu.Lock()
			defer mu.Unlock()
			for _, m := range cppLine.FindAllStringSubmatch(string(out), -1) {
				message := m[3]
				if m[2] != "error" {
					message = fatal + message
				} else if m[1] != name {
					message = included + message
				}
				found.add(name, message)
			}
		})
	}
	units.Wait()
	return found
}

// compileCommands writes how the sources are compiled.
func compileCommands(t *testing.T, root string, files map[string]string) {
	type command struct {
		Directory string   `json:"directory"`
		File      string   `json:"file"`
		Arguments []string `json:"arguments"`
	}
	var commands []command
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if filepath.Ext(name) == ".cc" {
			commands = append(commands, command{root, filepath.Join(root, name), []string{"c++", "-std=c++17", "-I" + filepath.Join(root, "src"), "-c", name}})
		}
	}
	text, err := json.Marshal(commands)
	if err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, filepath.Join(root, "compile_commands.json"), string(text))
}

// filesOf returns the names of the files with these endings, or of all, sorted.
func filesOf(t *testing.T, root string, endings ...string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (d.Name() == "target" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if err == nil && !d.IsDir() && (len(endings) == 0 || slices.Contains(endings, filepath.Ext(path))) {
			name, _ := filepath.Rel(root, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// rustTruth asks cargo check, of tests, too.
func rustTruth(t *testing.T, root, cargo string) findings {
	found := make(findings)
	out := run(t, root, cargo, "check", "--all-targets", "--keep-going", "--message-format=json", "--quiet")
	seen := make(map[string]bool) // the library is compiled for tests once more
	for line := range strings.SplitSeq(string(out), "\n") {
		var m struct {
			Message struct {
				Level, Message string
				Spans          []struct {
					FileName  string `json:"file_name"`
					LineStart int    `json:"line_start"`
					Primary   bool   `json:"is_primary"`
				}
			}
		}
		if json.Unmarshal([]byte(line), &m) != nil || m.Message.Level != "error" {
			continue
		}
		for _, s := range m.Message.Spans {
			if key := fmt.Sprint(s.FileName, s.LineStart, m.Message.Message); s.Primary && !seen[key] {
				seen[key] = true
				found.add(filepath.ToSlash(s.FileName), m.Message.Message)
			}
		}
	}
	return found
}

var javaLine = regexp.MustCompile(`(?m)^(\S+\.java):\d+: error: (.*)$`)

// javaTruth compiles all sources at once.
func javaTruth(t *testing.T, root, javac string) findings {
	args := append([]string{"-d", t.TempDir(), "-Xmaxerrs", "1000", "-XDshould-stop.ifError=FLOW"}, filesOf(t, root, ".java")...)
	return parsed(root, run(t, root, javac, args...), javaLine)
}

// standard imports packages of the standard library.
var standard = struct {
	sync.Mutex
	types.Importer
	files *token.FileSet
}{Importer: importer.ForCompiler(token.NewFileSet(), "gc", nil)}

// goTruth checks every package of a module without dependencies, and its tests, by
// the type checker of the compiler: go build itself does not look at the packages
// that import a broken one.
func goTruth(t *testing.T, root, _ string) findings {
	standard.Lock()
	defer standard.Unlock()
	m := goModule{root: root, files: token.NewFileSet(), packages: make(map[string]*types.Package), found: make(findings)}
	dirs := make(map[string]bool)
	for _, name := range filesOf(t, root, ".go") {
		dirs[filepath.ToSlash(filepath.Dir(name))] = true
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		m.check(dir)
	}
	return m.found
}

type goModule struct {
	root     string
	files    *token.FileSet
	packages map[string]*types.Package // without tests, by folder; nil while it is checked
	found    findings
}

// Import implements [types.Importer].
func (m *goModule) Import(path string) (*types.Package, error) {
	dir, ours := strings.CutPrefix(path, "shop/")
	if !ours {
		return standard.Import(path)
	}
	if p, known := m.packages[dir]; known {
		if p == nil {
			return nil, errors.New("no Go files, or a cycle")
		}
		return p, nil
	}
	m.packages[dir] = nil
	files := m.parse(dir, func(name, _ string) bool { return !strings.HasSuffix(name, "_test.go") })
	if len(files) > 0 {
		m.packages[dir] = m.types(path, files)
	}
	return m.Import(path)
}

// check checks a folder: the package with the tests inside of it, and those outside.
func (m *goModule) check(dir string) {
	m.report(m.parse(dir, func(_, pkg string) bool { return !strings.HasSuffix(pkg, "_test") }))
	m.report(m.parse(dir, func(_, pkg string) bool { return strings.HasSuffix(pkg, "_test") }))
}

func (m *goModule) report(files []*ast.File) {
	if len(files) == 0 {
		return
	}
	cfg := types.Config{Importer: m, Error: func(err error) {
		var e types.Error
		// What follows a blank explains the error before; but both declarations are wrong.
		if errors.As(err, &e) && (!strings.HasPrefix(e.Msg, "\t") || strings.HasPrefix(e.Msg, "\tother declaration")) {
			name, _ := filepath.Rel(m.root, m.files.Position(e.Pos).Filename)
			m.found.add(filepath.ToSlash(name), e.Msg)
		}
	}}
	_, _ = cfg.Check("shop/checked", m.files, files, nil)
}

func (m *goModule) types(path string, files []*ast.File) *types.Package {
	cfg := types.Config{Importer: m, Error: func(error) {}} // reported by check
	p, _ := cfg.Check(path, m.files, files, nil)
	return p
}

func (m *goModule) parse(dir string, wanted func(name, pkg string) bool) (files []*ast.File) {
	entries, _ := os.ReadDir(filepath.Join(m.root, dir))
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".go" {
			continue
		}
		f, _ := parser.ParseFile(m.files, filepath.Join(m.root, dir, e.Name()), nil, parser.SkipObjectResolution)
		if f != nil && wanted(e.Name(), f.Name.Name) {
			files = append(files, f)
		}
	}
	return files
}
