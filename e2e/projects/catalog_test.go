package projects

import (
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/lsptest"
)

// A project is real code with what is asked about it.
type project struct {
	name, about string
	servers     []string
	main        []string
	// compilers are those of these servers; unresolved says that they are not told where the
	// libraries are, and judge the rest.
	compilers  []string
	unresolved bool
	// wrong is what is added to the first main file to break it; found is a part of the error.
	wrong, found string
	// edit replaces before by after, which breaks the file broken with an error that has a
	// part of breaks.
	edit, before, after, broken, breaks string
	// mode is "preview" if it is empty: C++ includes what is on disk.
	mode string
	// in has a name in a text around it, which has so many references.
	in, around, symbol string
	references         int
	setups             []setup
}

// A setup is one way of setting a project up.
type setup struct {
	name string
	make func(*site)
	// missing is what every answer says, next a part of the command that mends it; "" for
	// the right set-up.
	missing, next string
	// mend does what the answers say, while the servers run: then all is right. nil if a running
	// process cannot see it.
	mend func(*site)
	// judged says that the right file is judged all the same: what is missing is no matter of it.
	judged bool
	// long says that it is only for those who have time.
	long bool
}

const (
	goWrong     = "\nvar wrong int = \"text\"\n"
	scriptWrong = "\nexport const wrong: number = 'text'\n"
	pythonWrong = "\n\nwrong: int = \"text\"\n"
)

// withoutGo leaves nothing on PATH but gopls.
func withoutGo(s *site) {
	folder := filepath.Join(s.elsewhere, "bin")
	lsptest.WriteFile(s, filepath.Join(folder, "gopls"), "#!/bin/sh\nexec "+resolved(s.T, lsptest.Require(s, "gopls"))+" \"$@\"\n")
	makeExecutable(s, filepath.Join(folder, "gopls"))
	s.set("PATH", folder)
}

// goModDownload takes the modules that are needed here from where the machine has them.
func goModDownload(s *site) {
	cache := strings.TrimSpace(s.run("env", "-u", "GOMODCACHE", "go", "env", "GOMODCACHE"))
	s.run("env", "GOPROXY=file://"+filepath.ToSlash(filepath.Join(cache, "cache", "download")), "go", "list", "-deps", "-test", "./...")
}

func cobra(s *site) { s.take("", "cobra") }

func urfave(s *site) {
	s.take("", "cli")
	goModVendor(s)
}

func goModVendor(s *site) { s.run("env", "GOFLAGS=-mod=mod", "go", "mod", "vendor") }

const scriptConfig = `{
  "compilerOptions": {
    "strict": true, "target": "ES2020", "lib": ["ES2020", "DOM"], "module": "ESNext", "moduleResolution": "bundler",
    "jsx": "react", "types": ["node"], "noEmit": true, "skipLibCheck": true
  },
  "include": ["src"]
}
`

const queryPackage = `{
  "name": "@tanstack/react-query", "version": "5.62.0",
  "dependencies": {"@tanstack/query-core": "5.62.0"},
  "devDependencies": {"@types/node": "^20.14.2", "@types/react": "^18.2.25", "react": "^18.3.1", "typescript": "5.9.3"},
  "peerDependencies": {"react": "^18 || ^19"}
}
`

func reactQuery(s *site, folder string) {
	s.take(folder, "react-query", "src")
	s.write(filepath.Join(folder, "package.json"), queryPackage)
	s.write(filepath.Join(folder, "package-lock.json"), "{}\n")
	s.write(filepath.Join(folder, "tsconfig.json"), scriptConfig)
}

func reactQueryInstalled(s *site, folder string) {
	reactQuery(s, folder)
	s.npm(folder, map[string]string{
		"@tanstack/query-core": "query-core", "@types/node": "types-node", "undici-types": "undici-types",
		"react": "react", "@types/react": "types-react", "@types/prop-types": "types-prop", "csstype": "csstype",
	})
	s.link(filepath.Join(folder, "node_modules/typescript"), s.typescript("typescript-language-server"))
}

