package daemon

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/fspath"
)

// Daemons are kept in the runtime folder if only the user can write there, else in the user's cache, wherever that
// is; without either there is no place for them.
func TestFolderOfDaemons(t *testing.T) {
	own, shared, home := t.TempDir(), t.TempDir(), t.TempDir()
	if err := os.Chmod(shared, 0o777); err != nil {
		t.Fatal(err)
	}
	inHome := filepath.Join(home, ".cache", "lspine", "daemon")
	if runtime.GOOS == "darwin" {
		inHome = filepath.Join(home, "Library", "Caches", "lspine", "daemon")
	}
	elsewhere := filepath.Join(own, "lspine", "daemon")
	if !fspath.Here.Drives {
		elsewhere = inHome // the variable is one of Windows
	}
	cfg, _ := config.Load(config.Options{Environ: []string{"LSPINE_TRUST=always"}})
	at := func(variables ...string) []string { return append(variables, "HOME="+home) }
	for name, c := range map[string]struct {
		environ []string
		want    string
	}{
		"a runtime folder":        {at("XDG_RUNTIME_DIR=" + own), filepath.Join(own, "lspine")},
		"one that there is not":   {at("XDG_RUNTIME_DIR=" + filepath.Join(own, "gone")), inHome},
		"one that is relative":    {at("XDG_RUNTIME_DIR=run"), inHome},
		"a cache":                 {at("XDG_CACHE_HOME=" + own), filepath.Join(own, "lspine", "daemon")},
		"a cache that is no path": {at("XDG_CACHE_HOME=cache"), inHome},
		"a home":                  {at(), inHome},
		"a cache of Windows":      {at("LOCALAPPDATA=" + own), elsewhere},
		"none":                    {[]string{"HOME=home"}, ""},
	} {
		got, err := Folder(c.environ)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %s, %v, want %s", name, got, err, c.want)
		}
		if log, err := LogOf(&Identity{Root: home, Config: cfg, Environ: c.environ}); (err == nil) != (c.want != "") || c.want != "" && (!strings.HasPrefix(log, c.want+string(filepath.Separator)) || filepath.Base(log) != logFile) {
			t.Errorf("%s: the log is %s, %v", name, log, err)
		}
	}
	if runtime.GOOS != "windows" { // where modes say nothing
		if got, err := Folder(at("XDG_RUNTIME_DIR=" + shared)); got != inHome || err != nil {
			t.Errorf("others can write there: %s, %v", got, err)
		}
	}
}

// Of two releases one is newer by the rules of versions; other builds are neither newer nor older, and are told apart
// by their files.
func TestVersionsOfDaemons(t *testing.T) {
	for _, c := range []struct {
		one, other string
		newer      bool
	}{
		{"v1.2.0", "v1.1.9", true},
		{"1.10.0", "v1.9.0", true},
		{"v1.2.0", "v1.2.0", false},
		{"v1.1.9", "v1.2.0", false},
		{"v1.2.0", "v1.2.0-rc.1", true},
		{"v1.2", "v1.1.0", false},
		{"dev", "v1.1.0", false},
		{"v1.2.0", "dev", false},
	} {
		if isNewer(c.one, c.other) != c.newer {
			t.Errorf("%s is newer than %s: %t", c.one, c.other, !c.newer)
		}
	}
	for version, as := range map[string]string{"v1.2.3": "v1.2.3", "1.2.3": "1.2.3", "dev@12": "dev@12", "dev": "dev@" + ourFile(), "v1": "v1@" + ourFile()} {
		if got := build(version); got != as {
			t.Errorf("%s is built as %s, want %s", version, got, as)
		}
	}
	if ourFile() == "" {
		t.Error("of our own file nothing is known")
	}
}
