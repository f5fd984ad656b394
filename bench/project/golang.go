package project

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The code base of the Go scenarios: about 1300 files, and it needs no more
// than a handful of other modules to type-check.
const (
	goModule  = "golang.org/x/tools"
	goVersion = "v0.47.0"
	goFile    = "go/packages/packages.go"
)

func writeGo(ctx context.Context, dir string) (Project, error) {
	p, text, err := copyGo(ctx, dir)
	if err != nil {
		return Project{}, err
	}
	const marker = "//marker\n"
	p.edit = probes(text+"\nfunc benchProbe() {\n"+marker+"}\n", marker,
		func(name string) string { return fmt.Sprintf("\tvar %s int = %q\n\t_ = %[1]s\n", name, "no number") },
		func(name string) string { return fmt.Sprintf("\tvar %s int = 1\n\t_ = %[1]s\n", name) })
	return p, nil
}

// loadErrors is the number of errors, in 44 files that are not open, that gopls
// reports when packages.Load wants one more argument in goVersion.
const loadErrors = 272

func writeGoUsers(ctx context.Context, dir string) (Project, error) {
	p, text, err := copyGo(ctx, dir)
	if err != nil {
		return Project{}, err
	}
	const good = "func Load(cfg *Config, patterns ...string) ("
	if strings.Count(text, good) != 1 {
		return Project{}, fmt.Errorf("%s has no %q", goFile, good)
	}
	p.Whole = true
	p.edit = func(i int, salt string) Edit {
		name := fmt.Sprintf("probe_%s_%d", salt, i)
		if i%2 == 1 {
			return Edit{Text: text + "\n// " + name + "\n"}
		}
		wrong := "func Load(" + name + " bool, cfg *Config, patterns ...string) ("
		return Edit{Text: strings.Replace(text, good, wrong, 1), Errors: loadErrors}
	}
	return p, nil
}

// copyGo copies the module out of the module cache, with what it requires
// there already, and returns the text of the file to edit.
func copyGo(ctx context.Context, dir string) (Project, string, error) {
	download := exec.CommandContext(ctx, "go", "mod", "download", "-json", goModule+"@"+goVersion)
	download.Dir = dir // not in a module of ours
	out, err := download.Output()
	if err != nil {
		return Project{}, "", fmt.Errorf("%s: %w: %s", download, err, stderrOf(err))
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		return Project{}, "", err
	}
	// Makes what was read-only in the cache writable.
	if err := os.CopyFS(dir, os.DirFS(module.Dir)); err != nil {
		return Project{}, "", err
	}
	requirements := exec.CommandContext(ctx, "go", "mod", "download")
	requirements.Dir = dir
	if out, err := requirements.CombinedOutput(); err != nil {
		return Project{}, "", fmt.Errorf("%s: %w: %s", requirements, err, out)
	}
	file := filepath.Join(dir, filepath.FromSlash(goFile))
	text, err := os.ReadFile(file)
	return Project{Root: dir, File: file}, string(text), err
}

func stderrOf(err error) string {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(exit.Stderr)
	}
	return ""
}