const corpParent = "  <parent>\n    <groupId>org.example.corp</groupId>\n    <artifactId>corp-parent</artifactId>\n    <version>7</version>\n  </parent>\n"

const reduxPackage = `{
  "name": "react-redux", "version": "9.2.0",
  "dependencies": {"@types/use-sync-external-store": "^0.0.6", "use-sync-external-store": "^1.4.0"},
  "devDependencies": {"@types/node": "^20.14.2", "@types/react": "^18.2.25", "react": "^18.3.1", "redux": "^5.0.0", "typescript": "^7.0.0"},
  "peerDependencies": {"@types/react": "^18.2.25 || ^19", "react": "^18.0 || ^19", "redux": "^5.0.0"}
}
`

func reactRedux(s *site) {
	s.take("", "react-redux", "src")
	s.write("package.json", reduxPackage)
	s.write("pnpm-lock.yaml", "lockfileVersion: '9.0'\n")
	s.write("tsconfig.json", scriptConfig)
}

func reactReduxInstalled(s *site) {
	reactRedux(s)
	s.pnpm(map[string]string{
		"@types/use-sync-external-store": "types-sync", "use-sync-external-store": "sync", "@types/node": "types-node", "undici-types": "undici-types",
		"@types/react": "types-react", "@types/prop-types": "types-prop", "csstype": "csstype", "react": "react", "redux": "redux",
	})
	s.link("node_modules/typescript", s.typescript("typescript"))
}

func flask(s *site) {
	s.take("", "flask", "flask/")
	s.write("pyproject.toml", "[project]\nname = \"Flask\"\nversion = \"2.2.2\"\nrequires-python = \">=3.7\"\ndependencies = [\"Werkzeug>=2.2.2\", \"Jinja2>=3.0\", \"itsdangerous>=2.0\", \"click>=8.0\"]\n")
	s.write("uv.lock", "version = 1\nrequires-python = \">=3.7\"\n")
}

func wsproto(s *site, folder string) {
	s.take(folder, "wsproto", "wsproto/")
	s.write(filepath.Join(folder, "requirements.txt"), "h11>=0.9.0,<1\n")
}

const itertoolsManifest = `[package]
name = "itertools"
version = "0.10.3"
edition = "2018"

[dependencies.either]
version = "1.0"
default-features = false

[features]
default = ["use_std"]
use_alloc = []
use_std = ["use_alloc", "either/use_std"]
`

// itertools has either in a folder of vendored crates, and the sources of the standard
// library that the machine may not have.
func itertools(s *site) {
	s.take("", "itertools", "src/")
	s.write("Cargo.toml", itertoolsManifest)
	s.write(".cargo/config.toml", "[source.crates-io]\nreplace-with = \"vendored\"\n\n[source.vendored]\ndirectory = \"vendor\"\n")
	s.take("vendor/either", "either")
	// Without the manifest, for which cargo would need the crates that the library is built with.
	lsptest.CopyTree(s, filepath.Join(s.elsewhere, "library"), lsptest.Fetched(s, "rust-src"), "alloc/src", "core/src", "proc_macro/src", "std/src", "test/src")
	s.standardLibrary(filepath.Join(s.elsewhere, "library"))
}

// standardLibrary tells rust-analyzer where the sources of the standard library are.
func (s *site) standardLibrary(folder string) {
	const template = `{"lsp": {"servers": {"rust-analyzer": {
  "initializationOptions": {"cargo": {"sysrootSrc": "FOLDER"}},
  "settings": {"rust-analyzer": {"cargo": {"sysrootSrc": "FOLDER"}}}
}}}}`
	s.user = strings.ReplaceAll(template, "FOLDER", folder)
}

const pomHead = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
`

const reportSource = `package report;

import java.io.IOException;
import java.io.StringReader;

import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.slf4j.helpers.MessageFormatter;

