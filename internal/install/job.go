package install

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/child"
	"github.com/lspine/lspine/internal/registry"
)

// A job is one installation, into a folder.
type job struct {
	id      string
	pin     *registry.Pin
	dir     string
	tool    string // the program that does it
	environ []string
	locks   fs.FS
}

// npm installs the packages of the lock, and nothing else: npm refuses one whose checksum is
// another. Their scripts do not run, unless the pin says so.
func (j *job) npm(ctx context.Context) error {
	lock, err := fs.ReadFile(j.locks, lockNames(j.pin)[0])
	if err != nil {
		return err
	}
	if fits, err := locksSystem(j.pin, lock, runtime.GOOS, runtime.GOARCH); err != nil || !fits {
		return cmp.Or(err, error(&SystemError{j.id, runtime.GOOS + "/" + runtime.GOARCH}))
	}
	if err := errors.Join(j.write("package.json", packageJSON(j.pin)), j.write("package-lock.json", lock)); err != nil {
		return err
	}
	args := []string{"ci", "--prefix", j.dir, "--no-audit", "--no-fund", "--loglevel=error", "--global=false"}
	if j.pin.Kind != registry.Scripted {
		args = append(args, "--ignore-scripts")
	}
	if err := j.run(ctx, nil, args...); err != nil {
		return err
	}
	for _, program := range j.pin.Programs {
		script, err := launcher(program)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		path := filepath.Join(j.dir, filepath.FromSlash(program.File))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o755)
		}
		if err == nil {
			err = os.WriteFile(path, script, 0o755)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// packageJSON returns the file that a lock is of.
func packageJSON(p *registry.Pin) []byte {
	var pairs []string
	for _, pack := range p.Packages {
		at := strings.LastIndexByte(pack, '@')
		pairs = append(pairs, fmt.Sprintf("%q:%q", pack[:at], pack[at+1:]))
	}
	list := strings.Join(pairs, ",")
	if p.Kind == registry.Overridden {
		list += `},"overrides":{` + list
	}
	return []byte(`{"private":true,"dependencies":{` + list + "}}\n")
}

// golang builds the server. First go reads all packages that it is built from by way of a
// module of ours, whose go.sum says what each module has to be; then it builds them out of its
// cache alone, as the main module, for the program to know its version.
func (j *job) golang(ctx context.Context) error {
	module := filepath.Join(j.dir, "module")
	if err := os.Mkdir(module, 0o755); err != nil {
		return err
	}
	for i, name := range []string{"go.mod", "go.sum"} {
		text, err := fs.ReadFile(j.locks, lockNames(j.pin)[i])
		if err == nil {
			err = j.write(filepath.Join("module", name), text)
		}
		if err != nil {
			return err
		}
	}
	name, _ := j.pin.Package()
	plain := []string{"GOFLAGS=", "GOWORK=off", "GO111MODULE=on", "GOOS=", "GOARCH=", "CGO_ENABLED=0"}
	if err := j.run(ctx, plain, "-C", module, "list", "-mod=readonly", "-deps", name); err != nil {
		return err
	}
	cache, err := j.output(ctx, plain, "-C", module, "env", "GOMODCACHE")
	if err != nil {
		return err
	}
	proxy := "file://" + filepath.ToSlash(filepath.Join("/", strings.TrimSpace(cache), "cache", "download"))
	cached := append(slices.Clone(plain), "GOBIN="+filepath.Join(j.dir, "bin"), "GOPROXY="+proxy, "GOSUMDB=off", "GOPRIVATE=", "GONOPROXY=")
	if err := j.run(ctx, cached, "-C", module, "install", j.pin.Packages[0]); err != nil {
		return err
	}
	return os.RemoveAll(module)
}

// rustup adds the server to the toolchain of the user, which also decides its version.
func (j *job) rustup(ctx context.Context) error {
	return j.run(ctx, nil, "component", "add", j.pin.Packages[0])
}

func (j *job) write(name string, text []byte) error {
	return os.WriteFile(filepath.Join(j.dir, name), text, 0o644)
}

func (j *job) run(ctx context.Context, environ []string, args ...string) error {
	_, err := j.output(ctx, environ, args...)
	return err
}

// output runs the tool, and returns what it writes to standard output.
func (j *job) output(ctx context.Context, environ []string, args ...string) (string, error) {
	cmd := child.Command(ctx, j.tool, args...)
	cmd.Dir = j.dir
	cmd.Env = append(child.Environ(j.dir, j.environ), environ...)
	cmd.WaitDelay = 5 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := child.Run(cmd)
	switch {
	case err == nil:
		return stdout.String(), nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	}
	said := strings.TrimSpace(stderr.String())
	for _, sign := range []string{"EINTEGRITY", "checksum mismatch"} {
		if strings.Contains(said, sign) {
			return "", &ChecksumError{ID: j.id, Said: excerpt(said)}
		}
	}
	shown := filepath.Base(j.tool) + " " + strings.Join(args[:min(len(args), 3)], " ")
	return "", &FailedError{ID: j.id, Reason: fmt.Sprintf("%s: %v", shown, err), Said: excerpt(said)}
}

// excerpt returns the beginning and the end of what a tool said.
func excerpt(text string) string {
	const most = 12
	lines := strings.Split(text, "\n")
	if len(lines) > most {
		lines = slices.Concat(lines[:most/2], []string{"…"}, lines[len(lines)-most/2:])
	}
	return strings.Join(lines, "\n")
}
