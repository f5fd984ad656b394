package language

import "github.com/lspine/lspine/internal/lazyregexp"

// A Way is a command that helps where a file is, "" for anywhere. It is for a person, and for a
// shell in the folder of the file; NAME in it stands for the name of the folder.
type Way struct{ Beside, Next string }

// Packages say where the packages of a project are installed: in Folder beside or above its files. The
// installers write Marks in it when they have installed something, or the file Map beside it.
type Packages struct {
	Folder, Map string
	Marks       []string
}

// PlugAndPlay are the files in which Yarn says where the packages of a project are if it does not install them into a folder.
var PlugAndPlay = []string{".pnp.cjs", ".pnp.js"}

// YarnSDKs is the folder beside such a file in which Yarn puts tools, each below its name, that find those packages.
const YarnSDKs = ".yarn/sdks"

// PackagesOf returns where the packages of projects in a language are, if they are in folders above
// the files.
func PackagesOf(id ID) (p Packages, found bool) {
	switch id {
	case TypeScript, TypeScriptReact, JavaScript, JavaScriptReact: // npm; yarn, of two kinds; pnpm
		return Packages{"node_modules", ".pnp.cjs", []string{".package-lock.json", ".yarn-integrity", ".yarn-state.yml", ".modules.yaml"}}, true
	}
	return p, false
}

// A Need is what servers of some languages read beside a file to know its project. Without it many
// run all the same, and say what is not so.
type Need struct {
	Languages []ID
	// Markers are the files of which one is needed, in or above the file's folder. The need is
	// that of servers one of whose roots is among them.
	Markers []string
	// Lost is what is missing without.
	Lost string
	// Ways are how to get one; the first that helps counts.
	Ways []Way
}

// Needs are those of all languages; of one there is at most one.
var Needs = []Need{
	{
		[]ID{Go},
		[]string{GoWork, GoMod},
		"without a module gopls loads no package",
		[]Way{{"", "go mod init example.com/NAME"}},
	},
	{
		[]ID{Rust},
		[]string{CargoTOML, RustProject},
		"a file in no crate is part of no project, and gets no errors",
		[]Way{{"", "cargo init"}},
	},
	{
		[]ID{TypeScript, TypeScriptReact},
		[]string{TSConfig, JSConfig},
		"strictness, path aliases and what belongs together are guessed: errors are missing or wrong",
		[]Way{{"", "npx --package typescript tsc --init"}},
	},
	{
		[]ID{JavaScript, JavaScriptReact},
		[]string{JSConfig, TSConfig},
		"types are not checked, and what belongs together is guessed",
		[]Way{{"", `echo '{"compilerOptions": {"checkJs": true}}' > jsconfig.json`}},
	},
	{
		[]ID{C, CPP, ObjectiveC, ObjectiveCPP, CUDA},
		[]string{CompileCommands, BuildCommands, CompileFlags, ClangdConfig},
		"include folders, macros and the standard are guessed: errors may be false",
		[]Way{
			{CMakeLists, "cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"},
			{"meson.build", "meson setup build"},
			{Makefile, "bear -- make"},
			{"", "echo -Iinclude > compile_flags.txt"},
		},
	},
	{
		[]ID{Java},
		[]string{PomXML, BuildGradle, BuildGradleKTS, SettingsGradle, SettingsKTS, EclipseProject, ClassPath},
		"the class path is unknown: only the JDK is there, and what libraries declare is an error",
		[]Way{{"", "gradle init --type java-application"}},
	},
}

// Loaders are the commands that get what projects need, by the file that sets a project up.
var Loaders = []Way{
	{PomXML, "mvn dependency:go-offline"},
	{GradleWrapper, "./gradlew dependencies"},
	{BuildGradle, "gradle dependencies"},
	{BuildGradleKTS, "gradle dependencies"},
	{CargoTOML, "cargo fetch"},
	{GoMod, "go mod download"},
}

// PackageManagers are the commands that install the packages of a package.json, by the lock file
// beside or above it; the last is for where there is none.
var PackageManagers = []Way{
	{"pnpm-lock.yaml", "pnpm install"},
	{"yarn.lock", "yarn install"},
	{"bun.lock", "bun install"},
	{"bun.lockb", "bun install"},
	{"package-lock.json", "npm ci"},
	{"", "npm install"},
}

// An Environment is a file by which a Python project asks for packages, and the command that makes
// the environment that holds them.
type Environment struct {
	Way
	// Asks is what is in the file if it does; nil if it always does.
	Asks *lazyregexp.Regexp
}

var setupPackages = lazyregexp.New(`install_requires`)

// Environments are in the order in which they count.
var Environments = []Environment{
	{Way{"uv.lock", "uv sync"}, nil},
	{Way{"poetry.lock", "poetry install"}, nil},
	{Way{"pdm.lock", "pdm install"}, nil},
	{Way{"Pipfile", "pipenv install --dev"}, nil},
	{Way{"environment.yml", "conda env create --file environment.yml"}, nil},
	{Way{Requirements, "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt"}, lazyregexp.New(`(?m)^\s*[A-Za-z0-9]`)},
	{Way{PyProject, "python3 -m venv .venv && .venv/bin/pip install -e ."}, lazyregexp.New(`(?m)^\s*[\w-]*dependencies\s*=\s*\[\s*["']|^\[(?:tool\.poetry\.[\w.-]*dependencies|dependency-groups)\]`)},
	{Way{SetupPy, "python3 -m venv .venv && .venv/bin/pip install -e ."}, setupPackages},
	{Way{SetupCfg, "python3 -m venv .venv && .venv/bin/pip install -e ."}, setupPackages},
}