public class Report {
    public static long cells(String text) throws IOException {
        long n = 0;
        try (CSVParser parser = CSVParser.parse(new StringReader(MessageFormatter.format("{}", text).getMessage()), CSVFormat.DEFAULT)) {
            for (CSVRecord record : parser) {
                n += record.isConsistent() ? record.size() : 0;
            }
        }
        return n;
    }
}
`

// commonsCSV has two modules: Commons CSV, and one that uses it and SLF4J.
func commonsCSV(s *site) {
	s.write("pom.xml", pomHead+"  <groupId>org.example</groupId>\n  <artifactId>all</artifactId>\n  <version>1</version>\n  <packaging>pom</packaging>\n"+
		"  <modules>\n    <module>csv</module>\n    <module>report</module>\n  </modules>\n"+lsptest.MavenPlugins)
	parent := "  <parent>\n    <groupId>org.example</groupId>\n    <artifactId>all</artifactId>\n    <version>1</version>\n  </parent>\n"
	s.write("csv/pom.xml", pomHead+parent+"  <artifactId>csv</artifactId>\n</project>\n")
	s.take("csv/src/main/java", "csv", "org/")
	s.write("report/pom.xml", pomHead+parent+"  <artifactId>report</artifactId>\n  <dependencies>\n"+
		"    <dependency><groupId>org.example</groupId><artifactId>csv</artifactId><version>1</version></dependency>\n"+
		"    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-api</artifactId><version>1.7.32</version></dependency>\n"+
		"  </dependencies>\n</project>\n")
	s.write("report/src/main/java/report/Report.java", reportSource)
}

func jsoncpp(s *site) { s.take("", "jsoncpp", "include/", "src/", "CMakeLists.txt", "version.in") }

// monorepo is a server in Go, a page in TypeScript and a tool in Python.
func monorepo(s *site) {
	s.take("server", "cobra")
	reactQueryInstalled(s, "web")
	wsproto(s, "tools")
	s.venv("tools/.venv", "3.11", "h11")
}

var projects = []project{
	{
		name: "cobra", about: "Go, modules", servers: []string{"gopls"},
		compilers: []string{"gopls"},
		main:      []string{"flag_groups.go"}, wrong: goWrong, found: "cannot use \"text\"",
		edit: "flag_groups.go", before: "ValidateFlagGroups() error {\n\tif c.DisableFlagParsing {", after: "ValidateFlagGroups(strict bool) error {\n\tif strict {",
		broken: "command.go", breaks: "not enough arguments in call to c.ValidateFlagGroups",
		in: "flag_groups.go", around: "func hasAllFlags(", symbol: "hasAllFlags", references: 1,
		setups: []setup{
			{name: "right", make: cobra},
			{name: "nothing downloaded", missing: "modules that go.mod requires are not downloaded", next: "go mod download", mend: goModDownload, make: func(s *site) {
				cobra(s)
				s.set("GOMODCACHE", filepath.Join(s.elsewhere, "mod"))
				s.set("GOFLAGS", "-modcacherw")
			}},
			{name: "no go on PATH", missing: "go is not on PATH", next: "export PATH=", make: func(s *site) {
				cobra(s)
				withoutGo(s)
			}},
		},
	},
	{
		name: "urfave/cli", about: "Go, vendored", servers: []string{"gopls"},
		compilers: []string{"gopls"},
		main:      []string{"suggestions.go"}, wrong: goWrong, found: "cannot use \"text\"",
		edit: "app.go", before: "type SuggestFlagFunc func(flags []Flag, provided string, hideHelp bool) string", after: "type SuggestFlagFunc func(flags []Flag, provided string) string",
		broken: "suggestions.go", breaks: "cannot use suggestFlag",
		in: "suggestions.go", around: "func jaroWinkler(", symbol: "jaroWinkler", references: 2,
		setups: []setup{
			{name: "right", make: urfave},
			{name: "vendor older than go.mod", missing: "vendor", next: "go mod vendor", mend: func(s *site) {
				s.replace("go.mod", "github.com/xrash/smetrics v0.0.0-20250705151800-55b8f293f342", "github.com/xrash/smetrics v0.0.0-20240521201337-686a1a2994c1")
			}, make: func(s *site) {
				urfave(s)
				s.replace("go.mod", "github.com/xrash/smetrics v0.0.0-20240521201337-686a1a2994c1", "github.com/xrash/smetrics v0.0.0-20250705151800-55b8f293f342")
			}},
			{long: true, name: "a vendored package is gone", missing: "vendor", next: "go mod vendor", mend: goModVendor, make: func(s *site) {
				urfave(s)
				s.remove("vendor/github.com/xrash")
			}},
		},
	},
	{
		name: "react-query", about: "TypeScript 5, npm", servers: []string{"typescript", "typescript-language-server"},
		compilers: []string{"typescript-language-server"},
		main:      []string{"src/useIsFetching.ts"}, wrong: scriptWrong, found: "not assignable to type 'number'",
		edit: "src/QueryClientProvider.tsx", before: "(queryClient?: QueryClient) =>", after: "(queryClient: number) =>",
		broken: "src/useIsFetching.ts", breaks: "is not assignable to parameter of type 'number'",
		in: "src/isRestoring.ts", around: "const useIsRestoring", symbol: "useIsRestoring", references: 5,
		setups: []setup{
			{name: "right", make: func(s *site) { reactQueryInstalled(s, "") }},
			{name: "no node_modules", missing: "there is no node_modules", next: "npm ci", mend: func(s *site) { reactQueryInstalled(s, "") }, make: func(s *site) { reactQuery(s, "") }},
			{long: true, name: "installed without what is for development", missing: "package.json names packages that node_modules lacks", next: "npm ci", mend: func(s *site) {
				s.remove("node_modules")
				reactQueryInstalled(s, "")
			}, make: func(s *site) {
				reactQueryInstalled(s, "")
				for _, name := range []string{"@types", "react", "csstype", "undici-types", "typescript"} {
					s.remove("node_modules/" + name)
				}
			}},
			{name: "TypeScript 7 asked for, 5 installed", missing: "", long: true, make: func(s *site) {
				reactQueryInstalled(s, "")
				s.replace("package.json", `"typescript": "5.9.3"`, `"typescript": "^7.0.0"`)
			}},
		},
	},
	{
		name: "react-redux", about: "TypeScript 7, pnpm", servers: []string{"typescript", "typescript-language-server"},
		compilers: []string{"typescript"},
		main:      []string{"src/hooks/useDispatch.ts"}, wrong: scriptWrong, found: "not assignable to type 'number'",
		edit: "src/hooks/useStore.ts", before: "export const useStore = ", after: "export const useStore: number = ",
		broken: "src/hooks/useDispatch.ts", breaks: "is not callable",
		in: "src/utils/shallowEqual.ts", around: "function shallowEqual", symbol: "shallowEqual", references: 8,
		setups: []setup{
			{name: "right", make: reactReduxInstalled},
			{name: "no node_modules", missing: "there is no node_modules", next: "pnpm install", mend: reactReduxInstalled, make: reactRedux},
			{name: "links of pnpm into a store that is gone", missing: "package.json names packages that node_modules lacks", next: "pnpm install", mend: func(s *site) {
				s.remove("node_modules")
				reactReduxInstalled(s)
			}, make: func(s *site) {
				reactReduxInstalled(s)
				s.remove("node_modules/.pnpm")
			}},
		},
	},
	{
		name: "flask", about: "Python, uv", servers: []string{"pyright"},
		compilers: []string{"pyright"},
		main:      []string{"flask/json/tag.py"}, wrong: pythonWrong, found: "is not assignable to",
		edit: "flask/helpers.py", before: "def is_ip(value: str)", after: "def is_ip(value: str, strict: bool)",
		broken: "flask/sessions.py", breaks: "Argument missing for parameter \"strict\"",
		in: "flask/json/tag.py", around: "class TaggedJSONSerializer", symbol: "TaggedJSONSerializer", references: 3,
		setups: []setup{
			{long: true, name: "right", make: func(s *site) {
				flask(s)
				s.venv(".venv", "3.11", "werkzeug", "jinja2", "markupsafe", "click", "itsdangerous")
			}},
			{long: true, name: "no .venv", missing: "there is no environment", next: "uv sync", mend: func(s *site) { s.venv(".venv", "3.11", "werkzeug", "jinja2", "markupsafe", "click", "itsdangerous") }, make: func(s *site) {
				flask(s)
				s.barePython()
			}},
			{long: true, name: ".venv of another interpreter, empty", missing: "the environment .venv lacks", next: "uv sync", mend: func(s *site) { s.venv(".venv", "3.11", "werkzeug", "jinja2", "markupsafe", "click", "itsdangerous") }, make: func(s *site) {
				flask(s)
				s.barePython()
				s.venv(".venv", "3.12")
			}},
		},
	},
	{
		name: "wsproto", about: "Python, .venv", servers: []string{"pyright"},
		compilers: []string{"pyright"},
		main:      []string{"wsproto/handshake.py"}, wrong: pythonWrong, found: "is not assignable to",
		edit: "wsproto/utilities.py", before: "def split_comma_header(value: bytes)", after: "def split_comma_header(value: int)",
		broken: "wsproto/handshake.py", breaks: "cannot be assigned to parameter \"value\"",
		in: "wsproto/utilities.py", around: "def split_comma_header", symbol: "split_comma_header", references: 6,
		setups: []setup{
			{long: true, name: "right", make: func(s *site) {
				wsproto(s, "")
				s.venv(".venv", "3.11", "h11")
			}},
			{long: true, name: "no .venv", missing: "there is no environment", next: ".venv/bin/pip install -r requirements.txt", mend: func(s *site) { s.venv(".venv", "3.11", "h11") }, make: func(s *site) {
				wsproto(s, "")
				s.barePython()
			}},
			{long: true, name: ".venv from before a package was needed", missing: "the environment .venv lacks packages that the current folder asks for: h11", next: ".venv/bin/pip install -r requirements.txt", mend: func(s *site) { s.venv(".venv", "3.11", "h11") }, make: func(s *site) {
				wsproto(s, "")
				s.venv(".venv", "3.11", "click")
				s.barePython()
			}},
		},
	},
	{
		name: "itertools", about: "Rust, vendored crates", servers: []string{"rust-analyzer"},
		compilers: []string{"rust-analyzer"},
		main:      []string{"src/either_or_both.rs"}, wrong: "\npub fn wrong() -> i32 {\n    \"text\"\n}\n", found: "mismatched types",
		edit: "src/duplicates_impl.rs", before: "pub fn duplicates<I>(iter: I) ->", after: "pub fn duplicates<I>(iter: I, _strict: bool) ->",
		broken: "src/lib.rs", breaks: "argument",
		in: "src/cons_tuples_impl.rs", around: "pub fn cons_tuples", symbol: "cons_tuples", references: 1,
		setups: []setup{
			{name: "right", make: itertools},
			{name: "no vendored crate", missing: "no matching package named `either`", next: "cargo fetch", mend: func(s *site) { s.take("vendor/either", "either") }, make: func(s *site) {
				itertools(s)
				s.remove("vendor")
				s.write("vendor/README", "")
			}},
			{long: true, name: "no rust-src", missing: "rust-src", next: "rustup component add rust-src", judged: true, make: func(s *site) {
				itertools(s)
				s.standardLibrary(filepath.Join(s.elsewhere, "none"))
			}},
		},
	},
	{
		name: "commons-csv", about: "Java, Maven", servers: []string{"jdtls"},
		compilers: []string{"jdtls"}, unresolved: true,
		main: []string{"report/src/main/java/report/Report.java"}, wrong: "\nclass Wrong {\n    int n = \"text\";\n}\n", found: "cannot convert from String to int",
		edit: "csv/src/main/java/org/apache/commons/csv/CSVRecord.java", before: "public boolean isConsistent() {", after: "public boolean isConsistent(boolean strict) {",
		broken: "report/src/main/java/report/Report.java", breaks: "isConsistent",
		in: "csv/src/main/java/org/apache/commons/csv/CSVRecord.java", around: "public boolean isConsistent", symbol: "isConsistent", references: 2,
		setups: []setup{
			{long: true, name: "right", make: func(s *site) { commonsCSV(s); s.maven() }},
			{long: true, name: "a parent that is nowhere", missing: "the project is not loaded: ", next: "mvn dependency:go-offline", mend: func(s *site) {
				s.replace("pom.xml", corpParent, "")
			}, make: func(s *site) {
				commonsCSV(s)
				s.maven()
				s.replace("pom.xml", "  <groupId>org.example</groupId>", corpParent+"  <groupId>org.example</groupId>")
			}},
			{long: true, name: "a library is not downloaded", missing: "slf4j-api", next: "mvn dependency:go-offline", mend: func(s *site) { s.maven() }, make: func(s *site) {
				commonsCSV(s)
				s.maven("org/slf4j/slf4j-api/1.7.32")
			}},
		},
	},
	{
		name: "jsoncpp", about: "C++, CMake", servers: []string{"clangd"},
		compilers: []string{"clangd"},
		main:      []string{"src/lib_json/json_writer.cpp"}, wrong: "\nint* wrong = 1.5;\n", found: "annot initialize",
		edit: "src/lib_json/json_tool.h", before: "uintToString(LargestUInt value, char*& current)", after: "uintToString(LargestUInt value, char*& current, int base)", mode: "apply_if_clean",
		broken: "src/lib_json/json_writer.cpp", breaks: "No matching function for call to 'uintToString'",
		in: "src/lib_json/json_tool.h", around: "static inline void uintToString", symbol: "uintToString", references: 4,
		setups: []setup{
			{name: "right", make: func(s *site) {
				jsoncpp(s)
				s.compileCommands("build/compile_commands.json", s.root)
			}},
			{name: "no compile_commands.json", missing: "no compile_commands.json", next: "cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON", mend: func(s *site) { s.compileCommands("build/compile_commands.json", s.root) }, make: jsoncpp},
			{name: "compile_commands.json of another checkout", missing: "compile_commands.json", next: "cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON", mend: func(s *site) { s.compileCommands("build/compile_commands.json", s.root) }, make: func(s *site) {
				jsoncpp(s)
				s.compileCommands("build/compile_commands.json", filepath.Join(s.elsewhere, "other"))
			}},
		},
	},
	{
		name: "monorepo", about: "Go, TypeScript and Python", servers: []string{"gopls", "typescript", "typescript-language-server", "pyright"},
		compilers: []string{"gopls", "typescript-language-server"},
		main:      []string{"server/flag_groups.go", "web/src/useIsFetching.ts", "tools/wsproto/handshake.py"},
		wrong:     goWrong, found: "cannot use \"text\"",
		edit: "web/src/QueryClientProvider.tsx", before: "(queryClient?: QueryClient) =>", after: "(queryClient: number) =>",
		broken: "web/src/useIsFetching.ts", breaks: "is not assignable to parameter of type 'number'",
		in: "tools/wsproto/utilities.py", around: "def split_comma_header", symbol: "split_comma_header", references: 6,
		setups: []setup{
			{name: "right", make: monorepo},
			{name: "the page without node_modules", missing: "there is no node_modules in or above web", next: "web && npm ci", mend: func(s *site) { reactQueryInstalled(s, "web") }, make: func(s *site) {
				monorepo(s)
				s.remove("web/node_modules")
			}},
			{long: true, name: "the tool without .venv", missing: "there is no environment (.venv) for the packages of tools", next: "tools && python3 -m venv .venv", mend: func(s *site) { s.venv("tools/.venv", "3.11", "h11") }, make: func(s *site) {
				monorepo(s)
				s.remove("tools/.venv")
				s.barePython()
			}},
		},
	},
}
