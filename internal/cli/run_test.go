package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
)

var update = flag.Bool("update", false, "write the golden files again")

func TestMain(m *testing.M) {
	lsptest.Main(m, func() { lsp.Supervise(os.Args) }, func() {
		if len(os.Args) > 1 && os.Args[1] == "daemon" { // one that a test starts
			os.Exit(Main(os.Args))
		}
	}, lsptest.SideBySide(6))
}

// A shop is a folder with a configuration that knows the toy server, in which
// commands are run.
type shop struct {
	t                *testing.T
	root, configFile string
	stdin            string
	// change changes the streams before a command runs.
	change func(s *Streams)
}

func newShop(t *testing.T, archive string, script lsptest.Script) *shop {
	t.Helper()
	return &shop{t: t, root: lsptest.Workspace(t, "-- toy.root --\n"+archive), configFile: writeConfig(t, script)}
}

// trusted makes a person trust the folder, whose programs may then run.
func (s *shop) trusted() {
	s.change = func(streams *Streams) { streams.Environ = append(streams.Environ, "LSPINE_TRUSTED_ROOTS="+s.root) }
}

// writeConfig writes the configuration of a person with the toy server.
func writeConfig(t *testing.T, script lsptest.Script) string {
	t.Helper()
	d := script.Definition(t)
	env := make(map[string]string)
	for _, variable := range d.Env {
		name, value, _ := strings.Cut(variable, "=")
		env[name] = value
	}
	type server struct {
		Command    []string          `json:"command"`
		Args       []string          `json:"args"`
		Env        map[string]string `json:"env"`
		Extensions []string          `json:"extensions"`
		Roots      []string          `json:"roots"`
	}
	text, err := json.Marshal(map[string]any{"lsp": map[string]any{"servers": map[string]server{
		d.ID: {[]string{d.Commands[0].Binary}, []string{}, env, []string{".toy"}, d.Roots},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "config.jsonc")
	lsptest.WriteFile(t, file, "// mine\n"+string(text))
	return file
}

// An outcomeOf is what a person sees of a command; the shop's folder is ROOT.
type outcomeOf struct {
	code           int
	stdout, stderr string
}

func (s *shop) run(args ...string) outcomeOf { return s.runIn(s.t.Context(), args...) }

// inBin finds what Windows adds to the name of a program of the workspace.
var inBin = regexp.MustCompile(`(ROOT/bin/\w+)\.exe\b`)

// below replaces a folder in a text by a name, and writes what is below it with the slashes of all
// systems but Windows.
func below(text, dir, name string) string {
	return slashedBelow(strings.ReplaceAll(text, dir, name), name)
}

func slashedBelow(text, name string) string {
	return regexp.MustCompile(name+`\\[^\s":]*`).ReplaceAllStringFunc(text, lsptest.Slashed)
}

func (s *shop) runIn(ctx context.Context, args ...string) outcomeOf {
	var out, errs bytes.Buffer
	streams := &Streams{
		In: strings.NewReader(s.stdin), Out: &out, Err: &errs, Dir: s.root,
		Environ: []string{"HOME=" + filepath.Dir(s.configFile), "USERPROFILE=" + filepath.Dir(s.configFile), "XDG_CONFIG_HOME=" + filepath.Dir(s.configFile), "LSPINE_DAEMON=never"},
	}
	if s.change != nil {
		s.change(streams)
	}
	code := Run(ctx, append([]string{"--config", s.configFile}, args...), streams)
	// On Windows with the slashes of all others, also in JSON and in URIs.
	names := strings.NewReplacer(
		"file:///"+filepath.ToSlash(s.root), "file://ROOT", filepath.ToSlash(s.root), "ROOT",
		lsptest.InJSON(s.root), "ROOT", s.root, "ROOT", s.configFile, "CONFIG",
	)
	clean := func(text string) string {
		return inBin.ReplaceAllString(slashedBelow(names.Replace(text), "ROOT"), "$1")
	}
	return outcomeOf{code, clean(out.String()), clean(errs.String())}
}

// expect compares with what should be seen; stderr must hold each of says, and
// be empty for none.
func (s *shop) expect(name string, got outcomeOf, code int, stdout string, says ...string) {
	s.t.Helper()
	if got.code != code || got.stdout != stdout {
		s.t.Errorf("%s: exit code %d, stdout %q; want %d, %q\nstderr: %s", name, got.code, got.stdout, code, stdout, got.stderr)
	}
	if len(says) == 0 && got.stderr != "" {
		s.t.Errorf("%s: stderr is %q, want nothing", name, got.stderr)
	}
	for _, word := range says {
		if !strings.Contains(got.stderr, word) {
			s.t.Errorf("%s: stderr does not say %q:\n%s", name, word, got.stderr)
		}
	}
}

// golden compares with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		lsptest.WriteFile(t, file, got)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("not as in %s (go test -update writes it):\n%s", file, got)
	}
}

// Every regular expression of the program is one: they are compiled when they are first used, and
// a wrong one would be noticed only then.
func TestRegularExpressions(t *testing.T) {
	all := lazyregexp.All()
	if len(all) < 100 {
		t.Errorf("there are %d", len(all))
	}
	for _, r := range all {
		if _, err := regexp.Compile(r.String()); err != nil {
			t.Error(err)
		}
	}
}
