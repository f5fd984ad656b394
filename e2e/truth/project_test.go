package truth

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/lspine/lspine/e2e/judge"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
)

func TestMain(m *testing.M) {
	lsptest.Main(m, func() { lsp.Supervise(os.Args) })
}

// A project is an archive of testdata.
type project struct {
	name    string
	servers []string
	// real is the folder in .tools/truth that the files of the archive are laid over,
	// and what of it is taken; none: the archive is the project.
	real []string
	// links are symbolic links, with their targets, as package managers make them.
	links [][2]string
	// flags compile every source file; none: there is no compilation database.
	flags []string
	files map[string]string
	steps []step
	// long says that it is only for those who have time.
	long bool
	// maven says that Maven loads it.
	maven bool
}

// readProject reads an archive: its comment has lines "key: words", the file
// "changes" has the script.
func readProject(t *testing.T, path string) project {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := project{name: strings.TrimSuffix(filepath.Base(path), ".txt"), files: make(map[string]string)}
	for line := range strings.Lines(string(archive.Comment)) {
		key, rest, ok := strings.Cut(strings.TrimSpace(line), ":")
		words := strings.Fields(rest)
		switch {
		case strings.HasPrefix(line, "#") || !ok && key == "":
		case key == "servers":
			p.servers = words
		case key == "real":
			p.real = words
		case key == "link":
			p.links = append(p.links, [2]string{words[0], words[1]})
		case key == "long":
			p.long = true
		case key == "flags":
			p.flags = words
		case key == "maven":
			p.maven = true
		default:
			t.Fatalf("%s: what is %q?", path, line)
		}
	}
	for _, f := range archive.Files {
		if f.Name == "changes" {
			p.steps = readSteps(t, path, string(f.Data))
			continue
		}
		p.files[f.Name] = string(f.Data)
	}
	return p
}

// A world is a project on disk, with an engine at work in it, and what the compiler
// says of it.
type world struct {
	project
	dialect
	server string
	large  bool // whatever its size, it is treated as a large project
	judge  judge.Judge
	root   string
	host   json.RawMessage // settings of the engine
	engine *engine.Engine
	// base are the files as planted, files as they are.
	base, files map[string]string
	truth       judge.Findings
	// tainted are files of which something wrong was said that the table of limits
	// explains, with the entry: what is said of them later may follow from that.
	tainted map[string]*limit
	// untold are files with errors that an answer left out, and said so.
	untold map[string]bool
	tally  tally
}

func plant(t *testing.T, p project, server string, large bool) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{project: p, dialect: dialects[server], server: server, large: large, judge: judge.For(t, server), root: root, untold: make(map[string]bool)}
	if len(p.real) > 0 {
		lsptest.CopyTree(t, root, lsptest.Fetched(t, p.real[0]), p.real[1:]...)
	}
	for name, text := range p.files {
		lsptest.WriteFile(t, filepath.Join(root, name), text)
	}
	for _, l := range p.links {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, l[0])), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(l[1], filepath.Join(root, l[0])); err != nil {
			t.Fatal(err)
		}
	}
	w.files = make(map[string]string)
	for _, name := range judge.Files(t, root) {
		content, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		w.files[name] = string(content)
	}
	if len(p.flags) > 0 {
		w.compileCommands(t)
	}
	if p.maven {
		w.host = mavenSettings(t)
	}
	w.base = maps.Clone(w.files)
	w.gitBegin(t)
	w.truth = w.ask(t)
	w.restart(t)
	return w
}

// restart opens an engine anew.
func (w *world) restart(t *testing.T) {
	w.engine = w.openEngine(t, false)
	w.tainted = make(map[string]*limit)
}

func (w *world) openEngine(t *testing.T, once bool) *engine.Engine {
	t.Helper()
	cfg, problems := config.Load(config.Options{Root: w.root, Environ: []string{}, Host: w.host})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if w.large {
		cfg.Settings.LargeProjectFiles = 1
	}
	e, err := engine.New(engine.Options{Root: w.root, Config: cfg, Only: []string{w.server}, Once: once})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeEngine(e) })
	return e
}

func closeEngine(e *engine.Engine) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // what they were about to do is of no use
	_ = e.Close(ctx)
}

// mavenSettings are settings with which jdtls has a home folder of its own with what Maven needs.
func mavenSettings(t *testing.T) json.RawMessage {
	t.Helper()
	env := map[string]string{"JDK_JAVA_OPTIONS": lsptest.MavenHome(t, t.TempDir())}
	settings, err := json.Marshal(map[string]any{"servers": map[string]any{"jdtls": map[string]any{"env": env}}})
	if err != nil {
		t.Fatal(err)
	}
	return settings
}

// compileCommands writes how the sources are compiled.
func (w *world) compileCommands(t *testing.T) {
	t.Helper()
	args := []string{"c++"}
	for _, f := range w.flags {
		args = append(args, strings.ReplaceAll(f, "ROOT", w.root))
	}
	var commands []judge.Command
	for _, name := range slices.Sorted(maps.Keys(w.files)) {
		if ending := filepath.Ext(name); ending == ".cc" || ending == ".cpp" {
			commands = append(commands, judge.Command{
				Directory: w.root, File: filepath.Join(w.root, name), Arguments: append(slices.Clone(args), "-c", filepath.Join(w.root, name)),
			})
		}
	}
	text, err := json.Marshal(commands)
	if err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, filepath.Join(w.root, "compile_commands.json"), string(text))
}

// excluded is what servers and compilers write.
const excluded = "target/\nnode_modules/\n.project\n.classpath\n.settings/\nbin/\nCargo.lock\n*.tsbuildinfo\ncompile_commands.json\n__pycache__/\n.cache/\n"

func (w *world) gitBegin(t *testing.T) {
	t.Helper()
	w.git(t, nil, "", "init", "-q", "-b", "main")
	lsptest.WriteFile(t, filepath.Join(w.root, ".git", "info", "exclude"), excluded)
	w.commit(t, "as it was")
}

func (w *world) commit(t *testing.T, message string) {
	t.Helper()
	w.git(t, nil, "", "add", "-A")
	w.git(t, nil, "", "commit", "-q", "--allow-empty", "-m", message)
}

// git runs a command of git and returns what it prints.
func (w *world) git(t *testing.T, env []string, input string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{
		"-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "core.autocrlf=false", "-c", "gc.auto=0", "-c", "advice.detachedHead=false",
	}, args...)...)
	cmd.Dir, cmd.Stdin = w.root, strings.NewReader(input)
	cmd.Env = append(append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "LC_ALL=C"), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}
