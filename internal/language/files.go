package language

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// GoCommand is the program that builds, loads and documents Go.
const GoCommand = "go"

// Names of the files and folders that set projects up, below the folder of the project, with slashes.
const (
	GoMod           = "go.mod"
	GoWork          = "go.work"
	CargoTOML       = "Cargo.toml"
	CargoLock       = "Cargo.lock"
	RustProject     = "rust-project.json"
	PackageJSON     = "package.json"
	TSConfig        = "tsconfig.json"
	JSConfig        = "jsconfig.json"
	NodeFolder      = "node_modules"
	PyProject       = "pyproject.toml"
	PyrightConfig   = "pyrightconfig.json"
	Requirements    = "requirements.txt"
	SetupPy         = "setup.py"
	SetupCfg        = "setup.cfg"
	PomXML          = "pom.xml"
	BuildGradle     = "build.gradle"
	BuildGradleKTS  = "build.gradle.kts"
	SettingsGradle  = "settings.gradle"
	SettingsKTS     = "settings.gradle.kts"
	GradleWrapper   = "gradlew"
	EclipseProject  = ".project"
	ClassPath       = ".classpath"
	CMakeLists      = "CMakeLists.txt"
	Makefile        = "Makefile"
	CompileCommands = "compile_commands.json"
	BuildCommands   = "build/compile_commands.json"
	ModuleList      = "vendor/modules.txt"
	CompileFlags    = "compile_flags.txt"
	ClangdConfig    = ".clangd"
)

// projectFiles are all of them.
var projectFiles = []string{
	GoMod, GoWork, ModuleList, CargoTOML, RustProject, PackageJSON, TSConfig, JSConfig, NodeFolder,
	PyProject, PyrightConfig, Requirements, SetupPy, SetupCfg,
	PomXML, BuildGradle, BuildGradleKTS, SettingsGradle, SettingsKTS, GradleWrapper, EclipseProject, ClassPath,
	CMakeLists, Makefile, CompileCommands, BuildCommands, CompileFlags, ClangdConfig,
}

// configurations are the files that decide how files of a family are understood: what they
// bring in, or how strictly they are judged.
var configurations = map[string]Family{
	PyProject: PythonFamily, PyrightConfig: PythonFamily,
	CompileCommands: NativeFamily, CompileFlags: NativeFamily, ClangdConfig: NativeFamily,
	PackageJSON: ScriptFamily,
}

// scriptConfigurations begin the names of further ones, which end with .json: tsconfig.build.json.
var scriptConfigurations = []string{"tsconfig", "jsconfig"}

// Configured returns the family whose files a file decides how to understand, by its name; 0 if
// it is no such file.
func Configured(file string) Family {
	name := filepath.Base(file)
	begins := func(stem string) bool { return strings.HasPrefix(name, stem) }
	if strings.HasSuffix(name, ".json") && slices.ContainsFunc(scriptConfigurations, begins) {
		return ScriptFamily
	}
	return configurations[name]
}

// importedEndings are those of files in no language that files of a family may import.
var importedEndings = map[string]Family{".json": ScriptFamily}

// Imported returns the family whose files may import a file that is in no language; 0 if none may.
func Imported(file string) Family { return importedEndings[filepath.Ext(file)] }

// MayExtend reports whether configurations of a family may extend a file, whatever its name.
func MayExtend(f Family, file string) bool {
	return filepath.Ext(file) == ".json" && (f == ScriptFamily || f == PythonFamily)
}

// configurationKeys match the keys of configurations of TypeScript, whatever the names of these: others may extend them.
var configurationKeys = lazyregexp.New(`"(?:compilerOptions|extends|files|include|exclude|references|typeAcquisition|watchOptions)"\s*:`)

// IsScriptData reports whether a text of a file can only be data that scripts import: no configuration of theirs is, nor extends, it.
func IsScriptData(file string, text []byte) bool {
	return Imported(file) == ScriptFamily && Configured(file) == 0 && !configurationKeys.Match(text)
}

// projectEndings are those of files that set projects up and are no sources.
var projectEndings = []string{
	".json", ".jsonc", ".toml", ".yaml", ".yml", ".cfg", ".ini", ".mod", ".sum", ".work", ".lock", ".txt", ".cmake", ".clangd",
}

// SetsUp reports whether a file can change, by its ending, what is said of others without being
// a source.
func SetsUp(file string) bool { return slices.Contains(projectEndings, filepath.Ext(file)) }
