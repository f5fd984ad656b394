package release

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/release"
)

// builder returns the pinned goreleaser. Where it is missing the test is skipped, or fails if
// LSPINE_REQUIRE_RELEASE is set.
func builder(t *testing.T) string {
	t.Helper()
	found, err := filepath.Glob("../../.tools/release/goreleaser-*")
	if err != nil || len(found) == 0 {
		if os.Getenv("LSPINE_REQUIRE_RELEASE") != "" {
			t.Fatal("goreleaser is required here, and not installed; run: make release-snapshot")
		}
		t.Skip("goreleaser is not installed; run: make release-snapshot")
	}
	path, err := filepath.Abs(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// run runs a program and returns what it prints.
func run(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "npm_config_loglevel=error", "npm_config_audit=false", "npm_config_fund=false", "npm_config_update_notifier=false")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", program, args, err, out)
	}
	return string(out)
}

// checkout returns a copy of the last commit with a tag, as one who releases has it. Only this
// system is built for, unless LSPINE_REQUIRE_RELEASE is set: six take minutes.
func checkout(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "lspine")
	run(t, ".", "git", "clone", "-q", "--depth", "1", "--no-tags", "file://"+absolute(t, "../.."), dir)
	run(t, dir, "git", "remote", "set-url", "origin", "https://github.com/lspine/lspine.git")
	description := filepath.Join(dir, ".goreleaser.yaml")
	text, err := os.ReadFile(description)
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("LSPINE_REQUIRE_RELEASE") == "" {
		own := fmt.Sprintf("    targets: [%s_%s]\n", runtime.GOOS, runtime.GOARCH)
		text = regexp.MustCompile(`(?m)^    targets:\n(      - .*\n)+`).ReplaceAll(text, []byte(own))
	}
	if err := os.WriteFile(description, text, 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "git", "-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qam", "one")
	run(t, dir, "git", "tag", "v1.2.3")
	return dir
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// A release can be built: its archive has the name by which lspine update looks for it, and the
// checksum that it says; the program in it, that of the deb, and the one that npm installs know
// their version and commit.
func TestSnapshot(t *testing.T) {
	goreleaser := builder(t)
	dir := checkout(t)
	run(t, dir, goreleaser, "check")
	run(t, dir, goreleaser, "release", "--snapshot", "--clean", "--skip=sbom,sign")
	dist := filepath.Join(dir, "bin", "dist")
	const version = "v1.2.4-next" // what comes after the tag
	program, name, err := release.Open(os.DirFS(dist), version, release.Target{OS: runtime.GOOS, Arch: runtime.GOARCH})
	if err != nil {
		t.Fatal(err)
	}
	day := strings.TrimSpace(run(t, dir, "git", "log", "-1", "--format=%cs"))
	commit := strings.TrimSpace(run(t, dir, "git", "rev-parse", "--short", "HEAD"))
	want := fmt.Sprintf("lspine %s (commit %s %s, %s, %s/%s)\n", version, commit, day, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	file := filepath.Join(t.TempDir(), "lspine")
	if err := os.WriteFile(file, program, 0o755); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, run(t, dir, file, "version")); diff != "" {
		t.Errorf("%s:\n%s", name, diff)
	}

	sums := make(map[string]bool)
	err = fs.WalkDir(os.DirFS(dist), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasPrefix(path, "lspine_1.2.4") {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dist, path))
		sums[fmt.Sprintf("%x  %s", sha256.Sum256(content), path)] = true
		return err
	})
	said, failed := os.ReadFile(filepath.Join(dist, "checksums.txt"))
	if err := errors.Join(err, failed); err != nil {
		t.Fatal(err)
	}
	listed := make(map[string]bool)
	for _, line := range strings.Split(strings.TrimSpace(string(said)), "\n") {
		listed[line] = true
	}
	if diff := cmp.Diff(sums, listed); diff != "" {
		t.Errorf("the checksums:\n%s", diff)
	}

	if runtime.GOOS == "linux" {
		deb, err := filepath.Glob(filepath.Join(dist, "*_"+runtime.GOARCH+".deb"))
		if err != nil || len(deb) != 1 {
			t.Fatal(deb, err)
		}
		unpacked := t.TempDir()
		run(t, dir, "dpkg-deb", "-x", deb[0], unpacked)
		if diff := cmp.Diff(want, run(t, dir, filepath.Join(unpacked, "usr", "bin", "lspine"), "version")); diff != "" {
			t.Errorf("the deb:\n%s", diff)
		}
	}

	packages := filepath.Join(dir, "bin", "npm")
	run(t, dir, "node", "npm/packages.mjs", packages)
	if diff := cmp.Diff(want, run(t, installed(t, packages), "npx", "--no-install", "lspine", "version")); diff != "" {
		t.Errorf("npx lspine:\n%s", diff)
	}
}

// installed returns a project in which npm has installed the packages, without a registry.
func installed(t *testing.T, packages string) string {
	t.Helper()
	tarballs, project := t.TempDir(), t.TempDir()
	arguments := []string{"install", "--offline", "--ignore-scripts", "--omit=optional"}
	system := map[string]string{"windows": "win32"}[runtime.GOOS]
	if system == "" {
		system = runtime.GOOS
	}
	for _, name := range []string{"lspine", system + "-" + map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]} {
		file := strings.TrimSpace(run(t, tarballs, "npm", "pack", "--silent", filepath.Join(packages, name)))
		arguments = append(arguments, filepath.Join(tarballs, file))
	}
	if err := os.WriteFile(filepath.Join(project, "package.json"), []byte(`{"private": true}`), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, project, "npm", arguments...)
	return project
}
