package daemon

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"slices"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/fspath"
)

// An Identity is what distinguishes callers: those with equal identities share a daemon.
type Identity struct {
	// Root is the workspace root.
	Root string
	// Config is the merged configuration of the root; Opta says that it was read with Opta's
	// spellings of settings.
	Config *config.Config
	Opta   bool
	// Only, if not empty, names the servers that may start.
	Only []string
	// Environ is the environment, as KEY=value.
	Environ []string
}

// A Key is the name of a daemon's folder.
type Key string

// environment lists the variables that influence the answers of language servers, or that say where
// their programs, libraries and caches are. All other variables are those of the process that
// starts the daemon.
var environment = []string{
	// for all languages
	"PATH", "HOME", "USERPROFILE", "LANG", "LC_ALL", "LC_MESSAGES",
	"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME",
	// Go
	"GOFLAGS", "GOOS", "GOARCH", "GOWORK", "GOPATH", "GOROOT", "GOTOOLCHAIN", "GOENV",
	"GOEXPERIMENT", "GO111MODULE", "GOMODCACHE", "GOCACHE", "GOPROXY", "GOPRIVATE", "CGO_ENABLED",
	// Python
	"VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "PYTHONHOME",
	// JavaScript
	"NODE_PATH", "NODE_OPTIONS",
	// the JVM
	"JAVA_HOME", "JDK_HOME", "GRADLE_USER_HOME", "M2_HOME",
	// Rust
	"RUSTUP_TOOLCHAIN", "RUSTUP_HOME", "CARGO_HOME", "CARGO_TARGET_DIR", "CARGO_BUILD_TARGET", "RUSTFLAGS",
	// C and C++
	"CC", "CXX", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "PKG_CONFIG_PATH", "SDKROOT",
	// others
	"GEM_HOME", "GEM_PATH", "BUNDLE_GEMFILE", "DOTNET_ROOT", "LUA_PATH", "PERL5LIB",
}

// Key returns the key of an identity: equal for all callers that would get the same answers.
func (i *Identity) Key() (Key, error) {
	root, err := filepath.Abs(i.Root)
	if err == nil {
		root, err = fspath.Real(root)
	}
	if err != nil {
		return "", err
	}
	host, _ := os.Hostname() // machines may share a home folder
	sum := sha256.New()
	write(sum, "lspine daemon 1", host, userName(), root, fmt.Sprint(i.Opta))
	write(sum, slices.Sorted(slices.Values(i.Only))...)
	i.hashConfig(sum)
	for _, name := range environment {
		write(sum, name, i.variable(name))
	}
	return Key(hex.EncodeToString(sum.Sum(nil)[:12])), nil
}

// hashConfig adds the sources of the configuration. The merged configuration would differ between
// versions with different built-in tables.
func (i *Identity) hashConfig(sum hash.Hash) {
	write(sum, fmt.Sprint(i.Config.Trust.Given))
	for _, f := range i.Config.Files {
		text, err := os.ReadFile(f.Path)
		name := f.Path
		if f.Layer == config.LayerProject { // independent of how the root is spelled
			name, _ = filepath.Rel(i.Root, f.Path)
		}
		write(sum, string(f.Layer), name, fmt.Sprint(err == nil), string(text))
	}
	for _, key := range config.Keys() {
		if key.Path != "lsp.daemon" { // whether it exists, not its content
			write(sum, key.Variable, i.variable(key.Variable))
		}
	}
	write(sum, i.Config.Settings.EvidenceFile(i.Environ))
	for _, d := range i.Config.Servers { // may be nil: a sparse configuration has them if one has an env
		if i.Config.Source("lsp.servers."+d.ID+".env").Layer != config.LayerBuiltin {
			write(sum, append([]string{d.ID}, d.Env...)...) // with variables expanded
		}
	}
	for _, name := range i.Config.Settings.PassEnv {
		write(sum, name, i.variable(name))
	}
}

// write adds strings so that different lists never give the same bytes.
func write(sum hash.Hash, parts ...string) {
	fmt.Fprintf(sum, "%d\n", len(parts))
	for _, part := range parts {
		fmt.Fprintf(sum, "%d:%s\n", len(part), part)
	}
}

func (i *Identity) variable(name string) string { return lookup(i.Environ, name) }

// lookup returns the last value of a variable, "" if there is none.
func lookup(environ []string, name string) string { return fspath.Here.Variable(environ, name) }
