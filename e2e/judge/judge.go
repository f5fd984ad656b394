package judge

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// A Judge is the batch compiler that knows better than a server.
type Judge struct {
	Server string
	// Counts says that server and compiler count errors alike, not only files.
	Counts bool
	// Revision grows when what is taken from the compiler's words changes: what is kept of
	// them is of no use then.
	Revision int
	// command finds the compiler on the machine.
	command func(t testing.TB) string
	look    func(t testing.TB, root, command string) Findings
	// parts are the judges of several servers; nil if it is one.
	parts []Judge
}

var judges = []Judge{
	{Server: "gopls", command: installed("gopls", "go"), look: goTruth, Counts: true, Revision: 1},
	{Server: "typescript", command: beside("typescript", "tsc"), look: scriptTruth, Counts: true},
	{Server: "typescript-language-server", command: beside("typescript-language-server", "tsc"), look: scriptTruth, Counts: true},
	{Server: "pyright", command: beside("pyright", "pyright"), look: pythonTruth, Counts: true},
	{Server: "clangd", command: installed("clangd", "c++"), look: cppTruth},
	{Server: "rust-analyzer", command: installed("rust-analyzer", "cargo"), look: rustTruth, Revision: 3},
	{Server: "jdtls", command: installed("jdtls", "javac"), look: javaTruth},
}

// For returns the judge of what a server says, or of what several servers say, separated by commas, each of
// its own files.
func For(t testing.TB, server string) Judge {
	t.Helper()
	if strings.Contains(server, ",") {
		all := Judge{Server: server, Counts: true}
		for one := range strings.SplitSeq(server, ",") {
			j := For(t, one)
			all.parts, all.Counts = append(all.parts, j), all.Counts && j.Counts
		}
		return all
	}
	for _, j := range judges {
		if j.Server == server {
			return j
		}
	}
	t.Fatalf("nobody judges %s", server)
	return Judge{}
}

// again makes compilers say once more what is kept of them.
const again = "LSPINE_ASK_COMPILERS"

// Ask returns what the compiler says of the tree at root. It is kept, by the content
// of the tree and the version of the compiler: most of the time of the suites that ask
// is the compilers'.
func (j Judge) Ask(t testing.TB, root string) Findings {
	t.Helper()
	if j.parts != nil {
		found := make(Findings)
		for _, one := range j.parts {
			maps.Copy(found, one.Ask(t, root))
		}
		return found
	}
	command := j.command(t)
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.New()
	version := "--version"
	if j.Server == "gopls" {
		version = "version"
	}
	fmt.Fprintf(digest, "%d %q %s\n", 9+j.Revision, filepath.Base(command), run(t, root, command, version))
	for _, name := range Files(t, root) {
		content, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		// Absolute paths are those of this run.
		fmt.Fprintf(digest, "%q %q\n", name, strings.ReplaceAll(string(content), root, "ROOT"))
	}
	kept := filepath.Join(cache, "lspine-dev", "truth", fmt.Sprintf("%x.json", digest.Sum(nil)))
	var found Findings
	if content, err := os.ReadFile(kept); err == nil && os.Getenv(again) == "" && json.Unmarshal(content, &found) == nil {
		return found
	}
	found = j.look(t, root, command)
	if content, err := json.Marshal(found); err == nil {
		lsptest.WriteFile(t, kept, string(content))
	}
	return found
}

// Files returns the names of the files with these endings, or of all, sorted; without
// what is hidden, built or installed.
func Files(t testing.TB, root string, endings ...string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && path != root &&
			(d.Name() == "target" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if err == nil && d.Type().IsRegular() && (len(endings) == 0 || slices.Contains(endings, filepath.Ext(path))) {
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

// run returns what a compiler prints, whatever it thinks of the tree.
func run(t testing.TB, dir, command string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "CARGO_NET_OFFLINE=true", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) {
		t.Fatalf("%s: %v", command, err)
	}
	return out
}

// beside finds a command of the package that a server comes in.
func beside(server, command string) func(testing.TB) string {
	return func(t testing.TB) string {
		t.Helper()
		path, err := os.Readlink(lsptest.Require(t, server))
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Join(filepath.Dir(path), command)
	}
}

// installed finds a command of the machine, which judges a server.
func installed(server, command string) func(testing.TB) string {
	return func(t testing.TB) string {
		t.Helper()
		return lsptest.Compiler(t, server, command)
	}
}

// A report collects what compilers say, each thing once: a file may belong to
// several programs.
type report struct {
	root  string
	found Findings
	seen  map[string]bool
}

func newReport(root string) *report {
	return &report{root, make(Findings), make(map[string]bool)}
}

// add adds an error. place is what tells it from others with the same message.
func (r *report) add(file, place, message string) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(r.root, file)
	}
	name, err := filepath.Rel(r.root, file)
	if err != nil || strings.HasPrefix(name, "..") {
		return
	}
	name = filepath.ToSlash(name)
	if key := name + "\x00" + place + "\x00" + message; !r.seen[key] {
		r.seen[key] = true
		r.found.Add(name, message)
	}
}

// lines adds the lines of an output that match; the groups are file, place and
// message. dir is what its paths start from.
func (r *report) lines(dir string, out []byte, line *regexp.Regexp) {
	for _, m := range line.FindAllStringSubmatch(string(out), -1) {
		file := m[1]
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		r.add(file, m[2], m[3])
	}
}
