package daemon

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/child"
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
	"LSPINE_TRACE", "PATH", "HOME", "USERPROFILE", "LANG", "LC_ALL", "LC_MESSAGES",
	"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "APPDATA", "LOCALAPPDATA",
	// git; see child.Environ, which leaves out what does not count for the root
	"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
	"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT",
	// Go
	"GOFLAGS", "GOOS", "GOARCH", "GOWORK", "GOPATH", "GOROOT", "GOTOOLCHAIN", "GOENV",
	"GOEXPERIMENT", "GO111MODULE", "GOMODCACHE", "GOCACHE", "GOPROXY", "GOPRIVATE", "CGO_ENABLED",
	"GOAMD64", "GOARM64", "GOARM", "GO386", "GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64", "GOWASM", "GOFIPS140", "GONOPROXY", "GONOSUMDB", "GOSUMDB", "GOINSECURE", "GOVCS", "GOPACKAGESDRIVER",
	"CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_CXXFLAGS", "CGO_LDFLAGS",
	// Python
	"VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "PYTHONHOME", "PYENV_ROOT", "PYENV_VERSION", "UV_PROJECT_ENVIRONMENT",
	"POETRY_CACHE_DIR", "POETRY_VIRTUALENVS_PATH", "MYPYPATH",
	// JavaScript
	"NODE_PATH", "NODE_OPTIONS",
	// the JVM
	"JAVA_HOME", "JDK_HOME", "GRADLE_USER_HOME", "GRADLE_HOME", "GRADLE_OPTS", "M2_HOME", "MAVEN_OPTS",
	"JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS",
	// Rust
	"RUSTUP_TOOLCHAIN", "RUSTUP_HOME", "CARGO", "CARGO_HOME", "CARGO_TARGET_DIR", "CARGO_BUILD_TARGET", "RUSTFLAGS",
	"CARGO_ENCODED_RUSTFLAGS", "RUSTC", "RUSTC_WRAPPER", "RUSTUP_AUTO_INSTALL", "RUSTC_WORKSPACE_WRAPPER",
	"CARGO_BUILD_RUSTC", "CARGO_BUILD_RUSTC_WRAPPER", "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER", "CARGO_NET_OFFLINE", "CARGO_ENCODED_RUSTDOCFLAGS",
	// C and C++
	"CC", "CXX", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "PKG_CONFIG_PATH", "SDKROOT",
	"CFLAGS", "CXXFLAGS", "CPPFLAGS", "INCLUDE", "LIB", "CLANGD_FLAGS",
	// others
	"GEM_HOME", "GEM_PATH", "BUNDLE_GEMFILE", "RUBYLIB", "DOTNET_ROOT", "LUA_PATH", "LUA_CPATH", "PERL5LIB", "MIX_ENV", "ERL_LIBS",
	"OPAM_SWITCH_PREFIX", "OCAMLPATH", "GHC_PACKAGE_PATH", "DART_SDK", "FLUTTER_ROOT", "PUB_CACHE",
}

// Key returns the key of an identity: equal for all callers that would get the same answers.
func (i *Identity) Key() (Key, error) {
	root, err := i.root()
	if err != nil {
		return "", err
	}
	host, _ := os.Hostname() // machines may share a home folder
	sum := sha256.New()
	write(sum, "lspine daemon 1", host, userName(), root, fmt.Sprint(i.Opta))
	write(sum, slices.Sorted(slices.Values(i.Only))...)
	i.hashConfig(sum)
	environ := i.environ()
	for _, name := range environment {
		write(sum, name, lookup(environ, name))
	}
	var settings []string // of git, which are counted by GIT_CONFIG_COUNT
	for _, entry := range environ {
		if strings.HasPrefix(entry, "GIT_CONFIG_KEY_") || strings.HasPrefix(entry, "GIT_CONFIG_VALUE_") {
			settings = append(settings, entry)
		}
	}
	slices.Sort(settings)
	write(sum, settings...)
	return Key(hex.EncodeToString(sum.Sum(nil)[:12])), nil
}

// root returns the absolute path of the root, with links resolved.
func (i *Identity) root() (string, error) {
	root, err := filepath.Abs(i.Root)
	if err != nil {
		return "", err
	}
	return fspath.Real(root)
}

// environ returns the environment of the daemon: without what git says about the command, of many that the daemon will
// answer, by which the caller was started.
func (i *Identity) environ() []string {
	root, err := i.root()
	if err != nil {
		root = i.Root // there will be no daemon
	}
	return child.Environ(root, i.Environ)
}

// hashConfig adds the sources of the configuration. The merged configuration would differ between
// versions with different built-in tables.
func (i *Identity) hashConfig(sum hash.Hash) {
	write(sum, fmt.Sprint(i.Config.Trust.Given))
	for _, f := range i.Config.Files {
		text, err := fspath.Read(f.Path)
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
