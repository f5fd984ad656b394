package install

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A shop is a store whose packages come from a registry of its own, by the real npm.
type shop struct {
	*Store
	t       *testing.T
	environ []string
	// tarball is what the registry has of each version, whatever its checksum was.
	mu       sync.Mutex
	tarballs map[string][]byte
	asked    chan string // for tarballs, if it is not nil; nothing is answered then
}

const toyPackage = "toy-language-server"

// openShop returns a shop with version 1.0.0 of a server, whose package has two.
func openShop(t *testing.T) *shop {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		lsptest.Skip(t, "npm is not on PATH")
	}
	s := &shop{t: t, tarballs: make(map[string][]byte)}
	site := httptest.NewServer(s)
	t.Cleanup(site.Close)
	s.environ = append(os.Environ(), "npm_config_registry="+site.URL, "npm_config_cache="+t.TempDir(), "npm_config_fetch_retries=0")
	s.Store = &Store{dir: filepath.Join(t.TempDir(), "servers"), locks: fstest.MapFS{}}
	s.sell("1.0.0")
	return s
}

// sell pins a version of the servers, which the registry has.
func (s *shop) sell(version string) {
	s.t.Helper()
	tarball := packed(s.t, map[string]string{
		"package.json": `{"name":"` + toyPackage + `","version":"` + version + `","bin":{"toy":"toy.js","other":"toy.js"},"scripts":{"install":"echo ran > ran"}}`,
		"toy.js":       "#!/usr/bin/env node\nconsole.log('toy " + version + "')\n",
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tarballs[version] = tarball
	lock := `{"lockfileVersion":3,"requires":true,"packages":{"":{"dependencies":{"` + toyPackage + `":"` + version + `"}},
"node_modules/` + toyPackage + `":{"version":"` + version + `","integrity":"` + integrity(tarball) + `","hasInstallScript":true,"bin":{"toy":"toy.js","other":"toy.js"}}}}`
	s.locks = fstest.MapFS{toyPackage + ".json": {Data: []byte(lock)}}
	s.pins = nil
	for _, id := range []string{"toy", "other"} {
		s.pins = append(s.pins, registry.Pin{
			ID: id, Kind: registry.FromNPM, Packages: []string{toyPackage + "@" + version}, Programs: []registry.PinnedProgram{{Name: id}},
		})
	}
}

// ServeHTTP is the registry.
func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if version, is := strings.CutPrefix(r.URL.Path, "/tarball/"); is {
		if s.asked != nil {
			s.asked <- version
			<-r.Context().Done()
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		_, _ = w.Write(s.tarballs[version])
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var versions []string
	for version, tarball := range s.tarballs {
		versions = append(versions, fmt.Sprintf(`"%s":{"name":"%s","version":"%s","dist":{"integrity":"%s","tarball":"http://%s/tarball/%s"}}`,
			version, toyPackage, version, integrity(tarball), r.Host, version))
	}
	fmt.Fprintf(w, `{"name":"%s","dist-tags":{"latest":"1.0.0"},"versions":{%s}}`, toyPackage, strings.Join(versions, ","))
}

func integrity(tarball []byte) string {
	sum := sha512.Sum512(tarball)
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

// packed returns a package of npm with some files.
func packed(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	archive := tar.NewWriter(zipped)
	for name, text := range files {
		if err := archive.WriteHeader(&tar.Header{Name: "package/" + name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(archive.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func (s *shop) install(id string) Outcome {
	s.t.Helper()
	o, err := s.Install(s.t.Context(), s.environ, id)
	if err != nil {
		s.t.Fatal(err)
	}
	return o
}

// says returns what a program of the store prints, "" if it has none.
func (s *shop) says(program string) string {
	s.t.Helper()
	path, runs := s.Find(program)
	if path == "" {
		return ""
	}
	if diff := cmp.Diff([]string{"node"}, runs); diff != "" {
		s.t.Errorf("what %s runs with: %s", program, diff)
	}
	out, err := exec.Command(path).Output()
	if err != nil {
		s.t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// left returns what is in the folder of the store and in those of its packages.
func (s *shop) left() (names []string) {
	s.t.Helper()
	for _, pattern := range []string{".*", "*", "*/*"} {
		found, err := filepath.Glob(filepath.Join(s.dir, pattern))
		if err != nil {
			s.t.Fatal(err)
		}
		for _, path := range found {
			name, _ := filepath.Rel(s.dir, path)
			name = filepath.ToSlash(name)
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// A server that was installed is found and runs; one that was not asked for is not found, though
// its package is there. Installed again it is there already. A package goes with the last of
// its servers. Its install script never ran.
func TestServersOfOnePackage(t *testing.T) {
	s := openShop(t)
	first := s.install("toy")
	if s.says("toy") != "toy 1.0.0" || s.says("other") != "" {
		t.Errorf("toy says %q, other %q", s.says("toy"), s.says("other"))
	}
	if _, err := os.Stat(filepath.Join(first.Folder, "node_modules", toyPackage, "ran")); !os.IsNotExist(err) {
		t.Errorf("its install script ran: %v", err)
	}
	if again := s.install("toy"); !again.Already || first.Already || again.Folder != first.Folder {
		t.Errorf("first %+v, again %+v", first, again)
	}
	if other := s.install("other"); other.Already || other.Folder != first.Folder || s.says("other") != "toy 1.0.0" {
		t.Errorf("%+v", other)
	}
	want := []Installed{{"other", "1.0.0", first.Folder, false}, {"toy", "1.0.0", first.Folder, false}}
	if diff := cmp.Diff(want, s.List()); diff != "" {
		t.Error(diff)
	}
	for i, id := range []string{"toy", "other"} {
		removed, err := s.Remove(t.Context(), id)
		if err != nil || !slices.Equal(removed, []string{first.Folder}) || s.says(id) != "" {
			t.Errorf("%s: %v %v", id, removed, err)
		}
		if _, err := os.Stat(first.Folder); os.IsNotExist(err) != (i == 1) {
			t.Errorf("after %s: %v", id, err)
		}
	}
	if diff := cmp.Diff([]string{".lock"}, s.left()); diff != "" {
		t.Error(diff)
	}
	var unknown *UnknownError
	if _, err := s.Remove(t.Context(), "toy"); !errors.As(err, &unknown) || !unknown.Installed {
		t.Errorf("%v", err)
	}
	if _, err := s.Install(t.Context(), s.environ, "none"); !errors.As(err, &unknown) || unknown.ID != "none" {
		t.Errorf("%v", err)
	}
}

// What a server needs to run, and is not on PATH, is told; the server is installed all the same.
func TestInstallTellsWhatLacks(t *testing.T) {
	s := openShop(t)
	s.pins[0].Needs = []string{"node", "no-such-program", "no-other-program"}
	o := s.install("toy")
	if diff := cmp.Diff([]string{"no-such-program", "no-other-program"}, o.Lacks); diff != "" || s.says("toy") != "toy 1.0.0" {
		t.Errorf("toy says %q, it lacks (-want +got):\n%s", s.says("toy"), diff)
	}
}

// A package that is not the one whose checksum is known is refused, and nothing is left of it.
func TestAnotherChecksum(t *testing.T) {
	s := openShop(t)
	s.tarballs["1.0.0"] = packed(t, map[string]string{
		"package.json": `{"name":"` + toyPackage + `","version":"1.0.0","bin":{"toy":"toy.js"}}`, "toy.js": "console.log('owned')\n",
	})
	_, err := s.Install(t.Context(), s.environ, "toy")
	var refused *ChecksumError
	if !errors.As(err, &refused) || refused.ID != "toy" || !strings.Contains(refused.Said, "EINTEGRITY") {
		t.Errorf("%v", err)
	}
	if diff := cmp.Diff([]string{".lock"}, s.left()); diff != "" || s.says("toy") != "" {
		t.Error(diff)
	}
}

// What another version of lspine installed is used until the pinned one is there, and is gone
// then; while it runs it stays.
func TestUpgrade(t *testing.T) {
	s := openShop(t)
	first := s.install("toy")
	s.sell("1.1.0")
	if got := s.Outdated(); !slices.Equal(got, []string{"toy"}) || s.says("toy") != "toy 1.0.0" {
		t.Errorf("outdated: %v; it says %s", got, s.says("toy"))
	}
	path, _ := s.Find("toy")
	release := s.Hold(path)
	second := s.install("toy")
	if diff := cmp.Diff([]string{first.Folder}, second.Kept); diff != "" || s.says("toy") != "toy 1.1.0" {
		t.Errorf("it says %s; kept: %s", s.says("toy"), diff)
	}
	var used *InUseError
	release()
	second = s.install("toy")
	if diff := cmp.Diff([]string{first.Folder}, second.Removed); diff != "" || len(s.Outdated()) > 0 {
		t.Errorf("removed: %s", diff)
	}
	path, _ = s.Find("toy")
	release = s.Hold(path)
	if _, err := s.Remove(t.Context(), "toy"); !errors.As(err, &used) || s.says("toy") == "" {
		t.Errorf("%v", err)
	}
	release()
	if _, err := s.Remove(t.Context(), "toy"); err != nil {
		t.Error(err)
	}
}

// A program from elsewhere is not held: nothing is written where it is.
func TestNoHoldElsewhere(t *testing.T) {
	s := openShop(t)
	s.install("toy")
	beside := filepath.Join(filepath.Dir(s.dir), "beside")
	program := filepath.Join(beside, "bin", "toy")
	lsptest.WriteFile(t, program, "")
	for _, store := range []*Store{s.Store, {}} {
		store.Hold(program)()
	}
	t.Chdir(filepath.Dir(beside))
	(&Store{}).Hold(filepath.Join("beside", "bin", "toy"))() // no store, though it looks like a path in one
	var found []string
	if err := filepath.WalkDir(filepath.Dir(s.dir), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && filepath.Base(path) == filepath.Base(useOf("")) {
			found = append(found, path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string(nil), found); diff != "" {
		t.Errorf("locks (-want +got):\n%s", diff)
	}
}

// The whole store goes, but for what runs.
func TestRemoveAll(t *testing.T) {
	s := openShop(t)
	if err := s.RemoveAll(t.Context()); err != nil {
		t.Error("nothing is there:", err)
	}
	first := s.install("toy")
	s.sell("1.1.0")
	path, _ := s.Find("toy")
	release := s.Hold(path)
	s.install("toy")
	var used *InUseError
	if err := s.RemoveAll(t.Context()); !errors.As(err, &used) || used.Folder != first.Folder || used.ID != toyPackage {
		t.Errorf("%v", err)
	}
	if diff := cmp.Diff([]string{".lock", toyPackage, toyPackage + "/" + filepath.Base(first.Folder)}, s.left()); diff != "" || s.says("toy") != "toy 1.0.0" {
		t.Error(diff)
	}
	release()
	if err := s.RemoveAll(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(s.Dir()); !errors.Is(err, fs.ErrNotExist) {
		t.Error("it is still there:", err)
	}
}

// Of several installations at the same time one does the work, and the others wait for it.
func TestInstallationsAtOnce(t *testing.T) {
	s := openShop(t)
	var group sync.WaitGroup
	outcomes := make(chan Outcome, 4)
	for range cap(outcomes) {
		group.Go(func() { outcomes <- s.install("toy") })
	}
	group.Wait()
	close(outcomes)
	did := 0
	for o := range outcomes {
		if !o.Already {
			did++
		}
	}
	if did != 1 || s.says("toy") != "toy 1.0.0" {
		t.Errorf("%d did it", did)
	}
}

// An installation that is given up leaves nothing, and what one left that was killed goes with
// the next.
func TestInstallationGivenUp(t *testing.T) {
	s := openShop(t)
	s.asked = make(chan string)
	ctx, giveUp := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() {
		_, err := s.Install(ctx, s.environ, "toy")
		failed <- err
	}()
	<-s.asked
	giveUp()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if diff := cmp.Diff([]string{".lock"}, s.left()); diff != "" {
		t.Error(diff)
	}
	s.asked = nil
	if err := os.MkdirAll(filepath.Join(s.dir, unfinished+"1", "node_modules"), 0o755); err != nil {
		t.Fatal(err)
	}
	o := s.install("toy")
	if diff := cmp.Diff([]string{".lock", toyPackage, toyPackage + "/" + filepath.Base(o.Folder)}, s.left()); diff != "" {
		t.Error(diff)
	}
}

// Without the program that installs a server the error says how to get that.
func TestNoPackageManager(t *testing.T) {
	s := openShop(t)
	t.Setenv("PATH", t.TempDir())
	_, err := s.Install(t.Context(), s.environ, "toy")
	var needs *NeedsError
	if !errors.As(err, &needs) || needs.Program != "npm" || needs.Hint() != "install Node.js 20 or newer, with npm" {
		t.Errorf("%v", err)
	}
}

// Which program on PATH an installed one comes before is said; of another one nothing is.
func TestInstalledBeforeAnother(t *testing.T) {
	s := openShop(t)
	dir := t.TempDir()
	program := filepath.Join(dir, "toy")
	if runtime.GOOS == "windows" {
		program += ".cmd"
	}
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	got := []string{s.install("toy").Before, s.install("other").Before}
	if diff := cmp.Diff([]string{program, ""}, got); diff != "" {
		t.Error(diff)
	}
}
