package script

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// In a repository whose folders of tools have thousands of times more files than its projects, the daemon watches the folders in
// which a server may read something, however many others there are; and a change in one of these that git ignores is told: of what
// a build wrote, of an installed package, and of what a build script generated.
func TestDaemonWatchesWhatServersRead(t *testing.T) {
	for _, server := range []string{"gopls", "typescript-language-server", "pyright", "rust-analyzer"} {
		lsptest.Require(t, server)
	}
	const site = "py/.venv/lib/python3.11/site-packages"
	s := newKept(t, "-- .gitignore --\ntarget/\n.venv/\ndist/\n.mypy_cache/\n"+
		"-- go/go.mod --\nmodule m\n\ngo 1.24\n-- go/a.go --\npackage m\n"+
		"-- js/tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"types\": []}, \"include\": [\"src\"]}\n"+
		"-- js/src/a.ts --\nimport { made } from \"../dist/made\";\nexport const a: number = made;\n-- js/dist/made.d.ts --\nexport declare const made: number;\n"+
		"-- py/pyproject.toml --\n[tool.pyright]\n-- py/a.py --\nfrom lib.deep import made\n\na: int = made\n"+
		"-- py/.venv/pyvenv.cfg --\nversion = 3.11.0\n-- "+site+"/lib/__init__.py --\n-- "+site+"/lib/deep.py --\nmade: int = 1\n"+
		"-- rs/Cargo.toml --\n[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n-- rs/Cargo.lock --\nversion = 4\n\n[[package]]\nname = \"m\"\nversion = \"0.1.0\"\n"+
		"-- rs/build.rs --\nfn main() { std::fs::write(format!(\"{}/gen.rs\", std::env::var(\"OUT_DIR\").unwrap()), \"pub const MADE: i32 = 1;\").unwrap(); }\n"+
		"-- rs/src/lib.rs --\ninclude!(concat!(env!(\"OUT_DIR\"), \"/gen.rs\"));\npub fn a() -> i32 { MADE }\n", true)
	lsptest.WriteFile(t, filepath.Join(s.root, "rs", "target", "debug", "build", "x.json"), "{}")
	const many = 150
	for n := range many {
		for _, folder := range []string{"rs/target/debug/.fingerprint/c%d", "rs/target/debug/deps/c%d", "rs/target/debug/examples/c%d", "rs/target/debug/incremental/c%d/s", site + "/p%d", "py/.mypy_cache/3.11/p%d"} {
			lsptest.WriteFile(t, filepath.Join(s.root, filepath.FromSlash(fmt.Sprintf(folder, n)), "x.json"), "{}")
		}
	}

	type answer struct {
		verdict string
		watches int // in hundreds
	}
	var got []answer
	check := func(file string) {
		t.Helper()
		got = append(got, answer{s.verdict(file), s.watches() / 100})
	}
	check("go/a.go")
	check("js/src/a.ts")
	s.rewrite("js/dist/made.d.ts", "number", "string")
	check("js/src/a.ts")
	check("py/a.py")
	s.rewrite(site+"/lib/deep.py", "made: int = 1", "made: str = 'x'")
	check("py/a.py")
	check("rs/src/lib.rs")
	made, err := filepath.Glob(filepath.Join(s.root, filepath.FromSlash("rs/target/rust-analyzer/debug/build/*/out/gen.rs")))
	if err != nil || len(made) != 1 {
		t.Fatal(made, err)
	}
	lsptest.WriteFile(t, made[0], "pub const MADE: &str = \"x\";")
	check("rs/src/lib.rs")
	want := []answer{
		{"clean", 0}, {"clean", 0}, {"new_errors", 0}, {"clean", many / 100}, {"new_errors", many / 100}, {"clean", many / 100}, {"new_errors", many / 100},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(answer{})); diff != "" {
		t.Errorf("verdicts, and how many hundreds of folders were watched (-want +got):\n%s", diff)
	}
}

// verdict returns what a check says of a file.
func (s *hooked) verdict(file string) string {
	s.t.Helper()
	var checked struct{ Verdict string }
	if err := json.Unmarshal(s.run("check", "--json", file), &checked); err != nil {
		s.t.Fatal(err)
	}
	return checked.Verdict
}

// watches returns how many folders the daemon watches.
func (s *hooked) watches() (watches int) {
	s.t.Helper()
	var known struct {
		Daemons []struct{ Status struct{ PID int } }
	}
	if err := json.Unmarshal(s.run("daemon", "status", "--json"), &known); err != nil || len(known.Daemons) != 1 {
		s.t.Fatal(known, err)
	}
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fdinfo/*", known.Daemons[0].Status.PID))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, file := range files {
		text, _ := os.ReadFile(file) // it may have been closed
		watches += strings.Count(string(text), "inotify wd")
	}
	return watches
}

// run returns what a command prints in the project; that it found errors is no failure.
func (s *hooked) run(args ...string) []byte {
	s.t.Helper()
	cmd := exec.Command("lspine", args...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stderr = s.root, s.environ, &stderr
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		s.t.Fatalf("%v: %s%s", err, out, stderr.Bytes())
	}
	return out
}
