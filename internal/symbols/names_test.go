package symbols

import (
	"errors"
	"strings"
	"testing"
)

// Whatever a server writes around a name, the names in it are found: receivers,
// parameters, type parameters and scopes are no part of them.
func TestNameOf(t *testing.T) {
	for name, want := range map[string]string{
		"Load":                              "Load",
		"(*Config).Load":                    "Config|Load", // gopls
		"(Config).Load":                     "Config|Load",
		"(*Config[K]).Load":                 "Config|Load",
		"(Pair[K, V]).Swap":                 "Pair|Swap",
		"load(String, int)":                 "load", // jdtls
		"load(String[])":                    "load",
		"Map<K, V>":                         "Map",
		"put(Map<K, List<V>>)":              "put",
		"operatorFor(String)":               "operatorFor",
		"ns::Config::load":                  "ns|Config|load", // clangd
		"operator()":                        "operator()",
		"operator<":                         "operator<",
		"operator<<":                        "operator<<",
		"ns::operator->":                    "ns|operator->",
		"operator[]":                        "operator[]",
		"operator std::string":              "operator std::string",
		"~Config":                           "~Config",
		"vector<T>::push":                   "vector|push",
		"(anonymous struct)":                "(anonymous struct)",
		"impl Loader for Config<T>":         "Config", // rust-analyzer
		"impl<T> Config<T>":                 "Config",
		"impl<T: Into<String>> Config<T>":   "Config",
		"impl<F: Fn() -> u8> Loader for W":  "W",
		"impl<F: Fn() -> u8> Wrap<F>":       "Wrap",
		"impl Loader for &'a mut Config<T>": "Config",
		"impl fmt::Display for crate::a::B": "B",
		"implement":                         "implement",
		"constructor":                       "constructor", // TypeScript
		"foo() callback":                    "foo() callback",
		"<function>":                        "<function>",
		"[Symbol.iterator]":                 "[Symbol.iterator]",
		"  padded ":                         "padded",
		"":                                  "",
		"::":                                "::",
	} {
		if got := strings.Join(nameOf(name), "|"); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

// A name path can be written as its language, or any other, writes it.
func TestParseNamePath(t *testing.T) {
	for text, want := range map[string]string{
		"Load": "Load", "Config.Load": "Config.Load", "Config/Load": "Config.Load", "Config::Load": "Config.Load",
		"Config#Load": "Config.Load", "ns::Config.Load": "ns.Config.Load", "(*Config).Load": "Config.Load", "(*Config[K]).Load": "Config.Load",
		"config.(*Config).Load": "config.Config.Load", "/Config/Load": "/Config/Load", "/Load": "/Load", "Load()": "Load", "Config.Load()": "Config.Load",
		"load(java.lang.String, int)": "load", "Load[1]": "Load[1]", "/Config/Load[0]": "/Config/Load[0]", "Load()[2]": "Load[2]", "  Load ": "Load",
		"operator()": "operator()", "Config::operator<": "Config.operator<", "a.Config.operator[]": "a.Config.operator[]", "operator()[1]": "operator()[1]",
		"operator/": "operator/", "operator/=": "operator/=", "operator bool": "operator bool", "operator.add": "operator.add", "operator/add": "operator.add",
		"~Config": "~Config", "foo() callback": "foo() callback",
		"func (f *File) Cleanup()": "File.Cleanup", "(f *File) Cleanup": "File.Cleanup", "func (File[K]) Cleanup() error {": "File.Cleanup",
		"func Load[T any](x T)": "Load", "type Config struct": "Config", "pub(crate) async fn load<T>(x: T)": "load", "def load(self):": "load",
		"export default class Ky<T> {": "Ky", "export const ky = (": "ky", "function": "function", "type": "type", "type.name": "type.name", "def ": "def",
	} {
		p, err := ParseNamePath(text)
		if err != nil || p.String() != want {
			t.Errorf("%q: got %q, %v, want %q", text, p, err, want)
		}
		again, err := ParseNamePath(p.String())
		if err != nil || again.String() != want {
			t.Errorf("%q: read again it is %q, %v", text, again, err)
		}
	}
	for _, text := range []string{"", " ", "/", ".", "Config.", ".Load", "Config..Load", "Load[x]", "Load[-1]", "Load[]", "()"} {
		var wrong *SelectorError
		if p, err := ParseNamePath(text); !errors.As(err, &wrong) || wrong.Argument != "symbol" || wrong.Hint() == "" {
			t.Errorf("%q: got %v, %v", text, p.Parts, err)
		}
	}
}

// How well a name path matches: whole before end before other case before a
// beginning before a part, and what stands before the symbols of a file may
// stand before a path.
func TestMatch(t *testing.T) {
	const goText, own = "// Package x\npackage cfg\n", "Config|Load"
	for _, c := range []struct {
		file, text, names, path string
		want                    int
	}{
		{"src/config/a.go", goText, own, "Config.Load", exactMatch},
		{"src/config/a.go", goText, own, "Load", suffixMatch},
		{"src/config/a.go", goText, own, "/Config/Load", exactMatch},
		{"src/config/a.go", goText, own, "/Load", noMatch},
		{"src/config/a.go", goText, own, "config.Config.Load", exactMatch},
		{"src/config/a.go", goText, own, "src/config/Config/Load", exactMatch},
		{"src/config/a.go", goText, own, "cfg.Config.Load", exactMatch},
		{"src/config/a.go", goText, own, "a.Config.Load", noMatch}, // no module in Go
		{"src/config/a.go", goText, own, "other.Config.Load", noMatch},
		{"src/config/a.go", goText, own, "config.Load", foldMatch},
		{"src/config/a.go", goText, own, "LOAD", foldMatch},
		{"src/config/a.go", goText, own, "Config.Lo", prefixMatch},
		{"src/config/a.go", goText, own, "lo", prefixMatch},
		{"src/config/a.go", goText, own, "oad", looseMatch},
		{"src/config/a.go", goText, own, "Other.Lo", noMatch},
		{"src/config/a.go", goText, own, "Save", noMatch},
		{"a.go", "package main\n", "main", "main.main", exactMatch},
		{"src/loader.ts", "", own, "loader.Config.Load", exactMatch},
		{"src/loader.test.ts", "", own, "loader.Config.Load", exactMatch},
		{"src/loader.ts", "", own, "src.Config.Load", exactMatch},
		{"src/loader/index.ts", "", own, "loader.Config.Load", exactMatch},
		{"src/loader/index.ts", "", own, "index.Config.Load", noMatch},
		{"pkg/sub/mod.py", "", "load", "pkg.sub.mod.load", exactMatch},
		{"pkg/sub/__init__.py", "", "load", "pkg.sub.load", exactMatch},
		{"src/config.rs", "", own, "config::Config::Load", exactMatch},
		{"src/config/mod.rs", "", own, "config::Config::Load", exactMatch},
		{"src/lib.rs", "", "load", "src.load", exactMatch},
		{"src/net/socket.cpp", "", "net|Socket|open", "Socket::open", suffixMatch},
		{"src/net/socket.cpp", "", "net|Socket|open", "net::Socket::open", exactMatch},
		{"src/net/socket.cpp", "", "net|Socket|open", "/Socket/open", noMatch},
		{"src/main/java/org/lib/X.java", "", "X|load", "org.lib.X.load", exactMatch},
		{"src/main/java/org/lib/X.java", "", "X|load", "X.load", exactMatch},
		{"src/main/java/org/lib/X.java", "", "X|load", "com.lib.X.load", noMatch},
	} {
		p, err := ParseNamePath(c.path)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.match(strings.Split(c.names, "|"), fileNames(c.file, []byte(c.text))); got != c.want {
			t.Errorf("%s in %s of %s: got %d, want %d", c.path, c.names, c.file, got, c.want)
		}
	}
}
